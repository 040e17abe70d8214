//! Hashes of the suites: byte strings in, byte strings and scalars out.
//!
//! ```text
//!   SHA-512    seed = H(all that was absorbed), output = H(seed || 0) || H(seed || 1) || ...    counters of 8 bytes, little-endian
//!   SHAKE128   its output
//! ```
//! (notes: ring-vrf-hash)

#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use sha2::{Digest, Sha512};
use shake::Shake128;
use shake::digest::{ExtendableOutput, Update, XofReader};
use zeroize::Zeroizing;

use curve::embedded::Embedded;

/// What was absorbed up to now.
#[derive(Clone)]
pub(crate) enum Hash {
    Sha512(Sha512),
    Shake128(Shake128),
}

/// What was absorbed may be secret.
impl core::fmt::Debug for Hash {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Hash")
    }
}

impl Hash {
    pub(crate) fn absorb(&mut self, bytes: &[u8]) {
        match self {
            Self::Sha512(hash) => Digest::update(hash, bytes),
            Self::Shake128(hash) => hash.update(bytes),
        }
    }

    /// Absorbs a length in eight bytes, little-endian.
    pub(crate) fn absorb_length(&mut self, length: usize) {
        self.absorb(&u64::try_from(length).unwrap_or(u64::MAX).to_le_bytes());
    }

    /// Fills `bytes` from the start of the output.
    pub(crate) fn squeeze(self, bytes: &mut [u8]) {
        match self {
            Self::Shake128(hash) => hash.finalize_xof().read(bytes),
            Self::Sha512(hash) => {
                let seed = Zeroizing::new(<[u8; 64]>::from(hash.finalize()));
                for (counter, block) in (0_u64..).zip(bytes.chunks_mut(64)) {
                    let hash = Sha512::new().chain_update(*seed).chain_update(counter.to_le_bytes());
                    let full = Zeroizing::new(<[u8; 64]>::from(hash.finalize()));
                    let (part, _) = full.split_at(block.len());
                    block.copy_from_slice(part);
                }
            }
        }
    }

    /// A scalar from `N` bytes of output, little-endian.
    pub(crate) fn scalar<C: Embedded, const N: usize>(self) -> C::ScalarField {
        let mut bytes = Zeroizing::new([0; N]);
        self.squeeze(&mut *bytes);
        C::reduce(&*bytes)
    }
}
