//! Which rank's answers contradict what it stated, after a proof that does not hold. (notes: cluster-blame)
//!
//! ```text
//!   rows at the queried positions  ── digests ──►  slices ── hashes ──► statements before the challenges
//!   slices of all ranks ── tree ──► root of the subtree that its owner stated, siblings that it sent
//!   combination of columns ── its codeword at the positions ──► rows
//!   values of columns ── weighted sum ──► the combination's value
//! ```
//! Each line concerns one rank's own messages, so that who breaks it has deviated, whatever the others do.

use crate::commit::{Agreed, slice_hash};
use crate::error::{Deviation, Error};
use crate::ownership::{Ownership, Place};
use crate::party::Party;
use crate::share::Subtree;
use crate::wire::Question;
use crate::worker;
use field::{BlockShape, ExtensionOf, FoldableCode};
use iop::fold;
use iop::poly::{TensorForm, dot};

/// What the ranks answered to one question, by rank.
pub(crate) enum Answer<B, E> {
    Values { form: TensorForm<E>, values: Vec<Vec<E>> },
    Columns { weights: Vec<E>, sums: Vec<Vec<E>> },
    Rows { positions: Vec<usize>, parts: Vec<Vec<B>>, nodes: Vec<Vec<u8>> },
}

/// All answers that a proof rests on.
pub(crate) struct Evidence<B, E> {
    pub answers: Vec<Answer<B, E>>,
}

fn deviation(rank: usize, deviation: Deviation) -> Error {
    Error::Deviation { rank, deviation }
}

/// Opened rows: the positions of leaves, and the elements of each rank.
type Opened<'a, B> = (&'a [usize], &'a [Vec<B>], &'a [Vec<u8>]);

impl<B: FoldableCode, E: ExtensionOf<B>> Evidence<B, E> {
    pub fn new() -> Self {
        Self { answers: Vec::new() }
    }

    /// Checks every answer against its rank's others.
    pub fn blame(&self, party: &mut Party<'_>, agreed: &Agreed<B>) -> Result<(), Error> {
        let ownership = agreed.part.share.ownership;
        for answer in &self.answers {
            if let Answer::Rows { positions, parts, nodes } = answer {
                check_trees::<B, E>(party, agreed, (positions, parts, nodes))?;
                self.check_columns(&ownership, positions, parts)?;
            }
        }
        self.check_values(&ownership)
    }

    /// Checks the combinations of columns against rows that were opened.
    fn check_columns(
        &self,
        ownership: &Ownership,
        positions: &[usize],
        parts: &[Vec<B>],
    ) -> Result<(), Error> {
        let rows = fold::positions(positions, ownership.spec().log_fibre);
        for answer in &self.answers {
            let Answer::Columns { weights, sums } = answer else { continue };
            for (rank, (sums, part)) in sums.iter().zip(parts).enumerate() {
                let own = &weights[ownership.columns(rank)];
                let mut found = vec![E::ZERO; rows.len()];
                E::combine_columns(part, own, &mut found);
                if found != encoded_at::<B, E>(ownership, sums, &rows) {
                    return Err(deviation(rank, Deviation::Columns));
                }
            }
        }
        Ok(())
    }

    /// Checks the values of columns against their combinations, whose weights were drawn after them.
    fn check_values(&self, ownership: &Ownership) -> Result<(), Error> {
        for (i, answer) in self.answers.iter().enumerate() {
            let Answer::Values { form, values } = answer else { continue };
            let form = form.expand_parallel();
            for later in &self.answers[i..] {
                let Answer::Columns { weights, sums } = later else { continue };
                for (rank, (values, sums)) in values.iter().zip(sums).enumerate() {
                    if dot(values, &weights[ownership.columns(rank)]) != dot(&form, &sums[..form.len()]) {
                        return Err(deviation(rank, Deviation::Values));
                    }
                }
            }
        }
        Ok(())
    }
}

/// The codeword of a combination of columns at some of its rows.
fn encoded_at<B: FoldableCode, E: ExtensionOf<B>>(
    ownership: &Ownership,
    sums: &[E],
    rows: &[usize],
) -> Vec<E> {
    let (code, message) = (ownership.spec().code, E::flatten(sums));
    let mut found = Vec::with_capacity(rows.len());
    for rows in rows.chunk_by(|a, b| a >> code.log_rows == b >> code.log_rows) {
        let block = rows[0] >> code.log_rows;
        let shape =
            BlockShape { width: E::DEGREE, log_rows: code.log_rows, log_domain: code.log_domain(), block };
        let own: Vec<usize> = rows.iter().map(|row| row & ((1 << code.log_rows) - 1)).collect();
        let mut matrix = message.to_vec();
        B::encode_rows(&mut matrix, shape, &own);
        let row = |row: usize| matrix[row * E::DEGREE..][..E::DEGREE].iter().copied();
        let flat: Vec<B> = own.into_iter().flat_map(row).collect();
        let mut elements = vec![E::ZERO; rows.len()];
        E::unflatten(&flat, &mut elements);
        found.extend(elements);
    }
    found
}

/// Checks rows and siblings against what their ranks stated before the challenges: digests, and roots of subtrees.
fn check_trees<B: FoldableCode, E: ExtensionOf<B>>(
    party: &mut Party<'_>,
    agreed: &Agreed<B>,
    opened @ (positions, _, nodes): Opened<'_, B>,
) -> Result<(), Error> {
    let ownership = agreed.part.share.ownership;
    let places: Vec<Place> = ownership.places(positions);
    let mut wrong_tree = None;
    for (owner, nodes) in nodes.iter().enumerate() {
        Question::<E>::Slices(owner).ask(party)?;
        let slices = worker::slices(party, &agreed.part.share, owner)?;
        check_slices(agreed, opened, owner, &slices)?;
        let tree = Subtree::new(&ownership, &slices);
        let sent = tree.nodes(&ownership.own_places(&places, owner));
        if tree.root() != agreed.statements[owner].root {
            wrong_tree = wrong_tree.or(Some(deviation(owner, Deviation::Tree)));
        } else if nodes.get(..sent.len()) != Some(&sent) {
            wrong_tree = wrong_tree.or(Some(deviation(owner, Deviation::Siblings)));
        }
    }
    wrong_tree.map_or(Ok(()), Err)
}

/// Checks all ranks' digests for one owner against their statements, and against the rows that they opened there.
fn check_slices<B: FoldableCode>(
    agreed: &Agreed<B>,
    (positions, parts, _): Opened<'_, B>,
    owner: usize,
    slices: &[u8],
) -> Result<(), Error> {
    let ownership = agreed.part.share.ownership;
    let (hash, leaves) = (ownership.spec().hash, ownership.leaves(owner));
    let first = positions.partition_point(|&position| position < leaves.start);
    let last = positions.partition_point(|&position| position < leaves.end);
    for (rank, slice) in slices.chunks_exact(ownership.slice_bytes()).enumerate() {
        if slice_hash(hash, slice) != agreed.statements[rank].sent[owner] {
            return Err(deviation(rank, Deviation::Statement));
        }
        let share = ownership.share(rank);
        let leaf = share.width << share.log_fibre;
        let digests = share.leaf_digests(&parts[rank][first * leaf..last * leaf]);
        let stated = positions[first..last].iter().map(|position| position - leaves.start);
        let stated = stated.flat_map(|place| &slice[place * hash.bytes()..][..hash.bytes()]);
        if !digests.iter().eq(stated) {
            return Err(deviation(rank, Deviation::Digests));
        }
    }
    Ok(())
}
