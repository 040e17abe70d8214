//! Reports that name a rank by its own signatures, whatever the scheme of the job.

#[cfg(doc)]
use super::{OTHER_WEIGHTS, UNWEIGHTED, WITHOUT_WEIGHTS};
use super::{Report, Verdict};
use crate::any::AnyScheme;
use crate::dataset::Dataset;
use crate::verify::Limits;
use field::{Goldilocks, Goldilocks2};
use iop::error::Invalid;
use iop::security::Policy;
use pcs::matrix::Prime;

/// The weights are none of the field of the job that a report is about.
pub const UNFIT_WEIGHTS: Invalid = Invalid("the weights are none of the field of the job");

/// The weights, as elements, are more than the entries of the job that a report is about, or than the memory that may be spent.
pub const HEAVY_WEIGHTS: Invalid =
    Invalid("the weights are more than the entries of the job, or take too much memory");

/// Verifies a report that names a rank by its own signatures, whatever the scheme and its fields. A report about a weighted sum is verified by the public weights of the sum, as
/// [`crate::open`] takes them; as elements of the job's field, which the report names, they take at most so many bytes of memory.
///
/// # Errors
/// If the bytes are no report of this version of the program, or show nothing. [`WITHOUT_WEIGHTS`] if weights are missing, [`OTHER_WEIGHTS`], [`UNFIT_WEIGHTS`] or [`HEAVY_WEIGHTS`] if they are others, and
/// [`UNWEIGHTED`] if the report is about none.
pub fn verify_report(bytes: &[u8], weights: Option<&Dataset>, max_memory: u64) -> Result<Verdict, Invalid> {
    let Some(params) = Report::from_json(bytes)?.job().params() else {
        // About questions, whatever the job was; any other is refused.
        let weights = weights.map(|_| &[][..]);
        return ::cluster::report::verify_report::<Prime, Goldilocks, Goldilocks2>(bytes, weights);
    };
    let refused = |_| Invalid("the job's parameters are refused");
    let scheme = AnyScheme::from_matrix(params, &Policy::at_least(0)).map_err(refused)?;
    let ranks = scheme.ranks().ok_or(Invalid("the report is about a scheme that ranks do not serve"))?;
    let prover = weights.map(|_| scheme.prover());
    let limits = Limits { policy: Policy::at_least(0), max_memory };
    let elements = weights.zip(prover.as_ref()).map(|(weights, prover)| {
        weights.with_weights(|weights| {
            // A report can be about bits, each of which is an element.
            let count = scheme.weights_count(&weights);
            ranks.check_weights(count, &limits).map_err(|_| HEAVY_WEIGHTS)?;
            prover.weights(weights).map_err(|_| UNFIT_WEIGHTS)
        })
    });
    ranks.verify_report(bytes, elements.transpose()?.as_ref())
}
