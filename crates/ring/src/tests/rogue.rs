//! A member who chose the key `H - seed`. With it the sum is `H` where `H` is added, and the constraint for `y` says nothing in this row.
//!
//! (notes: ring-rogue)

use curve::bandersnatch::{Fr as Scalar, Point, doublings, in_subgroup};
use curve::bls12_381::Fr;
use curve::{CurveGroup, Field, One};

use super::adversaries::{B, INDEX, Malicious};
use super::{bases, members, setup};
use crate::prover::{Prover, Witness};
use crate::vrf::{Possession, Secret, Suite};
use crate::{Bases, Batch, Error, Invalid, Key, KeyError, Proof, Rejected, Ring, Verifier};

fn rogue() -> Key {
    Key::new((*bases().blinding() - bases().seed()).into_affine()).unwrap()
}

fn malicious() -> Malicious {
    let mut keys = members(5);
    keys[INDEX] = rogue();
    Malicious::of(&keys)
}

/// The rows from `from` to `to`, both of them included, hold one point.
fn fill(malicious: &Malicious, witness: &mut Witness, [from, to]: [usize; 2], point: Point) {
    (from..=to).for_each(|row| malicious.set(witness, row, point));
}

/// What the constraints for an addition ask for.
fn sum(p: Point, q: Point) -> Point {
    let five = Fr::from(5_u64);
    let x = (p.x * p.y + q.x * q.y) * (p.y * q.y - five * p.x * q.x).inverse().unwrap();
    let y = (p.x * p.y - q.x * q.y) * (p.x * q.y - q.x * p.y).inverse().unwrap();
    Point::new_unchecked(x, y)
}

/// **What a ring proof does not say**: it is accepted, and nobody knows a `t` with `R = key + t H`. The free coordinate was chosen so that the next
/// addition ends on the curve again, a root of a polynomial of low degree.
#[test]
fn a_rogue_key_proves_for_a_point_that_is_not_blinded_by_h() {
    const Y: &str = "28437323297647171174266417831793184184645700869569907214930396680579773395002";
    const RESULT: &str = "1879748185210925266016691979851161023261701975615388478808088182002301536719";
    let malicious = malicious();
    let (first, last) = (malicious.keys(), malicious.last());
    let h = doublings(bases().blinding(), 28);
    let mut witness = malicious.honest(0);
    [0, 27].iter().for_each(|bit| witness.columns[B][first + bit] = Fr::one());
    let free = Point::new_unchecked(h[1].x, Y.parse().unwrap());
    assert!(!free.is_on_curve());
    fill(&malicious, &mut witness, [first + 1, first + 27], free);
    let end = sum(free, h[27]);
    fill(&malicious, &mut witness, [first + 28, last], end);
    witness.result = (end - bases().seed()).into_affine();
    assert_eq!(witness.result.x, RESULT.parse().unwrap());
    assert!(in_subgroup(&witness.result));
    let bits = (*rogue().point() + h[0] + h[27]).into_affine();
    assert_ne!(witness.result, bits, "what the bits say");
    assert!(malicious.broken(&witness).is_empty());
    malicious.scene.verifier.verify(&witness.result, &malicious.prove(&witness)).unwrap();
}

/// The other root of the curve's equation for `y` is free too, and is outside of the subgroup.
#[test]
fn a_sum_that_ends_outside_of_the_subgroup_is_refused() {
    let malicious = malicious();
    let (first, last) = (malicious.keys(), malicious.last());
    let [_, double] = doublings(bases().blinding(), 2)[..] else { unreachable!("two points") };
    let mut witness = malicious.honest(0);
    witness.columns[B][first] = Fr::one();
    let end = Point::new_unchecked(double.x, -double.y);
    fill(&malicious, &mut witness, [first + 1, last], end);
    witness.result = (end - bases().seed()).into_affine();
    assert!(witness.result.is_on_curve() && !in_subgroup(&witness.result));
    assert!(malicious.broken(&witness).is_empty());
    let proof = malicious.prove(&witness);
    let verifier = &malicious.scene.verifier;
    let refused = Err(Invalid("the blinded key is outside the subgroup"));
    assert_eq!(verifier.verify(&witness.result, &proof), refused);
    let mut batch = Batch::new(setup().key());
    batch.push(verifier, &witness.result, &proof).unwrap();
    assert_eq!(batch.verify(), Err(Rejected::Items(vec![0])));
}

/// From the seed of the suite in Weierstrass form no addition says nothing: where the next `y` would be free no key is, and where the factor of the next
/// `x` is 0 no `x` does. (notes: ring-seed)
#[test]
fn no_key_is_rogue_for_a_seed_in_the_coset_of_a_point_at_infinity() {
    let bases = Suite::bandersnatch_sw().bases();
    let (seed, one, five) = (*bases.seed(), Fr::one(), Fr::from(5_u64));
    let two = Point::new_unchecked(0.into(), -one);
    for point in [seed.into(), seed + two, *bases.blinding() - seed] {
        assert_eq!(Key::new(point.into_affine()), Err(KeyError::Subgroup));
    }
    let [xx, yy] = [seed.x.square(), seed.y.square()];
    let d = (yy - five * xx - one) * (xx * yy).inverse().unwrap();
    let root = (-five * d.inverse().unwrap()).sqrt().expect("a d is a square");
    let mut ends = Vec::new();
    for root in [root, -root] {
        let y = root * seed.y.inverse().unwrap();
        let point = Point::new_unchecked(seed.y * y * (five * seed.x).inverse().unwrap(), y);
        assert!(point.is_on_curve() && seed.y * point.y == five * seed.x * point.x);
        assert_ne!(seed.x * seed.y + point.x * point.y, Fr::from(0_u64));
        ends.extend(Key::new(point));
    }
    let [opposite] = ends[..] else { panic!("the opposite of the seed's part in the subgroup") };

    // With it, or its opposite, the sum has no end: neither is a key, and a proof for such a point is refused.
    let (ring, proof) = own_proof(bases);
    let verifier = Verifier::new(ring.params(), setup().key(), &ring.commitment());
    for end in [*opposite.point(), -*opposite.point()] {
        let key = Key::new(end).unwrap();
        assert_eq!(bases.check_key(&key), Err(KeyError::Seed));
        assert_eq!(verifier.verify(&end, &proof), Err(Invalid("a sum without an end")));
        let mut batch = Batch::new(setup().key());
        batch.push(&verifier, &end, &proof).unwrap();
        assert_eq!(batch.verify(), Err(Rejected::Items(vec![0])));
    }
}

/// A ring of two members, and a proof of the first one.
fn own_proof(bases: &Bases) -> (Ring, Proof) {
    let ring = Ring::with_members(&setup(), bases, &members(2)).unwrap();
    let (_, proof) = Prover::new(&setup(), &ring).unwrap().prove(0, &Scalar::from(5_u64)).unwrap();
    (ring, proof)
}

/// Such a key has no secret that somebody knows: a ring of proven keys refuses it.
#[test]
fn rings_of_proven_keys_have_no_rogue_ones() {
    let (suite, setup) = (Suite::v1(), setup());
    let secrets: Vec<Secret> = (0..3_u8).map(|i| Secret::from_seed(suite, &[i ^ 0x5a; 32])).collect();
    let proven = |secret: &Secret| (secret.key(), Possession::prove(suite, secret, b"ring 1").unwrap());
    let mut keys: Vec<_> = secrets.iter().map(proven).collect();
    let mut ring = Ring::new(&setup, bases());
    ring.append_proven(&setup, suite, &keys[..2], b"ring 1").unwrap();
    let before = ring.commitment();
    assert_eq!(before, Ring::with_members(&setup, bases(), &members(2)).unwrap().commitment());
    let key = |at, why| Err(Error::Key { at, why });
    let (other, last) = (keys[0].1.clone(), keys[2].clone());
    keys = vec![last.clone(), (rogue(), other)];
    assert_eq!(ring.append_proven(&setup, suite, &keys, b"ring 1"), key(1, KeyError::Possession));
    assert_eq!(ring.append_proven(&setup, suite, &keys[..1], b"ring 2"), key(0, KeyError::Possession));
    keys[1].0 = Key::new(*bases().seed()).unwrap();
    assert_eq!(ring.append_proven(&setup, suite, &keys, b"ring 1"), key(1, KeyError::Seed));
    let other = ring.append_proven(&setup, Suite::v2(), &keys[..1], b"ring 1");
    assert_eq!(other, Err(Error::Mismatch("a ring of another suite")));
    assert_eq!((ring.commitment(), ring.slots().len()), (before, 2));
    ring.append_proven(&setup, suite, &[last], b"ring 1").unwrap();
    let bases: &Bases = bases();
    assert_eq!(ring.commitment(), Ring::with_members(&setup, bases, &members(3)).unwrap().commitment());
}
