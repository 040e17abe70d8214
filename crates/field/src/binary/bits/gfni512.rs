//! On 512 bits, with AVX-512 and its byte permutations (VBMI): a register holds a plane.

use core::arch::x86_64::*;

use super::blocks::{Plane, Strip, TILES, Tier};

pub(super) static TIER: Tier = Tier { turn, multiply };

/// The transpose of eight by eight bytes in a register.
static SQUARE: [u8; 64] = {
    let (mut out, mut i) = ([0; 64], 0);
    while i < 64 {
        out[i] = (i % 8 * 8 + i / 8) as u8;
        i += 1;
    }
    out
};

/// The transpose of eight by eight words, one register a row.
#[inline]
#[target_feature(enable = "avx512f")]
fn turn_words(x: [__m512i; 8]) -> [__m512i; 8] {
    // The lanes of two rows, paired by their even and by their odd words.
    let (e0, o0) = (_mm512_unpacklo_epi64(x[0], x[1]), _mm512_unpackhi_epi64(x[0], x[1]));
    let (e1, o1) = (_mm512_unpacklo_epi64(x[2], x[3]), _mm512_unpackhi_epi64(x[2], x[3]));
    let (e2, o2) = (_mm512_unpacklo_epi64(x[4], x[5]), _mm512_unpackhi_epi64(x[4], x[5]));
    let (e3, o3) = (_mm512_unpacklo_epi64(x[6], x[7]), _mm512_unpackhi_epi64(x[6], x[7]));
    let [w0, w2, w4, w6] = turn_lanes([e0, e1, e2, e3]);
    let [w1, w3, w5, w7] = turn_lanes([o0, o1, o2, o3]);
    [w0, w1, w2, w3, w4, w5, w6, w7]
}

/// The transpose of four by four lanes, one register a row.
#[inline]
#[target_feature(enable = "avx512f")]
fn turn_lanes([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    let (even_low, odd_low) = (_mm512_shuffle_i64x2::<0x88>(a, b), _mm512_shuffle_i64x2::<0xdd>(a, b));
    let (even_high, odd_high) = (_mm512_shuffle_i64x2::<0x88>(c, d), _mm512_shuffle_i64x2::<0xdd>(c, d));
    [
        _mm512_shuffle_i64x2::<0x88>(even_low, even_high),
        _mm512_shuffle_i64x2::<0x88>(odd_low, odd_high),
        _mm512_shuffle_i64x2::<0xdd>(even_low, even_high),
        _mm512_shuffle_i64x2::<0xdd>(odd_low, odd_high),
    ]
}

/// [`Tier::turn`].
#[target_feature(enable = "gfni,avx512f,avx512vbmi")]
fn turn(strip: &Strip<'_>, order: u64, to: &mut [Plane]) {
    let mask = (u16::MAX >> (16 - strip.words)) as u8;
    // SAFETY: 64 bytes of the constant.
    let square = unsafe { _mm512_loadu_si512(SQUARE.as_ptr().cast()) };
    let order = _mm512_set1_epi64(order as i64);
    for t in 0..strip.tiles {
        let from = strip.tile(t);
        let mut rows = [_mm512_setzero_si512(); 8];
        for (x, row) in rows.iter_mut().enumerate() {
            // The same rows of the next block.
            _mm_prefetch::<_MM_HINT_T1>(from.wrapping_add((x + 8 * TILES) * strip.width).cast());
            // SAFETY: `tile` has eight rows, of which as many words as the mask has bits are read.
            *row = unsafe { _mm512_maskz_loadu_epi64(mask, from.add(x * strip.width).cast()) };
        }
        for (w, word) in turn_words(rows).into_iter().take(strip.words).enumerate() {
            let bytes = _mm512_permutexvar_epi8(square, word);
            let plane = _mm512_gf2p8affine_epi64_epi8::<0>(order, bytes);
            // SAFETY: a plane has 64 bytes.
            unsafe { _mm512_storeu_si512(to[w * TILES + t].as_mut_ptr().cast(), plane) };
        }
    }
}

/// [`Tier::multiply`].
#[target_feature(enable = "gfni,avx512f")]
fn multiply(planes: &[Plane], matrices: &[Plane], sums: &mut [Plane]) {
    match sums.as_chunks_mut::<16>() {
        ([sums], []) => multiply_words::<2>(planes, matrices, sums.as_chunks_mut::<8>().0),
        _ => multiply_words::<1>(planes, matrices, sums.as_chunks_mut::<8>().0),
    }
}

/// The products with `G` words of matrices, whose sums are in registers: eight for each.
#[inline]
#[target_feature(enable = "gfni,avx512f")]
fn multiply_words<const G: usize>(planes: &[Plane], matrices: &[Plane], sums: &mut [[Plane; 8]]) {
    let (count, sums) = (planes.len(), &mut sums[..G]);
    assert!(count % 2 == 0 && matrices.len() >= (G - 1) * TILES + count, "matrices for pairs of tiles");
    let mut now = [[_mm512_setzero_si512(); 8]; G];
    for t in (0..count).step_by(2) {
        let pair = planes[t..t + 2].as_ptr();
        // SAFETY: a plane has 64 bytes.
        let x = unsafe { [_mm512_loadu_si512(pair.cast()), _mm512_loadu_si512(pair.add(1).cast())] };
        for g in 0..G {
            let (m, n) = (&matrices[g * TILES + t], &matrices[g * TILES + t + 1]);
            for j in 0..8 {
                let first = _mm512_gf2p8affine_epi64_epi8::<0>(x[0], _mm512_set1_epi64(m[j] as i64));
                let second = _mm512_gf2p8affine_epi64_epi8::<0>(x[1], _mm512_set1_epi64(n[j] as i64));
                now[g][j] = _mm512_ternarylogic_epi64::<0x96>(now[g][j], first, second);
            }
        }
    }
    for g in 0..G {
        for j in 0..8 {
            let place = sums[g][j].as_mut_ptr();
            // SAFETY: a plane has 64 bytes.
            unsafe {
                let sum = _mm512_xor_si512(_mm512_loadu_si512(place.cast()), now[g][j]);
                _mm512_storeu_si512(place.cast(), sum);
            }
        }
    }
}
