//! Leaves made of parts: runs of columns that are hashed by themselves. (notes: codes-parts)
//!
//! ```text
//!   columns of a leaf   | part 0 | part 1  |  part 2 | part 3   |     2^log_parts parts, each with its columns of all rows of the leaf
//!                           H         H         H         H           the hash's leaf function
//!                            `-- node '          `-- node '
//!                                  `------ node -----'                the digest of the leaf
//! ```
//! That is a tree over the parts of all leaves, of which an opening shows all parts of a leaf. Its height follows from the parameters, and leaves and nodes are
//! hashed in other roles, so that no part is ever a node. One part is the leaf itself, without a node.
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::leaves::{LEAVES_AT_ONCE, LeafShape, leaf_bytes};
use crate::hash::Hash;
use crate::merkle::layer_above;
use alloc::vec::Vec;
use core::ops::Range;

/// log2 of the most parts of a leaf.
pub const MAX_LOG_PARTS: usize = 4;

/// Bytes of messages that are gathered at once, if they are more than one.
const GATHERED_AT_ONCE: usize = 1 << 15;

/// The columns of a part: a row is cut in halves, these in halves, and so on; the right half has one more of an odd number.
///
/// So the parts of a half are cut as the half alone is.
pub(super) fn part_columns(width: usize, log_parts: usize, part: usize) -> Range<usize> {
    let (mut start, mut width) = (0, width);
    for bit in (0..log_parts).rev() {
        let left = width / 2;
        if part >> bit & 1 == 0 {
            width = left;
        } else {
            (start, width) = (start + left, width - left);
        }
    }
    start..start + width
}

impl LeafShape {
    /// Whether there are as many parts as may be, each with a column; a leaf that is not cut may have none.
    pub fn has_parts(&self) -> bool {
        self.log_parts == 0 || self.log_parts <= MAX_LOG_PARTS && self.width >> self.log_parts > 0
    }

    /// Elements of a part, if all parts of leaves that stand end to end are equally long and stand end to end.
    pub fn message(&self) -> Option<usize> {
        match (self.log_parts, self.log_fibre) {
            (0, log_fibre) => Some(self.width << log_fibre),
            (log_parts, 0) if self.width.is_multiple_of(1 << log_parts) => Some(self.width >> log_parts),
            _ => None,
        }
    }

    /// The digests of so many leaves, end to end, in canonical bytes of so many for each element. [`LeafShape::has_parts`] first.
    pub fn digests_of_bytes(&self, bytes: &[u8], element: usize, leaves: usize) -> Vec<u8> {
        self.join_parts(bytes, leaves, |bytes, parts| match self.message() {
            Some(elements) => hash_messages(self.hash, bytes, elements.saturating_mul(element), parts),
            None => self.gather_parts(bytes, element, parts),
        })
    }

    /// The digests of so many leaves, which are equally long and stand end to end in `values`; `hash_parts` gives those of the parts of some of them.
    ///
    /// A leaf of few columns has several times its own bytes in the digests of its parts: so only those of some leaves are held at once.
    pub fn join_parts<T>(
        &self,
        values: &[T],
        leaves: usize,
        hash_parts: impl Fn(&[T], &mut [u8]),
    ) -> Vec<u8> {
        let digest = self.hash.bytes();
        let mut digests = vec![0; leaves * digest];
        if self.log_parts == 0 {
            hash_parts(values, &mut digests);
            return digests;
        }
        let leaf = values.len().checked_div(leaves).unwrap_or(0).max(1);
        let runs = values.chunks(leaf * LEAVES_AT_ONCE);
        for (values, digests) in runs.zip(digests.chunks_mut(LEAVES_AT_ONCE * digest)) {
            let mut parts = vec![0; digests.len() << self.log_parts];
            hash_parts(values, &mut parts);
            digests.copy_from_slice(&layer_above(self.hash, self.log_parts, parts));
        }
        digests
    }

    /// The digests of the parts of all leaves: a leaf's parts one behind the other.
    pub fn gather_parts(&self, bytes: &[u8], element: usize, out: &mut [u8]) {
        let (hash, digest, parts) = (self.hash, self.hash.bytes(), 1 << self.log_parts);
        let leaf = (self.width << self.log_fibre).saturating_mul(element);
        let leaves = out.len() / (digest << self.log_parts);
        for part in 0..parts {
            let columns = part_columns(self.width, self.log_parts, part);
            let columns = columns.start * element..columns.end * element;
            let place = leaf_bytes(hash, columns.len() << self.log_fibre);
            let at_once = (GATHERED_AT_ONCE / place).clamp(1, leaves.max(1));
            let (mut messages, mut digests) = (vec![0; at_once * place], vec![0; at_once * digest]);
            for (bytes, out) in bytes.chunks(at_once * leaf).zip(out.chunks_mut(at_once * parts * digest)) {
                let messages = messages.get_mut(..bytes.len() / leaf * place).unwrap_or_default();
                let digests = digests.get_mut(..bytes.len() / leaf * digest).unwrap_or_default();
                for (leaf, message) in bytes.chunks_exact(leaf).zip(messages.chunks_exact_mut(place)) {
                    self.gather(leaf, columns.clone(), message);
                }
                hash.leaves(messages, digests);
                let places = out.chunks_exact_mut(digest).skip(part).step_by(parts);
                places.zip(digests.chunks_exact(digest)).for_each(|(to, from)| to.copy_from_slice(from));
            }
        }
    }

    /// Copies some bytes of every row of a leaf; what lies behind them stays as it is.
    fn gather(&self, leaf: &[u8], columns: Range<usize>, message: &mut [u8]) {
        let rows = leaf.chunks_exact(leaf.len() >> self.log_fibre);
        let rows = rows.filter_map(|row| row.get(columns.clone()));
        rows.zip(message.chunks_exact_mut(columns.len())).for_each(|(row, place)| place.copy_from_slice(row));
    }
}

/// Hashes every message of so many bytes.
fn hash_messages(hash: Hash, bytes: &[u8], message: usize, out: &mut [u8]) {
    let place = leaf_bytes(hash, message);
    if message == place {
        return hash.leaves(bytes, out);
    }
    let digest = hash.bytes();
    let at_once = (GATHERED_AT_ONCE / place).clamp(1, (out.len() / digest).max(1));
    let mut filled = vec![0; at_once * place];
    for (messages, out) in bytes.chunks(at_once * message).zip(out.chunks_mut(at_once * digest)) {
        // What lies behind a message stays zero.
        let places = filled.chunks_exact_mut(place).filter_map(|place| place.split_at_mut_checked(message));
        messages.chunks_exact(message).zip(places).for_each(|(from, (place, _))| place.copy_from_slice(from));
        hash.leaves(filled.get(..out.len() / digest * place).unwrap_or_default(), out);
    }
}
