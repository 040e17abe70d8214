use curve::pairing::{Bn254, PairingCurve};
use curve::{Affine, AffineRepr, CurveGroup};

use super::{Squarings, prove, rng};
use crate::groth16::ceremony::{Beacon, CircuitKey, Powers};
use crate::groth16::{Invalid, Provenance};
use crate::r1cs::{Assignment, R1cs};
use curve::bn254::Fr;

fn circuit() -> (R1cs<Fr>, Assignment<Fr>) {
    let squarings = Squarings { start: Fr::from(5_u64), steps: 3, free: Fr::from(1_u64) };
    (R1cs::of(&squarings), Assignment::of(&squarings))
}

fn powers() -> Powers<Bn254> {
    let mut powers = Powers::new(16).expect("a power of two");
    powers.contribute(&mut rng(30));
    powers.contribute(&mut rng(31));
    powers
}

#[test]
fn a_key_of_two_phases_proves() {
    let (circuit, assignment) = circuit();
    let powers = powers();
    assert_eq!((powers.contributions(), powers.verify()), (2, Ok(())));
    assert_eq!(Powers::from_bytes(&powers.to_bytes()), Ok(powers.clone()));
    let mut key = CircuitKey::new(&powers, &circuit).expect("the circuit's domain");
    let nobody = Err(Invalid("a key whose gamma is its delta: anybody could forge"));
    assert_eq!(key.finalise(&powers, &circuit).map(drop), nobody);
    key.contribute(&mut rng(32));
    key.contribute(&mut rng(33));
    assert_eq!(CircuitKey::from_bytes(&key.to_bytes()), Ok(key.clone()));
    let mut alone = CircuitKey::new(&Powers::<Bn254>::new(16).unwrap(), &circuit).unwrap();
    alone.contribute(&mut rng(32));
    let nobody = Err(Invalid("powers without a contribution: everybody knows their secrets"));
    assert_eq!(alone.finalise(&Powers::new(16).unwrap(), &circuit).map(drop), nobody, "one secret of five");
    let key = key.finalise(&powers, &circuit).expect("honest contributions");
    assert_eq!(key.verifying().provenance(), Provenance::Ceremony(2));
    let proof = prove(&key, &assignment, &mut rng(34)).expect("a true statement");
    assert!(proof.commitment().is_some());
    assert_eq!(key.verifying().verify(&assignment.public, &proof), Ok(()));
}

/// Whoever has the value makes the same contribution; nobody else's is taken for it.
#[test]
fn the_contribution_of_a_beacon_is_known_by_its_value() {
    let (circuit, _) = circuit();
    let (beacon, other) = (Beacon::new(b"block 1").delay(3), Beacon::new(b"block 1").delay(2));
    assert_eq!(beacon, other.delay(1));
    let mut powers = powers();
    let mut again = powers.clone();
    assert!(!powers.ends_with(&beacon) && !Powers::<Bn254>::new(16).unwrap().ends_with(&beacon));
    let mut public = Powers::<Bn254>::new(16).unwrap();
    for _ in 0..2 {
        public.contribute_beacon(&beacon);
        assert!(!public.ends_with(&beacon), "secrets that everybody knows");
    }
    powers.contribute_beacon(&beacon);
    again.contribute_beacon(&beacon);
    assert_eq!((again.to_bytes() == powers.to_bytes(), powers.verify()), (true, Ok(())));
    assert_eq!([&beacon, &other].map(|beacon| powers.ends_with(beacon)), [true, false]);
    let mut key = CircuitKey::new(&powers, &circuit).unwrap();
    key.contribute(&mut rng(38));
    key.contribute_beacon(&beacon);
    assert_eq!(key.verify(&powers, &circuit), Ok(()));
    assert_eq!([&beacon, &other].map(|beacon| key.ends_with(beacon)), [true, false]);
    let receipts = key.receipts();
    key.contribute(&mut rng(39));
    assert!(!key.ends_with(&beacon), "somebody came after it");
    assert_eq!((&key.receipts()[..2], key.receipts().len()), (&receipts[..], 3));
    again.contribute(&mut rng(40));
    assert_eq!((&again.receipts()[..3], again.receipts().len()), (&powers.receipts()[..], 4));
}

/// A domain of three times a power of two, a circuit without a commitment; powers for another domain are refused.
#[test]
fn a_ceremony_for_a_domain_that_is_no_power_of_two() {
    let squarings = Squarings { start: Fr::from(5_u64), steps: 70, free: Fr::from(1_u64) };
    let (circuit, assignment) = (R1cs::of(&squarings).without_commitment(), Assignment::of(&squarings));
    let mut powers = Powers::<Bn254>::new(192).expect("a size");
    powers.contribute(&mut rng(35));
    let mut key = CircuitKey::new(&powers, &circuit).expect("the circuit's domain");
    key.contribute(&mut rng(36));
    assert_eq!(CircuitKey::from_bytes(&key.to_bytes()), Ok(key.clone()));
    let key = key.finalise(&powers, &circuit).expect("honest contributions");
    let proof = key.prove(&assignment, &mut rng(37)).expect("a true statement");
    assert_eq!(key.verifying().verify(&assignment.public, &proof), Ok(()));
    assert!(CircuitKey::new(&Powers::<Bn254>::new(256).expect("a size"), &circuit).is_err());
    assert!([0, 1, 96, 27 << 8].iter().all(|size| Powers::<Bn254>::new(*size).is_err()));
}

/// Points are changed in files, as a contributor would change them, with the digest that goes with the file.
fn changed(bytes: &[u8], at: usize, new: &[u8]) -> Vec<u8> {
    let mut body = bytes[..bytes.len() - 32].to_vec();
    body[at..at + new.len()].copy_from_slice(new);
    body.extend(*blake3::hash(&body).as_bytes());
    body
}

fn first(point: &Affine<<Bn254 as PairingCurve>::G1>) -> Vec<u8> {
    let mut bytes = vec![];
    curve::points::write(&[*point], &mut bytes);
    bytes
}

fn moved_first(bytes: &[u8], at: usize) -> Vec<u8> {
    let [point] = curve::points::read::<<Bn254 as PairingCurve>::G1>(&bytes[at..at + 64]).unwrap()[..] else {
        unreachable!("one point")
    };
    changed(bytes, at, &first(&(point + Affine::generator()).into_affine()))
}

fn moved_second(bytes: &[u8], at: usize) -> Vec<u8> {
    let [point] = curve::points::read::<<Bn254 as PairingCurve>::G2>(&bytes[at..at + 128]).unwrap()[..]
    else {
        unreachable!("one point")
    };
    let mut new = vec![];
    curve::points::write(&[(point + Affine::generator()).into_affine()], &mut new);
    changed(bytes, at, &new)
}

#[test]
fn powers_that_are_none_are_refused() {
    let powers = powers();
    let bytes = powers.to_bytes();
    let refused =
        |bytes: &[u8]| Powers::<Bn254>::from_bytes(bytes).and_then(|powers| powers.verify()).is_err();
    assert!(!refused(&bytes));
    let start = 40;
    // tau^0, tau, tau^2, the last; alpha, a multiple; beta, a multiple.
    for i in [0, 1, 2, 31, 32, 35, 48, 63] {
        assert!(refused(&moved_first(&bytes, start + 64 * i)), "point {i} of the first group");
    }
    let second = start + 64 * 64;
    for i in [0, 1, 2, 15, 16] {
        assert!(refused(&moved_second(&bytes, second + 128 * i)), "point {i} of the second group");
    }
    // A domain whose points would fill the memory.
    let header = [&bytes[..40], &[0; 32]].concat();
    assert!(refused(&changed(&header, 24, &(1_u64 << 27).to_le_bytes())));
    // No contribution, a contribution left out, two exchanged, one twice.
    assert!(Powers::<Bn254>::new(16).unwrap().verify().is_err());
    let steps = second + 128 * 17;
    let size = (bytes.len() - 32 - steps) / 2;
    let (one, two) = (bytes[steps..steps + size].to_vec(), bytes[steps + size..steps + 2 * size].to_vec());
    assert!(refused(&changed(&bytes, steps, &[&two[..], &one].concat())));
    assert!(refused(&changed(&bytes, steps, &[&two[..], &two].concat())));
    assert!(refused(&changed(&bytes, steps, &[&one[..], &one].concat())));
    // A response that is another one.
    for step in 0..6 {
        let at = steps + step * 96 + 64;
        assert!(refused(&changed(&bytes, at, &[bytes[at] ^ 1])), "step {step}");
    }
    for length in [0, 39, start + 64, bytes.len() - 33, bytes.len() - 1] {
        assert!(refused(&bytes[..length]));
    }
    for (at, count) in [(24, 15_u64), (24, 32), (24, u64::MAX), (32, 1), (32, 3), (32, u64::MAX)] {
        assert!(refused(&changed(&bytes, at, &count.to_le_bytes())), "{count} at {at}");
    }
    for size in [0, 1, 3, 1 << 30] {
        assert!(Powers::<Bn254>::new(size).is_err());
    }
}

#[test]
fn keys_that_are_not_the_circuits_are_refused() {
    let (circuit, _) = circuit();
    let powers = powers();
    let start = CircuitKey::new(&powers, &circuit).unwrap();
    let mut key = start.clone();
    key.contribute(&mut rng(35));
    let one = key.clone();
    key.contribute(&mut rng(36));
    let bytes = key.to_bytes();
    let verify = |bytes: &[u8]| CircuitKey::from_bytes(bytes).and_then(|key| key.verify(&powers, &circuit));
    assert_eq!(verify(&bytes), Ok(()));
    let (public, columns) = (circuit.public(), circuit.columns());
    let (committed, witness) = (circuit.committed(), circuit.witness());
    let lists = [2, public + 1, columns, columns, witness, 16, 1];
    let counts = 24 + 64 + 40;
    let mut at = counts + 8;
    for (list, count) in lists.into_iter().enumerate() {
        for i in [0, count - 1] {
            assert!(verify(&moved_first(&bytes, at + 64 * i)).is_err(), "list {list}, point {i}");
        }
        at += 64 * count;
    }
    for i in [0, columns - 1, columns, columns + 1] {
        assert!(verify(&moved_second(&bytes, at + 128 * i)).is_err(), "second group, point {i}");
    }
    let cells = at + 128 * (columns + 2);
    for i in [0, committed - 1, committed] {
        assert!(verify(&moved_first(&bytes, cells + 64 * i)).is_err(), "committed cells and eta, point {i}");
    }
    let eta = cells + 64 * (committed + 1);
    assert!(verify(&moved_second(&bytes, eta)).is_err(), "eta in the second group");
    // The contributions: exchanged, one twice, one left out of the list but not of the points.
    let steps = eta + 128;
    let (first, second) = (bytes[steps..steps + 192].to_vec(), bytes[steps + 192..steps + 384].to_vec());
    // delta and eta of a contribution exchanged, and one of them from the contribution before.
    for step in [[&second[96..], &second[..96]], [&first[..96], &second[96..]], [&second[..96], &first[96..]]]
    {
        assert!(verify(&changed(&bytes, steps + 192, &step.concat())).is_err());
    }
    for list in [[&second, &first], [&second, &second], [&first, &first]] {
        assert!(verify(&changed(&bytes, steps, &list.map(|step| &step[..]).concat())).is_err());
    }
    let mut shorter = changed(&bytes, counts, &1_u64.to_le_bytes());
    shorter.truncate(steps + 192);
    shorter.extend(*blake3::hash(&shorter).as_bytes());
    assert_eq!(verify(&shorter), Err(Invalid("another delta or eta than the last contribution says")));
    // eta of one contributor with a secret that is that of delta: allowed, and no harm beside another's. An eta that is not multiplied at all is none.
    let fixed = changed(&bytes, cells, &start.to_bytes()[cells..cells + 64 * (committed + 1) + 128]);
    assert_eq!(verify(&fixed), Err(Invalid("another delta or eta than the last contribution says")));
    // Points of one state with the contributions of another.
    let mut mixed = bytes.clone();
    mixed[..steps].copy_from_slice(&changed(&one.to_bytes(), counts, &2_u64.to_le_bytes())[..steps]);
    assert!(verify(&changed(&mixed, 0, &[])).is_err());
    // Other powers, another circuit.
    let mut others = powers.clone();
    others.contribute(&mut rng(37));
    assert!(key.verify(&others, &circuit).is_err());
    let other = Squarings { start: Fr::from(5_u64), steps: 4, free: Fr::from(1_u64) };
    assert!(key.verify(&powers, &R1cs::of(&other)).is_err());
}
