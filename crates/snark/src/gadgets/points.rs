//! Points of Grumpkin, `y² = x³ − 17`, by their coordinates; the identity has none. (notes: snark-points)
//!
//! Additions are incomplete: [`add`] is right if the two `x` differ, and says nothing if they are equal and the `y` too. Callers show
//! by bounds on scalars that this cannot happen, or enforce it by [`distinct`].
//!
//! The second sides of the constraints have slopes alone, and no coordinates: a cell of a second side costs a prover of Groth16 multiples in both groups.

use std::sync::OnceLock;

use curve::bn254::{Fr, inverse};
use curve::grumpkin::{Fr as Scalar, Point as Affine, Projective};
use curve::{AdditiveGroup, AffineRepr, BigInteger, CurveGroup, Field, PrimeField};

use super::boolean::{boolean, enforce_nonzero};
use crate::r1cs::{Builder, LinearCombination};

type Lc = LinearCombination<Fr>;

/// A point that is not the identity.
#[derive(Clone, Debug)]
pub struct Point {
    /// The first coordinate.
    pub x: Lc,
    /// The second coordinate.
    pub y: Lc,
}

impl Point {
    /// A constant.
    ///
    /// # Panics
    /// If it is the identity.
    #[must_use]
    pub fn constant(point: &Affine) -> Self {
        let (x, y) = point.xy().expect("the identity has no coordinates");
        Self { x: Lc::constant(x), y: Lc::constant(y) }
    }

    /// The point with the other sign: no constraint.
    #[must_use]
    pub fn negate(&self) -> Self {
        Self { x: self.x.clone(), y: -&self.y }
    }
}

/// Enforces that a point is on the curve: three constraints.
pub fn enforce_on_curve(builder: &mut Builder<Fr>, point: &Point) {
    let square = builder.multiply("point: x squared", &point.x, &point.x);
    let cube = builder.multiply("point: x cubed", &square, &point.x);
    let right = &cube - &Lc::constant(Fr::from(17u64));
    builder.enforce("point: on the curve", &point.y, &point.y, &right);
}

/// Enforces that two points differ and are not opposite: one constraint.
pub fn distinct(builder: &mut Builder<Fr>, label: &'static str, p: &Point, q: &Point) {
    enforce_nonzero(builder, label, &(&q.x - &p.x));
}

/// The slope of the line through two points with different `x`: one constraint.
pub(crate) fn slope(builder: &mut Builder<Fr>, p: &Point, q: &Point) -> Lc {
    let (dx, dy) = (&q.x - &p.x, &q.y - &p.y);
    let slope = builder.witness(|| divide(dy.value(), dx.value()));
    builder.enforce("point: slope", &dx, &slope, &dy);
    slope
}

/// `p + q` if their `x` differ: three constraints.
pub fn add(builder: &mut Builder<Fr>, p: &Point, q: &Point) -> Point {
    let slope = slope(builder, p, q);
    let x = third_x(builder, &slope, [&p.x, &q.x]);
    let y = third_y(builder, &slope, p, &x);
    Point { x, y }
}

/// `2 p + q` if `p` and `q` have different `x`, and so have `p + q` and `p`: five constraints. The `y` of `p + q` is not computed.
pub fn double_and_add(builder: &mut Builder<Fr>, p: &Point, q: &Point) -> Point {
    let first = slope(builder, p, q);
    let middle = third_x(builder, &first, [&p.x, &q.x]);
    // The slope from p to p + q is `2 p.y / (p.x - middle) - first`.
    let (dx, twice) = (&p.x - &middle, &p.y * Fr::from(2u64));
    let sum = builder.witness(|| divide(twice.value(), dx.value()));
    builder.enforce("point: sum of slopes", &dx, &sum, &twice);
    let second = &sum - &first;
    let x = third_x(builder, &second, [&p.x, &middle]);
    let y = third_y(builder, &second, p, &x);
    Point { x, y }
}

/// The `x` of the third point on a line, which has `slope` and two points with the given `x`: one constraint.
pub(crate) fn third_x(builder: &mut Builder<Fr>, slope: &Lc, [p, q]: [&Lc; 2]) -> Lc {
    let x = builder.witness(|| slope.value().square() - p.value() - q.value());
    builder.enforce("point: x", slope, slope, &(&(&x + p) + q));
    x
}

fn third_y(builder: &mut Builder<Fr>, slope: &Lc, p: &Point, x: &Lc) -> Lc {
    let dx = &p.x - x;
    let y = builder.witness(|| slope.value() * dx.value() - p.y.value());
    builder.enforce("point: y", &dx, slope, &(&y + &p.y));
    y
}

/// 0 if the divisor is 0, which then violates a constraint or has been excluded.
fn divide(dividend: Fr, divisor: Fr) -> Fr {
    dividend * inverse(&divisor).unwrap_or(Fr::ZERO)
}

/// The windows of three bits of [`multiply_generator`]; one of two bits follows.
pub const WINDOWS: usize = 84;

/// `s B` for the generator `B` and a scalar `s` that is no cell: 676 constraints. There is no witness for `s = 0`.
///
/// The sum of `d_i 8^i (B / 2)` with odd digits `d_i`: ±1, ±3, ±5, ±7 for `i < 84`, and ±1, ±3 for `i = 84`. The first 84 summands are added
/// without checks, because the sums stay below the order; the last addition can meet equal or opposite points, and is checked.
pub fn multiply_generator(builder: &mut Builder<Fr>, scalar: impl FnOnce() -> Scalar) -> Point {
    multiply_generator_by(builder, || digits(scalar()))
}

/// As [`multiply_generator`], of digits.
pub(crate) fn multiply_generator_by(builder: &mut Builder<Fr>, digits: impl FnOnce() -> Vec<i8>) -> Point {
    let mut digits = Some(digits);
    let mut known = vec![];
    let mut sum: Option<Point> = None;
    for (i, table) in generator_table().iter().enumerate() {
        let mut bit = |builder: &mut Builder<Fr>, of: fn(i8) -> bool| {
            boolean(builder, "fixed base: digit", || {
                if let Some(digits) = digits.take() {
                    known = digits();
                }
                of(known[i])
            })
        };
        let plus = bit(builder, |d| d > 0);
        let low = bit(builder, |d| matches!(d.abs(), 3 | 7));
        let multiple = if table.len() == 2 {
            let choice = [(&low, 1)];
            entry(builder, table, &choice, &plus)
        } else {
            let high = bit(builder, |d| d.abs() > 4);
            let both = builder.multiply("fixed base: entry", &low, &high);
            entry(builder, table, &[(&low, 1), (&high, 2), (&both, 3)], &plus)
        };
        sum = Some(match sum {
            None => multiple,
            Some(sum) => {
                if i == WINDOWS {
                    distinct(builder, "fixed base: last addition", &sum, &multiple);
                }
                add(builder, &sum, &multiple)
            }
        });
    }
    sum.expect("there are windows")
}

/// The entry of a table that the bits choose, with its sign: one constraint. `bits` has the bits of the entry's number, and the product of the two.
fn entry(builder: &mut Builder<Fr>, table: &[Affine], bits: &[(&Lc, usize)], plus: &Lc) -> Point {
    let coordinate = |of: fn(&Affine) -> Fr| {
        let mut value = Lc::constant(of(&table[0]));
        for &(bit, i) in bits {
            // Of the product of two bits: what the bits by themselves leave to entry 3.
            let scale = if i == 3 {
                of(&table[3]) + of(&table[0]) - of(&table[1]) - of(&table[2])
            } else {
                of(&table[i]) - of(&table[0])
            };
            value.add_scaled(scale, bit);
        }
        value
    };
    let (x, y) = (coordinate(|p| p.x), coordinate(|p| p.y));
    let sign = &(plus * Fr::from(2u64)) - &Lc::one();
    Point { x, y: builder.multiply("fixed base: sign", &y, &sign) }
}

/// `m 8^i (B / 2)` for `m = 1, 3, 5, 7`, and for the last window `m = 1, 3`.
fn generator_table() -> &'static [Vec<Affine>] {
    static CACHE: OnceLock<Vec<Vec<Affine>>> = OnceLock::new();
    CACHE.get_or_init(|| {
        let half = Scalar::from(2u64).inverse().expect("an odd order");
        let mut unit = Projective::from(Affine::generator()) * half;
        let mut table = Vec::with_capacity(WINDOWS + 1);
        for i in 0..=WINDOWS {
            let twice = unit.double();
            let multiples = core::iter::successors(Some(unit), |multiple| Some(*multiple + twice));
            let multiples: Vec<_> = multiples.take(if i == WINDOWS { 2 } else { 4 }).collect();
            table.push(Projective::normalize_batch(&multiples));
            unit = twice.double().double();
        }
        table
    })
}

/// The digits of a scalar: with `v` the bits of a number congruent to `s + (2^254 - 1) / 2`, `d_i = 2 v_i - 7`, and `2 v_84 - 3` for the last.
///
/// If the number below the order would make the last addition one of equal points, which happens for `s = -3 · 2^252` alone, it is the next
/// one that is congruent.
fn digits(scalar: Scalar) -> Vec<i8> {
    let half = Scalar::from(2u64).inverse().expect("an odd order");
    let top = Scalar::from(2u64).pow([3 * WINDOWS as u64]);
    let shift = (top.double().double() - Scalar::ONE) * half;
    let number = (scalar + shift).into_bigint();
    let digits = digits_of(&number);
    let last = Scalar::from(digits[WINDOWS].unsigned_abs()) * top;
    let last = if digits[WINDOWS] < 0 { -last } else { last };
    if last != scalar {
        return digits;
    }
    let mut next = number;
    next.add_with_carry(&Scalar::MODULUS);
    digits_of(&next)
}

/// The digits of a number below `2^254`.
pub(crate) fn digits_of(number: &impl BigInteger) -> Vec<i8> {
    let window =
        |i: usize| (0..3).filter(|&bit| number.get_bit(3 * i + bit)).map(|bit| 1i8 << bit).sum::<i8>();
    (0..=WINDOWS).map(|i| 2 * window(i) - if i == WINDOWS { 3 } else { 7 }).collect()
}
