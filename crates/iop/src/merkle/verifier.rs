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

/// The exact number of siblings in an opening of strictly increasing `positions`.
///
/// `positions.len() * (log_leaves - log_cap)` steps; no allocation above `positions`.
pub fn opening_len(log_leaves: usize, log_cap: usize, positions: &[usize]) -> usize {
    let mut known = positions.to_vec();
    let mut siblings = 0;
    for _ in log_cap..log_leaves {
        let children = known.len();
        known.iter_mut().for_each(|position| *position /= 2);
        known.dedup();
        // A parent has two known children or one and a sibling: siblings = 2 * parents - children.
        siblings += 2 * known.len() - children;
    }
    siblings
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
    let (mut places, mut known) = (positions.to_vec(), leaves.to_vec());
    let mut children = Vec::with_capacity(2 * known.len());
    let mut siblings = siblings.chunks(hash.bytes());
    let mut width = size;
    while width > cap_size {
        pair(&mut places, known.chunks_exact(hash.bytes()), &mut siblings, &mut children)?;
        known.truncate(places.len() * hash.bytes());
        if children.len() != 2 * known.len() {
            return Err(Invalid("Merkle opening has a sibling that is cut short"));
        }
        hash.nodes(&children, &mut known);
        width /= 2;
    }
    if siblings.next().is_some() {
        return Err(Invalid("Merkle opening has too many siblings"));
    }
    let node = |i: usize| cap.chunks_exact(hash.bytes()).nth(i);
    if places.iter().zip(known.chunks_exact(hash.bytes())).any(|(&i, digest)| node(i) != Some(digest)) {
        return Err(Invalid("Merkle opening does not lead to the commitment"));
    }
    Ok(())
}

/// One layer up: each node beside its neighbour, or else beside the next sibling, makes two children of a parent; `places`
/// become the parents'.
fn pair<'k, 's>(
    places: &mut Vec<usize>,
    known: impl Iterator<Item = &'k [u8]>,
    siblings: &mut impl Iterator<Item = &'s [u8]>,
    children: &mut Vec<u8>,
) -> Result<(), Invalid> {
    children.clear();
    let mut nodes = places.iter().copied().zip(known).peekable();
    while let Some((i, digest)) = nodes.next() {
        let neighbour = match nodes.next_if(|&(j, _)| j == i ^ 1) {
            Some((_, neighbour)) => neighbour,
            None => siblings.next().ok_or(Invalid("Merkle opening has too few siblings"))?,
        };
        // Only an even node can meet its neighbour in increasing order, so the parity of `i` decides both cases.
        let [left, right] = if i % 2 == 0 { [digest, neighbour] } else { [neighbour, digest] };
        children.extend_from_slice(left);
        children.extend_from_slice(right);
    }
    places.iter_mut().for_each(|place| *place /= 2);
    places.dedup();
    Ok(())
}
