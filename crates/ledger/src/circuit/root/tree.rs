//! The tree over accounts: what replicas and provers keep of it.
//!
//! ```text
//!  leaf  Poseidon, domain LEAF, of balance, nonce, key.x, key.y        of a number without an account: of four zeros
//!  node  Poseidon, domain NODE, of eight children
//! ```
//! An account's leaf stands at its number. All leaves have the same depth, and leaves and nodes have other widths and domains, so that neither is taken for the
//! other; no point of the curve has the coordinates of the empty leaf. (notes: ledger-root-tree)

use std::collections::BTreeMap;

use curve::AdditiveGroup;
use curve::bn254::Fr;
use snark::gadgets::merkle::{ARITY, node};
use snark::poseidon::hash;

use super::{Shape, ShapeError};
use crate::Invalid;
use crate::token::{Account, Index};

/// The capacities of leaves and nodes.
pub(super) const LEAF: u64 = 0x7465_6e66_6f6c_6402;
pub(super) const NODE: u64 = 0x7465_6e66_6f6c_6403;

/// The leaf of a number, by its account.
#[must_use]
pub fn leaf(account: Option<&Account>) -> Fr {
    let lanes = account.map_or([Fr::ZERO; 4], |account| {
        [Fr::from(account.balance), Fr::from(account.nonce), account.key.x(), account.key.y()]
    });
    hash(Fr::from(LEAF), &lanes)
}

/// A tree over `8^depth` accounts, of which it keeps the nodes above accounts that there have been.
#[derive(Clone, Debug)]
pub struct Tree {
    /// From the leaves to the root: the nodes that are not those of an empty tree.
    levels: Vec<BTreeMap<u32, Fr>>,
    /// The node of each level above empty leaves.
    empty: Vec<Fr>,
}

impl Tree {
    /// The tree without accounts.
    fn empty(depth: usize) -> Self {
        let mut empty = vec![leaf(None)];
        for level in 0..depth {
            empty.push(node(Fr::from(NODE), &[empty[level]; ARITY]));
        }
        Self { levels: vec![BTreeMap::new(); depth + 1], empty }
    }

    /// The tree of a state. Time: one hash for each account, and one for each node above one: some milliseconds for each hundred accounts.
    ///
    /// # Errors
    /// If an account's number is not below [`Shape::accounts`], or all accounts together hold `2^64` or more: the circuit relies on both.
    pub fn new<'a>(
        shape: Shape,
        accounts: impl IntoIterator<Item = (&'a Index, &'a Account)>,
    ) -> Result<Self, ShapeError> {
        let mut tree = Self::empty(shape.depth());
        let mut held = 0u64;
        let mut leaves = vec![];
        for (number, account) in accounts {
            let sum = held.checked_add(account.balance);
            held = sum.ok_or(ShapeError("the accounts together hold 2^64 or more"))?;
            if u64::from(number.0) >= shape.accounts() {
                return Err(ShapeError("an account's number is not one of the tree"));
            }
            leaves.push((number.0, leaf(Some(account))));
        }
        tree.write(leaves);
        Ok(tree)
    }

    /// Writes the accounts that a batch leaves. Time: for `k` accounts at most `k (1 + depth)` hashes.
    ///
    /// # Errors
    /// If a number is not one of the tree; then nothing is written.
    pub fn update<'a>(
        &mut self,
        accounts: impl IntoIterator<Item = (&'a Index, &'a Account)>,
    ) -> Result<(), Invalid> {
        let leaves: Vec<_> =
            accounts.into_iter().map(|(number, account)| (number.0, leaf(Some(account)))).collect();
        if leaves.iter().any(|(number, _)| u64::from(*number) >= self.accounts()) {
            return Err(Invalid("an account's number is not one of the tree"));
        }
        self.write(leaves);
        Ok(())
    }

    /// Writes nodes of the lowest level, and computes those above.
    fn write(&mut self, leaves: Vec<(u32, Fr)>) {
        let mut changed: Vec<u32> = leaves.iter().map(|(number, _)| *number).collect();
        self.levels[0].extend(leaves);
        for level in 0..self.depth() {
            changed.iter_mut().for_each(|index| *index /= ARITY as u32);
            changed.sort_unstable();
            changed.dedup();
            for &index in &changed {
                let above = node(Fr::from(NODE), &self.children(level, index));
                self.levels[level + 1].insert(index, above);
            }
        }
    }

    /// The number of levels above the leaves.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.empty.len() - 1
    }

    fn accounts(&self) -> u64 {
        (ARITY as u64).pow(self.depth() as u32)
    }

    /// The root.
    #[must_use]
    pub fn root(&self) -> Fr {
        self.at(self.depth(), 0)
    }

    /// The leaf at a number.
    #[must_use]
    pub fn leaf_at(&self, number: Index) -> Fr {
        self.at(0, number.0)
    }

    fn at(&self, level: usize, index: u32) -> Fr {
        self.levels[level].get(&index).copied().unwrap_or(self.empty[level])
    }

    /// The nodes of a level below the node `index` of the next one.
    fn children(&self, level: usize, index: u32) -> [Fr; ARITY] {
        core::array::from_fn(|i| self.at(level, ARITY as u32 * index + i as u32))
    }
}

/// A tree and changes to it, which are not written.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    tree: &'a Tree,
    changed: BTreeMap<(usize, u32), Fr>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(tree: &'a Tree) -> Self {
        Self { tree, changed: BTreeMap::new() }
    }

    /// A node of a level.
    pub(super) fn at(&self, level: usize, index: u32) -> Fr {
        self.changed.get(&(level, index)).copied().unwrap_or_else(|| self.tree.at(level, index))
    }

    /// Replaces a leaf, and the nodes above it on the lowest `levels` levels. Returns what the children of these nodes were.
    pub(super) fn replace(&mut self, number: u32, leaf: Fr, levels: usize) -> Vec<[Fr; ARITY]> {
        let (mut index, mut value) = (number, leaf);
        let mut paths = Vec::with_capacity(levels);
        for level in 0..levels {
            let above = index / ARITY as u32;
            let mut children: [Fr; ARITY] =
                core::array::from_fn(|i| self.at(level, ARITY as u32 * above + i as u32));
            paths.push(children);
            self.changed.insert((level, index), value);
            children[index as usize % ARITY] = value;
            (index, value) = (above, node(Fr::from(NODE), &children));
        }
        self.changed.insert((levels, index), value);
        paths
    }
}

/// The root of a full tree above some nodes, a power of eight.
pub(super) fn root_above(nodes: &[Fr]) -> Fr {
    let mut level = nodes.to_vec();
    while level.len() > 1 {
        let groups = level.chunks_exact(ARITY);
        level = groups.map(|group| node(Fr::from(NODE), &core::array::from_fn(|i| group[i]))).collect();
    }
    level[0]
}
