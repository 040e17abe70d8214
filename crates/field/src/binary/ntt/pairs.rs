//! The layers whose runs are shorter than a vector, by GFNI: parts of one vector have different factors.

use super::gfni::wide;
use super::kernel::{Kernel, two};
use super::narrow::Narrow;
use crate::binary::domain::point;
use core::marker::PhantomData;

/// Constants of factors, by words of four bytes: in a vector of these, each word has its own.
pub(super) type Words = [[u32; 16]; 4];

/// Vectors whose parts may have different factors.
///
/// # Safety
/// That of [`Kernel`].
pub(super) trait Parts: Kernel {
    /// The factors with these constants; words beyond the vector are ignored.
    unsafe fn factors(words: &Words) -> Self::F;
    /// The factor `t` plus that of a position below 256.
    unsafe fn add_factor_at(t: &Self::F, low: u8) -> Self::F;
    /// With `x` and `y` in parts of `run` bytes: `(x0 y0 x2 y2 .., x1 y1 x3 y3 ..)`. Its own inverse.
    unsafe fn interleave(x: Self::V, y: Self::V, run: usize) -> (Self::V, Self::V);
}

/// Pairs of vectors of `K` with rows of `ROW` bytes.
struct Pair<K, const ROW: usize>(PhantomData<K>);

impl<K: Kernel, const ROW: usize> Pair<K, ROW> {
    /// The layers whose runs are shorter than a vector.
    const LAYERS: usize = (K::BYTES / ROW).ilog2() as usize;
    /// For each of them, what the factors of the parts of an interleaved pair add to that of its first row; by the log2 of a run's rows.
    const PARTS: [Words; 3] = {
        let mut parts = [[[0; 16]; 4]; 3];
        let mut s = 0;
        while s < Self::LAYERS {
            let (run, mut word) = (ROW << s, 0);
            while word < K::BYTES / 4 {
                let group = 4 * word / run;
                let position = 2 * (group / 2 + group % 2 * (K::BYTES / run / 2));
                let constants = wide(point(position as u32));
                let mut j = 0;
                while j < 4 {
                    parts[s][j][word] = constants[j];
                    j += 1;
                }
                word += 1;
            }
            s += 1;
        }
        parts
    };
}

/// The narrow layers, transposed or not.
///
/// # Safety
/// That of [`Kernel`]; `at` is good for `bytes` bytes, a multiple of two vectors; rows are of 8, 16 or 32 bytes and
/// shorter than a vector; `row` is a multiple of the rows in two vectors.
#[inline(always)]
pub(super) unsafe fn pairs<K: Parts, const T: bool>(n: &Narrow) {
    // SAFETY: that of this function.
    unsafe {
        match n.row_bytes {
            8 => pairs_of::<K, T, 8>(n),
            16 => pairs_of::<K, T, 16>(n),
            _ => pairs_of::<K, T, 32>(n),
        }
    }
}

/// [`pairs`] of rows of `ROW` bytes.
///
/// # Safety
/// That of [`pairs`].
#[inline(always)]
unsafe fn pairs_of<K: Parts, const T: bool, const ROW: usize>(n: &Narrow) {
    let layers = Pair::<K, ROW>::LAYERS;
    let mut pair = 0;
    // SAFETY: the CPU has `K`'s instructions; `at` is good for `bytes` bytes, of which there are two vectors for every
    // `pair`.
    unsafe {
        while pair < n.bytes / (2 * K::BYTES) {
            // Pairs whose first rows' numbers differ in the last eight bits alone, by layer: what the others give to the factors.
            let first = n.row + (pair << (layers + 1));
            let mut high = [K::factor(0); 3];
            for (s, high) in high.iter_mut().enumerate().take(layers) {
                let parts = K::factors(&const { Pair::<K, ROW>::PARTS }[s]);
                *high = K::add_factors(&parts, &K::factor_at((first >> 8 << 8 >> s) as u32 & !0xff));
            }
            let end = (n.bytes / (2 * K::BYTES)).min(pair + ((256 - first % 256) >> (layers + 1)));
            while pair < end {
                let at = n.at.add(pair * 2 * K::BYTES);
                let row = n.row + (pair << (layers + 1));
                let mut x = [K::load(at), K::load(at.add(K::BYTES))];
                for layer in 0..layers {
                    let s = if T { layer } else { layers - 1 - layer };
                    let f = K::add_factor_at(&high[s], (row >> s) as u8);
                    let (u, v) = K::interleave(x[0], x[1], ROW << s);
                    x = [u, v];
                    two::<K, 2, T>(&mut x, 0, 1, &f);
                    let (u, v) = K::interleave(x[0], x[1], ROW << s);
                    x = [u, v];
                }
                K::store(at, x[0]);
                K::store(at.add(K::BYTES), x[1]);
                pair += 1;
            }
        }
    }
}
