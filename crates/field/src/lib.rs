//! Fields, extensions and the slice kernels that the hot loops of every scheme go through.
//!
//! Protocol code is written against four traits: [`Field`], [`ExtensionOf`], and for codes [`FoldableCode`] and [`TwoAdic`].
//! SIMD lives behind their slice kernels; no lane is ever seen above this crate. The outside
//! prime-field libraries are named here and nowhere else.
//!
//! (notes: fields-choice)
//!
//! | base | challenge fields | library |
//! |---|---|---|
//! | [`KoalaBear`] | [`KoalaBear4`], [`KoalaBear5`], [`KoalaBear8`] | Plonky3 |
//! | [`Goldilocks`] | [`Goldilocks2`], [`Goldilocks3`] | Plonky3 |
//! | [`Mersenne61x2`] | itself | ours |
//! | [`Bn254`] | itself | arkworks |
//! | [`Tower64`] | [`Gf192`], [`Gf320`] | ours |
//! | [`Tower128`] | [`Gf128`], [`Gf256`] | ours |
//!
//! [`cpu`] detects the instruction sets, for every crate of the workspace. [`mod@blake3`] and [`keccak`] are no fields: kernels of hashes, which
//! are here because `unsafe` is.
#![cfg_attr(not(feature = "prover"), no_std)]

#[macro_use]
extern crate alloc;

pub mod binary;
pub mod blake3;
pub mod cpu;
mod fold;
mod foldable;
pub mod keccak;
mod kernels;
mod once;
pub mod parallel;
mod prime;
mod traits;

#[cfg(any(test, feature = "testing"))]
pub mod laws;

pub use binary::tower::{Tower64, Tower128};
pub use binary::{gf64::Gf64, gf128::Gf128, gf192::Gf192, gf256::Gf256, gf320::Gf320};
pub use fold::FoldFibres;
pub use foldable::{BlockShape, Done, FoldableCode, TwoAdic};
pub use once::Once;
pub use prime::{
    bn254::Bn254,
    goldilocks::{Goldilocks, Goldilocks2, Goldilocks3},
    koala_bear::{KoalaBear, KoalaBear4, KoalaBear5, KoalaBear8},
    mersenne61::Mersenne61x2,
};
pub use traits::{ExtensionOf, Field};
