//! The inner product of a file's entries with public weights, the entries of another file: `open --weights`.
//! (notes: linear-forms-weighted)

use super::Committed;
use super::open::witness;
use super::params::validated;
use super::source::within_memory;
use crate::args::{Common, OpenArgs};
use crate::commands::scheme::refused;
use crate::commands::weights::Given;
use crate::exit::Failure;
use crate::progress::Progress;
use pcs::file::File;

/// `open --weights`: the proof file.
pub fn open(
    committed: &Committed,
    weights: &Given,
    (args, common): (&OpenArgs, &Common),
    progress: &mut Progress,
) -> Result<File<'static>, Failure> {
    let Committed { params, blob, .. } = committed;
    if !args.what.row.is_empty() || args.what.point.is_some() {
        let message = "a weighted sum is a proof of its own";
        return Err(Failure::usage(message, "prove rows and points without --weights"));
    }
    let policy = args.policy.policy();
    let scheme = validated(params, &policy)?;
    let need = params.weighted_memory() + weights.held();
    within_memory(need, common, "raise `--max-memory`, or commit to larger --entries")?;
    if weights.held() != blob.length {
        return Err(weights.other_count(weights.held(), blob.length));
    }
    let mut prover = scheme.prover();
    let mut witness = witness(&mut prover, committed, args, (common, progress))?;
    progress.phase("proving");
    let elements = weights.with(|weights| prover.weights(weights));
    let elements =
        elements.map_err(|e| Failure::usage(e.to_string(), "give as many bytes as the file has"))?;
    prover.open_weighted(&mut witness, elements, &blob.encode(), &policy).map_err(refused)
}
