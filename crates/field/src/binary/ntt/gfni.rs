//! Products by `gf2p8mulb`: what the two widths of vectors share.
//!
//! A factor `t` from T1 or T2 acts on two or four bytes by a matrix over GF(2^8). Byte `i` of the product is
//! `sum_j M[i][i^j] x[i^j]`: for each `j`, one product of the bytes permuted by `i -> i^j` with a constant vector.

use core::arch::x86_64::{__m128i, _mm_load_si128, _mm_xor_si128};

use super::factor::columns;
use crate::binary::domain::BASIS;
use crate::binary::tower::mul8_d;

/// The constants for `j = 0, 1` of a factor from T1, both halves alike.
#[inline(always)]
pub(super) fn narrow(t: u32) -> [u32; 2] {
    let [a, b, ..] = t.to_le_bytes();
    let d = mul8_d(b);
    [u32::from_le_bytes([a, a ^ b, a, a ^ b]), u32::from_le_bytes([d, b, d, b])]
}

/// The constants for `j = 0, 1, 2, 3` of a factor from T2.
#[inline(always)]
pub(super) const fn wide(t: u32) -> [u32; 4] {
    let columns = columns(t);
    let mut constants = [0; 4];
    let mut k = 0;
    while k < 16 {
        let (i, j) = (k % 4, k / 4);
        constants[j] |= columns[i ^ j] & (0xff << (8 * i));
        k += 1;
    }
    constants
}

/// The constants of a factor from T2, in the order of [`wide`].
#[derive(Clone, Copy)]
#[repr(align(16))]
struct Constants([u32; 4]);

/// `AT[k][v]` are those of the point of `v << 8k`: they are linear in the factor, and that is linear in the position.
static AT: [[Constants; 256]; 4] = {
    let mut table = [[Constants([0; 4]); 256]; 4];
    let mut i = 0;
    while i < 32 {
        let (k, bit, [a, b, c, d]) = (i / 8, 1 << (i % 8), wide(BASIS[i]));
        let mut v = 0;
        while v < bit {
            let [e, f, g, h] = table[k][v].0;
            table[k][bit + v] = Constants([a ^ e, b ^ f, c ^ g, d ^ h]);
            v += 1;
        }
        i += 1;
    }
    table
};

/// The constants for the point of a position. For one below 2^16 the first two are those of [`narrow`], and the others zero.
///
/// Cost: four loads; from the factor itself, a hundred operations that wait for each other.
#[inline(always)]
pub(super) fn at(position: u32) -> __m128i {
    let [a, b, c, d] = position.to_le_bytes().map(usize::from);
    // SAFETY: every x86-64 has these instructions; an entry is as long as a vector, and aligned like one.
    unsafe {
        let load = |constants: &Constants| _mm_load_si128(constants.0.as_ptr().cast());
        let low = _mm_xor_si128(load(&AT[0][a]), load(&AT[1][b]));
        _mm_xor_si128(low, _mm_xor_si128(load(&AT[2][c]), load(&AT[3][d])))
    }
}

/// [`at`] of a position below 256: in memory, from where words go to all of a vector without an instruction of their own.
#[inline(always)]
pub(super) fn below_256(position: u8) -> &'static [u32; 4] {
    &AT[0][usize::from(position)].0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binary::domain::point;
    use crate::binary::tower::{mul8, mul32};
    use crate::laws::Samples;

    #[test]
    fn constants_give_the_product() {
        let mut samples = Samples::new(1);
        for _ in 0..1000 {
            let (t, x) = (samples.word() as u32, samples.word() as u32);
            let product = |constants: &[u32]| {
                let byte = |x: u32, i: usize| (x >> (8 * i)) as u8;
                let bytes = [0, 1, 2, 3].map(|i| {
                    (0..constants.len()).fold(0, |sum, j| sum ^ mul8(byte(constants[j], i), byte(x, i ^ j)))
                });
                u32::from_le_bytes(bytes)
            };
            assert_eq!(product(&wide(t)), mul32(t, x));
            assert_eq!(product(&narrow(t & 0xffff)), mul32(t & 0xffff, x));
        }
    }

    #[test]
    fn constants_of_positions_are_those_of_their_points() {
        let mut samples = Samples::new(2);
        for round in 0..1000 {
            let position = samples.word() as u32 >> (round % 32);
            // SAFETY: vectors are words.
            let constants: [u32; 4] = unsafe { core::mem::transmute(at(position)) };
            assert_eq!(constants, wide(point(position)));
            if position < 1 << 16 {
                let [a, b] = narrow(point(position));
                assert_eq!(constants, [a, b, 0, 0]);
            }
        }
    }
}
