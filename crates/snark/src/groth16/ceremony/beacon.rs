//! The last contribution of a phase from public randomness, so that whoever contributed last did not choose the key.
//!
//! ```text
//!   seed    BLAKE3 (own context) of a value that is published after the last contribution, then hashed again: as often as takes longer than the value
//!           can be influenced for
//!   stream  BLAKE3 (own context, extended output) of: seed | place of the contribution
//! ```
//! Its secrets are public: it adds no secret, and everybody can make it again ([`super::Powers::ends_with`]). Sources: Bowe, Gabizon, Miers (2017), section 2.3;
//! Kohlweiss, Maller, Siim, Volkhov (2021) prove phase 2 without it.

use core::convert::Infallible;

use rand_core::{TryCryptoRng, TryRng};

/// A public value, and how long it was hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beacon([u8; 32]);

impl Beacon {
    /// A value, such as the header of a block of some chain whose height was named before the last contribution, not yet delayed.
    #[must_use]
    pub fn new(value: &[u8]) -> Self {
        Self(blake3::derive_key("tenfold 2026 groth16 ceremony beacon", value))
    }

    /// Hashes it so many times more, one after the other.
    #[must_use]
    pub fn delay(self, iterations: u64) -> Self {
        let Self(mut seed) = self;
        for _ in 0..iterations {
            seed = *blake3::hash(&seed).as_bytes();
        }
        Self(seed)
    }

    /// The secrets and nonces of the contribution at a place.
    pub(super) fn stream(&self, place: &[u8; 32]) -> Stream {
        let mut hasher = blake3::Hasher::new_derive_key("tenfold 2026 groth16 ceremony beacon stream");
        Stream(hasher.update(&self.0).update(place).finalize_xof())
    }
}

/// A generator whose output everybody can compute.
pub(super) struct Stream(blake3::OutputReader);

impl TryRng for Stream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.0.fill(&mut bytes);
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.0.fill(&mut bytes);
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.fill(bytes);
        Ok(())
    }
}

impl TryCryptoRng for Stream {}
