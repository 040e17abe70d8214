//! On 256 bits, with AVX2: two registers to a plane.

use core::arch::x86_64::*;

use super::blocks::{Plane, Strip, TILES, Tier};

pub(super) static TIER: Tier = Tier { turn, multiply };

/// The transpose of eight by eight bytes, from eight words `width` bytes apart.
///
/// # Safety
/// The words can be read.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn turn_bytes(from: *const u8, width: usize) -> [__m256i; 2] {
    let mut rows = [_mm_setzero_si128(); 8];
    for (x, row) in rows.iter_mut().enumerate() {
        // SAFETY: the contract.
        *row = unsafe { _mm_loadl_epi64(from.add(x * width).cast()) };
    }
    let [a, b, c, d] = [
        _mm_unpacklo_epi8(rows[0], rows[1]),
        _mm_unpacklo_epi8(rows[2], rows[3]),
        _mm_unpacklo_epi8(rows[4], rows[5]),
        _mm_unpacklo_epi8(rows[6], rows[7]),
    ];
    let (low, high) = (_mm_unpacklo_epi16(a, b), _mm_unpackhi_epi16(a, b));
    let (low_end, high_end) = (_mm_unpacklo_epi16(c, d), _mm_unpackhi_epi16(c, d));
    [
        _mm256_set_m128i(_mm_unpackhi_epi32(low, low_end), _mm_unpacklo_epi32(low, low_end)),
        _mm256_set_m128i(_mm_unpackhi_epi32(high, high_end), _mm_unpacklo_epi32(high, high_end)),
    ]
}

/// [`Tier::turn`].
#[target_feature(enable = "gfni,avx2")]
fn turn(strip: &Strip<'_>, order: u64, to: &mut [Plane]) {
    let order = _mm256_set1_epi64x(order as i64);
    for t in 0..strip.tiles {
        let from = strip.tile(t);
        for w in 0..strip.words {
            // SAFETY: `tile` has eight rows of so many words.
            let halves = unsafe { turn_bytes(from.add(8 * w), strip.width) };
            let place = to[w * TILES + t].as_mut_ptr().cast::<__m256i>();
            for (h, half) in halves.into_iter().enumerate() {
                let half = _mm256_gf2p8affine_epi64_epi8::<0>(order, half);
                // SAFETY: a plane has 64 bytes.
                unsafe { _mm256_storeu_si256(place.add(h), half) };
            }
        }
    }
}

/// [`Tier::multiply`].
#[target_feature(enable = "gfni,avx2")]
fn multiply(planes: &[Plane], matrices: &[Plane], sums: &mut [Plane]) {
    for (g, sums) in sums.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        for half in 0..2 {
            multiply_half(planes, &matrices[g * TILES..], sums, half);
        }
    }
}

/// The products of half of each plane with one word of matrices.
#[inline]
#[target_feature(enable = "gfni,avx2")]
fn multiply_half(planes: &[Plane], matrices: &[Plane], sums: &mut [Plane; 8], half: usize) {
    let at = 4 * half;
    let mut now = [_mm256_setzero_si256(); 8];
    for (plane, matrix) in planes.iter().zip(matrices) {
        // SAFETY: 32 bytes of the plane.
        let x = unsafe { _mm256_loadu_si256(plane[at..at + 4].as_ptr().cast()) };
        for j in 0..8 {
            let product = _mm256_gf2p8affine_epi64_epi8::<0>(x, _mm256_set1_epi64x(matrix[j] as i64));
            now[j] = _mm256_xor_si256(now[j], product);
        }
    }
    for j in 0..8 {
        let place = sums[j][at..at + 4].as_mut_ptr();
        // SAFETY: 32 bytes of the plane.
        unsafe {
            let sum = _mm256_xor_si256(_mm256_loadu_si256(place.cast()), now[j]);
            _mm256_storeu_si256(place.cast(), sum);
        }
    }
}
