//! The circuit of the token machine's batches: a fixed number of slots, each a transaction of any kind or padding. (notes: ledger-circuit)
//!
//! A proof of it says: "there are signed transactions that turn the cells that the public inputs are about from their values before into those after". The
//! cells themselves are no part of the circuit: whoever verifies computes two products over them ([`Claim::public`]), and the circuit's memory
//! starts and ends with these. So its size depends on the number of slots alone, and a transaction costs what its signature and two accesses cost.
//!
//! ```text
//!  public inputs  domain | issuer + 2^32 fee | α | product after / product before | (digest of the committed cells)
//!  slot i         the signer's account at time 2 i + 1, the other account at time 2 i + 2
//!  lanes          number, balance, nonce, key.x, key.y, class
//!  class          0 of an account, 1 of the padding account, 2 of a number that has no account: balance, nonce and key are 0
//! ```
//! Padding slots move nothing from and to an account that no chain has. Anyone can sign for it.
//!
//! The challenge `α` is a hash of the claim and of what binds the committed cells, which are all that a prover could choose in view of it
//! ([`Binding`]); the memory's second challenge is `γ = α^(2^15)`, which is as good as an independent one because no product has so high a degree in `α`. The rules of the circuit are those of [`Token`](crate::token::Token): every batch that it executes has a proof.

pub(crate) mod challenges;
mod claim;
pub mod groth16;
pub mod root;
mod slot;
#[cfg(test)]
pub(crate) mod tests;
mod trace;
pub mod transparent;

pub use claim::{Claim, Public};
pub use trace::{Found, Selectors, Slot, Trace, Unprovable};

use core::fmt;
use std::collections::BTreeMap;

use curve::bn254::Fr;
use curve::pairing::Bn254;
use snark::gadgets::boolean::enforce_range;
use snark::gadgets::memory::Memory;
use snark::groth16::{Commitment, word};
use snark::poseidon::{sponge, sponge_gadget};
use snark::r1cs::{Builder, Circuit, LinearCombination};

use crate::machine::Signed;
use crate::statement::BatchSize;
use crate::token::{Account, Index, Token, Transaction};

/// The capacity of the sponge over committed cells.
const DIGEST_DOMAIN: u64 = 0x7465_6e66_6f6c_6401;

/// The lanes of an account, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    Number,
    Balance,
    Nonce,
    KeyX,
    KeyY,
    Class,
}

/// The number of lanes.
pub(crate) const LANES: usize = Lane::Class as usize + 1;

/// The class of the padding account.
pub(crate) const PADDING: u64 = 1;

/// The class of a number that has no account.
pub(crate) const ABSENT: u64 = 2;

/// The slots of the largest batch.
pub(crate) const MAX_SLOTS: usize = BatchSize::B1024.slots();

/// `γ` is `α` squared so often.
pub(crate) const GAMMA_SQUARINGS: usize = 15;

// Factors on each side: cells, the padding account, two accesses of each slot; the degree of each in `α` is the number of lanes.
const _: () = assert!(LANES * (4 * MAX_SLOTS + 1) < 1 << GAMMA_SQUARINGS);

/// The binding of the committed cells, which fixes them before the challenge is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// A public digest, by Poseidon in the circuit: for every proof system, at 39 constraints for each cell.
    Sponge,
    /// A commitment of the proof system to the committed cells, which the challenge is a hash of.
    Commitment,
}

impl Binding {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Commitment, Self::Sponge];

    /// The one that batches with so many slots have if nothing else is asked for: a commitment, whose proofs take a sixth less time; but the digest for up to 64
    /// slots, since a commitment costs a contract a pairing more, which so few transactions do not make up for.
    #[must_use]
    pub const fn standard(slots: usize) -> Self {
        if slots <= BatchSize::B64.slots() { Self::Sponge } else { Self::Commitment }
    }
}

/// `commitment` or `digest`: what users call them.
impl fmt::Display for Binding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Commitment => "commitment",
            Self::Sponge => "digest",
        })
    }
}

/// The circuit of a batch.
#[derive(Clone, Copy, Debug)]
pub struct TokenCircuit<'a> {
    /// What binds the committed cells.
    pub binding: Binding,
    /// The public inputs.
    pub public: Public,
    /// The slots.
    pub slots: &'a [Slot],
}

impl<'a> TokenCircuit<'a> {
    /// The circuit of a trace with public inputs that bind its cells by a digest.
    ///
    /// # Errors
    /// If the claim is refused: see [`Claim::public`].
    pub fn with_digest(trace: &'a Trace) -> Result<Self, crate::Invalid> {
        let digest = sponge(DIGEST_DOMAIN, &trace.committed());
        let public = trace.claim().public(&[word(&digest), [0; 32]])?;
        let public = Public { digest: Some(digest), ..public };
        Ok(Self { binding: Binding::Sponge, public, slots: &trace.slots })
    }

    /// The circuit of a trace whose cells a commitment binds.
    ///
    /// # Errors
    /// As [`Self::with_digest`].
    pub fn with_commitment(trace: &'a Trace, commitment: &Commitment<Bn254>) -> Result<Self, crate::Invalid> {
        let public = trace.claim().public(&commitment.words())?;
        Ok(Self { binding: Binding::Commitment, public, slots: &trace.slots })
    }
}

/// A proof system that has what proofs of the token machine's batches of one size take.
pub trait BatchProver {
    /// Proves a batch, in a circuit with so many slots: the proof is one that the verifiers of this system take.
    ///
    /// # Errors
    /// If the batch does not fit, changes nothing, has a transaction that the rules refuse or whose signature is wrong, or the circuit is another one.
    fn prove_batch(
        &self,
        machine: &Token,
        accounts: &BTreeMap<Index, Account>,
        batch: (&[Signed<Transaction>], usize),
    ) -> Result<Vec<u8>, groth16::ProofError>;
}

impl Trace {
    /// The committed cells of a batch, which do not depend on challenges: ten for each slot.
    #[must_use]
    pub fn committed(&self) -> Vec<Fr> {
        let time_bits = time_bits(self.slots.len());
        (0..).zip(&self.slots).flat_map(|slot| slot::committed(slot, self.fee, time_bits)).collect()
    }
}

/// The number of bits of the time between two accesses.
pub(crate) fn time_bits(slots: usize) -> usize {
    (2 * slots - 1).ilog2() as usize + 1
}

impl Circuit<Fr> for TokenCircuit<'_> {
    fn synthesize(&self, builder: &mut Builder<Fr>) {
        assert!(self.slots.len() <= MAX_SLOTS, "at most {MAX_SLOTS} slots");
        let domain = builder.public(|| self.public.domain);
        let [fee, issuer] = rules(builder, self.public.rules(), Fr::from(self.public.fee));
        let alpha = builder.public(|| self.public.challenge);
        let quotient = builder.public(|| self.public.quotient);
        let mut gamma = alpha.clone();
        for _ in 0..GAMMA_SQUARINGS {
            gamma = builder.multiply("memory: second challenge", &gamma, &gamma);
        }
        let mut memory = Memory::new(builder, [&alpha, &gamma], [LinearCombination::one(), quotient], LANES);
        let time_bits = time_bits(self.slots.len());
        let rules = slot::Rules { domain: &domain, fee: &fee, issuer: &issuer, time_bits };
        let parts = builder.for_each(self.slots, |builder, i, slot| {
            slot::synthesize(builder, rules, &memory, (i as u64, slot))
        });
        let mut committed = Vec::with_capacity(10 * self.slots.len());
        builder.repeat(parts.len(), |builder, i| {
            let (cells, accesses) = &parts[i];
            committed.extend_from_slice(cells);
            accesses.iter().for_each(|factors| memory.multiply(builder, factors));
        });
        memory.finish(builder);
        if self.binding == Binding::Sponge {
            let digest = sponge_gadget(builder, DIGEST_DOMAIN, &committed);
            let public = builder.public(|| self.public.digest.unwrap_or_default());
            builder.enforce_equal("digest of the committed cells", &digest, &public);
        }
    }
}

/// Fee and issuer, of one public input: 96 constraints, once in a circuit. A public input costs whoever verifies a multiple of a point, and on a chain more
/// than all these.
fn rules(builder: &mut Builder<Fr>, both: Fr, fee: Fr) -> [LinearCombination<Fr>; 2] {
    let both = builder.public(|| both);
    let fee = builder.witness(|| fee);
    let issuer = &both - &(&fee * Fr::from(1u64 << 32));
    enforce_range(builder, "rules: fee", &fee, 64);
    enforce_range(builder, "rules: issuer", &issuer, 32);
    [fee, issuer]
}
