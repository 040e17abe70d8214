//! `scripts/cluster-retry`: a job under MPI that lost a host is run again without it, and one that names nobody is not.

use super::{COLUMN, JOB, Job, launcher, same, table};
use crate::bench::{Bench, Ran};
use std::process::Command;
use std::time::Instant;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/cluster-retry");

/// Runs the script with these hosts and this launcher, a script of `sh`.
fn retry(bench: &Bench, hosts: &str, launch: &str, command: &[&str]) -> Ran {
    bench.write("hosts", hosts.as_bytes());
    bench.write("launch", launch.as_bytes());
    let mut script = Command::new(SCRIPT);
    script.current_dir(bench.path("")).envs(launcher::SURROUNDINGS).env("MPIRUN", launcher::mpirun());
    script.envs([("LAUNCHER", "sh launch"), ("GRACE", "1")]).arg("hosts").args(command);
    Job::start(script).end(JOB).into()
}

/// Real ranks of this machine, on lines of the list: of `other` the shards are of other data, and on `killed` no process lives.
const LAUNCH: &str = r#"file=$2 count=$4; shift 4
exec $MPIRUN -n $count sh -c 'line=$((${OMPI_COMM_WORLD_RANK:-$PMI_RANK} + 1)); case $(sed -n ${line}p "$0") in
    other) cd elsewhere ;;
    killed) kill -9 $$ ;;
esac; exec "$@"' "$file" "$@"
"#;

#[test]
fn a_job_is_run_again_without_the_lost_hosts() {
    if !launcher::is_there() {
        return;
    }
    let bench = table();
    bench
        .write("more.csv", format!("{}7,7\n", String::from_utf8(bench.read("data.csv")).unwrap()).as_bytes());
    bench.shell("mkdir elsewhere").is(0, &[]);
    for (data, folder) in [("data.csv", "shards"), ("more.csv", "elsewhere/shards")] {
        bench.ok(&[&["cluster", "shard", data, "--ranks", "4", "-d", folder], &COLUMN[..]].concat());
    }
    bench.ok(&[&["commit", "data.csv", "--parts", "4", "-o", "c1"], &COLUMN[..]].concat());
    bench.ok(&["open", "data.csv", "-c", "price", "--commitment", "c1", "--row", "2", "-o", "p1"]);
    let program = env!("CARGO_BIN_EXE_tenfold");
    let prove = [program, "cluster", "prove", "--shards", "shards", "--bits", "100", "--row", "2"];
    let prove =
        [&prove[..], &["--step", "10s", "--job", "night.{run}", "-o", "p", "--commitment", "c"]].concat();
    // Four ranks, two of the three that are left, and what one machine makes.
    retry(&bench, "first # coordinates\n\nother\nthird\nfourth\n", LAUNCH, &prove).shown().is(
        0,
        &[
            "run 1: 4 rank(s) on first other third fourth\n",
            "rank 1 has a part of other data",
            "run 1 lost other (exit code 5); 3 host(s) left\nrun 2: 2 rank(s) on first third\n",
            "by 2 rank(s)",
        ],
    );
    same(&bench, [["c1", "c"], ["p1", "p"]]);
    // Open MPI names the rank of a process that was killed, MPICH its host, which is this machine and in no list of a test.
    let killed = retry(&bench, "killed\nlast\n", LAUNCH, &prove);
    if killed.err.contains("process rank 0") {
        killed.is(0, &["run 1 lost killed (exit code 137); 1 host(s) left\n", "by 1 rank(s)"]);
        same(&bench, [["c1", "c"], ["p1", "p"]]);
    }
}

/// A launcher that says this and ends by this code in the first run, and after it is well.
fn said(text: &str, code: i32) -> String {
    format!(
        "echo ran \"$@\"; [ -e again ] && exit 0; touch again\ncat <<'SAID' >&2\n{text}\nSAID\nexit {code}\n"
    )
}

#[test]
fn a_host_is_lost_by_what_ranks_and_launcher_say() {
    let hosts = "h0\nh1\nh2\nh3\nh4\n";
    let silent = "error: rank 0 ends the job: rank 2 (node2) did not answer within 60s\n  hint: rank 1";
    for (text, code, lost) in [
        (silent, 5, "h2"),
        ("error: rank 3 ends the job: rank 0 deviated: it did not sign its questions", 5, "h0"),
        ("mpirun noticed that process rank 1 with PID 7 on node vm exited on signal 9 (Killed).", 137, "h1"),
        ("prterun noticed that process rank 1 with PID 7 on node vm exited on signal 9.", 137, "h1"),
        ("=   PID 10 RUNNING AT h3\n=   EXIT CODE: 9", 9, "h3"),
        ("  HNP daemon   : [[7,0],0] on node h0\n  Remote daemon: [[7,0],1] on node h1", 205, "h1"),
        ("ssh: connect to host h2 port 22: No route to host\nORTE was unable to start", 1, "h2"),
        ("ssh: Could not resolve hostname h1: Name or service not known", 1, "h1"),
    ] {
        let bench = Bench::new("");
        let ran = retry(&bench, hosts, &said(text, code), &["program", "--job", "a.{run}"]);
        let says =
            [text, &format!("run 1 lost {lost} (exit code {code}); 4 host(s) left\nrun 2: 4 rank(s) on ")];
        ran.is(0, &says);
        assert!(
            ran.out.contains("-n 4 program --job a.1\n") && ran.out.ends_with("program --job a.2\n"),
            "{ran:?}"
        );
        assert!(!ran.err.rsplit("run 2: ").next().unwrap().contains(lost), "{ran:?}");
    }
    // Nobody is named, or another run would change nothing.
    for (text, code) in [
        ("error: a rank ends the job: the ranks have not found each other within 300s", 5),
        ("error: rank 0 ends the job: ranks 0 and 1 have parts of different data", 5),
        ("=   PID 10 RUNNING AT elsewhere", 9),
    ] {
        let ran = retry(&Bench::new(""), hosts, &said(text, code), &["program"]);
        ran.is(code, &[&format!("run 1 ended by exit code {code} and names no host of the list")]);
    }
    for code in [1, 2, 4] {
        let text = "error: rank 1 ends the job: rank 1 (node1): shard 1 was changed";
        let ran = retry(&Bench::new(""), hosts, &said(text, code), &["program"]);
        ran.is(code, &[text, "names no host of the list: it is not run again"]);
    }
    // The last host, and its own code.
    let ran = retry(
        &Bench::new(""),
        "h0\nh0\n",
        &said("error: rank 0 ends the job: rank 1 has ended", 5),
        &["program"],
    );
    ran.is(5, &["run 1 lost h0 (exit code 5); 0 host(s) left"]);
    retry(&Bench::new(""), "# none\n", "", &["program"]).is(2, &["hosts has no host", "hint: "]);
    retry(&Bench::new(""), hosts, "", &[]).is(2, &["a list of hosts and a command are needed", "hint: "]);
}

/// With a link down, ranks end and their launcher waits for those that it does not reach.
#[test]
fn a_launcher_that_does_not_end_is_ended() {
    let bench = Bench::new("");
    let text = "error: rank 0 ends the job: rank 1 (h1) did not answer within 60s";
    let launch = said(text, 5).replace("exit 5", "trap '' TERM; exec sleep 100");
    let begun = Instant::now();
    let ran = retry(&bench, "h0\nh1\n", &launch, &["program"]);
    ran.is(
        0,
        &[
            text,
            "run 1: the launcher did not end within 1 s of it, and was ended\nrun 1 lost h1 (exit code 5)",
        ],
    );
    assert!(begun.elapsed() < JOB / 2, "{:?}", begun.elapsed());
}

/// Evidence of a run is not lost to the next one's.
#[test]
fn a_blame_report_of_each_run_is_kept() {
    let bench = Bench::new("");
    let text = "blame report written to p.blame: `tenfold cluster verify-report` checks it\nerror: rank 0 ends the job: rank 1 deviated: it sent an answer that is none";
    let launch = said(text, 5).replacen("touch again", "touch again; echo evidence > p.blame", 1);
    retry(&bench, "h0\nh1\n", &launch, &["program"]).is(0, &["run 2: 1 rank(s) on h0"]);
    assert_eq!(bench.read("p.blame.run1"), b"evidence\n");
    assert!(!bench.path("p.blame").exists());
}
