//! A committed matrix as both sides see it.

use iop::oracle::OracleSpec;
use iop::sumcheck::Rounds;

/// A committed matrix with its code, derived from a scheme's parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Round {
    pub shape: OracleSpec,
    pub queries: usize,
    pub grinding: u32,
    /// Challenges that combine this stage's columns.
    pub rounds: Rounds,
}

impl Round {
    /// Whether the rows that an opening hashes again, sixteen for each query, are at most half of the codeword.
    #[cfg(feature = "prover")]
    pub fn opens_few_rows(&self) -> bool {
        self.queries <= (1 << self.shape.code.log_domain()) / 32
    }

    /// Whether an opening looks at few blocks of the codeword, at most one query for each: then making their rows again costs less than writing
    /// the codeword to memory.
    #[cfg(feature = "prover")]
    pub fn opens_few_blocks(&self) -> bool {
        self.queries <= 1 << self.shape.code.log_inv_rate
    }

    /// The elements of the codeword.
    #[cfg(feature = "prover")]
    pub fn elements(&self) -> usize {
        self.shape.width << self.shape.code.log_domain()
    }
}
