//! Keys that were checked.

use alloc::vec::Vec;

use curve::AffineRepr;
use curve::bandersnatch::Bandersnatch;
use curve::embedded::{Embedded, Point, decode_point, encode_point};

use crate::{Error, KeyError};

/// A key: a point of the subgroup that is not the identity.
///
/// The check is paid for once, where a key comes in; rings take keys that were checked. What a ring refuses besides depends on its
/// bases and members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key<C: Embedded = Bandersnatch> {
    point: Point<C>,
    bytes: [u8; Key::BYTES],
}

impl Key {
    /// Bytes of a key, on whatever curve.
    pub const BYTES: usize = 32;
}

impl<C: Embedded> Key<C> {
    /// The key of a point. Cost: a few µs, on Bandersnatch.
    ///
    /// # Errors
    /// If it is the identity, not on the curve or outside the subgroup.
    pub fn new(point: Point<C>) -> Result<Self, KeyError> {
        if !point.is_on_curve() {
            Err(KeyError::OffCurve)
        } else if !C::in_subgroup(&point) {
            Err(KeyError::Subgroup)
        } else {
            Self::inside(point)
        }
    }

    /// The keys of points.
    ///
    /// # Errors
    /// For the first point that is none: which, and why.
    pub fn all(points: &[Point<C>]) -> Result<Vec<Self>, Error> {
        let key = |(at, point): (usize, &Point<C>)| Self::new(*point).map_err(|why| Error::Key { at, why });
        points.iter().enumerate().map(key).collect()
    }

    /// The key of 32 bytes. Cost: a square root and the check.
    ///
    /// # Errors
    /// If they are not the encoding of a point of the subgroup, or are that of the identity.
    pub fn decode(bytes: &[u8; Key::BYTES]) -> Result<Self, KeyError> {
        Self::inside(decode_point(bytes).map_err(|_| KeyError::Encoding)?)
    }

    /// The key of a point that is known to be in the subgroup.
    pub(crate) fn inside(point: Point<C>) -> Result<Self, KeyError> {
        if point.is_zero() {
            Err(KeyError::Identity)
        } else {
            Ok(Self { point, bytes: encode_point(&point) })
        }
    }

    /// The 32 bytes.
    #[must_use]
    pub fn encode(&self) -> [u8; Key::BYTES] {
        self.bytes
    }

    /// The point.
    pub fn point(&self) -> &Point<C> {
        &self.point
    }
}
