//! Evaluations of univariate polynomials as linear forms of their coefficients. (notes: air-univariate)
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use alloc::vec::Vec;
use field::Field;
use iop::poly::TensorForm;

/// The value at a point of the polynomial whose coefficients in the novel basis the entries are, which is the one whose values the codeword
/// holds: `⊗_v (1, W_v(z))` with `W_0(z) = z` and `W_(v+1) = W_v^2 + W_v`. The point is any element, of the code's domain or outside of it.
///
/// Coefficients of `1, X, X^2, ...` have the form [`TensorForm::powers`].
pub fn evaluation<E: Field>(point: E, variables: usize) -> TensorForm<E> {
    let weights = core::iter::successors(Some(point), |&w| Some(w.square() + w));
    TensorForm::new(weights.take(variables).map(|w| [E::ONE, w]).collect::<Vec<_>>())
}
