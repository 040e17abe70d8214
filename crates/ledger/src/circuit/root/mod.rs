//! The circuit of batches on a chain of which a verifier, such as a contract, holds one root. (notes: ledger-root-circuit)
//!
//! A proof of it says: "there are signed transactions that turn the accounts of the tree with this root into those of the tree with that root, and the block is
//! what they change". It has the slots of [`super`], whose memory starts and ends with touched accounts that are in the circuit too: each has an entry.
//!
//! ```text
//!  public inputs   domain | rules | root before | root after | D | r | P
//!  entry           a touched account: its leaf before and after, and its path up to a subtree; numbers strictly increase, unused entries come first
//!  top             the roots of all subtrees before and after, and the nodes above them
//!  memory          accounts (class 0), padding (1), numbers without an account (2), and roots of subtrees (3), which entries access after all slots
//!  D               Poseidon over committed cells, of which everything that goes into the memory is a function
//!  r               Keccak-256 of context, roots, D and block; the memory's challenges are r and a Poseidon hash of r
//!  P               the block's words as coefficients of a polynomial at r
//! ```
//! Domain and rules are constants of a chain: a contract adds them to its key once.
//!
//! # What is relied on
//! The first root is one of a state whose balances together are below `2^64` ([`Tree::new`] refuses others), and whose keys are on the curve.
//! From there every batch keeps it so.

mod block;
mod entry;
pub mod groth16;
#[cfg(test)]
pub(crate) mod tests;
mod top;
mod tree;
mod verifier;
mod witness;

pub use block::{Block, Cell};
pub use entry::{Entry, Leaf};
pub use tree::{Tree, leaf};
pub use verifier::{Mirror, RootVerifier};
pub use witness::Witness;

use core::cell::RefCell;

use curve::bn254::Fr;
use curve::grumpkin::Point;
use curve::{AffineRepr, PrimeField};
use sha3::{Digest, Keccak256};
use snark::gadgets::memory::Memory;
use snark::gadgets::merkle::{ARITY, POSITION_BITS};
use snark::poseidon::{hash_gadget, sponge_gadget};
use snark::r1cs::{Assignment, Builder, Circuit, LinearCombination};

use super::{LANES, Lane, PADDING, slot, time_bits};
use crate::machine::Machine;
use crate::token::Token;

type Lc = LinearCombination<Fr>;

/// The capacities of the sponge over committed cells and of the second challenge.
const DIGEST: u64 = 0x7465_6e66_6f6c_6404;
const GAMMA: u64 = 0x7465_6e66_6f6c_6405;

/// The number of public inputs that are the same for all batches of a chain.
pub const CONSTANTS: usize = 2;

/// The reason that there is no such circuit or tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ShapeError(pub &'static str);

/// The sizes of a circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    slots: usize,
    entries: usize,
    top: usize,
    path: usize,
}

impl Shape {
    /// The sizes of a circuit with room for so many transactions and touched accounts. The nodes of the highest `top` levels of the tree are computed once, those of
    /// the lowest `path` levels once for each entry.
    ///
    /// # Errors
    /// If there are no slots, an odd number of entries or none, more than `2^12` of either, or not 1 to 8 levels, of which at most 4 are at the top.
    pub const fn new(slots: usize, entries: usize, top: usize, path: usize) -> Result<Self, ShapeError> {
        if slots == 0 || slots > 1 << 12 {
            return Err(ShapeError("a circuit has 1 to 4096 slots"));
        }
        if entries == 0 || !entries.is_multiple_of(2) || entries > 1 << 12 {
            return Err(ShapeError("a circuit has 2 to 4096 entries, an even number"));
        }
        if top > 4 || path > 8 || top + path == 0 || top + path > 8 {
            return Err(ShapeError("a tree has 1 to 8 levels, at most 4 of them at the top"));
        }
        Ok(Self { slots, entries, top, path })
    }

    /// The sizes for chains: `2^24` accounts, and two entries for each slot, so that there always are enough.
    ///
    /// # Panics
    /// If there are more than 2048 slots, or none.
    #[must_use]
    pub const fn standard(slots: usize) -> Self {
        let top = if slots < 1024 { 3 } else { 4 };
        match Self::new(slots, 2 * slots, top, 8 - top) {
            Ok(shape) => shape,
            Err(_) => panic!("1 to 2048 slots"),
        }
    }

    /// The number of slots.
    #[must_use]
    pub const fn slots(&self) -> usize {
        self.slots
    }

    /// The number of entries.
    #[must_use]
    pub const fn entries(&self) -> usize {
        self.entries
    }

    /// The number of the block's words, at most: two cells are in one.
    #[must_use]
    pub const fn words(&self) -> usize {
        self.entries / 2
    }

    /// The number of levels of the tree above its leaves.
    #[must_use]
    pub const fn depth(&self) -> usize {
        self.top + self.path
    }

    /// The number of accounts that the tree has room for; their numbers are below it.
    #[must_use]
    pub const fn accounts(&self) -> u64 {
        1 << self.number_bits()
    }

    const fn number_bits(&self) -> usize {
        POSITION_BITS * self.depth()
    }

    const fn subtrees(&self) -> usize {
        ARITY.pow(self.top as u32)
    }

    /// The time of the access of entry `i` to its subtree: after all slots.
    const fn time(&self, i: usize) -> u64 {
        (2 * self.slots + i + 1) as u64
    }

    /// The number of bits of all times.
    const fn time_bits(&self) -> usize {
        (2 * self.slots + self.entries).ilog2() as usize + 1
    }
}

/// What a proof is about, beside the roots and the block: a chain, and the sizes of a circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The rules.
    pub machine: Token,
    /// The sizes.
    pub shape: Shape,
    /// What challenges begin with: a constant of the verifier.
    pub context: [u8; 32],
}

impl Chain {
    /// A chain with the context that is the Keccak-256 digest of a label, its domain and the number of slots.
    #[must_use]
    pub fn new(machine: Token, shape: Shape) -> Self {
        let hash = Keccak256::new_with_prefix(b"tenfold ledger v1 root mode");
        let hash = hash.chain_update(machine.domain().0).chain_update((shape.slots as u32).to_be_bytes());
        Self { machine, shape, context: hash.finalize().into() }
    }

    /// The public inputs that are the same for all batches: the first ones.
    #[must_use]
    pub fn constants(&self) -> [Fr; CONSTANTS] {
        let Token { fee, issuer, .. } = self.machine;
        let domain = self.machine.domain().element();
        [domain, super::Public { fee, issuer, ..Default::default() }.rules()]
    }

    /// The public inputs of a batch. Cost: a hash of the block, and a product for two cells.
    #[must_use]
    pub fn public(&self, roots: [Fr; 2], digest: Fr, block: &Block) -> Public {
        let bytes = block.to_bytes();
        let mut hash = Keccak256::new_with_prefix(self.context);
        for element in [&roots[0], &roots[1], &digest] {
            hash.update(block::word(element));
        }
        hash.update(&bytes);
        let challenge = Fr::from_be_bytes_mod_order(&hash.finalize());
        let fingerprint = block.fingerprint(challenge, self.shape.words());
        Public { constants: self.constants(), roots, digest, challenge, fingerprint }
    }
}

/// The public inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Public {
    /// [`Chain::constants`].
    pub constants: [Fr; CONSTANTS],
    /// The roots before and after.
    pub roots: [Fr; 2],
    /// `D`.
    pub digest: Fr,
    /// `r`.
    pub challenge: Fr,
    /// `P`.
    pub fingerprint: Fr,
}

impl Public {
    /// The public inputs in their order.
    #[must_use]
    pub fn elements(&self) -> Vec<Fr> {
        let Self { constants, roots: [before, after], digest, challenge, fingerprint } = self;
        let varying = [*before, *after, *digest, *challenge, *fingerprint];
        constants.iter().copied().chain(varying).collect()
    }
}

/// The circuit of a batch.
#[derive(Clone, Copy, Debug)]
pub struct RootCircuit<'a> {
    /// The sizes.
    pub shape: Shape,
    /// The public inputs.
    pub public: &'a Public,
    /// The values of all other cells: as many as the sizes ask for.
    pub witness: &'a Witness,
}

/// The cells that the public inputs are compared with at the end.
struct Ends {
    committed: Vec<Lc>,
    digest: Lc,
}

impl RootCircuit<'_> {
    /// The committed cells, which do not depend on challenges.
    fn committed(&self) -> Vec<Fr> {
        /// The circuit without its digest.
        struct Committed<'a>(RootCircuit<'a>, RefCell<Vec<Fr>>);
        impl Circuit<Fr> for Committed<'_> {
            fn synthesize(&self, builder: &mut Builder<Fr>) {
                let cells = self.0.batch(builder).committed;
                *self.1.borrow_mut() = cells.iter().map(Lc::value).collect();
            }
        }
        let circuit = Committed(*self, RefCell::default());
        let _: Assignment<Fr> = Assignment::of(&circuit);
        circuit.1.into_inner()
    }

    /// Everything but the digest.
    fn batch(&self, builder: &mut Builder<Fr>) -> Ends {
        let Self { shape, public, witness } = self;
        let [domain, rules] = public.constants;
        let domain = builder.public(|| domain);
        let [fee, issuer] = super::rules(builder, rules, witness.fee);
        let roots = public.roots.map(|root| builder.public(|| root));
        let [digest, r, fingerprint] =
            [public.digest, public.challenge, public.fingerprint].map(|x| builder.public(|| x));
        let gamma = hash_gadget(builder, &Lc::constant(Fr::from(GAMMA)), core::slice::from_ref(&r));
        let mut memory = Memory::new(builder, [&r, &gamma], [Lc::one(), Lc::one()], LANES);
        let mut committed = vec![];
        let time_bits = time_bits(shape.slots);
        let rules = slot::Rules { domain: &domain, fee: &fee, issuer: &issuer, time_bits };
        let parts = builder.for_each(&witness.slots, |builder, i, slot| {
            slot::synthesize(builder, rules, &memory, (i as u64, slot))
        });
        for (cells, accesses) in parts {
            committed.extend(cells);
            accesses.iter().for_each(|factors| memory.multiply(builder, factors));
        }
        committed.push(padding(builder, &mut memory, witness.padding_time));
        let mut order = Lc::zero();
        let mut block = block::Fingerprint::new(&r);
        for (i, entry) in witness.entries.iter().enumerate() {
            let touched = entry::synthesize(builder, *shape, &mut memory, (i, entry));
            block.push(builder, &touched);
            order = touched.enforce_order(builder, *shape, &order);
            committed.extend(touched.committed);
        }
        committed.extend(top::synthesize(builder, *shape, &mut memory, (&roots, &witness.subtrees)));
        memory.finish(builder);
        let computed = block.finish(builder, shape.words());
        builder.enforce_equal("root: block", &computed, &fingerprint);
        Ends { committed, digest }
    }
}

impl Circuit<Fr> for RootCircuit<'_> {
    fn synthesize(&self, builder: &mut Builder<Fr>) {
        let Ends { committed, digest } = self.batch(builder);
        let computed = sponge_gadget(builder, DIGEST, &committed);
        builder.enforce_equal("root: digest of the committed cells", &computed, &digest);
    }
}

/// The padding account, which the slots' padding touches. Returns the time of its last access.
fn padding(builder: &mut Builder<Fr>, memory: &mut Memory<Fr>, time: u32) -> Lc {
    let base = Point::generator();
    let time = builder.witness(|| Fr::from(time));
    let mut before = Lc::zero();
    for (lane, value) in [(Lane::KeyX, base.x), (Lane::KeyY, base.y), (Lane::Class, Fr::from(PADDING))] {
        before += &memory.lane(builder, lane as usize, &Lc::constant(value));
    }
    let after = &before + &time;
    memory.include(builder, [&before, &after], &Lc::one());
    time
}
