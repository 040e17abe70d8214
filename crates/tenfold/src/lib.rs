//! Polynomial commitments with their fields and schemes chosen at run time, and the verifier of files.
//!
//! [`any::AnyScheme`] is a scheme of [`pcs`] with its types hidden: each pair of scheme and fields is compiled once, here, and what every front
//! end, binding and service calls. [`verify()`] judges proof files of any scheme. Without the feature `prover` (default) there are the verifiers alone, without the standard library.
#![cfg_attr(not(feature = "prover"), no_std)]
#![forbid(unsafe_code)]

#[macro_use]
extern crate alloc;

pub mod any;
pub mod dataset;
pub mod longest;
pub mod statement;
pub mod verify;

pub use any::AnyScheme;
pub use pcs;
pub use verify::verify;
