//! Poseidon in a circuit: three constraints for each fifth power.

use curve::PrimeField;
use curve::bn254::Fr;

use super::{FULL_ROUNDS, MAX_WIDTH, Poseidon, RATE, bn254, fifth_power, initial_capacity};
use crate::r1cs::{Builder, LinearCombination};

/// [`super::hash`] in a circuit: `3 (8 t + partial rounds − 1)` constraints with `t − 1` inputs, since lane 0 of the first round is a constant.
///
/// # Panics
/// If the number of inputs is not in `1..=16`.
pub fn hash_gadget(
    builder: &mut Builder<Fr>,
    domain: Fr,
    inputs: &[LinearCombination<Fr>],
) -> LinearCombination<Fr> {
    let state: Vec<_> =
        core::iter::once(&LinearCombination::constant(domain)).chain(inputs).cloned().collect();
    bn254(state.len()).permute_gadget(builder, state, Some(domain)).swap_remove(0)
}

/// [`super::sponge`] in a circuit: 609 constraints for the first sixteen words and 612 for each sixteen that follow.
pub fn sponge_gadget(
    builder: &mut Builder<Fr>,
    domain: u64,
    words: &[LinearCombination<Fr>],
) -> LinearCombination<Fr> {
    let capacity = initial_capacity(domain, words.len());
    let mut state = vec![LinearCombination::zero(); MAX_WIDTH];
    state[0] = LinearCombination::constant(capacity);
    let mut constant = Some(capacity);
    let empty: &[LinearCombination<Fr>] = &[];
    for block in words.chunks(RATE).chain(words.is_empty().then_some(empty)) {
        for (lane, word) in state[1..].iter_mut().zip(block) {
            *lane += word;
        }
        state = bn254(MAX_WIDTH).permute_gadget(builder, state, constant.take());
    }
    state.swap_remove(0)
}

impl<F: PrimeField> Poseidon<F> {
    /// Permutes; `capacity` is the value of lane 0 if it is a constant of the circuit.
    fn permute_gadget(
        &self,
        builder: &mut Builder<F>,
        mut state: Vec<LinearCombination<F>>,
        mut capacity: Option<F>,
    ) -> Vec<LinearCombination<F>> {
        debug_assert_eq!(self.rounds() - self.partial, FULL_ROUNDS);
        for round in 0..self.rounds() {
            let constants = &self.constants[round * self.width..][..self.width];
            for (lane, &constant) in state.iter_mut().zip(constants) {
                *lane += &LinearCombination::constant(constant);
            }
            for (i, lane) in state[..self.active(round)].iter_mut().enumerate() {
                *lane = match capacity.take() {
                    Some(x) if i == 0 => LinearCombination::constant(fifth_power(x + constants[0])),
                    _ => power_gadget(builder, lane),
                };
            }
            let rows = self.matrix.chunks_exact(self.width);
            state =
                rows.map(|row| LinearCombination::weighted_sum(row.iter().copied().zip(&state))).collect();
        }
        state
    }
}

fn power_gadget<F: PrimeField>(builder: &mut Builder<F>, x: &LinearCombination<F>) -> LinearCombination<F> {
    let square = builder.multiply("poseidon: square", x, x);
    let fourth = builder.multiply("poseidon: fourth power", &square, &square);
    builder.multiply("poseidon: fifth power", &fourth, x)
}
