//! Proof of work on a transcript state. (notes: transcript-grinding)
//!
//! A nonce is good for `bits` if `H(GRIND: state ‖ nonce ‖ 0^24)` begins with that many zero bits (bytes in
//! order, high bit first). The message is one 64-byte block, so trials run in all lanes of the hash.

use super::{Chain, Kind};
use crate::hash::{Digest, Hash, Role};
use core::sync::atomic::{AtomicU64, Ordering};
use rayon::prelude::*;

/// The most work that a prover may be asked for, in bits.
pub const MAX_BITS: u32 = 40;

/// Trials hashed together.
const BATCH: usize = 64;
/// Trials that a thread takes at a time: few, because those behind the first good nonce are in vain.
const SHARE: u64 = 1 << 8;
/// No share starts beyond.
const END: u64 = 1 << 63;

/// Absorbs how much work is asked for; no work, no trace.
pub(super) fn ask(chain: &mut Chain, label: &'static str, bits: u32) {
    if bits > 0 {
        chain.step(Kind::Grind, label, &bits.to_le_bytes());
    }
    chain.note(Kind::Grind, label, usize::try_from(bits).unwrap_or(usize::MAX));
}

/// Whether a nonce is good for `bits <= 40`.
pub(super) fn check(hash: Hash, state: &Digest, nonce: [u8; 8], bits: u32) -> bool {
    good(&hash.one(Role::Grind, &[state, &nonce, &[0; 24]]), bits)
}

/// The smallest good nonce: the threads take shares in order, until one starts behind the best nonce found.
pub(super) fn search(hash: Hash, state: &Digest, bits: u32) -> u64 {
    let (next, best) = (AtomicU64::new(0), AtomicU64::new(u64::MAX));
    let work = || loop {
        let start = next.fetch_add(SHARE, Ordering::Relaxed);
        if start >= best.load(Ordering::Relaxed).min(END) {
            return;
        }
        if let Some(nonce) = search_in(hash, state, bits, start) {
            best.fetch_min(nonce, Ordering::Relaxed);
        }
    };
    match rayon::current_num_threads() {
        1 => work(),
        threads => (0..threads).into_par_iter().for_each(|_| work()),
    }
    let found = best.into_inner();
    assert!(found < u64::MAX, "2^63 trials hold a nonce of at most 40 bits");
    found
}

/// The smallest good nonce of the share from `start`.
fn search_in(hash: Hash, state: &Digest, bits: u32, start: u64) -> Option<u64> {
    let mut blocks = [[0u8; 64]; BATCH];
    let mut digests = [Digest::default(); BATCH];
    for block in &mut blocks {
        block[..32].copy_from_slice(state);
    }
    (start..start + SHARE).step_by(BATCH).find_map(|first| {
        for (block, nonce) in blocks.iter_mut().zip(first..) {
            block[32..40].copy_from_slice(&nonce.to_le_bytes());
        }
        hash.many(Role::Grind, blocks.as_flattened(), &mut digests);
        (first..).zip(&digests).find_map(|(nonce, digest)| good(digest, bits).then_some(nonce))
    })
}

/// Whether a digest begins with `bits <= 64` zero bits.
fn good(digest: &Digest, bits: u32) -> bool {
    digest.first_chunk().is_some_and(|head| u64::from_be_bytes(*head).leading_zeros() >= bits)
}

#[cfg(test)]
mod tests;
