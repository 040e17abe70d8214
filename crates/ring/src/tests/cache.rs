//! Tables in a file.

use curve::bls12_381::G1;
use curve::msm::Tier;
use curve::srs::Srs;
use curve::{AffineRepr, CurveGroup, Invalid};

use super::{bases, members, setup, setup_on_jubjub};
use crate::kzg::Table;
use crate::setup::rows_and_steps;
use crate::{Domain, Error, Prover, Ring, Setup, Verifier};

#[test]
fn a_setup_from_its_file_is_the_same() {
    let bytes = setup().write();
    let read = Setup::read(&bytes, Srs::zcash(), setup().domain()).unwrap();
    assert_eq!(read.write(), bytes);
    assert_eq!(read.table_bytes(), setup().table_bytes());
    let ring = Ring::with_members(&setup(), bases(), &members(3)).unwrap();
    assert_eq!(Ring::with_members(&read, bases(), &members(3)).unwrap().commitment(), ring.commitment());
    let proof = |setup| {
        let prover = Prover::new(&setup, &ring).unwrap().without_blinding();
        prover.prove(1, &super::scalar(5)).unwrap()
    };
    let (result, made) = proof(std::sync::Arc::new(read));
    assert_eq!(proof(setup()), (result, made.clone()));
    Verifier::new(ring.params(), setup().key(), &ring.commitment()).verify(&result, &made).unwrap();
}

#[test]
fn a_setup_in_any_lanes_is_the_same_and_its_file_too() {
    let ring = Ring::with_members(&setup(), bases(), &members(3)).unwrap();
    let one = |setup: Setup| {
        Prover::new(&setup.into(), &ring).unwrap().without_blinding().prove(2, &super::scalar(6)).unwrap()
    };
    let portable = one(Setup::portable(Srs::zcash(), setup().domain()).unwrap());
    for tier in Tier::ALL.into_iter().filter(|tier| tier.available::<<G1 as AffineRepr>::Config>()) {
        let own = Setup::on(Srs::zcash(), setup().domain(), tier).unwrap();
        let commitment = Ring::with_members(&own, bases(), &members(3)).unwrap().commitment();
        assert_eq!(commitment, ring.commitment(), "{tier:?}");
        let read = Setup::read(&own.write(), Srs::zcash(), setup().domain()).unwrap();
        assert_eq!([one(own), one(read)], [portable.clone(), portable.clone()], "{tier:?}");
    }
}

#[test]
fn files_that_are_damaged_or_foreign_are_refused() {
    let domain = setup().domain();
    let bytes = setup().write();
    let refused = |bytes: &[u8], what: &str| {
        let read = Setup::read_trusted(bytes, Srs::zcash(), domain);
        assert!(matches!(read, Err(Error::Invalid(_))), "{what}");
    };
    for length in [0, 15, 16, 100, 5000, bytes.len() / 2, bytes.len() - 1] {
        refused(&bytes[..length], &format!("{length} bytes"));
    }
    refused(&[&bytes[..], &[0]].concat(), "another byte");
    for at in (0..136).chain((136..bytes.len()).step_by(9973)).chain([bytes.len() - 1]) {
        let mut bad = bytes.clone();
        bad[at] ^= 0x20;
        refused(&bad, &format!("byte {at}"));
    }
    // The tables of one file behind the head of another: each has the right digest of its own.
    let other_srs = Srs::insecure_from_tau(9_u64.into(), domain.powers());
    let other = Setup::new(&other_srs, domain).unwrap().write();
    assert_eq!(other.len(), bytes.len());
    refused(&other, "of another setup");
    let head = 136 + 96 * (domain.size() + domain.capacity() + 2) + 32;
    refused(&[&bytes[..head], &other[head..]].concat(), "tables of another setup");
    // Of scalars of another length there is another capacity.
    let jubjub = Setup::read_trusted(&setup_on_jubjub().write(), Srs::zcash(), domain).err();
    assert_eq!(jubjub, Some(Error::Invalid(Invalid("tables of another setup or domain"))));
    // A head that lies under its right digest: magic, domain, setup, lengths, digests of the tables.
    for at in [0, 15, 16, 20, 24, 55, 56, 64, 72, 135] {
        let mut bad = bytes.clone();
        bad[at] ^= 1;
        let digest = curve::srs::digest(&bad[..head - 32]);
        bad[head - 32..head].copy_from_slice(&digest);
        refused(&bad, &format!("byte {at} under its digest"));
    }
    let larger = Domain::new(1024).unwrap();
    assert!(Setup::read(&bytes, Srs::zcash(), larger).is_err());
    assert!(Setup::read(&bytes, &other_srs, domain).is_err());
    Setup::read(&other, &other_srs, domain).unwrap();
}

/// Tables in which the second entry of a point, the first or the last one, is another, and whose digest is right.
fn with_a_false_entry(table: &Table, points: &[G1], last: bool) -> Table {
    const HEAD: usize = 48;
    let mut bytes = table.write();
    bytes.truncate(bytes.len() - 32);
    let row = (bytes.len() - HEAD) / table.len();
    let entry = row / (128 / table.window() + 1);
    let first = if last { bytes.len() - row } else { HEAD };
    bytes.copy_within(first + 2 * entry..first + 3 * entry, first + entry);
    bytes.extend(curve::srs::digest(&bytes));
    Table::read(&bytes, points).unwrap()
}

/// Files without damage, of false contents: whoever could write one would choose a ring's members.
#[test]
fn files_that_somebody_made_are_refused() {
    let (setup, srs) = (setup(), Srs::zcash());
    let monomial = srs.powers(setup.domain().powers()).unwrap();
    let g = G1::generator();
    let moved = |points: &[G1], at: usize| {
        let mut points = points.to_vec();
        points[at] = (points[at] + g).into_affine();
        // The sum of all is as before.
        points[at + 1] = (points[at + 1] - g).into_affine();
        points
    };
    // A change is in the first or the last point of one of the two tables.
    let file = |lagrange: Vec<G1>, steps: Vec<G1>, change: Option<(usize, bool)>| {
        let rows = rows_and_steps(&lagrange, &steps);
        let table = |points: &[G1], like: &Table, number: usize| {
            let table = Table::with_window(points, like.window());
            let changed = change.filter(|(of, _)| *of == number);
            if let Some((_, last)) = changed { with_a_false_entry(&table, points, last) } else { table }
        };
        let tables = [table(monomial, &setup.powers, 0), table(&rows, &setup.rows, 1)];
        Setup::from_parts(srs, setup.domain(), [lagrange, steps], tables).unwrap().write()
    };
    let (lagrange, steps) = (&setup.lagrange, &setup.steps);
    let honest = file(lagrange.clone(), steps.clone(), None);
    assert_eq!(honest, setup.write());
    Setup::read(&honest, srs, setup.domain()).unwrap();
    let last = steps.len() - 2;
    for (what, bytes) in [
        ("an entry of the powers", file(lagrange.clone(), steps.clone(), Some((0, false)))),
        ("an entry of the rows", file(lagrange.clone(), steps.clone(), Some((1, false)))),
        // In no sum that the check of the Lagrange points takes.
        ("an entry of the last power", file(lagrange.clone(), steps.clone(), Some((0, true)))),
        ("an entry of the last step", file(lagrange.clone(), steps.clone(), Some((1, true)))),
        ("Lagrange points of keys", file(moved(lagrange, 0), steps.clone(), None)),
        ("the last Lagrange points", file(moved(lagrange, 510), steps.clone(), None)),
        ("steps", file(lagrange.clone(), moved(steps, 3), None)),
        ("the last step", file(lagrange.clone(), moved(steps, last), None)),
    ] {
        Setup::read_trusted(&bytes, srs, setup.domain()).expect(what);
        let refused = Setup::read(&bytes, srs, setup.domain()).err();
        assert_eq!(refused, Some(Error::Invalid(Invalid("false tables of a ring"))), "{what}");
    }
}
