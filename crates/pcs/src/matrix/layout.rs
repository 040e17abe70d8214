//! What is derived once from a scheme's parameters: how polynomials lie in the committed matrix, and the codes.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::stage::Stage;
use alloc::string::String;
use alloc::vec::Vec;
use iop::hash::{Digest, Hash};

/// The committed matrices of a scheme with validated parameters.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    /// The scheme, as the labels of its transcripts name it.
    pub scheme: &'static str,
    /// Digest of the parameters.
    pub digest: Digest,
    pub hash: Hash,
    /// log2 of the entries of a polynomial.
    pub log_size: usize,
    /// The variables of a claim's form: those of an entry, and more where entries are packed.
    pub variables: usize,
    pub polynomials: usize,
    pub max_forms: usize,
    /// Openings that reveal nothing beyond their claims; 0 without hiding.
    pub hidden_openings: u32,
    /// log2 of the rows of the first matrix, without its tail.
    pub log_rows: usize,
    /// Whether commitments carry out-of-domain values.
    pub out_of_domain: bool,
    /// Whether the prover keeps only a part of its codewords, and makes what is missing again where rows of it are opened:
    /// then commitment and opening need little more memory than the first codeword.
    #[cfg_attr(not(any(unix, windows)), expect(dead_code, reason = "a matter of provers"))]
    pub forgets: bool,
    /// The first matrix.
    pub first: Stage,
    /// The matrices of the recursion, the first one included; it alone if the inner argument is another.
    pub stages: Vec<Stage>,
}

impl Layout {
    /// log2 of the fragments of one polynomial.
    pub fn log_fragments(&self) -> usize {
        self.log_size.saturating_sub(self.log_rows)
    }

    /// The data columns of the first matrix: all fragments of all polynomials.
    pub fn columns(&self) -> usize {
        self.polynomials << self.log_fragments()
    }

    /// log2 of the columns, rounded up.
    pub fn log_columns(&self) -> usize {
        self.first.rounds.count
    }

    /// The label of one of the scheme's transcripts or digests.
    pub fn label(&self, of: &str) -> String {
        format!("tenfold {} {of} v1", self.scheme)
    }
}
