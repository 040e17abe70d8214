//! Tests of the program on files: inputs, files of others and results lose nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tenfold-bench")).args(args).current_dir(folder).output().unwrap()
}

/// A folder with results of commitments and of ring proofs in it.
fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    for name in ["table-20-100.json", "ring.json"] {
        fs::copy(results.join(name), folder.path().join(name)).unwrap();
    }
    let path = folder.path().to_owned();
    (folder, path)
}

/// Refused with the code of a command that cannot be used, and every file is as it was.
#[track_caller]
fn assert_refused(folder: &Path, args: &[&str], says: &str) {
    let files = || {
        let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
        files.sort();
        files.into_iter().map(|path| (fs::read(&path).unwrap(), path)).collect::<Vec<_>>()
    };
    let before = files();
    let output = run(folder, args);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
    assert!(stderr.contains(says), "{args:?}: {stderr}");
    assert!(files() == before, "{args:?} changed a file");
}

/// A disk without room for the help that was asked for.
#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    for args in [&["--help"][..], &["table", "--help"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tenfold-bench"));
        assert_eq!(command.args(args).stdout(full).status().unwrap().code(), Some(4), "{args:?}");
    }
}

/// Sizes that nothing is measured at are arguments that cannot be used, and no verdict on a proof.
#[test]
fn sizes_out_of_range_are_refused() {
    let (_kept, folder) = folder();
    for command in ["table", "binary", "model", "air"] {
        for size in ["41", "64", "4294967295"] {
            assert_refused(&folder, &[command, "--log-size", size], "0..=40");
        }
    }
    for (command, says) in [("model", "less data than one entry"), ("air", "more variables than there are")] {
        assert_refused(&folder, &[command, "--log-size", "0"], says);
    }
    assert_refused(&folder, &["air", "--level", "l2"], "no level `l2`");
}

#[test]
fn a_page_is_written_and_never_over_its_input_or_a_file_of_others() {
    let (_kept, folder) = folder();
    fs::write(folder.join("mine.html"), "<p>mine</p>").unwrap();
    assert_refused(
        &folder,
        &["page", "table-20-100.json", "-o", "table-20-100.json"],
        "an input of this command",
    );
    let forced = ["page", "table-20-100.json", "-o", "table-20-100.json", "--force"];
    assert_refused(&folder, &forced, "an input of this command");
    fs::hard_link(folder.join("table-20-100.json"), folder.join("second.json")).unwrap();
    assert_refused(&folder, &["page", "table-20-100.json", "-o", "second.json"], "an input of this command");
    assert_refused(&folder, &["page", "table-20-100.json", "-o", "mine.html"], "already there");
    assert_refused(&folder, &["page", "table-20-100.json", "-o", "ring.json"], "results of a benchmark");

    for replaced in [false, true] {
        let output = run(&folder, &["page", "table-20-100.json"]);
        assert!(output.status.success(), "{replaced}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(fs::read_to_string(folder.join("bench.html")).unwrap().starts_with("<!DOCTYPE html>"));
    }
    let output = run(&folder, &["page", "table-20-100.json", "-o", "mine.html", "--force"]);
    assert!(output.status.success());
    let output = run(&folder, &["page", "ring.json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(fs::read_to_string(folder.join("bench.html")).unwrap().contains("w3f-ring-proof"));
}

#[test]
fn a_file_that_is_no_result_has_no_page_and_says_why() {
    let (_kept, folder) = folder();
    fs::write(folder.join("empty.json"), "").unwrap();
    fs::write(folder.join("other.json"), "[1, 2]").unwrap();
    assert_refused(&folder, &["page", "table-20-100.json", "ring.json"], "some of ring proofs");
    assert_refused(&folder, &["page", "empty.json"], "no results of a benchmark");
    assert_refused(&folder, &["page", "other.json"], "no results of a benchmark");
}

/// Places are claimed before anything is measured: these commands would take minutes otherwise.
#[test]
fn results_replace_results_alone_and_go_where_they_are_asked_for() {
    let (_kept, folder) = folder();
    fs::write(folder.join("mine.json"), "{\"mine\": 1}").unwrap();
    for command in ["binary", "table", "peer", "ring"] {
        assert_refused(&folder, &[command, "--out", "mine.json"], "already there");
        let output = run(&folder, &[command, "--out", "absent/a.json"]);
        assert_eq!(output.status.code(), Some(4), "{command}: no folder of that name");
    }
    assert_refused(&folder, &["binary", "--out", "a", "--html", "a"], "at once");

    let table = [
        "table",
        "--log-size",
        "12",
        "--field",
        "koala-bear",
        "--ours-only",
        "--rounds",
        "1",
        "--threads",
        "1",
    ];
    let output = run(&folder, &[&table[..], &["--out", "a.json", "--html", "a.html"]].concat());
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(stdout.contains("(chosen when run), peers on"), "{stdout}");
    assert!(run(&folder, &["page", "a.json", "-o", "a.html"]).status.success());
    // Without a name there is no place for results here.
    let output = run(&folder, &table);
    assert!(String::from_utf8_lossy(&output.stderr).contains("not saved"));
    assert!(!folder.join("crates").exists());
    // With the folder of a checkout there is.
    let results = folder.join("crates/bench/results");
    fs::create_dir_all(&results).unwrap();
    assert!(run(&folder, &table).status.success());
    assert!(results.join("table-12-100-kept.json").is_file());
}

#[test]
fn an_instruction_set_that_cannot_be_followed_is_refused() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tenfold-bench"));
    let output = command.args(["table", "--no-save"]).env("TENFOLD_CPU", "fast").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("TENFOLD_CPU"));
}

/// Results are read to their end, and no further than results go.
#[test]
fn endless_results_are_not_read() {
    let (_kept, folder) = folder();
    assert_refused(&folder, &["page", "/dev/zero"], "/dev/zero is longer than 16 MiB");
    fs::File::create(folder.join("long.json")).unwrap().set_len(1 << 40).unwrap();
    let output = run(&folder, &["page", "long.json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("long.json is longer than 16 MiB"));
}

#[test]
fn arguments_that_cannot_be_used_are_no_failed_measurement() {
    let (_kept, folder) = folder();
    for command in ["table", "binary", "peer"] {
        assert_refused(&folder, &[command, "--no-save", "--threads", "0"], "--threads");
        assert_refused(&folder, &[command, "--no-save", "--threads", "1,0"], "--threads");
    }
    for command in ["table", "binary", "peer", "ring", "air", "kzg", "groth16", "model"] {
        assert_refused(&folder, &[command, "--rounds", "0"], "--rounds");
    }
    let nothing = ["table", "--no-save", "--ours-only", "--log-size", "40", "--field", "koala-bear"];
    assert_refused(&folder, &nothing, "there is nothing to measure");
    assert_refused(&folder, &["peer", "--no-save", "--log-size", "4"], "leave no rows");
    assert_refused(&folder, &["peer", "--no-save", "--field", "bn254"], "koala-bear and goldilocks only");
    assert_refused(&folder, &["kzg", "--log-size", "40"], "fewer than 2^24");
    assert_refused(&folder, &["groth16", "--log-size", "30"], "2^20 constraints");
}

/// Whoever reads the messages or the table may go away: the measurement ends as it would.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_panic() {
    let (_kept, folder) = folder();
    let table = "table --log-size 10 --field koala-bear --ours-only --rounds 1 --threads 1 --out a.json";
    for (streams, name) in [("2>&1 >/dev/null", "messages"), ("2>/dev/null", "table"), ("2>&1", "both")] {
        // The pipe has no reader from before the first line on.
        let bench = format!("sleep 0.3; \"$BENCH\" {table} {streams}; echo $? >{name}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{{ {bench}; }} | true; while [ ! -s {name} ]; do sleep 0.1; done")]);
        shell.current_dir(&folder).env("BENCH", env!("CARGO_BIN_EXE_tenfold-bench"));
        assert!(shell.status().unwrap().success());
        assert_eq!(fs::read_to_string(folder.join(name)).unwrap().trim(), "0", "{name}");
    }
}
