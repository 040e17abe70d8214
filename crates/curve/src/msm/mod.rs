//! Sums of multiples of points, `sum k_i P_i`.
//!
//! ```text
//!   scalars -> signed digits -> one list of points for each bucket -> every list becomes its sum
//!           -> lists of rows, columns and bits of the buckets' numbers -> doublings and additions
//! ```
//! All additions but the last few are affine, in batches that share an inversion: 5 products and a square each. [`FixedBase`] holds
//! `2^(cj) P_i` for every window `j`, so that all digits go to one set of buckets; [`sum`] has a set for each window. The
//! additions of a batch are done by a vector of lanes where the machine has AVX-512 IFMA, one by one elsewhere.
//!
//! Any scalars and any points on the curve are summed rightly: equal points, opposite points and the identity too. Time and memory
//! accesses depend on the scalars. Sources: Brickell, Gordon, McCurley and Wilson (1992) for the tables; the rest is folklore.
//!
//! (notes: curve-msm)

mod digits;
mod fixed;
mod lists;
mod portable;
#[cfg(test)]
mod tests;
mod variable;

use ark_ec::bls12::Bls12Config;
use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use ark_ff::PrimeField;

pub use fixed::{FixedBase, Scratch};
pub(crate) use portable::Single;
pub use variable::sum;

/// A curve `y^2 = x^3 + b` over a prime field, whose points of the subgroup have an odd order: BLS12-381's and BN254's first groups.
pub trait Curve: SWCurveConfig<BaseField: PrimeField, ScalarField: PrimeField> + Lanes {}

impl Curve for ark_bls12_381::g1::Config {}
impl Curve for ark_bn254::g1::Config {}

/// How a curve's points are added, by a single lane and by many.
pub trait Lanes: SWCurveConfig<BaseField: PrimeField> {
    /// The additions of vectors, or of a single lane where there are none.
    type Vector: Adder<Curve = Self>;

    /// `1/x`. `x` is not 0.
    fn invert(x: &Self::BaseField) -> Self::BaseField;

    /// Two numbers of at most 128 bits, the high one below `15/16 2^128`, such that `k P = a P + b psi(P)`, if the curve has such a [`Self::psi`].
    fn halves(k: &Self::ScalarField) -> Option<[u128; 2]>;

    /// An endomorphism of the subgroup.
    fn psi(p: &Affine<Self>) -> Affine<Self>;
}

impl Lanes for ark_bls12_381::g1::Config {
    #[cfg(target_arch = "x86_64")]
    type Vector = crate::ifma::Ifma<Self, 8>;
    #[cfg(not(target_arch = "x86_64"))]
    type Vector = Single<Self>;

    fn invert(x: &Self::BaseField) -> Self::BaseField {
        crate::ffi::invert(x)
    }

    /// With the curve's parameter `z` the order is `z^4 - z^2 + 1`, and `z^2` is a primitive sixth root of unity.
    fn halves(k: &Self::ScalarField) -> Option<[u128; 2]> {
        const Z: u128 = ark_bls12_381::Config::X[0] as u128;
        let divide = |k: [u64; 4]| {
            let mut rest = 0;
            let mut quotient = k;
            for word in quotient.iter_mut().rev() {
                let both = rest << 64 | u128::from(*word);
                (*word, rest) = ((both / Z) as u64, both % Z);
            }
            (quotient, rest)
        };
        let (k, low) = divide(k.into_bigint().0);
        let (k, high) = divide(k);
        Some([high * Z + low, u128::from(k[1]) << 64 | u128::from(k[0])])
    }

    /// `(beta x, -y)`, which is `z^2` times the point.
    fn psi(p: &Affine<Self>) -> Affine<Self> {
        -ark_bls12_381::g1::endomorphism(p)
    }
}

impl Lanes for ark_bn254::g1::Config {
    #[cfg(target_arch = "x86_64")]
    type Vector = crate::ifma::Ifma<Self, 5>;
    #[cfg(not(target_arch = "x86_64"))]
    type Vector = Single<Self>;

    fn invert(x: &Self::BaseField) -> Self::BaseField {
        ark_ff::Field::inverse(x).expect("not zero")
    }

    fn halves(_: &Self::ScalarField) -> Option<[u128; 2]> {
        None
    }

    fn psi(p: &Affine<Self>) -> Affine<Self> {
        *p
    }
}

/// Where a summand is: a base, perhaps with its sign changed, or a sum that was made before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ref(u32);

impl Ref {
    const SUM: u32 = 1 << 31;

    #[inline(always)]
    pub(crate) fn base(index: usize, negative: bool) -> Self {
        debug_assert!(index < 1 << 30);
        Self((index as u32) << 1 | u32::from(negative))
    }

    #[inline(always)]
    pub(crate) fn sum(index: usize) -> Self {
        Self(Self::base(index, false).0 | Self::SUM)
    }

    #[inline(always)]
    pub(crate) fn is_sum(self) -> bool {
        self.0 & Self::SUM != 0
    }

    #[inline(always)]
    pub(crate) fn is_negative(self) -> bool {
        self.0 & 1 != 0
    }

    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        (self.0 & !Self::SUM) as usize >> 1
    }
}

/// Points in the form in which they are added, and their additions.
pub trait Adder: Send + Sync + 'static {
    /// The curve.
    type Curve: SWCurveConfig;
    /// A point in memory.
    type Point: Copy + Send + Sync;

    /// Whether the machine has the instructions.
    fn available() -> bool;

    /// Points in the form of this adder.
    fn import(points: &[Affine<Self::Curve>]) -> Vec<Self::Point>;

    /// A point in the common form.
    fn export(point: &Self::Point) -> Affine<Self::Curve>;

    /// `2^(cj) P_i` at `i windows + j`, for points that are not the identity.
    fn multiples(points: &[Affine<Self::Curve>], c: usize, windows: usize) -> Vec<Self::Point>;

    /// Writes the sum of each pair. At most [`BATCH`] pairs.
    fn add(from: Points<Self::Point>, pairs: &[[Ref; 2]], sums: &mut [Self::Point]);
}

/// The two places where summands are.
#[derive(Clone, Copy)]
pub struct Points<'a, P> {
    /// What a [`Ref`] to a base is an index of. None of them is the identity.
    pub bases: &'a [P],
    /// What a [`Ref`] to a sum is an index of.
    pub sums: &'a [P],
}

impl<'a, P> Points<'a, P> {
    #[inline(always)]
    pub(crate) fn at(self, r: Ref) -> &'a P {
        if r.is_sum() { &self.sums[r.index()] } else { &self.bases[r.index()] }
    }
}

/// The most pairs that share an inversion.
pub(crate) const BATCH: usize = 1024;
