//! Ceremonies by files: what they make, and what is refused of a hostile coordinator or contributor.

use curve::pairing::Bn254;
use snark::groth16::Provenance;
use snark::groth16::ceremony::{CircuitKey, Powers};

use super::*;

/// Squarings, one after the other.
struct Squares(usize);

impl Circuit<curve::bn254::Fr> for Squares {
    fn synthesize(&self, builder: &mut Builder<curve::bn254::Fr>) {
        let mut x = builder.witness(|| curve::bn254::Fr::from(1u64));
        for _ in 0..self.0 {
            x = builder.multiply("square", &x, &x);
        }
        let end = builder.public(|| curve::bn254::Fr::from(1u64));
        builder.enforce_equal("end", &x, &end);
    }
}

fn check(powers: &[u8], state: &[u8], expected: &Expected) -> Result<Verified, String> {
    verify_ceremony(powers, state, &R1cs::of(&Cube), expected).map_err(|e| e.to_string())
}

fn with(receipts: &[Digest]) -> Expected {
    Expected { receipts: receipts.to_vec(), ..Expected::default() }
}

#[test]
fn a_ceremony_goes_from_file_to_file() {
    let circuit = R1cs::of(&Cube);
    let start = powers_state(&circuit).unwrap();
    let nobody = circuit_state(&start, &circuit).unwrap_err();
    assert!(matches!(nobody, NodeError::Ceremony(_)), "powers that nobody contributed to: {nobody}");
    let one = contribute(&start).unwrap();
    assert_eq!((one.phase, one.count), (Phase::Powers, 1));
    let beacon = Beacon::new(b"block 7").delay(9);
    let powers = contribute_beacon(&one.state, &beacon).unwrap();
    assert_eq!(powers.state, contribute_beacon(&one.state, &beacon).unwrap().state, "everybody makes it");
    let start = circuit_state(&powers.state, &circuit).unwrap();
    let none = finalise(&powers.state, &start, &circuit, &Expected::default());
    assert!(none.is_err(), "a circuit that nobody contributed to");
    let first = contribute(&start).unwrap();
    assert_eq!((first.phase, first.count), (Phase::Circuit, 1));
    let last = contribute_beacon(&first.state, &beacon).unwrap();
    let receipts = [one.receipt, powers.receipt, first.receipt, last.receipt];
    let expected = Expected { powers_beacon: Some(beacon), beacon: Some(beacon), ..with(&receipts) };
    let verified = check(&powers.state, &last.state, &expected).unwrap();
    assert_eq!([&verified.powers[..], &verified.circuit].concat(), receipts);
    let key = finalise(&powers.state, &last.state, &circuit, &expected).unwrap();
    assert_eq!(key.verifying().provenance(), Provenance::Ceremony(2));
    // Another value, and a last contribution that is none of a beacon.
    let other = Beacon::new(b"block 7").delay(8);
    for (expected, said) in [
        (Expected { beacon: Some(other), ..Expected::default() }, "phase 2 is not that of the beacon"),
        (Expected { powers_beacon: Some(other), ..Expected::default() }, "phase 1 is not that of the beacon"),
    ] {
        assert!(check(&powers.state, &last.state, &expected).unwrap_err().contains(said));
        let refused = finalise(&powers.state, &last.state, &circuit, &expected).map(drop).unwrap_err();
        assert!(refused.to_string().contains(said), "{refused}");
    }
    let begun = check(&powers.state, &start, &Expected::default()).unwrap_err();
    assert!(begun.contains("phase 2 without a contribution"), "{begun}");
    // Secrets that everybody knows, and no others.
    let alone = contribute_beacon(&start, &beacon).unwrap();
    let only = Expected { beacon: Some(beacon), ..Expected::default() };
    let twice = contribute_beacon(&alone.state, &beacon).unwrap();
    for public in [alone, twice] {
        assert!(
            check(&powers.state, &public.state, &only).unwrap_err().contains("no other secret is before it")
        );
    }
    let by_hand = Expected { beacon: Some(beacon), ..Expected::default() };
    assert!(check(&powers.state, &first.state, &by_hand).is_err());
}

#[test]
fn hostile_transcripts_are_refused() {
    let circuit = R1cs::of(&Cube);
    let start = powers_state(&circuit).unwrap();
    let powers = contribute(&start).unwrap();
    let begun = circuit_state(&powers.state, &circuit).unwrap();
    let alice = contribute(&begun).unwrap();
    let bob = contribute(&alice.state).unwrap();
    let none = Expected::default();
    assert!(check(&powers.state, &bob.state, &with(&[alice.receipt, bob.receipt])).is_ok());
    // Cut short, longer, damaged, of the other phase.
    let state = &bob.state;
    let mut damaged = state.clone();
    damaged[200] ^= 1;
    for bad in
        [&state[..state.len() - 1], &state[..40], &[], &[&state[..], &[0]].concat(), &damaged, &powers.state]
    {
        assert!(check(&powers.state, bad, &none).is_err(), "{} bytes", bad.len());
    }
    for bad in
        [&powers.state[..powers.state.len() - 1], &[], b"tenfold g16 p1 1", b"tenfold g16 p2 1", &damaged]
    {
        assert!(check(bad, state, &none).is_err());
        assert!(matches!(contribute(bad), Err(NodeError::Ceremony(_))), "{} bytes", bad.len());
        assert!(circuit_state(bad, &circuit).is_err());
    }
    // Replaced: the same circuit, other contributors. Valid in itself, and found by the receipt.
    let mallory = contribute(&begun).unwrap();
    assert!(check(&powers.state, &mallory.state, &none).is_ok());
    let refused = check(&powers.state, &mallory.state, &with(&[alice.receipt])).unwrap_err();
    assert!(refused.contains("left out, replaced"), "{refused}");
    // A contribution left out: Bob's on what was there before Alice; and in another order.
    let skipped = contribute(&begun).unwrap();
    let after = contribute(&skipped.state).unwrap();
    for receipt in [alice.receipt, bob.receipt] {
        assert!(check(&powers.state, &after.state, &with(&[receipt])).is_err());
    }
    let steps = state.len() - 32 - 2 * 96;
    let mut exchanged = state[..state.len() - 32].to_vec();
    exchanged[steps..].rotate_left(96);
    let digest = *blake3::hash(&exchanged).as_bytes();
    exchanged.extend(digest);
    let refused = check(&powers.state, &exchanged, &none).unwrap_err();
    assert!(refused.contains("at another place"), "{refused}");
    // Other powers, and those of another size; another circuit.
    let others = contribute(&powers.state).unwrap();
    assert!(check(&others.state, state, &none).unwrap_err().contains("other powers"));
    let large = R1cs::of(&Squares(9));
    let refused = verify_ceremony(&powers.state, state, &large, &none).unwrap_err().to_string();
    assert!(refused.contains("another domain"), "{refused}");
    let other = verify_ceremony(&powers.state, state, &R1cs::of(&Squares(1)), &none).unwrap_err().to_string();
    assert!(other.contains("another circuit"), "{other}");
}

/// The domains of circuits are not all powers of two: the powers have the size of the circuit's own.
#[test]
fn powers_are_for_the_domain_of_the_circuit() {
    let circuit = R1cs::of(&Squares(150));
    let powers = Powers::<Bn254>::from_bytes(&powers_state(&circuit).unwrap()).unwrap();
    assert_eq!(powers.size(), 192, "and no 256");
    assert!(CircuitKey::new(&powers, &circuit).is_ok());
}
