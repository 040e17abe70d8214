//! One entry: an account that a batch touches, before and after, with its path in the tree.

use curve::bn254::Fr;
use curve::{AdditiveGroup, Field};
use snark::gadgets::boolean::{boolean, enforce_range, from_bits, number as number_gadget};
use snark::gadgets::memory::Memory;
use snark::gadgets::merkle::{ARITY, POSITION_BITS, update_gadget};
use snark::poseidon::hash_gadget;
use snark::r1cs::{Builder, LinearCombination};

use super::Shape;
use super::tree::{LEAF, NODE};
use crate::circuit::{ABSENT, Lane};

type Lc = LinearCombination<Fr>;

/// The class of roots of subtrees: after those of accounts, padding and numbers without an account.
const SUBTREE: u64 = 3;

/// What an account has beside its key. Elements of the field: the circuit is what says that they are numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leaf {
    /// The balance.
    pub balance: Fr,
    /// The nonce.
    pub nonce: Fr,
}

/// The values of an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The entry is used. An unused one names any number, whose leaf stays as it is.
    pub active: bool,
    /// The account is opened by the batch.
    pub new: bool,
    /// The account's number.
    pub number: u32,
    /// The account's key; zeros if there is none after the batch either.
    pub key: [Fr; 2],
    /// The account before.
    pub before: Leaf,
    /// The account after.
    pub after: Leaf,
    /// The time of the last access to it.
    pub time: u64,
    /// The children on the path, in the tree as the entries before this one have left it, from the leaf up.
    pub path: Vec<[Fr; ARITY]>,
    /// The time of the last access to the subtree.
    pub subtree_time: u64,
}

/// What an entry leaves for the checks of all entries.
pub(super) struct Touched {
    pub(super) active: Lc,
    pub(super) new: Lc,
    pub(super) number: Lc,
    pub(super) key: [Lc; 2],
    /// Number, balance and nonce after, or 0.
    pub(super) cell: Lc,
    pub(super) committed: [Lc; 3],
}

/// The cells of an entry.
struct Cells {
    active: Lc,
    new: Lc,
    number: Lc,
    /// The bits of the number, the lowest first.
    bits: Vec<Lc>,
    time: Lc,
    /// Balance and nonce.
    before: [Lc; 2],
    after: [Lc; 2],
    key: [Lc; 2],
}

/// The constraints of entry `i`: 823 for each level of its path, and some two hundred beside two leaves.
pub(super) fn synthesize(
    builder: &mut Builder<Fr>,
    shape: Shape,
    memory: &mut Memory<Fr>,
    (i, entry): (usize, &Entry),
) -> Touched {
    let cells = Cells::of(builder, shape, entry);
    cells.access_account(builder, memory);
    let leaves = cells.leaves(builder);
    let (low, high) = cells.bits.split_at(POSITION_BITS * shape.path);
    let roots = update_gadget(builder, Fr::from(NODE), low, &entry.path, leaves);
    let gap = access_subtree(builder, shape, memory, (i, entry), (&from_bits(high), &roots));

    let Cells { active, new, number, time, after, key, .. } = cells;
    let numbers = [(96, &number), (32, &after[0]), (0, &after[1])];
    let cell = builder.multiply("root: cell", &active, &packed(&numbers));
    let end = shape.number_bits() + 2 * shape.time_bits();
    let bound = [
        (0, &number),
        (shape.number_bits(), &time),
        (shape.number_bits() + shape.time_bits(), &gap),
        (end, &active),
        (end + 1, &new),
    ];
    let [old, changed] = roots;
    Touched { committed: [packed(&bound), old, changed], active, new, number, key, cell }
}

impl Cells {
    fn of(builder: &mut Builder<Fr>, shape: Shape, entry: &Entry) -> Self {
        let active = boolean(builder, "root: active", || entry.active);
        let new = boolean(builder, "root: new", || entry.new);
        builder.enforce("root: new entries are active", &new, &(&Lc::one() - &active), &Lc::zero());
        let (number, bits) =
            number_gadget(builder, "root: number", shape.number_bits(), || Fr::from(entry.number));
        let (time, _) = number_gadget(builder, "root: time", shape.time_bits(), || Fr::from(entry.time));
        let mut lanes = |leaf: &Leaf| [leaf.balance, leaf.nonce].map(|x| builder.witness(|| x));
        let [before, after] = [lanes(&entry.before), lanes(&entry.after)];
        let key = entry.key.map(|x| builder.witness(|| x));
        enforce_on_curve(builder, &active, &key);
        Self { active, new, number, bits, time, before, after, key }
    }

    /// The access of a used entry to its account. What is new had no key and the class of absent accounts.
    fn access_account(&self, builder: &mut Builder<Fr>, memory: &mut Memory<Fr>) {
        let Self { active, new, number, time, before, after, key, .. } = self;
        let sum = |builder: &mut Builder<Fr>, memory: &Memory<Fr>, lanes: [(Lane, &Lc); 2]| {
            &memory.lane(builder, lanes[0].0 as usize, lanes[0].1)
                + &memory.lane(builder, lanes[1].0 as usize, lanes[1].1)
        };
        let name = memory.lane(builder, Lane::Number as usize, number);
        let keys = sum(builder, memory, [(Lane::KeyX, &key[0]), (Lane::KeyY, &key[1])]);
        let absent = memory.lane(builder, Lane::Class as usize, &Lc::constant(Fr::from(ABSENT)));
        let opened = builder.multiply("root: opened", new, &(&keys - &absent));
        let named = &name + &keys;
        let found = &(&named - &opened)
            + &sum(builder, memory, [(Lane::Balance, &before[0]), (Lane::Nonce, &before[1])]);
        let left =
            &(&named + time) + &sum(builder, memory, [(Lane::Balance, &after[0]), (Lane::Nonce, &after[1])]);
        memory.include(builder, [&found, &left], active);
    }

    /// The leaves before and after, which are equal if the entry is not used.
    fn leaves(&self, builder: &mut Builder<Fr>) -> [Lc; 2] {
        let Self { active, new, before, after, key, .. } = self;
        let key_before = [0, 1].map(|i| &key[i] - &builder.multiply("root: key before", new, &key[i]));
        let leaves = [leaf_gadget(builder, before, &key_before), leaf_gadget(builder, after, key)];
        let change = &leaves[1] - &leaves[0];
        builder.enforce("root: unused entries change nothing", &(&Lc::one() - active), &change, &Lc::zero());
        leaves
    }
}

/// The access of entry `i` to its subtree. Returns the time since the last one.
fn access_subtree(
    builder: &mut Builder<Fr>,
    shape: Shape,
    memory: &mut Memory<Fr>,
    (i, entry): (usize, &Entry),
    (index, roots): (&Lc, &[Lc; 2]),
) -> Lc {
    let before = subtree_lanes(builder, memory, index, &roots[0]);
    let changed = memory.lane(builder, Lane::Balance as usize, &(&roots[1] - &roots[0]));
    let (gap, factors) = memory.exchange(
        builder,
        [&before, &(&before + &changed)],
        (shape.time(i), shape.time_bits()),
        || Fr::from(entry.subtree_time),
    );
    memory.multiply(builder, &factors);
    gap
}

impl Touched {
    /// Enforces that numbers of used entries strictly increase, and that unused ones come first. `last` is 0, or what this returned for the entry before.
    pub(super) fn enforce_order(&self, builder: &mut Builder<Fr>, shape: Shape, last: &Lc) -> Lc {
        let rank = builder.multiply("root: rank", &self.active, &(&self.number + &Lc::one()));
        let step = &(&rank - last) - &self.active;
        enforce_range(builder, "root: increasing numbers", &step, shape.number_bits() + 1);
        rank
    }
}

/// The lanes of a subtree's root: those of index and root are no constants.
pub(super) fn subtree_lanes(builder: &mut Builder<Fr>, memory: &Memory<Fr>, index: &Lc, root: &Lc) -> Lc {
    let class = memory.lane(builder, Lane::Class as usize, &Lc::constant(Fr::from(SUBTREE)));
    let name = &memory.lane(builder, Lane::Number as usize, index) + &class;
    &name + &memory.lane(builder, Lane::Balance as usize, root)
}

fn leaf_gadget(builder: &mut Builder<Fr>, [balance, nonce]: &[Lc; 2], [x, y]: &[Lc; 2]) -> Lc {
    let domain = Lc::constant(Fr::from(LEAF));
    hash_gadget(builder, &domain, &[balance.clone(), nonce.clone(), x.clone(), y.clone()])
}

/// Enforces that the key of a used entry is a point of `y^2 = x^3 - 17`; so it is not (0, 0).
fn enforce_on_curve(builder: &mut Builder<Fr>, active: &Lc, [x, y]: &[Lc; 2]) {
    let square = builder.multiply("root: key", x, x);
    let cube = builder.multiply("root: key", &square, x);
    let left = builder.multiply("root: key", y, y);
    let difference = &(&left - &cube) + &Lc::constant(Fr::from(17u64));
    builder.enforce("root: key on the curve", active, &difference, &Lc::zero());
}

/// The sum of numbers, each shifted by some bits.
fn packed(numbers: &[(usize, &Lc)]) -> Lc {
    Lc::weighted_sum(numbers.iter().map(|(bits, x)| (Fr::ONE.double().pow([*bits as u64]), *x)))
}
