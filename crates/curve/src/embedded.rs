//! Curves inside BLS12-381: twisted Edwards curves over its scalar field, whose points a ring is made of.

use alloc::vec::Vec;
use core::fmt::Debug;
use core::ops::Add;

use ark_ec::twisted_edwards::TECurveConfig;
use ark_ec::{AffineRepr, CurveGroup, VariableBaseMSM};
use ark_ff::{AdditiveGroup, BigInt, PrimeField};
use ark_serialize::CanonicalDeserialize;

use crate::Invalid;
use crate::bls12_381::{Fr, encode};

/// A point with two coordinates.
pub type Point<C> = ark_ec::twisted_edwards::Affine<C>;
/// A point in extended coordinates.
pub type Projective<C> = ark_ec::twisted_edwards::Projective<C>;

/// A twisted Edwards curve `a x^2 + y^2 = 1 + d x^2 y^2` over BLS12-381's scalar field, and what [`ct`](crate::ct) needs to compute on secrets there.
///
/// Laws: `COEFF_A + MINUS_A = 0`; the addition has no exception on the subgroup; [`Self::in_subgroup`] holds for the multiples of the generator and for
/// no other point of the curve; [`Self::multiply_add`] and [`Self::reduce`] are those of the scalar field, in constant time.
pub trait Embedded:
    TECurveConfig<BaseField = Fr, ScalarField: PrimeField<BigInt = BigInt<4>>> + Copy + Debug + Eq
{
    /// `-a`, a small number: a product by it is a few additions.
    const MINUS_A: u64;

    /// Whether a point of the curve is in the subgroup of prime order. Cost: a multiple by the order, if the curve has no shorter way.
    #[must_use]
    fn in_subgroup(p: &Point<Self>) -> bool {
        p.is_in_correct_subgroup_assuming_on_curve()
    }

    /// Whether a sum that begins at `p`, a point of the curve, and goes on with points of the subgroup is what a ring's constraints say it is, but where equal points
    /// meet. So it is in the subgroup; a curve may know more such points. (notes: ring-seed)
    #[must_use]
    fn fits_seed(p: &Point<Self>) -> bool {
        Self::in_subgroup(p)
    }

    /// `a b + c`, in constant time.
    #[must_use]
    fn multiply_add(a: &Self::ScalarField, b: &Self::ScalarField, c: &Self::ScalarField)
    -> Self::ScalarField;

    /// The multi-scalar multiplication `sum k_i P_i`, of points of the subgroup and as many scalars. Not constant time. Cost: some 25 additions in extended
    /// coordinates for each point, if there are a thousand and the curve has no shorter way.
    fn sum(points: &[Point<Self>], scalars: &[Self::ScalarField]) -> Projective<Self> {
        Projective::<Self>::msm_unchecked(points, scalars)
    }

    /// The number of at most 64 bytes, little-endian, modulo the order of the group, in constant time.
    ///
    /// # Panics
    /// If there are more bytes.
    #[must_use]
    fn reduce(bytes: &[u8]) -> Self::ScalarField;
}

/// Bits of a scalar.
#[must_use]
pub const fn scalar_bits<C: Embedded>() -> usize {
    <C::ScalarField as PrimeField>::MODULUS_BIT_SIZE as usize
}

/// `-a x`.
#[inline(always)]
pub fn times_minus_a<C: Embedded, X: Copy + Add<Output = X>>(x: X) -> X {
    let more = (0..C::MINUS_A.ilog2()).rev();
    more.fold(x, |sum, bit| {
        let double = sum + sum;
        if C::MINUS_A >> bit & 1 == 1 { double + x } else { double }
    })
}

/// 32 bytes: `y` little-endian, and in the highest bit whether `x` is the greater of its two values.
#[must_use]
pub fn encode_point<C: Embedded>(p: &Point<C>) -> [u8; 32] {
    encode(p, true)
}

/// The point of 32 bytes. The identity is a value like others.
///
/// # Errors
/// If the bytes are not the encoding of a point of the subgroup. (The identity, where `x = 0` has no sign, has one encoding.)
pub fn decode_point<C: Embedded>(bytes: &[u8; 32]) -> Result<Point<C>, Invalid> {
    decode(bytes, C::in_subgroup)
}

/// The point of 32 bytes, in the subgroup or not.
///
/// # Errors
/// If the bytes are not the encoding of a point of the curve.
pub fn decode_on_curve<C: Embedded>(bytes: &[u8; 32]) -> Result<Point<C>, Invalid> {
    decode(bytes, |_| true)
}

fn decode<C: Embedded>(bytes: &[u8; 32], known: fn(&Point<C>) -> bool) -> Result<Point<C>, Invalid> {
    const NO_POINT: Invalid = Invalid("no point of the subgroup");
    let p = Point::<C>::deserialize_compressed_unchecked(&bytes[..]).map_err(|_| NO_POINT)?;
    match (p.is_on_curve() && known(&p), encode_point(&p) == *bytes) {
        (false, _) => Err(NO_POINT),
        (true, false) => Err(Invalid("not the encoding of its value")),
        (true, true) => Ok(p),
    }
}

/// 32 bytes, little-endian.
#[must_use]
pub fn encode_scalar<C: Embedded>(x: &C::ScalarField) -> [u8; 32] {
    encode(x, true)
}

/// The scalar of 32 bytes.
///
/// # Errors
/// If the number is not below the order of the group.
pub fn decode_scalar<C: Embedded>(bytes: &[u8; 32]) -> Result<C::ScalarField, Invalid> {
    CanonicalDeserialize::deserialize_compressed(&bytes[..])
        .map_err(|_| Invalid("a scalar that is not reduced"))
}

/// The point that 32 random bytes name, as arkworks reads them, times the cofactor: `None` for about half of all bytes. Time depends on the bytes.
#[must_use]
pub fn candidate<C: Embedded>(bytes: &[u8; 32]) -> Option<Point<C>> {
    Some(Point::<C>::from_random_bytes(bytes)?.clear_cofactor())
}

/// The multi-scalar multiplication `sum k_i P_i`, of points of the subgroup. Not constant time.
///
/// # Panics
/// If there are not as many scalars as points.
pub fn sum<C: Embedded>(points: &[Point<C>], scalars: &[C::ScalarField]) -> Projective<C> {
    assert_eq!(points.len(), scalars.len(), "as many scalars as points");
    C::sum(points, scalars)
}

/// `h, 2h, 4h, ...`: the multiples that the bits of a scalar choose among, `count` of them. One inversion for all.
#[must_use]
pub fn doublings<C: TECurveConfig>(h: &Point<C>, count: usize) -> Vec<Point<C>> {
    let first = Projective::from(*h);
    let all: Vec<_> = core::iter::successors(Some(first), |p| Some(p.double())).take(count).collect();
    Projective::normalize_batch(&all)
}
