//! Bit matrices by GFNI on 256 bits, with AVX2: as on 512 bits, with four words to a register, rotated one by one.

use alloc::vec::Vec;
use core::arch::x86_64::*;

/// The images of eight elements, turned: word `i` of register `p` holds byte `4p + i` of all eight.
///
/// # Safety
/// The CPU has the instructions; the matrix is that of [`vectors`] with `H` parts.
#[inline]
#[target_feature(enable = "gfni,avx2")]
unsafe fn image<const H: usize>(matrix: &[[u64; 4]], mut x: [__m256i; H]) -> [__m256i; H] {
    let mut sums = [_mm256_setzero_si256(); H];
    for vectors in matrix.chunks_exact(H * H) {
        for (p, x) in x.iter_mut().enumerate() {
            for (q, sum) in sums.iter_mut().enumerate() {
                // SAFETY: a vector of the matrix has 32 bytes.
                let block = unsafe { _mm256_loadu_si256(vectors[p * H + q].as_ptr().cast()) };
                *sum = _mm256_xor_si256(*sum, _mm256_gf2p8affine_epi64_epi8::<0>(*x, block));
            }
            *x = _mm256_permute4x64_epi64::<0b00_11_10_01>(*x);
        }
    }
    sums
}

/// The matrix as [`image`] reads it: by the rotation, the input part and the output part; `block(i, o)` takes the input
/// byte `i` to the output byte `o`.
pub(super) fn vectors(parts: usize, block: impl Fn(usize, usize) -> u64) -> Vec<[u64; 4]> {
    let mut vectors = Vec::with_capacity(4 * parts * parts);
    for r in 0..4 {
        for (p, q) in (0..parts * parts).map(|pair| (pair / parts, pair % parts)) {
            vectors.push(core::array::from_fn(|k| block(4 * p + (k + r) % 4, 4 * q + k)));
        }
    }
    vectors
}

/// A 4x4 square of bytes in each lane, transposed.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose_bytes(x: __m256i) -> __m256i {
    let turn = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(turn))
}

/// A 4x4 square of 32-bit words in each lane (a row is a register), transposed.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose_words([a, b, c, d]: [__m256i; 4]) -> [__m256i; 4] {
    let (e, f) = (_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
    let (g, h) = (_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d));
    let low = [_mm256_unpacklo_epi64(e, g), _mm256_unpackhi_epi64(e, g)];
    [low[0], low[1], _mm256_unpacklo_epi64(f, h), _mm256_unpackhi_epi64(f, h)]
}

/// The images of `8 * groups` elements of 16 bytes.
///
/// # Safety
/// The CPU has the instructions, so many elements can be read and written, and the matrix has 128 columns.
#[target_feature(enable = "gfni,avx2")]
pub(super) unsafe fn words128(matrix: &[[u64; 4]], from: *const u8, to: *mut u8, groups: usize) {
    let parts = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    let lanes = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
    for g in 0..groups {
        // SAFETY: by the contract; a group has 128 bytes.
        unsafe {
            let (from, to) = (from.add(128 * g), to.add(128 * g));
            // Elements k and k + 4 in the lanes of register k.
            let mut rows = [_mm256_setzero_si256(); 4];
            for (k, row) in rows.iter_mut().enumerate() {
                *row = _mm256_loadu2_m128i(from.add(16 * k + 64).cast(), from.add(16 * k).cast());
            }
            // Word e of register p: bytes 4p.. of element e; then word j: byte 4p + j of four elements.
            let mut x = transpose_words(rows);
            for x in &mut x {
                *x = _mm256_permutevar8x32_epi32(transpose_bytes(*x), parts);
            }
            let mut y = image(matrix, x);
            for y in &mut y {
                *y = transpose_bytes(_mm256_permutevar8x32_epi32(*y, lanes));
            }
            for (k, row) in transpose_words(y).into_iter().enumerate() {
                _mm256_storeu2_m128i(to.add(16 * k + 64).cast(), to.add(16 * k).cast(), row);
            }
        }
    }
}

/// The images of `8 * groups` elements of 8 bytes.
///
/// # Safety
/// The CPU has the instructions, so many elements can be read and written, and the matrix has 64 columns.
#[target_feature(enable = "gfni,avx2")]
pub(super) unsafe fn words64(matrix: &[[u64; 4]], from: *const u8, to: *mut u8, groups: usize) {
    let parts = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    let lanes = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
    for g in 0..groups {
        // SAFETY: by the contract; a group has 64 bytes.
        unsafe {
            let (from, to) = (from.add(64 * g), to.add(64 * g));
            // Elements 0, 1 and 4, 5 in the lanes of the first register, 2, 3 and 6, 7 in the second.
            let first = _mm256_loadu2_m128i(from.add(32).cast(), from.cast());
            let second = _mm256_loadu2_m128i(from.add(48).cast(), from.add(16).cast());
            let mut x = halves(first, second);
            for x in &mut x {
                *x = _mm256_permutevar8x32_epi32(transpose_bytes(*x), parts);
            }
            let mut y = image(matrix, x);
            for y in &mut y {
                *y = transpose_bytes(_mm256_permutevar8x32_epi32(*y, lanes));
            }
            let rows = [_mm256_unpacklo_epi32(y[0], y[1]), _mm256_unpackhi_epi32(y[0], y[1])];
            for (k, row) in rows.into_iter().enumerate() {
                _mm256_storeu2_m128i(to.add(16 * k + 32).cast(), to.add(16 * k).cast(), row);
            }
        }
    }
}

/// The first and the second 32-bit halves of the four elements of 8 bytes in each lane of `a` and `b`.
#[inline]
#[target_feature(enable = "avx2")]
fn halves(a: __m256i, b: __m256i) -> [__m256i; 2] {
    let (a, b) = (_mm256_castsi256_ps(a), _mm256_castsi256_ps(b));
    let even = _mm256_shuffle_ps::<0b10_00_10_00>(a, b);
    [_mm256_castps_si256(even), _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(a, b))]
}
