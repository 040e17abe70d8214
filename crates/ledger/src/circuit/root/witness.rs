//! The values of a circuit: from a batch, the state before and its tree.

use curve::AdditiveGroup;
use curve::bn254::Fr;
use snark::gadgets::merkle::{ARITY, POSITION_BITS};
use snark::poseidon::{hash, sponge};

use super::entry::{Entry, Leaf};
use super::top::Subtree;
use super::tree::{self, Draft, LEAF, Tree};
use super::{Block, Cell, Chain, Public, RootCircuit, Shape};
use crate::Invalid;
use crate::circuit::{Slot, Trace};
use crate::statement::Change;
use crate::token::{Account, Token};

/// The values of all cells of a circuit but the public inputs.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The fee of the chain.
    pub fee: Fr,
    /// Transactions, then padding.
    pub slots: Vec<Slot>,
    /// The time of the last access to the padding account.
    pub padding_time: u32,
    /// Unused entries, then touched accounts.
    pub entries: Vec<Entry>,
    /// The highest levels of the tree.
    pub subtrees: Vec<Subtree>,
}

impl Witness {
    /// A witness of the right lengths, and nothing in it.
    #[must_use]
    pub fn empty(shape: Shape) -> Self {
        let path = vec![[Fr::ZERO; ARITY]; shape.path];
        Self {
            fee: Fr::ZERO,
            slots: vec![Slot::default(); shape.slots],
            padding_time: 0,
            entries: vec![Entry { path, ..Entry::default() }; shape.entries],
            subtrees: vec![Subtree { roots: [Fr::ZERO; 2], time: 0 }; shape.subtrees()],
        }
    }

    /// The witness of a batch on a state with this tree. Cost: a hash for each level of the path of each entry.
    ///
    /// # Errors
    /// If the batch touches no account or more than there are entries, one whose number is not in the tree, or one whose leaf is another.
    pub fn new(shape: Shape, tree: &Tree, trace: &Trace) -> Result<Self, Invalid> {
        let cells = &trace.statement.cells;
        if tree.depth() != shape.depth() {
            return Err(Invalid("a tree of another depth than the circuit's"));
        }
        if cells.iter().any(|change| u64::from(change.key.0) >= shape.accounts()) {
            return Err(Invalid("an account's number is not one of the tree"));
        }
        if cells.iter().any(|change| tree::leaf(change.before.as_ref()) != tree.leaf_at(change.key)) {
            return Err(Invalid("the tree is not that of the state"));
        }
        let first = cells.first().ok_or(Invalid("a batch that changes nothing"))?;
        let many = Invalid("the batch touches more accounts than the circuit has entries");
        let unused = shape.entries.checked_sub(cells.len()).ok_or(many)?;
        let used = cells.iter().zip(&trace.times).map(|(change, &time)| Entry::used(change, time));
        let entries = core::iter::repeat_n(Entry::unused(first), unused).chain(used).collect();
        Ok(Self::with_entries(shape, tree, trace, entries))
    }

    /// The witness with entries whose paths are computed here, from what they say that accounts become.
    pub(super) fn with_entries(shape: Shape, tree: &Tree, trace: &Trace, mut entries: Vec<Entry>) -> Self {
        let mut draft = Draft::new(tree);
        let mut times = vec![0; shape.subtrees()];
        for (i, entry) in entries.iter_mut().enumerate() {
            entry.path = draft.replace(entry.number, entry.leaf_after(), shape.path);
            let subtree = entry.number as usize >> (POSITION_BITS * shape.path);
            entry.subtree_time = core::mem::replace(&mut times[subtree], shape.time(i));
        }
        let before = Draft::new(tree);
        let subtree =
            |(i, time)| Subtree { roots: [&before, &draft].map(|tree| tree.at(shape.path, i)), time };
        let subtrees = (0..).zip(times).map(subtree).collect();
        let (fee, slots) = (Fr::from(trace.fee), trace.slots.clone());
        Self { fee, slots, padding_time: trace.padding_time, entries, subtrees }
    }

    /// The roots of the tree before and after.
    #[must_use]
    pub fn roots(&self) -> [Fr; 2] {
        let nodes = |i: usize| self.subtrees.iter().map(|subtree| subtree.roots[i]).collect::<Vec<_>>();
        [0, 1].map(|i| tree::root_above(&nodes(i)))
    }

    /// The public inputs, with the digest of this witness's committed cells. Time: that of an assignment.
    #[must_use]
    pub fn public(&self, chain: &Chain, roots: [Fr; 2], block: &Block) -> Public {
        let public = chain.public(roots, Fr::ZERO, block);
        let circuit = RootCircuit { shape: chain.shape, public: &public, witness: self };
        chain.public(roots, sponge(super::DIGEST, &circuit.committed()), block)
    }
}

impl Entry {
    /// An account that a batch touches.
    fn used(change: &Change<Token>, time: u32) -> Self {
        let after = change.after.as_ref();
        Self {
            active: true,
            new: change.before.is_none(),
            number: change.key.0,
            key: key(after),
            before: lanes(change.before.as_ref()),
            after: lanes(after),
            time: u64::from(time),
            ..Self::default()
        }
    }

    /// An account as it was before a batch.
    fn unused(change: &Change<Token>) -> Self {
        let before = change.before.as_ref();
        let lanes = lanes(before);
        Self { number: change.key.0, key: key(before), before: lanes, after: lanes, ..Self::default() }
    }

    fn leaf_after(&self) -> Fr {
        let [x, y] = self.key;
        hash(Fr::from(LEAF), &[self.after.balance, self.after.nonce, x, y])
    }
}

fn lanes(account: Option<&Account>) -> Leaf {
    let known = |account: &Account| Leaf { balance: account.balance.into(), nonce: account.nonce.into() };
    account.map_or_else(Leaf::default, known)
}

fn key(account: Option<&Account>) -> [Fr; 2] {
    account.map_or([Fr::ZERO; 2], |account| [account.key.x(), account.key.y()])
}

impl Block {
    /// The block of a batch.
    #[must_use]
    pub fn of(changes: &[Change<Token>]) -> Self {
        let mut block = Self::default();
        for change in changes {
            let Some(after) = &change.after else { continue };
            block.cells.push(Cell { number: change.key.0, balance: after.balance, nonce: after.nonce });
            block.keys.extend(change.before.is_none().then_some(after.key));
        }
        block
    }
}
