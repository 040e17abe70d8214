//! Ranks that fail, or were started wrongly, end the job in bounded time with a message that names them.

use super::*;
use crate::meter::thread_cpu;
use std::sync::Mutex;
use std::time::Instant;

/// A rank that leaves out one message to everyone.
fn silent(silent: usize) {
    let change = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        if step == silent {
            bytes.clear();
        }
    };
    let start = Instant::now();
    let (result, others) = job(&pip(), 3, &change, 1_000);
    let error = result.err().expect("no answer");
    assert!(matches!(error, Error::Comm(CommError::Deadline { rank: 3, .. })), "{silent}: {error}");
    show(&error);
    // The others end too, and name nobody else.
    for (rank, other) in (1..).zip(&others).filter(|&(rank, _)| rank != 3) {
        let error = other.as_ref().expect_err("no proof");
        assert!([None, Some(3)].contains(&error.rank()), "{silent}: rank {rank}: {error}");
    }
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_rank_that_says_nothing_is_named_after_the_deadline() {
    use step::{COLUMNS, DIGESTS, HELLO, ROWS, STATEMENT, VALUES};
    std::thread::scope(|scope| {
        for step in [HELLO, DIGESTS, STATEMENT, VALUES, COLUMNS, ROWS] {
            scope.spawn(move || silent(step));
        }
    });
}

/// Each message a tenth of a second late: some ten times what the rank computes for it.
#[test]
fn a_straggler_within_the_deadline_is_waited_for_and_changes_nothing() {
    let late = |_: usize, _: usize, _: &mut Vec<u8>| std::thread::sleep(Duration::from_millis(100));
    let scheme = pip();
    let honest = job(&scheme, 4, &|_, _, _| {}, 20_000).0.expect("a proof");
    let (result, others) = job(&scheme, 1, &late, 20_000);
    let outcome = result.expect("a proof");
    assert!(outcome.proof == honest.proof && outcome.disputes.is_empty());
    show("a rank whose messages come a tenth of a second late is waited for, and the proof is the same");
    assert!(others.iter().all(Result::is_ok), "{others:?}");
}

#[test]
fn a_rank_that_dies_is_named() {
    let scheme = pip();
    let entries = entries::<Goldilocks>(scheme.params());
    // Before the commitment; and between that and the opening, for which the coordinator waits.
    for committed in [false, true] {
        let start = Instant::now();
        let results = run_on(connect(4, CHUNK), |comm| {
            let mut rank = Member::join(&scheme, Box::new(comm), deadlines(5_000))?;
            let columns = rank.columns_of(&[&entries[0]])?;
            if rank.rank() == 1 {
                if committed {
                    rank.party.ready()?;
                    let share = crate::share::Share::new(rank.ownership, 1, columns, false);
                    crate::wire::Question::<Goldilocks2>::receive(&mut rank.party, 0)?;
                    crate::commit::Part::contribute(&mut rank.party, share)?;
                }
                return Ok(());
            }
            if rank.coordinates() {
                return opened(rank.coordinate(columns)?, scheme.params()).map(drop);
            }
            rank.serve(columns).map(drop)
        });
        let error = results[0].as_ref().expect_err("a rank is missing");
        assert!(matches!(error, Error::Comm(CommError::Gone { rank: 1 })), "{error}");
        show(error);
        assert!(results[1].is_ok() && results[2].is_err() && results[3].is_err());
        assert!(start.elapsed() < Duration::from_secs(20));
    }
}

#[test]
fn a_coordinator_that_dies_or_is_silent_ends_the_others() {
    let scheme = pip();
    let entries = entries::<Goldilocks>(scheme.params());
    for silent in [false, true] {
        let results = run_on(connect(2, CHUNK), |comm| {
            let step = Duration::from_millis(200);
            let short = Deadlines { step, idle: 8 * step };
            let rank = Member::join(&scheme, Box::new(comm), short)?;
            let columns = rank.columns_of(&[&entries[0]])?;
            if rank.coordinates() {
                let coordinator = rank.coordinate(columns)?;
                std::thread::sleep(Duration::from_millis(if silent { 2_400 } else { 0 }));
                drop(coordinator);
                return Ok(());
            }
            rank.serve(columns).map(drop)
        });
        show(results[1].as_ref().expect_err("no question"));
        match results[1].as_ref().expect_err("no question") {
            Error::Comm(CommError::Deadline { rank: 0, .. }) => assert!(silent),
            Error::Stopped { culprit: None, .. } => assert!(!silent),
            other => panic!("{other}"),
        }
    }
}

/// One that fails while it reads its entries, say.
#[test]
fn a_coordinator_that_fails_before_the_commitment_says_so() {
    let plain = Params { max_forms: 1, ..params(Fields::Goldilocks2, Regime::UniqueDecoding, recursion()) };
    for (hidden_openings, scatters) in [(0, false), (1, false), (0, true)] {
        let scheme = scheme::<Prime, Goldilocks, Goldilocks2>(&Params { hidden_openings, ..plain.clone() });
        let entries = entries::<Goldilocks>(scheme.params());
        let results = run_on(connect(4, CHUNK), |comm| {
            let mut rank = Member::join(&scheme, Box::new(comm), deadlines(5_000))?;
            if rank.coordinates() {
                return rank.read_columns(&[][..]).map(drop);
            }
            let columns = if scatters { rank.scatter(&[])? } else { rank.columns_of(&[&entries[0]])? };
            rank.serve(columns).map(drop)
        });
        assert!(matches!(results[0], Err(Error::Input(_))), "{results:?}");
        let stopped =
            |result: &Result<(), Error>| matches!(result, Err(Error::Stopped { culprit: None, .. }));
        assert!(results[1..].iter().all(stopped), "{hidden_openings} {scatters}: {results:?}");
        show(results[1].as_ref().expect_err("the end"));
    }
}

/// How long a rank was ready to wait for one other rank, by both.
type Waits = Mutex<Vec<(usize, usize, Duration)>>;

/// A rank whose waits for one rank alone are on record.
struct Recording<'a> {
    comm: Deviating<'a>,
    waits: &'a Waits,
}

impl Comm for Recording<'_> {
    as_its_own!();

    fn before_signing(&mut self, answer: &mut Vec<u8>) {
        self.comm.before_signing(answer);
    }

    fn exchange(
        &mut self,
        outgoing: &[Outgoing<'_>],
        incoming: &mut [Incoming<'_>],
        within: Duration,
    ) -> Result<(), CommError> {
        if let [incoming] = incoming {
            self.waits.lock().expect("no panic").push((self.rank(), incoming.from, within));
        }
        self.comm.exchange(outgoing, incoming, within)
    }
}

/// A rank whose communication computes, as one that spins while it waits.
struct Spinning<'a> {
    comm: Threads,
    spent: &'a Mutex<Duration>,
}

impl Comm for Spinning<'_> {
    as_its_own!();

    fn exchange(
        &mut self,
        outgoing: &[Outgoing<'_>],
        incoming: &mut [Incoming<'_>],
        within: Duration,
    ) -> Result<(), CommError> {
        let start = thread_cpu();
        if self.rank() == 0 {
            while thread_cpu() < start + Duration::from_millis(20) {}
            *self.spent.lock().expect("no panic") += Duration::from_millis(20);
        }
        self.comm.exchange(outgoing, incoming, within)
    }
}

#[test]
fn communication_is_no_work_of_the_coordinator() {
    let spent = Mutex::default();
    let ranks = connect(2, CHUNK).into_iter().map(|comm| Spinning { comm, spent: &spent }).collect();
    let meters = job_of(&pip(), ranks, 20_000).0.expect("a proof").meters;
    let (own, spent) = (meters.0[0].total().cpu, spent.into_inner().expect("no panic"));
    // The proof itself takes a small part of that.
    assert!(
        spent > Duration::from_millis(200) && u128::from(own) < spent.as_nanos() / 2,
        "{own} ns of {spent:?}"
    );
}

/// Each party of a relay waits a step longer than whom it waits for may wait itself.
#[test]
fn parties_of_a_relay_wait_two_three_and_four_steps() {
    let step = Duration::from_secs(20);
    let change = |at: usize, to: usize, bytes: &mut Vec<u8>| {
        if at == step::DIGESTS && to == 1 {
            bytes[0] ^= 1;
        }
    };
    let waits = Mutex::default();
    let ranks = deviating(2, &change).into_iter().map(|comm| Recording { comm, waits: &waits }).collect();
    let (result, ..) = job_of(&pip(), ranks, 20_000);
    assert_eq!(result.expect("a proof").disputes, [[2, 1]]);
    let mut waits = waits.into_inner().expect("no panic");
    // Answers that are read one after the other have what is left of two steps, and everyone has an idle time for questions.
    let idle = deadlines(20_000).idle;
    waits.retain(|&(_, _, within)| within > step && within < idle && within.subsec_nanos() == 0);
    waits.sort_unstable();
    assert_eq!(waits, [(0, 1, 4 * step), (0, 2, 2 * step), (1, 0, 3 * step)]);
}

/// The digests of one rank for another go by way of the coordinator; they come there just before the deadline.
#[test]
fn a_sender_of_a_relay_that_is_late_has_nobody_else_named() {
    let step = 1_000;
    let change = |at: usize, to: usize, bytes: &mut Vec<u8>| {
        if at == step::DIGESTS && to == 1 {
            bytes[0] ^= 1;
        }
        if at == step::RELAY {
            std::thread::sleep(Duration::from_millis(2 * step - 200));
        }
    };
    let (result, others) = job(&pip(), 2, &change, step);
    assert_eq!(result.expect("a proof").disputes, [[2, 1]]);
    assert!(others.iter().all(Result::is_ok), "{others:?}");
}

#[test]
fn deadlines_are_refused_if_a_dispute_of_others_may_outlast_them() {
    let join = |step, idle| {
        let [comm] = connect(1, CHUNK).try_into().expect("one rank");
        Member::join(&pip(), Box::new(comm), Deadlines { step, idle }).map(drop)
    };
    let second = Duration::from_secs(1);
    assert!(join(second, 8 * second).is_ok());
    let error = join(second, 7 * second).expect_err("a refusal");
    assert!(error.to_string().contains("less than 8 steps"), "{error}");
    // Nothing overflows.
    assert!(join(Duration::MAX, Duration::MAX).is_ok());
}

#[test]
fn other_parameters_are_found_by_every_rank_before_any_work() {
    let schemes = [12, 13].map(|queries| {
        let params = params(Fields::Goldilocks2, Regime::UniqueDecoding, recursion());
        let level = RoundParams { queries, ..params.level };
        scheme::<Prime, Goldilocks, Goldilocks2>(&Params { level, ..params })
    });
    let results = run_on(connect(4, CHUNK), |comm| {
        let scheme = &schemes[usize::from(comm.rank() == 3)];
        Member::join(scheme, Box::new(comm), deadlines(5_000)).map(drop)
    });
    assert!(results.iter().all(|result| matches!(result, Err(Error::Parameters { rank: 3 }))), "{results:?}");
    show(results[0].as_ref().expect_err("other parameters"));
}

#[test]
fn another_program_is_found_by_every_rank() {
    let change = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        if step == step::HELLO {
            bytes[0] ^= 1;
        }
    };
    let (result, others) = job(&pip(), 1, &change, 5_000);
    let error = result.err().expect("another program");
    assert!(matches!(error, Error::Version { rank: 1 }));
    show(error);
    assert!(others.iter().all(|other| matches!(other, Err(Error::Version { rank: 1 }))));
}

/// What is refused when a rank joins.
fn refused(params: &Params, ranks: usize) -> String {
    let scheme = scheme::<Prime, Goldilocks, Goldilocks2>(params);
    let join = |comm| Member::join(&scheme, Box::new(comm), deadlines(5_000)).err().expect("a refusal");
    let errors = run_on(connect(ranks, CHUNK), |comm| join(comm).to_string());
    assert!(errors.iter().all(|error| *error == errors[0]));
    show(&errors[0]);
    errors[0].clone()
}

#[test]
fn what_the_cluster_does_not_serve_is_refused_with_the_reason() {
    let plain = params(Fields::Goldilocks2, Regime::UniqueDecoding, recursion());
    assert!(refused(&plain, 3).contains("power of two"));
    assert!(refused(&Params { log_parts: 1, ..plain.clone() }, 4).contains("4 ranks for leaves of 2 parts"));
    assert!(refused(&Params { hidden_openings: 1, log_parts: 0, ..plain }, 1).contains("leaves of parts"));
}

#[test]
fn entries_of_another_number_or_encoding_are_refused() {
    let scheme = pip();
    let [comm] = connect(1, CHUNK).try_into().expect("one rank");
    let mut rank = Member::join(&scheme, Box::new(comm), deadlines(5_000)).expect("a job of one");
    let entries = entries::<Goldilocks>(scheme.params()).concat();
    let mut bytes = vec![0; 8 << 10];
    field::Field::write_slice(&entries, &mut bytes);
    assert_eq!(rank.read_columns(&bytes[..]).ok(), Some(entries.clone()));
    let message = |result: Result<Vec<Goldilocks>, Error>| {
        let message = result.expect_err("refused").to_string();
        show(&message);
        message
    };
    assert!(message(rank.read_columns(&bytes[1..])).contains("could not be read"));
    assert!(message(rank.read_columns(&[&bytes[..], &[0]].concat()[..])).contains("more entries"));
    bytes[80..88].fill(255);
    assert!(message(rank.read_columns(&bytes[..])).contains("not canonical"));
    assert!(message(rank.columns_of(&[&entries[1..]])).contains("1023 entries"));
    assert!(message(rank.columns_of(&[&entries, &entries])).contains("2 polynomials"));
    assert!(message(rank.scatter(&[&entries[1..]])).contains("1023 entries"));
}

/// A question that is longer than any about these parameters is refused before there is room for it, and one with more positions than an opening has before a row is
/// read.
#[test]
fn a_question_of_more_positions_than_an_opening_has_is_refused() {
    let ask = |queries: u32, positions: usize| {
        let params = params(Fields::Goldilocks2, Regime::UniqueDecoding, recursion());
        let level = RoundParams { queries, ..params.level };
        let scheme = scheme::<Prime, Goldilocks, Goldilocks2>(&Params { level, max_forms: 1, ..params });
        let entries = entries::<Goldilocks>(scheme.params());
        let results = run_on(connect(2, CHUNK), |comm| {
            let mut rank = Member::join(&scheme, Box::new(comm), deadlines(5_000))?;
            let columns = rank.columns_of(&[&entries[0]])?;
            if !rank.coordinates() {
                return rank.serve(columns).map(drop);
            }
            let share = rank.share(columns, None)?;
            let agreed = crate::commit::Agreed::coordinate::<Goldilocks2>(&mut rank.party, share)?;
            let positions: Vec<usize> = (0..positions).collect();
            crate::wire::Question::<Goldilocks2>::Rows(positions.clone()).ask(&mut rank.party)?;
            crate::worker::rows(&mut rank.party, &agreed.part, &positions).map(drop)
        });
        results[1].as_ref().expect_err("the coordinator ends").to_string()
    };
    for (queries, more) in [(12, "more positions than an opening has"), (200, "longer than any question")] {
        let answered = ask(queries, queries as usize);
        assert!(!answered.contains("no question"), "{answered}");
        let refused = ask(queries, queries as usize + 1);
        assert!(refused.contains(more), "{refused}");
    }
}

/// Ranks that know no keys are told by a coordinator that does.
#[test]
fn a_coordinator_that_refuses_a_key_says_so() {
    let scheme = pip();
    let keys = [1, 2, 3, 4].map(|seed| Key::from_bytes(&[seed; 32]));
    let results = run_on(connect(4, CHUNK), |comm| {
        let number = comm.rank();
        let identity = match number {
            0 => Identity::new(keys[0].clone(), b"").expecting(keys.iter().map(Key::public).collect()),
            2 => Identity::default(),
            _ => Identity::new(keys[number].clone(), b""),
        };
        let rank = Member::join_as(identity, &scheme, Box::new(comm), deadlines(5_000))?;
        let columns = rank.columns_of(&[&entries::<Goldilocks>(scheme.params())[0]])?;
        rank.serve(columns).map(drop)
    });
    assert!(matches!(results[0], Err(Error::Key { rank: 2 })), "{results:?}");
    for other in &results[1..] {
        assert!(matches!(other, Err(Error::Stopped { culprit: Some(2), .. })), "{results:?}");
    }
}
