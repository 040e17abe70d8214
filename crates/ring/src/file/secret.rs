//! The secret key file, which its owner alone reads.
//!
//! ```text
//!  "TNFK" | version u16 | suite u8 | secret 32 | BLAKE3 of all this 32
//! ```
//! (notes: ring-files)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic, clippy::as_conversions)]

use core::fmt;

use super::suite::{map_curve, on_curve};
use super::{Member, OnCurve, POSSESSION_CONTEXT, PublicKey, SuiteId};
use crate::vrf::{Possession, Secret, Suite};
use crate::{Error, Invalid};
use curve::bandersnatch::Bandersnatch;
use curve::embedded::Embedded;
use curve::jubjub::Jubjub;
use pcs::codec::{Reader, Writer};
use zeroize::Zeroizing;

const VERSION: u16 = 1;

/// The content of a secret key file.
pub struct SecretKey {
    suite: SuiteId,
    pub(super) secret: OnCurve<SuiteSecret, SuiteSecret<Jubjub>>,
}

/// A secret, with its suite.
pub(super) struct SuiteSecret<C: Embedded = Bandersnatch> {
    suite: &'static Suite<C>,
    pub(super) secret: Secret<C>,
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretKey")
            .field("suite", &self.suite)
            .field("public", &self.key())
            .finish_non_exhaustive()
    }
}

/// The reason that bytes are no secret key file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SecretKeyError {
    /// The first four bytes.
    #[error("this is no secret key: it does not start with \"TNFK\"")]
    Magic,
    /// The version.
    #[error("secret key version {0}, this build reads version {VERSION}")]
    Version(u16),
    /// The number of bytes.
    #[error("the secret key is cut short, or bytes follow it")]
    Length,
    /// A suite that this build does not know, by its number.
    #[error("the secret key is of an unknown suite, number {0}")]
    Suite(u8),
    /// The scalar.
    #[error("the secret key is damaged: {0}")]
    Secret(Invalid),
    /// The checksum.
    #[error("the secret key is damaged: its checksum does not fit")]
    Checksum,
}

impl SecretKey {
    /// The first bytes of a file.
    pub const MAGIC: [u8; 4] = *b"TNFK";
    /// Bytes of a file.
    pub const BYTES: usize = 71;

    /// A new key from the system's random bytes.
    ///
    /// # Errors
    /// If the system gives none.
    pub fn generate(suite: SuiteId) -> Result<Self, Error> {
        let secret =
            map_curve!(suite.suite(), suite => SuiteSecret { suite, secret: Secret::generate(suite)? });
        Ok(Self { suite, secret })
    }

    /// The key of a seed, as [`Secret::from_seed`]. The seed is as secret as the key.
    #[must_use]
    pub fn from_seed(suite: SuiteId, seed: &[u8; 32]) -> Self {
        let secret =
            map_curve!(suite.suite(), suite => SuiteSecret { suite, secret: Secret::from_seed(suite, seed) });
        Self { suite, secret }
    }

    /// The file's bytes.
    #[must_use]
    pub fn encode(&self) -> Zeroizing<Vec<u8>> {
        let mut w = Writer::with_capacity(Self::BYTES);
        w.bytes(&Self::MAGIC);
        w.bytes(&VERSION.to_le_bytes());
        w.u8(self.suite.number());
        w.bytes(&*on_curve!(&self.secret, key => key.secret.encode()));
        let mut bytes = Zeroizing::new(w.finish());
        let digest = blake3::hash(&bytes);
        bytes.extend_from_slice(digest.as_bytes());
        bytes
    }

    /// Reads the bytes of a file, exactly.
    ///
    /// # Errors
    /// For any other bytes than [`Self::encode`] writes.
    pub fn decode(bytes: &[u8]) -> Result<Self, SecretKeyError> {
        let mut r = Reader::new(bytes);
        if r.array() != Some(Self::MAGIC) {
            return Err(SecretKeyError::Magic);
        }
        let version = r.array().map(u16::from_le_bytes).ok_or(SecretKeyError::Length)?;
        if version != VERSION {
            return Err(SecretKeyError::Version(version));
        }
        if bytes.len() != Self::BYTES {
            return Err(SecretKeyError::Length);
        }
        let number = r.u8().ok_or(SecretKeyError::Length)?;
        let suite = SuiteId::from_number(number).ok_or(SecretKeyError::Suite(number))?;
        // By reference: no copy of the secret stays on the stack.
        let scalar = r.bytes(32).and_then(|bytes| <&[u8; 32]>::try_from(bytes).ok());
        let scalar = scalar.ok_or(SecretKeyError::Length)?;
        let refused = SecretKeyError::Secret;
        let secret = map_curve!(suite.suite(), suite => SuiteSecret::decode(suite, scalar).map_err(refused)?);
        let key = Self { suite, secret };
        if *key.encode() == bytes { Ok(key) } else { Err(SecretKeyError::Checksum) }
    }

    /// The suite.
    #[must_use]
    pub fn suite(&self) -> SuiteId {
        self.suite
    }

    /// The public key as the suite writes it.
    #[must_use]
    pub fn key(&self) -> Vec<u8> {
        on_curve!(&self.secret, key => key.suite.encode_point(key.secret.public()))
    }

    /// The public key, with a proof that the secret is known.
    ///
    /// # Errors
    /// As [`Possession::prove`].
    pub fn public(&self) -> Result<PublicKey, Error> {
        let possession = Some(on_curve!(&self.secret, key => key.possession()?));
        Ok(PublicKey { suite: self.suite, member: Member { key: self.key(), possession } })
    }
}

impl<C: Embedded> SuiteSecret<C> {
    fn decode(suite: &'static Suite<C>, bytes: &[u8; 32]) -> Result<Self, Invalid> {
        Ok(Self { suite, secret: Secret::decode(bytes)? })
    }

    fn possession(&self) -> Result<[u8; Possession::BYTES], Error> {
        Ok(Possession::prove(self.suite, &self.secret, POSSESSION_CONTEXT)?.encode())
    }
}
