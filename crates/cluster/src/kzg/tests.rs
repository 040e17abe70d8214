//! Openings by several ranks: the bytes of one machine, and ranks that deviate.

use super::*;
use crate::Deviation;
use crate::comm::threads::{connect, run_on};
use crate::meter::Meters;
use crate::tests::{Deviating, deadlines};
use curve::bls12_381::{G1, encode_g1};
use curve::{AffineRepr, CurveGroup};
use iop::poly::TensorForm;
use iop::security::Policy;
use pcs::field::Field;
use pcs::kzg::multilinear::{Key, Params};

/// Variables of a fragment; two polynomials of four fragments each.
const OWN: usize = 4;
const VARIABLES: usize = 6;

fn srs() -> MultilinearSrs {
    let tau: Vec<Fr> = (0..OWN as u64).map(|i| Scalar::from_u64(i + 7).pow(31).0).collect();
    MultilinearSrs::insecure_from_point(&tau)
}

pub(super) fn scheme() -> Scheme {
    let key = Key::new(&srs()).expect("a key");
    Scheme::new(Params { key, log_fragments: 2, polynomials: 2, max_forms: 2 }, &Policy::at_least(0))
        .expect("parameters in range")
}

fn polynomials() -> Vec<Vec<Scalar>> {
    let entry = |i: u64| Scalar::from_u64(i + 3).pow(17);
    (0..2).map(|p| (0..1 << VARIABLES).map(|i| entry(100 * p + i)).collect()).collect()
}

fn forms() -> Vec<TensorForm<Scalar>> {
    let z: Vec<Scalar> = (0..VARIABLES as u64).map(|v| Scalar::from_u64(v + 5).pow(19)).collect();
    vec![TensorForm::point(&z), TensorForm::sum(VARIABLES)]
}

type Opened = (Vec<u8>, Vec<u8>, Meters);

/// What a rank changes of the message of a step.
type Change<'a> = dyn Fn(usize, &mut Vec<u8>) + Send + Sync + 'a;

/// The results of all ranks of a job with one that deviates: it changes the message of a step.
fn job(ranks: usize, change: Option<(usize, &Change<'_>)>) -> Vec<Result<Option<Opened>, Error>> {
    let (scheme, srs) = (scheme(), srs());
    let change_all = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        change.iter().for_each(|(_, change)| change(step, bytes));
    };
    let deviating = |comm: crate::comm::threads::Threads| {
        let deviant = change.is_some_and(|(rank, _)| rank == comm.rank());
        Deviating::new(comm, deviant.then_some(&change_all))
    };
    run_on(connect(ranks, 500).into_iter().map(deviating).collect(), |comm| {
        let rank = Member::join(&scheme, &srs, Box::new(comm), deadlines(10_000))?;
        let mut given = polynomials();
        // Of the others' polynomials a rank knows nothing.
        let each = scheme.params().fragments();
        for (p, polynomial) in given.iter_mut().enumerate() {
            if rank.own().end <= p * each || (p + 1) * each <= rank.own().start {
                polynomial.clear();
            }
        }
        let fragments = rank.fragments_of(&given)?;
        if !rank.coordinates() {
            return rank.serve(&fragments).map(|_| None);
        }
        let mut coordinator = rank.coordinate(fragments)?;
        let (_, proof) = coordinator.open(forms(), b"context")?;
        let commitment = coordinator.commitment().to_bytes();
        Ok(Some((commitment, proof, coordinator.finish()?)))
    })
}

#[test]
fn any_number_of_ranks_opens_with_the_bytes_of_one_machine() {
    let (scheme, srs) = (scheme(), srs());
    let prover = Prover::new(&scheme, &srs).expect("the setup");
    let witness = prover.commit(&polynomials()).expect("polynomials");
    let (_, expected) = prover.open(&witness, forms(), b"context");
    for ranks in [1, 2, 4, 8] {
        let mut results = job(ranks, None).into_iter().map(|result| result.expect("an honest rank"));
        let (commitment, proof, meters) = results.next().flatten().expect("the coordinator's");
        assert_eq!(commitment, witness.commitment().to_bytes(), "{ranks} ranks");
        assert_eq!(proof, expected, "{ranks} ranks");
        // What the notes say that ranks send and receive, of two forms and two polynomials.
        let last = &meters.0[ranks - 1];
        let (entries, local, signature) = (1 << OWN, OWN - ranks.ilog2() as usize, 64);
        if ranks > 1 {
            assert_eq!(last.of(Phase::Encode).sent, (48 * 8 / ranks) as u64 + signature);
            assert_eq!(last.of(Phase::Columns).sent, 4 * (32 * entries + signature));
            assert_eq!(last.of(Phase::Columns).received, 4 * 32 * 4);
            assert_eq!(last.of(Phase::Rows).sent, 2 * (48 * local as u64 + signature));
            assert_eq!(last.of(Phase::Rows).received, 2 * (32 * OWN as u64 + 32 * entries / ranks as u64));
        }
    }
}

/// The steps in which a rank that is not the coordinator sends.
mod step {
    pub const COMMITMENTS: usize = 1;
    pub const FIRST_COMBINATION: usize = 2;
    pub const LAST_COMBINATION: usize = 5;
    pub const QUOTIENTS: [usize; 2] = [6, 7];
}

/// The error of the coordinator of four ranks, of which one changes a message; the others are told, and name nobody else.
fn blamed(deviant: usize, at: usize, change: impl Fn(&mut Vec<u8>) + Send + Sync) -> Error {
    let change = |step: usize, bytes: &mut Vec<u8>| {
        if step == at {
            change(bytes);
        }
    };
    let mut results = job(4, Some((deviant, &change))).into_iter();
    let error = results.next().expect("a coordinator").map(drop).expect_err("no proof");
    for result in results {
        match result.map(drop) {
            Err(Error::Stopped { culprit: Some(rank), .. }) => assert_eq!(rank, deviant),
            other => panic!("{other:?}"),
        }
    }
    error
}

fn names(error: &Error, rank: usize, deviation: Deviation) -> bool {
    matches!(error, Error::Deviation { rank: r, deviation: d } if (*r, *d) == (rank, deviation))
}

/// Each message, changed to another one that can be read: only one check tells whose it is.
#[test]
fn who_deviates_is_named() {
    let other_point = |bytes: &mut Vec<u8>| {
        bytes[..48].copy_from_slice(&encode_g1(&(G1::generator() * Fr::from(9_u64)).into_affine()))
    };
    let none = |bytes: &mut Vec<u8>| bytes[..48].copy_from_slice(&encode_g1(&G1::zero()));
    let other_entry = |bytes: &mut Vec<u8>| bytes[3 * 32] ^= 1;
    // Rank 1 has the first polynomial's last fragments, rank 2 the second one's first.
    for rank in [1, 2] {
        for change in [&other_point as &(dyn Fn(&mut Vec<u8>) + Send + Sync), &none] {
            let error = blamed(rank, step::COMMITMENTS, change);
            assert!(names(&error, rank, Deviation::Fragments), "{error}");
        }
        for at in step::FIRST_COMBINATION..=step::LAST_COMBINATION {
            let error = blamed(rank, at, other_entry);
            assert!(names(&error, rank, Deviation::Fragments), "{at}: {error}");
        }
        for at in step::QUOTIENTS {
            let error = blamed(rank, at, other_point);
            assert!(names(&error, rank, Deviation::Quotients), "{at}: {error}");
        }
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    let outside = |bytes: &mut Vec<u8>| {
        bytes[..48].fill(0);
        (bytes[0], bytes[47]) = (0x80, 4);
    };
    for at in [step::COMMITMENTS, step::QUOTIENTS[0]] {
        let error = blamed(3, at, outside);
        assert!(names(&error, 3, Deviation::Encoding), "{at}: {error}");
    }
    let error = blamed(3, step::FIRST_COMBINATION, |bytes| bytes[..32].fill(255));
    assert!(names(&error, 3, Deviation::Encoding), "{error}");
    for at in [step::COMMITMENTS, step::FIRST_COMBINATION, step::QUOTIENTS[1]] {
        let error = blamed(3, at, |bytes| bytes.truncate(47));
        assert_eq!(error.rank(), Some(3), "{error}");
        assert!(matches!(error, Error::Comm(crate::comm::CommError::Length { .. })));
    }
}

#[test]
fn ranks_without_a_fragment_or_an_entry_are_refused() {
    for result in job(16, None) {
        assert!(matches!(result.map(drop), Err(Error::Unsupported(_))));
    }
    let comm = connect(1, 500).pop().expect("a rank");
    let (scheme, srs) = (scheme(), srs());
    let rank = Member::join(&scheme, &srs, Box::new(comm), deadlines(10_000)).expect("alone");
    assert!(matches!(rank.fragments_of(&polynomials()[..1]), Err(Error::Input(_))));
    let comm = connect(1, 500).pop().expect("a rank");
    let other = MultilinearSrs::insecure_from_point(&[Scalar::from_u64(5).0; OWN]);
    let joined = Member::join(&scheme, &other, Box::new(comm), deadlines(10_000));
    assert!(matches!(joined.map(drop), Err(Error::Unsupported(_))));
}

/// After an error there is no further answer.
#[test]
fn a_coordinator_that_failed_has_ended() {
    let (scheme, srs) = (scheme(), srs());
    let results = run_on(connect(2, 500), |comm| {
        let rank = Member::join(&scheme, &srs, Box::new(comm), deadlines(200))?;
        let fragments = rank.fragments_of(&polynomials())?;
        if !rank.coordinates() {
            // Commits, and says nothing more.
            let share = Share::new(&rank, fragments);
            let Member { prover, mut party, .. } = rank;
            share.commitments(&mut party, &prover)?;
            std::thread::sleep(core::time::Duration::from_millis(600));
            return Ok(());
        }
        let mut coordinator = rank.coordinate(fragments)?;
        let error = coordinator.open(forms(), b"").expect_err("a rank is silent");
        assert_eq!(error.rank(), Some(1), "{error}");
        assert!(matches!(coordinator.open(forms(), b""), Err(Error::Ended)));
        assert!(matches!(coordinator.finish(), Err(Error::Ended)));
        Ok::<_, Error>(())
    });
    assert!(results.iter().all(Result::is_ok));
}
