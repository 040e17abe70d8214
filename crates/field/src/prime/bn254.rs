//! The scalar field of the curve BN254.

use core::iter::Sum;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use ark_ff::fields::{Fp256, MontBackend};
use ark_ff::{AdditiveGroup, BigInt, FftField, Field as _, PrimeField};

use crate::{Field, TwoAdic};

// The field alone: `ark-bn254`, which has it too, comes with curves and polynomials.
#[expect(unexpected_cfgs, reason = "the macro asks for a feature of the crate that it is expanded in")]
mod config {
    /// Modulus and generator, from which the macro computes all other constants.
    #[derive(ark_ff::fields::MontConfig)]
    #[modulus = "21888242871839275222246405745257275088548364400416034343698204186575808495617"]
    #[generator = "5"]
    pub struct Config;
}

type Fr = Fp256<MontBackend<config::Config, 4>>;

/// The integers modulo the order of BN254's group (254 bits): two-adicity 28.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Bn254(Fr);

impl Bn254 {
    /// The limbs of the element times `2^256` modulo the order, the lowest first: how libraries with Montgomery's multiplication keep it, this one among them.
    #[must_use]
    pub fn to_montgomery(self) -> [u64; 4] {
        self.0.0.0
    }

    /// The inverse of [`Bn254::to_montgomery`]; `None` unless the number is below the order.
    #[must_use]
    pub fn from_montgomery(limbs: [u64; 4]) -> Option<Self> {
        let number = BigInt(limbs);
        (number < Fr::MODULUS).then(|| Self(Fr::new_unchecked(number)))
    }
}

impl Add for Bn254 {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Bn254 {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul for Bn254 {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
}

impl Neg for Bn254 {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl AddAssign for Bn254 {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl SubAssign for Bn254 {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        self.0 -= other.0;
    }
}

impl MulAssign for Bn254 {
    #[inline]
    fn mul_assign(&mut self, other: Self) {
        self.0 *= other.0;
    }
}

impl Sum for Bn254 {
    fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
        terms.fold(Self::ZERO, Add::add)
    }
}

impl Field for Bn254 {
    const NAME: &'static str = "bn254";
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

    #[inline]
    fn from_u64(x: u64) -> Self {
        Self(Fr::from(x))
    }

    fn write(self, out: &mut [u8]) {
        assert_eq!(out.len(), Self::BYTES, "one encoding");
        for (limb, out) in self.0.into_bigint().0.iter().zip(out.chunks_exact_mut(8)) {
            out.copy_from_slice(&limb.to_le_bytes());
        }
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let bytes = <&[u8; 32]>::try_from(bytes).ok()?;
        let (limbs, _) = bytes.as_chunks::<8>();
        let integer = BigInt::new(core::array::from_fn(|i| u64::from_le_bytes(limbs[i])));
        // `None` from `from_bigint` unless the integer is below the modulus.
        Fr::from_bigint(integer).map(Self)
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

impl TwoAdic for Bn254 {
    const TWO_ADICITY: usize = Fr::TWO_ADICITY as usize;
    const GENERATOR: Self = Self(Fr::GENERATOR);

    fn root_of_unity(log_order: usize) -> Self {
        assert!(log_order <= Self::TWO_ADICITY, "no such root of unity");
        let steps = Self::TWO_ADICITY - log_order;
        (0..steps).fold(Self(Fr::TWO_ADIC_ROOT_OF_UNITY), |root, _| root.square())
    }

    fn ntt_rows(message: &[Self], width: usize, shift: Self, out: &mut [Self]) {
        static ROOTS: crate::kernels::roots::Roots<Bn254> = crate::kernels::roots::Roots::new();
        let plan = crate::kernels::ntt::Plan { tier: crate::cpu::Tier::Portable, width, roots: &ROOTS };
        crate::kernels::ntt::fast(plan, message, shift, out);
    }
}

super::extension_of_itself!(Bn254);
crate::kernels::lanes::scalar_lanes!(Bn254);
