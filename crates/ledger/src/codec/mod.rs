//! Strict encodings: one for each value, read exactly, bounded before anything is allocated.
//!
//! Integers are little-endian, or LEB128 without a superfluous byte where most are small ([`write_varint`]).

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

pub mod effect;

pub use iop::codec::{Reader, Writer};

/// The reason that bytes are no encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub &'static str);

/// The bytes have run out.
pub const SHORT: Malformed = Malformed("the bytes end too early");

/// A value with one encoding.
///
/// Law: `read` of what `write` wrote is the value, with nothing left; bytes that `read` accepts are what `write` writes.
pub trait Canonical: Sized {
    /// Appends the encoding.
    fn write(&self, w: &mut Writer);

    /// Reads one value.
    ///
    /// # Errors
    /// If the bytes do not begin with the encoding of a value.
    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed>;

    /// The encoding.
    fn to_bytes(&self) -> Vec<u8> {
        let mut w = Writer::new();
        self.write(&mut w);
        w.finish()
    }

    /// The value of an encoding.
    ///
    /// # Errors
    /// If the bytes are not exactly the encoding of a value.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut r = Reader::new(bytes);
        let value = Self::read(&mut r)?;
        r.finish().ok_or(Malformed("bytes follow the value"))?;
        Ok(value)
    }
}

/// Appends a number as LEB128: seven bits a byte, the lowest first, at most ten bytes.
pub fn write_varint(w: &mut Writer, mut x: u64) {
    while x >= 0x80 {
        w.u8((x & 0x7f) as u8 | 0x80);
        x >>= 7;
    }
    w.u8(x as u8);
}

/// Reads a number as LEB128.
///
/// # Errors
/// If the bytes end, the number has more than 64 bits, or its last byte is superfluous.
pub fn read_varint(r: &mut Reader<'_>) -> Result<u64, Malformed> {
    let mut x = 0;
    for shift in (0..64).step_by(7) {
        let byte = r.u8().ok_or(SHORT)?;
        let bits = u64::from(byte & 0x7f);
        if shift == 63 && bits > 1 {
            return Err(Malformed("a number of more than 64 bits"));
        }
        x |= bits << shift;
        if byte & 0x80 == 0 {
            return if byte == 0 && shift > 0 {
                Err(Malformed("a superfluous byte of a number"))
            } else {
                Ok(x)
            };
        }
    }
    Err(Malformed("a number of more than 64 bits"))
}

impl Canonical for u32 {
    fn write(&self, w: &mut Writer) {
        w.u32(*self);
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        r.u32().ok_or(SHORT)
    }
}
