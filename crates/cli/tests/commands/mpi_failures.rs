//! Jobs under MPI that end without a proof: in bounded time, with an exit code, an error that names who is to blame, and no partial files.

use super::{COLUMN, Job, PROVE, launcher, ranks, run, table};
use crate::bench::{Bench, Ran};
use crate::crash::leftovers;
use std::io::Write;
use std::time::{Duration, Instant};

/// The most time until a job has ended that lost a rank, with a step of one second.
const ENDS: Duration = Duration::from_secs(20);

/// The arguments of a job whose entries come through a pipe, which the first rank reads: all ranks wait until they are written.
#[cfg(target_os = "linux")]
const PIPED: [&str; 9] = ["cluster", "prove", "pipe", "--row", "2", "-o", "p", "--commitment", "c"];

/// A variable that tells the ranks of one test from all other processes.
const MARK: &str = "TENFOLD_TEST_JOB";

/// Four ranks that wait for their entries.
#[cfg(target_os = "linux")]
struct Waiting {
    job: Job,
    mark: String,
    entries: Option<std::fs::File>,
}

#[cfg(target_os = "linux")]
impl Waiting {
    fn start(bench: &Bench) -> Self {
        use std::os::unix::fs::OpenOptionsExt;
        const O_NONBLOCK: i32 = 0o4000;
        let mark = bench.path("").display().to_string();
        bench.shell("mkfifo pipe").is(0, &[]);
        let mut command = ranks(bench, 4, &[&PIPED[..], &COLUMN, &["--step", "1s", "--json"]].concat());
        command.env(MARK, &mark);
        let job = Job::start(command);
        // A pipe without a reader is refused. Its reader has found the other ranks, and what they still do to find it takes no time.
        let begun = Instant::now();
        let entries = loop {
            let opened =
                std::fs::OpenOptions::new().write(true).custom_flags(O_NONBLOCK).open(bench.path("pipe"));
            match opened {
                Ok(entries) => break entries,
                Err(e) => assert!(begun.elapsed() < super::JOB, "the first rank reads the pipe: {e}"),
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        std::thread::sleep(Duration::from_millis(300));
        Self { job, mark, entries: Some(entries) }
    }

    /// Sends a rank a signal.
    fn signal(&self, rank: usize, name: &str) {
        launcher::signal(name, process(&self.mark, rank).expect("a rank that waits"));
    }

    /// The end of the job: all ranks are gone, and nothing is left of a proof.
    fn end(self, bench: &Bench) -> Ran {
        let ran = Ran::from(self.job.end(ENDS));
        assert!((0..4).all(|rank| process(&self.mark, rank).is_none()), "ranks are left: {ran:?}");
        left_nothing(bench);
        ran
    }
}

/// The process of a rank, if there is one.
fn process(mark: &str, rank: usize) -> Option<u32> {
    let numbered = ["OMPI_COMM_WORLD_RANK", "PMI_RANK"].map(|name| format!("{name}={rank}"));
    let mark = format!("{MARK}={mark}");
    let processes = std::fs::read_dir("/proc").unwrap();
    let mut processes = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    processes.find(|process| {
        let variables = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        let has = |text: &str| variables.split(|&byte| byte == 0).any(|one| one == text.as_bytes());
        has(&mark) && numbered.iter().any(|text| has(text))
    })
}

#[track_caller]
fn left_nothing(bench: &Bench) {
    assert!(["p", "c"].iter().all(|name| !bench.path(name).exists()), "files of a job that failed");
    assert_eq!(leftovers(bench), Vec::<Vec<u8>>::new());
}

/// The failure of a command with `--json`: one object, whichever of the ranks wrote it.
#[track_caller]
fn failed(ran: &Ran, code: i32, says: &[&str]) {
    ran.shown().is(code, says);
    let value = ran.value();
    assert_eq!(value["exit"], code, "{value}");
    assert!(ran.err.contains(value["error"].as_str().unwrap()), "{ran:?}");
    assert!(value["hint"].is_string() && ran.err.contains("hint: "), "{ran:?}");
}

/// A launcher ends the others with a rank that is killed, says which it was, and ends by a code of its own.
#[cfg(target_os = "linux")]
#[test]
fn a_rank_that_is_killed_ends_the_job() {
    if !launcher::is_there() {
        return;
    }
    let bench = table();
    let waiting = Waiting::start(&bench);
    waiting.signal(2, "KILL");
    let ran = waiting.end(&bench);
    ran.shown();
    assert!(ran.code() != Some(0) && !ran.out.contains("claims"), "{ran:?}");
    // Open MPI's words, and MPICH's.
    assert!(ran.err.contains("process rank 2") || ran.out.contains("KILLED BY SIGNAL: 9"), "{ran:?}");
}

/// A rank that does not answer is named at the deadline, by the exit code that docs/commands.md has, with a hint and one object of JSON.
#[cfg(target_os = "linux")]
#[test]
fn a_rank_that_stops_is_named_at_the_deadline() {
    if !launcher::is_there() {
        return;
    }
    let bench = table();
    let mut waiting = Waiting::start(&bench);
    waiting.signal(2, "STOP");
    let mut entries = waiting.entries.take().unwrap();
    entries.write_all(&bench.read("data.csv")).unwrap();
    drop(entries);
    let named = "rank 0 ends the job: rank 2 did not answer within 2s";
    failed(&waiting.end(&bench), 5, &[named, "hint: if it was only slow", "run it again without that rank"]);
}

/// MPI waits for a rank that does not start, and for ever: the others end the job.
#[cfg(unix)]
#[test]
fn a_rank_that_does_not_start_ends_the_job() {
    if !launcher::is_there() {
        return;
    }
    let line = "case ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} in 1) exec sleep 100;; esac; exec $TENFOLD cluster doctor --step 1s --json";
    let mut command = launcher::ranks(2);
    command.env("TENFOLD", env!("CARGO_BIN_EXE_tenfold")).args(["sh", "-c", line]);
    let ran = Ran::from(Job::start(command).end(ENDS));
    failed(&ran, 5, &["a rank ends the job: the ranks have not found each other within 5s", "--step"]);
}

/// One that all ranks find, and one that a rank which does not coordinate finds alone.
#[test]
fn a_failure_keeps_its_code_hint_and_object() {
    if !launcher::is_there() {
        return;
    }
    let bench = table();
    let out = ["--row", "2", "-o", "p", "--commitment", "c", "--json"];
    let three = run(&bench, 3, &[&PROVE[..], &COLUMN, &["--parts", "4"], &out].concat());
    failed(&three, 2, &["rank 0 ends the job: the number of ranks is a power of two, and not 3"]);
    bench.ok(&[&["cluster", "shard", "data.csv", "--ranks", "2", "-d", "shards"], &COLUMN[..]].concat());
    let mut shard = bench.read("shards/1.shard");
    *shard.last_mut().unwrap() ^= 1;
    bench.write("shards/1.shard", &shard);
    let shards = ["cluster", "prove", "--shards", "shards", "--bits", "100"];
    let damaged = run(&bench, 2, &[&shards[..], &out].concat());
    failed(&damaged, 2, &["rank 1 ends the job: shard 1 was changed", "make the shards again"]);
    // The place of a report of its own is looked at before there is one: evidence of an earlier job stays.
    bench.write("p.blame.rank1", b"evidence");
    let there = run(&bench, 2, &[&PROVE[..], &COLUMN, &out].concat());
    failed(&there, 2, &["rank 1 ends the job: p.blame.rank1 is already there", "--report"]);
    assert_eq!(bench.read("p.blame.rank1"), b"evidence");
    left_nothing(&bench);
}

/// The launcher of another MPI starts ranks that do not find each other: none of them proves alone.
#[test]
fn a_launcher_of_another_mpi_is_refused() {
    let bench = table();
    let out = ["--row", "2", "-o", "p", "--commitment", "c"];
    let prove = [&PROVE[..], &COLUMN, &out].concat();
    let commands = [&["cluster", "doctor"][..], &prove, &["fleet", "run"]];
    let variables = [("OMPI_COMM_WORLD_SIZE", "2"), ("PMI_SIZE", "4"), ("SLURM_STEP_NUM_TASKS", "3")];
    for (command, (variable, count)) in commands.iter().flat_map(|c| variables.map(|v| (c, v))) {
        let mut alone = std::process::Command::new(env!("CARGO_BIN_EXE_tenfold"));
        alone.current_dir(bench.path("")).env(variable, count).args(*command).arg("--json");
        let ran = Ran::from(alone.output().unwrap());
        let says = format!("started {count} ranks ({variable}), of which ");
        failed(&ran, 2, &["are of two MPIs: ", &says, " finds 1\n", "hint: take the launcher"]);
    }
    left_nothing(&bench);
    // A shell, and the one task of a step, are no ranks: this process proves, by threads.
    for variables in
        [&[("SLURM_STEP_NUM_TASKS", "1")][..], &[("SLURM_STEP_NUM_TASKS", "4"), ("SLURM_PTY_PORT", "1")]]
    {
        let mut alone = std::process::Command::new(env!("CARGO_BIN_EXE_tenfold"));
        alone.current_dir(bench.path("")).envs(variables.iter().copied()).args(&prove).args(["--ranks", "2"]);
        Ran::from(alone.output().unwrap()).is(0, &["by 2 rank(s)"]);
    }
}
