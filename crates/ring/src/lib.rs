//! Anonymous membership: "one of these keys is mine", in 592 bytes.
//!
//! A ring is a list of keys, points of Bandersnatch or of another curve inside BLS12-381's scalar field ([`Embedded`]). A proof shows for a point `R` that `R = key + t H` for a key of the ring and a
//! `t` that the prover knows, and says nothing of which. **That holds if no member chose its key as a function of `H` and the seed**: keys of
//! strangers come with a [proof of possession](vrf::Possession), see [`Ring::append_proven`]. The proofs are byte-compatible with
//! w3f-ring-proof 0.0.11; with [`vrf`] they are the ring signatures of ark-vrf 0.6.1.
//!
//! ```
//! use std::sync::Arc;
//! use ring_proof::vrf::{Possession, Secret, Signature, SignatureBatch, Statement, Suite};
//! use ring_proof::{Domain, Error, Prover, Rejected, Ring, Setup, Srs, Verifier};
//!
//! // Everybody: the suite, and the setup of Zcash's ceremony prepared for 512 rows.
//! let suite = Suite::v1();
//! let setup = Arc::new(Setup::new(Srs::zcash(), Domain::new(512)?)?);
//!
//! // Members: a secret, and the public key with a proof that its secret is known.
//! let secrets = (0..4).map(|_| Secret::generate(suite)).collect::<Result<Vec<_>, _>>()?;
//! let keys: Vec<_> =
//!     secrets.iter().map(|s| Ok((s.key(), Possession::prove(suite, s, b"club")?))).collect::<Result<_, Error>>()?;
//!
//! // Whoever makes the ring: 144 bytes stand for it.
//! let mut ring = Ring::new(&setup, suite.bases());
//! ring.append_proven(&setup, suite, &keys, b"club")?;
//! let commitment = ring.commitment();
//!
//! // The member in slot 2 signs. The tag `output` is the same for all that they sign in this context.
//! let prover = Prover::new(&setup, &ring)?;
//! let context = suite.input(b"vote 7")?;
//! let signature = Signature::new(suite, (&prover, 2), &secrets[2], &context, b"yes")?;
//! let bytes = signature.encode();
//! assert_eq!(bytes.len(), 784);
//!
//! // A verifier.
//! let verifier = Verifier::new(ring.params(), setup.key(), &commitment);
//! let signature = Signature::decode(&bytes)?;
//! signature.verify(suite, &verifier, &context, b"yes")?;
//!
//! // Many at once, as votes are counted. The member in slot 2 votes twice, and the last vote was changed.
//! let sign =
//!     |slot: usize, vote| Signature::new(suite, (&prover, slot), &secrets[slot], &context, vote);
//! let votes: [(&[u8], _); 4] = [
//!     (b"yes", signature),
//!     (b"no", sign(0, b"no")?),
//!     (b"no", sign(2, b"no")?),
//!     (b"yes", sign(3, b"no")?),
//! ];
//! let mut batch = SignatureBatch::new(setup.key());
//! for (data, signature) in &votes {
//!     batch.push(&Statement { suite, verifier: &verifier, input: context, data }, signature)?;
//! }
//! let invalid = match batch.verify() {
//!     Ok(()) => Vec::new(),
//!     Err(Rejected::Items(invalid)) => invalid,
//!     Err(error) => return Err(error.into()),
//! };
//! assert_eq!(invalid, [3]);
//! assert_eq!(batch.repeated(&invalid), [[0, 2]]); // one member's, and nobody learns whose
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`Params`], [`Domain`], [`Bases`] | what prover and verifier agree on |
//! | [`Bandersnatch`], [`Jubjub`] | curves of keys; [`Domain::on`] and [`vrf::Suite`] choose one |
//! | [`Setup`], [`kzg`] | powers of a secret, prepared for a domain; the core of [`pcs::kzg`] |
//! | [`Segment`], [`SegmentKey`] | points of a setup by which rings change where the setup is not |
//! | [`Ring`], [`Key`], [`Commitment`], [`VerifierKey`] | members, and what a verifier needs of them |
//! | [`Prover`], [`Verifier`], [`Batch`], [`Proof`] | proofs |
//! | [`mod@file`] | files of keys, rings, commitments and signatures, each with one encoding; [`file::Verdicts`] has many signature files in one check, and who signed twice |
//! | [`vrf`] | signatures: linkable by the Pedersen VRF whose blinded key is `R`, or membership without a tag; the VRF of a key that is named; suites of one's own |
//! | [`Point`], [`Scalar`], [`Srs`], [`curve`] | what the functions here take and give: no other crate is needed |
//!
//! Without the feature `prover` there are [`Verifier`], [`vrf`]'s signatures and the [`mod@file`]s that verifiers read, without the standard library: one
//! signature at a time, of rings over the setup of Zcash's ceremony by [`file::zcash_key`].
//!
//! (notes: ring)

#![cfg_attr(not(feature = "prover"), no_std)]
#![forbid(unsafe_code)]

#[macro_use]
extern crate alloc;

#[cfg(test)]
mod adversary;
#[cfg(feature = "prover")]
mod batch;
#[cfg(feature = "prover")]
mod cache;
#[cfg(feature = "prover")]
mod check;
mod commitment;
mod constraints;
mod domain;
mod error;
pub mod file;
mod key;
#[cfg(feature = "prover")]
mod members;
mod params;
mod proof;
#[cfg(feature = "prover")]
mod prover;
mod read;
#[cfg(feature = "prover")]
mod segment;
#[cfg(feature = "prover")]
mod setup;
#[cfg(test)]
mod tests;
mod transcript;
mod verifier;
pub mod vrf;

#[cfg(feature = "prover")]
pub use batch::{Batch, Rejected};
pub use commitment::{Commitment, VerifierKey};
pub use curve;
pub use curve::Invalid;
pub use curve::bandersnatch::{Bandersnatch, SCALAR_BITS};
pub use curve::embedded::{Embedded, Point};
pub use curve::jubjub::Jubjub;
#[cfg(feature = "prover")]
pub use curve::srs::Srs;
pub use domain::{Domain, ZK_ROWS};
pub use error::{Error, KeyError};
pub use key::Key;
#[cfg(feature = "prover")]
pub use members::{Duplicates, Ring};
pub use params::{Bases, Params};
pub use pcs::kzg;
pub use proof::Proof;
#[cfg(feature = "prover")]
pub use prover::{Prover, random_blinding};
#[cfg(feature = "prover")]
pub use segment::{RowPoints, Segment, SegmentKey};
#[cfg(feature = "prover")]
pub use setup::Setup;
pub use verifier::Verifier;

/// A scalar of a curve of keys: blindings are such.
pub type Scalar<C = Bandersnatch> = <C as curve::CurveConfig>::ScalarField;
