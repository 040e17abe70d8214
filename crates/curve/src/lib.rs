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
//! `unsafe` is in three modules: `ffi` (blst, and prefetches), `ifma` and `avx2` (vector instructions).

#![deny(unsafe_code)]

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2;
pub mod bandersnatch;
pub mod bls12_381;
pub mod bn254;
pub mod columns;
pub mod ct;
mod decode;
pub mod embedded;
#[allow(unsafe_code)]
mod ffi;
pub mod fft;
pub mod grumpkin;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod ifma;
mod inverse;
pub mod jubjub;
mod limbs;
pub mod msm;
pub mod pairing;
pub mod points;
pub mod srs;
#[cfg(test)]
mod tests;

pub use ark_ec::short_weierstrass::{Affine, Projective};
pub use ark_ec::{AffineRepr, CurveConfig, CurveGroup, PrimeGroup};
pub use ark_ff::{AdditiveGroup, BigInteger, FftField, Field, One, PrimeField, Zero, batch_inversion};
pub use ark_serialize::CanonicalSerialize;

/// Bytes that are refused, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Invalid(pub &'static str);
