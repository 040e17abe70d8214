//! Poseidon in a circuit: three constraints for each fifth power.

use curve::PrimeField;
use curve::bn254::Fr;

use super::{MAX_WIDTH, Poseidon, RATE, bn254, fifth_power, initial_capacity};
use crate::r1cs::{Builder, LinearCombination};

/// [`super::hash`] in a circuit: `3 (8 t + partial rounds)` constraints with `t − 1` inputs, and 3 less if the domain is a constant.
///
/// # Panics
/// If the number of inputs is not in `1..=16`.
pub fn hash_gadget(
    builder: &mut Builder<Fr>,
    domain: &LinearCombination<Fr>,
    inputs: &[LinearCombination<Fr>],
) -> LinearCombination<Fr> {
    let mut state: Vec<_> = core::iter::once(domain).chain(inputs).cloned().collect();
    bn254(state.len()).permute_gadget(builder, &mut state);
    state.swap_remove(0)
}

/// [`super::sponge`] in a circuit: 609 constraints for the first sixteen words and 612 for each sixteen that follow.
pub fn sponge_gadget(
    builder: &mut Builder<Fr>,
    domain: u64,
    words: &[LinearCombination<Fr>],
) -> LinearCombination<Fr> {
    let mut state = vec![LinearCombination::zero(); MAX_WIDTH];
    state[0] = LinearCombination::constant(initial_capacity(domain, words.len()));
    let empty: &[LinearCombination<Fr>] = &[];
    for block in words.chunks(RATE).chain(words.is_empty().then_some(empty)) {
        for (lane, word) in state[1..].iter_mut().zip(block) {
            *lane += word;
        }
        bn254(MAX_WIDTH).permute_gadget(builder, &mut state);
    }
    state.swap_remove(0)
}

impl<F: PrimeField> Poseidon<F> {
    /// [`Self::permute`] in a circuit. A lane that is a constant costs nothing in its first round.
    fn permute_gadget(&self, builder: &mut Builder<F>, state: &mut Vec<LinearCombination<F>>) {
        for round in 0..self.rounds() {
            let constants = &self.constants[round * self.width..][..self.width];
            for (lane, &constant) in state.iter_mut().zip(constants) {
                *lane += &LinearCombination::constant(constant);
            }
            for lane in &mut state[..self.active(round)] {
                *lane = power_gadget(builder, lane);
            }
            let rows = self.matrix.chunks_exact(self.width);
            *state =
                rows.map(|row| LinearCombination::weighted_sum(row.iter().copied().zip(&*state))).collect();
        }
    }
}

fn power_gadget<F: PrimeField>(builder: &mut Builder<F>, x: &LinearCombination<F>) -> LinearCombination<F> {
    if let Some(x) = x.as_constant() {
        return LinearCombination::constant(fifth_power(x));
    }
    let square = builder.multiply("poseidon: square", x, x);
    let fourth = builder.multiply("poseidon: fourth power", &square, &square);
    builder.multiply("poseidon: fifth power", &fourth, x)
}
