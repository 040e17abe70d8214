//! Codes on the squared domains of another code.

use crate::code::ReedSolomon;
use crate::hash::Hash;
#[cfg(feature = "prover")]
use crate::oracle::CommittedCodeword;
use crate::oracle::OracleSpec;
#[cfg(feature = "prover")]
use alloc::vec::Vec;
use field::FoldableCode;
#[cfg(feature = "prover")]
use field::{BlockShape, ExtensionOf, FoldFibres, TwoAdic, parallel};

/// The code that words of `code` (without extra coefficients) fall into when `squarings` variables are folded: the
/// same rate, on the domain's `2^squarings`-th powers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Squared {
    /// The code of the first word.
    pub code: ReedSolomon,
    /// Variables folded since.
    pub squarings: usize,
}

impl Squared {
    /// log2 of the length of a message.
    pub fn log_rows(&self) -> usize {
        self.code.log_rows - self.squarings
    }

    /// log2 of the number of positions.
    pub fn log_domain(&self) -> usize {
        self.log_rows() + self.code.log_inv_rate
    }

    /// The point at a position.
    pub fn point<B: FoldableCode>(&self, position: usize) -> B::Point {
        let first = B::point(self.code.log_domain(), position << self.squarings);
        (0..self.squarings).fold(first, |x, _| B::halved(x))
    }

    /// The length of a message.
    pub fn length(&self) -> usize {
        1 << self.log_rows()
    }

    /// The code `variables` folds further.
    #[must_use]
    pub fn folded(&self, variables: usize) -> Self {
        Self { squarings: self.squarings + variables, ..*self }
    }

    /// The tree over a word of elements of `degree` coordinates each whose leaves hold fibres of `2^variables` positions.
    pub fn tree(&self, variables: usize, degree: usize, hash: Hash) -> OracleSpec {
        let code = ReedSolomon::new(self.log_rows() - variables, self.code.log_inv_rate);
        OracleSpec { code, width: degree << variables, log_fibre: 0, log_parts: 0, hash }
    }

    /// Encodes every column of a row-major message of `2^log_rows` rows, over a prime field, to a codeword in one piece.
    ///
    /// # Panics
    /// If `out` is not the message's length divided by the rate.
    #[cfg(feature = "prover")]
    pub fn encode<B: TwoAdic>(&self, message: &[B], width: usize, out: &mut [B]) {
        let rows = message.len() / width;
        assert_eq!(out.len(), message.len() << self.code.log_inv_rate, "length of the codeword");
        parallel::for_each(out.chunks_exact_mut(rows * width).enumerate(), |(c, block)| {
            // The point at position p of the squared domain is a power of the one at p << squarings.
            let shift = self.code.point::<B>((c * rows) << self.squarings).pow(1 << self.squarings);
            B::ntt_rows(message, width, shift, block);
        });
    }

    /// One block of a codeword.
    #[cfg(feature = "prover")]
    fn encode_block<B: FoldFibres>(&self, message: &[B], width: usize, block: usize) -> Vec<B> {
        let (log_rows, log_domain) = (self.log_rows(), self.log_domain());
        let mut out = Vec::new();
        B::encode_folded(
            message,
            BlockShape { width, log_rows, log_domain, block },
            self.squarings,
            &mut out,
        );
        out
    }

    /// Encodes one message, coordinate by coordinate, and commits to its word; a leaf holds the `2^variables` positions of a fibre.
    #[cfg(feature = "prover")]
    pub fn commit<B: FoldFibres, E: ExtensionOf<B>>(
        &self,
        message: &[E],
        variables: usize,
        hash: Hash,
    ) -> CommittedCodeword<B> {
        let message = E::flatten(message);
        let blocks = 0..1usize << self.code.log_inv_rate;
        let blocks = parallel::map(blocks, |block| self.encode_block(&message, E::DEGREE, block));
        CommittedCodeword::from_blocks(hash, blocks, E::DEGREE << variables)
    }
}
