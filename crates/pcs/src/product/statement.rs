//! The statement of an inner product, and how it is bound.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use crate::codec::Writer;
use alloc::vec::Vec;
use field::Field;
use iop::hash::{Digest, Hash};
use iop::poly::to_bytes;

/// The beginning of the inner opening's context. No description of data does: read as a length, its first eight bytes are beyond any file.
const TAG: &[u8] = b"tenfold product inner opening v1";

/// A claim: the inner product of two committed columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement<B> {
    /// The columns, by their places among the committed polynomials; both may be one.
    pub columns: [u32; 2],
    /// The rows that are summed over, from the first on; the places behind them are zero in every committed polynomial.
    pub rows: u64,
    /// The inner product.
    pub value: B,
    /// Application bytes bound into the proof.
    pub context: Vec<u8>,
}

impl<B: Field> Statement<B> {
    /// Columns, rows and value as files have them.
    pub(super) fn head(&self) -> Vec<u8> {
        let mut w = Writer::new();
        self.columns.iter().for_each(|&column| w.u32(column));
        w.u64(self.rows);
        w.bytes(&to_bytes(&[self.value]));
        w.finish()
    }

    /// The digest that binds all of it, with the commitment's bytes, into a transcript.
    pub fn digest(&self, hash: Hash, commitment: &[u8]) -> Digest {
        hash.digest("tenfold inner product v1", &[commitment, &self.head(), &self.context])
    }

    /// The context of the inner opening: a tag, the application's context, and a digest of this statement with every message of the sumcheck. So the
    /// opening belongs to this run and to no other.
    pub(super) fn inner_context(&self, hash: Hash, statement: &Digest, messages: &[u8]) -> Vec<u8> {
        let mut w = Writer::new();
        w.bytes(TAG);
        w.sized(&self.context);
        w.bytes(&hash.digest("tenfold product run v1", &[statement, messages]));
        w.finish()
    }
}
