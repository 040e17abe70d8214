//! The file of a secret key, which its owner alone reads: that of ring keys, with a number of its own in the suite's place.
//!
//! ```text
//!  "TNFK" | version u16 | 0x80 u8 | secret 32 | BLAKE3 of all this 32
//! ```
//! The bytes alone: who writes them makes the file readable for its owner only and overwrites none, as every front end does with secrets.

use zeroize::Zeroizing;

use super::Secret;
use crate::Invalid;
use crate::codec::{Reader, Writer};

const MAGIC: [u8; 4] = *b"TNFK";
const VERSION: u16 = 1;
const SUITE: u8 = 0x80;
const BYTES: usize = 71;

/// The reason that bytes are no secret key of a ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyFileError {
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
    #[error("the secret key is not one of a ledger: it may be a ring's")]
    Suite,
    /// The scalar.
    #[error("the secret key is damaged: {0}")]
    Secret(Invalid),
    /// The checksum.
    #[error("the secret key is damaged: its checksum does not fit")]
    Checksum,
}

/// The file's bytes.
#[must_use]
pub fn encode_key(secret: &Secret) -> Zeroizing<Vec<u8>> {
    let mut w = Writer::with_capacity(BYTES);
    w.bytes(&MAGIC);
    w.bytes(&VERSION.to_le_bytes());
    w.u8(SUITE);
    w.bytes(&*secret.encode());
    let mut bytes = Zeroizing::new(w.finish());
    let digest = blake3::hash(&bytes);
    bytes.extend_from_slice(digest.as_bytes());
    bytes
}

/// Reads the bytes of a file, exactly.
///
/// # Errors
/// For any other bytes than [`encode_key`] writes.
pub fn decode_key(bytes: &[u8]) -> Result<Secret, KeyFileError> {
    let mut r = Reader::new(bytes);
    if r.array() != Some(MAGIC) {
        return Err(KeyFileError::Magic);
    }
    let version = r.array().map(u16::from_le_bytes).ok_or(KeyFileError::Length)?;
    if version != VERSION {
        return Err(KeyFileError::Version(version));
    }
    if bytes.len() != BYTES {
        return Err(KeyFileError::Length);
    }
    if r.u8() != Some(SUITE) {
        return Err(KeyFileError::Suite);
    }
    // By reference: no copy of the secret stays on the stack.
    let scalar = r.bytes(32).and_then(|bytes| <&[u8; 32]>::try_from(bytes).ok());
    let secret = Secret::decode(scalar.ok_or(KeyFileError::Length)?).map_err(KeyFileError::Secret)?;
    if *encode_key(&secret) == bytes { Ok(secret) } else { Err(KeyFileError::Checksum) }
}
