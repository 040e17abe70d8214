//! What a weighted sum asks of the scheme that opens the point it is reduced to.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use crate::matrix::{self, Layout, Steps, code};
use crate::scheme::Pcs;
use alloc::string::String;
use field::{ExtensionOf, FoldFibres};
use iop::hash::{Digest, Hash};
use iop::security::Code;

/// What a weighted sum knows of the parameters below it.
#[derive(Debug, Clone)]
pub struct Facts {
    /// The label of the sum's transcript.
    pub label: String,
    /// Digest of the parameters.
    pub digest: Digest,
    /// Hash of the transcript.
    pub hash: Hash,
    /// log2 of the number of entries.
    pub variables: usize,
    /// Polynomials committed together.
    pub polynomials: usize,
    /// Openings that the commitment hides.
    pub hidden_openings: u32,
    /// Whether the entries are elements of the challenge field, which weights of the data field do not reach.
    pub extension_entries: bool,
    /// The code of the committed matrix.
    pub code: Code,
}

impl Facts {
    /// Those of a matrix scheme.
    pub(crate) fn of(layout: &Layout) -> Self {
        Self {
            label: layout.label("weighted"),
            digest: layout.digest,
            hash: layout.hash,
            variables: layout.variables,
            polynomials: layout.polynomials,
            hidden_openings: layout.hidden_openings,
            extension_entries: layout.of_extension,
            code: code(&layout.first),
        }
    }
}

/// A scheme over a matrix that opens the committed polynomials at points.
///
/// Law: [`MultilinearPcs::script`](crate::scheme::MultilinearPcs::script) accepts a claim about a point only if the multilinear extension of each polynomial's committed entries takes its value there. There
/// are `2^variables` entries of each, elements of the base field.
pub trait Points: Pcs {
    /// What is derived from the parameters.
    fn facts(&self) -> Facts;
}

/// Packed entries are elements of the data's field, each with zeros above its bits.
impl<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>> Points for matrix::Scheme<F, B, E> {
    fn facts(&self) -> Facts {
        Facts::of(self.layout())
    }
}
