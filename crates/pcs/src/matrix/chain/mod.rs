//! The inner argument of one chain: fold the word of the combined fragment until it is short. (notes: pip-chain)
//!
//! In the manner of BaseFold (eprint 2023/1705) and DeepFold: the challenges of the sumcheck over the fragment's
//! variables also fold its word, and the same positions are followed through all words.
//!
//! ```text
//!   stage 0 rows ── combine ──► word 0 (virtual) ── fold k0 ──► word 1 ── fold k1 ──► word 2 ─ ... ──► message in clear
//!                   (weights)   2^k0 rows a query               leaf = 2^k1 positions, or some such fibres
//! ```

#[cfg(feature = "prover")]
mod prover;
mod verifier;
#[cfg(feature = "prover")]
mod words;

#[cfg(test)]
pub(super) use prover::plain;
#[cfg(feature = "prover")]
pub(super) use prover::prove;
pub(super) use verifier::verify;
#[cfg(feature = "prover")]
pub use words::{ChainStart, ChainWords};

use crate::matrix::Round;
use alloc::vec::Vec;
#[cfg(feature = "prover")]
use field::{ExtensionOf, FoldFibres};
use iop::code::ReedSolomon;
use iop::fold::Squared;
use iop::hash::Hash;
#[cfg(feature = "prover")]
use iop::oracle::CommittedCodeword;
use iop::oracle::OracleSpec;
use iop::sumcheck::Rounds;

/// The words of a chain, as both sides lay them out.
#[derive(Debug, Clone)]
pub(crate) struct Chain {
    /// The code of the combined fragment, without the tail of a hiding commitment.
    first: Squared,
    /// Variables folded between one word and the next.
    steps: Vec<usize>,
    /// log2 of the fibres in a leaf, if a block of the word has as many.
    log_leaf_fibres: usize,
    /// Work before each challenge.
    grinding: u32,
    hash: Hash,
    /// Coordinates of a word's elements.
    degree: usize,
    /// True if there are two such chains: one for the value, one for proximity.
    double: bool,
}

impl Chain {
    /// The chain below the committed matrix `first`, whose work before a fold is that of the chain's folds too.
    pub fn new(first: &Round, steps: &[u32], degree: usize) -> Self {
        let ReedSolomon { log_rows, log_inv_rate, .. } = first.shape.code;
        Self {
            first: Squared { code: ReedSolomon::new(log_rows, log_inv_rate), squarings: 0 },
            steps: steps.iter().map(|&k| k as usize).collect(),
            log_leaf_fibres: 0,
            grinding: first.rounds.grinding,
            hash: first.shape.hash,
            degree,
            double: false,
        }
    }

    /// The same chain with `2^log` fibres in a leaf.
    #[must_use]
    pub fn with_leaf_fibres(self, log: usize) -> Self {
        Self { log_leaf_fibres: log, ..self }
    }

    /// Two chains below the committed matrix, which fold a variable at a time.
    pub fn double(first: &Round, log_rows: usize, degree: usize) -> Self {
        Self { double: true, ..Self::new(first, &vec![1; log_rows], degree) }
    }

    /// True if there are two chains, of equal words.
    pub fn is_double(&self) -> bool {
        self.double
    }

    /// The number of folds.
    pub fn folds(&self) -> usize {
        self.steps.len()
    }

    /// Variables that word `i` is folded by; none behind the last.
    pub fn step(&self, i: usize) -> usize {
        self.steps.get(i).copied().unwrap_or(0)
    }

    /// log2 of the positions in a leaf of word `i`: the fibres that fold into a position each.
    pub fn log_leaf(&self, i: usize) -> usize {
        let step = self.step(i);
        // No leaf across blocks: one has as many positions as the message is long.
        step + self.log_leaf_fibres.min(self.word(i).log_rows() - step)
    }

    /// The rounds of word `i`'s fold.
    pub fn rounds(&self, i: usize) -> Rounds {
        Rounds { count: self.step(i), grinding: self.grinding }
    }

    /// The code of word `i`; the one behind the last word is that of the message in clear.
    pub fn word(&self, i: usize) -> Squared {
        self.first.folded(self.steps.iter().take(i).sum())
    }

    /// The tree over word `i`: a leaf holds the values that fold into one, or some such fibres.
    pub fn tree(&self, i: usize) -> OracleSpec {
        self.word(i).tree(self.log_leaf(i), self.degree, self.hash)
    }

    /// The committed words, as [`OracleSpec::commit`] over a binary field commits to their messages.
    #[cfg(feature = "prover")]
    pub fn shapes(&self) -> Vec<OracleSpec> {
        (1..self.folds()).map(|i| self.shape(i)).collect()
    }

    /// That of word `i`.
    #[cfg(feature = "prover")]
    pub fn shape(&self, i: usize) -> OracleSpec {
        let code = ReedSolomon::new(self.word(i).log_rows(), self.first.code.log_inv_rate);
        OracleSpec { code, width: self.degree, log_fibre: self.log_leaf(i), log_parts: 0, hash: self.hash }
    }

    /// Commits to word `i`, the encoded message.
    #[cfg(feature = "prover")]
    pub fn commit<B: FoldFibres, E: ExtensionOf<B>>(&self, i: usize, message: &[E]) -> CommittedCodeword<B> {
        self.word(i).commit::<B, E>(message, self.log_leaf(i), self.hash)
    }

    /// log2 of the number of fibres of the committed matrix, where the queries are drawn.
    pub fn log_fibres(&self) -> usize {
        self.first.log_domain() - self.step(0)
    }
}
