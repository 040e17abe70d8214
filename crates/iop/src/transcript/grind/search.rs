//! The prover's work: trials on all threads.

use super::{check, good};
use crate::hash::{Hash, Role};
use crate::transcript::numbered;
use core::sync::atomic::{AtomicU64, Ordering};
use field::blake3::Trials;
use field::parallel;

/// Trials hashed together.
const BATCH: usize = 64;
/// Trials that a thread takes at a time: few, because those behind the first good nonce are in vain. A power of two, so that the
/// nonces of a share differ in their lower halves only.
const SHARE: u64 = 1 << 8;
/// No share starts beyond.
const END: u64 = 1 << 63;

/// The smallest good nonce: the threads take shares in order, until one starts behind the best nonce found.
pub(in crate::transcript) fn search(hash: Hash, state: &[u8], bits: u32) -> u64 {
    let (next, best) = (AtomicU64::new(0), AtomicU64::new(u64::MAX));
    let trials = hash.trials(state);
    let work = || loop {
        let start = next.fetch_add(SHARE, Ordering::Relaxed);
        if start >= best.load(Ordering::Relaxed).min(END) {
            return;
        }
        let found = match &trials {
            Some(trials) => search_lanes(hash, trials, (state, bits), start),
            None => search_batches(hash, state, bits, start),
        };
        if let Some(nonce) = found {
            best.fetch_min(nonce, Ordering::Relaxed);
        }
    };
    parallel::tasks(parallel::threads(), &|_| work());
    let found = best.into_inner();
    assert!(found < u64::MAX, "2^63 trials hold a nonce of at most 40 bits");
    found
}

/// The smallest good nonce of the share from `start`, by trials that stop at the first four bytes of the digests.
pub(super) fn search_lanes(
    hash: Hash,
    trials: &Trials,
    (state, bits): (&[u8], u32),
    start: u64,
) -> Option<u64> {
    let mask = !u32::MAX.checked_shr(bits).unwrap_or(0).swap_bytes();
    let (mut next, end) = (start, start + SHARE);
    while next < end {
        let nonce = trials.first(next, end - next, mask)?;
        if check(hash, state, nonce.to_le_bytes(), bits) {
            return Some(nonce);
        }
        next = nonce + 1;
    }
    None
}

/// [`search_lanes`] by whole digests.
pub(super) fn search_batches(hash: Hash, state: &[u8], bits: u32, start: u64) -> Option<u64> {
    (start..start + SHARE).step_by(BATCH).find_map(|first| {
        let digests = numbered(hash, Role::Grind, state, (first, BATCH));
        let digests = digests.chunks_exact(hash.bytes());
        (first..).zip(digests).find_map(|(nonce, digest)| good(digest, bits).then_some(nonce))
    })
}
