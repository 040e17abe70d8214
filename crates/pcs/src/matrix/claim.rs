//! Claims about a message in clear or committed: what the recursion carries from stage to stage.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use alloc::vec::Vec;
use field::{ExtensionOf, FoldableCode};
use iop::poly::TensorForm;

/// `⟨message, Σ_t c_t form_t + Σ_s c_s row_s⟩ = value`: tensors of the challenge field, and the rows `(1, x_s, x_s², ...)` of
/// points of the code's domain, which cost less because their factors lie in the base field. (notes: linear-forms-weighted)
#[derive(Debug, Clone)]
pub(crate) struct Claim<B: FoldableCode, E> {
    forms: Vec<(E, TensorForm<E>)>,
    points: Vec<B::Point>,
    /// The coefficient of each point.
    scalars: Vec<E>,
    value: E,
}

impl<B: FoldableCode, E: ExtensionOf<B>> Claim<B, E> {
    /// `Σ_t c_t ⟨message, form_t⟩ = value`.
    pub fn new(forms: Vec<(E, TensorForm<E>)>, value: E) -> Self {
        Self { forms, points: Vec::new(), scalars: Vec::new(), value }
    }

    /// The stated value.
    pub fn value(&self) -> E {
        self.value
    }

    /// The forms with their scalars: all of the claim's weights before a point is added.
    #[cfg(feature = "prover")]
    pub fn forms(&self) -> &[(E, TensorForm<E>)] {
        debug_assert!(self.points.is_empty(), "no weights of points");
        &self.forms
    }

    /// Adds `scalar` times the claim `⟨message, form⟩ = value`.
    pub fn add_form(&mut self, scalar: E, form: TensorForm<E>, value: E) {
        self.forms.push((scalar, form));
        self.value += scalar * value;
    }

    /// Adds `scalar` times the claim that the message's codeword takes `value` at `x`.
    pub fn add_point(&mut self, scalar: E, x: B::Point, value: E) {
        self.points.push(x);
        self.scalars.push(scalar);
        self.value += scalar * value;
    }

    /// The claim about the message whose lowest variables are bound to `r`, with the value that is left.
    #[must_use]
    pub fn bind_low(mut self, r: &[E], value: E) -> Self {
        for (scalar, form) in &mut self.forms {
            let (bound, rest) = form.bind_low(r);
            (*scalar, *form) = (*scalar * bound, rest);
        }
        for &r in r {
            B::bind_rows(&mut self.points, &mut self.scalars, r);
        }
        Self { value, ..self }
    }

    /// The table of `2^variables` weights, on all threads.
    #[cfg(feature = "prover")]
    pub fn weights(&self, length: usize) -> Vec<E> {
        let mut weights = vec![E::ZERO; length];
        self.forms.iter().for_each(|(scalar, form)| form.add_scaled(*scalar, &mut weights));
        B::accumulate_rows_parallel(&self.points, &self.scalars, &mut weights);
        weights
    }

    /// Whether a message satisfies the claim.
    pub fn holds(&self, message: &[E]) -> bool {
        let forms: E = self.forms.iter().map(|(scalar, form)| *scalar * form.apply(message)).sum();
        forms + B::apply_rows(&self.points, &self.scalars, message) == self.value
    }
}
