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
use curve::embedded::{Embedded, Point, times_minus_a};

/// Values of the columns `px, py, s, b, ip, x, y`, the order of a proof.
pub(crate) type Row = [Fr; 7];

/// The combination of the constraints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Combined {
    pub(crate) constant: Fr,
    /// The factors of `ip`, `x` and `y` in the next row.
    pub(crate) shift: [Fr; 3],
}

/// Where the sum of points begins and ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds<C: Embedded> {
    pub(crate) seed: Point<C>,
    /// The seed and the result.
    pub(crate) end: Point<C>,
}

/// The sum of the seven constraints by powers `alphas` at one point.
pub(crate) fn combine<C: Embedded>(
    row: &Row,
    at: &Selectors,
    bounds: &Bounds<C>,
    alphas: &[Fr; 7],
) -> Combined {
    let [x2, y2, s, b, ip, x1, y1] = *row;
    let [inner, add_x, add_y, boolean, bound_x, bound_y, bound_ip] = *alphas;
    let not_b = Fr::one() - b;
    let [xx, yy] = [x1 * x2, y1 * y2];
    let [own, other] = [x1 * y1, x2 * y2];
    let constant = at.not_last
        * (add_x * (-(b * (own + other)) - not_b * x1) + add_y * (b * (other - own) - not_b * y1)
            - inner * (ip + b * s))
        + boolean * b * not_b
        + at.first * (bound_x * (x1 - bounds.seed.x) + bound_y * (y1 - bounds.seed.y) + bound_ip * ip)
        + at.last
            * (bound_x * (x1 - bounds.end.x) + bound_y * (y1 - bounds.end.y) + bound_ip * (ip - Fr::one()));
    let shift = [
        at.not_last * inner,
        at.not_last * add_x * (b * (yy - times_minus_a::<C, _>(xx)) + not_b),
        at.not_last * add_y * (b * (x1 * y2 - x2 * y1) + not_b),
    ];
    Combined { constant, shift }
}
