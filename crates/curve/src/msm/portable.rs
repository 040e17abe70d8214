//! Additions one by one, in arkworks' arithmetic.

use core::marker::PhantomData;

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AdditiveGroup, AffineRepr, CurveGroup};
use ark_ff::{Field, One, Zero};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};

use super::{Adder, BATCH, Lanes, Points, Ref};

/// One lane, on any machine.
pub struct Single<C>(PhantomData<fn() -> C>);

/// A pair whose sum needs an inverse, or the sum.
enum Step<C: Lanes> {
    /// `(x2 - x1, y2 - y1)` or, of equal points, `(2y, 3x^2)`.
    Slope(C::BaseField, C::BaseField),
    Known(Affine<C>),
}

impl<C: Lanes> Single<C> {
    fn fetch(from: Points<Affine<C>>, r: Ref) -> Affine<C> {
        let point = *from.at(r);
        if r.is_negative() { -point } else { point }
    }

    fn step(p: &Affine<C>, q: &Affine<C>) -> Step<C> {
        if p.is_zero() {
            return Step::Known(*q);
        }
        if q.is_zero() {
            return Step::Known(*p);
        }
        let dx = q.x - p.x;
        if !dx.is_zero() {
            return Step::Slope(dx, q.y - p.y);
        }
        if p.y != q.y || p.y.is_zero() {
            return Step::Known(Affine::zero());
        }
        let square = p.x.square();
        Step::Slope(p.y.double(), square.double() + square)
    }
}

/// Rows of `windows` points, and behind each the same with `beta x` in the place of `x`.
fn with_images<C: Lanes>(all: &[Affine<C>], windows: usize) -> Vec<Affine<C>> {
    let other = |p: &Affine<C>| Affine::new_unchecked(p.x * C::BETA, p.y);
    all.chunks(windows).flat_map(|row| row.iter().copied().chain(row.iter().map(other))).collect()
}

impl<C: Lanes> Adder for Single<C> {
    type Curve = C;
    type Point = Affine<C>;

    fn available() -> bool {
        true
    }

    fn import(points: &[Affine<C>]) -> Vec<Affine<C>> {
        points.to_vec()
    }

    fn export(point: &Affine<C>) -> Affine<C> {
        *point
    }

    fn multiples(points: &[Affine<C>], c: usize, windows: usize, rows: &mut [Affine<C>]) {
        let mut all = Vec::with_capacity(points.len() * windows);
        for point in points {
            let mut p = Projective::from(*point);
            for _ in 0..windows {
                all.push(p);
                (0..c).for_each(|_| {
                    p.double_in_place();
                });
            }
        }
        let all = Projective::normalize_batch(&all);
        let twice = rows.len() > all.len();
        rows.copy_from_slice(&if twice { with_images(&all, windows) } else { all });
    }

    fn write(points: &[Affine<C>], bytes: &mut Vec<u8>) {
        for p in points {
            p.x.serialize_uncompressed(&mut *bytes).expect("memory");
            p.y.serialize_uncompressed(&mut *bytes).expect("memory");
        }
    }

    fn read(bytes: &[u8], rows: usize, windows: usize, twice: bool) -> Option<Vec<Affine<C>>> {
        let size = C::BaseField::zero().uncompressed_size();
        let number = |b: &[u8]| C::BaseField::deserialize_uncompressed(b).ok();
        let point = |b: &[u8]| Some(Affine::new_unchecked(number(&b[..size])?, number(&b[size..])?));
        if bytes.len() != 2 * size * rows * windows {
            return None;
        }
        let all: Vec<Affine<C>> = bytes.chunks(2 * size).map(point).collect::<Option<_>>()?;
        Some(if twice { with_images(&all, windows) } else { all })
    }

    fn scale(points: &[Affine<C>], scalars: &[C::ScalarField]) -> Vec<Affine<C>> {
        let all: Vec<Projective<C>> = points.iter().zip(scalars).map(|(p, k)| *p * k).collect();
        Projective::normalize_batch(&all)
    }

    fn add(from: Points<Affine<C>>, pairs: &[[Ref; 2]], sums: &mut [Affine<C>]) {
        debug_assert!(pairs.len() <= BATCH && pairs.len() == sums.len());
        let mut product = C::BaseField::one();
        let mut before = [C::BaseField::zero(); BATCH];
        for (&[p, q], before) in pairs.iter().zip(&mut before) {
            *before = product;
            if let Step::Slope(dx, _) = Self::step(&Self::fetch(from, p), &Self::fetch(from, q)) {
                product *= dx;
            }
        }
        let mut inverse = C::invert(&product);
        for ((&[p, q], before), sum) in pairs.iter().zip(&before).zip(sums).rev() {
            let (p, q) = (Self::fetch(from, p), Self::fetch(from, q));
            *sum = match Self::step(&p, &q) {
                Step::Known(sum) => sum,
                Step::Slope(dx, dy) => {
                    let slope = inverse * before * dy;
                    inverse *= dx;
                    let x = slope.square() - p.x - q.x;
                    Affine::new_unchecked(x, slope * (p.x - x) - p.y)
                }
            };
        }
    }
}
