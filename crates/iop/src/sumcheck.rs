//! The sumcheck for `sum_x f(x) w(x) = s` over multilinear tables, lowest variable first. (notes: sumcheck-product)
//!
//! Round message: the constant and the quadratic coefficient of `g(X) = sum_x f(X, x) w(X, x)`; the linear one
//! follows from `g(0) + g(1) = s`, so a round polynomial that misses the claim cannot be expressed.

#[cfg(feature = "prover")]
mod prover;
pub mod zero;

#[cfg(feature = "prover")]
pub use prover::{bind, lift_bound, product_round, prove, prove_base, send_round};

use crate::error::Invalid;
use crate::transcript::{Challenger, VerifierTape};
use alloc::vec::Vec;
use field::Field;

/// How many rounds, and the bits of proof of work before each challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rounds {
    /// Variables that are bound.
    pub count: usize,
    /// Work before each challenge; the challenge may serve more than the sumcheck (a fold of columns, say), and its
    /// worst error decides. (notes: sec-grinding)
    pub grinding: u32,
}

/// The verifier's side of `prove`: the challenges and the claim that remains about the bound tables.
/// (notes: sumcheck-final)
pub fn verify<E: Field>(
    tape: &mut VerifierTape<'_>,
    rounds: Rounds,
    mut claim: E,
) -> Result<(Vec<E>, E), Invalid> {
    let mut challenges = Vec::with_capacity(rounds.count);
    for _ in 0..rounds.count {
        let message = tape.receive::<E>("sumcheck round", 2)?;
        let [constant, quadratic] = message[..] else {
            return Err(Invalid("sumcheck round message"));
        };
        tape.grind("fold grinding", rounds.grinding)?;
        let r: E = tape.challenge("sumcheck challenge");
        claim = evaluate(constant, quadratic, claim, r);
        challenges.push(r);
    }
    Ok((challenges, claim))
}

/// `g(r)` from the two sent coefficients and `g(0) + g(1) = claim`: the claim after a round.
pub fn evaluate<E: Field>(constant: E, quadratic: E, claim: E, r: E) -> E {
    let linear = claim - constant - constant - quadratic;
    constant + r * (linear + r * quadratic)
}

#[cfg(test)]
mod tests;
