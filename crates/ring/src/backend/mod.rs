//! Curves by arkworks alone, under the names of the curve crate.

pub mod bandersnatch;
pub mod bls12_381;
pub mod msm;
pub mod pairing;
pub mod srs;

pub use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};
pub use ark_ff::{AdditiveGroup, BigInteger, FftField, Field, One, PrimeField, Zero};

/// Bytes that are refused, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Invalid(pub &'static str);
