//! Many multiples of one point: what a setup is made of.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::PrimeField;
use field::parallel;
use zeroize::Zeroizing;

use super::digits::Recoding;
use super::fixed::bits;
use super::lists::{Lists, Work};
use super::{Adder, Curve, Ref, Single, Tier};

/// Scalars whose multiples are made at once.
const CHUNK: usize = 512;

/// `k P` for each of the scalars, for a point of the subgroup. Not constant time.
///
/// A table holds `d 2^(cj) P` for every digit `d`; a multiple is a sum of `255/c` entries, in batches that share an inversion. Digits have 8 bits for
/// some scalars, 13 for many (a table of 80,000 points). What is left in memory is overwritten. On all threads of the current pool.
#[must_use]
pub fn multiples<C: Curve>(point: &Affine<C>, scalars: &[C::ScalarField]) -> Vec<Affine<C>> {
    if point.is_zero() {
        return vec![Affine::zero(); scalars.len()];
    }
    match Tier::best::<C>() {
        Tier::Avx512Ifma => with::<C, C::Vector>(point, scalars),
        Tier::Avx2 => with::<C, C::Middle>(point, scalars),
        Tier::Portable => with::<C, Single<C>>(point, scalars),
    }
}

/// `k_i P_i`, for points of the subgroup. Not constant time. On all threads of the current pool.
///
/// # Panics
/// If there are not as many scalars as points.
#[must_use]
pub fn scale<C: Curve>(points: &[Affine<C>], scalars: &[C::ScalarField]) -> Vec<Affine<C>> {
    assert_eq!(points.len(), scalars.len(), "as many scalars as points");
    let at: Vec<usize> = (0..points.len()).filter(|&i| !points[i].is_zero()).collect();
    let live: Vec<Affine<C>> = at.iter().map(|&i| points[i]).collect();
    // Scalars may be secrets: one copy, overwritten when dropped.
    let mut factors = Zeroizing::new(Vec::with_capacity(at.len()));
    factors.extend(at.iter().map(|&i| scalars[i]));
    let some = |(points, scalars): (&[Affine<C>], &[C::ScalarField])| match Tier::best::<C>() {
        Tier::Avx512Ifma => C::Vector::scale(points, scalars),
        Tier::Avx2 => C::Middle::scale(points, scalars),
        Tier::Portable => Single::<C>::scale(points, scalars),
    };
    let scaled = parallel::map(live.chunks(64).zip(factors.chunks(64)), some).concat();
    let mut all = vec![Affine::zero(); points.len()];
    at.iter().zip(scaled).for_each(|(&i, p)| all[i] = p);
    all
}

fn with<C: Curve, A: Adder<Curve = C>>(point: &Affine<C>, scalars: &[C::ScalarField]) -> Vec<Affine<C>> {
    let c = match scalars.len() {
        0..1024 => 5,
        1024..16384 => 9,
        _ => 13,
    };
    let recoding = Recoding::new(c, bits::<C>());
    let table = A::import(&table(point, &recoding));
    let chunk = |scalars: &[C::ScalarField]| chunk::<A>(&table, &recoding, scalars);
    parallel::map(scalars.chunks(CHUNK), chunk).concat()
}

/// `d 2^(cj) P` at `2^(c-1) j + d - 1`, for `d` from 1 to `2^(c-1)`.
fn table<C: Curve>(point: &Affine<C>, recoding: &Recoding) -> Vec<Affine<C>> {
    let mut base = Projective::from(*point);
    let bases: Vec<_> = (0..recoding.windows)
        .map(|_| {
            let own = base;
            C::double(&mut base, recoding.c);
            own
        })
        .collect();
    let row = |base: &Projective<C>| {
        let own = base.into_affine();
        let multiples: Vec<_> =
            core::iter::successors(Some(*base), |sum| Some(*sum + own)).take(1 << (recoding.c - 1)).collect();
        Projective::normalize_batch(&multiples)
    };
    parallel::map(bases.iter(), row).concat()
}

fn chunk<A: Adder<Curve: Curve>>(
    table: &[A::Point],
    recoding: &Recoding,
    scalars: &[<A::Curve as ark_ec::CurveConfig>::ScalarField],
) -> Vec<Affine<A::Curve>> {
    let half = 1 << (recoding.c - 1);
    let mut lists = Lists::default();
    for k in scalars {
        let lifted = recoding.lift(k.into_bigint().as_ref());
        let digits = (0..recoding.windows).map(|j| (j, recoding.digit(&lifted, j)));
        lists.push(
            digits
                .filter(|(_, digit)| *digit != 0)
                .map(|(j, digit)| Ref::base(j * half + digit.unsigned_abs() as usize - 1, digit < 0)),
        );
    }
    let mut work = Work::<A>::default();
    let sums = work.sum(table, &mut lists);
    let points = sums.iter().map(|sum| sum.map_or(Affine::zero(), |r| work.export(table, r))).collect();
    lists.wipe();
    work.wipe(table[0]);
    points
}
