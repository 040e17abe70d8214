//! `tenfold cluster` and `fleet` by ranks that are processes under `mpirun`.

use super::bench::{Bench, Ran};
use super::cluster::{COLUMN, PROVE, same};
use crate::json::check;
use launcher::Job;
use std::process::Command;
use std::time::Duration;

#[path = "mpi_failures.rs"]
mod failures;
#[path = "../../../cluster/tests/launcher/mod.rs"]
mod launcher;
#[cfg(unix)]
#[path = "mpi_recipes.rs"]
mod recipes;
#[cfg(unix)]
#[path = "mpi_retry.rs"]
mod retry;

/// The time of a job, which takes a second or two.
const JOB: Duration = Duration::from_secs(60);

/// The command with these arguments, to be started as so many ranks.
fn ranks(bench: &Bench, count: usize, args: &[&str]) -> Command {
    let mut command = launcher::ranks(count);
    command.current_dir(bench.path("")).arg(env!("CARGO_BIN_EXE_tenfold")).args(args);
    command
}

/// Runs the command as so many ranks.
fn run(bench: &Bench, count: usize, args: &[&str]) -> Ran {
    Job::start(ranks(bench, count, args)).end(JOB).into()
}

/// A table with the columns `price` and `w`.
fn table() -> Bench {
    let rows: String = (0..300).map(|i| format!("{}.5,{i}\n", i * 7 - 600)).collect();
    Bench::new(&format!("price,w\n{rows}"))
}

/// One object on stdout, that of the first rank.
#[track_caller]
fn value(ran: &Ran) -> serde_json::Value {
    ran.is(0, &[]);
    ran.value()
}

#[test]
fn processes_are_examined_before_a_job() {
    if !launcher::is_there() {
        return;
    }
    let bench = table();
    let found = value(&run(&bench, 2, &["cluster", "doctor", "--json"]));
    check("cluster doctor", &found);
    assert_eq!((found["ranks"].as_array().unwrap().len(), &found["problems"]), (2, &serde_json::json!([])));
}

/// Of a file, of which the first rank gives the others their columns, and of shards, of which each reads its own: the files of threads and of one machine.
#[test]
fn processes_write_the_files_of_one_machine() {
    if !launcher::is_there() {
        return;
    }
    let bench = table();
    let what = ["--row", "2", "--sum"];
    bench.ok(&[&["commit", "data.csv", "--parts", "4", "-o", "c"], &COLUMN[..]].concat());
    bench.ok(&[&["open", "data.csv", "-c", "price", "--commitment", "c", "-o", "p"], &what[..]].concat());
    let threads = ["--ranks", "4", "-o", "pt", "--commitment", "ct"];
    bench.ok(&[&PROVE[..], &COLUMN, &what, &threads].concat());
    same(&bench, [["c", "ct"], ["p", "pt"]]);
    let file = [&PROVE[..], &COLUMN, &what, &["--parts", "4", "-o", "pf", "--commitment", "cf", "--json"]];
    let proved = value(&run(&bench, 2, &file.concat()));
    check("cluster prove", &proved);
    assert_eq!(proved["ranks"], 2, "{proved}");
    same(&bench, [["c", "cf"], ["p", "pf"]]);
    bench.ok(&[&["cluster", "shard", "data.csv", "--ranks", "4", "-d", "shards"], &COLUMN[..]].concat());
    let shards =
        ["cluster", "prove", "--shards", "shards", "--bits", "100", "-o", "ps", "--commitment", "cs"];
    run(&bench, 4, &[&shards[..], &what].concat())
        .is(0, &["proved: row 2 of price is -586.5", "by 4 rank(s)"]);
    same(&bench, [["c", "cs"], ["p", "ps"]]);
}

/// The table of threads, of the numbers of ranks that there are. A wall time stands where each rank has a core.
#[test]
fn processes_are_measured() {
    if !launcher::is_there() {
        return;
    }
    let bench = table();
    let measure = ["cluster", "bench", "--log-size", "10", "--bits", "100"];
    let measured = value(&run(&bench, 2, &[&measure[..], &["--json"]].concat()));
    check("cluster bench", &measured);
    let ranks: Vec<_> = measured["cases"].as_array().unwrap().iter().map(|case| &case["ranks"]).collect();
    assert!(measured["processes"] == true && ranks == [1, 2], "{measured}");
    let shown = run(&bench, 2, &[&measure[..], &["--ranks", "2,4", "--html", "page.html"]].concat());
    shown.is(0, &[]);
    let says = ["ranks: processes that compute at once", "10 Gbit/s, modelled", "one machine, one thread"];
    assert!(says.iter().all(|text| shown.out.contains(text)), "{shown:?}");
    let page = String::from_utf8(bench.read("page.html")).unwrap();
    assert!(page.contains("of processes that compute at once"));
    run(&bench, 2, &[&measure[..], &["--ranks", "4"]].concat())
        .is(2, &["the launcher started 2 rank(s), and no number of --ranks is as small", "hint: start more"]);
}

#[test]
fn processes_prove_a_weighted_sum() {
    if !launcher::is_there() {
        return;
    }
    let bench = table();
    let weights = ["--weights", "data.csv", "--weights-column", "w"];
    bench.ok(&[&["commit", "data.csv", "--parts", "2", "-o", "c"], &COLUMN[..]].concat());
    bench.ok(&[&["open", "data.csv", "-c", "price", "--commitment", "c", "-o", "p"], &weights[..]].concat());
    let out = ["-o", "p2", "--commitment", "c2"];
    run(&bench, 2, &[&PROVE[..], &COLUMN, &weights, &out].concat())
        .is(0, &["rows of price weighted by w is"]);
    same(&bench, [["c", "c2"], ["p", "p2"]]);
}

/// No two commitments that hide are the same: one machine with the data and the secret opens this one, or would refuse.
#[test]
fn processes_hide_and_one_machine_opens_the_rest() {
    if !launcher::is_there() {
        return;
    }
    let bench = table();
    let hide = ["--hiding", "2", "--row", "2", "-o", "p", "--commitment", "c", "--json"];
    let proved = value(&run(&bench, 2, &[&PROVE[..], &COLUMN, &hide].concat()));
    assert_eq!((&proved["openings_left"], &proved["secret"]), (&1.into(), &"c.secret".into()), "{proved}");
    let open = ["open", "data.csv", "-c", "price", "--commitment", "c", "--secret", "c.secret", "--row", "3"];
    bench.ok(&[&open[..], &["-o", "p1"]].concat());
    for (proof, said) in [("p", "row 2 of price is -586.5"), ("p1", "row 3 of price is -579.5")] {
        let verified = bench.ok(&["verify", proof, "--commitment", "c"]);
        assert!(verified.err.contains(said), "{verified:?}");
    }
}

/// A worker each of whose jobs is one of MPI: the proof is that of one machine with the same parts.
#[cfg(feature = "fleet")]
#[test]
fn a_worker_proves_by_processes() {
    if !launcher::is_there() {
        return;
    }
    let bench = table();
    let queue = ["--queue", "q"];
    let submit = ["fleet", "submit", "data.csv", "--parts", "2", "--row", "3"];
    let job = bench.json(&[&submit[..], &COLUMN, &queue].concat());
    let launcher = format!("{} -n 2", launcher::mpirun());
    let mut worker = Command::new(env!("CARGO_BIN_EXE_tenfold"));
    worker.current_dir(bench.path("")).envs(launcher::SURROUNDINGS);
    worker.args(["fleet", "worker", "--until-empty", "--json", "--queue", "q", "--launcher", &launcher]);
    let worked = value(&Job::start(worker).end(JOB).into());
    assert_eq!((&worked["done"], &worked["failed"]), (&1.into(), &0.into()), "{worked}");
    let job = job["job"].as_str().unwrap();
    bench.ok(&[&["fleet", "status", job, "-o", "p", "--commitment", "c"], &queue[..]].concat());
    bench.ok(&[&["commit", "data.csv", "--parts", "2", "-o", "c1"], &COLUMN[..]].concat());
    bench.ok(&["open", "data.csv", "-c", "price", "--commitment", "c1", "--row", "3", "-o", "p1"]);
    same(&bench, [["c", "c1"], ["p", "p1"]]);
}

/// A job that ranks do not prove waits for a worker without a launcher, and costs no attempt.
#[cfg(feature = "fleet")]
#[test]
fn a_product_waits_for_a_worker_without_processes() {
    if !launcher::is_there() {
        return;
    }
    let bench = table();
    let submit = ["fleet", "submit", "data.csv", "--queue", "q", "--field", "goldilocks"];
    bench.json(&[&submit[..], &["--product", "price", "price"], &COLUMN].concat());
    let launcher = format!("{} -n 2", launcher::mpirun());
    let mut worker = Command::new(env!("CARGO_BIN_EXE_tenfold"));
    worker.current_dir(bench.path("")).envs(launcher::SURROUNDINGS);
    worker.args(["fleet", "worker", "--until-empty", "--json", "--queue", "q", "--launcher", &launcher]);
    let worked = value(&Job::start(worker).end(JOB).into());
    assert_eq!((&worked["failed"], &worked["not_understood"]), (&0.into(), &1.into()), "{worked}");
    let worked = bench.json(&["fleet", "worker", "--queue", "q", "--until-empty"]);
    assert_eq!((&worked["done"], &worked["failed"]), (&1.into(), &0.into()), "{worked}");
}
