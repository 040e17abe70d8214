use curve::pairing::{Bls12381, Bn254};
use curve::{Affine, AffineRepr, CurveGroup, Zero, bn254, points};

use super::proofs::outside;
use super::{BLS12_381, BN254, prove, rng};
use crate::groth16::{Invalid, ProvingKey, VerifyingKey};

fn sealed(mut body: Vec<u8>) -> Vec<u8> {
    body.extend(*blake3::hash(&body).as_bytes());
    body
}

/// A file with other bytes at a place, and the digest that goes with them.
fn changed(bytes: &[u8], at: usize, new: &[u8]) -> Vec<u8> {
    let mut body = bytes[..bytes.len() - 32].to_vec();
    body[at..at + new.len()].copy_from_slice(new);
    sealed(body)
}

#[test]
fn keys_there_and_back() {
    let case = &*BN254;
    let circuit = case.circuit.digest();
    let bytes = case.key.to_bytes();
    let digest: &[u8; 32] = bytes.last_chunk().unwrap();
    for key in [
        ProvingKey::<Bn254>::from_bytes(&bytes, &circuit).unwrap(),
        ProvingKey::<Bn254>::from_pinned_bytes(&bytes, &circuit, digest).unwrap(),
    ] {
        assert_eq!(key.to_bytes(), bytes);
        let proof = prove(&key, &case.assignment, &mut rng(20)).unwrap();
        assert_eq!(case.key.verifying().verify(&case.assignment.public, &proof), Ok(()));
    }
    assert!(ProvingKey::<Bn254>::from_pinned_bytes(&bytes, &circuit, &circuit).is_err());
    let bytes = case.key.verifying().to_bytes();
    let key = VerifyingKey::<Bn254>::from_bytes(&bytes, &circuit).unwrap();
    assert_eq!((key.to_bytes(), key.circuit()), (bytes, &circuit));
    assert_eq!(key.verify(&case.assignment.public, &case.proof), Ok(()));
    let (bls, circuit) = (BLS12_381.key.to_bytes(), BLS12_381.circuit.digest());
    assert_eq!(ProvingKey::<Bls12381>::from_bytes(&bls, &circuit).unwrap().to_bytes(), bls);
}

#[test]
fn files_of_other_lengths_circuits_curves_and_kinds_are_refused() {
    let circuit = BN254.circuit.digest();
    let (proving, verifying) = (BN254.key.to_bytes(), BN254.key.verifying().to_bytes());
    let read = |bytes: &[u8]| ProvingKey::<Bn254>::from_bytes(bytes, &circuit).err();
    let read_small = |bytes: &[u8]| VerifyingKey::<Bn254>::from_bytes(bytes, &circuit).err();
    for length in [0, 31, 32, 100, proving.len() / 2, proving.len() - 33, proving.len() - 1] {
        assert!(read(&proving[..length]).is_some(), "{length} bytes");
        assert!(read(&sealed(proving[..length].to_vec())).is_some(), "{length} bytes, sealed");
    }
    for length in 0..verifying.len() {
        assert!(read_small(&verifying[..length]).is_some(), "{length} bytes");
    }
    for more in [vec![0], vec![0; 64]] {
        assert!(read(&[&proving[..], &more].concat()).is_some());
        let body = [&proving[..proving.len() - 32], &more].concat();
        assert_eq!(read(&sealed(body)), Some(Invalid("a key of another length than it says")));
        let body = [&verifying[..verifying.len() - 32], &more].concat();
        assert_eq!(read_small(&sealed(body)), Some(Invalid("a key of another length than it says")));
    }
    for at in (0..proving.len()).step_by(997).chain([proving.len() - 1]) {
        let mut bad = proving.clone();
        bad[at] ^= 16;
        assert_eq!(read(&bad), Some(Invalid("a damaged key")), "byte {at}");
    }
    assert_eq!(read(&verifying), Some(Invalid("no key of this kind")));
    assert_eq!(read_small(&proving), Some(Invalid("no key of this kind")));
    let other = BLS12_381.circuit.digest();
    assert_eq!(
        ProvingKey::<Bn254>::from_bytes(&proving, &other).err(),
        Some(Invalid("a key of another circuit"))
    );
    assert_eq!(
        ProvingKey::<Bls12381>::from_bytes(&proving, &circuit).err(),
        Some(Invalid("a key on another curve"))
    );
    // Counts that are too large for any memory, or wrap around.
    for at in [64, 72, 80, 88, 96] {
        for count in [0_u64, 1, 1 << 20, 1 << 40, 1 << 62, u64::MAX] {
            assert!(read(&changed(&proving, at, &count.to_le_bytes())).is_some(), "{count} at {at}");
        }
    }
    for count in [0_u64, 1, 3, 1 << 40, u64::MAX] {
        assert!(read_small(&changed(&verifying, 64, &count.to_le_bytes())).is_some(), "{count}");
        if count != 1 {
            assert!(read_small(&changed(&verifying, 72, &count.to_le_bytes())).is_some(), "{count} of eta");
        }
    }
}

/// Points that are not on the curve, not reduced, or outside the subgroup, in every list.
#[test]
fn files_with_other_points_are_refused() {
    let circuit = BN254.circuit.digest();
    let bytes = BN254.key.to_bytes();
    let read = |bytes: &[u8]| ProvingKey::<Bn254>::from_bytes(bytes, &circuit).err();
    let (first, second) = (points::size::<<Bn254 as curve::pairing::PairingCurve>::G1>(), 128);
    let columns = BN254.circuit.columns();
    let header = 104;
    let start = header + first + 4 * second + 3 * first + 3 * first;
    let b2 = start + 2 * columns * first;
    let end = bytes.len() - 32;
    let (eta, eta1) = (header + first + 3 * second, start - first);
    let cells = b2 + columns * second;
    let lists = [header, header + first, eta, eta1, start, start + columns * first, b2, cells, end - first];
    for at in lists {
        let mut off = bytes[at..at + 32].to_vec();
        off[0] ^= 1;
        assert_eq!(read(&changed(&bytes, at, &off)), Some(Invalid("no point of the curve")), "at {at}");
        let large = [0xff; 32];
        let refused = Some(Invalid("a coordinate that is not reduced"));
        assert_eq!(read(&changed(&bytes, at, &large)), refused, "at {at}");
    }
    let mut small = vec![];
    points::write(&[outside()], &mut small);
    let refused = Some(Invalid("a point outside the subgroup"));
    for at in [header + first, eta, b2, b2 + 5 * second, b2 + (columns - 1) * second] {
        assert_eq!(read(&changed(&bytes, at, &small)), refused, "at {at}");
    }
    // Of the smallest order that there is: 10069, the smallest prime of the cofactor.
    let order = curve::BigInteger::to_bytes_le(&<bn254::Fr as curve::PrimeField>::MODULUS);
    let words: Vec<u64> = order.as_chunks().0.iter().map(|b| u64::from_le_bytes(*b)).collect();
    let rest: [u64; 4] = [0x6c3cd334915f1659, 0x207142f7671af448, 0x9e28bcf65b5681da, 0x00013af7a58fce69];
    let tiny = outside().mul_bigint(&words).into_affine().mul_bigint(rest).into_affine();
    assert!(!tiny.is_zero() && tiny.mul_bigint([10069_u64]).is_zero());
    let key = BN254.key.b2.point(3);
    let moved: Affine<_> = (key + tiny).into_affine();
    let mut moved_bytes = vec![];
    points::write(&[moved], &mut moved_bytes);
    assert_eq!(read(&changed(&bytes, b2 + 3 * second, &moved_bytes)), refused);
}
