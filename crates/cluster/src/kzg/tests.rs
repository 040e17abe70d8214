//! Openings by several ranks: the bytes of one machine, and ranks that deviate.

use super::*;
use crate::comm::threads::{connect, run_on};
use crate::meter::Meters;
use crate::report::{self, Report, Verdict};
use crate::tests::{Deviating, deadlines};
use crate::{Deviation, Key as SigningKey};
use curve::bls12_381::{G1, encode_g1};
use curve::{AffineRepr, CurveGroup};
use field::{Goldilocks, Goldilocks2};
use iop::error::Invalid;
use iop::poly::TensorForm;
use iop::security::Policy;
use pcs::claims::Claims;
use pcs::field::Field;
use pcs::kzg::multilinear::{Key, Params, open_held};
use pcs::matrix::Prime;
use std::sync::LazyLock;

/// Variables of a fragment; two polynomials of four fragments each.
const OWN: usize = 4;
const VARIABLES: usize = 6;

/// Made once for all jobs.
fn srs() -> &'static MultilinearSrs {
    static SRS: LazyLock<MultilinearSrs> = LazyLock::new(|| {
        let tau: Vec<Fr> = (0..OWN as u64).map(|i| Scalar::from_u64(i + 7).pow(31).0).collect();
        MultilinearSrs::insecure_from_point(&tau)
    });
    &SRS
}

pub(super) fn scheme() -> &'static Scheme {
    static SCHEME: LazyLock<Scheme> = LazyLock::new(|| {
        let key = Key::new(srs()).expect("a key");
        Scheme::new(Params { key, log_fragments: 2, polynomials: 2, max_forms: 2 }, &Policy::at_least(0))
            .expect("parameters in range")
    });
    &SCHEME
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

/// The result of a rank, and its report.
type Ended = (Result<Option<Opened>, Error>, Option<Vec<u8>>);

/// The key of a rank, and the job.
fn identity(rank: usize) -> Identity {
    Identity::new(SigningKey::from_bytes(&[rank as u8 + 1; 32]), b"a job")
}

/// The results of all ranks of a job with one that deviates: it changes the message of a step.
fn job(ranks: usize, change: Option<(usize, &Change<'_>)>) -> Vec<Ended> {
    let (scheme, srs) = (scheme(), srs());
    let change_all = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        change.iter().for_each(|(_, change)| change(step, bytes));
    };
    let deviating = |comm: crate::comm::threads::Threads| {
        let deviant = change.is_some_and(|(rank, _)| rank == comm.rank());
        Deviating::new(comm, deviant.then_some(&change_all))
    };
    run_on(connect(ranks, 500).into_iter().map(deviating).collect(), |comm| {
        let identity = identity(comm.rank());
        let records = identity.records();
        let run = || {
            let rank = Member::join_as(identity, scheme, srs, Box::new(comm), deadlines(10_000))?;
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
        };
        let result = run();
        (result, records.report().map(|report| report.to_json()))
    })
}

#[test]
fn any_number_of_ranks_opens_with_the_bytes_of_one_machine() {
    let (scheme, srs) = (scheme(), srs());
    let prover = Prover::new(scheme, srs).expect("the setup");
    let witness = prover.commit(&polynomials()).expect("polynomials");
    let (_, expected) = prover.open(&witness, forms(), b"context");
    for ranks in [1, 2, 4, 8] {
        let mut results = job(ranks, None).into_iter().map(|(result, report)| {
            assert_eq!(report, None);
            result.expect("an honest rank")
        });
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

/// The error and the report of the coordinator of four ranks, of which one changes a message; the others are told, and name nobody else.
fn ended(deviant: usize, at: usize, change: impl Fn(&mut Vec<u8>) + Send + Sync) -> (Error, Option<Vec<u8>>) {
    let change = |step: usize, bytes: &mut Vec<u8>| {
        if step == at {
            change(bytes);
        }
    };
    let mut results = job(4, Some((deviant, &change))).into_iter();
    let (result, report) = results.next().expect("a coordinator");
    for (result, _) in results {
        match result.map(drop) {
            Err(Error::Stopped { culprit: Some(rank), .. }) => assert_eq!(rank, deviant),
            other => panic!("{other:?}"),
        }
    }
    (result.map(drop).expect_err("no proof"), report)
}

/// The verdict of a third party.
fn verified(report: &[u8]) -> Result<Verdict, Invalid> {
    verify_report(report, scheme(), srs())
}

/// Checks that a rank that changes a message is named, by the coordinator and by whoever has its report alone; returns the report.
fn check_named(
    (rank, deviation): (usize, Deviation),
    at: usize,
    change: impl Fn(&mut Vec<u8>) + Send + Sync,
) -> Report {
    let (error, report) = ended(rank, at, change);
    let named = matches!(error, Error::Deviation { rank: r, deviation: d } if (r, d) == (rank, deviation));
    assert!(named, "{at}: {error}");
    let report = report.expect("a report");
    let verdict = verified(&report).expect("a report that holds");
    let key = SigningKey::from_bytes(&[rank as u8 + 1; 32]).public();
    assert_eq!((verdict.rank, verdict.deviation, verdict.key), (rank, deviation, key), "{at}");
    Report::from_json(&report).expect("a report")
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
            check_named((rank, Deviation::Fragments), step::COMMITMENTS, change);
        }
        for at in step::FIRST_COMBINATION..=step::LAST_COMBINATION {
            check_named((rank, Deviation::Fragments), at, other_entry);
        }
        for at in step::QUOTIENTS {
            check_named((rank, Deviation::Quotients), at, other_point);
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
        check_named((3, Deviation::Encoding), at, outside);
    }
    check_named((3, Deviation::Encoding), step::FIRST_COMBINATION, |bytes| bytes[..32].fill(255));
    for at in [step::COMMITMENTS, step::FIRST_COMBINATION, step::QUOTIENTS[1]] {
        let (error, report) = ended(3, at, |bytes| bytes.truncate(47));
        assert_eq!((error.rank(), report), (Some(3), None), "{error}");
        assert!(matches!(error, Error::Comm(crate::comm::CommError::Length { .. })));
    }
}

/// A report is what the accused has signed, about these parameters and this setup.
#[test]
fn a_report_of_anything_else_than_was_signed_is_refused() {
    let other_entry = |bytes: &mut Vec<u8>| bytes[3 * 32] ^= 1;
    let other_point = |bytes: &mut Vec<u8>| bytes[..48].copy_from_slice(&encode_g1(&G1::generator()));
    let fragments = check_named((1, Deviation::Fragments), step::LAST_COMBINATION, other_entry);
    let quotients = check_named((1, Deviation::Quotients), step::QUOTIENTS[0], other_point);
    let refused = |bytes: &[u8], reason: &str| {
        let error = verified(bytes).expect_err(reason);
        assert!(error.to_string().contains(reason), "{error} where {reason}");
    };
    for report in [&fragments, &quotients] {
        let refused_with =
            |change: &dyn Fn(&mut Report), reason| refused(&report.clone().with(change), reason);
        // Everything that is signed: questions, weights, the entries that were given, answers.
        for (i, statement) in report.statements.iter().enumerate() {
            for message in 0..statement.asked.len() {
                refused_with(&|r| r.statements[i].asked[message].0[0] ^= 1, "signature");
            }
            refused_with(&|r| r.statements[i].block.0[1] ^= 1, "signature");
        }
        refused_with(&|r| r.job.name.0[0] ^= 1, "signature");
        refused_with(&|r| r.job.parameters.0[0] ^= 1, "other parameters");
        refused_with(&|r| r.job.scheme = "pip".into(), "another scheme");
        refused_with(&|r| drop(r.job.ranks.pop()), "power of two");
        refused_with(&|r| r.job.ranks = vec![r.job.ranks[1].clone(); 16], "no division");
        refused_with(&|r| r.slices.push(Default::default()), "slices");
        refused_with(&|r| r.statements.clear(), "contradict");
        refused_with(&|r| r.deviation = Deviation::Encoding, "contradict");
        refused_with(&|r| (r.accused, r.key) = (2, r.job.ranks[2].key.clone()), "signature");
    }
    // Signed answers of two jobs do not go together, and half of a contradiction is none.
    let mixed = fragments.clone().with(|r| r.statements[1] = quotients.statements[0].clone());
    refused(&mixed, "signature");
    refused(&fragments.clone().with(|r| drop(r.statements.pop())), "contradict");
    refused(&fragments.clone().with(|r| r.statements.swap(0, 1)), "contradict");
    // Against another setup an honest rank's answers are wrong too.
    let other = MultilinearSrs::insecure_from_point(&[Scalar::from_u64(5).0; OWN]);
    let found = verify_report(&fragments.to_json(), scheme(), &other);
    assert_eq!(found, Err(Invalid("the setup is another than the scheme's")));
    let of_a_matrix = report::verify_report::<Prime, Goldilocks, Goldilocks2>(&quotients.to_json(), None);
    assert_eq!(of_a_matrix, Err(Invalid("the job's parameters are none")));
}

/// A coordinator that charges an honest rank with all that it has signed: the signatures hold, and nothing contradicts anything.
#[test]
fn no_report_of_an_honest_rank_verifies() {
    let (scheme, srs) = (scheme(), srs());
    let results = run_on(connect(4, 500), |comm| {
        let rank = Member::join_as(identity(comm.rank()), scheme, srs, Box::new(comm), deadlines(10_000))?;
        let fragments = rank.fragments_of(&polynomials())?;
        if !rank.coordinates() {
            return rank.serve(&fragments).map(|_| Vec::new());
        }
        let coordinator = rank.coordinate(fragments)?;
        let claims = Claims { forms: forms(), values: Vec::new(), context: Vec::new() };
        open_held(scheme, coordinator.commitment(), &coordinator, claims)?;
        let reports = coordinator.charges(1);
        coordinator.finish()?;
        Ok::<_, Error>(reports)
    });
    let reports: Vec<Vec<u8>> =
        results.into_iter().flat_map(|result| result.expect("an honest rank")).collect();
    // Four combinations, and two parts of quotients.
    assert_eq!(reports.len(), 6);
    for report in reports {
        let refused = verified(&report).expect_err("an honest rank");
        assert!(refused.to_string().contains("contradict"), "{refused}");
    }
}

#[test]
fn ranks_without_a_fragment_or_an_entry_are_refused() {
    for (result, _) in job(16, None) {
        assert!(matches!(result.map(drop), Err(Error::Unsupported(_))));
    }
    let comm = connect(1, 500).pop().expect("a rank");
    let (scheme, srs) = (scheme(), srs());
    let rank = Member::join(scheme, srs, Box::new(comm), deadlines(10_000)).expect("alone");
    assert!(matches!(rank.fragments_of(&polynomials()[..1]), Err(Error::Input(_))));
    let comm = connect(1, 500).pop().expect("a rank");
    let other = MultilinearSrs::insecure_from_point(&[Scalar::from_u64(5).0; OWN]);
    let joined = Member::join(scheme, &other, Box::new(comm), deadlines(10_000));
    assert!(matches!(joined.map(drop), Err(Error::Unsupported(_))));
}

/// After an error there is no further answer.
#[test]
fn a_coordinator_that_failed_has_ended() {
    let (scheme, srs) = (scheme(), srs());
    let results = run_on(connect(2, 500), |comm| {
        let rank = Member::join(scheme, srs, Box::new(comm), deadlines(200))?;
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
