//! Files byte by byte: what was committed to, and what an entry is: a bit, a byte or a little-endian word, and the field element that
//! stands for it.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::shown;
use crate::any::AnyScheme;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use pcs::codec::{Reader, Writer};
use pcs::ligerito::{Entries, Params};

/// The description of the bytes that were committed to: bound into every proof. The length is the committer's word: it says where padding begins, and no proof shows that the padding is zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BytesDescription {
    /// Name of the file.
    pub name: String,
    /// Its length in bytes.
    pub length: u64,
    /// BLAKE3 of its bytes; zeros if the commitment hides. (notes: zk-open)
    pub source: [u8; 32],
}

impl BytesDescription {
    /// The description for a commitment that hides or does not.
    #[must_use]
    pub fn hiding(self, hides: bool) -> Self {
        if hides { Self { source: [0; 32], ..self } } else { self }
    }

    /// The name for a verdict.
    #[must_use]
    pub fn shown(&self) -> String {
        shown(&self.name)
    }

    /// Returns true if there are bytes, and the parameters, which may be any of a file, hold them.
    #[must_use]
    pub fn fits(&self, params: &Params) -> bool {
        params.entries != Entries::Extension && (1..=Self::capacity(params)).contains(&self.length)
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

    /// The bytes that are committed to, padding included; the most that there can be where parameters are out of all ranges.
    #[must_use]
    pub fn capacity(params: &Params) -> u64 {
        let entries = 1u64.checked_shl(params.log_size).unwrap_or(u64::MAX);
        entries.saturating_mul(u64::try_from(params.fields.base_bytes()).unwrap_or(u64::MAX))
    }
}

/// The size of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// log2 of its bits, 7 at most.
    log_bits: u32,
}

impl Unit {
    /// The entries of parameters; entries that are not packed are elements of the alphabet.
    #[must_use]
    pub fn of(params: &Params) -> Self {
        let whole = 3 + params.fields.base_bytes().trailing_zeros();
        Self { log_bits: params.entries.log_bits().unwrap_or(whole) }
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> String {
        match self.log_bits {
            0 => "bit".into(),
            3 => "byte".into(),
            n => format!("{}-bit word", 1u32 << n),
        }
    }

    /// So many entries, in words.
    #[must_use]
    pub fn several(self, count: u64) -> String {
        crate::text::several(count, &self.name())
    }

    /// The field that they are the elements of.
    #[must_use]
    pub fn field(self) -> String {
        match 1u32 << self.log_bits {
            1 => "GF(2)".into(),
            n => format!("GF(2^{n})"),
        }
    }

    /// The entries of a file of so many bytes. The last one may reach beyond its end.
    #[must_use]
    pub fn count(self, length: u64) -> u64 {
        match self.log_bits {
            n @ 0..=3 => length.saturating_mul(1 << (3 - n)),
            n => length.div_ceil(1 << (n - 3)),
        }
    }

    /// The bytes of an entry that lie beyond the end of a file of so many bytes, where the entry begins before it.
    #[must_use]
    pub fn beyond(self, row: u64, length: u64) -> u64 {
        match self.log_bits {
            0..=3 => 0,
            n => row.saturating_add(1).saturating_mul(1 << (n - 3)).saturating_sub(length),
        }
    }

    /// The integer that an element of the challenge field stands for, if it is an entry: its bits are the lowest of its coordinates' bytes.
    #[must_use]
    pub fn integer(self, scheme: &AnyScheme, value: &[u8]) -> Option<u128> {
        self.integer_of_base(&scheme.coordinates(value)?)
    }

    /// The integer that an element of the data's field stands for, if it is an entry.
    #[must_use]
    pub fn integer_of_base(self, bytes: &[u8]) -> Option<u128> {
        let mut bytes = bytes.to_vec();
        bytes.resize(bytes.len().max(16), 0);
        let (low, rest) = bytes.split_first_chunk()?;
        let integer = u128::from_le_bytes(*low);
        let small = self.log_bits >= 7 || integer >> (1u32 << self.log_bits) == 0;
        (small && rest.iter().all(|&b| b == 0)).then_some(integer)
    }

    /// An entry as people read it: `1`, or `0x3f (63)`.
    #[must_use]
    pub fn text(self, integer: u128) -> String {
        match self.log_bits {
            0 => integer.to_string(),
            n => format!("0x{integer:0width$x} ({integer})", width = 1 << (n - 2)),
        }
    }
}
