//! Sums over points that come with their scalars: a verifier's.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveConfig};
use ark_ff::{One, PrimeField, Zero};

use super::digits::{Recoding, Words};
use super::fixed::bits;
use super::lists::{GROUP, Lists, Work, place};
use super::{Adder, Curve, Single, Tier};

/// `sum k_i P_i` over points of the subgroup. Not constant time.
///
/// Scalars are halved where the curve has an endomorphism. Made for tens and hundreds of points.
///
/// # Panics
/// If there are not as many scalars as points, or 2^24 or more of them.
pub fn sum<C: Curve>(points: &[Affine<C>], scalars: &[C::ScalarField]) -> Projective<C> {
    match Tier::best::<C>() {
        Tier::Avx512Ifma => sum_with::<C, C::Vector>(points, scalars),
        Tier::Avx2 => sum_with::<C, C::Middle>(points, scalars),
        Tier::Portable => sum_with::<C, Single<C>>(points, scalars),
    }
}

/// The most points that [`sums`] multiplies one by one.
const FEW: usize = 16;

/// Points and as many scalars.
pub type Terms<'a, C> = (&'a [Affine<C>], &'a [<C as CurveConfig>::ScalarField]);

/// Several sums, each over its own points, of the subgroup. Not constant time.
///
/// Up to 16 points in all are multiplied at once where the machine has AVX-512 IFMA: then a sum has no buckets. Elsewhere, and for more points, each
/// is a [`sum`].
///
/// # Panics
/// If a sum has not as many scalars as points.
pub fn sums<C: Curve, const N: usize>(parts: [Terms<'_, C>; N]) -> [Projective<C>; N] {
    let count: usize = parts.iter().map(|(points, _)| points.len()).sum();
    if count > FEW || !<C::Vector as Adder>::available() {
        return parts.map(|(points, scalars)| sum(points, scalars));
    }
    let (mut points, mut scalars, mut owners) = (Vec::new(), Vec::new(), Vec::new());
    let mut sums = [Projective::zero(); N];
    for (owner, (some, their)) in parts.into_iter().enumerate() {
        assert_eq!(some.len(), their.len(), "as many scalars as points");
        for (p, k) in some.iter().zip(their).filter(|(p, k)| !p.is_zero() && !k.is_zero()) {
            if k.is_one() {
                sums[owner] += p;
                continue;
            }
            points.push(*p);
            scalars.push(*k);
            owners.push(owner);
        }
    }
    if points.is_empty() || C::Vector::add_to(&mut sums, &points, &scalars, &owners) {
        return sums;
    }
    for (owner, multiple) in owners.into_iter().zip(C::Vector::scale(&points, &scalars)) {
        sums[owner] += multiple;
    }
    sums
}

pub(super) fn sum_with<C: Curve, A: Adder<Curve = C>>(
    points: &[Affine<C>],
    scalars: &[C::ScalarField],
) -> Projective<C> {
    assert!(points.len() == scalars.len() && points.len() < 1 << 24, "as many scalars as points");
    let mut bases = Vec::with_capacity(2 * points.len());
    let mut numbers = Vec::with_capacity(2 * points.len());
    let mut bits = bits::<C>();
    for (p, k) in points.iter().zip(scalars).filter(|(p, _)| !p.is_zero()) {
        if let Some(halves) = C::halves(k) {
            bits = 128;
            // The high half of a weight is 0 more often than not.
            for (i, half) in halves.into_iter().enumerate().filter(|(_, half)| *half != 0) {
                bases.push(if i == 0 { *p } else { C::psi(p) });
                numbers.push([half as u64, (half >> 64) as u64, 0, 0]);
            }
        } else {
            bases.push(*p);
            let mut words = [0; 4];
            words.copy_from_slice(k.into_bigint().as_ref());
            numbers.push(words);
        }
    }
    let r = Recoding::new(best_window(bases.len(), bits), bits);
    let lifted: Vec<_> = numbers.iter().map(|k| r.lift(k)).collect();
    buckets::<A>(&r, &lifted, &A::import(&bases))
}

/// `sum k_i P_i` from the digits of the scalars.
///
/// The buckets of some windows are summed at a time, and only their sums are kept: fresh memory comes from the system a page at a time, which takes longer
/// than the additions of which a page has the sums.
fn buckets<A: Adder>(r: &Recoding, lifted: &[Words], bases: &[A::Point]) -> Projective<A::Curve> {
    let Some(fill) = bases.first() else {
        return Projective::zero();
    };
    let per_window = (1 << (r.c - 1)) + 1;
    let mut buckets = vec![None; per_window * r.windows];
    let step = (GROUP / lifted.len()).clamp(1, r.windows);
    let mut work = Work::<A>::default();
    // The buckets' sums, those of rows and columns, and those of a group.
    work.reserve(3 * buckets.len() + step * lifted.len(), *fill);
    let (mut digits, mut lists, mut group) = (Vec::new(), Lists::default(), Lists::default());
    for (first, buckets) in (0..).step_by(step).zip(buckets.chunks_mut(step * per_window)) {
        digits.clear();
        lists.ends.clear();
        lists.ends.resize(buckets.len() + 1, 0);
        for j in 0..buckets.len() / per_window {
            for (at, lifted) in lifted.iter().enumerate() {
                let digit = r.digit(lifted, first + j);
                if digit != 0 {
                    let bucket = (j * per_window) as i32 + digit.abs();
                    lists.ends[bucket as usize + 1] += 1;
                    digits.push((bucket * digit.signum(), at as u32));
                }
            }
        }
        place(0, &[&digits], &mut lists.ends, &mut lists.refs);
        work.sum_in_groups(bases, &lists, &mut group, buckets);
    }
    work.weigh(bases, &buckets, r.c)
}

/// The length of digits that takes the fewest additions; the last additions and doublings are the same for all.
pub(super) fn best_window(points: usize, bits: usize) -> usize {
    let cost = |c: usize| (bits / c + 1) * (points + (1 << c));
    (4..=15).min_by_key(|&c| cost(c)).expect("some")
}

#[cfg(test)]
mod tests {
    use super::{sum, sums};
    use ark_bls12_381::{Fr, G1Affine, g1};
    use ark_ec::AffineRepr;

    #[test]
    #[should_panic(expected = "as many scalars as points")]
    fn fewer_scalars_than_points() {
        let _ = sum::<g1::Config>(&[G1Affine::generator(); 2], &[Fr::from(3_u64)]);
    }

    #[test]
    #[should_panic(expected = "as many scalars as points")]
    fn fewer_scalars_than_few_points() {
        let _ = sums::<g1::Config, 1>([(&[G1Affine::generator(); 2], &[Fr::from(3_u64)])]);
    }
}
