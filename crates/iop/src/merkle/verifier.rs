//! Checking openings: total functions of attacker data.
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use crate::{error::Invalid, hash::Hash};
use alloc::vec::Vec;
use core::slice;

/// The exact number of siblings in an opening of strictly increasing `positions`.
///
/// One step for each position; allocates nothing.
pub fn opening_len(log_leaves: usize, log_cap: usize, positions: &[usize]) -> usize {
    let layers = log_leaves.saturating_sub(log_cap);
    if positions.is_empty() {
        return 0;
    }
    // Neighbours in the list have one node from the layer on that the highest bit in which they differ says: each layer has a node more than there are
    // pairs that are still apart. Of a parent's two children one is a sibling if it is not known: siblings = 2 * parents - children, in each layer.
    let (mut lowest, mut above, mut highest) = (1, layers, 1);
    for (p, q) in positions.iter().zip(positions.iter().skip(1)) {
        let apart = usize::try_from(usize::BITS - (p ^ q).leading_zeros()).unwrap_or(usize::MAX);
        lowest += usize::from(apart > 0);
        above = above.saturating_add(apart.saturating_sub(1).min(layers));
        highest += usize::from(apart > layers);
    }
    above.saturating_add(highest).saturating_sub(lowest)
}

/// Checks that the leaves at `positions` of a tree with `2^log_leaves` leaves and the given cap are `leaves`.
///
/// `siblings` must be exactly [`opening_len`] digests in the order of [`super::MerkleTree::open`]; digests stand end to end. Costs one
/// node hash per distinct inner node above the positions, several at once.
///
/// # Errors
/// If a count is off, `positions` are not strictly increasing or one is no leaf, or a digest differs.
#[expect(clippy::too_many_arguments, reason = "an opening is read from slices that its caller owns")]
pub fn verify_opening(
    hash: Hash,
    log_leaves: usize,
    cap: &[u8],
    positions: &[usize],
    leaves: &[u8],
    siblings: &[u8],
) -> Result<(), Invalid> {
    let size = u32::try_from(log_leaves)
        .ok()
        .and_then(|n| 1usize.checked_shl(n))
        .ok_or(Invalid("Merkle tree is too high"))?;
    let digests =
        |bytes: &[u8]| bytes.len().checked_div(hash.bytes()).filter(|n| n * hash.bytes() == bytes.len());
    let cap_size = digests(cap).filter(|n| n.is_power_of_two() && *n <= size);
    let cap_size = cap_size.ok_or(Invalid("Merkle cap has a wrong size"))?;
    if !positions.is_sorted_by(|a, b| a < b) || positions.last().is_some_and(|&p| p >= size) {
        return Err(Invalid("Merkle positions are out of order or range"));
    }
    if digests(leaves) != Some(positions.len()) {
        return Err(Invalid("Merkle opening has a wrong number of leaves"));
    }
    let layers = size.ilog2() - cap_size.ilog2();
    let climb = match hash.bytes() {
        32 => climb::<32>,
        48 => climb::<48>,
        64 => climb::<64>,
        _ => return Err(Invalid("a digest of another width than any hash's")),
    };
    let (places, nodes) = climb(hash, layers, (positions, leaves), siblings)?;
    let node = |i: usize| cap.chunks_exact(hash.bytes()).nth(i);
    if places.iter().zip(nodes.chunks_exact(hash.bytes())).any(|(&i, digest)| node(i) != Some(digest)) {
        return Err(Invalid("Merkle opening does not lead to the commitment"));
    }
    Ok(())
}

/// Nodes of a layer: their places, and their digests end to end.
type Nodes = (Vec<usize>, Vec<u8>);

/// The nodes so many layers above these leaves, for digests of `N` bytes: a width that is known when this is compiled copies a digest in one or two moves.
fn climb<const N: usize>(
    hash: Hash,
    layers: u32,
    (positions, leaves): (&[usize], &[u8]),
    siblings: &[u8],
) -> Result<Nodes, Invalid> {
    let (mut places, mut known) = (positions.to_vec(), leaves.as_chunks::<N>().0.to_vec());
    let (siblings, rest) = siblings.as_chunks::<N>();
    let missing = match rest {
        [] => Invalid("Merkle opening has too few siblings"),
        _ => Invalid("Merkle opening has a sibling that is cut short"),
    };
    let mut siblings = siblings.iter();
    let (mut parents, mut children) = (places.clone(), vec![[[0; N]; 2]; places.len()]);
    for _ in 0..layers {
        let nodes = places.iter().copied().zip(&known);
        let count = pair(nodes, &mut siblings, (&mut parents, &mut children)).ok_or(missing)?;
        core::mem::swap(&mut places, &mut parents);
        places.truncate(count);
        parents.truncate(count);
        known.truncate(count);
        children.truncate(count);
        hash.nodes(children.as_flattened().as_flattened(), known.as_flattened_mut());
    }
    if siblings.next().is_some() || !rest.is_empty() {
        return Err(Invalid("Merkle opening has too many siblings"));
    }
    Ok((places, known.into_flattened()))
}

/// One layer up: each node beside its neighbour, or else beside the next sibling, makes two children of a parent; returns the number of parents, none if a
/// sibling is missing.
fn pair<'a, const N: usize>(
    nodes: impl Iterator<Item = (usize, &'a [u8; N])>,
    siblings: &mut slice::Iter<'_, [u8; N]>,
    (parents, children): (&mut [usize], &mut [[[u8; N]; 2]]),
) -> Option<usize> {
    let mut nodes = nodes.peekable();
    let mut count = 0;
    for (parent, [left, right]) in parents.iter_mut().zip(children) {
        let Some((i, digest)) = nodes.next() else { break };
        let neighbour: &[u8; N] = match nodes.next_if(|&(j, _)| j == i ^ 1) {
            Some((_, neighbour)) => neighbour,
            None => siblings.next()?,
        };
        // Only an even node can meet its neighbour in increasing order, so the parity of `i` decides both cases.
        let (own, other) = if i % 2 == 0 { (left, right) } else { (right, left) };
        (*own, *other, *parent) = (*digest, *neighbour, i / 2);
        count += 1;
    }
    Some(count)
}
