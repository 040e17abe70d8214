//! The weights' univariate polynomial at the opened positions, by sumchecks over the layers of a product tree: what the paper
//! delegates to the prover by GKR. (notes: virgo-delegation)
//!
//! The weights `⊗(a_v, b_v)` stand on the subgroup of `R = 2^m` elements with generator `w`; the coefficients of the polynomial
//! through them are products,
//!
//! ```text
//!   q(X) = 1/R · Σ_k P_m(k) X^k          P_m(k) = Π_v (a_v + b_v w^(-k 2^v))
//!   P_(j+1)(k) = P_j(k mod 2^j) · (a_v + b_v η^k)          v = m-1-j,   η of order 2^(j+1),   P_0 = 1
//! ```
//! A random combination of values of `q` is a sum of `P_m` against powers of the points; the multilinear extension of `P_(j+1)` at a
//! point is a sum of `P_j` against `a·eq + b (1 - 2 t) (eq times the powers of η)`, `t` the point's last coordinate. All these weights
//! are tensors, so that the verifier evaluates their extensions itself. The lowest layers it computes.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use alloc::vec::Vec;
use core::ops::Range;
use field::{ExtensionOf, Field, FoldableCode, TwoAdic};
use iop::error::Invalid;
use iop::poly::{TensorForm, dot, powers};
use iop::sumcheck::{self, Rounds};
use iop::transcript::{Challenger, VerifierTape};

/// The layer of `2^5` entries is the lowest that is reached by a sumcheck: the verifier computes it.
const LOG_DIRECT: usize = 5;

/// The layers reached by a sumcheck each below the top one, by the log2 of their lengths.
pub(super) fn layers(log_rows: usize) -> Range<usize> {
    LOG_DIRECT.min(log_rows)..log_rows
}

/// Rounds of all sumchecks together.
pub(super) fn rounds(log_rows: usize) -> usize {
    log_rows + layers(log_rows).sum::<usize>()
}

/// Elements that the prover sends besides the values at the points: two a round, and one for each layer.
pub(super) fn elements(log_rows: usize) -> usize {
    2 * rounds(log_rows) + 1 + layers(log_rows).len()
}

/// The sumcheck's rounds over a layer.
pub(super) fn rounds_of(variables: usize) -> Rounds {
    Rounds { count: variables, grinding: 0 }
}

/// The layer above one of `2^j` entries.
pub(super) struct Step<B, E> {
    /// `(a, b)` of the variable that joins.
    factor: [E; 2],
    /// The inverse root of unity of order `2^(j+1)`.
    root: B,
}

impl<B: TwoAdic, E: ExtensionOf<B>> Step<B, E> {
    /// The step above layer `j`; none if the form has fewer variables or the field no such root.
    pub fn above(form: &TensorForm<E>, j: usize) -> Option<Self> {
        let v = form.variables().checked_sub(j + 1)?;
        Some(Self { factor: *form.factors().get(v)?, root: B::root_of_unity(j + 1).inverse()? })
    }

    /// The weights of layer `j` in the extension of the layer above at a point: two forms with their scalars.
    pub fn weights(&self, point: &[E]) -> Option<[(E, TensorForm<E>); 2]> {
        let (&last, low) = point.split_last()?;
        let [a, b] = self.factor;
        let squares = core::iter::successors(Some(self.root), |root| Some(root.square()));
        let powers = low.iter().zip(squares).map(|(&z, root)| [E::ONE - z, z.scale(root)]);
        let sign = E::ONE - last - last;
        Some([(a, TensorForm::point(low)), (b * sign, TensorForm::new(powers.collect()))])
    }

    /// The layer above `table`.
    pub fn double(&self, table: &[E]) -> Vec<E> {
        let [a, b] = self.factor;
        let mut power = B::ONE;
        let (mut low, mut high) = (Vec::with_capacity(2 * table.len()), Vec::with_capacity(table.len()));
        for &entry in table {
            let (constant, odd) = (entry * a, entry * b.scale(power));
            low.push(constant + odd);
            // The last bit multiplies the root's power by -1.
            high.push(constant - odd);
            power *= self.root;
        }
        low.append(&mut high);
        low
    }
}

/// Receives the values of the weight polynomial at points and checks them.
///
/// Cost: about `m²` products for `2^m` rows, and `2 m` for each point.
pub(super) fn verify<B: TwoAdic, E: ExtensionOf<B>>(
    tape: &mut VerifierTape<'_>,
    form: &TensorForm<E>,
    points: &[B],
) -> Result<Vec<E>, Invalid> {
    let log_rows = form.variables();
    let values: Vec<E> = tape.receive("weights at points", points.len())?;
    let gamma = tape.challenge("delegation batch");
    let mut scalars = powers(gamma, points.len());
    let size = (0..log_rows).fold(B::ONE, |size, _| size + size);
    let claim = dot(&values, &scalars).scale(size);
    let (mut point, left) = sumcheck::verify(tape, rounds_of(log_rows), claim)?;
    let mut points = points.to_vec();
    point.iter().for_each(|&r| B::bind_rows(&mut points, &mut scalars, r));
    let mut value = receive_layer(tape, left, scalars.into_iter().sum())?;
    for j in layers(log_rows).rev() {
        let missing = Invalid("a layer without its weights");
        let weights = Step::<B, E>::above(form, j).and_then(|step| step.weights(&point)).ok_or(missing)?;
        let (next, left) = sumcheck::verify(tape, rounds_of(j), value)?;
        let weight = weights.iter().map(|(scalar, form)| *scalar * form.bind_low(&next).0).sum();
        value = receive_layer(tape, left, weight)?;
        point = next;
    }
    let mut table = vec![E::ONE];
    for j in 0..LOG_DIRECT.min(log_rows) {
        let step = Step::<B, E>::above(form, j).ok_or(Invalid("a layer without its weights"))?;
        table = step.double(&table);
    }
    if TensorForm::point(&point).apply(&table) != value {
        return Err(Invalid("the lowest layer of the weights has another value"));
    }
    Ok(values)
}

/// Receives a layer's value at the point that its sumcheck ended with, where the weights' value is known.
fn receive_layer<E: Field>(tape: &mut VerifierTape<'_>, left: E, weight: E) -> Result<E, Invalid> {
    let value = tape.receive::<E>("layer", 1)?.first().copied().ok_or(Invalid("one value"))?;
    if value * weight != left {
        return Err(Invalid("a layer of the weights does not have the value that its sumcheck leaves"));
    }
    Ok(value)
}
