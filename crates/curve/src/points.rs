//! Lists of points in files: two coordinates each, as arkworks writes field elements (little-endian), the identity as zeros.
//!
//! A point has one encoding: coordinates are reduced, and no point of the curves has coordinates that are both zero.

use ark_ec::AffineRepr;
use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use ark_ff::{AdditiveGroup, Zero};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};
use field::parallel;

use crate::Invalid;

/// Bytes of a point.
#[must_use]
pub fn size<C: SWCurveConfig>() -> usize {
    2 * C::BaseField::ZERO.uncompressed_size()
}

/// Appends points.
pub fn write<C: SWCurveConfig>(points: &[Affine<C>], bytes: &mut Vec<u8>) {
    for p in points {
        let (x, y) = p.xy().unwrap_or((C::BaseField::ZERO, C::BaseField::ZERO));
        x.serialize_uncompressed(&mut *bytes).expect("memory");
        y.serialize_uncompressed(&mut *bytes).expect("memory");
    }
}

/// The points of bytes, on the curve and not necessarily in the subgroup. On all threads of the current pool.
///
/// # Errors
/// If the bytes are not a whole number of points of the curve.
pub fn read<C: SWCurveConfig>(bytes: &[u8]) -> Result<Vec<Affine<C>>, Invalid> {
    let size = size::<C>();
    if !bytes.len().is_multiple_of(size) {
        return Err(Invalid("a piece of a point"));
    }
    let parts = parallel::map(bytes.chunks(256 * size), some);
    Ok(parts.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
}

/// The points of some bytes, of which there are a whole number, on this thread.
pub(crate) fn some<C: SWCurveConfig>(bytes: &[u8]) -> Result<Vec<Affine<C>>, Invalid> {
    bytes.chunks(size::<C>()).map(point).collect()
}

fn point<C: SWCurveConfig>(bytes: &[u8]) -> Result<Affine<C>, Invalid> {
    let (x, y) = bytes.split_at(bytes.len() / 2);
    let number = |bytes| {
        C::BaseField::deserialize_uncompressed(bytes).map_err(|_| Invalid("a coordinate that is not reduced"))
    };
    let (x, y) = (number(x)?, number(y)?);
    if x.is_zero() && y.is_zero() {
        return Ok(Affine::zero());
    }
    let point = Affine::new_unchecked(x, y);
    if point.is_on_curve() { Ok(point) } else { Err(Invalid("no point of the curve")) }
}
