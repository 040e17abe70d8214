//! The curves of the ring proofs: groups, checked encodings, sums of multiples of points, setups.
//!
//! | module | what |
//! |---|---|
//! | [`bls12_381`], [`bn254`], [`bandersnatch`], [`jubjub`] | elements and their checked encodings |
//! | [`embedded`] | what the last two have in common: curves inside BLS12-381's scalar field |
//! | [`grumpkin`] | the curve over BN254's scalar field |
//! | [`ct`] | multiples, sums and choices for secrets, in constant time |
//! | [`columns`] | transforms, values, quotients, formulas over BLS12-381's scalar field, in constant time |
//! | [`fft`] | transforms of long vectors over the pairing curves' scalar fields |
//! | [`pairing`] | products of pairings; a pairing curve as one type |
//! | [`msm`] | sums of multiples in both groups: over fixed bases with tables, over many bases without, over any points |
//! | [`points`] | lists of points in files |
//! | [`srs`] | powers of a secret, from files; the basis of a domain's Lagrange polynomials |
//! | [`number`], [`scalar`] | what formulas compute with; numbers of many bytes reduced |
//!
//! Without the feature `prover`: what verifiers of ring proofs take, without the standard library, threads, blst or vectors. That is elements and encodings, pairings over
//! BLS12-381 and sums, by arkworks where it is blst otherwise.
//!
//! The types are those of arkworks, the outside curve libraries are named here and nowhere else. Where blst is faster and gives
//! the same bytes it does the work. Sums over fixed bases have implementations for AVX-512 IFMA and for AVX2.
//!
//! # What is constant time
//! **[`ct`], [`grumpkin::ct`] and [`columns`], and nothing else.** arkworks' fields branch in their final subtractions, which a clock sees; [`msm`] sorts points by digits of the scalars, so that its time and
//! its memory accesses depend on them; decoding and pairings are for public values. Whoever commits to secrets masks them: a commitment is
//! linear, so that `sum(s) = sum(s + r) - sum(r)`, and with a uniform `r` whose sum was made before, the time of the first
//! sum says nothing of `s`. What a sum leaves in memory is overwritten behind it.
//!
//! `unsafe` is in three modules, all of the feature `prover`: `ffi` (blst, and prefetches), `ifma` and `avx2` (vector instructions).

#![cfg_attr(not(feature = "prover"), no_std)]
#![deny(unsafe_code)]

extern crate alloc;

#[cfg(all(target_arch = "x86_64", feature = "prover"))]
#[allow(unsafe_code)]
mod avx2;
pub mod bandersnatch;
pub mod bls12_381;
#[cfg(feature = "prover")]
pub mod bn254;
#[cfg(feature = "prover")]
pub mod columns;
#[cfg(feature = "prover")]
pub mod ct;
mod decode;
pub mod embedded;
#[cfg(all(test, feature = "prover"))]
#[path = "msm/few_terms.rs"]
mod few_terms;
#[cfg(feature = "prover")]
#[allow(unsafe_code)]
mod ffi;
#[cfg(feature = "prover")]
pub mod fft;
#[cfg(feature = "prover")]
pub mod grumpkin;
#[cfg(all(target_arch = "x86_64", feature = "prover"))]
#[allow(unsafe_code)]
mod ifma;
mod inverse;
pub mod jubjub;
#[cfg(feature = "prover")]
mod limbs;
#[cfg(feature = "prover")]
pub mod msm;
#[cfg(not(feature = "prover"))]
#[path = "msm/few_terms.rs"]
pub mod msm;
pub mod number;
pub mod pairing;
#[cfg(feature = "prover")]
pub mod points;
#[cfg(any(test, not(feature = "prover")))]
mod portable;
pub mod scalar;
#[cfg(feature = "prover")]
pub mod srs;
#[cfg(test)]
mod tests;

#[cfg(not(feature = "prover"))]
use portable as ffi;

pub use ark_ec::short_weierstrass::{Affine, Projective};
pub use ark_ec::{AffineRepr, CurveConfig, CurveGroup, PrimeGroup};
pub use ark_ff::{AdditiveGroup, BigInteger, FftField, Field, One, PrimeField, Zero, batch_inversion};
pub use ark_serialize::CanonicalSerialize;

/// Bytes that are refused, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Invalid(pub &'static str);
