//! Ring signatures with a tag, the VRF of a member, without saying which; and the VRF of a key that is named ([`Thin`], [`Tiny`]).
//!
//! ```text
//!   input    I = hash_to_curve(message)
//!   output   O = sk I                       the tag: the same for the same key and input, whatever the ring
//!   Pedersen Yb = sk G + t H, and a proof that O and Yb are of one sk
//!   ring     Yb = key + t H for a key of the ring
//! ```
//! 784 bytes: output 32, Pedersen proof 160, ring proof 592. As ark-vrf 0.6.1 makes and verifies them; with [`Suite::jam`] as 0.1.0. Points in
//! Weierstrass form ([`Suite::bandersnatch_sw`]) have 33 bytes, a signature 788.
//!
//! | type | whose outputs | bytes |
//! |---|---|---|
//! | [`Signature`] | of a member of a ring, who is not named | 784 |
//! | [`Pedersen`] | of a key that is blinded | 160 |
//! | [`Thin`] | of a key; many at once by `ThinBatch` | 64 |
//! | [`Tiny`] | of a key | 48 |
//!
//! (notes: ring-vrf)

#[cfg(feature = "prover")]
mod batch;
mod combine;
mod define;
mod form;
mod hash;
mod membership;
mod name;
mod pairs;
mod pedersen;
mod possession;
#[cfg(feature = "prover")]
mod prove;
#[cfg(feature = "prover")]
mod secret;
mod signature;
mod single;
mod suite;
#[cfg(feature = "prover")]
mod terms;
#[cfg(test)]
mod tests;
#[cfg(feature = "prover")]
mod thin_batch;
mod to_curve;

#[cfg(feature = "prover")]
pub use batch::{SignatureBatch, Statement};
pub use define::{ChallengeHash, SuiteParams};
pub use form::Form;
pub use membership::Membership;
pub use name::SuiteName;
pub use pedersen::Pedersen;
pub use possession::Possession;
#[cfg(feature = "prover")]
pub use secret::Secret;
pub use signature::{Input, Output, Signature};
pub use single::{SignerProof, Thin, Tiny};
pub use suite::Suite;
#[cfg(feature = "prover")]
pub use thin_batch::{ThinBatch, ThinStatement};
pub use to_curve::HashToCurve;
