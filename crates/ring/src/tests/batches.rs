//! Batches: accepted as a whole, or the invalid items are named.

use std::sync::Arc;

use curve::bls12_381::{Fr, G1};
use curve::srs::Srs;
use curve::{AffineRepr, CurveGroup, One, PrimeField};

use super::{Scene, bases, members, scalar, setup};
use crate::adversary::Deviation;
use crate::verifier::prelude;
use crate::{Bases, Batch, Domain, Error, Params, Proof, Rejected, Setup, Verifier};

fn batch(items: &[(&Scene, crate::Proof)]) -> Result<(), Rejected> {
    let mut batch = Batch::new(setup().key());
    for (scene, proof) in items {
        batch.push(&scene.verifier, &scene.result, proof).unwrap();
    }
    assert_eq!(batch.len(), items.len());
    batch.verify()
}

#[test]
fn rings_and_domains_are_mixed_and_invalid_items_are_named() {
    let larger = Arc::new(Setup::new(Srs::zcash(), Domain::new(1024).unwrap()).unwrap());
    let scenes = [
        Scene::new(setup(), &members(3), 0),
        Scene::new(setup(), &members(4), 3),
        Scene::new(larger, &members(3), 2),
    ];
    let good: Vec<(&Scene, crate::Proof)> =
        [0, 1, 2, 1, 0].iter().map(|i| (&scenes[*i], scenes[*i].proof.clone())).collect();
    assert_eq!(batch(&good), Ok(()));
    assert_eq!(batch(&[]), Ok(()));
    for wrong in [vec![0], vec![4], vec![1, 2], vec![0, 1, 2, 3, 4]] {
        let mut items = good.clone();
        wrong.iter().for_each(|i| items[*i].1.values[3] += Fr::one());
        assert_eq!(batch(&items), Err(Rejected::Items(wrong)));
    }
    let mut off = Batch::new(setup().key());
    let nowhere = curve::bandersnatch::Point::new_unchecked(scenes[0].result.x, scenes[0].result.x);
    off.push(&scenes[0].verifier, &scenes[0].result, &scenes[0].proof).unwrap();
    off.push(&scenes[0].verifier, &nowhere, &scenes[0].proof).unwrap();
    assert_eq!(off.verify(), Err(Rejected::Items(vec![1])), "a point that is none");
}

#[test]
fn lists_have_the_same_length() {
    let scene = Scene::new(setup(), &members(3), 0);
    let key = setup();
    let run = |v: usize, r: usize, p: usize| {
        let verifiers = vec![&scene.verifier; v];
        Batch::verify_all(key.key(), &verifiers, &vec![scene.result; r], &vec![scene.proof.clone(); p])
    };
    assert_eq!(run(2, 2, 2), Ok(()));
    for (v, r, p) in [(1, 2, 2), (2, 1, 2), (2, 2, 1), (0, 0, 1), (0, 1, 0), (1, 0, 0)] {
        assert_eq!(run(v, r, p), Err(Rejected::Lengths { verifiers: v, results: r, proofs: p }));
    }
}

#[test]
fn verifiers_of_another_setup_are_refused() {
    let scene = Scene::new(setup(), &members(3), 0);
    let srs = Srs::insecure_from_tau(9_u64.into(), setup().domain().powers());
    let key = crate::kzg::Key::new(&srs).unwrap();
    let mut batch = Batch::new(&key);
    let refused = batch.push(&scene.verifier, &scene.result, &scene.proof);
    assert_eq!(refused, Err(Error::Mismatch("a verifier of another setup")));
    assert!(batch.is_empty());
}

/// The attack on w3f-ring-proof 0.0.10: whoever makes all items of a batch moves openings so that the errors cancel under weights that he
/// knows.
#[test]
fn invalid_proofs_that_cancel_are_refused() {
    let scene = Scene::new(setup(), &members(3), 1);
    let e = G1::generator() * Fr::from(0xdead_beef_u64);
    let moved = |sign: bool| {
        let mut proof = scene.proof.clone();
        proof.opening = (if sign { proof.opening + e } else { proof.opening - e }).into_affine();
        proof
    };
    let pair = [moved(true), moved(false)];
    let mut batch = Batch::new(scene.setup.key());
    for proof in &pair {
        batch.push(&scene.verifier, &scene.result, proof).unwrap();
    }
    // zeta does not depend on the opening, so that both errors are e (tau - zeta) with opposite signs.
    let same = vec![[Fr::from(3_u64), Fr::from(5_u64)]; 2];
    assert!(batch.holds(&[0, 1], &same), "the errors cancel");
    assert!(!batch.holds(&[0], &same) && !batch.holds(&[1], &same));
    // Weights that come from each proof alone can be searched for such pairs, or more of them at once; those of a batch not.
    for _ in 0..4 {
        assert_eq!(batch.verify(), Err(Rejected::Items(vec![0, 1])));
    }
}

/// Within a proof too: the openings at `zeta` and at `zeta w` are false, and what they are off by cancels under a weight of the second that is known
/// before they are made.
#[test]
fn errors_of_two_openings_that_cancel_are_refused() {
    let scene = Scene::new(setup(), &members(3), 1);
    let proof = &scene.proof;
    let mut transcript = prelude(scene.ring.params(), scene.verifier.key());
    transcript.columns(&scene.result, &proof.columns);
    let zeta = transcript.quotient(&proof.quotient);
    transcript.values(&proof.values, &proof.shifted);
    let mut early = [0; 16];
    transcript.squeeze(b"weight", &mut early);
    let [g, tau] = *Srs::zcash().powers(2).unwrap() else { unreachable!("two powers") };
    let away = |z: Fr| tau - g * z;
    for weight in [Fr::one(), Fr::from_le_bytes_mod_order(&early)] {
        let forged = Proof {
            opening: (away(zeta * scene.setup.domain().omega()) * weight + proof.opening).into_affine(),
            shifted_opening: (-away(zeta) + proof.shifted_opening).into_affine(),
            ..proof.clone()
        };
        let mut batch = Batch::new(scene.setup.key());
        batch.push(&scene.verifier, &scene.result, &forged).unwrap();
        assert!(batch.holds(&[0], &[[Fr::one(), weight]]), "the errors cancel");
        assert!(scene.verifier.verify(&scene.result, &forged).is_err());
        assert_eq!(batch.verify(), Err(Rejected::Items(vec![0])));
    }
}

/// Weights change with every item of the batch and from one verification to the next.
#[test]
fn weights_depend_on_the_whole_batch_and_on_chance() {
    let scene = Scene::new(setup(), &members(3), 1);
    let (_, other) = scene.prover.prove(1, &scalar(7)).unwrap();
    let digests = |proofs: &[&crate::Proof]| {
        let mut batch = Batch::new(scene.setup.key());
        proofs.iter().for_each(|proof| batch.push(&scene.verifier, &scene.result, proof).unwrap());
        (batch.weights_from(&[0; 32]), batch.weights_from(&[1; 32]))
    };
    let (first, chance) = digests(&[&scene.proof, &scene.proof]);
    assert_ne!(first, chance);
    assert_ne!(first[0], first[1], "equal items have other weights");
    assert_ne!(first[0][0], first[0][1], "and both openings");
    let (second, _) = digests(&[&scene.proof, &other]);
    assert_ne!(first[0], second[0], "the first item's weights depend on the second");
    // The openings are the last part of a proof: they too.
    let (_, forged) = scene.prover.prove_unchecked(1, &scalar(7), &Deviation::ShiftedOpening).unwrap();
    let shifted = Proof { shifted_opening: forged.shifted_opening, ..scene.proof.clone() };
    let opening = Proof { opening: forged.opening, ..scene.proof.clone() };
    for last in [shifted, opening] {
        let (third, _) = digests(&[&scene.proof, &last]);
        assert_ne!(first[0], third[0]);
    }
}

/// What a proof's transcript does not have: rows and seed.
#[test]
fn weights_depend_on_rows_and_seed() {
    let scene = Scene::new(setup(), &members(3), 1);
    let weights = |params: &Params| {
        let verifier = Verifier::new(params, scene.setup.key(), &scene.ring.commitment());
        let mut batch = Batch::new(scene.setup.key());
        batch.push(&verifier, &scene.result, &scene.proof).unwrap();
        batch.weights_from(&[0; 32])
    };
    let params = scene.ring.params();
    let rows = Params { domain: Domain::new(1024).unwrap(), ..params.clone() };
    let [h, padding] = [*bases().blinding(), *bases().padding()];
    let other = Bases::new(bases().label().to_vec(), h, -*bases().seed(), padding).unwrap();
    let seed = Params { bases: other, ..params.clone() };
    assert_eq!(weights(params), weights(params));
    assert_ne!(weights(params), weights(&rows));
    assert_ne!(weights(params), weights(&seed));
}

#[test]
fn a_batch_has_a_limit_and_each_ring_once() {
    let scenes = [Scene::new(setup(), &members(3), 0), Scene::new(setup(), &members(4), 3)];
    let mut batch = Batch::new(setup().key());
    assert_eq!(batch.most, Batch::MOST);
    const { assert!(10 * Batch::MOST + 1 < 1 << 24) };
    batch.most = 3;
    for scene in [&scenes[0], &scenes[1], &scenes[0]] {
        batch.push(&scene.verifier, &scene.result, &scene.proof).unwrap();
    }
    assert_eq!(batch.rings.len(), 2);
    let refused = batch.push(&scenes[1].verifier, &scenes[1].result, &scenes[1].proof);
    assert_eq!(refused, Err(Error::Full(3)));
    assert_eq!(batch.len(), 3);
    batch.verify().unwrap();
}
