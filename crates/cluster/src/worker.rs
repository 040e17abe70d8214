//! A rank that is not the coordinator: it answers questions about its share until the job ends.

use crate::comm::CommError;
use crate::commit::Part;
use crate::error::Error;
use crate::identity::SIGNATURE;
use crate::meter::{Meter, Phase};
use crate::ownership::Ownership;
use crate::party::{COORDINATOR, Party};
use crate::session::Blocks;
use crate::share::Share;
use crate::weighted;
use crate::wire::{Question, STOP, elements, padded};
use field::{ExtensionOf, Field, FoldableCode, Goldilocks};
use iop::oracle::OracleSpec;
use pcs::matrix::Params;
use pcs::ring_switching::Entries;

/// Bytes of the header with its signature, and of the rest, of the question that ends a job.
const STOP_HEADER: usize = 16 + SIGNATURE;
const STOP_BYTES: usize = 16;

/// The most variables of a form that a question is read for.
const MAX_LOG: usize = 32;

/// Commits to a share and answers for it; returns what it cost.
pub(crate) fn serve<B: FoldableCode, E: ExtensionOf<B>>(
    party: &mut Party<'_>,
    share: Share<B>,
    params: &Params,
) -> Result<Meter, Error> {
    let most = most_positions(params, share.ownership.spec());
    let (entries, longest) = (params.entries, longest::<E>(most));
    // The coordinator may have its columns later than this rank.
    let asked = match Question::<E>::receive(party, longest) {
        Ok(Question::Commit) => answer::<B, E>(party, (share, entries), (longest, most)),
        Ok(Question::Stop { culprit, reason }) => Err(Error::Stopped { culprit, reason }),
        Ok(_) => Err(Error::Question("before the commitment")),
        Err(error) => Err(error),
    };
    asked.map_err(|error| last_words(party, error))
}

/// The end of the job in the words of a coordinator that stopped while this rank was at work: what it said is still to be received, or was taken for
/// something else that this rank waited for, of another length.
pub(crate) fn last_words(party: &mut Party<'_>, error: Error) -> Error {
    let question = match error {
        Error::Comm(CommError::Gone { rank: COORDINATOR }) => {
            Question::<Goldilocks>::receive(party, STOP_BYTES).ok()
        }
        Error::Comm(CommError::Length { rank: COORDINATOR, found: STOP_HEADER, .. }) => {
            let mut payload = [0; STOP_BYTES];
            let told = party.broadcast(Phase::Coordinator, &mut payload);
            told.ok().and_then(|()| Question::parse(STOP, &payload))
        }
        _ => None,
    };
    match question {
        Some(Question::Stop { culprit, reason }) => Error::Stopped { culprit, reason },
        _ => error,
    }
}

fn answer<B: FoldableCode, E: ExtensionOf<B>>(
    party: &mut Party<'_>,
    (share, entries): (Share<B>, Entries),
    (longest, most): (usize, usize),
) -> Result<Meter, Error> {
    let mut part = Part::contribute(party, share)?;
    let mut weighing = None;
    loop {
        let question = Question::<E>::receive(party, longest)?;
        if let Question::Relay { sender, receiver } = question {
            part.relay(party, [sender, receiver], None)?;
            continue;
        }
        part.settle();
        check(&question, &part.share.spec, (party.size(), most))?;
        match question {
            Question::Values(form) => drop(values(party, &part.share, &form)?),
            Question::Bits(form) => drop(bits(party, &part.share, &form)?),
            Question::Columns => {
                let sums = columns::<B, E>(party, &part.share, &[])?;
                party.gather(Phase::Columns, &padded(&sums, sums.len()))?;
            }
            Question::Rows(positions) => drop(rows(party, &part, &positions)?),
            Question::Slices(owner) => drop(slices(party, &part.share, owner)?),
            Question::Weigh => weighing = Some(weighted::weigh(party, (&part.share, entries), &[])?.0),
            Question::Bind(challenge) => {
                let bound = weighted::bind(party, &part.share, &mut weighing, challenge)?;
                party.gather(Phase::Values, &padded(&bound, bound.len()))?;
            }
            Question::Finish => {
                let meter = party.meter.clone();
                party.gather(Phase::Coordinator, &meter.to_bytes())?;
                party.compare_heads()?;
                return Ok(meter);
            }
            Question::Stop { culprit, reason } => return Err(Error::Stopped { culprit, reason }),
            Question::Relay { .. } | Question::Commit => {
                return Err(Error::Question("after the commitment"));
            }
        }
    }
}

/// Refuses a question that an honest coordinator of so many ranks does not ask, of whose openings each has so many positions at most.
fn check<E: Field>(
    question: &Question<E>,
    spec: &OracleSpec,
    (ranks, most): (usize, usize),
) -> Result<(), Error> {
    let log_rows = spec.code.log_rows;
    let refused = match question {
        Question::Values(form) if form.variables() > log_rows => "a form of more variables than rows",
        Question::Bits(form) if form.variables() != log_rows => "a form of other variables than rows",
        Question::Rows(positions) if positions.len() > most => "more positions than an opening has",
        Question::Rows(positions) if !in_order(positions, spec.log_leaves()) => {
            "positions that are not in order"
        }
        Question::Slices(owner) if *owner >= ranks => "a rank that is none",
        _ => return Ok(()),
    };
    Err(Error::Question(refused))
}

/// True if positions of leaves are in order, and there are so many leaves.
pub(crate) fn in_order(positions: &[usize], log_leaves: usize) -> bool {
    positions.is_sorted_by(|a, b| a < b) && positions.last().is_none_or(|&last| last >> log_leaves == 0)
}

/// The most positions of an opening: the leaves that hold all rows which it shows, some for each query of the first stage.
fn most_positions(params: &Params, spec: &OracleSpec) -> usize {
    params.opened_rows() >> spec.log_fibre
}

/// Bytes of the longest question, with so many positions at most.
fn longest<E: Field>(most: usize) -> usize {
    (8 * most).max(2 * MAX_LOG * E::BYTES)
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

/// The combinations of the rows, by the weights of a form, where each bit of an element of a column is set: the coordinator has those of all ranks.
pub(crate) fn bits<B: FoldableCode, E: ExtensionOf<B>>(
    party: &mut Party<'_>,
    share: &Share<B>,
    form: &iop::poly::TensorForm<E>,
) -> Result<Blocks, Error> {
    let mut sums = party.compute(Phase::Values, || share.bits(form));
    sums.resize(bit_bytes::<B, E>(share.ownership.most_columns()), 0);
    party.gather(Phase::Values, &sums)
}

/// Bytes of the sums over the bits of so many columns.
pub(crate) fn bit_bytes<B: FoldableCode, E: ExtensionOf<B>>(columns: usize) -> usize {
    columns * 8 * B::BYTES * E::BYTES
}

/// The combination of this rank's columns by weights of the coordinator, who has a block of them for each rank.
pub(crate) fn columns<B: FoldableCode, E: ExtensionOf<B>>(
    party: &mut Party<'_>,
    share: &Share<B>,
    weights: &[u8],
) -> Result<Vec<E>, Error> {
    let mut block = vec![0; share.ownership.most_columns() * E::BYTES];
    party.scatter(Phase::Columns, weights, &mut block)?;
    let own: Vec<E> =
        elements(&block, share.spec.width).ok_or(Error::Question("weights that are no elements"))?;
    Ok(party.compute(Phase::Columns, || share.columns(&own)))
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
