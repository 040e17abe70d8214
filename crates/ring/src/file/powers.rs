//! Setups as files about rings name them: by the SHA-256 of the setup's file.

use std::borrow::Cow;

use super::ZCASH_SHA256;
use crate::{Error, Srs, kzg};
use curve::bls12_381::Fr;
use curve::{Invalid, PrimeField};
use sha2::{Digest, Sha256};

/// Powers of a secret, and their name in files.
#[derive(Clone, Debug)]
pub struct Powers {
    /// The powers.
    pub srs: Cow<'static, Srs>,
    /// SHA-256 of the file; of an insecure setup, of its seed behind a label.
    pub sha256: [u8; 32],
}

impl Powers {
    /// The setup that ships, of Zcash's ceremony.
    #[must_use]
    pub fn zcash() -> Self {
        Self { srs: Cow::Borrowed(Srs::zcash()), sha256: ZCASH_SHA256 }
    }

    /// The digest of a setup's file, by which files about rings name it.
    #[must_use]
    pub fn digest(bytes: &[u8]) -> [u8; 32] {
        Sha256::digest(bytes).into()
    }

    /// Reads a setup in arkworks' uncompressed form, every point of which is checked.
    ///
    /// # Errors
    /// As [`Srs::read`].
    pub fn read(bytes: &[u8]) -> Result<Self, Invalid> {
        Ok(Self { srs: Cow::Owned(Srs::read(bytes)?), sha256: Self::digest(bytes) })
    }

    /// Reads what verifying takes of such a file, [`Self::key`], and its digest, which says what the other points are: those are not checked. Rings cannot be made with it.
    ///
    /// # Errors
    /// As [`Srs::read_start`].
    pub fn read_start(bytes: &[u8]) -> Result<Self, Invalid> {
        Ok(Self { srs: Cow::Owned(Srs::read_start(bytes)?), sha256: Self::digest(bytes) })
    }

    /// **Insecure**: `count` powers of a secret that is made of a seed, for tests. Who knows the seed can forge every signature.
    #[must_use]
    pub fn insecure(seed: &str, count: usize) -> Self {
        const LABEL: &str = "tenfold insecure local setup v1";
        let mut wide = [0; 64];
        blake3::Hasher::new_derive_key(LABEL).update(seed.as_bytes()).finalize_xof().fill(&mut wide);
        let srs = Srs::insecure_from_tau(Fr::from_le_bytes_mod_order(&wide), count.max(2));
        let sha256 = Sha256::new().chain_update(LABEL).chain_update(seed).finalize().into();
        Self { srs: Cow::Owned(srs), sha256 }
    }

    /// The key that verifying takes.
    ///
    /// # Errors
    /// If a point is the identity.
    pub fn key(&self) -> Result<kzg::Key, Error> {
        kzg::Key::new(&self.srs).map_err(Error::from)
    }
}
