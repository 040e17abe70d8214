//! The inner argument of the published scheme, PolyFRIM's two chains: one carries the value, one proximity.
//! (notes: pip-polyfrim)
//!
//! PolyFRIM (USENIX Security 2024) in the form that PIP_FRI uses, for one form and one polynomial in the
//! unique-decoding regime. It is here for comparison: the verifier of the authors' public
//! code does not compare the first word of the value chain with the committed rows. This one does.
//!
//! ```text
//!   rows ─┬─ form's column weights ─► F_0 ── (a_0, b_0) ─► F_1 ── (a_1, b_1) ─► F_2 ─ ... ─► y
//!         │                                                 │                    │
//!         │                                              + α_0²               + α_1²
//!         │                                                 ▼                    ▼
//!         └─ random weights ────────► P ── (1, α_0) ──► p_0 + ── (1, α_1) ──► p_1 + ── ... ─► a constant
//! ```

#[cfg(feature = "prover")]
mod prover;
mod verifier;

#[cfg(feature = "prover")]
pub(super) use prover::prove;
#[cfg(test)]
pub(crate) use prover::{TwoChains, halve};
pub(super) use verifier::verify;

use crate::matrix::{Round, Weights};
use field::Field;
use iop::poly::TensorForm;
use iop::transcript::Challenger;

/// Random weights of the fragments.
fn column_weights<E: Field>(tape: &mut impl Challenger, stage: &Round) -> Weights<E> {
    let point = TensorForm::point(&tape.challenges::<E>("combine columns", stage.rounds.count));
    Weights::tensor(&point, E::ONE, stage.shape.width)
}
