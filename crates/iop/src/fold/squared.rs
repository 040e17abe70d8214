//! Codes on the squared domains of another code.

use crate::code::ReedSolomon;
use crate::hash::Hash;
#[cfg(feature = "prover")]
use crate::oracle::CommittedCodeword;
use crate::oracle::OracleSpec;
#[cfg(feature = "prover")]
use field::parallel;
#[cfg(feature = "prover")]
use field::{ExtensionOf, TwoAdic};

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

    /// The length of a message.
    pub fn length(&self) -> usize {
        1 << self.log_rows()
    }

    /// The code `variables` folds further.
    #[must_use]
    pub fn folded(&self, variables: usize) -> Self {
        Self { squarings: self.squarings + variables, ..*self }
    }

    /// The tree over a word whose leaves hold fibres of `2^variables` positions.
    pub fn tree<const N: usize>(&self, variables: usize, hash: Hash) -> OracleSpec<N> {
        let code = ReedSolomon::new(self.log_rows() - variables, self.code.log_inv_rate);
        OracleSpec { code, width: 1 << variables, hash }
    }

    /// Encodes every column of a row-major message of `2^log_rows` rows.
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

    /// Encodes one message and commits to its word; a leaf holds the `2^variables` positions of a fibre.
    #[cfg(feature = "prover")]
    pub fn commit<B: TwoAdic, E: ExtensionOf<B>, const N: usize>(
        &self,
        message: &[E],
        variables: usize,
        hash: Hash,
    ) -> CommittedCodeword<E, N> {
        let mut word = vec![E::ZERO; message.len() << self.code.log_inv_rate];
        E::with_flat_mut(&mut word, |word| self.encode(&E::flatten(message), E::DEGREE, word));
        CommittedCodeword::from_codeword(hash, word, 1 << variables)
    }
}
