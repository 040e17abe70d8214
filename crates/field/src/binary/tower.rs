//! The tower GF(2^8) < GF(2^16) < ... < GF(2^128). (notes: additive-tower)
//!
//! ```text
//!   T0 = GF(2)[x] / (x^8 + x^4 + x^3 + x + 1)          a byte; bit i is the coefficient of x^i
//!   T(k+1) = Tk[Y] / (Y^2 + Y + d_k)                   lo + hi Y: lo at the lower address
//!   d_0 = the smallest byte of trace 1,  d_(k+1) = d_k Y
//! ```
//! `Y^2 + Y + d` is irreducible exactly if `d` has absolute trace 1, and `d_(k+1) = d_k Y` has the trace of
//! `d_k`, because `Y` has the relative trace 1. T0 is the field of the AES, whose product x86 has as
//! an instruction; an element of a larger field is a vector of bytes, and so a factor from T1 or T2 acts
//! on each group of two or four bytes alone.
//!
//! Everything here is scalar, by recursion and tables: the meaning of the vector kernels, and fast enough for
//! what is done once. Lookups depend on values: nothing here is meant for secrets.

use super::element::binary_field;

/// The product in T0 by its definition, bit by bit.
const fn mul8_by_bits(a: u8, b: u8) -> u8 {
    let (mut a, mut sum, mut i) = (a, 0, 0);
    while i < 8 {
        sum ^= a * ((b >> i) & 1);
        a = (a << 1) ^ (0x1b * (a >> 7));
        i += 1;
    }
    sum
}

/// The absolute trace of a byte, 0 or 1.
const fn trace8(x: u8) -> u8 {
    let (mut power, mut sum, mut i) = (x, 0, 0);
    while i < 8 {
        sum ^= power;
        power = mul8_by_bits(power, power);
        i += 1;
    }
    sum
}

/// The constant `d_0` of T1: the smallest byte of trace 1. `d_k` is `D0` in the top byte of Tk.
pub const D0: u8 = {
    let mut d = 0;
    while trace8(d) == 0 {
        d += 1;
    }
    d
};

/// The logarithm of zero: so large that a sum with it falls behind the powers, on zeros.
const LOG_ZERO: u16 = 512;

/// `EXP[i] = 3^i` below 510, then zeros; `LOG` is its inverse. 3 generates the multiplicative group.
static TABLES: ([u8; 1025], [u16; 256]) = {
    let (mut exp, mut log) = ([0; 1025], [LOG_ZERO; 256]);
    let (mut power, mut i) = (1, 0);
    while i < 510 {
        exp[i] = power;
        if i < 255 {
            log[power as usize] = i as u16;
        }
        power = mul8_by_bits(power, 3);
        i += 1;
    }
    (exp, log)
};

/// The product in T0.
#[inline]
#[must_use]
pub const fn mul8(a: u8, b: u8) -> u8 {
    TABLES.0[(TABLES.1[a as usize] + TABLES.1[b as usize]) as usize]
}

/// The square in T0.
#[inline]
#[must_use]
pub const fn square8(a: u8) -> u8 {
    mul8(a, a)
}

/// The inverse in T0; 0 for 0.
#[inline]
#[must_use]
pub const fn inverse8(a: u8) -> u8 {
    if a == 0 { 0 } else { TABLES.0[255 - TABLES.1[a as usize] as usize] }
}

static TIMES_D: [u8; 256] = {
    let (mut table, mut a) = ([0; 256], 0);
    while a < 256 {
        table[a] = mul8_by_bits(a as u8, D0);
        a += 1;
    }
    table
};

/// `a` times the constant `d_0`.
#[inline]
pub(super) const fn mul8_d(a: u8) -> u8 {
    TIMES_D[a as usize]
}

/// One level of the tower: the field of pairs `lo + hi Y` over the field below, with
/// `Y^2 = Y + d`. A macro, because the levels are integers of different types.
macro_rules! level {
    ($half:ty, [$mul_h:ident, $square_h:ident, $inverse_h:ident, $d_h:ident],
     $word:ty, [$mul:ident, $square:ident, $inverse:ident, $d:ident]) => {
        #[doc = concat!("The product in the field of a `", stringify!($word), "`.")]
        #[must_use]
        pub const fn $mul(a: $word, b: $word) -> $word {
            let (a0, a1) = (a as $half, (a >> <$half>::BITS) as $half);
            let (b0, b1) = (b as $half, (b >> <$half>::BITS) as $half);
            // a0 b0 + (a0 b1 + a1 b0) Y + a1 b1 (Y + d); the sum of the middle and a1 b1 by Karatsuba.
            let (low, high) = ($mul_h(a0, b0), $mul_h(a1, b1));
            let cross = $mul_h(a0 ^ a1, b0 ^ b1) ^ low;
            (low ^ $d_h(high)) as $word | ((cross as $word) << <$half>::BITS)
        }

        #[doc = concat!("The square in the field of a `", stringify!($word), "`.")]
        #[must_use]
        pub const fn $square(a: $word) -> $word {
            let (low, high) = ($square_h(a as $half), $square_h((a >> <$half>::BITS) as $half));
            (low ^ $d_h(high)) as $word | ((high as $word) << <$half>::BITS)
        }

        #[doc = concat!("The inverse in the field of a `", stringify!($word), "`; 0 for 0.")]
        #[must_use]
        pub const fn $inverse(a: $word) -> $word {
            // The conjugate of lo + hi Y is (lo + hi) + hi Y; their product, the norm, is in the field below.
            let (low, high) = (a as $half, (a >> <$half>::BITS) as $half);
            let norm = $mul_h(low, low ^ high) ^ $d_h($square_h(high));
            let inverse = $inverse_h(norm);
            $mul_h(low ^ high, inverse) as $word | (($mul_h(high, inverse) as $word) << <$half>::BITS)
        }

        /// The product with the constant of the next level, `d Y`.
        #[allow(dead_code, reason = "the last level has no next one")]
        const fn $d(a: $word) -> $word {
            let (low, high) = ($d_h(a as $half), $d_h((a >> <$half>::BITS) as $half));
            $d_h(high) as $word | (((low ^ high) as $word) << <$half>::BITS)
        }
    };
}

level!(u8, [mul8, square8, inverse8, mul8_d], u16, [mul16, square16, inverse16, mul16_d]);
level!(u16, [mul16, square16, inverse16, mul16_d], u32, [mul32, square32, inverse32, mul32_d]);
level!(u32, [mul32, square32, inverse32, mul32_d], u64, [mul64, square64, inverse64, mul64_d]);
level!(u64, [mul64, square64, inverse64, mul64_d], u128, [mul128, square128, inverse128, mul128_d]);

/// An element of T3, GF(2^64): the integer whose little-endian bytes are its coordinates over GF(2^8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Tower64(pub u64);

/// An element of T4, GF(2^128): the integer whose little-endian bytes are its coordinates over GF(2^8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Tower128(pub u128);

binary_field!(Tower64(u64), "tower64", mul64, square64, inverse64);
binary_field!(Tower128(u128), "tower128", mul128, square128, inverse128);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::Samples;

    #[test]
    fn bytes_are_the_field_of_the_aes() {
        // FIPS 197, section 4.2.
        assert_eq!((mul8(0x57, 0x83), mul8(0x57, 0x13)), (0xc1, 0xfe));
        for a in 0..=255 {
            for b in 0..=255 {
                assert_eq!(mul8(a, b), mul8_by_bits(a, b));
            }
            assert_eq!(mul8(a, inverse8(a)), u8::from(a != 0));
        }
    }

    /// The absolute trace of an element of `bits` bits.
    fn trace(bits: u32, x: u128) -> u128 {
        let mut power = x;
        let mut sum = 0;
        for _ in 0..bits {
            sum ^= power;
            power = square128(power);
        }
        sum
    }

    #[test]
    fn constants_have_trace_one_and_generators_their_equations() {
        assert!((0..D0).all(|d| trace8(d) == 0));
        let mut d = u128::from(D0);
        for bits in [8, 16, 32, 64] {
            assert_eq!(trace(bits, d), 1, "the constant over {bits} bits");
            let y = 1u128 << bits;
            assert_eq!(mul128(y, y), y ^ d, "the generator over {bits} bits");
            d = mul128(d, y);
        }
        assert_eq!(trace(128, d), 1);
    }

    #[test]
    fn each_field_is_part_of_the_next() {
        let mut samples = Samples::new(1);
        for _ in 0..1000 {
            let (a, b) = (samples.word(), samples.word());
            let wide = mul128(a.into(), b.into());
            assert_eq!(wide, mul64(a, b).into());
            let (a, b) = (a as u32, b as u32);
            assert_eq!(mul64(a.into(), b.into()), mul32(a, b).into());
            let (a, b) = (a as u16, b as u16);
            assert_eq!(mul32(a.into(), b.into()), mul16(a, b).into());
            let (a, b) = (a as u8, b as u8);
            assert_eq!(mul16(a.into(), b.into()), mul8(a, b).into());
        }
    }
}
