//! The circuit of the token machine's batches: a fixed number of slots, each a transfer or padding. (notes: ledger-circuit)
//!
//! A proof of it says: "there are signed transfers that turn the cells that the public inputs are about from their values before into those after". The
//! cells themselves are no part of the circuit: whoever verifies computes two products over them ([`Claim::public`]), and the circuit's memory
//! starts and ends with these. So its size depends on the number of slots alone, and a transfer costs what its signature and two accesses cost.
//!
//! ```text
//!  public inputs  domain | fee | α | γ | product before | product after | (digest of the committed cells)
//!  slot i         the sender's access at time 2 i + 1, the recipient's at time 2 i + 2
//!  lanes          number, balance, nonce, key.x, key.y, padding
//! ```
//! Padding slots move nothing from and to an account that no chain has: its lane `padding` is 1. Anyone can sign for it.
//!
//! The challenges `α` and `γ` are hashes of the claim and of what binds the committed cells, which are all that a prover could choose in view of them
//! ([`Binding`]). Mints, burns and new accounts have no circuit yet: such transactions are executed.

mod claim;
pub mod groth16;
#[cfg(test)]
mod tests;
mod trace;
mod transfer;

pub use claim::{Claim, Public};
pub use trace::{Found, Slot, Trace, Unprovable};

use curve::bn254::Fr;
use snark::gadgets::memory::Memory;
use snark::poseidon::{sponge, sponge_gadget};
use snark::r1cs::{Builder, Circuit};

/// The capacity of the sponge over committed cells.
const DIGEST_DOMAIN: u64 = 0x7465_6e66_6f6c_6401;

/// The lanes of an account.
pub(crate) const LANES: usize = 6;

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
    pub fn with_digest(trace: &'a Trace, fee: u64) -> Result<Self, crate::Invalid> {
        let digest = sponge(DIGEST_DOMAIN, &trace.committed(fee));
        let public = trace.claim(fee).public(&curve::bn254::encode_fr(&digest))?;
        let public = Public { digest: Some(digest), ..public };
        Ok(Self { binding: Binding::Sponge, public, slots: &trace.slots })
    }
}

impl Trace {
    /// The committed cells of a batch, which do not depend on challenges: ten for each slot.
    #[must_use]
    pub fn committed(&self, fee: u64) -> Vec<Fr> {
        let time_bits = time_bits(self.slots.len());
        (0..).zip(&self.slots).flat_map(|slot| transfer::committed(slot, fee, time_bits)).collect()
    }
}

/// The number of bits of the time between two accesses.
pub(crate) fn time_bits(slots: usize) -> usize {
    (2 * slots - 1).ilog2() as usize + 1
}

impl Circuit<Fr> for TokenCircuit<'_> {
    fn synthesize(&self, builder: &mut Builder<Fr>) {
        let domain = builder.public(|| self.public.domain);
        let fee = builder.public(|| Fr::from(self.public.fee));
        let [alpha, gamma] = self.public.challenges.map(|challenge| builder.public(|| challenge));
        let ends = self.public.ends.map(|product| builder.public(|| product));
        let mut memory = Memory::new(builder, [&alpha, &gamma], ends, LANES);
        let time_bits = time_bits(self.slots.len());
        let rules = transfer::Rules { domain: &domain, fee: &fee, time_bits };
        let parts = builder.for_each(self.slots, |builder, i, slot| {
            transfer::synthesize(builder, rules, &memory, (i as u64, slot))
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
