//! Every kind of wrong message is blamed on the rank that sent it, or repaired.

use super::*;
use crate::Deviation;
use crate::commit::slice_hash;
use std::sync::Mutex;

/// The rank that deviates, among four.
const DEVIANT: usize = 2;

/// Bytes of the rank of a complaint, and of a digest.
const COMPLAINT: usize = 8;
const DIGEST: usize = 32;

fn flip(bytes: &mut [u8], at: usize) {
    bytes[at] ^= 1;
}

/// The deviation that the coordinator names.
fn blamed(change: &Change<'_>) -> Deviation {
    blamed_in(&pip(), change)
}

fn blamed_in<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    scheme: &Scheme<F, B, E>,
    change: &Change<'_>,
) -> Deviation {
    let (deviation, report) = named(scheme, change);
    // Whoever has the report alone comes to the same.
    let report = report.expect("a report");
    let verdict = crate::report::verify_report::<F, B, E>(&report, None).expect("a report that holds");
    assert_eq!((verdict.rank, verdict.deviation), (DEVIANT, deviation));
    assert_eq!(verdict.key, Key::from_bytes(&[DEVIANT as u8 + 1; 32]).public());
    deviation
}

/// The deviation that the coordinator names, with its report.
fn named<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    scheme: &Scheme<F, B, E>,
    change: &Change<'_>,
) -> (Deviation, Option<Vec<u8>>) {
    let (result, others, report) = reported(scheme, DEVIANT, change, 20_000);
    named_alone(&others, DEVIANT);
    match result {
        Err(error @ Error::Deviation { rank: DEVIANT, deviation }) => {
            let attributed = if report.is_some() { "with a report" } else { "without a report" };
            show(format!("{error} ({attributed})"));
            (deviation, report)
        }
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("no deviation was seen"),
    }
}

/// Nobody is named but the deviant, by any rank; the others have been told of the end.
fn named_alone(others: &[Result<(), Error>], deviant: usize) {
    for (rank, result) in (1..).zip(others) {
        match result {
            Err(Error::Stopped { culprit, .. }) => assert!(culprit.is_none_or(|rank| rank == deviant)),
            Err(other) => panic!("rank {rank}: {other}"),
            Ok(()) => panic!("rank {rank} has not heard of the end"),
        }
        assert_eq!(result.as_ref().err().and_then(Error::rank), None);
    }
}

/// Who differed in a job whose commitment and proof are right nevertheless.
fn repaired(change: &Change<'_>, step: u64) -> Vec<[usize; 2]> {
    let scheme = pip();
    let honest = job(&scheme, DEVIANT, &|_, _, _| {}, step).0.expect("honest ranks");
    let outcome = job(&scheme, DEVIANT, change, step).0.expect("a proof");
    assert!(honest.commitment == outcome.commitment && honest.proof == outcome.proof);
    assert!(honest.disputes.is_empty());
    outcome.disputes
}

#[test]
fn digests_that_differ_from_the_stated_ones_are_replaced_by_these() {
    let one = |step: usize, to: usize, bytes: &mut Vec<u8>| {
        if step == step::DIGESTS && to == 1 {
            flip(bytes, 40);
        }
    };
    assert_eq!(repaired(&one, 20_000), [[DEVIANT, 1]]);
    let to_all = |step: usize, to: usize, bytes: &mut Vec<u8>| {
        if step == step::DIGESTS {
            flip(bytes, to);
        }
    };
    assert_eq!(repaired(&to_all, 20_000), [[DEVIANT, 0], [DEVIANT, 1], [DEVIANT, 3]]);
    let cut = |step: usize, to: usize, bytes: &mut Vec<u8>| {
        if step == step::DIGESTS && to == 3 {
            bytes.pop();
        }
    };
    assert_eq!(repaired(&cut, 20_000), [[DEVIANT, 3]]);
    let nothing = |step: usize, to: usize, bytes: &mut Vec<u8>| {
        if step == step::DIGESTS && to == 1 {
            bytes.clear();
        }
    };
    assert_eq!(repaired(&nothing, 1_000), [[DEVIANT, 1]]);
}

#[test]
fn digests_that_differ_from_the_stated_ones_twice_are_blamed() {
    let change = |step: usize, to: usize, bytes: &mut Vec<u8>| {
        if step == step::DIGESTS && to == 1 || step == step::RELAY {
            flip(bytes, 40);
        }
    };
    assert_eq!(blamed(&change), Deviation::Statement);
}

/// A receiver that states to have had other digests is given them once more.
#[test]
fn a_receiver_that_does_not_take_its_digests_is_blamed() {
    let received = COMPLAINT + DIGEST * 5;
    let once = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        if step == step::STATEMENT {
            flip(bytes, received);
        }
    };
    assert_eq!(repaired(&once, 20_000), [[0, DEVIANT]]);
    let twice = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        if step == step::STATEMENT || step == step::RELAY {
            flip(bytes, received);
        }
    };
    // Whether the coordinator gave it the digests is the coordinator's word against its own.
    assert_eq!(named(&pip(), &twice), (Deviation::Tree, None));
    let complaint = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        if step == step::STATEMENT {
            bytes[0] = 4;
        }
    };
    assert_eq!(repaired(&complaint, 20_000), [[3, DEVIANT]]);
    let of_nobody = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        if step == step::STATEMENT {
            bytes[0] = 5;
        }
    };
    assert_eq!(blamed(&of_nobody), Deviation::Answer);
    let other_hashes = |step: usize, _: usize, bytes: &mut Vec<u8>| match step {
        step::STATEMENT => flip(bytes, received),
        step::RELAY => flip(bytes, COMPLAINT + DIGEST),
        _ => {}
    };
    assert_eq!(blamed(&other_hashes), Deviation::Statement);
}

/// Digests of other rows, stated as they were sent.
fn consistent(step: usize, to: usize, bytes: &mut [u8], sent: &Mutex<Vec<(usize, Vec<u8>)>>) {
    let mut sent = sent.lock().expect("no panic");
    if step == step::DIGESTS {
        // Every digest, since few positions are looked at.
        bytes.chunks_exact_mut(DIGEST).for_each(|digest| flip(digest, 0));
        sent.push((to, bytes.to_vec()));
    }
    if step == step::STATEMENT {
        for (to, slice) in &*sent {
            let place = COMPLAINT + DIGEST * (1 + to);
            bytes[place..place + DIGEST].copy_from_slice(&slice_hash(Hash::Blake3, slice));
        }
    }
}

#[test]
fn digests_of_other_rows_are_blamed() {
    let sent = Mutex::new(Vec::new());
    let forgetful = |step: usize, to: usize, bytes: &mut Vec<u8>| consistent(step, to, bytes, &sent);
    assert_eq!(blamed(&forgetful), Deviation::Statement);
    let sent = Mutex::new(Vec::new());
    let steadfast = |step: usize, to: usize, bytes: &mut Vec<u8>| {
        consistent(step, to, bytes, &sent);
        // Its own slice never left it.
        if step >= step::SLICES && step != step::SLICES + DEVIANT {
            bytes.chunks_exact_mut(DIGEST).for_each(|digest| flip(digest, 0));
        }
    };
    assert_eq!(blamed(&steadfast), Deviation::Digests);
}

/// One changed byte of one message, where only one check tells whose it is.
#[test]
fn one_wrong_message_is_blamed() {
    let at = |wrong: usize, place: fn(usize) -> usize| {
        let change = move |step: usize, _: usize, bytes: &mut Vec<u8>| {
            if step == wrong {
                let place = place(bytes.len());
                flip(bytes, place);
            }
        };
        blamed(&change)
    };
    // The root in its statement; rows and the nodes behind them; values and sums.
    assert_eq!(at(step::STATEMENT, |_| COMPLAINT), Deviation::Tree);
    assert_eq!(at(step::ROWS, |_| 0), Deviation::Digests);
    assert_eq!(at(step::ROWS, |length| length - 40), Deviation::Siblings);
    // What is asked again is another answer then.
    assert_eq!(at(step::COLUMNS, |_| 16), Deviation::Statement);
    let change = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        if step == step::COLUMNS || step == step::COLUMNS_AGAIN {
            flip(bytes, 16);
        }
    };
    assert_eq!(blamed(&change), Deviation::Columns);
    assert_eq!(at(step::VALUES, |_| 0), Deviation::Values);
}

/// Outside unique decoding the first values are those of the commitment's own form.
#[test]
fn wrong_values_of_the_commitment_are_blamed_at_its_opening() {
    let scheme: Pip = scheme(&Params { max_forms: 1, ..params(Fields::Goldilocks2, JOHNSON, recursion()) });
    let change = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        if step == step::VALUES {
            flip(bytes, 0);
        }
    };
    assert_eq!(blamed_in(&scheme, &change), Deviation::Values);
}

/// Sums over the bits of packed entries are checked against a later combination of the columns.
#[test]
fn wrong_sums_over_bits_are_blamed() {
    let base = params(Fields::Gf128, Regime::UniqueDecoding, recursion());
    let params = Params { entries: Entries::Bits, max_forms: 1, ..base };
    let scheme = scheme::<pcs::matrix::Binary, field::Tower128, field::Gf128>(&params);
    for at in [0, 5000] {
        let change = |step: usize, _: usize, bytes: &mut Vec<u8>| {
            if step == step::VALUES {
                flip(bytes, at);
            }
        };
        assert_eq!(blamed_in(&scheme, &change), Deviation::Values, "{at}");
    }
    let none = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        if step == step::VALUES {
            // Behind the sums of a rank that has fewer columns than others are zeros.
            bytes.last_mut().into_iter().for_each(|byte| *byte ^= 1);
        }
    };
    let found = blamed_in(&scheme, &none);
    assert!(matches!(found, Deviation::Values | Deviation::Encoding), "{found:?}");
}

/// Random rows and masks are columns like others: their holder is bound to them, and whoever is honest passes every check.
#[test]
fn one_wrong_message_of_a_hiding_job_is_blamed() {
    let base = params(Fields::Goldilocks2, Regime::UniqueDecoding, recursion());
    let scheme: Pip = scheme(&Params { hidden_openings: 1, max_forms: 1, ..base });
    // One more message before the commitment: the digests of the data.
    for (wrong, deviation) in [
        (step::STATEMENT, Deviation::Tree),
        (step::VALUES, Deviation::Values),
        (step::COLUMNS, Deviation::Statement),
    ] {
        let change = |step: usize, _: usize, bytes: &mut Vec<u8>| {
            if step == wrong + 1 {
                flip(bytes, COMPLAINT);
            }
        };
        assert_eq!(blamed_in(&scheme, &change), deviation, "{wrong}");
    }
}

#[test]
fn bytes_that_are_no_elements_are_blamed() {
    for wrong in [step::VALUES, step::COLUMNS, step::ROWS] {
        let change = |step: usize, _: usize, bytes: &mut Vec<u8>| {
            if step == wrong {
                bytes[..8].fill(255);
            }
        };
        assert_eq!(blamed(&change), Deviation::Encoding, "{wrong}");
    }
}

#[test]
fn messages_of_another_length_are_blamed() {
    for wrong in [step::HELLO, step::STATEMENT, step::VALUES, step::COLUMNS, step::ROWS] {
        for longer in [true, false] {
            let change = |step: usize, _: usize, bytes: &mut Vec<u8>| {
                if step == wrong {
                    bytes.resize(if longer { bytes.len() + 1 } else { bytes.len() - 1 }, 0);
                }
            };
            let (result, others) = job(&pip(), DEVIANT, &change, 20_000);
            named_alone(&others, DEVIANT);
            let error = result.err().expect("a length");
            assert!(
                matches!(error, Error::Comm(CommError::Length { rank: DEVIANT, .. })),
                "{wrong}: {error}"
            );
        }
    }
}

/// Behind the nodes of ranks that have fewer than others there are zeros.
#[test]
fn bytes_behind_the_nodes_are_blamed() {
    let change = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        if step == step::ROWS {
            let last = bytes.len() - 1;
            flip(bytes, last);
        }
    };
    let named = (1..4).map(|deviant| match job(&pip(), deviant, &change, 20_000).0 {
        Err(Error::Deviation { rank, deviation }) if rank == deviant => deviation,
        _ => panic!("{deviant} is not named"),
    });
    let named: Vec<Deviation> = named.collect();
    // Whoever has most nodes has no padding.
    assert!(named.iter().all(|found| matches!(found, Deviation::Answer | Deviation::Siblings)), "{named:?}");
    assert!(named.contains(&Deviation::Answer), "{named:?}");
}

#[test]
fn a_coordinator_is_of_no_use_after_an_error_and_says_when_it_ends() {
    let scheme = pip();
    let entries = entries::<Goldilocks>(scheme.params());
    for late in [true, false] {
        let change = |step: usize, _: usize, bytes: &mut Vec<u8>| {
            if late && step == step::VALUES {
                std::thread::sleep(Duration::from_millis(1_500));
            }
            let _ = bytes;
        };
        let ranks = connect(2, CHUNK).into_iter();
        let ranks = ranks.map(|comm| {
            let change: Option<&Change<'_>> = (comm.rank() == 1).then_some(&change);
            Deviating::new(comm, change)
        });
        let results = run_on(ranks.collect(), |comm| {
            let rank = Member::join(&scheme, Box::new(comm), deadlines(500))?;
            let columns = rank.columns_of(&[&entries[0]])?;
            if !rank.coordinates() {
                return rank.serve(columns).map(drop);
            }
            let mut coordinator = rank.coordinate(columns)?;
            if late {
                let mut open = || coordinator.open(forms::<Goldilocks, Goldilocks2>(scheme.params()), b"");
                assert!(matches!(open(), Err(Error::Comm(CommError::Deadline { rank: 1, .. }))));
                std::thread::sleep(Duration::from_millis(1_000));
                assert!(matches!(open(), Err(Error::Ended)));
                assert!(matches!(coordinator.finish(), Err(Error::Ended)));
            }
            Ok(())
        });
        let culprit = late.then_some(1);
        assert!(
            matches!(results[1], Err(Error::Stopped { culprit: found, .. }) if found == culprit),
            "{results:?}"
        );
    }
}

#[test]
fn an_odd_coordinator_is_not_charged_to_another_rank() {
    let schemes = [12, 13].map(|queries| {
        let params = params(Fields::Goldilocks2, Regime::UniqueDecoding, recursion());
        let level = RoundParams { queries, ..params.level };
        scheme::<Prime, Goldilocks, Goldilocks2>(&Params { level, ..params })
    });
    for ranks in [2, 4] {
        let results = run_on(connect(ranks, CHUNK), |comm| {
            let scheme = &schemes[usize::from(comm.rank() == 0)];
            Member::join(scheme, Box::new(comm), deadlines(5_000)).map(drop)
        });
        assert!(results.iter().all(|result| match result {
            Err(Error::Differ { ranks: [0, 1], what: crate::Difference::Parameters }) => ranks == 2,
            Err(Error::Parameters { rank: 0 }) => ranks == 4,
            _ => false,
        }));
    }
}

#[test]
fn costs_that_ranks_report_do_not_overflow() {
    let meter = crate::meter::Meter::from_bytes(&[255; crate::meter::Meter::BYTES]).expect("numbers");
    let meters = Meters(vec![meter.clone(), meter]);
    assert_eq!(meters.critical_cpu(), u64::MAX);
    assert_eq!(meters.0[0].total().artifact_bytes(), u64::MAX);
    assert!(meters.to_string().contains("18446744073709551615"));
}

#[test]
fn zeros_behind_a_question_are_refused() {
    use crate::wire::Question;
    use field::Field;
    let form = TensorForm::<Goldilocks2>::sum(2);
    for question in [Question::Values(form.clone()), Question::Bits(form), Question::Bind(Goldilocks2::ONE)] {
        let (kind, payload) = (question.kind(), question.payload());
        assert_eq!(Question::parse(kind, &payload), Some(question));
        for zeros in [1, 8, 16] {
            let longer = [&payload[..], &vec![0; zeros]].concat();
            assert_eq!(Question::<Goldilocks2>::parse(kind, &longer), None, "{kind}");
        }
    }
}
