//! The secret of a hiding commitment: the seed of its randomness, and how many of its masks are spent. (notes: zk-seed)
//!
//! ```text
//! seed ─┐
//! data ─┼─► digest ─► ChaCha20 ─► masks of the data rows and all tail rows, row by row
//! parameters ─┘
//! ```
//! Leaves of several parts have a stream for each part ([`parts`]).
//! The same seed, data and parameters give the same commitment, so another process can open it later. The data enter
//! so that a seed given to two columns by mistake gives them unrelated randomness.

mod parts;

pub use parts::PART_KEY_BYTES;

use super::layout::Layout;
use core::fmt;
use field::{Field, parallel};
use rand::rngs::SysRng;
use rand::{SeedableRng, TryRng};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng;
use zeroize::{Zeroizing, optimization_barrier};

/// Elements of the data that are hashed at once.
const CHUNK: usize = 1 << 12;

/// What only the prover of a hiding commitment knows, beyond the data. Overwritten when dropped; not to be copied: whoever
/// opens twice with one mask shows the difference of two combinations of the data.
///
/// ```compile_fail
/// fn twice(secret: pcs::pip::Secret) -> [pcs::pip::Secret; 2] {
///     [secret.clone(), secret]
/// }
/// ```
pub struct Secret {
    /// In a box, so that moving the secret leaves no copies behind.
    seed: Box<Zeroizing<[u8; 32]>>,
    used: u32,
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secret").field("used", &self.used).finish_non_exhaustive()
    }
}

impl Secret {
    /// A new seed from the operating system, no opening used.
    ///
    /// # Panics
    /// If the operating system gives no randomness.
    #[must_use]
    pub fn from_os() -> Self {
        let mut secret = Self::from_seed(&[0; 32], 0);
        SysRng.try_fill_bytes(secret.seed.as_mut_slice()).expect("the operating system's randomness");
        secret
    }

    /// A secret as it was stored. `used` must count *every* opening ever made with this seed and these data, in whatever
    /// process: nothing here can know of the others.
    #[must_use]
    pub fn from_seed(seed: &[u8; 32], used: u32) -> Self {
        let mut boxed = Box::new(Zeroizing::new([0; 32]));
        boxed.copy_from_slice(seed);
        Self { seed: boxed, used }
    }

    /// The seed, to be stored where only the prover can read it.
    #[must_use]
    pub fn seed(&self) -> &[u8; 32] {
        &self.seed
    }

    /// Openings made so far.
    #[must_use]
    pub fn used(&self) -> u32 {
        self.used
    }

    /// Takes a mask that no opening has used, of `hidden_openings` masks.
    pub(crate) fn spend(&mut self, hidden_openings: u32) -> usize {
        assert!(self.used < hidden_openings, "no mask is left for another hiding opening");
        self.used += 1;
        self.used as usize - 1
    }

    /// Fills the masks of the data rows and every column of the tail rows of a message matrix with elements drawn from
    /// the seed. Cost: a hash of the data, and one stream-cipher block for a few elements.
    pub(crate) fn randomise<B: Field>(&self, layout: &Layout, message: &mut [B]) {
        if layout.first.shape.log_parts > 0 {
            let all = parts::Share { layout, log_shares: 0, share: 0 };
            let keys = self.keys(layout, &all.digests(message));
            return all.randomise(&keys, message);
        }
        let (rows, width) = (1 << layout.log_rows, layout.first.shape.width);
        let mut rng = ChaCha20Rng::from_seed(*self.key(layout, &message[..rows * width]));
        let mut bytes = Zeroizing::new(vec![0; B::UNIFORM_BYTES]);
        for (i, row) in message.chunks_exact_mut(width).enumerate() {
            let from = if i < rows { layout.columns() } else { 0 };
            for x in &mut row[from..] {
                rng.fill_bytes(&mut bytes);
                *x = B::from_uniform(&bytes);
            }
        }
        // The generator has no eraser of its own.
        rng = ChaCha20Rng::from_seed([0; 32]);
        optimization_barrier(&rng);
    }

    /// The key of the stream: seed, parameters and data.
    fn key<B: Field>(&self, layout: &Layout, data: &[B]) -> Zeroizing<[u8; 32]> {
        let width = layout.hash.bytes();
        let mut digests = Zeroizing::new(vec![0; data.len().div_ceil(CHUNK) * width]);
        parallel::for_each(data.chunks(CHUNK).zip(digests.chunks_exact_mut(width)), |(chunk, digest)| {
            let mut bytes = Zeroizing::new(vec![0; chunk.len() * B::BYTES]);
            B::write_slice(chunk, &mut bytes);
            digest.copy_from_slice(&layout.hash.digest(&layout.label("hiding data"), &[&bytes]));
        });
        let parts = [&layout.digest, self.seed().as_slice(), digests.as_slice()];
        Zeroizing::new(layout.hash.digest(&layout.label("hiding"), &parts).head())
    }
}

/// Overwrites elements with zeros, in a way that is not optimised away.
pub fn wipe<B: Field>(elements: &mut [B]) {
    elements.fill(B::ZERO);
    optimization_barrier(elements);
}
