//! From powers to the values of Lagrange polynomials, in the group.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{FftField, Field, Zero};
use field::parallel;

use crate::msm::{Adder, BATCH, Curve, Points, Ref, Single};

/// `L_i(tau) G` from `tau^j G`, for the Lagrange polynomials of the domain of `powers.len()` points, in its natural order:
/// `L_i(w^i) = 1` with the `w` of arkworks. The points are in the subgroup.
///
/// `L_i(x) = 1/n sum_j w^(-ij) x^j`: an inverse transform of the powers. Cost: `n/2 log n - n` multiples of points, some 8 µs each
/// with AVX-512 IFMA. On all threads of the current pool.
///
/// Of a number of powers with an odd factor `r` the powers with the same remainder by it are transformed, and `r` times as many multiples are added.
///
/// # Panics
/// If the scalar field has no root of unity of this order.
#[must_use]
pub fn lagrange<C: Curve>(powers: &[Affine<C>]) -> Vec<Affine<C>> {
    if C::Vector::available() { of_parts::<C, C::Vector>(powers) } else { of_parts::<C, Single<C>>(powers) }
}

/// `L_i = 1/r sum_s w^(-is) T_s`, where `T_s` is element `i` modulo `n/r` of the transform of the powers `s, s + r, s + 2r, ...`
fn of_parts<C: Curve, A: Adder<Curve = C>>(powers: &[Affine<C>]) -> Vec<Affine<C>> {
    let n = powers.len();
    let odd = n >> n.trailing_zeros();
    if odd == 1 {
        return transform::<C, A>(powers);
    }
    let w = C::ScalarField::get_root_of_unity(n as u64).expect("a domain of this size");
    let back = w.inverse().expect("a root of unity");
    let scale = C::ScalarField::from(odd as u64).inverse().expect("not the characteristic");
    let mut sums = vec![Projective::<C>::zero(); n];
    for part in 0..odd {
        let own: Vec<_> = powers[part..].iter().step_by(odd).copied().collect();
        let mut all = transform::<C, A>(&own).repeat(odd);
        let step = back.pow([part as u64]);
        let factors = core::iter::successors(Some(scale), |factor| Some(*factor * step)).take(n);
        multiply::<C, A>(&mut all, factors);
        sums.iter_mut().zip(all).for_each(|(sum, p)| *sum += p);
    }
    Projective::normalize_batch(&sums)
}

/// The inverse transform, from high to low: in each layer `u, v` become `u + v, (u - v) w^-j`.
pub(super) fn transform<C: Curve, A: Adder<Curve = C>>(points: &[Affine<C>]) -> Vec<Affine<C>> {
    let n = points.len();
    assert!(n.is_power_of_two(), "a power of two");
    let w = C::ScalarField::get_root_of_unity(n as u64).expect("a domain of this size");
    let back = w.inverse().expect("a root of unity");
    let twiddles: Vec<_> =
        core::iter::successors(Some(C::ScalarField::ONE), |t| Some(*t * back)).take(n / 2).collect();
    let scale = C::ScalarField::from(n as u64).inverse().expect("not the characteristic");
    let mut all = points.to_vec();
    let mut half = n / 2;
    while half > 0 {
        let low: Vec<usize> = (0..n).filter(|i| i & half == 0).collect();
        let bases = A::import(&all);
        let pairs: Vec<_> = low
            .iter()
            .flat_map(|&i| [false, true].map(|minus| [Ref::base(i, false), Ref::base(i + half, minus)]))
            .collect();
        let sums = parallel::map(pairs.chunks(BATCH / 4), |pairs| add::<A>(&bases, pairs)).concat();
        for (sums, &i) in sums.chunks(2).zip(&low) {
            (all[i], all[i + half]) = (sums[0], sums[1]);
        }
        // Each place takes the factor 1/n where it has its first multiple, and the one that has none at the end.
        let factors = (0..n).map(|i| {
            let twiddle =
                if i & half == 0 { C::ScalarField::ONE } else { twiddles[i % half * (n / 2 / half)] };
            let first = (half..2 * half).contains(&i) || half == 1 && i == 0;
            if first { twiddle * scale } else { twiddle }
        });
        multiply::<C, A>(&mut all, factors);
        half /= 2;
    }
    let bits = n.trailing_zeros();
    (0..n).map(|i| all[if bits == 0 { 0 } else { i.reverse_bits() >> (usize::BITS - bits) }]).collect()
}

fn add<A: Adder>(bases: &[A::Point], pairs: &[[Ref; 2]]) -> Vec<Affine<A::Curve>> {
    let mut sums = vec![bases[0]; pairs.len()];
    A::add(Points { bases, sums: &[] }, pairs, &mut sums);
    sums.iter().map(A::export).collect()
}

/// Multiplies each point by its factor.
fn multiply<C: Curve, A: Adder<Curve = C>>(
    all: &mut [Affine<C>],
    factors: impl Iterator<Item = C::ScalarField>,
) {
    let one = C::ScalarField::ONE;
    let (at, factors): (Vec<usize>, Vec<_>) =
        factors.enumerate().filter(|(i, factor)| *factor != one && !all[*i].is_zero()).unzip();
    let points: Vec<_> = at.iter().map(|&i| all[i]).collect();
    let parts = points.chunks(64).zip(factors.chunks(64));
    let scaled = parallel::map(parts, |(points, factors)| A::scale(points, factors)).concat();
    at.iter().zip(scaled).for_each(|(&i, p)| all[i] = p);
}
