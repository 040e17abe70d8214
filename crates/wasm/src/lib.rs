//! The verifier of PIP_FRI, DeepFold, Ligerito and Air-FRI, and of ring signatures, as a WebAssembly module, and the same function for Rust.
//!
//! ```text
//!  proof file, commitment file, weights ─► tenfold::verdict    ─► status, and a report as JSON
//!  signature, the ring's commitment     ─► ring_proof::file    ─►
//! ```
//! A proof is worth what its commitment is: the module asks for the commitment file that the reader was given, and accepts no
//! proof about another. The claims are those that `tenfold verify --json` has. (notes: formats-proof)
#![cfg_attr(target_family = "wasm", no_std)]
#![deny(unsafe_code, clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[macro_use]
extern crate alloc;

#[cfg(target_family = "wasm")]
mod exports;
mod report;
#[cfg(feature = "ring")]
mod ring;

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use iop::security::Policy;
use tenfold::verdict::Expected;
use tenfold::verify::{Limits, Refused};
use tenfold::{CommitmentFile, Error, verdict};

/// The verdict, as the command line's exit codes number it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Status {
    /// The proof holds, for the commitment given and with as many bits as the policy asks for.
    Valid = 0,
    /// It does not.
    Invalid = 1,
    /// The bytes are no proof file or no commitment file.
    Malformed = 2,
}

/// What a verifier is given.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The proof file, or a ring signature.
    pub proof: &'a [u8],
    /// The commitment file, or the ring's.
    pub commitment: &'a [u8],
    /// The weights of a weighted sum in canonical bytes, end to end; empty for other proofs.
    pub weights: &'a [u8],
    /// How many digits of those weights are decimals; 0 for weights of bytes. Without weights it is not looked at.
    pub weights_scale: u32,
    /// Claims that the proof must make, one a line, as `tenfold verify --expect` takes them; empty for none.
    pub expected: &'a str,
}

/// A refusal.
type Failure = (Status, String);

/// Verifies a proof file by a policy, and says in JSON what it proves or why it is refused. A ring signature has no proven bits: it is refused by a policy that
/// asks for some.
#[must_use]
pub fn judge(input: Input<'_>, policy: Policy) -> (Status, String) {
    #[cfg(feature = "ring")]
    let report = if ring_proof::file::is_ring(input.proof) {
        ring::accept(input, policy)
    } else {
        accept(input, policy)
    };
    #[cfg(not(feature = "ring"))]
    let report = accept(input, policy);
    match report {
        Ok(report) => (Status::Valid, report),
        Err((status, reason)) => (status, report::refusal(&reason)),
    }
}

fn accept(
    Input { proof, commitment, weights, weights_scale, expected }: Input<'_>,
    policy: Policy,
) -> Result<String, Failure> {
    let lines = if expected.is_empty() { Vec::new() } else { expected.split('\n').collect() };
    let expected: Result<Vec<Expected>, _> = lines.into_iter().map(str::parse).collect();
    let expected = expected.map_err(|error| (Status::Malformed, error.to_string()))?;
    let limits = Limits { policy, ..Limits::new(0) };
    // The proof is judged first, as by the command line: what is wrong with it is said before what is wrong with the commitment.
    let policy = verdict::Policy::from_limits(limits).self_contained();
    let policy = match weights {
        [] => policy,
        weights => policy.canonical_weights(weights, weights_scale),
    };
    let verdict = verdict::verify(proof, &policy).map_err(|error| refusal(&error))?;
    let commitment = CommitmentFile::from_bytes(commitment).map_err(|error| refusal(&error.into()))?;
    verdict.check_fingerprint(&commitment.fingerprint()).map_err(|error| refusal(&error))?;
    expected.iter().try_for_each(|expected| verdict.expect(expected)).map_err(|error| refusal(&error))?;
    Ok(report::verdict(&verdict))
}

/// The status and the words of an error, in the terms of the files that were given.
fn refusal(error: &Error) -> Failure {
    match error {
        Error::NoProof => (Status::Malformed, String::from("this file is a commitment, and no proof")),
        Error::NoWeights => (Status::Invalid, Refused::MissingWeights.to_string()),
        Error::Commitment(refused) => (Status::Malformed, format!("the commitment: {refused}")),
        Error::Refused(refused) if refused.is_malformed() => (Status::Malformed, refused.to_string()),
        other => (Status::Invalid, other.to_string()),
    }
}
