//! The checks that tell whether one rank's answers contradict each other: an honest rank's never do, whatever it is asked. (notes: cluster-blame)

use crate::ownership::Ownership;
use core::ops::Range;
use field::{BlockShape, ExtensionOf, FoldableCode};
use iop::fold;
use iop::poly::{TensorForm, dot};
use pcs::ring_switching::{Entries, sums_agree};

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
pub(crate) fn values_fit<E: field::Field>(weights: &[E], sums: &[E], form: &[E], values: &[E]) -> bool {
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
