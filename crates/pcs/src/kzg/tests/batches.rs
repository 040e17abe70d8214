//! Batches: accepted as a whole, or the invalid items are named.

use curve::AffineRepr;
use curve::CurveGroup;
use curve::bls12_381::{Fr, G1, decode_g1, encode_g1};
use curve::srs::Srs;

use super::super::*;
use super::scheme::{COEFFICIENTS, polynomials, scheme, srs};

type Proved = (Scheme, Commitment, Evaluations, Vec<u8>);

/// A proof of the first values of so many polynomials at so many points.
fn proved(count: usize, at: u64) -> Proved {
    let (scheme, srs) = (scheme(count), srs());
    let prover = Prover::new(&scheme, &srs, COEFFICIENTS).unwrap();
    let witness = prover.commit(polynomials(count as u64)).unwrap();
    let points: Vec<Fr> = (0..at).map(|i| Fr::from(i + 2)).collect();
    let (stated, proof) = prover.open(&witness, &points, b"batch");
    let commitment = witness.commitment().clone();
    (scheme.clone(), commitment, stated, proof)
}

fn batch(items: &[Proved]) -> Batch {
    let mut batch = Batch::new(&Key::new(&srs()).unwrap());
    for (scheme, commitment, stated, proof) in items {
        batch.push(scheme, commitment, stated, proof).unwrap();
    }
    assert_eq!((batch.len(), batch.is_empty()), (items.len(), items.is_empty()));
    batch
}

#[test]
fn schemes_are_mixed_and_invalid_items_are_named() {
    let good = [proved(1, 1), proved(3, 2), proved(1, 4), proved(2, 1), proved(1, 1)];
    assert_eq!(batch(&good).verify(), Ok(()));
    assert_eq!(batch(&[]).verify(), Ok(()));
    for wrong in [vec![0], vec![4], vec![1, 2], vec![0, 1, 2, 3, 4]] {
        let mut items = good.clone();
        wrong.iter().for_each(|i| items[*i].2.values[0][0] += Fr::from(1_u64));
        assert_eq!(batch(&items).verify(), Err(Rejected::Items(wrong)));
    }
    // Items that no equation is made of.
    let mut items = good;
    items[1].3.push(0);
    items[2].3.pop();
    items[3].2.values.clear();
    assert_eq!(batch(&items).verify(), Err(Rejected::Items(vec![1, 2, 3])));
}

/// Whoever makes all items moves openings so that the errors cancel under weights that he knows.
#[test]
fn errors_that_cancel_are_found() {
    let (scheme, commitment, stated, proof) = proved(1, 1);
    let e = G1::generator() * Fr::from(0xdead_beef_u64);
    let opening = decode_g1(proof[..].try_into().unwrap()).unwrap();
    let moved = [opening + e, opening - e].map(|p| encode_g1(&p.into_affine()).to_vec());
    let pair = moved.map(|proof| (scheme.clone(), commitment.clone(), stated.clone(), proof));
    let batch = batch(&pair);
    let equal = vec![vec![Fr::from(3_u64)]; 2];
    assert!(batch.hold(&[0, 1], &equal) && !batch.hold(&[0], &equal) && !batch.hold(&[1], &equal));
    for _ in 0..4 {
        assert_eq!(batch.verify(), Err(Rejected::Items(vec![0, 1])));
    }
}

#[test]
fn weights_depend_on_the_whole_batch_and_on_chance() {
    let (first, second) = (proved(1, 1), proved(1, 2));
    let same = batch(&[first.clone(), first.clone()]);
    assert_ne!(same.weights(&[0; 32]), same.weights(&[1; 32]));
    let weights = same.weights(&[0; 32]);
    assert_ne!(weights[0], weights[1], "equal items have other weights");
    let other = batch(&[first.clone(), second.clone()]).weights(&[0; 32]);
    assert_ne!(weights[0], other[0], "the first item's weights depend on the second");
    // The openings are the last part of a proof: they too.
    let mut moved = first.clone();
    moved.3 = encode_g1(&G1::generator()).to_vec();
    assert_ne!(weights[0], batch(&[first, moved]).weights(&[0; 32])[0]);
    assert_eq!(other[1].len(), 2, "a weight for each point");
}

#[test]
fn schemes_over_another_setup_are_refused() {
    let (scheme, commitment, stated, proof) = proved(1, 1);
    let key = Key::new(&Srs::insecure_from_tau(Fr::from(9_u64), 2)).unwrap();
    let mut batch = Batch::new(&key);
    assert!(batch.push(&scheme, &commitment, &stated, &proof).is_err() && batch.is_empty());
}
