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

/// A file is read to the length that its beginning says, and no further than a circuit's.
#[test]
fn the_length_of_a_state_is_known_from_its_beginning() {
    let root = |size| BatchCircuit::new(Mode::Root, size);
    let circuit = R1cs::of(&Squares(9));
    let mut powers = powers_state(&circuit).unwrap();
    for contributions in 0..3 {
        assert_eq!(state_bytes(&powers, None).unwrap(), powers.len() as u64, "{contributions}");
        assert_eq!(state_bytes(&powers[..STATE_HEAD], Some(64.into())).unwrap(), powers.len() as u64);
        powers = contribute(&powers).unwrap().state;
    }
    let mut state = circuit_state(&powers, &circuit).unwrap();
    for contributions in 0..3 {
        let found = [None, Some(64.into())].map(|of| state_bytes(&state[..STATE_HEAD], of).unwrap());
        assert_eq!(found, [state.len() as u64; 2], "{contributions}");
        state = contribute(&state).unwrap().state;
    }
    // Of every size, and beyond 1 GiB: what is written is what is read.
    let of_size = |size: u64| {
        let mut head = powers[..STATE_HEAD].to_vec();
        head[24..32].copy_from_slice(&size.to_le_bytes());
        head[32..40].copy_from_slice(&0u64.to_le_bytes());
        head
    };
    assert_eq!(powers_bytes(root(BatchSize::B256)), 1_610_612_936);
    assert_eq!(state_bytes(&of_size(1 << 22), None).unwrap(), 1_610_612_936);
    assert_eq!(state_bytes(&of_size(1 << 22), Some(root(BatchSize::B256))).unwrap(), 1_610_612_936);
    assert_eq!(state_bytes(&of_size(1 << 24), None).unwrap(), powers_bytes(root(BatchSize::B1024)));
    let refused = |head: &[u8], of| state_bytes(head, of).unwrap_err().to_string();
    assert!(refused(&of_size(1 << 22), Some(64.into())).contains("a larger circuit"));
    assert!(refused(&of_size(1 << 25), None).contains("a larger circuit"));
    assert!(refused(&of_size(1 << 62), None).contains("no state"), "beyond all numbers");
    let mut many = of_size(16);
    many[32..40].copy_from_slice(&(1u64 << 17).to_le_bytes());
    assert!(refused(&many, None).contains("more contributions"));
    for at in [64, 80, 88, 96, 104] {
        let mut head = state[..STATE_HEAD].to_vec();
        head[24 + at..32 + at].copy_from_slice(&(1u64 << 40).to_le_bytes());
        assert!(state_bytes(&head, None).is_err(), "{at}");
    }
    for end in 0..40 {
        assert!(refused(&powers[..end], None).contains("no state"));
    }
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
