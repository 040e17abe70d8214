use curve::pairing::{Bn254, PairingCurve};
use curve::{Affine, AffineRepr, CurveGroup, Field, PrimeField, bn254};

use super::{BLS12_381, BN254, Case, prove, rng};
use crate::groth16::key::VerifyingKey;
use crate::groth16::{Commitment, Invalid, Proof, ProveError, Provenance, setup_local, verify_batch};
use crate::r1cs::{Builder, Circuit, LinearCombination, R1cs};

const WRONG: Result<(), Invalid> = Err(Invalid("the pairing equation does not hold"));
const PUBLIC: Result<(), Invalid> = Err(Invalid("another number of public inputs than the circuit has"));

fn statements<E: PairingCurve>(case: &Case<E>, bytes: usize) {
    let key = case.key.verifying();
    let public = &case.assignment.public;
    assert_eq!(key.verify(public, &case.proof), Ok(()));
    let encoded = case.proof.to_bytes();
    assert_eq!(encoded.len(), bytes);
    assert_eq!([Proof::<E>::BYTES, Proof::<E>::COMMITTED_BYTES].iter().filter(|n| **n == bytes).count(), 1);
    assert_eq!(Proof::from_bytes(&encoded), Ok(case.proof));
    for wrong in 0..public.len() {
        let mut other = public.clone();
        other[wrong] += E::Scalar::ONE;
        assert_eq!(key.verify(&other, &case.proof), WRONG, "public input {wrong}");
    }
    assert_eq!(key.verify(&public[..1], &case.proof), PUBLIC);
    assert_eq!(key.verify(&[], &case.proof), PUBLIC);
    assert_eq!(key.verify(&[&public[..], &[E::Scalar::ZERO]].concat(), &case.proof), PUBLIC);
}

use curve::AdditiveGroup;

#[test]
fn true_statements_are_accepted_and_false_ones_refused() {
    statements(&BN254, 160);
    statements(&BLS12_381, 192);
}

/// Whoever changes one of the three points has no proof.
fn elements<E: PairingCurve>(case: &Case<E>) {
    let (g1, g2) = (Affine::<E::G1>::generator(), Affine::<E::G2>::generator());
    let Proof { a, b, c, .. } = case.proof;
    let others = [
        Proof { a: (a + g1).into_affine(), ..case.proof },
        Proof { b: (b + g2).into_affine(), ..case.proof },
        Proof { c: (c + g1).into_affine(), ..case.proof },
        Proof { a: -a, ..case.proof },
        Proof { b: -b, ..case.proof },
        Proof { c: -c, ..case.proof },
        Proof { a: c, c: a, ..case.proof },
    ];
    for (i, other) in others.iter().enumerate() {
        assert_eq!(case.key.verifying().verify(&case.assignment.public, other), WRONG, "change {i}");
    }
    let identities = [
        Proof { a: Affine::zero(), ..case.proof },
        Proof { b: Affine::zero(), ..case.proof },
        Proof { c: Affine::zero(), ..case.proof },
        Proof { a: Affine::zero(), b: Affine::zero(), c: Affine::zero(), ..case.proof },
    ];
    for other in identities {
        let refused = Err(Invalid("a proof with the identity"));
        assert_eq!(case.key.verifying().verify(&case.assignment.public, &other), refused);
        assert_eq!(Proof::<E>::from_bytes(&other.to_bytes()).map(drop), refused);
    }
}

#[test]
fn changed_elements_are_refused() {
    elements(&BN254);
    elements(&BLS12_381);
}

#[test]
fn encodings_of_other_lengths_and_second_encodings_are_refused() {
    let bytes = BN254.proof.to_bytes();
    for length in [0, 1, 31, 32, 96, 127, 129, 159] {
        assert!(Proof::<Bn254>::from_bytes(&bytes[..length]).is_err(), "{length} bytes");
    }
    assert!(Proof::<Bn254>::from_bytes(&[&bytes[..], &[0]].concat()).is_err());
    // The same abscissas with the prime added: 254 bits leave no room for flags in some cases, and no decoder may reduce.
    for at in [0, 32, 64, 96, 128] {
        let mut other = bytes.clone();
        let mut carry = 0_u16;
        let prime = curve::BigInteger::to_bytes_le(&bn254::Fq::MODULUS);
        let flags = other[at + 31] & 0xc0;
        other[at + 31] &= 0x3f;
        for (byte, p) in other[at..at + 32].iter_mut().zip(prime) {
            let sum = u16::from(*byte) + u16::from(p) + carry;
            (*byte, carry) = (sum as u8, sum >> 8);
        }
        other[at + 31] |= flags;
        assert_ne!(Proof::<Bn254>::from_bytes(&other), Ok(BN254.proof), "coordinate at {at}");
    }
    // Every bit is part of a value or refused.
    for at in (0..8 * bytes.len()).step_by(5).chain([255, 254, 766, 767, 1022, 1023, 1278, 1279]) {
        let mut other = bytes.clone();
        other[at / 8] ^= 1 << (at % 8);
        let verdict = Proof::<Bn254>::from_bytes(&other)
            .and_then(|proof| BN254.key.verifying().verify(&BN254.assignment.public, &proof));
        assert!(verdict.is_err(), "bit {at}");
    }
}

/// A point of the second group's curve that is not in the subgroup: most are, by the size of the cofactor.
pub(super) fn outside() -> bn254::G2 {
    let point = |x: u64| bn254::G2::get_point_from_x_unchecked(bn254::Fq2::from(x), false);
    let found = (1..).filter_map(point).find(|p| !p.is_in_correct_subgroup_assuming_on_curve());
    found.expect("half of all numbers are abscissas")
}

#[test]
fn a_point_outside_the_subgroup_is_refused() {
    let b = BN254.proof.b;
    let small = outside();
    for b in [small, (b + small).into_affine()] {
        let bytes = Proof { b, ..BN254.proof }.to_bytes();
        assert_eq!(Proof::<Bn254>::from_bytes(&bytes), Err(Invalid("no point of the subgroup")));
    }
}

#[test]
fn a_proof_for_another_key_or_circuit_is_refused() {
    let same = Case::<Bn254>::new(64, 5, true);
    assert_eq!(same.key.verifying().verify(&BN254.assignment.public, &BN254.proof), WRONG);
    let shorter = Case::<Bn254>::new(63, 6, true);
    assert_eq!(BN254.key.verifying().verify(&shorter.assignment.public, &shorter.proof), WRONG);
    let other = ProveError::OtherCircuit;
    assert_eq!(prove(&BN254.key, &shorter.assignment, &mut rng(7)).unwrap_err(), other);
    assert_eq!(BN254.key.verifying().provenance(), Provenance::Local);
    assert!(Provenance::Local.to_string().starts_with("INSECURE"));
}

/// The honest prover refuses a false witness, and one that goes on has no proof.
#[test]
fn a_false_witness_is_refused() {
    let case = &*BN254;
    let mut assignment = case.assignment.clone();
    assignment.violated = case
        .circuit
        .is_satisfied(&{
            let mut other = assignment.clone();
            other.witness[3] += bn254::Fr::ONE;
            other
        })
        .err();
    assert!(matches!(prove(&case.key, &assignment, &mut rng(8)), Err(ProveError::Unsatisfied(_))));
    // Products that the false cell would make, and those of the true ones.
    for (cell, row) in [(true, false), (false, true), (true, true)] {
        let mut assignment = case.assignment.clone();
        if cell {
            assignment.witness[3] += bn254::Fr::ONE;
        }
        if row {
            assignment.a[5] += bn254::Fr::ONE;
        }
        let proof = prove(&case.key, &assignment, &mut rng(9)).expect("no violation is noted");
        assert_eq!(case.key.verifying().verify(&assignment.public, &proof), WRONG, "{cell} {row}");
    }
}

/// Proofs of one statement differ, each by its blinding; from one anybody makes others, of the same statement.
#[test]
fn proofs_are_blinded_and_malleable() {
    let case = &*BN254;
    let key = case.key.verifying();
    let public = &case.assignment.public;
    let again = prove(&case.key, &case.assignment, &mut rng(10)).unwrap();
    assert!(again.a != case.proof.a && again.b != case.proof.b && again.c != case.proof.c);
    assert_eq!(key.verify(public, &again), Ok(()));
    let Proof { a, b, c, .. } = case.proof;
    let x = bn254::Fr::from(5_u64);
    let scaled =
        Proof { a: (a * x).into_affine(), b: (b * x.inverse().unwrap()).into_affine(), ..case.proof };
    assert_eq!(key.verify(public, &scaled), Ok(()));
    let shifted =
        Proof { b: (b + key.second[2] * x).into_affine(), c: (c + a * x).into_affine(), ..case.proof };
    assert_eq!(key.verify(public, &shifted), Ok(()));
}

/// A public input in no constraint has a point of its own, and a key where it has none, or that of another, is refused.
#[test]
fn keys_that_do_not_bind_public_inputs_are_refused() {
    let key = BN254.key.verifying();
    let new = |second, ic| {
        let second = (second, key.eta);
        VerifyingKey::<Bn254>::new([0; 32], Provenance::Local, key.alpha, second, ic).err()
    };
    assert_eq!(new(key.second, key.ic.clone()), None);
    let mut ic = key.ic.clone();
    ic[2] = Affine::zero();
    assert_eq!(
        new(key.second, ic.clone()),
        Some(Invalid("a key with the identity: a public input would not be bound"))
    );
    for point in [ic[1], -ic[1], ic[0]] {
        ic[2] = point;
        assert_eq!(
            new(key.second, ic.clone()),
            Some(Invalid("a key with the same point for two public inputs"))
        );
    }
    let [beta, gamma, _] = key.second;
    for delta in [gamma, -gamma] {
        let refused = Some(Invalid("a key whose gamma is its delta: anybody could forge"));
        assert_eq!(new([beta, gamma, delta], key.ic.clone()), refused);
    }
    let [_, gamma, delta] = key.second;
    for eta in [gamma, -gamma, delta, -delta] {
        let second = (key.second, Some(eta));
        let refused = Some(Invalid("a key whose eta is its gamma or delta: a commitment would not bind"));
        let ic = key.ic.clone();
        assert_eq!(
            VerifyingKey::<Bn254>::new([0; 32], Provenance::Local, key.alpha, second, ic).err(),
            refused
        );
    }
    let second = (key.second, Some(Affine::zero()));
    assert!(
        VerifyingKey::<Bn254>::new([0; 32], Provenance::Local, key.alpha, second, key.ic.clone()).is_err()
    );
    for at in 0..3 {
        let mut second = key.second;
        second[at] = Affine::zero();
        assert!(new(second, key.ic.clone()).is_some());
    }
}

#[test]
fn batches_are_refused_for_one_false_proof() {
    let case = &*BN254;
    let key = case.key.verifying();
    let public = &case.assignment.public[..];
    let again = prove(&case.key, &case.assignment, &mut rng(11)).unwrap();
    assert_eq!(verify_batch(key, &[]), Ok(()));
    assert_eq!(verify_batch(key, &[(public, case.proof), (public, again)]), Ok(()));
    let g = bn254::G1::generator();
    // Two errors whose sum is nothing.
    let up = Proof { c: (case.proof.c + g).into_affine(), ..case.proof };
    let down = Proof { c: (again.c - g).into_affine(), ..again };
    assert_eq!(verify_batch(key, &[(public, up), (public, down)]), WRONG);
    assert_eq!(verify_batch(key, &[(public, case.proof), (public, down)]), WRONG);
    assert_eq!(verify_batch(key, &[(&public[..1], case.proof)]), PUBLIC);
    // Two commitments with errors whose sum is nothing, one without.
    let moved = |proof: Proof<Bn254>, by: bn254::G1| Proof {
        commitment: proof.commitment.map(|Commitment(point)| Commitment((point + by).into_affine())),
        ..proof
    };
    assert_eq!(verify_batch(key, &[(public, moved(case.proof, g)), (public, moved(again, -g))]), WRONG);
    let without = Proof { commitment: None, ..case.proof };
    assert!(verify_batch(key, &[(public, without)]).is_err());
}

/// No constraint at all, and one with constants alone.
#[test]
fn small_circuits() {
    struct Trivial(bool);
    impl Circuit<bn254::Fr> for Trivial {
        fn synthesize(&self, builder: &mut Builder<bn254::Fr>) {
            if self.0 {
                let one = LinearCombination::one();
                builder.enforce("constants", &one, &one, &one);
            }
        }
    }
    assert!(setup_local::<Bn254>(&R1cs::of(&Trivial(false)), &mut rng(12)).is_err());
    let key = setup_local::<Bn254>(&R1cs::of(&Trivial(true)), &mut rng(13)).unwrap();
    let proof = key.prove(&crate::r1cs::Assignment::of(&Trivial(true)), &mut rng(14)).unwrap();
    assert_eq!(key.verifying().verify(&[], &proof), Ok(()));
}
