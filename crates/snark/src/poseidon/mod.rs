//! The hash function Poseidon with `x⁵`, generated as its paper specifies. (notes: snark-poseidon)
//!
//! Source: Grassi, Khovratovich, Rechberger, Roy, Schofnegger, "Poseidon: A New Hash Function for Zero-Knowledge Proof Systems", USENIX
//! Security 2021, with the reference scripts' inequalities. Numbers of rounds, round constants and matrices are computed here, and
//! over BN254's scalar field they are those of circomlib.
//!
//! A state has `t` lanes; lane 0 is the capacity. [`hash`] fills the others with its inputs and permutes once; [`sponge`] absorbs sixteen words at a time.

mod gadget;
mod grain;
mod linear;
mod rounds;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use curve::bn254::Fr;
use curve::{AdditiveGroup, PrimeField};

pub use gadget::{hash_gadget, sponge_gadget};
pub use rounds::{FULL_ROUNDS, partial_rounds};

/// The most lanes of a state.
pub const MAX_WIDTH: usize = 17;

/// The lanes that [`sponge`] absorbs words into.
pub const RATE: usize = MAX_WIDTH - 1;

/// The permutation on states of one width over one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poseidon<F> {
    width: usize,
    partial: usize,
    /// `width` constants for each round.
    constants: Vec<F>,
    /// Row by row: lane `i` becomes the sum of `matrix[width i + j] · lane j`.
    matrix: Vec<F>,
}

impl<F: PrimeField> Poseidon<F> {
    /// The permutation on `width` lanes at 128 bits of security. Some milliseconds at most.
    ///
    /// # Panics
    /// If the width is not in `2..=17`, or if the field has fewer than 250 bits: then these numbers of rounds are not the paper's.
    #[must_use]
    pub fn generate(width: usize) -> Self {
        assert!((2..=MAX_WIDTH).contains(&width), "a state has 2 to {MAX_WIDTH} lanes");
        assert!(F::MODULUS_BIT_SIZE >= 250, "the field has fewer than 250 bits");
        let partial = partial_rounds(width);
        let mut grain = grain::Grain::new::<F>(width, FULL_ROUNDS, partial);
        let constants = (0..width * (FULL_ROUNDS + partial)).map(|_| grain.element()).collect();
        let matrix = linear::secure_matrix(width, || grain.element_mod_p());
        Self { width, partial, constants, matrix }
    }

    /// The number of lanes.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    fn rounds(&self) -> usize {
        FULL_ROUNDS + self.partial
    }

    /// The number of lanes that a round raises to the fifth power.
    fn active(&self, round: usize) -> usize {
        let half = FULL_ROUNDS / 2;
        if (half..half + self.partial).contains(&round) { 1 } else { self.width }
    }

    /// Permutes a state.
    ///
    /// # Panics
    /// If the state has another number of lanes.
    pub fn permute(&self, state: &mut [F]) {
        assert_eq!(state.len(), self.width, "a state of another width");
        let mut next = vec![F::ZERO; self.width];
        for round in 0..self.rounds() {
            for (lane, constant) in state.iter_mut().zip(&self.constants[round * self.width..]) {
                *lane += constant;
            }
            for lane in &mut state[..self.active(round)] {
                *lane = fifth_power(*lane);
            }
            for (lane, row) in next.iter_mut().zip(self.matrix.chunks_exact(self.width)) {
                *lane = row.iter().zip(&*state).map(|(m, x)| *m * x).sum();
            }
            state.copy_from_slice(&next);
        }
    }
}

fn fifth_power<F: PrimeField>(x: F) -> F {
    x.square().square() * x
}

/// The permutation over BN254's scalar field, generated once in a process.
///
/// # Panics
/// If the width is not in `2..=17`.
pub fn bn254(width: usize) -> &'static Poseidon<Fr> {
    static CACHE: [OnceLock<Poseidon<Fr>>; MAX_WIDTH + 1] = [const { OnceLock::new() }; MAX_WIDTH + 1];
    assert!((2..=MAX_WIDTH).contains(&width), "a state has 2 to {MAX_WIDTH} lanes");
    CACHE[width].get_or_init(|| Poseidon::generate(width))
}

/// The hash of 1 to 16 elements: lane 0 of the permuted state `(domain, inputs)`. With `domain` 0 it is circomlib's.
///
/// # Panics
/// If the number of inputs is not in `1..=16`.
#[must_use]
pub fn hash(domain: Fr, inputs: &[Fr]) -> Fr {
    let mut state: Vec<Fr> = core::iter::once(domain).chain(inputs.iter().copied()).collect();
    bn254(state.len()).permute(&mut state);
    state[0]
}

/// The hash of any number of words: they are added to the lanes 1 to 16 of a state of 17, one block of [`RATE`] words before each permutation; lane 0 starts with
/// `domain + 2⁶⁴ · number of words`, which makes the padding by zeros unambiguous. The result is lane 0.
#[must_use]
pub fn sponge(domain: u64, words: &[Fr]) -> Fr {
    let mut state = vec![Fr::ZERO; MAX_WIDTH];
    state[0] = initial_capacity(domain, words.len());
    let empty: &[Fr] = &[];
    for block in words.chunks(RATE).chain(words.is_empty().then_some(empty)) {
        for (lane, word) in state[1..].iter_mut().zip(block) {
            *lane += word;
        }
        bn254(MAX_WIDTH).permute(&mut state);
    }
    state[0]
}

fn initial_capacity(domain: u64, words: usize) -> Fr {
    Fr::from(u128::from(domain) + ((words as u128) << 64))
}
