//! Arithmetic on secrets, in a time that does not depend on them.
//!
//! Neither the flow of control nor an address depends on a value here: choices are made by words (`subtle`), the base field of the [embedded](crate::embedded) curves and
//! the first group of BLS12-381 are blst's, scalars of those curves are computed on by `crypto-bigint`. arkworks' types are what comes in and goes out.
//! Its own arithmetic ends in a subtraction that is done or not, and a clock sees that: a thousand multiples by one
//! scalar are told from a thousand by random ones.
//!
//! What is left on the stack is not overwritten.
//!
//! (notes: curve-ct)

mod edwards;
#[cfg(test)]
mod tests;

use ark_ff::{BigInt, PrimeField};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

use crate::bls12_381::{Fq, Fr, G1, G1Projective};
use crate::embedded::{Embedded, Point, Projective, scalar_bits};
use crate::ffi::{self, Base};
use edwards::Edwards;

pub use crate::scalar::reduce_field;

/// `b` if so, `a` if not.
#[must_use]
pub fn field(a: &Fr, b: &Fr, so: Choice) -> Fr {
    Fr::new_unchecked(BigInt(words(&a.0.0, &b.0.0, so)))
}

fn words<const N: usize>(a: &[u64; N], b: &[u64; N], so: Choice) -> [u64; N] {
    core::array::from_fn(|i| u64::conditional_select(&a[i], &b[i], so))
}

fn long_field(a: &Fq, b: &Fq, so: Choice) -> Fq {
    Fq::new_unchecked(BigInt(words(&a.0.0, &b.0.0, so)))
}

/// 1 or 0.
#[must_use]
pub fn bit(so: Choice) -> Fr {
    field(&Base::zero().into(), &Base::one().into(), so)
}

/// `a + b`.
#[must_use]
pub fn sum(a: &Fr, b: &Fr) -> Fr {
    (Base::from(*a) + Base::from(*b)).into()
}

/// `a b`.
#[must_use]
pub fn product(a: &Fr, b: &Fr) -> Fr {
    (Base::from(*a) * Base::from(*b)).into()
}

/// `a - b`.
#[must_use]
pub fn difference(a: &Fr, b: &Fr) -> Fr {
    (Base::from(*a) - Base::from(*b)).into()
}

/// `b` if so, `a` if not.
pub fn point<C: Embedded>(a: &Point<C>, b: &Point<C>, so: Choice) -> Point<C> {
    Point::new_unchecked(field(&a.x, &b.x, so), field(&a.y, &b.y, so))
}

/// `b` if so, `a` if not. Neither is the identity.
pub fn g1(a: &G1, b: &G1, so: Choice) -> G1 {
    G1::new_unchecked(long_field(&a.x, &b.x, so), long_field(&a.y, &b.y, so))
}

/// `b` if so, `a` if not.
pub fn g1_projective(a: &G1Projective, b: &G1Projective, so: Choice) -> G1Projective {
    let one = |of: fn(&G1Projective) -> &Fq| long_field(of(a), of(b), so);
    G1Projective::new_unchecked(one(|p| &p.x), one(|p| &p.y), one(|p| &p.z))
}

/// The bits of a scalar of an embedded curve, the lowest first.
pub fn bits<F: PrimeField<BigInt = BigInt<4>>>(
    scalar: &F,
) -> impl DoubleEndedIterator<Item = Choice> + use<F> {
    let words = scalar.into_bigint().0;
    (0..F::MODULUS_BIT_SIZE as usize).map(move |i| Choice::from((words[i / 64] >> (i % 64) & 1) as u8))
}

/// `p + q`. Both are in the subgroup, where the formula has no exception.
pub fn add<C: Embedded>(p: &Projective<C>, q: &Projective<C>) -> Projective<C> {
    Edwards::from(p).add::<C>(q.into()).into()
}

/// `p`, `p + q_0` if the first bit says so, and so on: one more point than there are bits. All are in the subgroup.
#[must_use]
pub fn partial_sums<C: Embedded>(
    p: &Projective<C>,
    chosen: impl Iterator<Item = (Choice, Point<C>)>,
) -> Vec<Projective<C>> {
    let mut sum = Edwards::from(p);
    // With room for one more point of the caller's: a vector that grows leaves a copy behind.
    let mut sums = Vec::with_capacity(chosen.size_hint().0 + 2);
    sums.push(*p);
    for (bit, q) in chosen {
        sum = Edwards::conditional_select(&sum, &sum.add::<C>(Edwards::from(&q)), bit);
        sums.push(sum.into());
    }
    sums
}

/// Bits of a digit of [`times`].
const WINDOW: usize = 4;

/// `scalar p`, for `p` in the subgroup. Cost: 252 doublings and 78 additions for every scalar, and 64 scans of 16 points.
pub fn times<C: Embedded>(p: &Projective<C>, scalar: &C::ScalarField) -> Projective<C> {
    let p = Edwards::from(p);
    let mut multiples = [Edwards::zero(); 1 << WINDOW];
    for i in 1..multiples.len() {
        multiples[i] = multiples[i - 1].add::<C>(p);
    }
    let words = scalar.into_bigint().0;
    let mut sum = Edwards::zero();
    for i in (0..scalar_bits::<C>().div_ceil(WINDOW)).rev() {
        for _ in 0..WINDOW {
            sum = sum.double::<C>();
        }
        let digit = words[i * WINDOW / 64] >> (i * WINDOW % 64) & ((1 << WINDOW) - 1);
        let mut chosen = multiples[0];
        for (j, multiple) in (0_u64..).zip(&multiples).skip(1) {
            chosen.conditional_assign(multiple, digit.ct_eq(&j));
        }
        sum = sum.add::<C>(chosen);
    }
    sum.into()
}

/// Affine forms of points, with one inversion.
#[must_use]
pub fn affine<C: Embedded>(points: &[Projective<C>]) -> Vec<Point<C>> {
    let mut before = Zeroizing::new(Vec::<Fr>::with_capacity(points.len()));
    let mut product = Base::one();
    for p in points {
        before.push(product.into());
        product = product * p.z.into();
    }
    let mut inverse = product.inverse();
    let mut all: Vec<Point<C>> = points
        .iter()
        .zip(before.iter())
        .rev()
        .map(|(p, before)| {
            let z = inverse * (*before).into();
            inverse = inverse * p.z.into();
            Point::new_unchecked((Base::from(p.x) * z).into(), (Base::from(p.y) * z).into())
        })
        .collect();
    all.reverse();
    all
}

/// `k p`, for `p` in the subgroup: `k` is split by an endomorphism that is a multiple there alone.
pub fn times_g1(p: &G1, k: &Fr) -> G1Projective {
    ffi::g1_times(&(*p).into(), k)
}

/// `p + q`.
pub fn add_g1(p: &G1Projective, q: &G1) -> G1Projective {
    ffi::g1_add(p, q)
}

/// `p + q`.
pub fn sum_g1(p: &G1Projective, q: &G1Projective) -> G1Projective {
    ffi::g1_sum(p, q)
}

/// The affine forms of points that are not the identity, with one inversion.
pub fn affine_g1<const N: usize>(points: &[G1Projective; N]) -> [G1; N] {
    ffi::g1_affine(points)
}
