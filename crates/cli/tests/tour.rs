//! The first command of the README, and a reader of the output that goes away.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use assert_cmd::cargo::cargo_bin;

fn tenfold(directory: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(cargo_bin("tenfold"));
    command.current_dir(directory).args(args).output().expect("the command runs")
}

fn orders() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    let rows: String = (0..1000).map(|i| format!("{i},{}.{:02}\n", i * 7 - 300, i % 100)).collect();
    std::fs::write(directory.path().join("o.csv"), format!("id,price\n{rows}")).expect("a file");
    directory
}

#[test]
fn the_tour_is_one_screen_and_leaves_its_files() {
    let directory = orders();
    let at = |name: &str| directory.path().join("target/tour").join(name);
    let tour = tenfold(directory.path(), &["tour", "o.csv", "--column", "price"]);
    let out = String::from_utf8(tour.stdout).expect("text");
    assert!(tour.status.success() && out.lines().count() <= 26, "{out}");
    assert!(out.contains("valid: row 500 of price is 3200.00"), "{out}");
    let page = std::fs::read_to_string(at("compare.html")).expect("the page");
    assert!(page.starts_with("<!DOCTYPE html>") && !page.contains("http"));
    let (proof, commitment) = (at("column.proof"), at("column.commitment"));
    let paths = [proof, commitment].map(|p| p.to_string_lossy().into_owned());
    let verify = tenfold(directory.path(), &["verify", &paths[0], "--commitment", &paths[1]]);
    assert!(verify.status.success(), "{}", String::from_utf8_lossy(&verify.stderr));
}

#[test]
fn the_tour_speaks_json() {
    let directory = orders();
    let tour = tenfold(directory.path(), &["tour", "o.csv", "--column", "price", "--json"]);
    let value: serde_json::Value = serde_json::from_slice(&tour.stdout).expect("JSON and nothing else");
    assert_eq!(value["valid"], true);
    assert!(value["compare"].as_array().is_some_and(|rows| rows.len() > 1));
}

/// Bytes get the same story by the scheme that `commit` takes for them: one byte, and no sum, which has no meaning there.
#[test]
fn the_tour_takes_bytes() {
    let directory = orders();
    std::fs::write(directory.path().join("program"), b"\x7fELF\x02\x01\x01\0 and so on").expect("a file");
    let at = |name: &str| directory.path().join("target/tour").join(name);
    let tour = tenfold(directory.path(), &["tour", "program"]);
    let out = String::from_utf8(tour.stdout).expect("text");
    let err = String::from_utf8_lossy(&tour.stderr);
    assert!(tour.status.success() && out.lines().count() <= 30, "{out}{err}");
    assert!(out.contains("data    18 bytes of `program`, 12"), "{out}");
    assert!(out.contains("valid: byte 9 of program is 0x61 (97)") && !out.contains("sum"), "{out}");
    assert!(out.contains("Every scheme on these bytes") && out.contains("ligerito"), "{out}");
    let page = std::fs::read_to_string(at("compare.html")).expect("the page");
    assert!(page.starts_with("<!DOCTYPE html>"));
    let paths = ["file.proof", "file.commitment"].map(|p| at(p).to_string_lossy().into_owned());
    let verify = tenfold(directory.path(), &["verify", &paths[0], "--commitment", &paths[1]]);
    assert!(verify.status.success(), "{}", String::from_utf8_lossy(&verify.stderr));
    // The commitment is the one that `commit` makes.
    let commit = tenfold(directory.path(), &["commit", "program", "-o", "c"]);
    assert!(commit.status.success());
    let read = |path: &Path| std::fs::read(path).expect("a file");
    assert_eq!(read(&directory.path().join("c")), read(&at("file.commitment")));
    // Any file by its name, with rows and profiles of bytes; a column as ever.
    let small =
        ["tour", "o.csv", "--scheme", "ligerito", "--profile", "small", "--row", "3", "--json", "-d", "t"];
    let value: serde_json::Value =
        serde_json::from_slice(&tenfold(directory.path(), &small).stdout).expect("JSON");
    assert_eq!(value["claims"][0], "byte 3 of o.csv is 0x70 (112)");
    for refused in
        [&["tour", "program", "--row", "18"][..], &["tour", "program", "-c", "x", "--scheme", "ligerito"]]
    {
        let tour = tenfold(directory.path(), refused);
        assert_eq!(tour.status.code(), Some(2), "{refused:?}");
        assert!(String::from_utf8_lossy(&tour.stderr).contains("hint:"), "{refused:?}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let directory = orders();
    for args in [&["params"][..], &["compare", "o.csv", "-c", "id"], &["tour", "o.csv", "-c", "id"]] {
        let mut command = Command::new(cargo_bin("tenfold"));
        command.current_dir(directory.path()).args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !err.contains("panicked"), "{args:?}: {err}");
    }
}
