//! Challenges that are hashes of a commitment, and provers that deviate in one thing each.

use std::sync::LazyLock;

use curve::bn254::{Fr, G1};
use curve::pairing::Bn254;
use curve::{AffineRepr, CurveGroup, Field, PrimeField};

use super::{BLS12_381, BN254, Case, rng};
use crate::groth16::{Commitment, Invalid, Proof, ProveError, ProvingKey, setup_local};
use crate::r1cs::{Assignment, Builder, Circuit, LinearCombination, R1cs};

const WRONG: Result<(), Invalid> = Err(Invalid("the pairing equation does not hold"));
const COMMITMENT: Result<(), Invalid> =
    Err(Invalid("a proof without the commitment that its circuit has, or with one that it has not"));

/// Knowledge of two numbers that are the two public ones in some order, by `(r + v_0) (r + v_1) = (r + p_0) (r + p_1)` at the challenge `r`, and of their sum.
#[derive(Clone, Copy)]
struct Same {
    public: [Fr; 2],
    challenge: Fr,
    cells: [Fr; 2],
}

impl Circuit<Fr> for Same {
    fn synthesize(&self, builder: &mut Builder<Fr>) {
        let public = self.public.map(|x| builder.public(|| x));
        let challenge = builder.public(|| self.challenge);
        let cells = self.cells.map(|x| builder.committed(|| x));
        let product = |builder: &mut Builder<Fr>, [x, y]: [LinearCombination<Fr>; 2]| {
            builder.multiply("product", &(&x + &challenge), &(&y + &challenge))
        };
        let [left, right] = [public, cells.clone()].map(|pair| product(builder, pair));
        builder.enforce_equal("same", &left, &right);
        let [x, y] = &cells;
        builder.multiply("sum", &(x + y), x);
    }
}

static KEY: LazyLock<ProvingKey<Bn254>> = LazyLock::new(|| {
    let circuit = Same { public: [Fr::ONE; 2], challenge: Fr::ONE, cells: [Fr::ONE; 2] };
    setup_local(&R1cs::of(&circuit), &mut rng(60)).expect("a circuit with constraints")
});

fn numbers(x: u64, y: u64) -> [Fr; 2] {
    [x, y].map(Fr::from)
}

/// The challenge of whoever verifies.
fn challenge(public: &[Fr; 2], commitment: &Commitment<Bn254>) -> Fr {
    let mut hasher = blake3::Hasher::new_derive_key("tenfold 2026 test of commitments");
    public.iter().for_each(|x| {
        hasher.update(&curve::BigInteger::to_bytes_le(&x.into_bigint()));
    });
    commitment.words().iter().for_each(|word| {
        hasher.update(word);
    });
    let mut wide = [0; 64];
    hasher.finalize_xof().fill(&mut wide);
    Fr::from_le_bytes_mod_order(&wide)
}

/// The verifier of the protocol: it computes the challenge.
fn verify(public: [Fr; 2], proof: &Proof<Bn254>) -> Result<(), Invalid> {
    let commitment = proof.commitment().ok_or(Invalid("no commitment"))?;
    KEY.verifying().verify(&[public[0], public[1], challenge(&public, commitment)], proof)
}

fn inputs(circuit: &Same) -> Vec<Fr> {
    Assignment::of(circuit).public
}

fn honest(public: [Fr; 2], cells: [Fr; 2], seed: u64) -> (Same, Proof<Bn254>) {
    let committed = KEY.commit(&cells, &mut rng(seed)).expect("two cells");
    let challenge = challenge(&public, committed.commitment());
    let circuit = Same { public, challenge, cells };
    let proof = KEY.prove_committed(committed, &Assignment::of(&circuit), &mut rng(seed + 1));
    (circuit, proof.expect("a true statement"))
}

/// A proof whose commitment was made before or after anything, of cells that satisfy the circuit with this challenge.
fn dishonest(circuit: Same, seed: u64) -> Proof<Bn254> {
    let committed = KEY.commit(&circuit.cells, &mut rng(seed)).expect("two cells");
    let proof = KEY.prove_committed(committed, &Assignment::of(&circuit), &mut rng(seed + 1));
    proof.expect("the circuit is satisfied")
}

#[test]
fn challenges_are_drawn_from_the_commitment() {
    let public = numbers(2, 3);
    let (circuit, proof) = honest(public, numbers(3, 2), 61);
    assert_eq!(verify(public, &proof), Ok(()));
    assert_eq!(Proof::from_bytes(&proof.to_bytes()), Ok(proof));
    assert_eq!(proof.to_bytes().len(), Proof::<Bn254>::COMMITTED_BYTES);
    // Blinded: the same cells, another commitment.
    let (_, again) = honest(public, numbers(3, 2), 63);
    assert_ne!(again.commitment, proof.commitment);
    assert!(again.a != proof.a && again.b != proof.b && again.c != proof.c);
    // The commitment hides nothing but cells: it is all that one proof has of another's key.
    assert_eq!(KEY.verifying().verify(&inputs(&circuit), &proof), Ok(()));
    // No cell is free.
    assert_eq!(R1cs::of(&circuit).free_cells(&Assignment::of(&circuit), Fr::from(77_u64)), [0; 0]);
}

/// `{1, 5}` and `{2, 3}` have equal products at the challenge 1 alone: whoever chooses the challenge proves what is false, whoever hashes does not.
#[test]
fn a_challenge_chosen_before_the_commitment_is_refused() {
    let public = numbers(2, 3);
    let circuit = Same { public, challenge: Fr::ONE, cells: numbers(1, 5) };
    let proof = dishonest(circuit, 65);
    let chosen = KEY.verifying().verify(&inputs(&circuit), &proof);
    assert_eq!(chosen, Ok(()), "why challenges have to be hashes of the commitment");
    assert_eq!(verify(public, &proof), WRONG);
}

/// Cells that were made to fit a challenge after it was drawn are not those of the commitment.
#[test]
fn cells_chosen_after_the_challenge_are_refused() {
    let public = numbers(2, 3);
    let (_, first) = honest(public, public, 67);
    let drawn = challenge(&public, first.commitment().expect("a commitment"));
    // (r + v) (r + w) = (r + 2) (r + 3) for a false v.
    let v = Fr::from(9_u64);
    let product = (drawn + public[0]) * (drawn + public[1]);
    let w = product * (drawn + v).inverse().expect("not zero") - drawn;
    let circuit = Same { public, challenge: drawn, cells: [v, w] };
    let proof = dishonest(circuit, 69);
    assert_eq!(verify(public, &proof), WRONG, "a commitment to these cells has another challenge");
    let moved = Proof { commitment: first.commitment, ..proof };
    assert_eq!(verify(public, &moved), WRONG, "the commitment before has other cells");
    // The prover of the crate refuses.
    let committed = KEY.commit(&public, &mut rng(67)).expect("two cells");
    let refused = KEY.prove_committed(committed, &Assignment::of(&circuit), &mut rng(70));
    assert_eq!(refused.map(drop), Err(ProveError::OtherCells));
}

/// What a committed cell adds cannot go through C instead: that is checked with delta, and its points are divided by eta.
#[test]
fn cells_moved_between_the_commitment_and_c_are_refused() {
    let public = numbers(2, 3);
    let (circuit, proof) = honest(public, public, 71);
    let Some(Commitment(d)) = proof.commitment else { unreachable!("a commitment") };
    let key = KEY.commitment.as_ref().expect("committed cells");
    for i in 0..2 {
        let part = key.cells.point(i) * circuit.cells[i];
        let moved = Proof {
            c: (proof.c + part).into_affine(),
            commitment: Some(Commitment((d - part).into_affine())),
            ..proof
        };
        assert_eq!(KEY.verifying().verify(&inputs(&circuit), &moved), WRONG, "cell {i}");
        assert_eq!(verify(public, &moved), WRONG, "cell {i}");
    }
    // Witness cells, and public ones, have no place in the commitment either.
    for (cell, part) in [(KEY.l.point(0), "witness"), (KEY.verifying().ic[1], "public input")] {
        let moved = Proof {
            c: (proof.c - cell).into_affine(),
            commitment: Some(Commitment((d + cell).into_affine())),
            ..proof
        };
        assert_eq!(KEY.verifying().verify(&inputs(&circuit), &moved), WRONG, "{part}");
    }
    let shifted = Proof { commitment: Some(Commitment((d + KEY.verifying().ic[1]).into_affine())), ..proof };
    let mut other = inputs(&circuit);
    other[0] -= Fr::ONE;
    assert_eq!(KEY.verifying().verify(&other, &shifted), WRONG, "gamma is not eta");
}

/// From `(C, D)` anybody makes `(C - y eta, D + y delta)`: of the same inputs, but the challenge is no longer that of the commitment.
#[test]
fn a_moved_commitment_has_another_challenge() {
    let public = numbers(2, 3);
    let (circuit, proof) = honest(public, public, 73);
    let Some(Commitment(d)) = proof.commitment else { unreachable!("a commitment") };
    let (y, key) = (Fr::from(5_u64), KEY.commitment.as_ref().expect("committed cells"));
    let moved = Proof {
        c: (proof.c - key.eta1 * y).into_affine(),
        commitment: Some(Commitment((d + KEY.delta1 * y).into_affine())),
        ..proof
    };
    assert_eq!(KEY.verifying().verify(&inputs(&circuit), &moved), Ok(()));
    assert_eq!(verify(public, &moved), WRONG);
}

#[test]
fn commitments_of_other_proofs_none_and_the_identity_are_refused() {
    let public = numbers(2, 3);
    let (_, proof) = honest(public, public, 75);
    let (_, other) = honest(numbers(4, 5), numbers(5, 4), 77);
    assert_eq!(verify(public, &Proof { commitment: other.commitment, ..proof }), WRONG);
    assert_eq!(verify(numbers(4, 5), &proof), WRONG, "an input that is hashed and in the circuit");
    let all = inputs(&Same { public, challenge: Fr::ONE, cells: public });
    assert_eq!(KEY.verifying().verify(&all, &Proof { commitment: None, ..proof }), COMMITMENT);
    let identity = Proof { commitment: Some(Commitment(G1::zero())), ..proof };
    assert_eq!(verify(public, &identity), Err(Invalid("a proof with the identity")));
    assert!(Proof::<Bn254>::from_bytes(&identity.to_bytes()).is_err());
    // One where the key has none.
    let plain = &*BLS12_381;
    let extra = Proof { commitment: Some(Commitment(plain.proof.a)), ..plain.proof };
    assert_eq!(plain.key.verifying().verify(&plain.assignment.public, &extra), COMMITMENT);
}

#[test]
fn keys_with_and_without_committed_cells_are_told_apart() {
    let Case { circuit, key, assignment, .. } = &*BN254;
    assert_ne!(circuit.digest(), circuit.clone().without_commitment().digest());
    assert_eq!(key.prove(assignment, &mut rng(79)).map(drop), Err(ProveError::Commitment));
    assert!(matches!(key.commit(&assignment.committed[1..], &mut rng(80)), Err(ProveError::OtherCircuit)));
    let plain = &*BLS12_381;
    assert!(matches!(plain.key.commit(&[], &mut rng(81)), Err(ProveError::Commitment)));
}
