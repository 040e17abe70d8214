//! Files byte by byte: commitments to all bytes of a file, and proofs of single bytes, bits or words of it.
//!
//! ```text
//! file ── source ──► entries of the alphabet ── commit / open ──► file of ours ── verify ──► "byte 17 of x is 0x3f"
//!                    (its bytes, padded)
//! ```
//! The bytes are the data as they stand: no column, no field to choose, nothing that is longer than the file.

pub mod commit;
mod committed;
pub mod inspect;
pub mod open;
pub mod params;
pub mod source;
mod unit;
pub mod verify;
pub mod weighted;

pub use committed::Committed;
pub use unit::Unit;

use super::subject;
use pcs::codec::{Reader, Writer};
use pcs::file::{File, SchemeId};
use pcs::ligerito::Params;

/// What was committed to: bound into every proof, so that padding is never taken for data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// Name of the file.
    pub name: String,
    /// Its length in bytes.
    pub length: u64,
    /// BLAKE3 of its bytes.
    pub source: [u8; 32],
}

impl Blob {
    /// The name for a verdict.
    #[must_use]
    pub fn shown(&self) -> String {
        subject::shown(&self.name)
    }

    /// Returns true if there are bytes, and the parameters, which may be any of a file, hold them.
    #[must_use]
    pub fn fits(&self, params: &Params) -> bool {
        (1..=capacity(params)).contains(&self.length)
    }

    /// The canonical encoding, the context of every proof.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::new();
        w.sized(self.name.as_bytes());
        w.u64(self.length);
        w.bytes(&self.source);
        w.finish()
    }

    /// Reads an encoding, exactly.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut r = Reader::new(bytes);
        let name = String::from_utf8(r.sized()?.to_vec()).ok()?;
        let (length, source) = (r.u64()?, r.array()?);
        r.finish()?;
        Some(Self { name, length, source })
    }
}

/// The bytes that are committed to, padding included; the most that there can be where parameters are out of all ranges.
#[must_use]
pub fn capacity(params: &Params) -> u64 {
    let entries = 1u64.checked_shl(params.log_size).unwrap_or(u64::MAX);
    entries.saturating_mul(params.fields.base_bytes() as u64)
}

/// Whether bytes are a file of ours about a file of bytes.
#[must_use]
pub fn is_blob(bytes: &[u8]) -> bool {
    File::decode(bytes).is_ok_and(|file| file.scheme == SchemeId::Ligerito)
}

#[cfg(test)]
mod tests;
