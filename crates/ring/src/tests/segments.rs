//! Rings that change by segments of a setup, and segments that are refused.

use std::sync::LazyLock;

use curve::bls12_381::{Fq, Fr, G1, decode_g1, encode_g1};
use curve::srs::Srs;
use curve::{AffineRepr, CurveGroup, Field};

use super::{bases, members, scalar, setup, setup_on_jubjub};
use crate::vrf::{Secret, Suite};
use crate::{
    Bases, Domain, Duplicates, Embedded, Error, Invalid, Key, KeyError, Prover, Ring, Segment, SegmentKey,
    Setup, Verifier,
};

const FALSE: Error = Error::Invalid(Invalid("false points in a segment"));
const ROWS: Error = Error::Invalid(Invalid("a segment of no rows of the domain"));
const LENGTH: Error = Error::Invalid(Invalid("a segment of another length than it says"));
const OTHER: Error = Error::Mismatch("a ring of another setup or domain");

pub(super) fn key() -> &'static SegmentKey {
    static KEY: LazyLock<SegmentKey> = LazyLock::new(|| SegmentKey::new(Srs::zcash(), 512).unwrap());
    &KEY
}

/// A segment that went through bytes.
fn segment(setup: &Setup, rows: core::ops::Range<usize>) -> Segment {
    let bytes = setup.segment(rows.clone()).unwrap().encode();
    assert_eq!(bytes.len(), 28 + 48 * rows.len());
    let segment = Segment::decode(&bytes, key()).unwrap();
    assert_eq!((segment.rows(), segment.encode()), (rows, bytes));
    segment
}

/// The ring as somebody has it who was given its slots and its commitment.
fn resumed<C: Embedded>(ring: &Ring<C>) -> Ring<C> {
    let commitment = crate::Commitment::decode(&ring.commitment().encode()).unwrap();
    Ring::resume(key(), ring.params(), (ring.slots(), &commitment), Duplicates::Refused).unwrap()
}

fn changes<C: Embedded>(setup: &Setup, bases: &Bases<C>, keys: &[Key<C>]) {
    let [a, b, c, d, e, f] = [0, 1, 2, 3, 4, 5].map(|i| keys[i]);
    let same = |ring: &Ring<C>, slots: &[Option<Key<C>>]| {
        let mut whole = Ring::new(setup, bases);
        whole.append_slots(setup, slots).unwrap();
        assert_eq!(ring.commitment().encode(), whole.commitment().encode());
        assert_eq!(ring.slots(), slots);
    };
    let mut ring = resumed(&Ring::with_members(setup, bases, &[a, b]).unwrap());
    ring.append(&segment(setup, 2..3), &[c]).unwrap();
    same(&ring, &[Some(a), Some(b), Some(c)]);
    // By a segment of more rows than change.
    let rows = segment(setup, 0..9);
    ring.append(&rows, &[d, e]).unwrap();
    same(&ring, &[Some(a), Some(b), Some(c), Some(d), Some(e)]);
    ring.remove(&segment(setup, 1..2), 1).unwrap();
    same(&ring, &[Some(a), None, Some(c), Some(d), Some(e)]);
    ring.replace(&rows, 0, &f).unwrap();
    ring.replace(&rows, 1, &a).unwrap();
    same(&ring, &[Some(f), Some(a), Some(c), Some(d), Some(e)]);
    // With the setup again, and without.
    ring.remove(setup, 4).unwrap();
    let mut ring = resumed(&ring);
    ring.append_slots(&rows, &[None, Some(b)]).unwrap();
    same(&ring, &[Some(f), Some(a), Some(c), Some(d), None, None, Some(b)]);
}

#[test]
fn segments_change_a_ring_as_the_whole_setup_does() {
    changes(&setup(), bases(), &members(6));
    let suite = Suite::jubjub();
    let keys: Vec<_> = (1..7).map(|seed| Secret::from_seed(suite, &[seed; 32]).key()).collect();
    changes(&setup_on_jubjub(), suite.bases(), &keys);
    // The last slots, and a ring that is full by them.
    let setup = setup();
    let full: Vec<_> = (0..254).map(|_| None).chain([Some(members(1)[0])]).collect();
    let mut ring = Ring::new(&setup, bases());
    ring.append_slots(&setup, &full).unwrap();
    let mut ring = resumed(&ring);
    ring.replace(&segment(&setup, 254..255), 254, &members(2)[1]).unwrap();
    let full_error = Error::Capacity { wanted: 256, capacity: 255 };
    assert_eq!(ring.append(&segment(&setup, 250..260), &members(1)), Err(full_error));
    // Its member proves, and is believed.
    let prover = Prover::new(&setup, &ring).unwrap();
    let (result, proof) = prover.prove(254, &scalar(3)).unwrap();
    Verifier::new(ring.params(), key().kzg(), &ring.commitment()).verify(&result, &proof).unwrap();
}

/// One deviation each, by who makes a segment.
#[test]
fn false_segments_are_refused() {
    let setup = setup();
    let points = &setup.lagrange[3..7];
    let write = |[rows, first, count]: [u32; 3], points: &[G1]| {
        let mut bytes = b"tenfold segment1".to_vec();
        [rows, first, count].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        points.iter().for_each(|point| bytes.extend(encode_g1(point)));
        bytes
    };
    let read = |bytes: &[u8]| Segment::decode(bytes, key()).map(drop);
    let with = |change: &dyn Fn(&mut [G1])| {
        let mut points = points.to_vec();
        change(&mut points);
        read(&write([512, 3, 4], &points))
    };
    assert_eq!(with(&|_| ()), Ok(()));
    let x = Srs::zcash().powers(6).unwrap()[5];
    let add = |a: G1, b: G1| (a + b).into_affine();
    assert_eq!(with(&|p| p[3] = add(p[3], x)), Err(FALSE), "another point");
    assert_eq!(with(&|p| p.swap(0, 1)), Err(FALSE), "the points of each other's rows");
    assert_eq!(with(&|p| p[2] = G1::zero()), Err(FALSE), "the identity");
    assert_eq!(with(&|p| p[2] = -p[2]), Err(FALSE), "the opposite");
    // Of a multiple of X^N - 1, and errors that cancel in the sum, weighted or not.
    let scaled = |p: &mut [G1]| p.iter_mut().for_each(|p| *p = (*p * Fr::from(2_u64)).into_affine());
    assert_eq!(with(&scaled), Err(FALSE), "all points times two");
    let cancel = |p: &mut [G1]| (p[0], p[1]) = (add(p[0], x), add(p[1], -x));
    assert_eq!(with(&cancel), Err(FALSE), "errors that cancel");
    let omega = setup.domain().omega();
    let tau_minus = |i: u64| Fr::from(77_u64) - omega.pow([i]);
    let srs = Srs::insecure_from_tau(77_u64.into(), 1537);
    let known = SegmentKey::new(&srs, 512).unwrap();
    let own = Setup::new(&srs, setup.domain()).unwrap().segment(3..7).unwrap();
    assert_eq!(Segment::decode(&own.encode(), &known).as_ref(), Ok(&own));
    // Who knows the secret makes errors that cancel in an equation without weights.
    let mut wrong = own.points.clone();
    wrong[0] = (wrong[0] + x * tau_minus(4)).into_affine();
    wrong[1] = (wrong[1] - x * tau_minus(3)).into_affine();
    assert_eq!(Segment::decode(&write([512, 3, 4], &wrong), &known), Err(FALSE), "errors that cancel");
    // Or in one with weights that he knows before.
    let weights = crate::segment::weights(4).unwrap();
    let mut wrong = own.points.clone();
    wrong[0] = (wrong[0] + x * (tau_minus(4) * weights[1][0])).into_affine();
    wrong[1] = (wrong[1] - x * (tau_minus(3) * weights[0][0])).into_affine();
    assert_eq!(Segment::decode(&write([512, 3, 4], &wrong), &known), Err(FALSE), "by other weights");
    // Points of other rows, of another domain, of another setup.
    assert_eq!(read(&write([512, 4, 4], points)), Err(FALSE), "one row further");
    assert_eq!(read(&own.encode()), Err(FALSE), "another setup");
    let rows = Error::Mismatch("a segment for another number of rows");
    assert_eq!(read(&write([1024, 3, 4], points)), Err(rows));
    assert_eq!(Segment::decode(&write([512, 3, 4], points), &known), Err(FALSE), "the key of another setup");
    // A key that is false in the one point that KZG's has not.
    let mut bytes = key().encode();
    bytes[244..].copy_from_slice(&encode_g1(&x));
    let false_key = SegmentKey::decode(&bytes).unwrap();
    assert_eq!(Segment::decode(&write([512, 3, 4], points), &false_key), Err(FALSE), "another tau^N");
}

#[test]
fn bytes_that_are_no_segment_are_refused() {
    let bytes = setup().segment(3..5).unwrap().encode();
    let read = |bytes: &[u8]| Segment::decode(bytes, key()).map(drop);
    let with = |at: usize, number: u32| {
        let mut bytes = bytes.clone();
        bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        read(&bytes)
    };
    for length in 0..28 {
        assert_eq!(read(&bytes[..length]), Err(Error::Invalid(Invalid("too few bytes"))), "{length}");
    }
    assert_eq!(read(&bytes[..bytes.len() - 1]), Err(LENGTH));
    assert_eq!(read(&bytes[..bytes.len() - 48]), Err(LENGTH));
    assert_eq!(read(&[&bytes[..], &[0]].concat()), Err(LENGTH));
    assert_eq!(read(&[&bytes[..], &bytes[28..76]].concat()), Err(LENGTH));
    // The number of points, and rows that are none: nothing is allocated by them.
    assert_eq!(with(24, 0), Err(ROWS));
    assert_eq!(with(24, 3), Err(LENGTH));
    assert_eq!(with(24, u32::MAX), Err(ROWS));
    assert_eq!(with(20, 511), Err(ROWS));
    assert_eq!(with(20, 510), Err(FALSE));
    assert_eq!(with(20, u32::MAX), Err(ROWS));
    let mut magic = bytes.clone();
    magic[15] = b'2';
    assert_eq!(read(&magic), Err(Error::Invalid(Invalid("not a segment of a setup"))));
    // A point outside of the subgroup, another encoding of a point, and none.
    for (first, rest) in [(0x80, 0), (0xc0, 1), (0xe0, 0), (0x00, 0), (0x9f, 0xff)] {
        let mut other = bytes.clone();
        other[28..76].fill(rest);
        other[28] = first;
        assert!(matches!(read(&other), Err(Error::Invalid(_))), "{first:x}");
    }
    // A point of order 3 beside the right one vanishes under a third of all weights.
    let of_order_3 = G1::new_unchecked(Fq::from(0_u64), Fq::from(2_u64));
    let outside = (setup().lagrange[3] + of_order_3).into_affine();
    let mut other = bytes.clone();
    other[28..76].copy_from_slice(&encode_g1(&outside));
    let refused = Error::Invalid(decode_g1(&encode_g1(&outside)).unwrap_err());
    assert_ne!(refused, FALSE);
    assert_eq!(read(&other), Err(refused), "a point outside of the subgroup");
    // A key has one encoding.
    let encoded = key().encode();
    assert_eq!((encoded.len(), SegmentKey::decode(&encoded).as_ref()), (SegmentKey::BYTES, Ok(key())));
    assert!(SegmentKey::decode(&encoded[..encoded.len() - 1]).is_err());
    assert!(SegmentKey::decode(&[&encoded[..], &[0]].concat()).is_err());
    for rows in [0_u32, 256, 513, 131_072, u32::MAX] {
        let mut other = encoded.clone();
        other[..4].copy_from_slice(&rows.to_le_bytes());
        assert_eq!(SegmentKey::decode(&other), Err(Error::Domain(rows as usize)));
    }
}

#[test]
fn segments_are_of_one_setup_and_have_the_rows_of_a_change() {
    let setup = setup();
    let keys = members(4);
    let ring = Ring::with_members(&setup, bases(), &keys[..2]).unwrap();
    let before = ring;
    let refused = |change: &dyn Fn(&mut Ring) -> Result<(), Error>, error: Error| {
        let mut ring = resumed(&before);
        assert_eq!(change(&mut ring), Err(error));
        assert_eq!((ring.slots(), ring.commitment()), (before.slots(), before.commitment()));
        // A key of what was refused is not a member's.
        ring.append(&setup, &keys[2..]).unwrap();
    };
    let lacks = |wanted, present| Error::Rows { wanted, present };
    let rows = setup.segment(1..3).unwrap();
    refused(&|ring| ring.append(&rows, &keys[2..]), lacks([2, 4], [1, 3]));
    refused(&|ring| ring.replace(&rows, 0, &keys[2]), lacks([0, 1], [1, 3]));
    refused(&|ring| ring.remove(&rows, 0), lacks([0, 1], [1, 3]));
    refused(&|ring| ring.replace(&rows, 2, &keys[2]), Error::Slot(2));
    let duplicate = Error::Key { at: 0, why: KeyError::Duplicate };
    refused(&|ring| ring.append(&rows, &keys[..1]), duplicate);
    // Of other powers, and of the same for more rows.
    let srs = Srs::insecure_from_tau(77_u64.into(), 1537);
    let other = Setup::new(&srs, setup.domain()).unwrap().segment(0..4).unwrap();
    refused(&|ring| ring.append(&other, &keys[2..3]), OTHER);
    let larger = Setup::new(Srs::zcash(), Domain::new(1024).unwrap()).unwrap().segment(0..4).unwrap();
    refused(&|ring| ring.append(&larger, &keys[2..3]), OTHER);
    refused(&|ring| ring.append(&setup_on_jubjub(), &keys[2..3]), OTHER);
    for rows in [0..0, 5..5, 512..513, 511..513, usize::MAX..usize::MAX] {
        assert_eq!(setup.segment(rows), Err(ROWS));
    }
    // Keys are of setups that have so many powers, and rows that are a domain's.
    assert_eq!(SegmentKey::new(Srs::zcash(), 8192), Err(Error::Srs { wanted: 8193, present: 6145 }));
    assert_eq!(SegmentKey::new(Srs::zcash(), 100), Err(Error::Domain(100)));
    let inside = Srs::insecure_from_tau(setup.domain().omega(), 513);
    let identity = Error::Invalid(Invalid("a setup with the identity in it"));
    assert_eq!(SegmentKey::new(&inside, 512), Err(identity));
    let mut bytes = key().encode();
    bytes.copy_within(4..52, 244);
    assert_eq!(SegmentKey::decode(&bytes), Err(identity));
    bytes[244..].copy_from_slice(&encode_g1(&G1::zero()));
    assert_eq!(SegmentKey::decode(&bytes), Err(identity), "the secret 0");
    bytes[244] = 0x80;
    assert!(SegmentKey::decode(&bytes).is_err(), "a point outside of the subgroup");
    assert_eq!(setup.segment_key(), key());
}

fn ring_slots(keys: &[Key]) -> Vec<Option<Key>> {
    keys.iter().copied().map(Some).collect()
}

/// What resuming checks, and what it does not: that the commitment is that of the slots.
#[test]
fn a_ring_is_resumed_with_slots_that_can_be_a_ring_s() {
    let setup = setup();
    let keys = members(3);
    let ring = Ring::with_members(&setup, bases(), &keys[..2]).unwrap();
    let resume = |slots: &[Option<Key>], duplicates| {
        Ring::resume(key(), ring.params(), (slots, &ring.commitment()), duplicates)
            .map(|ring| ring.commitment())
    };
    let twice = ring_slots(&[keys[0], keys[0]]);
    let refused = Error::Key { at: 1, why: KeyError::Duplicate };
    assert_eq!(resume(&twice, Duplicates::Refused), Err(refused));
    assert_eq!(resume(&twice, Duplicates::Allowed), Ok(ring.commitment()), "not that of these slots");
    let seed = Key::new(*bases().seed()).unwrap();
    let refused = Error::Key { at: 0, why: KeyError::Seed };
    assert_eq!(resume(&ring_slots(&[seed]), Duplicates::Refused), Err(refused));
    let full = Error::Capacity { wanted: 256, capacity: 255 };
    assert_eq!(resume(&[None; 256], Duplicates::Refused), Err(full));
    let larger = SegmentKey::new(Srs::zcash(), 1024).unwrap();
    let resumed = Ring::resume(&larger, ring.params(), (&[], &ring.commitment()), Duplicates::Refused);
    assert!(matches!(resumed, Err(Error::Mismatch(_))));
    // A domain for keys on another curve.
    let params = crate::Params { bases: Suite::jubjub().bases().clone(), domain: setup.domain() };
    let resumed = Ring::resume(key(), &params, (&[], &ring.commitment()), Duplicates::Refused);
    assert!(matches!(resumed, Err(Error::Mismatch(_))));
    // Nothing is appended by a segment that begins or ends there.
    for rows in [0..2, 2..3] {
        let mut ring = super::segments::resumed(&ring);
        assert_eq!(ring.append(&segment(&setup, rows), &[]), Ok(()));
    }
}

/// Who makes a key decides which points it takes, and no others are for rings that trust another key.
#[test]
fn a_segment_is_as_good_as_its_key() {
    let setup = setup();
    let keys = members(3);
    let two = Fr::from(2_u64);
    let one = *Srs::zcash().powers(1).unwrap().first().unwrap();
    let top = Srs::zcash().powers(513).unwrap()[512];
    // With 2 tau^N - 1 in the place of tau^N all points are twice the right ones.
    let mut bytes = key().encode();
    bytes[244..].copy_from_slice(&encode_g1(&(top * two - one).into_affine()));
    let false_key = SegmentKey::decode(&bytes).unwrap();
    assert_eq!((false_key.kzg(), &false_key == key()), (key().kzg(), false));
    let mut doubled = setup.segment(0..4).unwrap();
    doubled.points.iter_mut().for_each(|point| *point = (*point * two).into_affine());
    assert_eq!(Segment::decode(&doubled.encode(), key()), Err(FALSE));
    let segment = Segment::decode(&doubled.encode(), &false_key).unwrap();
    let before = Ring::with_members(&setup, bases(), &keys[..2]).unwrap();
    let mut ring = resumed(&before);
    assert_eq!(ring.append(&segment, &keys[2..]), Err(OTHER));
    assert_eq!(ring.replace(&segment, 0, &keys[2]), Err(OTHER));
    assert_eq!(ring.remove(&segment, 0), Err(OTHER));
    assert_eq!((ring.slots(), ring.commitment()), (before.slots(), before.commitment()));
    let mut ring = before.clone();
    assert_eq!(ring.append(&segment, &keys[2..]), Err(OTHER), "a ring of the whole setup");
    // Nor does the setup change or prove for a ring that trusts that key.
    let known = (before.slots(), &before.commitment());
    let mut ring = Ring::resume(&false_key, before.params(), known, Duplicates::Refused).unwrap();
    assert_eq!(ring.append(&setup, &keys[2..]), Err(OTHER));
    assert_eq!(Prover::new(&setup, &ring).map(drop).unwrap_err(), OTHER);
}
