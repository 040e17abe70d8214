//! Sums of multiples of points, by arkworks: for verifiers without the standard library.

use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ec::{CurveConfig, VariableBaseMSM};

/// Points and as many scalars.
pub type Terms<'a, C> = (&'a [Affine<C>], &'a [<C as CurveConfig>::ScalarField]);

/// Several sums, each over its own points, of the subgroup. Not constant time.
///
/// # Panics
/// If a sum has not as many scalars as points.
pub fn sums<C: SWCurveConfig, const N: usize>(parts: [Terms<'_, C>; N]) -> [Projective<C>; N] {
    parts.map(|(points, scalars)| {
        assert_eq!(points.len(), scalars.len(), "as many scalars as points");
        Projective::msm_unchecked(points, scalars)
    })
}
