//! Claims of sums of rows by weights.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::Given;
use super::claimed::Claimed;
use super::claims::{Value, VerifiedClaim, describe_mean};
use crate::dataset::{Base, Dataset, Number};
use crate::statement::ColumnContext;
use crate::text::all;
use crate::verify::{Refused, Weights, total};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use iop::error::Invalid;
use iop::hash::Digest;

/// The name of weights that are bytes alone.
pub(super) const GIVEN: &str = "the given weights";

/// Weights of rows, with their sum, which is added up once for all columns.
pub(super) struct Weighing {
    name: String,
    scale: u32,
    /// None if it does not fit 127 bits.
    total: Option<i128>,
}

impl Weighing {
    /// Those that a verifier was given for a proof that is by weights; none if they are no numbers.
    pub(super) fn of(weights: Given<'_>, (base, stated): (Base, Option<u32>)) -> Option<Self> {
        stated?;
        match weights {
            Given::Data(Dataset::Column(weights)) => Some(Self {
                name: weights.describe().shown(),
                scale: weights.scale,
                total: weights.values.sum(),
            }),
            Given::Canonical { bytes, scale } => {
                let total = total(base, Weights::Bytes(bytes));
                Some(Self { name: GIVEN.to_owned(), scale, total })
            }
            Given::Data(Dataset::Table(_) | Dataset::Bytes(_)) | Given::Nothing => None,
        }
    }
}

/// The claims of a weighted sum, as a number without the decimals of its weights yet.
pub(super) fn of_weights(
    (sum, digest): (Number, Digest),
    context: &ColumnContext,
    weighing: Option<&Weighing>,
) -> Result<Vec<VerifiedClaim>, Refused> {
    let Weighing { name: by, scale, total } =
        weighing.ok_or(Invalid("the weights of a column are numbers"))?;
    let column = &context.column;
    let sum = Number { scale: column.scale.saturating_add(*scale), ..sum };
    let (rows, name) = (all(column.rows, "row"), column.shown());
    let of = format!("{rows} of {name} weighted by {by}");
    // The decimals of the weights cancel out.
    let mean = total.and_then(|total| sum.mean(total, column.scale));
    let also = mean.map_or(String::new(), |mean| format!("; then the weighted mean is {}", mean.short()));
    let sentence = format!("the sum of {of} is {}{also}", sum.describe_sum());
    let claim = |claimed, value, sentence| VerifiedClaim::new(claimed, value, sentence).by(digest);
    let of_sum = claim(Claimed::WeightedSum, Value::Modular(sum), sentence);
    let of_mean = mean.filter(|_| context.sums.mean);
    let of_mean =
        of_mean.map(|mean| claim(Claimed::WeightedMean, Value::Ratio(mean), describe_mean(&mean, &of)));
    Ok([of_sum].into_iter().chain(of_mean).collect())
}
