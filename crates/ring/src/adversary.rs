//! Malicious provers of tests: each is honest but for one deviation, and consistent with its own transcript afterwards. And a verifier that forgives what they
//! deviate in, which shows that a witness breaks nothing else.

use curve::bls12_381::{Fr, G1};
use curve::columns::Column;
use curve::embedded::{Embedded, Point};
use curve::{AffineRepr, CurveGroup, One, Zero};

use crate::constraints::Row;
use crate::prover::Script;
use crate::setup::Coset;
use crate::{Invalid, Proof, Verifier};

/// One deviation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deviation {
    /// The quotient that is committed to is off by a constant.
    Quotient,
    /// The value of this column at `zeta` is off by one.
    Value(usize),
    /// The value of the linear part at `zeta w` is off by one.
    Shifted,
    /// The opening at `zeta` is another point.
    Opening,
    /// The opening at `zeta w` is another point.
    ShiftedOpening,
    /// The combination leaves out this constraint.
    Forgiven(usize),
}

impl Deviation {
    /// 1 if this is the deviation, 0 if not.
    fn is(self, other: Self) -> Fr {
        if self == other { Fr::one() } else { Fr::zero() }
    }

    /// A point, or another one if this is the deviation.
    fn moves(self, other: Self, point: G1) -> G1 {
        (point + G1::generator() * self.is(other)).into_affine()
    }
}

impl Script for Deviation {
    fn factors(&self, alphas: [Fr; 7]) -> [Fr; 7] {
        core::array::from_fn(|i| alphas[i] * (Fr::one() - self.is(Self::Forgiven(i))))
    }

    fn quotient(&self, quotient: Column, coset: &Coset) -> Column {
        Column::sum([(Fr::one(), &quotient), (self.is(Self::Quotient), &coset.constant(&Fr::one()))])
    }

    fn values(&self, values: Row) -> Row {
        core::array::from_fn(|i| values[i] + self.is(Self::Value(i)))
    }

    fn shifted(&self, value: Fr) -> Fr {
        value + self.is(Self::Shifted)
    }

    fn openings(&self, [opening, shifted]: [G1; 2]) -> [G1; 2] {
        [self.moves(Self::Opening, opening), self.moves(Self::ShiftedOpening, shifted)]
    }
}

/// [`Verifier::verify`] of a blinded key in the subgroup or not, by the factors of a script: many deviations end outside, and are to be refused for
/// themselves.
pub(crate) fn verify_anywhere<C: Embedded>(
    verifier: &Verifier<C>,
    result: &Point<C>,
    proof: &Proof,
    script: &impl Script,
) -> Result<(), Invalid> {
    if !result.is_on_curve() {
        return Err(Invalid("the blinded key is not on the curve"));
    }
    let mut transcript = verifier.prelude.clone();
    let alphas = script.factors(transcript.columns(result, &proof.columns));
    verifier.hold(verifier.openings_by(&alphas, result, proof, transcript)?)
}
