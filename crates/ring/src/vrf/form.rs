//! The form in which a suite writes points. All arithmetic is in twisted Edwards form: a form is encodings and nothing else.
//!
//! `encode` and `decode` of keys, outputs and proofs are the Edwards form, which is that of most suites. `encode_in` and `decode_in` take the
//! suite's.
//!
//! (notes: ring-forms)

#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use alloc::vec::Vec;

use curve::bandersnatch::{Bandersnatch, weierstrass};
use curve::embedded::{Embedded, Point, decode_point, encode_point};

use super::Suite;
use crate::read::{end, take};
use crate::{Invalid, Key, KeyError};

/// Encodings of points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form<C: Embedded> {
    pub(crate) encode: fn(&Point<C>) -> Vec<u8>,
    /// From the front of bytes.
    pub(crate) read: fn(&mut &[u8]) -> Result<Point<C>, Invalid>,
}

impl<C: Embedded> Form<C> {
    /// 32 bytes: `y` and the sign of `x`.
    pub(crate) const EDWARDS: Self =
        Self { encode: |p| encode_point(p).to_vec(), read: |rest| decode_point(take(rest)?) };
}

impl Form<Bandersnatch> {
    /// 33 bytes: `X` and a byte of flags.
    pub(crate) const WEIERSTRASS: Self = Self {
        encode: |p| weierstrass::encode_point(p).to_vec(),
        read: |rest| weierstrass::decode_point(take(rest)?),
    };
}

impl<C: Embedded> Key<C> {
    /// The bytes of a key as `suite` writes it.
    #[must_use]
    pub fn encode_in(&self, suite: &Suite<C>) -> Vec<u8> {
        suite.encode_point(self.point())
    }

    /// The key of bytes that `suite` writes.
    ///
    /// # Errors
    /// As [`Self::decode`].
    pub fn decode_in(suite: &Suite<C>, bytes: &[u8]) -> Result<Self, KeyError> {
        let mut rest = bytes;
        let point = (suite.form.read)(&mut rest).and_then(|point| end(rest).map(|()| point));
        Self::new(point.map_err(|_| KeyError::Encoding)?)
    }
}
