//! Ranks whose storage is slow, and the hosts that messages name.

use super::*;
use crate::host::Hosts;
use pcs::matrix::Secret;
use std::sync::Mutex;
use std::time::Instant;

/// A job of four whose ranks read for some steps of a fifth of a second each; with the hosts that the coordinator knows.
fn read_for(scheme: &Pip, steps: [u32; 4], idle: u32) -> (Vec<Result<Vec<u8>, Error>>, Hosts) {
    let step = Duration::from_millis(200);
    let (entries, hosts) = (entries::<Goldilocks>(scheme.params()), Mutex::default());
    let results = run_on(connect(4, CHUNK), |comm| {
        let number = comm.rank();
        let identity = Identity::default().on_host(["alpha", "beta", "gamma", "delta"][number]);
        let records = identity.records();
        let terms = Deadlines { step, idle: idle * step };
        let run = || {
            let rank = Member::join_as(identity, scheme, Box::new(comm), terms)?;
            let columns = rank.columns_of(&[&entries[0]])?;
            std::thread::sleep(step * steps[number]);
            if !rank.coordinates() {
                return rank.serve(columns).map(|_| Vec::new());
            }
            let coordinator = match scheme.params().hidden_openings {
                0 => rank.coordinate(columns)?,
                _ => rank.coordinate_hiding(columns, Secret::from_seed(&[9; 32], 0))?,
            };
            opened(coordinator, scheme.params()).map(|outcome| outcome.proof)
        };
        let result = run();
        if number == 0 {
            *hosts.lock().unwrap() = records.hosts();
        }
        result
    });
    (results, hosts.into_inner().unwrap())
}

/// Reading takes no time of a step: neither of the coordinator, nor of a rank that others wait for.
#[test]
fn a_rank_that_reads_longer_than_a_step_is_waited_for() {
    let plain = Params { max_forms: 1, ..params(Fields::Goldilocks2, Regime::UniqueDecoding, recursion()) };
    std::thread::scope(|scope| {
        for hidden_openings in [0, 1] {
            let params = Params { hidden_openings, ..plain.clone() };
            scope.spawn(move || {
                let scheme = scheme::<Prime, Goldilocks, Goldilocks2>(&params);
                let [prompt, slow, all] =
                    [[0; 4], [0, 0, 5, 0], [12, 0, 15, 4]].map(|steps| read_for(&scheme, steps, 12).0);
                for results in [&slow, &all] {
                    assert!(results.iter().all(Result::is_ok), "{results:?}");
                    assert!(results[0].as_ref().ok() == prompt[0].as_ref().ok());
                }
            });
        }
    });
}

#[test]
fn a_rank_that_never_ends_reading_is_named_with_its_host() {
    let start = Instant::now();
    let (results, hosts) = read_for(&pip(), [0, 0, 0, 16], 8);
    let error = results[0].as_ref().expect_err("no columns");
    assert!(matches!(error, Error::Reading { rank: 3, .. }) && error.rank() == Some(3), "{error}");
    show(error);
    let text = hosts.name(&error.to_string());
    assert_eq!(text, "rank 3 (delta) did not finish reading its part of the data within 1.6s");
    for other in &results[1..3] {
        assert!(matches!(other, Err(Error::Stopped { culprit: Some(3), .. })), "{other:?}");
    }
    // A coordinator that never ends is named by the others.
    let (results, _) = read_for(&pip(), [16, 0, 0, 0], 8);
    for other in &results[1..] {
        assert!(matches!(other, Err(Error::Reading { rank: 0, .. })), "{other:?}");
    }
    assert!(start.elapsed() < Duration::from_secs(30));
}

/// Of whom is refused before any work the host is known, too.
#[test]
fn the_hosts_of_ranks_that_differ_are_known() {
    let scheme = pip();
    let said = run_on(connect(2, CHUNK), |comm| {
        let host = ["alpha", "be\x1b[31m ta\n"][comm.rank()];
        let identity = Identity::new(Key::generate(), &[comm.rank() as u8]).on_host(host);
        let records = identity.records();
        let refused = Member::join_as(identity, &scheme, Box::new(comm), deadlines(5_000)).err();
        records.hosts().name(&refused.expect("another job").to_string())
    });
    assert_eq!(said, ["ranks 0 (alpha) and 1 (be[31mta) were started for different jobs"; 2]);
}
