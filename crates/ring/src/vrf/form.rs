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
use core::fmt::{self, Debug, Formatter};

use curve::bandersnatch::{Bandersnatch, weierstrass};
use curve::embedded::{self, Embedded, Point, decode_point, encode_point};

use super::Suite;
use crate::read::{end, take};
use crate::{Invalid, Key, KeyError};

/// The encodings of points in a suite.
#[derive(Clone, Copy)]
pub struct Form<C: Embedded = Bandersnatch> {
    name: &'static str,
    pub(super) encode: fn(&Point<C>) -> Vec<u8>,
    /// From the front of bytes.
    pub(super) read: fn(&mut &[u8]) -> Result<Point<C>, Invalid>,
    /// The point, times the cofactor, that 32 random bytes name.
    pub(super) candidate: fn(&[u8; 32]) -> Option<Point<C>>,
}

impl<C: Embedded> Form<C> {
    /// Twisted Edwards form in 32 bytes: `y` and the sign of `x`.
    pub const EDWARDS: Self = Self {
        name: "EDWARDS",
        encode: |p| encode_point(p).to_vec(),
        read: |rest| decode_point(take(rest)?),
        candidate: embedded::candidate,
    };
}

impl Form<Bandersnatch> {
    /// Short Weierstrass form in 33 bytes: `X` and a byte of flags.
    pub const WEIERSTRASS: Self = Self {
        name: "WEIERSTRASS",
        encode: |p| weierstrass::encode_point(p).to_vec(),
        read: |rest| weierstrass::decode_point(take(rest)?),
        candidate: weierstrass::candidate,
    };
}

impl<C: Embedded> Debug for Form<C> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl<C: Embedded> PartialEq for Form<C> {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl<C: Embedded> Eq for Form<C> {}

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
        Self::inside(point.map_err(|_| KeyError::Encoding)?)
    }
}
