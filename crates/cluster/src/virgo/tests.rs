//! Openings by several ranks: the bytes of one machine, and ranks that send what is no answer.

use super::*;
use crate::comm::threads::{connect, run_on};
use crate::tests::{Deviating, deadlines};
use field::{Field, Goldilocks, Goldilocks2};
use iop::security::{Policy, Regime};
use pcs::fields::Fields;
use pcs::virgo::{Params, Virgo};

type Devirgo = Scheme<Goldilocks, Goldilocks2>;

const LOG_SIZE: u32 = 9;

fn scheme(regime: Regime) -> Devirgo {
    let params = Params {
        own: Virgo,
        fields: Fields::Goldilocks2,
        hash: iop::hash::Hash::Blake3,
        regime,
        log_size: LOG_SIZE,
        log_columns: 2,
        log_inv_rate: 2,
        queries: 12,
        grinding: 3,
        log_final: 0,
    };
    Scheme::new(params, &Policy::at_least(0)).expect("parameters in range")
}

fn entries() -> Vec<Goldilocks> {
    (0..1u64 << LOG_SIZE).map(|i| Goldilocks::from_u64(i * i + 7)).collect()
}

fn form() -> TensorForm<Goldilocks2> {
    TensorForm::powers(Goldilocks2::from_u64(77), LOG_SIZE as usize)
}

/// What a rank changes of the message of a step.
type Change<'a> = dyn Fn(usize, &mut Vec<u8>) + Send + Sync + 'a;

/// The results of all ranks of a job with one that deviates.
fn job(
    scheme: &Devirgo,
    ranks: usize,
    change: Option<(usize, &Change<'_>)>,
) -> Vec<Result<Option<Opened<Goldilocks2>>, Error>> {
    let change_all = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        change.iter().for_each(|(_, change)| change(step, bytes));
    };
    let deviating = |comm: crate::comm::threads::Threads| {
        let deviant = change.is_some_and(|(rank, _)| rank == comm.rank());
        Deviating::new(comm, deviant.then_some(&change_all))
    };
    run_on(connect(ranks, 500).into_iter().map(deviating).collect(), |comm| {
        let rank = Member::join(scheme, Box::new(comm), deadlines(2_000))?;
        let columns = rank.columns_of(&entries());
        rank.run(columns, &form(), b"ranks")
    })
}

#[test]
fn any_number_of_ranks_writes_the_bytes_of_one_machine() {
    for regime in [Regime::UniqueDecoding, Regime::Johnson { multiplicity: 8 }] {
        let scheme = scheme(regime);
        let mut prover = Prover::new(&scheme);
        let witness = prover.commit(entries());
        let (claims, proof) = prover.open(&witness, vec![form()], b"ranks");
        for ranks in [1, 2, 4] {
            let results = job(&scheme, ranks, None);
            assert!(results.iter().all(Result::is_ok), "{ranks} ranks");
            let opened = results.into_iter().next().unwrap().unwrap().expect("the coordinator's result");
            assert_eq!((&opened.commitment, &opened.claims), (witness.commitment(), &claims));
            assert!(opened.proof == proof, "{ranks} ranks write other bytes");
            // Twice the rows of everyone else's positions: of fragments, and of quotients over a field of degree two.
            let word = (8u64 << (LOG_SIZE + 2)) / ranks as u64;
            let others = word / ranks as u64 * (ranks as u64 - 1);
            let sent = opened.meters.0.iter().map(|meter| meter.of(Phase::Digests).sent);
            assert!(sent.eq((0..ranks).map(|_| others + 2 * others)), "{ranks} ranks");
        }
    }
}

#[test]
fn a_number_of_ranks_that_does_not_divide_the_fragments_is_refused() {
    let results = job(&scheme(Regime::UniqueDecoding), 8, None);
    assert!(results.into_iter().all(|result| matches!(result, Err(Error::Unsupported(_)))));
}

/// Elements that are not canonical name their rank; anything else that is wrong ends the job without a proof.
#[test]
fn a_rank_that_deviates_gets_no_proof() {
    let scheme = scheme(Regime::UniqueDecoding);
    let steps = core::sync::atomic::AtomicUsize::new(0);
    let count = |step: usize, _: &mut Vec<u8>| {
        steps.fetch_max(step + 1, core::sync::atomic::Ordering::Relaxed);
    };
    assert!(job(&scheme, 2, Some((1, &count))).iter().all(Result::is_ok));
    let steps = steps.into_inner();
    assert!(steps > 6);
    let mut encodings = 0;
    // The last message is what the rank's costs were, which nothing checks.
    for wrong in 0..steps - 1 {
        let change = |step: usize, bytes: &mut Vec<u8>| {
            if step == wrong && !bytes.is_empty() {
                let end = bytes.len().min(16);
                bytes[..end].fill(0xff);
            }
        };
        let results = job(&scheme, 2, Some((1, &change)));
        let coordinator = results.into_iter().next().unwrap();
        let error = coordinator.expect_err("no proof");
        encodings +=
            usize::from(matches!(error, Error::Deviation { rank: 1, deviation: Deviation::Encoding }));
    }
    // Rows of both words, values, the combination, opened rows of both.
    assert!(encodings >= 5, "{encodings}");
}
