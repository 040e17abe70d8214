//! The laws of communication, on threads; the [`battery`] holds for every back end.

use super::battery::battery;
use super::threads::{Threads, connect, run_on};
use super::*;

const LONG: Duration = Duration::from_secs(30);
const SHORT: Duration = Duration::from_millis(50);

#[test]
fn collectives_give_everyone_its_blocks_whatever_the_chunks() {
    for (size, chunk) in [(1, 4), (2, 1), (3, 4), (5, MAX_CHUNK)] {
        run_on(connect(size, chunk), |mut comm: Threads| battery(&mut comm));
    }
}

/// The errors of all ranks in one step that every rank takes part in but one.
fn without<T: Send>(
    absent: impl Fn(Threads) -> T + Sync,
    step: impl Fn(&mut Threads) -> Result<(), CommError> + Sync,
) {
    let results = run_on(connect(4, 3), |mut comm: Threads| {
        if comm.rank() == 2 {
            absent(comm);
            return None;
        }
        Some(step(&mut comm))
    });
    let found: Vec<_> = results.into_iter().flatten().collect();
    assert!(found.iter().any(Result::is_err), "{found:?}");
    for error in found.into_iter().filter_map(Result::err) {
        assert_eq!(error.rank(), Some(2), "{error}");
    }
}

fn gather(comm: &mut Threads) -> Result<(), CommError> {
    comm.gather(0, &[1; 7], SHORT).map(drop)
}

fn exchange(comm: &mut Threads) -> Result<(), CommError> {
    let mut places = [0; 28];
    let result = comm.all_to_all(&[1; 28], &mut places, SHORT);
    // What the others sent is there nevertheless.
    assert_eq!((places[0], places[27]), (1, 1));
    result
}

#[test]
fn a_rank_that_has_ended_is_named() {
    without(drop, gather);
    without(drop, exchange);
}

#[test]
fn a_rank_that_sends_nothing_is_named_after_the_deadline() {
    let silent = |comm: Threads| {
        std::thread::sleep(8 * SHORT);
        drop(comm);
    };
    without(silent, gather);
    without(silent, exchange);
}

#[test]
fn a_message_of_another_length_is_an_error_that_names_its_rank() {
    // Also with whole chunks more or fewer than expected.
    for length in [0, 1, 4, 5, 6, 8, 10, 13, 100] {
        let sends = move |mut comm: Threads| {
            let bytes = vec![1; length];
            let outgoing = [0, 1, 3].map(|to| Outgoing { to, bytes: &bytes });
            // The others may have ended.
            let _ = comm.exchange(&outgoing, &mut [], SHORT);
            std::thread::sleep(2 * SHORT);
        };
        without(sends, exchange);
    }
}

/// A message after the deadline is not read as the one behind it, be they equally long or not.
#[test]
fn a_late_message_is_not_read_as_the_next_one() {
    for late in [1, 3, 7, 9] {
        let results = run_on(connect(2, 3), |mut comm: Threads| {
            if comm.rank() == 1 {
                std::thread::sleep(4 * SHORT);
                for message in [vec![1; late], vec![2; 7]] {
                    comm.exchange(&[Outgoing { to: 0, bytes: &message }], &mut [], SHORT).unwrap();
                }
                return Vec::new();
            }
            let (mut first, mut second) = (vec![0; late], vec![0; 7]);
            let missed = comm.exchange(&[], &mut [Incoming { from: 1, bytes: &mut first }], SHORT);
            assert_eq!(missed, Err(CommError::Deadline { rank: 1, within: SHORT }));
            comm.exchange(&[], &mut [Incoming { from: 1, bytes: &mut second }], LONG).unwrap();
            second
        });
        assert_eq!(results[0], [2; 7]);
    }
}

#[test]
fn messages_of_whole_chunks_more_or_fewer_name_their_rank_and_not_the_next() {
    for (length, expected) in [(6, 3), (3, 6), (0, 3), (3, 0)] {
        run_on(connect(2, 3), |mut comm: Threads| {
            if comm.rank() == 1 {
                for message in [vec![1; length], vec![2; 7]] {
                    comm.exchange(&[Outgoing { to: 0, bytes: &message }], &mut [], SHORT).unwrap();
                }
                return;
            }
            let (mut first, mut second) = (vec![0; expected], vec![0; 7]);
            let error = comm.exchange(&[], &mut [Incoming { from: 1, bytes: &mut first }], LONG);
            assert_eq!(error, Err(CommError::Length { rank: 1, expected, found: length }));
            comm.exchange(&[], &mut [Incoming { from: 1, bytes: &mut second }], LONG).unwrap();
            assert_eq!(second, [2; 7]);
        });
    }
}

#[test]
fn a_program_that_panics_ends_its_rank_and_the_run() {
    let program = |mut comm: Threads| {
        assert!(comm.rank() != 1, "a bug");
        comm.gather(0, &[1], LONG).map(drop)
    };
    let run = || run_on(connect(3, 8), program);
    assert!(std::panic::catch_unwind(run).is_err());
}

#[test]
fn a_deadline_is_shown_in_milliseconds() {
    for (nanos, shown) in [(9_999_994_299, "10s"), (300_000_000, "300ms"), (1_234_400_000, "1.234s")] {
        let error = CommError::Deadline { rank: 1, within: Duration::from_nanos(nanos) };
        assert_eq!(error.to_string(), format!("rank 1 did not answer within {shown}"));
    }
    let error = CommError::Deadline { rank: 1, within: Duration::MAX };
    assert!(error.to_string().starts_with("rank 1 did not answer within 18446744073709551615"));
}
