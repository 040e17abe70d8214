//! The circuit of the token machine's batches: a fixed number of slots, each a transaction of any kind or padding. (notes: ledger-circuit)
//!
//! A proof of it says: "there are signed transactions that turn the cells that the public inputs are about from their values before into those after". The
//! cells themselves are no part of the circuit: whoever verifies computes two products over them ([`Claim::public`]), and the circuit's memory
//! starts and ends with these. So its size depends on the number of slots alone, and a transaction costs what its signature and two accesses cost.
//!
//! ```text
//!  public inputs  domain | issuer + 2^32 fee | α | γ | product before | product after | (digest of the committed cells)
//!  slot i         the signer's account at time 2 i + 1, the other account at time 2 i + 2
//!  lanes          number, balance, nonce, key.x, key.y, class
//!  class          0 of an account, 1 of the padding account, 2 of a number that has no account: balance, nonce and key are 0
//! ```
//! Padding slots move nothing from and to an account that no chain has. Anyone can sign for it.
//!
//! The challenges `α` and `γ` are hashes of the claim and of what binds the committed cells, which are all that a prover could choose in view of them
//! ([`Binding`]). The rules of the circuit are those of [`Token`](crate::token::Token): every batch that it executes has a proof.

pub(crate) mod challenges;
mod claim;
pub mod groth16;
pub mod root;
mod slot;
#[cfg(test)]
pub(crate) mod tests;
mod trace;

pub use claim::{Claim, Public};
pub use trace::{Found, Selectors, Slot, Trace, Unprovable};

use curve::bn254::Fr;
use snark::gadgets::boolean::enforce_range;
use snark::gadgets::memory::Memory;
use snark::poseidon::{sponge, sponge_gadget};
use snark::r1cs::{Builder, Circuit, LinearCombination};

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

/// What fixes the committed cells before the challenges are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// A public digest, by Poseidon in the circuit: for every proof system, at 39 constraints for each cell.
    Sponge,
    /// A commitment of the proof system to the committed cells, which the challenges are hashes of.
    Commitment,
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
        let public = trace.claim().public(&snark::groth16::word(&digest))?;
        let public = Public { digest: Some(digest), ..public };
        Ok(Self { binding: Binding::Sponge, public, slots: &trace.slots })
    }
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
        let domain = builder.public(|| self.public.domain);
        let [fee, issuer] = rules(builder, self.public.rules(), Fr::from(self.public.fee));
        let [alpha, gamma] = self.public.challenges.map(|challenge| builder.public(|| challenge));
        let ends = self.public.ends.map(|product| builder.public(|| product));
        let mut memory = Memory::new(builder, [&alpha, &gamma], ends, LANES);
        let time_bits = time_bits(self.slots.len());
        let rules = slot::Rules { domain: &domain, fee: &fee, issuer: &issuer, time_bits };
        let parts = builder.for_each(self.slots, |builder, i, slot| {
            slot::synthesize(builder, rules, &memory, (i as u64, slot))
        });
        let mut committed = Vec::with_capacity(10 * self.slots.len());
        for (cells, accesses) in parts {
            committed.extend(cells);
            accesses.iter().for_each(|factors| memory.multiply(builder, factors));
        }
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
