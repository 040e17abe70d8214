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
pub mod weighted;

pub use committed::Committed;

use pcs::file::{File, SchemeId};
pub use tenfold::statement::{BytesDescription, Unit};

/// So many entries, in words.
#[must_use]
pub fn several(unit: Unit, count: u64) -> String {
    format!("{} {}{}", crate::units::count(count), unit.name(), if count == 1 { "" } else { "s" })
}

/// An element of a binary field as the integer of its canonical bytes.
#[must_use]
pub fn hex(element: &[u8]) -> String {
    let bytes: Vec<u8> = element.iter().rev().copied().collect();
    let digits = crate::units::hex(&bytes);
    match digits.trim_start_matches('0') {
        "" => "0x0".into(),
        digits => format!("0x{digits}"),
    }
}

/// Whether bytes are a file of ours about a file of bytes.
#[must_use]
pub fn is_blob(bytes: &[u8]) -> bool {
    File::decode(bytes).is_ok_and(|file| file.scheme == SchemeId::Ligerito)
}

#[cfg(test)]
mod tests;
