//! The two kinds of errors of this crate.
//!
//! A third kind is no error value: the prover `assert!`s what its caller promised.

use alloc::string::String;

/// A proof or message is rejected; opaque, with a static reason for logs and tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid proof: {0}")]
pub struct Invalid(pub &'static str);

/// A constructor refuses parameters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("bad parameters: {0}")]
pub struct ParamError(pub String);
