//! What prover and verifier agree on: label, three points, domain.

use std::borrow::Cow;

use crate::{Domain, Error, KeyError};
use curve::AffineRepr;
use curve::bandersnatch::Point;

/// The label and the points of a family of ring proofs. Nobody may know how the points depend on each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bases {
    label: Cow<'static, [u8]>,
    blinding: Point,
    seed: Point,
    padding: Point,
}

impl Bases {
    /// The transcript's `label`, the base `H` of the `blinding`, the `seed` where the sum begins, the `padding` of empty slots.
    ///
    /// # Errors
    /// If two points are the same, or one is the identity or no point of the subgroup. The seed may be any other point of
    /// the curve: there is a family where it is outside the subgroup.
    pub fn new(
        label: impl Into<Cow<'static, [u8]>>,
        blinding: Point,
        seed: Point,
        padding: Point,
    ) -> Result<Self, Error> {
        let known = |p: &Point| p.is_on_curve() && !p.is_zero();
        if !(known(&blinding) && known(&seed) && known(&padding)) {
            return Err(Error::Bases("a point is not on the curve, or the identity"));
        }
        if !(blinding.is_in_correct_subgroup_assuming_on_curve()
            && padding.is_in_correct_subgroup_assuming_on_curve())
        {
            return Err(Error::Bases("a point is outside the subgroup"));
        }
        if blinding == seed || blinding == padding || seed == padding {
            return Err(Error::Bases("two points are the same"));
        }
        Ok(Self { label: label.into(), blinding, seed, padding })
    }

    /// The label of the transcript.
    #[must_use]
    pub fn label(&self) -> &[u8] {
        &self.label
    }

    /// `H`.
    pub fn blinding(&self) -> &Point {
        &self.blinding
    }

    /// Where the sum of points begins.
    pub fn seed(&self) -> &Point {
        &self.seed
    }

    /// What empty slots hold.
    pub fn padding(&self) -> &Point {
        &self.padding
    }

    /// Whether a point can be a key.
    ///
    /// # Errors
    /// If it is the identity, one of the bases, or no point of the subgroup.
    pub fn check_key(&self, key: &Point) -> Result<(), KeyError> {
        if key.is_zero() {
            Err(KeyError::Identity)
        } else if !key.is_on_curve() {
            Err(KeyError::OffCurve)
        } else if *key == self.seed {
            Err(KeyError::Seed)
        } else if *key == self.padding {
            Err(KeyError::Padding)
        } else if *key == self.blinding {
            Err(KeyError::BlindingBase)
        } else if key.is_in_correct_subgroup_assuming_on_curve() {
            Ok(())
        } else {
            Err(KeyError::Subgroup)
        }
    }
}

/// Bases and domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    /// Label and points.
    pub bases: Bases,
    /// Rows.
    pub domain: Domain,
}
