//! What prover and verifier agree on: label, three points, domain.

use alloc::borrow::Cow;

use crate::{Domain, Error, Key, KeyError};
use curve::bandersnatch::Bandersnatch;
use curve::embedded::{Embedded, Point};
use curve::{AffineRepr, Zero};

/// The label and the points of a family of ring proofs. Nobody may know how the points depend on each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bases<C: Embedded = Bandersnatch> {
    label: Cow<'static, [u8]>,
    blinding: Point<C>,
    seed: Point<C>,
    padding: Point<C>,
}

impl<C: Embedded> Bases<C> {
    /// The transcript's `label`, the base `H` of the `blinding`, the `seed` where the sum begins, the `padding` of empty slots.
    ///
    /// # Errors
    /// If two points are the same or opposites, or one is the identity or no point of the subgroup, or has no sum with the seed. The seed may be outside if the curve says so ([`Embedded::fits_seed`]); from
    /// another seed a sum can meet a key that is not the seed and for which an addition's constraint says nothing.
    pub fn new(
        label: impl Into<Cow<'static, [u8]>>,
        blinding: Point<C>,
        seed: Point<C>,
        padding: Point<C>,
    ) -> Result<Self, Error> {
        let known = |p: &Point<C>| p.is_on_curve() && !p.is_zero();
        if !(known(&blinding) && known(&seed) && known(&padding)) {
            return Err(Error::Bases("a point is not on the curve, or the identity"));
        }
        if !(C::in_subgroup(&blinding) && C::fits_seed(&seed) && C::in_subgroup(&padding)) {
            return Err(Error::Bases("a point is outside the subgroup"));
        }
        if blinding == seed || blinding == padding || seed == padding {
            return Err(Error::Bases("two points are the same"));
        }
        // With a padding of -H the blinded key of the secret 0 is that of an empty slot.
        if blinding == -seed || blinding == -padding || seed == -padding {
            return Err(Error::Bases("two points are opposites"));
        }
        // What the same and opposite points are to a seed in the subgroup.
        if has_no_sum(&seed, &blinding) || has_no_sum(&seed, &padding) {
            return Err(Error::Bases("the seed has no sum with another point"));
        }
        Ok(Self { label: label.into(), blinding, seed, padding })
    }

    /// The label of the transcript.
    #[must_use]
    pub fn label(&self) -> &[u8] {
        &self.label
    }

    /// `H`.
    pub fn blinding(&self) -> &Point<C> {
        &self.blinding
    }

    /// Where the sum of points begins.
    pub fn seed(&self) -> &Point<C> {
        &self.seed
    }

    /// What empty slots hold.
    pub fn padding(&self) -> &Point<C> {
        &self.padding
    }

    /// Whether a key can be in a ring with these bases.
    ///
    /// # Errors
    /// If it is one of them.
    pub fn check_key(&self, key: &Key<C>) -> Result<(), KeyError> {
        let point = key.point();
        if *point == self.seed || has_no_sum(&self.seed, point) {
            Err(KeyError::Seed)
        } else if *point == self.padding {
            Err(KeyError::Padding)
        } else if *point == self.blinding {
            Err(KeyError::BlindingBase)
        } else {
            Ok(())
        }
    }
}

/// Returns true for a point of the subgroup that a seed outside of it cannot be added to: the seed's part there, and its opposite. (notes: ring-seed)
fn has_no_sum<C: Embedded>(seed: &Point<C>, point: &Point<C>) -> bool {
    (*seed + point).z.is_zero()
}

/// Bases and domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params<C: Embedded = Bandersnatch> {
    /// Label and points.
    pub bases: Bases<C>,
    /// Rows.
    pub domain: Domain,
}
