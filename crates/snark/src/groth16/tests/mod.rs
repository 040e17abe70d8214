//! Proofs and keys, and what must be refused.

mod ceremony;
mod commitment;
mod files;
mod long;
mod proofs;

use std::sync::LazyLock;

use curve::fft::Scalar;
use curve::pairing::{Bls12381, Bn254, PairingCurve};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;

use super::{Proof, ProveError, ProvingKey, setup_local};
use crate::r1cs::{Assignment, Builder, Circuit, LinearCombination, R1cs};

/// Knowledge of `x` and of bits such that repeated squaring of `x`, with the bits added, ends in the first public input. The second public input is in
/// no constraint.
pub(super) struct Squarings<F> {
    pub start: F,
    pub steps: usize,
    pub free: F,
}

impl<F: Scalar> Circuit<F> for Squarings<F> {
    fn synthesize(&self, builder: &mut Builder<F>) {
        let mut value = self.start;
        for i in 0..self.steps {
            value = value * value + F::from(bit(i));
        }
        let result = builder.public(|| value);
        let _ = builder.public(|| self.free);
        let mut x = builder.witness(|| self.start);
        for i in 0..self.steps {
            let bit = builder.committed(|| F::from(bit(i)));
            builder.enforce("bit", &bit, &(&bit - &LinearCombination::one()), &LinearCombination::zero());
            x = builder.multiply("square", &x, &x);
            x += &bit;
        }
        builder.enforce_equal("result", &x, &result);
    }
}

fn bit(i: usize) -> u64 {
    (i as u64 * 7 / 3) & 1
}

pub(super) fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

/// A circuit, a key, an assignment and its proof.
pub(super) struct Case<E: PairingCurve> {
    pub circuit: R1cs<E::Scalar>,
    pub key: ProvingKey<E>,
    pub assignment: Assignment<E::Scalar>,
    pub proof: Proof<E>,
}

/// A proof, with a commitment if the key is one with committed cells. The challenges of the circuit, if it has any, are those of the assignment.
pub(super) fn prove<E: PairingCurve>(
    key: &ProvingKey<E>,
    assignment: &Assignment<E::Scalar>,
    rng: &mut ChaCha20Rng,
) -> Result<Proof<E>, ProveError> {
    if !key.verifying().has_commitment() {
        return key.prove(assignment, rng);
    }
    let committed = key.commit(&assignment.committed, rng)?;
    key.prove_committed(committed, assignment, rng)
}

impl<E: PairingCurve> Case<E> {
    pub fn new(steps: usize, seed: u64, commitment: bool) -> Self {
        let squarings = Squarings { start: E::Scalar::from(3_u64), steps, free: E::Scalar::from(11_u64) };
        let circuit = R1cs::of(&squarings);
        let circuit = if commitment { circuit } else { circuit.without_commitment() };
        let assignment = Assignment::of(&squarings);
        let mut rng = rng(seed);
        let key = setup_local::<E>(&circuit, &mut rng).expect("a circuit with constraints");
        let proof = prove(&key, &assignment, &mut rng).expect("a true statement");
        Self { circuit, key, assignment, proof }
    }
}

/// On a domain of 384 points, three times a power of two, which is transformed in vectors where the machine has them. The bits are committed cells.
pub(super) static BN254: LazyLock<Case<Bn254>> = LazyLock::new(|| Case::new(150, 1, true));
/// Without a commitment.
pub(super) static BLS12_381: LazyLock<Case<Bls12381>> = LazyLock::new(|| Case::new(6, 2, false));
