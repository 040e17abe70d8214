//! What a proof of a weighted sum states, and how it is bound.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use crate::codec::Writer;
use alloc::vec::Vec;
use field::Field;
use iop::hash::{Digest, Hash};
use iop::poly::to_bytes;

/// What the context of the inner opening begins with. No description of a column does: read as a length, its first eight
/// bytes are beyond any file.
const TAG: &[u8] = b"tenfold weighted inner opening v1";

/// A claim with its weights: `Σ_i weights[i] f_j[i] = values[j]` for each committed polynomial `f_j`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim<B> {
    /// One weight per entry from the first on; entries beyond have weight zero.
    pub weights: Vec<B>,
    /// The weighted sum of each polynomial.
    pub values: Vec<B>,
    /// Application bytes bound into the proof.
    pub context: Vec<u8>,
}

/// A claim with the digest of its weights in their place: what a file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement<B> {
    /// [`digest`] of the weights.
    pub weights: Digest,
    /// The weighted sum of each polynomial.
    pub values: Vec<B>,
    /// Application bytes bound into the proof.
    pub context: Vec<u8>,
}

/// The digest that names weights: of their canonical bytes and, by the length, their number. The field is named by the
/// parameters.
pub fn digest<B: Field>(hash: Hash, weights: &[B]) -> Digest {
    hash.digest("tenfold weights v1", &[&to_bytes(weights)])
}

impl<B: Field> Claim<B> {
    /// The claim as the transcript binds it.
    pub fn statement(&self, hash: Hash) -> Statement<B> {
        let Self { weights, values, context } = self;
        Statement { weights: digest(hash, weights), values: values.clone(), context: context.clone() }
    }
}

impl<B: Field> Statement<B> {
    /// The digest that binds all of it, with the commitment's bytes, into a transcript.
    pub fn digest(&self, hash: Hash, commitment: &[u8]) -> Digest {
        let Self { weights, values, context } = self;
        hash.digest("tenfold weighted sum v1", &[commitment, weights, &to_bytes(values), context])
    }

    /// The context of the inner opening: a tag, the application's context, and a digest of this statement with every
    /// message of the sumcheck. So the opening belongs to this run and to no other.
    pub(super) fn inner_context(&self, hash: Hash, statement: &Digest, messages: &[u8]) -> Vec<u8> {
        let mut w = Writer::new();
        w.bytes(TAG);
        w.sized(&self.context);
        w.bytes(&hash.digest("tenfold weighted run v1", &[statement, messages]));
        w.finish()
    }
}
