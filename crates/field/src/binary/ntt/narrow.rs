//! A call of the layers whose runs are shorter than a vector.

/// Whole pairs of vectors in which rows of `row_bytes` are transformed by the layers of runs below a vector.
pub(super) struct Narrow {
    pub at: *mut u8,
    pub bytes: usize,
    pub row_bytes: usize,
    /// The position of the first row.
    pub row: usize,
}

impl Narrow {
    /// Whether some factor is outside T1.
    #[inline]
    pub(super) fn is_wide(&self) -> bool {
        self.row + self.bytes / self.row_bytes > 1 << 16
    }
}
