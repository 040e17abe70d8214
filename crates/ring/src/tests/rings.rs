//! Rings: what changes a commitment and what cannot be in one.

use curve::bandersnatch::{Fr, Point};
use curve::srs::Srs;
use curve::{AffineRepr, CurveGroup};

use super::{Scene, bases, members, scalar, setup};
use crate::{Bandersnatch, Bases, Domain, Duplicates, Error, Invalid, Key, KeyError, Prover, Ring, Setup};

#[test]
fn appending_replacing_and_removing_is_as_if_the_ring_were_made_anew() {
    let setup = setup();
    let keys = members(6);
    let anew = |slots: &[Option<Key>]| {
        let mut ring = Ring::new(&setup, bases());
        ring.append_slots(&setup, slots).unwrap();
        ring.commitment()
    };
    let mut ring = Ring::with_members(&setup, bases(), &keys[..3]).unwrap();
    ring.append(&setup, &keys[3..5]).unwrap();
    let mut slots: Vec<_> = keys[..5].iter().copied().map(Some).collect();
    assert_eq!(ring.commitment(), anew(&slots));
    ring.remove(&setup, 1).unwrap();
    slots[1] = None;
    assert_eq!(ring.commitment(), anew(&slots));
    assert_eq!(ring.remove(&setup, 1), Err(Error::Slot(1)));
    ring.replace(&setup, 4, &keys[1]).unwrap();
    slots[4] = Some(keys[1]);
    ring.replace(&setup, 1, &keys[5]).unwrap();
    slots[1] = Some(keys[5]);
    assert_eq!(ring.commitment(), anew(&slots));
    assert_eq!(ring.slots(), slots);
    assert_eq!(ring.replace(&setup, 5, &keys[4]), Err(Error::Slot(5)));
    // An empty slot at the end says nothing.
    ring.replace(&setup, 4, &keys[4]).unwrap();
    ring.remove(&setup, 4).unwrap();
    assert_eq!(ring.commitment(), anew(&slots[..4]));
    // Its members prove, and nobody in an empty slot does.
    let prover = Prover::new(&setup, &ring).unwrap();
    let verifier = crate::Verifier::new(ring.params(), setup.key(), &ring.commitment());
    let (result, proof) = prover.prove(1, &scalar(3)).unwrap();
    assert_eq!(result, (*bases().blinding() * scalar(3) + keys[5].point()).into_affine());
    verifier.verify(&result, &proof).unwrap();
    for slot in [4, 5, 254, 255, usize::MAX] {
        assert_eq!(prover.prove(slot, &scalar(3)).unwrap_err(), Error::Index);
    }
}

#[test]
fn keys_that_cannot_be_members() {
    let setup = setup();
    let keys = members(3);
    // A point of order 2 makes another coset of the subgroup.
    let two = Point::new_unchecked(0.into(), -curve::bls12_381::Fr::from(1_u64));
    let outside = (*keys[0].point() + two).into_affine();
    assert!(outside.is_on_curve());
    let off = Point::new_unchecked(keys[0].point().x, keys[0].point().x);
    let none = [
        (Point::zero(), KeyError::Identity),
        (off, KeyError::OffCurve),
        (outside, KeyError::Subgroup),
        (two, KeyError::Subgroup),
    ];
    for (point, why) in none {
        assert_eq!(Key::new(point), Err(why));
        assert_eq!(Key::all(&[*keys[0].point(), point]), Err(Error::Key { at: 1, why }));
        let bytes = curve::bandersnatch::encode_point(&point);
        assert!(
            Key::<Bandersnatch>::decode(&bytes)
                .is_err_and(|why| [KeyError::Identity, KeyError::Encoding].contains(&why))
        );
    }
    assert_eq!(Key::<Bandersnatch>::decode(&[0xff; 32]), Err(KeyError::Encoding));
    assert_eq!(Key::decode(&keys[0].encode()), Ok(keys[0]));
    let key = |point: &Point| Key::new(*point).unwrap();
    let refused = [
        (key(bases().seed()), KeyError::Seed),
        (key(bases().padding()), KeyError::Padding),
        (key(bases().blinding()), KeyError::BlindingBase),
        (keys[1], KeyError::Duplicate),
    ];
    for (key, why) in refused {
        let mut ring = Ring::with_members(&setup, bases(), &keys[..2]).unwrap();
        let before = ring.commitment();
        assert_eq!(ring.append(&setup, &[keys[2], key]), Err(Error::Key { at: 1, why }));
        assert_eq!(ring.replace(&setup, 0, &key), Err(Error::Key { at: 0, why }));
        assert_eq!(ring.slots().len(), 2);
        assert_eq!(ring.commitment(), before);
        // The key that was not replaced counts as before.
        assert_eq!(ring.append(&setup, &keys[..1]), Err(Error::Key { at: 0, why: KeyError::Duplicate }));
        ring.append(&setup, &keys[2..]).unwrap();
    }
}

#[test]
fn duplicates_are_a_policy() {
    let setup = setup();
    let keys = members(2);
    let twice = [keys[0], keys[0]];
    assert!(Ring::with_members(&setup, bases(), &twice).is_err());
    let mut ring = Ring::new(&setup, bases()).with_duplicates(Duplicates::Allowed);
    ring.append(&setup, &twice).unwrap();
    ring.remove(&setup, 0).unwrap();
    let mut ring = ring.with_duplicates(Duplicates::Refused);
    assert!(ring.replace(&setup, 0, &keys[0]).is_err(), "it is still in slot 1");
    ring.replace(&setup, 1, &keys[0]).unwrap();
    ring.remove(&setup, 1).unwrap();
    ring.replace(&setup, 0, &keys[0]).unwrap();
}

#[test]
fn rings_have_a_capacity_and_domains_a_size() {
    for size in [0, 1, 256, 511, 513, 1000, 131_072, usize::MAX] {
        assert_eq!(Domain::new(size), Err(Error::Domain(size)));
    }
    let expected = [(1, 512), (255, 512), (256, 1024), (767, 1024), (768, 2048), (65_279, 65_536)];
    for (members, size) in expected {
        let domain = Domain::for_members(members).unwrap();
        assert_eq!(domain.size(), size);
        assert!(domain.capacity() >= members);
    }
    assert!(Domain::for_members(65_280).is_err() && Domain::for_members(usize::MAX).is_err());
    let setup = setup();
    let point = |i: u64| (Point::generator() * Fr::from(i + 2)).into_affine();
    let keys = Key::all(&(0..256).map(point).collect::<Vec<_>>()).unwrap();
    let full = Ring::with_members(&setup, bases(), &keys[..255]).unwrap();
    let too_many = Ring::with_members(&setup, bases(), &keys);
    assert_eq!(too_many.unwrap_err(), Error::Capacity { wanted: 256, capacity: 255 });
    let scene = Scene::new(setup.clone(), &keys[..255], 254);
    assert_eq!(scene.ring.commitment(), full.commitment());
}

#[test]
fn setups_are_not_mixed() {
    let [setup, keys] = [setup(), setup()];
    let domain = keys.domain();
    let srs = Srs::insecure_from_tau(77_u64.into(), domain.powers());
    let other = std::sync::Arc::new(Setup::new(&srs, domain).unwrap());
    let mut ring = Ring::with_members(&setup, bases(), &members(2)).unwrap();
    // The same powers for more rows are another setup too.
    let larger = Setup::new(Srs::zcash(), Domain::new(1024).unwrap()).unwrap();
    let mixed = Err(Error::Mismatch("a ring of another setup or domain"));
    assert_eq!(ring.append(&larger, &members(3)[2..]), mixed);
    assert_eq!(ring.replace(&larger, 0, &members(3)[2]), mixed);
    assert!(ring.append(&other, &members(3)[2..]).is_err());
    assert!(ring.replace(&other, 0, &members(3)[2]).is_err());
    assert!(ring.remove(&other, 0).is_err());
    assert!(Prover::new(&other, &ring).is_err());
    let verifier = crate::Verifier::from_key(ring.params(), other.key(), &ring.verifier_key());
    assert!(verifier.is_err());
    let short = Srs::insecure_from_tau(77_u64.into(), domain.powers() - 1);
    assert!(matches!(Setup::new(&short, domain), Err(Error::Srs { .. })));
}

/// With a secret in the domain all Lagrange points but one are the identity.
#[test]
fn no_setup_has_a_secret_in_the_domain() {
    let domain = setup().domain();
    let srs = Srs::insecure_from_tau(domain.omega(), domain.powers());
    let refused = Error::Invalid(Invalid("a setup with the identity in it"));
    assert_eq!(Setup::new(&srs, domain).err(), Some(refused));
}

#[test]
fn bases_are_three_points_of_the_subgroup() {
    let good = [*bases().blinding(), *bases().seed(), *bases().padding()];
    let make = |[h, seed, padding]: [Point; 3]| Bases::new(b"label", h, seed, padding);
    make(good).unwrap();
    // A seed outside of the subgroup: the key `seed + two` would make a constraint of an addition say nothing.
    let two = Point::new_unchecked(0.into(), -curve::bls12_381::Fr::from(1_u64));
    let off = Point::new_unchecked(good[0].x, good[0].x);
    for place in 0..3 {
        let with = |point: Point| {
            let mut points = good;
            points[place] = point;
            make(points)
        };
        let outside = (good[place] + two).into_affine();
        assert!(outside.is_on_curve());
        assert_eq!(with(outside), Err(Error::Bases("a point is outside the subgroup")));
        for point in [Point::zero(), off] {
            assert_eq!(with(point), Err(Error::Bases("a point is not on the curve, or the identity")));
        }
        assert_eq!(with(good[(place + 1) % 3]), Err(Error::Bases("two points are the same")));
    }
}
