//! Signals that end a command half-way: what it has made and not finished is gone with it, and the shell sees the signal.

use super::bench::{Bench, FIVE};
use super::crash::{CALLS, can_trace, signalled_at};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};

/// The names in the folder, sorted, but for what the test itself writes there.
fn names(bench: &Bench) -> Vec<String> {
    let entries = std::fs::read_dir(bench.path("")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.filter(|name| name != "strace.log").collect();
    names.sort();
    names
}

/// Runs a command once for each call of a kind that changes the disk, with SIGTERM sent there; `check` sees whether it ended by itself.
fn at_every_call(bench: &Bench, args: &[&str], mut check: impl FnMut(&str, bool)) {
    if !can_trace(bench) {
        return;
    }
    let mut ended_by_it = 0;
    for call in CALLS {
        for n in 1.. {
            let run = signalled_at(bench, (call, n), "TERM", args).unwrap();
            // The tracer may fail as the command's threads end (its command has ended, too: it had the same pipe). How, nothing says then.
            let lost = run.status.code() == Some(1) && run.stderr.starts_with(b"strace: ");
            let code = run.status.code().filter(|_| !lost);
            let sent = lost || String::from_utf8_lossy(&bench.read("strace.log")).contains("SIGTERM");
            let signalled = sent && run.status.signal() == Some(15);
            assert!(lost || signalled || code == Some(0), "{call} {n}: {run:?}");
            check(&format!("{call} {n}"), code.is_some());
            ended_by_it += u32::from(signalled);
            if !sent {
                break;
            }
        }
    }
    assert!(ended_by_it > 0);
}

/// A commitment that hides is there with its secret or not at all.
#[test]
fn a_pair_is_whole_or_not_there_at_every_signal() {
    let bench = Bench::new(FIVE);
    let commit = ["commit", "data.csv", "-c", "price", "--hiding", "1", "-o", "c", "--quiet"];
    at_every_call(&bench, &commit, |at, ended| {
        let (found, all) = (names(&bench), ["c", "c.secret", "data.csv"]);
        assert!(found == all || !ended && found == ["data.csv"], "{at}: {found:?}");
        ["c", "c.secret"].iter().for_each(|name| drop(std::fs::remove_file(bench.path(name))));
    });
}

#[test]
fn a_result_is_old_or_new_at_every_signal_and_nothing_is_beside_it() {
    let bench = Bench::new(FIVE);
    let params = ["params", "--log-size", "12", "--bits", "128", "-o", "p.json", "--quiet"];
    bench.ok(&params);
    let new = bench.read("p.json");
    bench.write("p.json", b"");
    at_every_call(&bench, &params, |at, ended| {
        let found = bench.read("p.json");
        assert!(found == new || !ended && found.is_empty(), "{at}");
        assert_eq!(names(&bench), ["data.csv", "p.json"], "{at}");
        bench.write("p.json", b"");
    });
}

/// An opening that is counted has its proof.
#[test]
fn no_opening_is_lost_to_a_signal() {
    let bench = Bench::committed(FIVE, &["--hiding", "1"]);
    let secret = bench.read("data.commitment.secret");
    let used = |bytes: &[u8]| u32::from_le_bytes(bytes[74..][..4].try_into().unwrap());
    let open = ["open", "data.csv", "--commitment", "data.commitment", "--row", "0", "--quiet", "-o", "p"];
    let open = [&open[..], &["--secret", "data.commitment.secret", "--moved-secret"]].concat();
    at_every_call(&bench, &open, |at, ended| {
        let proven = bench.path("p").exists();
        assert!(proven || !ended, "{at}");
        assert_eq!(used(&bench.read("data.commitment.secret")), u32::from(proven), "{at}");
        let _ = std::fs::remove_file(bench.path("p"));
        assert_eq!(names(&bench), ["data.commitment", "data.commitment.secret", "data.csv"], "{at}");
        bench.write("data.commitment.secret", &secret);
    });
}

/// A command that has the lock of a commitment and waits for that of its witness, whatever signals this process ignores.
#[cfg(target_os = "linux")]
fn waiting(bench: &Bench, signals: &str) -> (Child, BufReader<std::process::ChildStderr>) {
    let mut command = Command::new("env");
    command.args([
        signals,
        env!("CARGO_BIN_EXE_tenfold"),
        "commit",
        "data.csv",
        "-c",
        "price",
        "--keep-witness",
    ]);
    let mut child =
        command.current_dir(bench.path("")).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut said, mut line) = (BufReader::new(child.stderr.take().unwrap()), String::new());
    while !line.contains("waiting for another process") {
        line.clear();
        assert!(said.read_line(&mut line).unwrap() > 0, "it has not waited");
    }
    assert!(bench.path("data.commitment.lock").exists());
    (child, said)
}

#[cfg(target_os = "linux")]
fn send(signal: &str, child: &Child) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_a_command_and_its_locks() {
    let bench = Bench::new(FIVE);
    let theirs = "data.commitment.witness.lock";
    let mut other = File::create(bench.path(theirs)).unwrap();
    other.write_all(b"tenfold lock\n").unwrap();
    other.lock().unwrap();
    for (signal, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        let (mut child, _said) = waiting(&bench, "--default-signal=INT,TERM,HUP");
        send(signal, &child);
        assert_eq!(child.wait().unwrap().signal(), Some(number));
        assert_eq!(names(&bench), [theirs, "data.csv"], "{signal}: the other's lock stays");
    }
    // What is to outlive its terminal does.
    let (mut child, _said) = waiting(&bench, "--ignore-signal=HUP");
    send("-HUP", &child);
    assert_eq!(child.try_wait().unwrap(), None);
    drop(other);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(names(&bench), ["data.commitment", "data.commitment.witness", "data.csv"]);
}
