//! Proof of work on a transcript state. (notes: transcript-grinding)
//!
//! A nonce is good for `bits` if `H(GRIND: state ‖ nonce ‖ 0..)` begins with that many zero bits (bytes in
//! order, high bit first). The message is a block as draws have it, so trials run in all lanes of the hash.

#[cfg(feature = "prover")]
mod search;

#[cfg(feature = "prover")]
pub(super) use search::search;

use super::{Chain, Kind, block_bytes};
use crate::hash::{Hash, MAX_BYTES, Role};

/// The most work that a prover may be asked for, in bits.
pub const MAX_BITS: u32 = 40;

/// Absorbs how much work is asked for; no work, no trace.
pub(super) fn ask(chain: &mut Chain, label: &'static str, bits: u32) {
    if bits > 0 {
        chain.step(Kind::Grind, label, &bits.to_le_bytes());
    }
    chain.note(Kind::Grind, label, usize::try_from(bits).unwrap_or(usize::MAX));
}

/// Whether a nonce is good for `bits <= 40`.
pub(super) fn check(hash: Hash, state: &[u8], nonce: [u8; 8], bits: u32) -> bool {
    let zeros = [0; 64];
    let (zeros, _) = zeros.split_at(block_bytes(hash) - hash.bytes() - nonce.len());
    let mut digest = [0; MAX_BYTES];
    let (digest, _) = digest.split_at_mut(hash.bytes());
    hash.write(Role::Grind, &[state, &nonce, zeros], digest);
    good(digest, bits)
}

/// Whether a digest begins with `bits <= 64` zero bits.
fn good(digest: &[u8], bits: u32) -> bool {
    digest.first_chunk().is_some_and(|head| u64::from_be_bytes(*head).leading_zeros() >= bits)
}

#[cfg(test)]
mod tests;
