//! The seven constraints, for one row or one point.
//!
//! With the accumulators' values in the next row as unknowns their combination is linear:
//! `constant + shift . (ip(wX), x(wX), y(wX))`. The verifier takes both from the values at `zeta`, the prover at every point of the
//! larger domain.
//!
//! (notes: ring-constraints)

use crate::domain::Selectors;
use curve::One;
use curve::bls12_381::Fr;
#[cfg(feature = "prover")]
use curve::columns::{Column, Formula};
use curve::embedded::{Embedded, Point, Projective};
use curve::number::Number;
#[cfg(feature = "prover")]
use curve::{CurveGroup, Zero};

/// Values of the columns `px, py, s, b, ip, x, y`, the order of a proof.
pub(crate) type Row<F = Fr> = [F; 7];

/// The combination of the constraints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Combined<F = Fr> {
    pub(crate) constant: F,
    /// The factors of `ip`, `x` and `y` in the next row.
    pub(crate) shift: [F; 3],
}

/// Where the sum of points begins and ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds<C: Embedded> {
    pub(crate) seed: Point<C>,
    /// The seed and the result.
    pub(crate) end: Point<C>,
}

/// What the constraints take beside a row: powers `alphas`, `x` and `y` of the seed and of the end, one, and the curve's `a`.
pub(crate) type Constants<F = Fr> = [F; 13];

impl<C: Embedded> Bounds<C> {
    /// Of a seed outside the subgroup and two results, its part there and the opposite of that, the sum has no value: one is at infinity, for the other the
    /// formula says nothing. (notes: ring-seed)
    #[cfg(feature = "prover")]
    pub(crate) fn new(seed: &Point<C>, result: &Point<C>) -> Option<Self> {
        let sum = *seed + result;
        (!sum.z.is_zero()).then(|| Self { seed: *seed, end: sum.into_affine() })
    }

    /// [`Self::new`] of a sum whose third coordinate has this inverse.
    pub(crate) fn from_sum(seed: &Point<C>, sum: &Projective<C>, inverse: Fr) -> Self {
        Self { seed: *seed, end: Point::new_unchecked(sum.x * inverse, sum.y * inverse) }
    }

    pub(crate) fn constants(&self, alphas: &[Fr; 7]) -> Constants {
        let [a, b, c, d, e, f, g] = *alphas;
        let Self { seed, end } = self;
        [a, b, c, d, e, f, g, seed.x, seed.y, end.x, end.y, Fr::one(), C::mul_by_a(Fr::one())]
    }
}

/// The sum of the seven constraints by powers `alphas` at one point.
pub(crate) fn combine<C: Embedded>(
    row: &Row,
    at: &Selectors,
    bounds: &Bounds<C>,
    alphas: &[Fr; 7],
) -> Combined {
    combine_at(row, [at.not_last, at.first, at.last], &bounds.constants(alphas))
}

/// [`combine`] of numbers of any form.
#[inline(always)]
fn combine_at<F: Number>(
    row: &Row<F>,
    [not_last, first, last]: [F; 3],
    constants: &Constants<F>,
) -> Combined<F> {
    let [x2, y2, s, b, ip, x1, y1] = *row;
    let [inner, add_x, add_y, boolean, bound_x, bound_y, bound_ip, seed_x, seed_y, end_x, end_y, one, a] =
        *constants;
    let not_b = one - b;
    let [xx, yy] = [x1 * x2, y1 * y2];
    let [own, other] = [x1 * y1, x2 * y2];
    let constant = boolean * b * not_b
        - not_last
            * (add_x * (b * (own + other) + not_b * x1)
                + add_y * (b * (own - other) + not_b * y1)
                + inner * (ip + b * s))
        + first * (bound_x * (x1 - seed_x) + bound_y * (y1 - seed_y) + bound_ip * ip)
        + last * (bound_x * (x1 - end_x) + bound_y * (y1 - end_y) + bound_ip * (ip - one));
    let shift = [
        not_last * inner,
        not_last * add_x * (b * (yy + a * xx) + not_b),
        not_last * add_y * (b * (x1 * y2 - x2 * y1) + not_b),
    ];
    Combined { constant, shift }
}

/// The quotient's value: of the columns of a row, the three selectors and the factor of [`Domain::at_coset`](crate::Domain::at_coset).
#[cfg(feature = "prover")]
struct Quotient;

#[cfg(feature = "prover")]
impl Formula<11, 13> for Quotient {
    #[inline(always)]
    fn value<F: Number>(here: &[F; 11], next: &[F; 11], constants: &Constants<F>) -> F {
        let [px, py, s, b, ip, x, y, not_last, first, last, factor] = *here;
        let row = [px, py, s, b, ip, x, y];
        let Combined { constant, shift } = combine_at(&row, [not_last, first, last], constants);
        (constant + shift[0] * next[4] + shift[1] * next[5] + shift[2] * next[6]) * factor
    }
}

/// The quotient's values in all rows of a coset. Compiled once, for it depends on no curve.
#[cfg(feature = "prover")]
#[inline(never)]
pub(crate) fn quotient(columns: [&Column; 11], constants: &Constants) -> Column {
    Column::map::<Quotient, 11, 13>(columns, constants)
}
