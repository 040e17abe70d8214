//! What was committed to: bound into every proof, so that a value is about rows of this column and no other.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::shown;
use crate::dataset::MAX_WIDTH;
use crate::dataset::decimal::MAX_SCALE;
use crate::error::Error;
use alloc::string::String;
use alloc::vec::Vec;
use pcs::codec::{Reader, Writer};

/// The description of a committed column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnDescription {
    /// Name of the column or file.
    pub name: String,
    /// Rows before padding with zeros.
    pub rows: u64,
    /// Decimal digits after the point; none of a column that was packed from bytes.
    pub scale: u32,
    /// Bytes in the source when it was packed from bytes, and bytes per row.
    pub bytes: Option<(u64, u32)>,
    /// BLAKE3 of the source file; zeros if the commitment hides, since a digest shows whether a guess is right.
    /// (notes: zk-open)
    pub source: [u8; 32],
}

impl ColumnDescription {
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

    /// Returns true if there are rows, `2^log_size` places hold them, for any `log_size` of a file, and packed bytes [fill](Self::is_filled) them.
    #[must_use]
    pub fn fits(&self, log_size: u32) -> bool {
        let held = 1u64.checked_shl(log_size).is_none_or(|places| self.rows <= places);
        self.rows > 0 && held && self.is_filled()
    }

    /// Returns true if the bytes that the column was packed from, if any, take as many rows as there are.
    #[must_use]
    pub fn is_filled(&self) -> bool {
        self.bytes.is_none_or(|(length, width)| width > 0 && length.div_ceil(width.into()) == self.rows)
    }

    /// Refuses digits after the point and packed bytes that no verifier reads: of such a description there is no valid proof.
    ///
    /// # Errors
    /// If there are more digits than [`MAX_SCALE`], or any of packed bytes, the width is not in `1..=`[`MAX_WIDTH`], or the bytes do not [fill](Self::is_filled) the rows.
    pub fn check(&self) -> Result<(), Error> {
        if self.scale > MAX_SCALE {
            return Err(Error::Scale { given: self.scale });
        }
        match self.bytes {
            Some((_, given)) if given == 0 || !is_width(given) => Err(Error::Width { given }),
            Some(_) if self.scale > 0 => Err(Error::PackedDecimals { given: self.scale }),
            Some((length, width)) if !self.is_filled() => {
                Err(Error::Packed { length, width, rows: self.rows })
            }
            _ => Ok(()),
        }
    }

    /// The canonical encoding, the context of every proof.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::new();
        w.sized(self.name.as_bytes());
        w.u64(self.rows);
        w.u32(self.scale);
        let (length, width) = self.bytes.unwrap_or((0, 0));
        w.u64(length);
        w.u32(width);
        w.bytes(&self.source);
        w.finish()
    }

    /// Reads an encoding, exactly.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut r = Reader::new(bytes);
        let subject = Self::read(&mut r)?;
        r.finish()?;
        Some(subject)
    }

    /// Reads an encoding that more may follow.
    pub(super) fn read(r: &mut Reader<'_>) -> Option<Self> {
        let name = String::from_utf8(r.sized()?.to_vec()).ok()?;
        let (rows, scale, length, width) = (r.u64()?, r.u32()?, r.u64()?, r.u32()?);
        let source = r.array()?;
        // A row that is packed from bytes is the integer that they are.
        let pointed = width != 0 && scale != 0;
        if scale > MAX_SCALE || (width == 0 && length != 0) || !is_width(width) || pointed {
            return None;
        }
        let bytes = (width != 0).then_some((length, width));
        Some(Self { name, rows, scale, bytes, source })
    }
}

/// Returns true if numbers are packed from so many bytes each, or from none.
fn is_width(width: u32) -> bool {
    usize::try_from(width).is_ok_and(|width| width <= MAX_WIDTH)
}
