//! Batches of thin proofs: accepted as a whole, or the invalid ones are named.

use curve::One;
use curve::bandersnatch::{Bandersnatch, Fr, Point};
use curve::embedded::Embedded;
use curve::jubjub::Jubjub;

use super::single::pairs;
use crate::vrf::{Input, Output, Secret, Suite, Thin, ThinBatch, ThinStatement};
use crate::{Error, Rejected};

/// What a batch says is what verifying each alone says.
fn verify<C: Embedded>(items: &[(ThinStatement<'_, C>, Thin<C>)]) -> Result<(), Rejected> {
    let mut batch = ThinBatch::new();
    items.iter().for_each(|(statement, proof)| batch.push(statement, proof).unwrap());
    assert_eq!((batch.len(), batch.is_empty()), (items.len(), items.is_empty()));
    let verdict = batch.verify();
    let alone = |i: &usize| {
        let (ThinStatement { suite, key, pairs, data }, proof) = &items[*i];
        proof.verify(suite, key, pairs, data).is_err()
    };
    let invalid: Vec<_> = (0..items.len()).filter(alone).collect();
    assert_eq!(verdict, if invalid.is_empty() { Ok(()) } else { Err(Rejected::Items(invalid)) });
    verdict
}

#[test]
fn thin_proofs_are_verified_together_and_invalid_ones_are_named() {
    let suites = [Suite::v1(), Suite::v2(), Suite::shake128(), Suite::bandersnatch_sw()];
    let secrets = [1, 2].map(|seed| Secret::from_seed(Suite::v1(), &[seed; 32]));
    let messages: [&[&[u8]]; 4] = [&[b"a"], &[], &[b"a", b"b"], &[b"c", b"a", b"d"]];
    let statement = |i: usize| pairs(suites[i % 4], &secrets[i % 2], messages[(i + i / 4) % 4]);
    let all: Vec<_> = (0..8).map(statement).collect();
    let good: Vec<_> = (0..8)
        .map(|i| {
            let (suite, secret, pairs) = (suites[i % 4], &secrets[i % 2], &all[i]);
            let proof = Thin::prove(suite, secret, pairs, b"data").unwrap();
            (ThinStatement { suite, key: secret.key(), pairs, data: b"data" }, proof)
        })
        .collect();
    verify(&good).unwrap();
    verify::<Bandersnatch>(&[]).unwrap();
    type Item<'a> = (ThinStatement<'a>, Thin);
    type Change<'a> = &'a dyn Fn(usize, &mut Item<'a>);
    let changes: [(&str, Change<'_>); 7] = [
        ("the data", &|_, item| item.0.data = b"date"),
        ("the key", &|i, item| item.0.key = secrets[(i + 1) % 2].key()),
        ("the pairs", &|i, item| item.0.pairs = &all[(i + 1) % 8]),
        ("the suite", &|i, item| item.0.suite = suites[(i + 1) % 4]),
        ("a suite without such proofs", &|_, item| item.0.suite = Suite::jam()),
        ("the response", &|_, item| item.1.response += Fr::one()),
        ("the commitment", &|i, item| item.1.part = good[(i + 1) % 8].1.part),
    ];
    for (what, change) in changes {
        for wrong in [&[0][..], &[7], &[3, 4], &[0, 1, 2, 3, 4, 5, 6, 7]] {
            let mut items = good.clone();
            wrong.iter().for_each(|i| change(*i, &mut items[*i]));
            assert_eq!(verify(&items), Err(Rejected::Items(wrong.to_vec())), "{what}");
        }
    }
    let identity = [(Input(Point::zero()), Output(Point::zero()))];
    let mut items = good.clone();
    items[5].0.pairs = &identity;
    assert_eq!(verify(&items), Err(Rejected::Items(vec![5])));
}

#[test]
fn batches_of_thin_proofs_on_jubjub() {
    let suite = Suite::jubjub();
    let secret: Secret<Jubjub> = Secret::from_seed(suite, &[1; 32]);
    let pairs = pairs(suite, &secret, &[b"a", b"b"]);
    let statement = ThinStatement { suite, key: secret.key(), pairs: &pairs, data: b"d" };
    let mut items = vec![(statement, Thin::prove(suite, &secret, &pairs, b"d").unwrap()); 3];
    verify(&items).unwrap();
    items[1].0.data = b"e";
    assert_eq!(verify(&items), Err(Rejected::Items(vec![1])));
}

/// Errors that cancel under equal weights, which the batch's are not.
#[test]
fn errors_of_thin_proofs_that_cancel_are_refused() {
    let suite = Suite::v1();
    let secret = Secret::from_seed(suite, &[1; 32]);
    let pairs = pairs(suite, &secret, &[b"a"]);
    let statement = ThinStatement { suite, key: secret.key(), pairs: &pairs, data: b"d" };
    let good = Thin::prove(suite, &secret, &pairs, b"d").unwrap();
    let one = Fr::one();
    let mut batch = ThinBatch::new();
    for moved in [one, -one] {
        let proof = Thin { response: good.response + moved, ..good.clone() };
        batch.push(&statement, &proof).unwrap();
    }
    assert!(batch.items.hold(&[0, 1], &[[one], [one]]), "the errors cancel");
    assert!(!batch.items.hold(&[0, 1], &batch.items.weights::<Bandersnatch, 1>().unwrap()));
    for _ in 0..4 {
        assert_eq!(batch.verify(), Err(Rejected::Items(vec![0, 1])));
    }
    // Weights are of the whole batch, and never the same.
    assert_ne!(
        batch.items.weights::<Bandersnatch, 1>().unwrap(),
        batch.items.weights::<Bandersnatch, 1>().unwrap()
    );
}

#[test]
fn a_full_batch_of_thin_proofs_takes_no_more() {
    let suite = Suite::v1();
    let secret = Secret::from_seed(suite, &[1; 32]);
    let pairs = pairs(suite, &secret, &[b"a"]);
    let proof = Thin::prove(suite, &secret, &pairs, b"d").unwrap();
    let statement = ThinStatement { suite, key: secret.key(), pairs: &pairs, data: b"d" };
    let mut batch = ThinBatch::default();
    batch.most = 9;
    batch.push(&statement, &proof).unwrap();
    batch.push(&statement, &proof).unwrap();
    assert_eq!(batch.push(&statement, &proof), Err(Error::Full(2)));
    assert_eq!(batch.len(), 2);
    batch.verify().unwrap();
}
