//! Additions without vectors.
//!
//! What bounds them is the multiplier: five products and a square of an addition. So nothing else may wait. Points are fetched some
//! pairs at a time, when cache misses overlap; products go along [`CHAINS`] chains, stage by stage, so that a product's neighbours do
//! not need it; and no branch depends on a sign or on a carry. Pairs that are no chord are told by a flag of their group.
//!
//! (notes: curve-msm)

use core::marker::PhantomData;

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, Field, One, Zero};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};

use super::{Adder, BATCH, Lanes, Points, Ref};

/// One lane, on any machine.
pub struct Single<C>(PhantomData<fn() -> C>);

/// Products that do not wait for one another.
const CHAINS: usize = 4;

/// Pairs whose points are asked for at once, and stay in the nearest cache.
const FETCHED: usize = 64;

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
        let dx = C::difference(&q.x, &p.x);
        if !dx.is_zero() {
            return Step::Slope(dx, C::difference(&q.y, &p.y));
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
                C::double(&mut p, c);
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
        let all: Vec<Projective<C>> = points.iter().zip(scalars).map(|(p, k)| C::times(p, k)).collect();
        Projective::normalize_batch(&all)
    }

    fn add(from: Points<Affine<C>>, pairs: &[[Ref; 2]], sums: &mut [Affine<C>]) {
        debug_assert!(pairs.len() <= BATCH && pairs.len() == sums.len());
        let mut rare = [false; BATCH / CHAINS];
        let parts =
            pairs.chunks(FETCHED).zip(sums.chunks_mut(FETCHED)).zip(rare.chunks_mut(FETCHED / CHAINS));
        for ((pairs, sums), rare) in parts {
            fetch_all::<C>(from, pairs);
            let groups = pairs.chunks(CHAINS).zip(sums.chunks_mut(CHAINS));
            for ((pairs, sums), rare) in groups.zip(rare) {
                *rare = Self::differences(from, pairs, sums);
            }
        }
        let mut before = [C::BaseField::one(); BATCH + CHAINS];
        for (i, sum) in sums.iter().enumerate() {
            let (before, after) = before[i..].split_at_mut(CHAINS);
            C::product(&mut after[0], &before[0], &sum.y);
        }
        // What is behind the last sums, in the order of the chains.
        let mut inverses: [C::BaseField; CHAINS] = core::array::from_fn(|i| before[sums.len() + i]);
        inverses.rotate_right(sums.len() % CHAINS);
        invert_all::<C>(&mut inverses);
        let groups = pairs.chunks(CHAINS).zip(sums.chunks_mut(CHAINS)).zip(before.chunks(CHAINS).zip(&rare));
        for ((pairs, sums), (before, rare)) in groups.rev() {
            match (pairs.try_into(), sums.try_into(), before.try_into()) {
                (Ok(pairs), Ok(sums), Ok(before)) if !rare => {
                    Self::add_group(from, pairs, sums, before, &mut inverses);
                }
                _ => {
                    for (i, pair) in pairs.iter().enumerate() {
                        Self::add_any(from, *pair, &mut sums[i], &before[i], &mut inverses[i]);
                    }
                }
            }
        }
    }
}

/// The steps of [`Adder::add`]. Until a sum is there, its place has `(y2 - y1, x2 - x1)`, or other numbers with such a quotient.
impl<C: Lanes> Single<C> {
    /// Writes the differences, and says whether a pair is not two points with different `x`.
    fn differences(from: Points<Affine<C>>, pairs: &[[Ref; 2]], sums: &mut [Affine<C>]) -> bool {
        let mut rare = false;
        for (&[r, s], sum) in pairs.iter().zip(sums) {
            let (p, q) = (from.at(r), from.at(s));
            let y = C::signed(&p.y, r.is_negative());
            *sum = Affine::new_unchecked(
                C::difference(&C::signed(&q.y, s.is_negative()), &y),
                C::difference(&q.x, &p.x),
            );
            if p.is_zero() | q.is_zero() | sum.y.is_zero() {
                rare = true;
                sum.y = match Self::step(&Self::fetch(from, r), &Self::fetch(from, s)) {
                    Step::Slope(dx, _) => dx,
                    Step::Known(_) => C::BaseField::one(),
                };
            }
        }
        rare
    }

    /// The sums of one pair of each chain, whose points have different `x`.
    fn add_group(
        from: Points<Affine<C>>,
        pairs: &[[Ref; 2]; CHAINS],
        sums: &mut [Affine<C>; CHAINS],
        before: &[C::BaseField; CHAINS],
        inverses: &mut [C::BaseField; CHAINS],
    ) {
        let mut own = [C::BaseField::zero(); CHAINS];
        let mut slopes = own;
        let mut next = own;
        for i in 0..CHAINS {
            C::product(&mut own[i], &inverses[i], &before[i]);
            C::product(&mut next[i], &inverses[i], &sums[i].y);
        }
        for i in 0..CHAINS {
            C::product(&mut slopes[i], &own[i], &sums[i].x);
        }
        for i in 0..CHAINS {
            C::square(&mut sums[i].x, &slopes[i]);
        }
        let mut steps = own;
        for i in 0..CHAINS {
            let [p, q] = pairs[i].map(|r| &from.at(r).x);
            sums[i].x = C::difference(&C::difference(&sums[i].x, p), q);
            steps[i] = C::difference(p, &sums[i].x);
        }
        for i in 0..CHAINS {
            C::product(&mut sums[i].y, &slopes[i], &steps[i]);
        }
        for i in 0..CHAINS {
            let r = pairs[i][0];
            sums[i].y = C::difference(&sums[i].y, &C::signed(&from.at(r).y, r.is_negative()));
        }
        *inverses = next;
    }

    /// The sum of any pair.
    fn add_any(
        from: Points<Affine<C>>,
        [r, s]: [Ref; 2],
        sum: &mut Affine<C>,
        before: &C::BaseField,
        inverse: &mut C::BaseField,
    ) {
        let (p, q) = (Self::fetch(from, r), Self::fetch(from, s));
        match Self::step(&p, &q) {
            Step::Known(known) => *sum = known,
            Step::Slope(dx, dy) => {
                let slope = *inverse * before * dy;
                *inverse *= dx;
                let x = slope.square() - p.x - q.x;
                *sum = Affine::new_unchecked(x, slope * (p.x - x) - p.y);
            }
        }
    }
}

/// Reads a little of all points, and does nothing else: so little that a core asks for many of them before the first is there.
fn fetch_all<C: Lanes>(from: Points<Affine<C>>, pairs: &[[Ref; 2]]) {
    let read = pairs.as_flattened().iter().fold(0, |all, r| all ^ C::fetch(from.at(*r)));
    core::hint::black_box(read);
}

/// The inverses of some numbers, none of which is 0.
fn invert_all<C: Lanes>(numbers: &mut [C::BaseField; CHAINS]) {
    let mut product = C::BaseField::one();
    let before = numbers.map(|x| {
        let before = product;
        product *= x;
        before
    });
    let mut inverse = C::invert(&product);
    for (x, before) in numbers.iter_mut().zip(before).rev() {
        let own = inverse * before;
        inverse *= &*x;
        *x = own;
    }
}
