//! DeepFold: one folded codeword, every claim carried round by round without a sumcheck. (notes: deepfold)
//!
//! After Guo, Liu, Huang, Qu, Zhang, Zhang, "DeepFold: Efficient Multilinear Polynomial Commitment from
//! Reed-Solomon Code and Its Application to Zero-knowledge Proofs" (USENIX Security 2025, eprint 2024/1595), on
//! the same fields, hash, code and proven bits as the other schemes: the baseline that they are measured against.
//!
//! ```text
//!                 2^log_columns fragments        virtual                                      in clear
//!               +----+----+----+----+---+        +---+
//!  positions x  | f[0]     row x        |   w    | P |  r_1   +---+
//!           -x  | f[0]     row -x       | -----> |   | -----> |f_1|  r_2   +---+
//!           ... |                       | combine|   |  fold  |   | -----> |f_2| -----> ...  -> final message
//!               +-----------------------+        +---+        +---+        +---+
//!               one leaf = the rows of x and -x       one leaf = the values at x and -x
//! ```
//!
//! *Claims.* A claim is a linear form `⊗(a_v, b_v)` and its value on the current message `f`. Binding all but the
//! lowest variable leaves the linear polynomial `g(X) = (1 - X) e + X o`, of which `a e + b o` is the value already
//! known; the prover sends the slope `o - e`, and the claim on the folded message is `g(r)`. Each committed word
//! after the first brings one more claim, at a random point outside of the domain (`deep`). At the end the final
//! message must satisfy all of them.
//!
//! *Where this departs from the paper*, each time to the benefit of the scheme (notes: deepfold-here):
//! - messages are tables of values, folded by `(1 - r) even + r odd` as in the authors' batch code, so no basis has
//!   to be converted;
//! - an out-of-domain point has independent coordinates instead of the powers `α, α^2, α^4, ...`: the same cost,
//!   and an error of `variables/|E|` instead of `2^variables/|E|`;
//! - the point that comes with the commitment (drawn from the root, so that the commitment binds across openings)
//!   also serves the first round, which in the paper draws another one;
//! - in unique decoding there is nothing to choose between, and no such points are needed: the batch code of the
//!   authors has none either;
//! - the last message may be sent in clear before it is a constant (`log_final`).
//!
//! The batch mode is the authors': the fragments are the columns of one tree, their values at the row part of the
//! point are sent, and one random combination is opened. Theirs combines by powers of one challenge, here a tensor.

mod claim;
#[cfg(feature = "prover")]
mod outline;
mod params;
#[cfg(feature = "prover")]
mod prover;
mod security;
mod size;
mod verifier;

#[cfg(test)]
mod tests;

pub use crate::baseline::Target;
pub use crate::matrix::Commitment;
pub use params::DeepFold;
#[cfg(feature = "prover")]
pub use prover::Witness;

/// Parameters of DeepFold.
pub type Params = crate::baseline::Params<DeepFold>;
/// Validated parameters of DeepFold.
pub type Scheme<B, E> = crate::baseline::Scheme<DeepFold, B, E>;
/// A prover of DeepFold.
#[cfg(feature = "prover")]
pub type Prover<'a, B, E> = crate::baseline::Prover<'a, DeepFold, B, E>;
