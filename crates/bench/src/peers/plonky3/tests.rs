//! Tests that the measured peer does its real work: it accepts, it rejects, it scales.

use p3_field::PrimeCharacteristicRing;

use super::*;

const SHAPE: Shape =
    Shape { log_size: 10, log_columns: 4, log_inv_rate: 3, log_arity: 1, queries: 20, grinding: [0, 0] };

type Quartic = BinomialExtensionField<KoalaBear, 4>;
type Transcript = SerializingChallenger32<KoalaBear, Bytes>;

fn peer(shape: Shape) -> Peer<Fri<KoalaBear, Quartic>, Transcript, KoalaBear, Quartic> {
    let transcript = Transcript::from_hasher(Vec::new(), Blake3);
    Peer { over: Fields::KoalaBear4, shape, pcs: fri(shape).unwrap(), transcript, fields: PhantomData }
}

#[test]
fn both_fields_commit_open_and_verify() {
    for case in [koala_bear(SHAPE).unwrap(), goldilocks(SHAPE).unwrap()] {
        let few = case.sample().unwrap().proof_bytes;
        // 20 leaves of 16 elements of at least 4 bytes.
        assert!(few > 20 * 16 * 4, "{}: {few}", case.name());
    }
    let more = koala_bear(Shape { queries: 40, ..SHAPE }).unwrap().sample().unwrap().proof_bytes;
    assert!(more > koala_bear(SHAPE).unwrap().sample().unwrap().proof_bytes);
}

/// One altered claim, one claim too few, one more, and a foreign commitment.
#[test]
fn false_claims_are_rejected() {
    let peer = peer(SHAPE);
    let prove = || peer.open(&peer.commit(peer.witness()).unwrap()).unwrap();
    let honest = prove();
    assert_eq!(honest.values[0][0][0].len(), 16);
    peer.verify(&honest).unwrap();

    let mut altered = prove();
    altered.values[0][0][0][3] += Quartic::ONE;
    assert!(peer.verify(&altered).is_err());

    let mut short = prove();
    short.values[0][0][0].pop();
    assert!(peer.verify(&short).is_err());

    let mut none = prove();
    none.values.clear();
    assert!(peer.verify(&none).is_err());

    let mut witness = peer.witness();
    witness.values[5] += KoalaBear::ONE;
    let mut foreign = prove();
    foreign.commitment = peer.commit(witness).unwrap().0;
    assert!(peer.verify(&foreign).is_err());
}

/// A proof of a transcript without work has none for a verifier that asks for it.
#[test]
fn work_is_done_and_checked() {
    let [idle, ground] = [[0, 0], [6, 8]].map(|grinding| peer(Shape { grinding, ..SHAPE }));
    let prove = |peer: &Peer<_, _, _, _>| peer.open(&peer.commit(peer.witness()).unwrap()).unwrap();
    ground.verify(&prove(&ground)).unwrap();
    assert!(ground.verify(&prove(&idle)).is_err());
}

#[test]
fn impossible_shapes_are_refused() {
    for shape in [
        Shape { log_columns: 10, ..SHAPE },
        Shape { log_inv_rate: 0, ..SHAPE },
        Shape { log_arity: 0, ..SHAPE },
        Shape { queries: 0, ..SHAPE },
        Shape { log_size: 29, log_columns: 4, ..SHAPE },
    ] {
        assert!(koala_bear(shape).is_err(), "{shape:?}");
    }
}
