//! Polynomial commitment schemes. Each lives in a module of its own with the same parts: `Params`, a verifier
//! (`Scheme`) that holds validated parameters, a `Prover`, and the verbs commit, open, verify.
#![cfg_attr(not(feature = "prover"), no_std)]
#![forbid(unsafe_code)]

#[macro_use]
extern crate alloc;

pub mod air;
pub mod baseline;
pub mod claims;
pub mod deepfold;
pub mod fields;
pub mod file;
#[cfg(feature = "kzg")]
pub mod kzg;
pub mod ligerito;
pub mod matrix;
pub mod pip;
pub mod product;
pub mod ring_switching;
pub mod scheme;
pub mod virgo;
pub mod weighted;

pub use claims::Claims;
pub use field;
pub use iop;
pub use iop::codec;
