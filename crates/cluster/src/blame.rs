//! Which rank's answers contradict what it stated, after a proof that does not hold. (notes: cluster-blame)
//!
//! ```text
//!   rows at the queried positions  ── digests ──►  slices ── hashes ──► statements before the challenges
//!   slices of all ranks ── tree ──► root of the subtree that its owner stated, siblings that it sent
//!   combination of columns ── its codeword at the positions ──► rows
//!   values of columns ── weighted sum ──► the combination's value
//! ```
//! Each line concerns one rank's own messages, so that who breaks it has deviated, whatever the others do.

use crate::check::{OpenedRows, columns_fit, digests_fit, values_fit};
use crate::commit::{Agreed, slice_hash};
use crate::error::{Deviation, Error};
use crate::meter::Phase;
use crate::ownership::{Ownership, Place};
use crate::party::Party;
use crate::session::{Blocks, Charge};
use crate::share::Subtree;
use crate::wire::{Question, elements, padded};
use crate::worker::{self, row_block_bytes};
use field::{ExtensionOf, Field, FoldableCode};
use iop::poly::TensorForm;

/// The ranks' answers to one question, by rank.
pub(crate) enum Answer<E> {
    Values { form: TensorForm<E>, values: Vec<Vec<E>> },
    Columns { weights: Vec<E>, sums: Vec<Vec<E>> },
    Rows { positions: Vec<usize>, blocks: Blocks },
}

/// All answers that a proof rests on.
pub(crate) struct Evidence<E> {
    pub answers: Vec<Answer<E>>,
}

/// Why the search for a rank to blame ended.
enum Found {
    /// A rank did not answer.
    Error(Error),
    Charge(Charge),
}

impl From<Error> for Found {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

/// A rank with answers that it signed.
fn charge(rank: usize, deviation: Deviation, answers: Vec<(Phase, Vec<u8>)>) -> Found {
    Found::Charge(Charge::new(rank, deviation, answers))
}

/// Opened rows of all ranks.
#[derive(Clone, Copy)]
struct Opened<'a, B> {
    positions: &'a [usize],
    parts: &'a [Vec<B>],
    nodes: &'a [Vec<u8>],
}

impl<'a, B: FoldableCode> Opened<'a, B> {
    fn of(&self, rank: usize) -> OpenedRows<'a, B> {
        OpenedRows { positions: self.positions, part: &self.parts[rank] }
    }

    /// The rank's answer as it was.
    fn answer(&self, ownership: &Ownership, rank: usize) -> (Phase, Vec<u8>) {
        let (rows, _) = row_block_bytes::<B>(ownership, self.positions);
        let mut block = padded(&self.parts[rank], rows / B::BYTES);
        block.extend_from_slice(&self.nodes[rank]);
        (Phase::Rows, block)
    }
}

/// The elements and the nodes of each rank's answer about rows, which were canonical when they came.
fn parse_rows<B: FoldableCode>(
    ownership: &Ownership,
    positions: &[usize],
    blocks: &[u8],
) -> (Vec<Vec<B>>, Vec<Vec<u8>>) {
    let (of_rows, of_nodes) = row_block_bytes::<B>(ownership, positions);
    let parse = |(rank, block): (usize, &[u8])| {
        let (rows, nodes) = block.split_at(of_rows);
        let count = positions.len() * (ownership.columns(rank).len() << ownership.spec().log_fibre);
        (elements(rows, count).expect("canonical elements"), nodes.to_vec())
    };
    blocks.chunks_exact((of_rows + of_nodes).max(1)).enumerate().map(parse).unzip()
}

/// A combination of columns as a rank sent it.
pub(crate) fn columns_answer<E: Field>(ownership: &Ownership, sums: &[E]) -> (Phase, Vec<u8>) {
    (Phase::Columns, padded(sums, ownership.rows()))
}

/// Values of columns as a rank sent them.
pub(crate) fn values_answer<E: Field>(ownership: &Ownership, values: &[E]) -> (Phase, Vec<u8>) {
    (Phase::Values, padded(values, ownership.most_columns()))
}

impl<E: Field> Evidence<E> {
    pub fn new() -> Self {
        Self { answers: Vec::new() }
    }

    /// Checks every answer against its rank's others; keeps a report of what the rank has signed.
    pub fn blame<B: FoldableCode>(&self, party: &mut Party<'_>, agreed: &Agreed<B>) -> Result<(), Error>
    where
        E: ExtensionOf<B>,
    {
        self.find(party, agreed).map_err(|found| match found {
            Found::Error(error) => error,
            Found::Charge(charge) => {
                let (rank, deviation) = (charge.rank, charge.deviation);
                party.session.report(charge);
                Error::Deviation { rank, deviation }
            }
        })
    }

    fn find<B: FoldableCode>(&self, party: &mut Party<'_>, agreed: &Agreed<B>) -> Result<(), Found>
    where
        E: ExtensionOf<B>,
    {
        let ownership = agreed.part.share.ownership;
        for answer in &self.answers {
            if let Answer::Rows { positions, blocks } = answer {
                let (parts, nodes) = parse_rows::<B>(&ownership, positions, blocks);
                let opened = Opened { positions, parts: &parts, nodes: &nodes };
                check_trees::<B, E>(party, agreed, opened)?;
                self.check_columns(&ownership, opened)?;
            }
        }
        self.check_values(&ownership)
    }

    /// Checks the combinations of columns against rows that were opened.
    fn check_columns<B: FoldableCode>(
        &self,
        ownership: &Ownership,
        opened: Opened<'_, B>,
    ) -> Result<(), Found>
    where
        E: ExtensionOf<B>,
    {
        for answer in &self.answers {
            let Answer::Columns { weights, sums } = answer else { continue };
            for (rank, sums) in sums.iter().enumerate() {
                let own = &weights[ownership.columns(rank)];
                if !columns_fit(ownership, own, sums, opened.of(rank)) {
                    let answers = vec![columns_answer(ownership, sums), opened.answer(ownership, rank)];
                    return Err(charge(rank, Deviation::Columns, answers));
                }
            }
        }
        Ok(())
    }

    /// Checks the values of columns against their combinations, whose weights were drawn after them.
    fn check_values(&self, ownership: &Ownership) -> Result<(), Found> {
        for (i, answer) in self.answers.iter().enumerate() {
            let Answer::Values { form, values } = answer else { continue };
            let form = form.expand_parallel();
            for later in &self.answers[i..] {
                let Answer::Columns { weights, sums } = later else { continue };
                for (rank, (values, sums)) in values.iter().zip(sums).enumerate() {
                    if !values_fit(&weights[ownership.columns(rank)], sums, &form, values) {
                        let answers = vec![values_answer(ownership, values), columns_answer(ownership, sums)];
                        return Err(charge(rank, Deviation::Values, answers));
                    }
                }
            }
        }
        Ok(())
    }
}

/// Checks rows and siblings against what their ranks stated before the challenges: digests, and roots of subtrees.
fn check_trees<B: FoldableCode, E: ExtensionOf<B>>(
    party: &mut Party<'_>,
    agreed: &Agreed<B>,
    opened: Opened<'_, B>,
) -> Result<(), Found> {
    let ownership = agreed.part.share.ownership;
    let places: Vec<Place> = ownership.places(opened.positions);
    let mut wrong_tree = None;
    for (owner, nodes) in opened.nodes.iter().enumerate() {
        Question::<E>::Slices(owner).ask(party)?;
        let slices = worker::slices(party, &agreed.part.share, owner)?;
        check_slices(agreed, opened, owner, &slices)?;
        let tree = Subtree::new(&ownership, &slices);
        let sent = tree.nodes(&ownership.own_places(&places, owner));
        let statement = (Phase::Tree, agreed.statements[owner].to_bytes());
        let (deviation, answers) = if tree.root() != agreed.statements[owner].root {
            (Deviation::Tree, vec![statement])
        } else if nodes.get(..sent.len()) != Some(&sent) {
            (Deviation::Siblings, vec![statement, opened.answer(&ownership, owner)])
        } else {
            continue;
        };
        // A rank whose digests are wrong for another owner is named first.
        wrong_tree.get_or_insert_with(|| {
            let slices = slices.chunks_exact(ownership.slice_bytes()).map(<[u8]>::to_vec).collect();
            Found::Charge(Charge { slices, ..Charge::new(owner, deviation, answers) })
        });
    }
    wrong_tree.map_or(Ok(()), Err)
}

/// Checks all ranks' digests for one owner against their statements, and against the rows that they opened there.
fn check_slices<B: FoldableCode>(
    agreed: &Agreed<B>,
    opened: Opened<'_, B>,
    owner: usize,
    slices: &[u8],
) -> Result<(), Found> {
    let ownership = agreed.part.share.ownership;
    for (rank, slice) in slices.chunks_exact(ownership.slice_bytes()).enumerate() {
        let repeated = || (Phase::Blame, slice.to_vec());
        if slice_hash(ownership.spec().hash, slice) != agreed.statements[rank].sent[owner] {
            let statement = (Phase::Tree, agreed.statements[rank].to_bytes());
            return Err(charge(rank, Deviation::Statement, vec![repeated(), statement]));
        }
        if !digests_fit(&ownership, [rank, owner], opened.of(rank), slice) {
            let answers = vec![repeated(), opened.answer(&ownership, rank)];
            return Err(charge(rank, Deviation::Digests, answers));
        }
    }
    Ok(())
}
