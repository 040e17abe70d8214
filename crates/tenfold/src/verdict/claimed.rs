//! Quantities of committed data: what a claim gives a value of.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use crate::any::Form;
use crate::statement::shown;
use alloc::boxed::Box;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// A quantity of committed data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claimed {
    /// A row of a column.
    Row(u64),
    /// An entry of bytes: a bit, a byte or a word, by its number.
    Entry(u64),
    /// An element beyond the last row or entry, by its number: padding, which is none of the data.
    Padding(u64),
    /// The sum of all rows, modulo the field's prime.
    Sum,
    /// The sum of the rows of a range, modulo the field's prime. A verdict has the range of all rows as [`Claimed::Sum`], too, whichever was claimed.
    Range(Range<u64>),
    /// The mean of all rows, if their sum is the exact one.
    Mean,
    /// The sum of all rows by the verifier's weights, modulo the field's prime.
    WeightedSum,
    /// The mean by those weights, if their sum is the exact one.
    WeightedMean,
    /// The inner product of all entries of bytes with the verifier's weights, in their binary field.
    InnerProduct,
    /// Any other linear form of the data and their padding.
    Form(Form),
    /// The polynomial whose coefficients are the rows and their padding, the constant one first, at an integer: as a verifier asks for it
    /// ([`Verdict::value_of`](super::Verdict::value_of)); a verdict has it as a [`Claimed::Form`].
    Evaluation(i128),
    /// The multilinear extension of the rows and their padding at a point of integers, lowest index bit first: as [`Claimed::Evaluation`].
    Point(Vec<i128>),
    /// The sum over all rows of the products of two columns, modulo the field's prime.
    Product(String, String),
    /// A quantity of one column of a table, by its name ([`Claimed::of`]).
    Column(String, Box<Self>),
}

impl Claimed {
    /// The quantity of the column of a table with this name.
    #[must_use]
    pub fn of(self, column: impl Into<String>) -> Self {
        Self::Column(column.into(), Box::new(self))
    }

    /// The name of the column, if it is one of a table, and the quantity.
    #[must_use]
    pub fn split(&self) -> (Option<&str>, &Self) {
        if let Self::Column(name, quantity) = self { (Some(name), quantity) } else { (None, self) }
    }

    /// The kind of the quantity: `row`, `entry`, `padding`, `sum`, `sum of rows`, `mean`, `weighted sum`, `weighted mean`, `inner product` or `form`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Row(_) => "row",
            Self::Entry(_) => "entry",
            Self::Padding(_) => "padding",
            Self::Sum => "sum",
            Self::Range(_) => "sum of rows",
            Self::Mean => "mean",
            Self::WeightedSum => "weighted sum",
            Self::WeightedMean => "weighted mean",
            Self::InnerProduct => "inner product",
            Self::Product(..) => "sum of products",
            Self::Form(_) => "form",
            Self::Evaluation(_) => "evaluation",
            Self::Point(_) => "value at a point",
            Self::Column(_, quantity) => quantity.kind(),
        }
    }

    /// The number of the row, entry or padding; none of what is about several.
    #[must_use]
    pub fn row(&self) -> Option<u64> {
        match self {
            Self::Row(row) | Self::Entry(row) | Self::Padding(row) => Some(*row),
            Self::Column(_, quantity) => quantity.row(),
            _ => None,
        }
    }
}

/// The quantity in words: `row 7`, `the sum`.
impl fmt::Display for Claimed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.row()) {
            (Self::Column(name, quantity), _) => write!(f, "{quantity} of {}", shown(name)),
            (Self::Product(a, b), _) => write!(f, "the sum of products of {} and {}", shown(a), shown(b)),
            (Self::Form(_), _) => f.write_str("the linear form"),
            (Self::Evaluation(z), _) => write!(f, "the evaluation at {z}"),
            (Self::Point(z), _) => {
                let z: Vec<String> = z.iter().map(i128::to_string).collect();
                write!(f, "the value at the point ({})", z.join(", "))
            }
            (Self::Range(rows), _) => write!(f, "the sum of {}", text_of(rows)),
            (_, Some(row)) => write!(f, "{} {row}", self.kind()),
            (_, None) => write!(f, "the {}", self.kind()),
        }
    }
}

/// A range in words, with its last row.
pub(super) fn text_of(rows: &Range<u64>) -> String {
    format!("rows {} to {}", rows.start, rows.end.saturating_sub(1))
}
