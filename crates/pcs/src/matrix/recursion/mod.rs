//! The recursive inner argument: re-commit to the combined fragment at lower and lower rates.
//! (notes: pip-recursion)
//!
//! In the manner of Ligerito (eprint 2025/1187) and WHIR (eprint 2024/1586): stage `i` holds a message, laid out
//! as a matrix; its columns are combined with the challenges of a sumcheck into the message of stage `i + 1`,
//! which is encoded at a lower rate; every opened row of stage `i` becomes one more claim about that message.
//!
//! ```text
//!   stage 0 rows ── combine ──► message 0 ─┬─ encode ──► stage 1 rows ── combine ──► message 1 ─ ... ──► in clear
//!                   (weights)              └─ claims: given, out-of-domain, one per opened row of stage 0
//! ```

#[cfg(feature = "prover")]
mod prover;
mod verifier;

#[cfg(test)]
pub(crate) use prover::Recursion;
#[cfg(feature = "prover")]
pub(crate) use prover::prove;
pub(crate) use verifier::verify;
