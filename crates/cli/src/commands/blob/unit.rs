//! What an entry of a file is: a bit, a byte or a little-endian word, and the field element that stands for it.

use field::{ExtensionOf, Field};
use iop::poly::to_bytes;
use pcs::ligerito::Params;

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

    /// The field that they are the elements of.
    #[must_use]
    pub fn field(self) -> String {
        match 1u32 << self.log_bits {
            1 => "GF(2)".into(),
            n => format!("GF(2^{n})"),
        }
    }

    /// So many of them, in words.
    #[must_use]
    pub fn several(self, count: u64) -> String {
        format!("{} {}{}", crate::units::count(count), self.name(), if count == 1 { "" } else { "s" })
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
            n => (row + 1).saturating_mul(1 << (n - 3)).saturating_sub(length),
        }
    }

    /// The integer that a field element stands for, if it is an entry: its bits are the lowest of the element's bytes.
    pub fn integer<B: Field, E: ExtensionOf<B>>(self, value: E) -> Option<u128> {
        let bytes = to_bytes::<B>(&E::flatten(&[value]));
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

/// The element whose canonical bytes are those of an integer, lowest first.
pub fn element<E: Field>(integer: u64) -> E {
    let mut bytes = vec![0; E::BYTES.max(8)];
    bytes[..8].copy_from_slice(&integer.to_le_bytes());
    E::from_bytes(&bytes[..E::BYTES]).expect("every byte string is an element of a binary field")
}

/// An element as the integer of its canonical bytes, the inverse of [`element`] where that is defined.
pub fn hex<E: Field>(element: E) -> String {
    let bytes: Vec<u8> = to_bytes(&[element]).into_iter().rev().collect();
    let digits = crate::units::hex(&bytes);
    match digits.trim_start_matches('0') {
        "" => "0x0".into(),
        digits => format!("0x{digits}"),
    }
}
