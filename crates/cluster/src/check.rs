//! The checks that tell whether one rank's answers contradict each other: an honest rank's never do, whatever it is asked. (notes: cluster-blame)

use crate::ownership::Ownership;
use crate::wire::elements;
use core::ops::Range;
use field::{BlockShape, ExtensionOf, Field, FoldableCode};
use iop::poly::{TensorForm, dot};
use iop::{fold, sumcheck};
use pcs::matrix::combine_columns;
use pcs::ring_switching::{Entries, sums_agree};
use pcs::weighted::extension;

/// Opened rows of one rank: the positions of leaves, and its elements of them.
#[derive(Clone, Copy)]
pub(crate) struct OpenedRows<'a, B> {
    pub positions: &'a [usize],
    pub part: &'a [B],
}

/// The places among positions in order of those in an owner's part of the tree.
fn within(ownership: &Ownership, positions: &[usize], owner: usize) -> Range<usize> {
    let leaves = ownership.leaves(owner);
    let place = |leaf: usize| positions.partition_point(|&position| position < leaf);
    place(leaves.start)..place(leaves.end)
}

/// True if a rank's digests for an owner of leaves are those of the rows that it opened there.
pub(crate) fn digests_fit<B: FoldableCode>(
    ownership: &Ownership,
    [rank, owner]: [usize; 2],
    opened: OpenedRows<'_, B>,
    slice: &[u8],
) -> bool {
    let (share, own) = (ownership.share(rank), within(ownership, opened.positions, owner));
    let (leaf, digest) = (share.width << share.log_fibre, ownership.spec().hash.bytes());
    let digests = share.leaf_digests(&opened.part[own.start * leaf..own.end * leaf]);
    let places = opened.positions[own].iter().map(|position| position - ownership.leaves(owner).start);
    digests.iter().eq(places.flat_map(|place| &slice[place * digest..][..digest]))
}

/// True if the codeword of a rank's combination of its columns is that of the rows that it opened.
pub(crate) fn columns_fit<B: FoldableCode, E: ExtensionOf<B>>(
    ownership: &Ownership,
    weights: &[E],
    sums: &[E],
    opened: OpenedRows<'_, B>,
) -> bool {
    let rows = fold::positions(opened.positions, ownership.spec().log_fibre);
    let mut found = vec![E::ZERO; rows.len()];
    E::combine_columns(opened.part, weights, &mut found);
    found == encoded_at::<B, E>(ownership, sums, &rows)
}

/// True if the values of a form on a rank's columns are those of its combination of them. The form has the values of all its coefficients.
pub(crate) fn values_fit<E: Field>(weights: &[E], sums: &[E], form: &[E], values: &[E]) -> bool {
    dot(values, weights) == dot(form, &sums[..form.len()])
}

/// True if the sums over the bits of a rank's columns, in canonical bytes, by a form of a weight for each row, are those of its combination of them.
pub(crate) fn bits_fit<B: FoldableCode, E: ExtensionOf<B>>(
    entries: Entries,
    (weights, sums): (&[E], &[E]),
    form: &TensorForm<E>,
    bits: &[u8],
) -> bool {
    sums_agree::<B, E>(entries, form, bits, (weights, &sums[..1 << form.variables()]))
}

/// The values of packed entries by a form, of a rank's sums over the bits of its columns; none if these are no elements.
pub(crate) fn packed_values<B: Field, E: ExtensionOf<B>>(entries: Entries, sums: &[u8]) -> Option<Vec<E>> {
    let bits = 1usize << entries.log_bits()?;
    let bit = |at: usize| {
        let mut bytes = vec![0; B::BYTES];
        bytes[at / 8] = 1 << (at % 8);
        B::from_bytes(&bytes)
    };
    let unit: Vec<B> = (0..bits).map(bit).collect::<Option<_>>()?;
    let sums: Vec<E> = elements(sums, sums.len() / E::BYTES)?;
    let value = |sums: &[E]| sums.iter().zip(&unit).map(|(sum, &bit)| sum.scale(bit)).sum();
    Some(sums.chunks_exact(bits).map(value).collect())
}

/// One rank's messages in a weighted sum, which are a sumcheck about its own part of it.
#[derive(Clone, Copy)]
pub(crate) struct SumMessages<'a, E> {
    /// The rank's part of the sum.
    pub value: E,
    /// The constant and the quadratic coefficient of each round.
    pub rounds: &'a [[E; 2]],
    /// The challenge of each round.
    pub challenges: &'a [E],
    /// The rank's columns, bound to the challenges: an element for each row.
    pub left: &'a [E],
}

/// True if what a rank's rounds leave of its part of a weighted sum is the product of what it has left and its weights, bound to the challenges. Rows beyond the last of these have
/// no weight.
pub(crate) fn sum_fits<E: Field>(messages: SumMessages<'_, E>, weights: &[E]) -> bool {
    let SumMessages { value, rounds, challenges, left } = messages;
    let round = |claim, (&[constant, quadratic], &challenge): (&[E; 2], &E)| {
        sumcheck::evaluate(constant, quadratic, claim, challenge)
    };
    let claim = rounds.iter().zip(challenges).fold(value, round);
    dot(&left[..weights.len()], weights) == claim
}

/// A rank's weights of a weighted sum, row by row: those of its columns, in each of which so many entries are packed.
pub(crate) fn own_weights<B: Field>(
    ownership: &Ownership,
    (rank, packed): (usize, usize),
    weights: &[B],
) -> Vec<B> {
    let columns = ownership.columns(rank);
    let (start, end) = (columns.start * packed, columns.end * packed);
    let row = ownership.spec().width * packed;
    let own = weights.chunks(row).flat_map(|row| &row[start.min(row.len())..end.min(row.len())]);
    own.copied().collect()
}

/// Weights of a rank's entries bound to challenges, one for each row. If there are fewer weights than entries the others are zero, and there are rows up to the last weight alone: nothing
/// is as long as a number of entries that somebody else says.
pub(crate) fn bind_weights<B: Field, E: ExtensionOf<B>>(weights: &[B], challenges: &[E]) -> Vec<E> {
    let row = u32::try_from(challenges.len()).ok().and_then(|variables| 1usize.checked_shl(variables));
    let whole = row.map_or(0, |row| weights.len() / row * row);
    let (whole, rest) = weights.split_at(whole);
    let mut bound = match whole {
        [] => Vec::new(),
        whole => combine_columns(whole, &TensorForm::point(challenges).expand()),
    };
    bound.extend((!rest.is_empty()).then(|| extension(rest, challenges)));
    bound
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
