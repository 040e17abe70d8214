//! Additions without vectors.
//!
//! What bounds them is the multiplier: five products and a square of an addition. So little else may be done, and nothing may wait. Points are
//! asked for some pairs before their turn; products go along [`CHAINS`] chains, stage by stage, so that a product's neighbours do not need
//! it; factors are not reduced; and no branch depends on a sign or on a carry. Pairs that are no chord are told by a flag of their group.
//!
//! (notes: curve-msm)

use core::marker::PhantomData;

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, Field, One, Zero};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};

use super::{Adder, BATCH, Lanes, Points, Ref};
use crate::ffi::prefetch;

/// One lane, on any machine.
pub struct Single<C>(PhantomData<fn() -> C>);

/// Products that do not wait for one another.
const CHAINS: usize = 4;

/// How many chains later a square is taken up: half of them.
const LATE: usize = CHAINS / 2;

/// How many pairs before their turn points are asked for.
const AHEAD: usize = 16;

/// A pair whose sum needs an inverse, or the sum.
enum Step<C: Lanes> {
    /// `(x2 - x1, y2 - y1)` or, of equal points, `(2y, 3x^2 + a)`.
    Slope(C::BaseField, C::BaseField),
    Known(Affine<C>),
}

impl<C: Lanes> Single<C> {
    fn step(p: &Affine<C>, q: &Affine<C>) -> Step<C> {
        if p.is_zero() {
            return Step::Known(*q);
        }
        if q.is_zero() {
            return Step::Known(*p);
        }
        if p.x != q.x {
            return Step::Slope(q.x - p.x, q.y - p.y);
        }
        if p.y != q.y || p.y.is_zero() {
            return Step::Known(Affine::zero());
        }
        let square = p.x.square();
        Step::Slope(p.y.double(), square.double() + square + C::COEFF_A)
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
        let Some([first, _]) = pairs.first() else { return };
        let mut points = [[from.at(*first); 2]; BATCH];
        let mut rare = [false; BATCH / CHAINS];
        let mut before = [C::BaseField::one(); BATCH + CHAINS];
        for i in 0..pairs.len() + AHEAD {
            if let Some(pair) = pairs.get(i) {
                for (point, r) in points[i].iter_mut().zip(pair) {
                    *point = from.at(*r);
                    prefetch(*point);
                }
            }
            let Some(i) = i.checked_sub(AHEAD) else { continue };
            rare[i / CHAINS] |= Self::differences(points[i], pairs[i], &mut sums[i]);
            // A pair later, when it need not wait.
            if i > 0 {
                multiply_up::<C>(&mut before, i - 1, &sums[i - 1].y);
            }
        }
        let last = pairs.len() - 1;
        multiply_up::<C>(&mut before, last, &sums[last].y);
        // What is behind the last sums, in the order of the chains.
        let mut inverses: [C::BaseField; CHAINS] = core::array::from_fn(|i| before[sums.len() + i]);
        inverses.rotate_right(sums.len() % CHAINS);
        invert_all::<C>(&mut inverses);
        let (mut inverses, mut next) = (&mut inverses, &mut [C::BaseField::zero(); CHAINS]);
        for at in (0..pairs.len()).step_by(CHAINS).rev() {
            let end = pairs.len().min(at + CHAINS);
            let soon = at.saturating_sub(2 * CHAINS);
            points[soon..soon + CHAINS].as_flattened().iter().for_each(|point| prefetch(*point));
            match (pairs[at..end].try_into(), (&mut sums[at..end]).try_into()) {
                (Ok(pairs), Ok(sums)) if !rare[at / CHAINS] => {
                    let points = core::array::from_fn(|i| points[at + i]);
                    Self::add_group(points, pairs, sums, &before[at..], [inverses, next]);
                    (inverses, next) = (next, inverses);
                }
                _ => {
                    for i in at..end {
                        Self::add_any(from, pairs[i], &mut sums[i], &before[i], &mut inverses[i - at]);
                    }
                }
            }
        }
    }
}

/// The steps of [`Adder::add`]. Until a sum is there, its place has `(y2 - y1, x2 - x1)`, or other numbers with such a quotient, which are
/// factors and perhaps not reduced. Where the first `y` is `-y1`, the quotient is that of `y1`, and the last step changes the sign.
impl<C: Lanes> Single<C> {
    /// Writes the differences, and says whether a pair is, or looks as if it were not, two points with different `x`.
    #[inline(always)]
    fn differences([p, q]: [&Affine<C>; 2], [r, s]: [Ref; 2], sum: &mut Affine<C>) -> bool {
        let opposite = r.is_negative() != s.is_negative();
        *sum = Affine::new_unchecked(C::rise(&p.y, &q.y, opposite), C::run(&p.x, &q.x));
        let [x, y, u, v] = [&p.x, &p.y, &q.x, &q.y].map(C::word);
        let rare = (x == u) | (x | y == 0) | (u | v == 0);
        if rare {
            sum.y = Self::denominator([p, q], [r, s]);
        }
        rare
    }

    #[cold]
    fn denominator([p, q]: [&Affine<C>; 2], [r, s]: [Ref; 2]) -> C::BaseField {
        match Self::step(&signed(p, r), &signed(q, s)) {
            Step::Slope(dx, _) => dx,
            Step::Known(_) => C::BaseField::one(),
        }
    }

    /// The sums of one pair of each chain, whose points have different `x`; and the inverses for the next pairs behind those for these.
    #[inline(always)]
    fn add_group(
        points: [[&Affine<C>; 2]; CHAINS],
        pairs: &[[Ref; 2]; CHAINS],
        sums: &mut [Affine<C>; CHAINS],
        before: &[C::BaseField],
        [inverses, next]: [&mut [C::BaseField; CHAINS]; 2],
    ) {
        let mut slopes = [C::BaseField::zero(); CHAINS];
        let mut others = slopes;
        for i in 0..CHAINS {
            C::product(&mut others[i], &inverses[i], &before[i]);
            C::product(&mut next[i], &inverses[i], &sums[i].y);
        }
        for i in 0..CHAINS {
            C::product(&mut slopes[i], &others[i], &sums[i].x);
        }
        let third = |sum: &mut Affine<C>, run: &mut C::BaseField, [p, q]: [&Affine<C>; 2]| {
            C::third_x(&mut sum.x, &p.x, &q.x);
            *run = C::run(&sum.x, &p.x);
        };
        // Sums stand behind products that they do not need, and before such that do not need them.
        for i in 0..LATE {
            C::square(&mut sums[i].x, &slopes[i]);
        }
        for (i, late) in (LATE..CHAINS).zip(0..) {
            C::square(&mut sums[i].x, &slopes[i]);
            third(&mut sums[late], &mut others[late], points[late]);
        }
        for (i, late) in (0..LATE).zip(LATE..) {
            C::product(&mut sums[i].y, &slopes[i], &others[i]);
            third(&mut sums[late], &mut others[late], points[late]);
        }
        for i in LATE..CHAINS {
            C::product(&mut sums[i].y, &slopes[i], &others[i]);
        }
        for i in 0..CHAINS {
            C::third_y(&mut sums[i].y, &points[i][0].y, pairs[i][0].is_negative());
        }
    }

    /// The sum of any pair.
    fn add_any(
        from: Points<Affine<C>>,
        [r, s]: [Ref; 2],
        sum: &mut Affine<C>,
        before: &C::BaseField,
        inverse: &mut C::BaseField,
    ) {
        let (p, q) = (signed(from.at(r), r), signed(from.at(s), s));
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

/// A point with the sign of its reference.
fn signed<C: Lanes>(point: &Affine<C>, r: Ref) -> Affine<C> {
    if r.is_negative() { -*point } else { *point }
}

/// Goes on with the product of the chain that number `i` belongs to.
#[inline(always)]
fn multiply_up<C: Lanes>(before: &mut [C::BaseField], i: usize, factor: &C::BaseField) {
    let (before, after) = before[i..].split_at_mut(CHAINS);
    C::product(&mut after[0], &before[0], factor);
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
