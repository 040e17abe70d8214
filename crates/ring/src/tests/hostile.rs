//! Setups that somebody made to see who signs.
//!
//! (notes: ring-file)

use std::sync::Arc;

use curve::bls12_381::{Fq, G1, in_subgroup};
use curve::srs::Srs;
use curve::{AffineRepr, CurveGroup, Invalid, PrimeField, Zero};

use super::{bases, members, scalar, setup};
use crate::kzg::Table;
use crate::prover::Honest;
use crate::setup::rows_and_steps;
use crate::{Error, Prover, Ring, Setup, Verifier};

/// A point of order 3.
fn small() -> G1 {
    let point = G1::new_unchecked(Fq::from(0_u64), Fq::from(2_u64));
    assert!(point.is_on_curve() && !point.is_zero() && (point + point + point).is_zero());
    point
}

/// The setup, read from its file and then changed.
fn hostile(change: impl FnOnce(&mut Setup)) -> Setup {
    let mut setup = Setup::read_trusted(&setup().write(), Srs::zcash(), setup().domain()).unwrap();
    change(&mut setup);
    setup
}

/// Points that are off by a point of order 3, a multiple of it that is their number's class modulo 3. Those that the reader of a table compares are right.
fn classes(points: &mut [G1]) {
    for (i, point) in points.iter_mut().enumerate().filter(|(i, _)| i % 32 != 0) {
        (0..i % 3).for_each(|_| *point = (*point + small()).into_affine());
    }
}

fn keys(points: &mut [G1]) {
    let capacity = setup().domain().capacity();
    classes(&mut points[..capacity]);
}

/// Files under right digests, in which points are off by a point of order 3: sums of them with random weights are right in one case out of three.
#[test]
fn files_with_points_of_order_3_are_refused() {
    let rows = |setup: &Setup| rows_and_steps(&setup.lagrange, &setup.steps);
    let files = [
        ("Lagrange points", 60, hostile(|s| keys(&mut s.lagrange))),
        ("steps", 20, hostile(|s| classes(&mut s.steps))),
        ("one Lagrange point", 20, hostile(|s| s.lagrange[1] = (s.lagrange[1] + small()).into_affine())),
        (
            "entries of a table",
            20,
            hostile(|s| {
                let mut points = rows(&*s);
                keys(&mut points);
                s.rows = Table::with_window(&points, s.rows.window());
            }),
        ),
        (
            "Lagrange points and their table",
            20,
            hostile(|s| {
                keys(&mut s.lagrange);
                s.rows = Table::with_window(&rows(&*s), s.rows.window());
            }),
        ),
        (
            "entries of the table of the powers",
            20,
            hostile(|s| {
                let mut points = Srs::zcash().powers(s.domain.powers()).unwrap().to_vec();
                classes(&mut points);
                s.powers = Table::with_window(&points, s.powers.window());
            }),
        ),
    ];
    for (what, reads, file) in files {
        let bytes = file.write();
        Setup::read_trusted(&bytes, Srs::zcash(), setup().domain()).expect(what);
        for i in 0..reads {
            let refused = Setup::read(&bytes, Srs::zcash(), setup().domain()).err();
            assert_eq!(refused, Some(Error::Invalid(Invalid("false tables of a ring"))), "{what}, read {i}");
        }
    }
}

/// What such points are for: the commitment to the one-hot column, times the order of the subgroup, is the class of the slot. The prover keeps these proofs
/// for itself.
#[test]
fn proofs_that_show_the_slot_modulo_3_do_not_leave_the_prover() {
    let hostile = Arc::new(hostile(|s| keys(&mut s.lagrange)));
    let ring = Ring::with_members(&hostile, bases(), &members(9)).unwrap();
    assert_eq!(ring.commitment(), Ring::with_members(&setup(), bases(), &members(9)).unwrap().commitment());
    let prover = Prover::new(&hostile, &ring).unwrap();
    let verifier = Verifier::new(ring.params(), setup().key(), &ring.commitment());
    for slot in 0..9 {
        let (_, proof) = prover.prove_unchecked(slot, &scalar(8), &Honest).unwrap();
        let class = proof.columns[0].mul_bigint(curve::bls12_381::Fr::MODULUS);
        let expected = small().mul_bigint([slot as u64 % 3]).into_affine();
        assert_eq!(class, expected.mul_bigint(curve::bls12_381::Fr::MODULUS), "slot {slot}");
        assert_eq!(class.is_zero(), slot % 3 == 0);
        match prover.prove(slot, &scalar(8)) {
            Ok((result, proof)) => {
                assert!(slot % 3 == 0 && in_subgroup(&proof.columns));
                verifier.verify(&result, &proof).unwrap();
            }
            Err(error) => assert!(slot % 3 != 0 && error == Error::OwnProof),
        }
    }
}

/// Points of the subgroup that are false: no commitment says what it should, and no proof leaves.
#[test]
fn proofs_with_false_tables_do_not_leave_the_prover() {
    let g = G1::generator();
    let moved = |point: &mut G1| *point = (*point + g).into_affine();
    let other = Srs::insecure_from_tau(9_u64.into(), setup().domain().powers());
    let none = |_: &mut Setup| {};
    let cases: [(&str, bool, Setup); 6] = [
        ("nothing", true, hostile(none)),
        ("the Lagrange point of the slot", false, hostile(|s| moved(&mut s.lagrange[5]))),
        ("the step of the slot", false, hostile(|s| moved(&mut s.steps[6]))),
        (
            "the table of the powers",
            false,
            hostile(|s| {
                s.powers = Table::with_window(other.powers(s.domain.powers()).unwrap(), s.powers.window());
            }),
        ),
        (
            "the table of the rows",
            false,
            hostile(|s| {
                let mut rows = rows_and_steps(&s.lagrange, &s.steps);
                moved(&mut rows[300]);
                s.rows = Table::with_window(&rows, s.rows.window());
            }),
        ),
        // Tables that agree with one another, for another secret than the key's.
        ("all of it", false, {
            let all = Setup::new(&other, setup().domain()).unwrap();
            Setup { key: setup().segment_key().clone(), ..all }
        }),
    ];
    for (what, honest, setup) in cases {
        let setup = Arc::new(setup);
        let ring = Ring::with_members(&setup, bases(), &members(9)).unwrap();
        let prover = Prover::new(&setup, &ring).unwrap();
        let proof = prover.prove(5, &scalar(8));
        assert_eq!(proof.is_ok(), honest, "{what}");
        assert!(honest || proof.err() == Some(Error::OwnProof), "{what}");
    }
}

/// A ring's commitment that is false, by tables that are: a proof for the members that the prover knows does not verify.
#[test]
fn proofs_for_a_false_commitment_do_not_leave_the_prover() {
    let false_rows = hostile(|s| {
        let mut rows = rows_and_steps(&s.lagrange, &s.steps);
        rows[3] = (rows[3] + G1::generator()).into_affine();
        s.rows = Table::with_window(&rows, s.rows.window());
    });
    let ring = Ring::with_members(&false_rows, bases(), &members(9)).unwrap();
    let prover = Prover::new(&setup(), &ring).unwrap();
    assert_eq!(prover.prove(5, &scalar(8)).err(), Some(Error::OwnProof));
}

#[test]
fn a_blinding_of_0_is_refused() {
    let ring = Ring::with_members(&setup(), bases(), &members(3)).unwrap();
    let prover = Prover::new(&setup(), &ring).unwrap();
    assert_eq!(prover.prove(1, &0_u64.into()).err(), Some(Error::Blinding));
    assert_eq!(prover.prove(3, &0_u64.into()).err(), Some(Error::Index));
    assert!(prover.prove(1, &1_u64.into()).is_ok());
}
