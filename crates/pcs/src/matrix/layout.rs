//! What is derived once from a scheme's parameters: how polynomials lie in the committed matrix, and the codes.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::round::Round;
use alloc::string::String;
use alloc::vec::Vec;
use iop::hash::{Digest, Hash};

/// What a prover keeps of the first matrix. Unless it is all, commitment and opening need little more memory than its codeword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProverStorage {
    /// Message and codeword.
    Both,
    /// The codeword, whose first block takes the message's place: sums over the message are computed from that block.
    Codeword,
    /// The message and the other blocks: rows of the first one are made again.
    Message,
}

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
    /// Columns of the matrix that hold one entry: the degree of the challenge field if the entries are its elements, else one.
    pub entry_columns: usize,
    /// True if the entries are elements of the challenge field, whatever its degree.
    pub of_extension: bool,
    pub max_forms: usize,
    /// Openings that reveal nothing beyond their claims; 0 without hiding.
    pub hidden_openings: u32,
    /// log2 of the rows of the first matrix, without its tail.
    pub log_rows: usize,
    /// Whether commitments carry out-of-domain values.
    pub out_of_domain: bool,
    /// What a prover keeps of message and codeword.
    #[cfg_attr(not(feature = "prover"), expect(dead_code, reason = "a matter of provers"))]
    pub kept: ProverStorage,
    /// The first matrix.
    pub first: Round,
    /// The matrices of the recursion, the first one included; it alone if the inner argument is another.
    pub stages: Vec<Round>,
}

impl Layout {
    /// log2 of the fragments of one polynomial.
    pub fn log_fragments(&self) -> usize {
        self.log_size.saturating_sub(self.log_rows)
    }

    /// The fragments of all polynomials.
    pub fn fragments(&self) -> usize {
        self.polynomials << self.log_fragments()
    }

    /// The data columns of the first matrix: those of all fragments.
    pub fn columns(&self) -> usize {
        self.fragments() * self.entry_columns
    }

    /// log2 of the fragments, rounded up.
    pub fn log_columns(&self) -> usize {
        self.first.rounds.count
    }

    /// The label of one of the scheme's transcripts or digests.
    pub fn label(&self, of: &str) -> String {
        format!("tenfold {} {of} v1", self.scheme)
    }
}

/// An opening may take so many sixteenths of the first codeword beyond it, ...
#[cfg(feature = "prover")]
const SIXTEENTHS: usize = 3;
/// ... of which so many times the second matrix's message go to the message, claims about it and sums of its rows.
#[cfg(feature = "prover")]
const MESSAGES: usize = 6;

#[cfg(feature = "prover")]
impl Layout {
    /// Calls `each` with every entry of a message matrix, polynomial by polynomial: neither with the masks behind the data of a row nor with the
    /// random rows below them.
    pub fn each_entry<B>(&self, matrix: &[B], each: &mut dyn FnMut(&B)) {
        let fragments = self.columns() / self.polynomials;
        for polynomial in 0..self.polynomials {
            let rows = matrix.chunks_exact(self.first.shape.width).take(1 << self.log_rows);
            rows.for_each(|row| row.iter().skip(polynomial * fragments).take(fragments).for_each(&mut *each));
        }
    }

    /// Whether no block of the first codeword is kept, nor of a chain's words, whatever [`Layout::kept`] is otherwise.
    pub fn keeps_no_block(&self) -> bool {
        self.kept != ProverStorage::Both && self.first.opens_few_blocks()
    }

    /// How many blocks of each matrix below the first the prover forgets: where memory is saved, no more than it has to, since they
    /// are made again.
    pub fn forgotten(&self) -> Vec<usize> {
        // The scratch of rows that are made again takes two sixteenths.
        let part = if self.kept == ProverStorage::Message { SIXTEENTHS - 2 } else { SIXTEENTHS };
        let message = self.stages.get(1).map_or(0, |s| s.elements() >> s.shape.code.log_inv_rate);
        let mut left = (self.first.elements() / 16 * part).saturating_sub(MESSAGES * message);
        let forgotten = |stage: &Round| {
            let count = 1 << stage.shape.code.log_inv_rate;
            let block = stage.elements() / count;
            let again = self.kept != ProverStorage::Both && stage.opens_few_rows();
            let kept = if again { count.min(left / block) } else { count };
            left = left.saturating_sub(kept * block);
            count - kept
        };
        self.stages.iter().skip(1).map(forgotten).collect()
    }
}
