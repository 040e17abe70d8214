//! The secret key file, which its owner alone reads.
//!
//! ```text
//!  "TNFK" | version u16 | suite u8 | secret 32 | BLAKE3 of all this 32
//! ```
//! (notes: ring-files)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic, clippy::as_conversions)]

use super::{Member, POSSESSION_CONTEXT, PublicKey, SuiteId};
use crate::Invalid;
use crate::vrf::{Possession, Secret};
use curve::embedded::encode_point;
use pcs::codec::{Reader, Writer};
use zeroize::Zeroizing;

const VERSION: u16 = 1;

/// The content of a secret key file.
#[derive(Debug)]
pub struct SecretKey {
    /// The suite.
    pub suite: SuiteId,
    /// The key.
    pub secret: Secret,
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
    /// The suite's number.
    #[error("the secret key is of an unknown suite")]
    Suite,
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

    /// The file's bytes.
    #[must_use]
    pub fn encode(&self) -> Zeroizing<Vec<u8>> {
        let mut w = Writer::with_capacity(Self::BYTES);
        w.bytes(&Self::MAGIC);
        w.bytes(&VERSION.to_le_bytes());
        w.u8(self.suite.number());
        w.bytes(&*self.secret.encode());
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
        let suite = r.u8().and_then(SuiteId::from_number).ok_or(SecretKeyError::Suite)?;
        // By reference: no copy of the secret stays on the stack.
        let scalar = r.bytes(32).and_then(|bytes| <&[u8; 32]>::try_from(bytes).ok());
        let scalar = scalar.ok_or(SecretKeyError::Length)?;
        let key = Self { suite, secret: Secret::decode(scalar).map_err(SecretKeyError::Secret)? };
        if *key.encode() == bytes { Ok(key) } else { Err(SecretKeyError::Checksum) }
    }

    /// The public key, with a proof that the secret is known.
    #[must_use]
    pub fn public(&self) -> PublicKey {
        let possession = Possession::prove(self.suite.suite(), &self.secret, POSSESSION_CONTEXT).encode();
        let key = encode_point(self.secret.public());
        PublicKey { suite: self.suite, member: Member { key, possession: Some(possession) } }
    }
}
