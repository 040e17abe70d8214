//! Opened rows on the verifier's side: the bytes of the proof, checked against a root before an element is read.
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::OracleSpec;
use crate::error::Invalid;
use crate::hash::Digest;
use crate::merkle;
use crate::transcript::VerifierTape;
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ops::Range;
use field::{ExtensionOf, Field};

/// Rows of a codeword that a root is known to hold. They are borrowed from the proof: a verifier takes no memory for them but
/// for those that it looks at.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a, B> {
    bytes: &'a [u8],
    width: usize,
    element: PhantomData<fn() -> B>,
}

impl OracleSpec {
    /// Reads the leaves at `positions` (sorted and distinct) and checks them against `root`; returns their rows.
    ///
    /// Cost: one leaf hash per row, or per part of it, and at most `log_domain` node hashes each and one less than there are parts. Memory: the digests of the
    /// leaves, twice those of the parts of 64 leaves, and the bytes of a part, or some leaves of 32 KiB together, that are copied to be hashed.
    ///
    /// # Errors
    /// If the proof is too short, the rows are others, or the root is of another hash.
    pub fn read_rows<'a, B: Field>(
        &self,
        tape: &mut VerifierTape<'a>,
        root: &Digest,
        positions: &[usize],
    ) -> Result<Rows<'a, B>, Invalid> {
        if root.len() != self.hash.bytes() {
            return Err(Invalid("a root of another width than the hash's"));
        }
        if !self.leaf().has_parts() {
            return Err(Invalid("a leaf of more parts than columns"));
        }
        let row = (self.width << self.log_fibre).saturating_mul(B::BYTES);
        let bytes = tape.hint_bytes("rows", positions.len().saturating_mul(row))?;
        let log_leaves = self.log_leaves();
        let siblings = merkle::opening_len(log_leaves, 0, positions).saturating_mul(self.hash.bytes());
        let siblings = tape.hint_bytes("paths", siblings)?;
        let leaves = self.leaf().digests_of_bytes(bytes, B::BYTES, positions.len());
        merkle::verify_opening(self.hash, log_leaves, root, positions, &leaves, siblings)?;
        Ok(Rows { bytes, width: self.width, element: PhantomData })
    }
}

impl<B: Field> Rows<'_, B> {
    /// The number of rows.
    pub fn count(&self) -> usize {
        self.bytes.len().checked_div(self.row()).unwrap_or(0)
    }

    /// Elements of a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The same elements in rows of another width.
    #[must_use]
    pub fn reshaped(self, width: usize) -> Self {
        Self { width, ..self }
    }

    /// Reads all elements.
    ///
    /// # Errors
    /// If one is not canonical.
    pub fn all(&self) -> Result<Vec<B>, Invalid> {
        let mut out = Vec::with_capacity(self.bytes.len() / B::BYTES);
        read(self.bytes, &mut out)?;
        Ok(out)
    }

    /// Reads all elements as coordinates of elements of an extension.
    ///
    /// # Errors
    /// If one is not canonical, or the last has not all its coordinates.
    pub fn extension<E: ExtensionOf<B>>(&self) -> Result<Vec<E>, Invalid> {
        let coordinates = self.all()?;
        if coordinates.len() % E::DEGREE != 0 {
            return Err(Invalid("an element without all its coordinates"));
        }
        let mut elements = vec![E::ZERO; coordinates.len() / E::DEGREE];
        E::unflatten(&coordinates, &mut elements);
        Ok(elements)
    }

    /// Reads some columns of some rows, one row after the other; `out` is overwritten.
    ///
    /// # Errors
    /// If one is not canonical, or there are no such rows and columns.
    pub fn part(&self, rows: Range<usize>, columns: Range<usize>, out: &mut Vec<B>) -> Result<(), Invalid> {
        out.clear();
        let missing = Invalid("no such rows");
        let bytes = self
            .bytes
            .get(rows.start.saturating_mul(self.row())..rows.end.saturating_mul(self.row()))
            .ok_or(missing)?;
        if columns == (0..self.width) {
            return read(bytes, out);
        }
        let of_row = columns.start * B::BYTES..columns.end * B::BYTES;
        let mut rows = bytes.chunks_exact(self.row());
        rows.try_for_each(|row| read(row.get(of_row.clone()).ok_or(missing)?, out))
    }

    /// Bytes of a row.
    fn row(&self) -> usize {
        self.width.saturating_mul(B::BYTES)
    }
}

fn read<B: Field>(bytes: &[u8], out: &mut Vec<B>) -> Result<(), Invalid> {
    for element in bytes.chunks_exact(B::BYTES) {
        out.push(B::from_bytes(element).ok_or(Invalid("field element is not canonical"))?);
    }
    Ok(())
}
