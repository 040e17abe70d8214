//! Batches of signatures: accepted as a whole, or the invalid ones are named.

use std::sync::Arc;

use curve::bandersnatch::{self, Bandersnatch, Point, encode_fr, encode_point};
use curve::jubjub::Jubjub;
use curve::srs::Srs;
use curve::{CurveGroup, One};

use crate::tests::{setup, setup_on_jubjub};
use crate::vrf::{Input, Output, Pedersen, Secret, Signature, SignatureBatch, Statement, Suite};
use crate::{Bases, Domain, Embedded, Error, Invalid, Params, Prover, Rejected, Ring, Setup, Verifier};

/// A ring of three, its verifier and its members.
struct Scene<C: Embedded = Bandersnatch> {
    suite: &'static Suite<C>,
    secrets: Vec<Secret<C>>,
    prover: Prover<C>,
    verifier: Verifier<C>,
}

impl<C: Embedded> Scene<C> {
    fn new(suite: &'static Suite<C>, setup: &Arc<Setup>, first: u8) -> Self {
        let secrets: Vec<_> = (first..first + 3).map(|i| Secret::from_seed(suite, &[i; 32])).collect();
        let keys: Vec<_> = secrets.iter().map(Secret::key).collect();
        let ring = Ring::with_members(setup, suite.bases(), &keys).unwrap();
        let prover = Prover::new(setup, &ring).unwrap();
        let verifier = Verifier::new(ring.params(), setup.key(), &ring.commitment());
        Self { suite, secrets, prover, verifier }
    }

    fn statement<'a>(&'a self, context: &[u8], data: &'a [u8]) -> Statement<'a, C> {
        let input = self.suite.input(context).unwrap();
        Statement { suite: self.suite, verifier: &self.verifier, input, data }
    }

    fn sign(&self, slot: usize, statement: &Statement<'_, C>) -> Signature<C> {
        let member = (&self.prover, slot);
        Signature::new(self.suite, member, &self.secrets[slot], &statement.input, statement.data).unwrap()
    }

    fn signed<'a>(&'a self, slot: usize, context: &[u8], data: &'a [u8]) -> (Statement<'a, C>, Signature<C>) {
        let statement = self.statement(context, data);
        (statement, self.sign(slot, &statement))
    }
}

fn verify<C: Embedded>(items: &[(Statement<'_, C>, Signature<C>)]) -> Result<(), Rejected> {
    let mut batch = SignatureBatch::new(setup().key());
    for (statement, signature) in items {
        batch.push(statement, signature).unwrap();
    }
    assert_eq!((batch.len(), batch.is_empty()), (items.len(), items.is_empty()));
    let verdict = batch.verify();
    // What verifying each alone says.
    let alone = |(statement, signature): &(Statement<'_, C>, Signature<C>)| {
        signature.verify(statement.suite, statement.verifier, &statement.input, statement.data).is_err()
    };
    let invalid: Vec<_> = (0..items.len()).filter(|i| alone(&items[*i])).collect();
    assert_eq!(verdict, if invalid.is_empty() { Ok(()) } else { Err(Rejected::Items(invalid)) });
    verdict
}

#[test]
fn suites_rings_domains_and_contexts_are_mixed_and_invalid_signatures_are_named() {
    let larger = Arc::new(Setup::new(Srs::zcash(), Domain::new(1024).unwrap()).unwrap());
    let scenes = [
        Scene::new(Suite::v1(), &setup(), 1),
        Scene::new(Suite::v1(), &larger, 1),
        Scene::new(Suite::v2(), &setup(), 4),
        Scene::new(Suite::jam(), &setup(), 7),
        Scene::new(Suite::bandersnatch_sw(), &setup(), 9),
    ];
    let mut good = Vec::new();
    for (i, scene) in scenes.iter().enumerate() {
        for (context, data) in [(b"one", &b"yes"[..]), (b"two", &b"no"[..])] {
            let statement = scene.statement(context, data);
            good.push((statement, scene.sign(i % 3, &statement)));
        }
    }
    verify(&good).unwrap();
    verify::<Bandersnatch>(&[]).unwrap();
    let other = |i: usize| good[(i + 1) % good.len()].1.clone();
    type Item<'a> = (Statement<'a>, Signature);
    type Change<'a> = &'a dyn Fn(usize, &mut Item<'a>);
    let changes: [(&str, Change<'_>); 7] = [
        ("the data", &|_, item| item.0.data = b"perhaps"),
        ("the input", &|_, item| item.0.input = item.0.suite.input(b"three").unwrap()),
        ("the output", &|i, item| item.1.output = other(i).output),
        ("the Pedersen proof", &|i, item| item.1.pedersen = other(i).pedersen),
        ("the ring proof", &|i, item| item.1.ring = other(i).ring),
        ("the ring", &|i, item| item.0.verifier = good[(i + 2) % good.len()].0.verifier),
        ("the suite", &|_, item| item.0.suite = Suite::shake128()),
    ];
    for (what, change) in changes {
        for wrong in [&[0][..], &[9], &[3, 4], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]] {
            let mut items = good.clone();
            wrong.iter().for_each(|i| change(*i, &mut items[*i]));
            assert_eq!(verify(&items), Err(Rejected::Items(wrong.to_vec())), "{what}");
        }
    }
}

/// A verifier that has another padding than the suite: neither transcript says which, so that both proofs hold.
#[test]
fn a_verifier_of_other_bases_is_refused() {
    let scene = Scene::new(Suite::v1(), &setup(), 1);
    let statement = scene.statement(b"x", b"y");
    let signature = scene.sign(0, &statement);
    let (own, padding) = (scene.suite.bases(), *Suite::v2().bases().padding());
    let bases = Bases::new(scene.suite.id(), *own.blinding(), *own.seed(), padding).unwrap();
    let params = Params { bases, ..scene.verifier.params().clone() };
    let verifier = Verifier::new(&params, setup().key(), &scene.verifier.key().commitment);
    verifier.verify(signature.pedersen.blinded(), &signature.ring).expect("the same ring proof");
    let other = Statement { verifier: &verifier, ..statement };
    let items = [(statement, signature.clone()), (other, signature)];
    assert_eq!(verify(&items), Err(Rejected::Items(vec![1])));
}

fn batch_of<C: Embedded>(items: &[(Statement<'_, C>, Signature<C>)]) -> SignatureBatch<C> {
    let mut batch = SignatureBatch::new(setup().key());
    items.iter().for_each(|(statement, signature)| batch.push(statement, signature).unwrap());
    batch
}

/// Whoever signs for an input twice is found: whatever the data, the ring and the place. Another input and another suite are another tag.
#[test]
fn signers_of_one_input_twice_are_found() {
    let [club, suite_2] = [Suite::v1(), Suite::v2()].map(|suite| Scene::new(suite, &setup(), 1));
    // The secrets 2, 3 and 4: two of the club are in this ring too.
    let next = Scene::new(Suite::v1(), &setup(), 2);
    let items = [
        club.signed(0, b"vote", b"yes"),
        club.signed(1, b"vote", b"yes"),
        club.signed(0, b"another vote", b"yes"),
        club.signed(0, b"vote", b"no"),
        suite_2.signed(0, b"vote", b"yes"),
        next.signed(0, b"vote", b"no"),
        club.signed(0, b"vote", b"yes"),
        club.signed(2, b"vote", b"no"),
        suite_2.signed(0, b"vote", b"no"),
        club.signed(0, b"another vote", b"no"),
    ];
    let batch = batch_of(&items);
    assert_eq!(batch.verify(), Ok(()));
    assert_eq!(batch.repeated(&[]), [[0, 3], [1, 5], [0, 6], [4, 8], [2, 9]]);
    assert_eq!(batch_of::<Bandersnatch>(&[]).repeated(&[]), [[0; 2]; 0]);
    let again = vec![items[1].clone(); 3];
    assert_eq!(batch_of(&again).repeated(&[]), [[0, 1], [0, 2]]);
}

/// A tag is there for everybody to copy: in a signature that does not verify it says nothing of the member whose it is.
#[test]
fn a_copied_tag_makes_no_signature_a_repeated_one() {
    let scene = Scene::new(Suite::v1(), &setup(), 1);
    let statement = scene.statement(b"vote", b"yes");
    let [mine, other] = [0, 1].map(|slot| scene.sign(slot, &statement));
    let copied = Signature { output: mine.output, ..other.clone() };
    // A verifier of another suite: refused before any equation.
    let foreign = Scene::new(Suite::v2(), &setup(), 1);
    let refused = Statement { verifier: &foreign.verifier, ..statement };
    let items = [
        (refused, mine.clone()),
        (statement, copied.clone()),
        (statement, mine.clone()),
        (statement, other),
        (statement, copied),
        (statement, mine),
    ];
    let batch = batch_of(&items);
    let Err(Rejected::Items(invalid)) = batch.verify() else { panic!("three are invalid") };
    assert_eq!(invalid, [0, 1, 4]);
    assert_eq!(batch.repeated(&invalid), [[2, 5]]);
    assert_eq!(batch.repeated(&[4, 1]), [[2, 5]]);
    // The invalid ones are not left out.
    assert_eq!(batch.repeated(&[]), [[1, 2], [1, 4], [1, 5]]);
}

#[test]
fn batches_on_jubjub() {
    let scene: Scene<Jubjub> = Scene::new(Suite::jubjub(), &setup_on_jubjub(), 1);
    let statement = scene.statement(b"x", b"y");
    let mut items: Vec<_> = (0..3).map(|slot| (statement, scene.sign(slot, &statement))).collect();
    verify(&items).unwrap();
    assert_eq!(batch_of(&items).repeated(&[]), [[0; 2]; 0]);
    items[1].1.output = items[2].1.output;
    assert_eq!(verify(&items), Err(Rejected::Items(vec![1])));
    items[1] = items[2].clone();
    assert_eq!(batch_of(&items).repeated(&[]), [[1, 2]]);
}

#[test]
fn a_verifier_of_another_setup_and_a_full_batch_are_errors() {
    let scene = Scene::new(Suite::v1(), &setup(), 1);
    let statement = scene.statement(b"x", b"y");
    let signature = scene.sign(0, &statement);
    let srs = Srs::insecure_from_tau(9_u64.into(), setup().domain().powers());
    let mut batch = SignatureBatch::new(&crate::kzg::Key::new(&srs).unwrap());
    let refused = Err(Error::Mismatch("a verifier of another setup"));
    assert_eq!((batch.push(&statement, &signature), batch.len()), (refused, 0));
    batch.verify().unwrap();
}

/// A Pedersen proof for `nonces` that the caller chose, with the responses of an honest prover.
fn forged(scene: &Scene, input: &Input, output: &Output, moved: &Point) -> Pedersen {
    let (suite, secret) = (scene.suite, &scene.secrets[0]);
    let h = *suite.bases().blinding();
    let [t, k, kb]: [bandersnatch::Fr; 3] = [3_u64, 5, 7].map(crate::tests::scalar);
    let blinded = (*secret.public() + h * t).into_affine();
    let ok = (*input.point() * k + moved).into_affine();
    let r = (suite.generator() * k + h * kb - moved).into_affine();
    let with = |responses: [bandersnatch::Fr; 2]| {
        let points = [blinded, r, ok].map(|p| encode_point(&p));
        let bytes = [points.as_flattened(), responses.map(|k| encode_fr(&k)).as_flattened()].concat();
        Pedersen::decode(bytes.as_slice().try_into().unwrap()).unwrap()
    };
    let c = with([k, kb]).equations(suite, &[(*input, *output)], b"data").unwrap().challenge;
    with([k + c * secret.scalar(), kb + c * t])
}

/// Errors that cancel: between two signatures, and between the two equations of one. They do under weights that are equal, which the batch's are not.
#[test]
fn errors_that_cancel_are_refused() {
    let scene = Scene::new(Suite::v1(), &setup(), 1);
    let statement = scene.statement(b"x", b"data");
    let (input, good) = (statement.input, scene.sign(0, &statement));
    let output = scene.secrets[0].output(&input);
    let error = (*scene.suite.bases().padding() * crate::tests::scalar(9)).into_affine();
    let with = |pedersen: Pedersen| (statement, Signature { pedersen, ..good.clone() });
    // sb is off by one, and by minus one.
    let moved = |by: bandersnatch::Fr| {
        let mut bytes = good.pedersen.encode();
        let sb = good.pedersen.responses[1] + by;
        bytes[128..].copy_from_slice(&encode_fr(&sb));
        with(Pedersen::decode(&bytes).unwrap())
    };
    let one = bandersnatch::Fr::one();
    let honest = forged(&scene, &input, &output, &bandersnatch::Point::default());
    honest.verify(scene.suite, &[(input, output)], b"data").unwrap();
    for (items, count) in
        [(vec![moved(one), moved(-one)], 2), (vec![with(forged(&scene, &input, &output, &error))], 1)]
    {
        let mut batch = SignatureBatch::new(setup().key());
        items.iter().for_each(|(statement, signature)| batch.push(statement, signature).unwrap());
        let all: Vec<usize> = (0..count).collect();
        let equal = vec![[one; 2]; count];
        assert!(batch.items.hold(&all, &equal), "the errors cancel");
        assert!(!batch.items.hold(&all, &batch.items.weights().unwrap()));
        for _ in 0..4 {
            assert_eq!(batch.verify(), Err(Rejected::Items(all.clone())));
        }
        assert!(
            items.iter().all(|(_, s)| s.pedersen.verify(scene.suite, &[(input, output)], b"data").is_err())
        );
    }
}

/// An error of small order would vanish under half of all weights: no point with one gets into a batch, because none is decoded.
#[test]
fn no_point_of_a_signature_is_outside_of_the_subgroup() {
    let scene = Scene::new(Suite::v1(), &setup(), 1);
    let statement = scene.statement(b"x", b"data");
    let signature = scene.sign(0, &statement);
    let two = Point::new_unchecked(0.into(), -curve::bls12_381::Fr::from(1_u64));
    let moved = |p: Point| encode_point(&(p + two).into_affine());
    let [r, ok] = signature.pedersen.nonces;
    let bytes = signature.encode();
    for (at, point) in [(0, signature.output.0), (32, *signature.pedersen.blinded()), (64, r), (96, ok)] {
        assert_eq!(bytes[at..at + 32], encode_point(&point));
        let mut other = bytes;
        other[at..at + 32].copy_from_slice(&moved(point));
        assert_eq!(Signature::<Bandersnatch>::decode(&other), Err(Invalid("no point of the subgroup")));
    }
    let outside = moved(*statement.input.point());
    assert_eq!(Input::<Bandersnatch>::decode_trusted(&outside), Err(Invalid("no point of the subgroup")));
}
