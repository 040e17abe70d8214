//! Anonymous membership: "one of these keys is mine", in 592 bytes.
//!
//! A ring is a list of keys, points of Bandersnatch or of another curve inside BLS12-381's scalar field ([`Embedded`]). A proof shows for a point `R` that `R = key + t H` for a key of the ring and a
//! `t` that the prover knows, and says nothing of which. **That holds if no member chose its key as a function of `H` and the seed**: keys of
//! strangers come with a [proof of possession](vrf::Possession), see [`Ring::append_proven`]. The proofs are byte-compatible with
//! w3f-ring-proof 0.0.11; with [`vrf`] they are the ring signatures of ark-vrf 0.6.1.
//!
//! | module | what |
//! |---|---|
//! | [`Params`], [`Domain`], [`Bases`] | what prover and verifier agree on |
//! | [`Bandersnatch`], [`Jubjub`] | curves of keys; [`Domain::on`] and [`vrf::Suite`] choose one |
//! | [`Setup`], [`kzg`] | powers of a secret, prepared for a domain; the core of [`pcs::kzg`] |
//! | [`Ring`], [`Key`], [`Commitment`], [`VerifierKey`] | members, and what a verifier needs of them |
//! | [`Prover`], [`Verifier`], [`Batch`], [`Proof`] | proofs |
//! | [`vrf`] | linkable: the Pedersen VRF whose blinded key is `R` |
//!
//! (notes: ring)

#![forbid(unsafe_code)]

mod batch;
mod cache;
mod check;
mod commitment;
mod constraints;
mod domain;
mod error;
mod key;
#[cfg(test)]
mod lies;
mod members;
mod params;
mod proof;
mod prover;
mod read;
mod setup;
#[cfg(test)]
mod tests;
mod transcript;
mod verifier;
pub mod vrf;

pub use batch::{Batch, Rejected};
pub use commitment::{Commitment, VerifierKey};
pub use curve::Invalid;
pub use curve::bandersnatch::{Bandersnatch, SCALAR_BITS};
pub use curve::embedded::Embedded;
pub use curve::jubjub::Jubjub;
pub use domain::{Domain, ZK_ROWS};
pub use error::{Error, KeyError};
pub use key::Key;
pub use members::{Duplicates, Ring};
pub use params::{Bases, Params};
pub use pcs::kzg;
pub use proof::Proof;
pub use prover::Prover;
pub use setup::Setup;
pub use verifier::Verifier;
