//! The common part of the baselines, against which the other schemes are measured: one code, words that are folded by two over a prime field, and
//! positions that are drawn once. [`deepfold`](crate::deepfold) and [`virgo`](crate::virgo) add what is proven of the words.
//!
//! ```text
//!  Params<S>: sizes, rate, queries, and what S adds ─► Scheme<S, B, E>: validated ─► word 0 ─fold─► word 1 ─► .. ─► final message
//! ```

#[cfg(feature = "prover")]
mod codeword;
pub(crate) mod params;
#[cfg(feature = "prover")]
mod prover;
mod search;
mod verifier;

pub use params::{Baseline, Labels, Limits, Params};
#[cfg(feature = "prover")]
pub use prover::Prover;
pub use search::Target;
pub(crate) use verifier::{Links, Words};
pub use verifier::{Scheme, Steps};
