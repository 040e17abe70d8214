//! The verifier of PIP_FRI, DeepFold, Ligerito and Air-FRI, and of ring signatures, as a WebAssembly module, and the same function for Rust.
//!
//! ```text
//!  proof file, commitment file, weights ─► tenfold::verify     ─► status, and a report as JSON
//!  signature, the ring's commitment     ─► ring_proof::file    ─►
//! ```
//! A proof is worth what its commitment is: the module asks for the commitment file that the reader was given, and accepts no
//! proof about another. (notes: formats-proof)
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
use iop::security::Policy;
use pcs::file::File;
use tenfold::verify::{Limits, Refused, Weights, verify};

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
}

/// Verifies a proof file by a policy, and says in JSON what it proves or why it is refused. A ring signature has no proven bits: it is refused by a policy that
/// asks for some.
#[must_use]
pub fn judge(input: Input<'_>, policy: Policy) -> (Status, String) {
    #[cfg(feature = "ring")]
    if ring_proof::file::is_ring(input.proof) {
        return match ring::accept(input, policy) {
            Ok(report) => (Status::Valid, report),
            Err((status, reason)) => (status, report::refusal(&reason)),
        };
    }
    match accept(input, policy) {
        Ok(report) => (Status::Valid, report),
        Err(refused) => {
            let status = if refused.is_malformed() { Status::Malformed } else { Status::Invalid };
            (status, report::refusal(&refused.to_string()))
        }
    }
}

fn accept(Input { proof, commitment, weights }: Input<'_>, policy: Policy) -> Result<String, Refused> {
    let (file, committed) = (File::decode(proof)?, File::decode(commitment)?);
    let weights = (!weights.is_empty()).then_some(Weights::Bytes(weights));
    let verified = verify(&file, weights, &Limits { policy, ..Limits::new(0) })?;
    let context = verified.about(&committed)?;
    Ok(report::verdict(&verified, commitment, context))
}
