//! Tables from packed bytes, eight points at a time.

use core::arch::x86_64::*;

use super::Point;
use super::lanes::{self, Lanes};
use super::prime::{self, Limbs};
use super::product;

/// Rows of `windows` points, and behind each, if `twice`, the same with `beta x` in the place of `x`. `None` if a coordinate is not below `5/4 p` by its
/// highest limb: sums of larger ones are not what additions take them for. What is written is below `1.2 p`.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) unsafe fn read<C: Limbs<L>, const L: usize>(
    bytes: &[u8],
    windows: usize,
    twice: bool,
) -> Option<Vec<Point>> {
    let size = 8 * prime::words::<C, L>();
    let mut all = Vec::with_capacity(bytes.len() / (2 * size) * (1 + usize::from(twice)));
    let mut images = Vec::with_capacity(windows);
    // SAFETY: this function enables AVX-512 F, DQ and IFMA; `unpack` masks its loads to the words of a piece.
    unsafe {
        let beta: Lanes<L> = lanes::load(&[C::split(&C::BETA); 8]);
        let most = _mm512_set1_epi64((C::PRIME.p[L - 1] * 5 / 4) as i64);
        for row in bytes.chunks_exact(2 * size * windows) {
            images.clear();
            for eight in row.chunks(16 * size) {
                let count = eight.len() / (2 * size);
                let [x, y]: [Lanes<L>; 2] = [unpack(eight, size, 0), unpack(eight, size, size)];
                if _mm512_cmpgt_epu64_mask(x[L - 1], most) | _mm512_cmpgt_epu64_mask(y[L - 1], most) != 0 {
                    return None;
                }
                let ys = lanes::unload(&y);
                for (x, y) in lanes::unload(&x).into_iter().zip(ys).take(count) {
                    all.push(Point { x, y });
                }
                if twice {
                    let other = product::product(&x, &beta, const { &C::PRIME });
                    for (x, y) in lanes::unload(&other).into_iter().zip(ys).take(count) {
                        images.push(Point { x, y });
                    }
                }
            }
            all.extend_from_slice(&images);
        }
    }
    Some(all)
}

/// The limbs of packed words of `size` bytes from `first` on, in pieces of `2 size` bytes: behind the last piece it stands again.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn unpack<const L: usize>(bytes: &[u8], size: usize, first: usize) -> Lanes<L> {
    let last = bytes.len() / (2 * size) - 1;
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); a row reads the `size` bytes of its piece alone, by
    // the mask.
    unsafe {
        let mut rows = [_mm512_setzero_si512(); 8];
        for i in 0..8 {
            let piece = &bytes[2 * size * i.min(last) + first..][..size];
            rows[i] = _mm512_maskz_loadu_epi64(((1_u16 << (size / 8)) - 1) as u8, piece.as_ptr().cast());
        }
        let words: Lanes<8> = lanes::transpose(&rows);
        let mask = _mm512_set1_epi64((1 << 52) - 1);
        let mut limbs = [_mm512_setzero_si512(); L];
        for j in 0..L {
            let (word, shift) = (52 * j / 64, 52 * j % 64);
            let low = _mm512_srlv_epi64(words[word], _mm512_set1_epi64(shift as i64));
            let high = _mm512_sllv_epi64(words[word + 1], _mm512_set1_epi64(64 - shift as i64));
            limbs[j] = _mm512_and_si512(_mm512_or_si512(low, high), mask);
        }
        limbs
    }
}
