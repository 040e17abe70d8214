//! Claims as payloads say them.

use serde::{Deserialize, Serialize};
use std::ops::Range;
use tenfold::Claim;

/// A claim about the data.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claimed {
    /// The value of a row.
    Row(u64),
    /// The sum of all rows.
    Sum,
    /// The sum of the rows of a range.
    Range(Range<u64>),
    /// The mean of all rows.
    Mean,
    /// The multilinear extension at a point.
    Point(Vec<i128>),
    /// The polynomial with the rows as coefficients, at a point.
    Evaluation(i128),
    /// The sum over all rows of the products of two columns of a table, by their names.
    Product(String, String),
}

impl Claimed {
    /// The claim of a job; none about weights, which are a file of their own.
    #[must_use]
    pub fn of(claim: &Claim<'_>) -> Option<Self> {
        match claim {
            Claim::Row(row) => Some(Self::Row(*row)),
            Claim::Sum => Some(Self::Sum),
            Claim::Range(rows) => Some(Self::Range(rows.clone())),
            Claim::Mean => Some(Self::Mean),
            Claim::Point(point) => Some(Self::Point(point.clone())),
            Claim::Evaluation(point) => Some(Self::Evaluation(*point)),
            Claim::Product(a, b) => Some(Self::Product((*a).to_owned(), (*b).to_owned())),
            _ => None,
        }
    }

    pub(super) fn is_product(&self) -> bool {
        matches!(self, Self::Product(..))
    }

    /// The claim as the library takes it.
    pub(super) fn claim(&self) -> Claim<'_> {
        match self {
            Self::Row(row) => Claim::Row(*row),
            Self::Sum => Claim::Sum,
            Self::Range(rows) => Claim::Range(rows.clone()),
            Self::Mean => Claim::Mean,
            Self::Point(point) => Claim::Point(point.clone()),
            Self::Evaluation(point) => Claim::Evaluation(*point),
            Self::Product(a, b) => Claim::Product(a, b),
        }
    }
}
