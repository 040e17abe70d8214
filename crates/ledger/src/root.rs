//! The root of a state: a Merkle tree over its cells, in the order in which they were first touched.
//!
//! ```text
//!  leaf  BLAKE3 (context of leaves) of: length of the key u64 | key | value      an empty cell: 32 zeros
//!  node  BLAKE3 (context of nodes) of: left | right                              a missing right one: 32 zeros
//!  root  BLAKE3 (context of roots) of: number of cells u64 | node at the top | leases
//! ```
//! The order is that of the blocks, so that all replicas have the same one.

use crate::store::Digest;

const NOTHING: Digest = [0; 32];

/// A tree of digests whose leaves change.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// From the leaves to the top, which has one node.
    levels: Vec<Vec<Digest>>,
}

/// The leaf of a cell.
#[must_use]
pub fn leaf(key: &[u8], value: Option<&[u8]>) -> Digest {
    let Some(value) = value else { return NOTHING };
    let mut hash = blake3::Hasher::new_derive_key("tenfold ledger v1 leaf of the state");
    hash.update(&(key.len() as u64).to_le_bytes());
    hash.update(key);
    hash.update(value);
    *hash.finalize().as_bytes()
}

impl Tree {
    /// The number of leaves.
    #[must_use]
    pub fn len(&self) -> usize {
        self.levels.first().map_or(0, Vec::len)
    }

    /// Tells whether there are no leaves.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes leaves, some of which may follow the last one. Cost: for `k` of `n` leaves some `k (1 + log2(n / k))` hashes.
    ///
    /// # Panics
    /// If a leaf is left out.
    pub fn write(&mut self, leaves: &[(usize, Digest)]) {
        if self.levels.is_empty() {
            self.levels.push(Vec::new());
        }
        let mut changed: Vec<usize> = leaves.iter().map(|(at, _)| *at).collect();
        changed.sort_unstable();
        let new = leaves.iter().map(|(at, _)| at + 1).max().unwrap_or(0);
        let mut written = vec![false; new.saturating_sub(self.len())];
        let before = self.len();
        if new > before {
            self.levels[0].resize(new, NOTHING);
        }
        for (at, digest) in leaves {
            self.levels[0][*at] = *digest;
            if *at >= before {
                written[at - before] = true;
            }
        }
        assert!(written.into_iter().all(|written| written), "every new leaf is written");
        let mut level = 0;
        while self.levels[level].len() > 1 {
            changed.iter_mut().for_each(|at| *at /= 2);
            changed.dedup();
            self.raise(level, &changed);
            level += 1;
        }
    }

    /// Computes nodes above a level.
    fn raise(&mut self, level: usize, nodes: &[usize]) {
        let key = blake3::Hasher::new_derive_key("tenfold ledger v1 node of the state");
        if self.levels.len() == level + 1 {
            self.levels.push(Vec::new());
        }
        let length = self.levels[level].len().div_ceil(2);
        let (below, above) = self.levels.split_at_mut(level + 1);
        let (below, above) = (&below[level], &mut above[0]);
        // The node of a level that had one alone may be new beside others.
        let first = above.len();
        above.resize(length, NOTHING);
        for at in nodes.iter().copied().chain(first..length) {
            let mut hash = key.clone();
            hash.update(&below[2 * at]);
            hash.update(below.get(2 * at + 1).unwrap_or(&NOTHING));
            above[at] = *hash.finalize().as_bytes();
        }
    }

    /// The root over the leaves and what a ledger keeps beside the cells.
    #[must_use]
    pub fn root(&self, beside: &[u8]) -> Digest {
        let top = self.levels.last().and_then(|level| level.first()).unwrap_or(&NOTHING);
        let mut hash = blake3::Hasher::new_derive_key("tenfold ledger v1 root of the state");
        hash.update(&(self.len() as u64).to_le_bytes());
        hash.update(top);
        hash.update(beside);
        *hash.finalize().as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The root by its definition.
    fn plain(leaves: &[Digest]) -> Digest {
        let mut level = leaves.to_vec();
        while level.len() > 1 {
            level = level
                .chunks(2)
                .map(|pair| {
                    let mut hash = blake3::Hasher::new_derive_key("tenfold ledger v1 node of the state");
                    hash.update(&pair[0]);
                    hash.update(pair.get(1).unwrap_or(&NOTHING));
                    *hash.finalize().as_bytes()
                })
                .collect();
        }
        let mut hash = blake3::Hasher::new_derive_key("tenfold ledger v1 root of the state");
        hash.update(&(leaves.len() as u64).to_le_bytes());
        hash.update(level.first().unwrap_or(&NOTHING));
        hash.update(b"leases");
        *hash.finalize().as_bytes()
    }

    #[test]
    fn changed_trees_have_the_root_of_their_leaves() {
        let (mut tree, mut leaves) = (Tree::default(), Vec::new());
        assert_eq!(tree.root(b"leases"), plain(&leaves));
        for step in 0..40_usize {
            let new = step % 4;
            let mut changes: Vec<usize> = (0..3).map(|i| (step * 7 + i * 5) % (leaves.len() + 1)).collect();
            changes.retain(|at| *at < leaves.len());
            changes.extend(leaves.len()..leaves.len() + new);
            leaves.resize(leaves.len() + new, NOTHING);
            let value = |at: &usize| leaf(&at.to_le_bytes(), Some(&step.to_le_bytes()));
            let changes: Vec<_> = changes.iter().map(|at| (*at, value(at))).collect();
            changes.iter().for_each(|(at, digest)| leaves[*at] = *digest);
            tree.write(&changes);
            assert_eq!(tree.root(b"leases"), plain(&leaves), "step {step}");
        }
    }

    #[test]
    fn leaves_separate_keys_and_values() {
        assert_ne!(leaf(b"ab", Some(b"c")), leaf(b"a", Some(b"bc")));
        assert_ne!(leaf(b"a", Some(b"")), leaf(b"a", None));
    }
}
