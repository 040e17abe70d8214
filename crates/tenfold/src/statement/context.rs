//! The context bytes of a proof: what was committed to, and how the proven numbers are to be read.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::ColumnDescription;
use crate::dataset::decimal::MAX_SCALE;
use alloc::vec::Vec;
use pcs::codec::{Reader, Writer};

/// Bound into a proof, so that it has one reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnContext {
    /// What was committed to.
    pub column: ColumnDescription,
    /// Decimals of the weights, where the proof is of a weighted sum.
    pub weights_scale: Option<u32>,
    /// Whether the sum is claimed as a mean too.
    pub mean: bool,
}

impl ColumnContext {
    /// The canonical encoding. Without weights: the column, and a byte 1 for a mean. With weights: the column, their
    /// decimals, and a byte 0 or 1.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::new();
        w.bytes(&self.column.encode());
        if let Some(scale) = self.weights_scale {
            w.u32(scale);
            w.u8(u8::from(self.mean));
        } else if self.mean {
            w.u8(1);
        }
        w.finish()
    }

    /// Reads the context of a proof with or without weights, exactly.
    #[must_use]
    pub fn decode(bytes: &[u8], weighted: bool) -> Option<Self> {
        let mut r = Reader::new(bytes);
        let column = ColumnDescription::read(&mut r)?;
        let (mut weights_scale, mut mean) = (None, false);
        if weighted {
            weights_scale = Some(r.u32()?).filter(|&scale| scale <= MAX_SCALE);
            weights_scale?;
        }
        if weighted || r.remaining() > 0 {
            mean = match r.u8()? {
                0 if weighted => false,
                1 => true,
                _ => return None,
            };
        }
        r.finish()?;
        Some(Self { column, weights_scale, mean })
    }
}
