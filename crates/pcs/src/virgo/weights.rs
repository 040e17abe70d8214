//! The prover's side of the delegation: all layers of the weights, and the sumchecks over them. (notes: virgo-delegation)

use super::delegation::{Step, layers, rounds_of};
use field::{ExtensionOf, Field, FoldableCode, TwoAdic, parallel};
use iop::poly::{TensorForm, dot, powers};
use iop::sumcheck;
use iop::transcript::{Challenger, ProverTape};

/// The weights of a form on the rows, and all layers of the coefficients of the polynomial through them.
#[derive(Debug, Clone)]
pub struct RowWeights<E> {
    form: TensorForm<E>,
    /// The coefficients times their number.
    coefficients: Vec<E>,
    /// The layers that sumchecks reach, the longest first.
    lower: Vec<Vec<E>>,
}

impl<E: Field> RowWeights<E> {
    /// All layers. Cost: about six products for each row.
    pub fn new<B: TwoAdic>(form: TensorForm<E>) -> Self
    where
        E: ExtensionOf<B>,
    {
        let variables = form.variables();
        let (mut table, mut lower) = (vec![E::ONE], Vec::new());
        for j in 0..variables {
            let step = Step::<B, E>::above(&form, j).expect("a root of unity for each variable");
            let above = step.double(&table);
            if layers(variables).contains(&j) {
                lower.push(table);
            }
            table = above;
        }
        lower.reverse();
        Self { form, coefficients: table, lower }
    }

    /// The form on the rows.
    pub fn form(&self) -> &TensorForm<E> {
        &self.form
    }

    /// The coefficients of the polynomial through the weights, times the number of rows.
    pub fn coefficients(&self) -> &[E] {
        &self.coefficients
    }

    /// Sends the polynomial's values at `x` and `-x` for each of some points and proves them.
    ///
    /// Cost: two products with a base element for each row and point, and about a dozen products for each row.
    pub(super) fn prove<B: TwoAdic>(self, tape: &mut ProverTape, points: &[B])
    where
        E: ExtensionOf<B>,
    {
        let Self { form, mut coefficients, lower } = self;
        let size = coefficients.len();
        let mean = B::from_u64(size as u64).inverse().expect("a power of two");
        let values: Vec<E> =
            values(&coefficients, points).into_iter().map(|value| value.scale(mean)).collect();
        tape.send("weights at points", &values);
        let gamma = tape.challenge("delegation batch");
        let scalars = powers(gamma, values.len());
        let claim = dot(&values, &scalars).scale(B::from_u64(size as u64));
        let mut weights = combined_powers(points, &scalars, size);
        let rounds = rounds_of(form.variables());
        let (mut point, _) = sumcheck::prove(tape, rounds, &mut coefficients, &mut weights, claim);
        let mut value = coefficients[0];
        tape.send("layer", &[value]);
        for (j, mut table) in layers(form.variables()).rev().zip(lower) {
            let step = Step::<B, E>::above(&form, j).expect("a root of unity for each variable");
            let mut weights = vec![E::ZERO; table.len()];
            for (scalar, form) in step.weights(&point).expect("a coordinate for the layer's last bit") {
                form.add_scaled(scalar, &mut weights);
            }
            (point, _) = sumcheck::prove(tape, rounds_of(j), &mut table, &mut weights, value);
            value = table[0];
            tape.send("layer", &[value]);
        }
    }
}

/// The values of a polynomial at `x` and `-x` for each of some points.
fn values<B: TwoAdic, E: ExtensionOf<B>>(coefficients: &[E], points: &[B]) -> Vec<E> {
    let squares: Vec<B> = points.iter().map(|x| x.square()).collect();
    let halves = parallel::map([0, 1].into_iter(), |parity| {
        let half: Vec<E> = coefficients.iter().skip(parity).step_by(2).copied().collect();
        B::evaluate_many(&half, &squares)
    });
    let pairs = points.iter().zip(halves[0].iter().zip(&halves[1]));
    pairs.flat_map(|(&x, (&even, &odd))| [even + odd.scale(x), even - odd.scale(x)]).collect()
}

/// `Σ_j s_j x_j^k` for each `k` below a size, over the points `x` and `-x` in turn.
fn combined_powers<B: TwoAdic, E: ExtensionOf<B>>(points: &[B], scalars: &[E], size: usize) -> Vec<E> {
    let squares: Vec<B> = points.iter().map(|x| x.square()).collect();
    let pairs = scalars.as_chunks::<2>().0;
    let even: Vec<E> = pairs.iter().map(|[plus, minus]| *plus + *minus).collect();
    let odd: Vec<E> = pairs.iter().zip(points).map(|([plus, minus], &x)| (*plus - *minus).scale(x)).collect();
    let [even, odd] = [even, odd].map(|scalars| {
        let mut out = vec![E::ZERO; size / 2];
        B::accumulate_rows_parallel(&squares, &scalars, &mut out);
        out
    });
    even.into_iter().zip(odd).flat_map(|pair| [pair.0, pair.1]).collect()
}
