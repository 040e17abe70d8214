//! Interleaved Reed-Solomon codes. (notes: codes-layout)
//!
//! ```text
//!             width columns                          width columns
//!          +-----------------+                    +-----------------+
//!  rows +  | message: column |      encode        | coset 0: 2^log_rows rows
//!  extra   | = coefficients  |  ------------->    | coset 1
//!          +-----------------+                    | ...   1/rate cosets
//!                                                 +-----------------+
//! ```
//! Row `i` of the codeword holds every column's value at `point(i)`. Positions are bit-reversed, so the points
//! `x` and `-x` stand at positions `2j` and `2j+1`, and each coset of the message-sized subgroup is contiguous.

use field::FoldableCode;

/// A Reed-Solomon code: polynomials of degree below `2^log_rows + extra` on `2^(log_rows + log_inv_rate)` points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReedSolomon {
    /// log2 of the number of message rows.
    pub log_rows: usize,
    /// Further coefficients above the message rows (random ones, for hiding).
    pub extra: usize,
    /// log2 of domain size over message rows.
    pub log_inv_rate: usize,
}

impl ReedSolomon {
    /// The code of dimension `2^log_rows` and rate `2^-log_inv_rate`.
    pub fn new(log_rows: usize, log_inv_rate: usize) -> Self {
        Self { log_rows, extra: 0, log_inv_rate }
    }

    /// log2 of the number of evaluation points.
    pub fn log_domain(&self) -> usize {
        self.log_rows + self.log_inv_rate
    }

    /// The dimension: number of coefficients of a message column.
    pub fn dimension(&self) -> usize {
        (1 << self.log_rows) + self.extra
    }

    /// The evaluation point at a position. (notes: codes-domain)
    pub fn point<B: FoldableCode>(&self, position: usize) -> B::Point {
        B::point(self.log_domain(), position)
    }
}
