//! Suites that files can name, and the curves of their keys.
//!
//! A file's suite says on which curve its keys are. [`SuiteId::suite`] is where that is decided; what follows is generic over the curve, and compiled
//! here, so that the types of [`file`](super) have no curve as a parameter.

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic, clippy::as_conversions)]

use super::FileError;
use crate::vrf::{Signature, Suite, SuiteName};
use crate::{Domain, Error};
use curve::bandersnatch::weierstrass;
use curve::embedded::Embedded;
use curve::jubjub::Jubjub;

/// One of two values, by the curve of the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnCurve<B, J> {
    /// With keys on Bandersnatch.
    Bandersnatch(B),
    /// With keys on Jubjub.
    Jubjub(J),
}

/// Evaluates an expression for the value on either curve. (A function would take the expression twice, once for each type.)
macro_rules! on_curve {
    ($value:expr, $name:ident => $body:expr) => {
        match $value {
            $crate::file::OnCurve::Bandersnatch($name) => $body,
            $crate::file::OnCurve::Jubjub($name) => $body,
        }
    };
}

/// [`on_curve`] for an expression whose type is of the curve.
macro_rules! map_curve {
    ($value:expr, $name:ident => $body:expr) => {
        match $value {
            $crate::file::OnCurve::Bandersnatch($name) => $crate::file::OnCurve::Bandersnatch($body),
            $crate::file::OnCurve::Jubjub($name) => $crate::file::OnCurve::Jubjub($body),
        }
    };
}

pub(super) use {map_curve, on_curve};

/// A suite that files can name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SuiteId {
    /// [`Suite::v1`].
    #[default]
    V1,
    /// [`Suite::v2`].
    V2,
    /// [`Suite::shake128`].
    Shake128,
    /// [`Suite::jam`].
    Jam,
    /// [`Suite::bandersnatch_sw`].
    BandersnatchSw,
    /// [`Suite::jubjub`].
    Jubjub,
}

impl SuiteId {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::V1, Self::V2, Self::Shake128, Self::Jam, Self::BandersnatchSw, Self::Jubjub];

    /// The suite.
    #[must_use]
    pub fn suite(self) -> OnCurve<&'static Suite, &'static Suite<Jubjub>> {
        match self {
            Self::V1 => OnCurve::Bandersnatch(Suite::v1()),
            Self::V2 => OnCurve::Bandersnatch(Suite::v2()),
            Self::Shake128 => OnCurve::Bandersnatch(Suite::shake128()),
            Self::Jam => OnCurve::Bandersnatch(Suite::jam()),
            Self::BandersnatchSw => OnCurve::Bandersnatch(Suite::bandersnatch_sw()),
            Self::Jubjub => OnCurve::Jubjub(Suite::jubjub()),
        }
    }

    /// The number in files.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::V1 => 0,
            Self::V2 => 1,
            Self::Shake128 => 2,
            Self::Jam => 3,
            Self::BandersnatchSw => 4,
            Self::Jubjub => 5,
        }
    }

    /// The suite with a number.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|suite| suite.number() == number)
    }

    /// [`Self::from_number`] of a number in a file.
    pub(super) fn read(number: u8) -> Result<Self, FileError> {
        Self::from_number(number).ok_or(FileError::Suite(number))
    }

    /// The identifier that signatures are made with.
    #[must_use]
    pub fn name(self) -> &'static str {
        let name = match self {
            Self::V1 => SuiteName::V1,
            Self::V2 => SuiteName::V2,
            Self::Shake128 => SuiteName::Shake128,
            Self::Jam => SuiteName::Jam,
            Self::BandersnatchSw => SuiteName::BandersnatchSw,
            Self::Jubjub => SuiteName::Jubjub,
        };
        name.as_str()
    }

    /// Bytes of a key, and of every other point of its curve: 32, and 33 of the suite in Weierstrass form.
    #[must_use]
    pub fn point_bytes(self) -> usize {
        match self {
            Self::BandersnatchSw => weierstrass::BYTES,
            Self::V1 | Self::V2 | Self::Shake128 | Self::Jam | Self::Jubjub => 32,
        }
    }

    /// Bytes of a signature: 784, and 788 of the suite in Weierstrass form.
    #[must_use]
    pub fn signature_bytes(self) -> usize {
        // The tag, and three points of the Pedersen proof.
        Signature::BYTES + 4 * (self.point_bytes() - 32)
    }

    /// The domain of so many rows, for keys on the suite's curve.
    ///
    /// # Errors
    /// As [`Domain::on`].
    pub fn domain(self, rows: usize) -> Result<Domain, Error> {
        fn on<C: Embedded>(_: &Suite<C>, rows: usize) -> Result<Domain, Error> {
            Domain::on::<C>(rows)
        }
        on_curve!(self.suite(), suite => on(suite, rows))
    }

    /// The smallest domain for rings of so many members.
    ///
    /// # Errors
    /// If there is none.
    pub fn domain_for(self, members: usize) -> Result<Domain, Error> {
        fn on<C: Embedded>(_: &Suite<C>, members: usize) -> Result<Domain, Error> {
            Domain::for_members_on::<C>(members)
        }
        on_curve!(self.suite(), suite => on(suite, members))
    }
}
