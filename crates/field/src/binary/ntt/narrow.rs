//! The layers whose runs are shorter than a vector: parts of one vector have different factors.

use super::kernel::{Kernel, two};
use crate::binary::domain::point;

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

/// Vectors whose parts may have different factors.
///
/// # Safety
/// That of [`Kernel`].
pub(super) trait Parts: Kernel {
    /// The factors of the words of four bytes; entries beyond the vector are ignored.
    unsafe fn factors(t: &[u32; 16]) -> Self::F;
    /// With `x` and `y` in parts of `run` bytes: `(x0 y0 x2 y2 .., x1 y1 x3 y3 ..)`. Its own inverse.
    unsafe fn interleave(x: Self::V, y: Self::V, run: usize) -> (Self::V, Self::V);
}

/// The narrow layers, transposed or not.
///
/// # Safety
/// That of [`Kernel`]; `at` is good for `bytes` bytes, a multiple of two vectors; rows are of 8, 16 or 32 bytes and
/// shorter than a vector; `row` is a multiple of the rows in two vectors.
#[inline(always)]
pub(super) unsafe fn pairs<K: Parts, const T: bool>(n: &Narrow) {
    let layers = (K::BYTES / n.row_bytes).ilog2() as usize;
    // SAFETY: the CPU has `K`'s instructions; `at` is good for `bytes` bytes, of which there are two vectors for every
    // `pair`.
    unsafe {
        let mut parts = [K::factor(0); 3];
        for (s, part) in parts.iter_mut().enumerate().take(layers) {
            let (run, mut t) = (n.row_bytes << s, [0; 16]);
            for (word, t) in t.iter_mut().enumerate().take(K::BYTES / 4) {
                let group = 4 * word / run;
                *t = point(2 * (group / 2 + group % 2 * (K::BYTES / run / 2)) as u32);
            }
            *part = K::factors(&t);
        }
        for pair in 0..n.bytes / (2 * K::BYTES) {
            let at = n.at.add(pair * 2 * K::BYTES);
            let row = n.row + (pair << (layers + 1));
            let mut x = [K::load(at), K::load(at.add(K::BYTES))];
            for layer in 0..layers {
                let s = if T { layer } else { layers - 1 - layer };
                let f = K::add_factors(&parts[s], &K::factor_at((row >> s) as u32));
                let (u, v) = K::interleave(x[0], x[1], n.row_bytes << s);
                x = [u, v];
                two::<K, 2, T>(&mut x, 0, 1, &f);
                let (u, v) = K::interleave(x[0], x[1], n.row_bytes << s);
                x = [u, v];
            }
            K::store(at, x[0]);
            K::store(at.add(K::BYTES), x[1]);
        }
    }
}
