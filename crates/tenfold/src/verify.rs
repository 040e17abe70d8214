//! Verification of the files of every scheme: what all front doors do with a file that they are given.
//!
//! ```text
//!  file ─► parameters, against the policy ─► digests of the header ─► commitment ─► proof ─► what is stated
//! ```
//! Elements leave this module as their canonical bytes: who asks for the verdict on any file need not know its fields.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

#[cfg(test)]
mod tests;

pub use crate::any::{Form, Product};

use crate::any::{AnyScheme, Weights};
use alloc::vec::Vec;
use iop::error::{Invalid, ParamError};
use iop::hash::{Digest, Hash};
use iop::security::{Policy, Report};
use pcs::file::{Committed, File, FileError, Kind, SchemeId};

/// Why a file is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The bytes are no file of the kind that is asked for.
    #[error(transparent)]
    File(#[from] FileError),
    /// The parameters are out of range, or prove fewer bits than the policy wants.
    #[error("the parameters are refused: {}", .0.0)]
    Params(ParamError),
    /// The weights would take more memory than the verifier spends on them.
    #[error("the weights would take {0} bytes of memory, more than is spent on them")]
    Memory(u64),
    /// The proof does not hold.
    #[error(transparent)]
    Proof(#[from] Invalid),
}

/// What a verifier accepts and spends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Which parameters.
    pub policy: Policy,
    /// Most bytes that weights may take when they are unpacked.
    pub max_memory: u64,
}

impl Limits {
    /// So many bits by [`Policy::at_least`], and 1 GiB for weights.
    pub fn new(min_bits: u32) -> Self {
        Self { policy: Policy::at_least(min_bits), max_memory: 1 << 30 }
    }
}

impl Refused {
    /// Whether the bytes are no file to be judged; the other refusals are verdicts.
    pub fn is_malformed(&self) -> bool {
        matches!(self, Self::File(error) if !matches!(error, FileError::Digest(_)))
    }
}

/// A form and its values, one for each polynomial, in canonical bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stated {
    /// The form.
    pub form: Form,
    /// Its values.
    pub values: Vec<Vec<u8>>,
}

/// What a file states whose proof holds.
#[derive(Debug, Clone)]
pub struct Verified {
    /// The scheme.
    pub scheme: SchemeId,
    /// The encoded parameters.
    pub params: Vec<u8>,
    /// Their digest.
    pub params_digest: Digest,
    /// The hash of trees and transcript.
    pub hash: Hash,
    /// Names of the data field and of the challenge field.
    pub fields: [&'static str; 2],
    /// The proven security, term by term.
    pub report: Report,
    /// Openings that the commitment hides.
    pub hidden_openings: u32,
    /// Polynomials that are committed together.
    pub polynomials: u32,
    /// Variables of a form.
    pub variables: usize,
    /// The number of the mask that a hiding proof uses, counted from 0: no two proofs of one commitment may have the same.
    pub mask: Option<u8>,
    /// The commitment's bytes, the root first.
    pub commitment: Vec<u8>,
    /// What was proven.
    pub claims: Vec<Stated>,
    /// The bytes that were bound into the proof.
    pub context: Vec<u8>,
}

/// Verifies a proof of any scheme; one of a weighted sum with its weights: their canonical bytes end to end, for Ligerito the bytes of the
/// file that they are.
///
/// Memory: twice an element of the data's field for each weight. What the entries are is in the file: where they are bits, that is
/// 128 or 256 times the bytes of the weights. So it is limited, and there are no more weights than the parameters have entries.
///
/// # Errors
/// If anything is wrong; if weights are missing, or there are some and the proof has none.
pub fn verify(file: &File, weights: Option<&[u8]>, limits: &Limits) -> Result<Verified, Refused> {
    let scheme = || AnyScheme::of_file(file, &limits.policy);
    match (file.kind, file.scheme, weights) {
        (Kind::Opening, SchemeId::Pip | SchemeId::DeepFold | SchemeId::Ligerito, None) => {
            scheme()?.verify(file).map(|(verified, _)| verified)
        }
        (Kind::Weighted, SchemeId::Pip | SchemeId::Ligerito, Some(weights)) => {
            scheme()?.verify_weighted(file, Weights::Bytes(weights), limits)
        }
        (Kind::Weighted, SchemeId::Pip | SchemeId::Ligerito, None) => {
            Err(Invalid("the weights of a weighted sum are missing").into())
        }
        (_, SchemeId::Ring, _) => Err(FileError::Elsewhere("this is a file about a ring").into()),
        (Kind::Opening, _, Some(_)) => Err(Invalid("weights for a proof that has none").into()),
        _ => Err(FileError::Unknown("proof").into()),
    }
}

impl Verified {
    /// Refuses another commitment than the one that was proven about: a commitment file of these parameters, with the same
    /// commitment, whose description begins the context. Returns what follows the description.
    ///
    /// # Errors
    /// If the file is no commitment, is not as it was written, or is about something else.
    pub fn about(&self, file: &File) -> Result<&[u8], Refused> {
        if file.kind != Kind::Commitment {
            return Err(FileError::Unknown("commitment").into());
        }
        let another = Refused::Proof(Invalid("the proof is about another commitment"));
        if file.scheme != self.scheme || file.params != self.params {
            return Err(another);
        }
        let Committed { description, commitment } = file.committed(self.params_digest, self.hash)?;
        let rest = self.context.strip_prefix(description.as_slice()).ok_or(another.clone())?;
        if commitment == self.commitment { Ok(rest) } else { Err(another) }
    }
}
