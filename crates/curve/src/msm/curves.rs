//! What sums take of BLS12-381's first group, of BN254's, and of Bandersnatch in Weierstrass form.

use ark_ec::bls12::Bls12Config;
use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ff::{AdditiveGroup, BigInt, PrimeField};

use super::{Curve, Lanes, Single, chord};
use crate::bandersnatch::ArkworksConfig as Bandersnatch;

impl Curve for ark_bls12_381::g1::Config {}
impl Curve for ark_bn254::g1::Config {}
impl Curve for Bandersnatch {}

impl Lanes for ark_bls12_381::g1::Config {
    #[cfg(target_arch = "x86_64")]
    type Vector = crate::ifma::Ifma<Self, 8>;
    #[cfg(not(target_arch = "x86_64"))]
    type Vector = Single<Self>;
    #[cfg(target_arch = "x86_64")]
    type Middle = crate::avx2::Avx2;
    #[cfg(not(target_arch = "x86_64"))]
    type Middle = Single<Self>;

    fn invert(x: &Self::BaseField) -> Self::BaseField {
        crate::ffi::invert(x)
    }

    #[inline(always)]
    fn product(out: &mut Self::BaseField, a: &Self::BaseField, b: &Self::BaseField) {
        crate::ffi::product(out, a, b);
    }

    #[inline(always)]
    fn square(out: &mut Self::BaseField, a: &Self::BaseField) {
        crate::ffi::square(out, a);
    }

    /// arkworks compares first, and on which way that goes a branch depends.
    #[inline(always)]
    fn run(x1: &Self::BaseField, x2: &Self::BaseField) -> Self::BaseField {
        Self::BaseField::new_unchecked(BigInt(chord::run(&x2.0.0, &x1.0.0)))
    }

    #[inline(always)]
    fn rise(y1: &Self::BaseField, y2: &Self::BaseField, opposite: bool) -> Self::BaseField {
        Self::BaseField::new_unchecked(BigInt(chord::rise(&y2.0.0, &y1.0.0, opposite)))
    }

    #[inline(always)]
    fn third_x(square: &mut Self::BaseField, x1: &Self::BaseField, x2: &Self::BaseField) {
        if !chord::take_both(&mut square.0.0, &x1.0.0, &x2.0.0) {
            rarely(|| *square = *square - x1 - x2);
        }
    }

    #[inline(always)]
    fn third_y(product: &mut Self::BaseField, y1: &Self::BaseField, negative: bool) {
        if !chord::take(&mut product.0.0, &y1.0.0, negative) {
            rarely(|| *product = if negative { *y1 - *product } else { *product - y1 });
        }
    }

    #[inline(always)]
    fn word(x: &Self::BaseField) -> u64 {
        x.0.0[0]
    }

    fn double(p: &mut Projective<Self>, times: usize) {
        crate::ffi::g1_double(p, times);
    }

    fn times(p: &Affine<Self>, k: &Self::ScalarField) -> Projective<Self> {
        crate::ffi::g1_times(&(*p).into(), k)
    }

    /// With the curve's parameter `z` the order is `z^4 - z^2 + 1`, and `z^2` is a primitive sixth root of unity.
    fn halves(k: &Self::ScalarField) -> Option<[u128; 2]> {
        const Z2: u128 = (ark_bls12_381::Config::X[0] as u128).pow(2);
        // 2^255 / z^2, rounded down.
        const RECIPROCAL: u128 = {
            let (mut rest, mut quotient, mut i) = (1_u128, 0_u128, 0);
            while i < 255 {
                let over = rest >> 127 == 1;
                (rest, quotient, i) = (rest << 1, quotient << 1, i + 1);
                if over || rest >= Z2 {
                    (rest, quotient) = (rest.wrapping_sub(Z2), quotient | 1);
                }
            }
            quotient
        };
        let [a, b, c, d] = k.into_bigint().0.map(u128::from);
        let (low, high) = (b << 64 | a, d << 64 | c);
        // The quotient of the 128 bits above the lowest 127 of 255: too small, by a few.
        let mut quotient = high_half(high << 1 | low >> 127, RECIPROCAL);
        let mut rest = low.wrapping_sub(quotient.wrapping_mul(Z2));
        let mut above =
            high.wrapping_sub(high_half(quotient, Z2)) - u128::from(low < quotient.wrapping_mul(Z2));
        while above > 0 || rest >= Z2 {
            above -= u128::from(rest < Z2);
            rest = rest.wrapping_sub(Z2);
            quotient += 1;
        }
        Some([rest, quotient])
    }

    /// With it [`Lanes::psi`] is the multiple by `z^2`.
    const BETA: Self::BaseField = ark_bls12_381::g1::BETA;

    const NAME: [u8; 8] = *b"bls12381";
}

/// Implements [`Lanes`] for a curve over a prime of five limbs, without an endomorphism: the name in files.
macro_rules! five_limbs {
    ($config:ty, $name:literal) => {
        impl Lanes for $config {
            #[cfg(target_arch = "x86_64")]
            type Vector = crate::ifma::Ifma<Self, 5>;
            #[cfg(not(target_arch = "x86_64"))]
            type Vector = Single<Self>;
            type Middle = Single<Self>;

            const NAME: [u8; 8] = *$name;
            const BETA: Self::BaseField = <Self::BaseField as ark_ff::Field>::ONE;

            fn invert(x: &Self::BaseField) -> Self::BaseField {
                crate::inverse::inverse(x).expect("not zero")
            }

            #[inline(always)]
            fn product(out: &mut Self::BaseField, a: &Self::BaseField, b: &Self::BaseField) {
                *out = *a * b;
            }

            #[inline(always)]
            fn square(out: &mut Self::BaseField, a: &Self::BaseField) {
                *out = ark_ff::Field::square(a);
            }

            #[inline(always)]
            fn word(x: &Self::BaseField) -> u64 {
                x.0.0[0]
            }

            fn double(p: &mut Projective<Self>, times: usize) {
                (0..times).for_each(|_| {
                    p.double_in_place();
                });
            }

            fn times(p: &Affine<Self>, k: &Self::ScalarField) -> Projective<Self> {
                *p * k
            }

            fn halves(_: &Self::ScalarField) -> Option<[u128; 2]> {
                None
            }
        }
    };
}

five_limbs!(ark_bn254::g1::Config, b"bn254 G1");
five_limbs!(Bandersnatch, b"banders.");

/// What is away from the way.
#[cold]
#[inline(never)]
fn rarely(run: impl FnOnce()) {
    run();
}

/// The high half of a product.
fn high_half(a: u128, b: u128) -> u128 {
    let split = |x: u128| (x >> 64, x & u128::from(u64::MAX));
    let ((a1, a0), (b1, b0)) = (split(a), split(b));
    let (high, low) = split(a0 * b1 + ((a0 * b0) >> 64));
    a1 * b1 + high + ((a1 * b0 + low) >> 64)
}
