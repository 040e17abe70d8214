//! A rank that is not the coordinator: it answers questions about its share until the job ends.

use crate::comm::CommError;
use crate::commit::Part;
use crate::error::{Error, Reason};
use crate::meter::{Meter, Phase};
use crate::ownership::Ownership;
use crate::party::{COORDINATOR, Party};
use crate::session::Blocks;
use crate::share::Share;
use crate::wire::{Question, elements, padded};
use field::{ExtensionOf, FoldableCode};

/// The most variables of a form, and so the most positions of an opening, that a question is read for.
const MAX_LOG: usize = 32;

/// Commits to a share and answers for it; returns what it cost.
pub(crate) fn serve<B: FoldableCode, E: ExtensionOf<B>>(
    party: &mut Party<'_>,
    share: Share<B>,
) -> Result<Meter, Error> {
    let longest = longest::<B, E>(&share.ownership);
    answer::<B, E>(party, share, longest).map_err(|error| match error {
        // A coordinator that stopped while this rank was at work has said so before it ended.
        Error::Comm(CommError::Gone { rank: COORDINATOR }) => match Question::<E>::receive(party, longest) {
            Ok(Question::Stop { culprit, reason }) => Error::Stopped { culprit, reason },
            _ => error,
        },
        _ => error,
    })
}

fn answer<B: FoldableCode, E: ExtensionOf<B>>(
    party: &mut Party<'_>,
    share: Share<B>,
    longest: usize,
) -> Result<Meter, Error> {
    let mut part = Part::contribute(party, share)?;
    loop {
        let question = Question::<E>::receive(party, longest)?;
        if let Question::Relay { sender, receiver } = question {
            part.relay(party, [sender, receiver], None).map_err(stopped)?;
            continue;
        }
        part.settle();
        match question {
            Question::Values(form) => {
                if form.variables() > part.share.spec.code.log_rows {
                    return Err(Error::Question("a form of more variables than rows"));
                }
                values(party, &part.share, &form)?;
            }
            Question::Columns => columns::<B, E>(party, &part.share, &[]).map(drop)?,
            Question::Rows(positions) => {
                if !in_order(&positions, part.share.spec.log_leaves()) {
                    return Err(Error::Question("positions that are not in order"));
                }
                rows(party, &part, &positions)?;
            }
            Question::Slices(owner) => {
                if owner >= party.size() {
                    return Err(Error::Question("a rank that is none"));
                }
                slices(party, &part.share, owner)?;
            }
            Question::Finish => {
                let meter = party.meter.clone();
                party.gather(Phase::Coordinator, &meter.to_bytes())?;
                party.compare_heads()?;
                return Ok(meter);
            }
            Question::Stop { culprit, reason } => return Err(Error::Stopped { culprit, reason }),
            Question::Relay { .. } => {}
        }
    }
}

/// True if positions of leaves are in order, and there are so many leaves.
pub(crate) fn in_order(positions: &[usize], log_leaves: usize) -> bool {
    positions.is_sorted_by(|a, b| a < b) && positions.last().is_none_or(|&last| last >> log_leaves == 0)
}

/// A coordinator to which a sender gave another slice than stated stops instead of passing it on: the receiver has bytes of another length.
fn stopped(error: Error) -> Error {
    match error {
        Error::Comm(CommError::Length { rank: COORDINATOR, .. }) => {
            Error::Stopped { culprit: None, reason: Reason::Deviation }
        }
        _ => error,
    }
}

/// Bytes of the longest question.
fn longest<B: FoldableCode, E: ExtensionOf<B>>(ownership: &Ownership) -> usize {
    let positions = 8usize << ownership.spec().log_leaves().min(MAX_LOG);
    positions.max(2 * MAX_LOG * E::BYTES)
}

/// The values of a form on the columns: the coordinator has those of all ranks.
pub(crate) fn values<B: FoldableCode, E: ExtensionOf<B>>(
    party: &mut Party<'_>,
    share: &Share<B>,
    form: &iop::poly::TensorForm<E>,
) -> Result<Blocks, Error> {
    let values = party.compute(Phase::Values, || share.values(form));
    party.gather(Phase::Values, &padded(&values, share.ownership.most_columns()))
}

/// The combination of the columns by weights of the coordinator, who has a block of them for each rank: the coordinator has all ranks' sums.
pub(crate) fn columns<B: FoldableCode, E: ExtensionOf<B>>(
    party: &mut Party<'_>,
    share: &Share<B>,
    weights: &[u8],
) -> Result<Blocks, Error> {
    let mut block = vec![0; share.ownership.most_columns() * E::BYTES];
    party.scatter(Phase::Columns, weights, &mut block)?;
    let own: Vec<E> =
        elements(&block, share.spec.width).ok_or(Error::Question("weights that are no elements"))?;
    let sums = party.compute(Phase::Columns, || share.columns(&own));
    party.gather(Phase::Columns, &padded(&sums, share.ownership.rows()))
}

/// The columns' part of the leaves at positions, and the nodes beside their paths: the coordinator has those of all ranks.
pub(crate) fn rows<B: FoldableCode>(
    party: &mut Party<'_>,
    part: &Part<B>,
    positions: &[usize],
) -> Result<Blocks, Error> {
    let share = &part.share;
    let block = party.compute(Phase::Rows, || {
        let (rows, nodes) = row_block_bytes::<B>(&share.ownership, positions);
        let places = share.ownership.places(positions);
        let mut block = padded(&share.rows(positions), rows / B::BYTES);
        block.extend(part.tree.nodes(&share.ownership.own_places(&places, share.rank)));
        block.resize(rows + nodes, 0);
        block
    });
    party.gather(Phase::Rows, &block)
}

/// Bytes of rows and of nodes in a rank's answer about rows.
pub(crate) fn row_block_bytes<B: FoldableCode>(ownership: &Ownership, positions: &[usize]) -> (usize, usize) {
    let spec = ownership.spec();
    let leaf = (ownership.most_columns() << spec.log_fibre) * B::BYTES;
    let nodes = ownership.most_places(&ownership.places(positions)) * spec.hash.bytes();
    (positions.len() * leaf, nodes)
}

/// The digests of the columns' parts for the owner of some leaves, once more: the coordinator has those of all ranks.
pub(crate) fn slices<B: FoldableCode>(
    party: &mut Party<'_>,
    share: &Share<B>,
    owner: usize,
) -> Result<Blocks, Error> {
    let slice = party.compute(Phase::Blame, || share.digests(share.ownership.leaves(owner)));
    party.gather(Phase::Blame, &slice)
}
