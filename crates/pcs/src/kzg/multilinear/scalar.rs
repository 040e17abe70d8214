//! The scalar field of BLS12-381 as the transcript and the linear forms take fields: a name for the curve library's type.

use core::iter::Sum;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use curve::bls12_381::{Fr, decode_fr, encode_fr};
use curve::{AdditiveGroup, Field as _, PrimeField};
use field::Field;

/// The integers modulo the order of BLS12-381's groups (255 bits). Not constant time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Scalar(pub Fr);

macro_rules! operators {
    ($($op:ident $f:ident, $assign:ident $g:ident;)*) => {$(
        impl $op for Scalar {
            type Output = Self;
            #[inline]
            fn $f(self, other: Self) -> Self {
                Self(self.0.$f(other.0))
            }
        }

        impl $assign for Scalar {
            #[inline]
            fn $g(&mut self, other: Self) {
                self.0.$g(other.0);
            }
        }
    )*};
}

operators! {
    Add add, AddAssign add_assign;
    Sub sub, SubAssign sub_assign;
    Mul mul, MulAssign mul_assign;
}

impl Neg for Scalar {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Sum for Scalar {
    fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
        terms.fold(Self::ZERO, Add::add)
    }
}

impl Field for Scalar {
    const NAME: &'static str = "bls12-381";
    const BYTES: usize = 32;
    const ZERO: Self = Self(Fr::ZERO);
    const ONE: Self = Self(Fr::ONE);

    fn bits() -> f64 {
        // 64-bit limbs from the top: doubles hold the leading 53 bits, all that the logarithm shows.
        let limbs = Fr::MODULUS.0.iter().rev();
        libm::log2(limbs.fold(0.0, |sum: f64, &limb| sum * (1u128 << 64) as f64 + limb as f64))
    }

    fn inverse(self) -> Option<Self> {
        self.0.inverse().map(Self)
    }

    fn from_u64(x: u64) -> Self {
        Self(Fr::from(x))
    }

    fn write(self, out: &mut [u8]) {
        out.copy_from_slice(&encode_fr(&self.0));
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        decode_fr(bytes.try_into().ok()?).ok().map(Self)
    }

    const UNIFORM_BYTES: usize = 48;

    fn from_uniform(bytes: &[u8]) -> Self {
        assert_eq!(bytes.len(), Self::UNIFORM_BYTES, "48 uniform bytes");
        Self(Fr::from_le_bytes_mod_order(bytes))
    }

    #[inline]
    fn square(self) -> Self {
        Self(self.0.square())
    }
}
