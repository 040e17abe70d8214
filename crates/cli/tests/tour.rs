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
    assert!(tour.status.success() && out.lines().count() <= 29, "{out}");
    // Σ (7 i - 300 + (i mod 100)/100) over 1,000 rows, plain and with weights 1 to 8 that grow with the row.
    assert!(out.contains("valid: the sum of all 1,000 rows of price is 3196976.94"), "{out}");
    assert!(out.contains("rows of price weighted by tour_recency is 18980271.94"), "{out}");
    assert!(out.contains("one of 1,000 rows by a Merkle path: 320 B"), "{out}");
    let page = std::fs::read_to_string(at("compare.html")).expect("the page");
    assert!(page.starts_with("<!DOCTYPE html>") && !page.contains("http"));
    let names = ["column.proof", "column.commitment", "column.weighted.proof", "weights.csv"];
    let paths = names.map(|name| at(name).to_string_lossy().into_owned());
    let verify = tenfold(directory.path(), &["verify", &paths[0], "--commitment", &paths[1]]);
    assert!(verify.status.success(), "{}", String::from_utf8_lossy(&verify.stderr));
    let weighted = ["verify", &paths[2], "--commitment", &paths[1], "--weights", &paths[3]];
    let verify = tenfold(directory.path(), &weighted);
    assert!(verify.status.success(), "{}", String::from_utf8_lossy(&verify.stderr));
    // The tour replaces its own files.
    assert!(tenfold(directory.path(), &["tour", "o.csv", "--column", "price"]).status.success());
}

#[test]
fn the_tour_speaks_json() {
    let directory = orders();
    let tour = tenfold(directory.path(), &["tour", "o.csv", "--column", "price", "--json"]);
    let value: serde_json::Value = serde_json::from_slice(&tour.stdout).expect("JSON and nothing else");
    assert_eq!(value["valid"], true);
    assert!(value["cases"].as_array().is_some_and(|rows| rows.len() > 1));
    assert_eq!(value["claims"].as_array().map(Vec::len), Some(2));
    assert_eq!(value["baselines"]["merkle_path_bytes"], 320);
}

/// Weights of one's own, which may ask for a larger field, and a row.
#[test]
fn the_tour_takes_weights() {
    let directory = orders();
    let named = [
        "tour",
        "o.csv",
        "-c",
        "id",
        "--row",
        "3",
        "--weights",
        "o.csv",
        "--weights-column",
        "price",
        "--json",
    ];
    let tour = tenfold(directory.path(), &named);
    let value: serde_json::Value = serde_json::from_slice(&tour.stdout).expect("JSON");
    let claims: Vec<&str> =
        value["claims"].as_array().expect("claims").iter().filter_map(|claim| claim.as_str()).collect();
    assert_eq!(claims[0], "row 3 of id is 3");
    assert!(claims[1].starts_with("the sum of all 1,000 rows of id is 499500 modulo"), "{claims:?}");
    // Σ i (7 i - 300 + (i mod 100)/100)
    assert!(
        claims[2].starts_with("the sum of all 1,000 rows of id weighted by price is 2180239573.30 modulo"),
        "{claims:?}"
    );
    assert!(
        !directory.path().join("target/tour/weights.csv").exists(),
        "the weights are in the file that was named"
    );
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
    for refused in [
        &["tour", "program", "--row", "18"][..],
        &["tour", "program", "-c", "x", "--scheme", "ligerito"],
        &["tour", "program", "--weights", "o.csv"],
    ] {
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

/// At the levels above 128 bits every digest is wider; what the verifier assumes says so.
#[test]
fn the_tour_reaches_192_and_256_bits() {
    let directory = orders();
    std::fs::write(directory.path().join("program"), b"\x7fELF\x02\x01\x01\0 and so on").expect("a file");
    for (bits, width) in [("192", "384"), ("256", "512")] {
        let json = |args: &[&str]| -> serde_json::Value {
            let ran = tenfold(directory.path(), args);
            serde_json::from_slice(&ran.stdout)
                .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&ran.stderr)))
        };
        let value = json(&["tour", "program", "--bits", bits, "-d", bits, "--json"]);
        let least = bits.parse::<f64>().expect("a number");
        assert!(value["proven_bits"].as_f64() >= Some(least), "{value}");
        let rows = value["cases"].as_array().expect("rows");
        assert!(
            !rows.is_empty() && rows.iter().all(|row| row["proven_bits"].as_f64() >= Some(least)),
            "{value}"
        );
        let [proof, commitment] = ["file.proof", "file.commitment"].map(|name| format!("{bits}/{name}"));
        let verified = json(&["verify", &proof, "--commitment", &commitment, "--min-bits", bits, "--json"]);
        let hash = verified["assumptions"][0].as_str().expect("a sentence");
        assert!(
            hash.contains(&format!("digests of {width} bits"))
                && hash.contains(&format!("3(T^2+1)/2^{width} ")),
            "{hash}"
        );
    }
    // Whatever fails leaves no file.
    let args = ["tour", "o.csv", "-c", "price", "--bits", "256", "-d", "none"];
    let refused = tenfold(directory.path(), &args);
    assert_eq!(refused.status.code(), Some(2), "{}", String::from_utf8_lossy(&refused.stderr));
    assert!(!directory.path().join("none").exists());
}

/// A tour that fails leaves no folder that it made, and takes none away that was there.
#[test]
fn a_tour_that_fails_leaves_no_folder() {
    let directory = orders();
    let at = |name: &str| directory.path().join(name);
    std::fs::create_dir(at("mine")).expect("a folder");
    for args in [&["-c", "cost"][..], &["-c", "price", "--row", "1000"], &["-c", "price", "--bits", "256"]] {
        for folder in [&[][..], &["-d", "mine"], &["-d", "mine/a/b"]] {
            let tour = tenfold(directory.path(), &[&["tour", "o.csv"], args, folder].concat());
            assert_eq!(tour.status.code(), Some(2), "{}", String::from_utf8_lossy(&tour.stderr));
            assert!(!at("target").exists() && !at("mine/a").exists() && at("mine").exists(), "{args:?}");
        }
    }
}

/// Whoever ends a tour while it compares keeps what it has proven by then.
#[test]
fn a_tour_that_is_ended_keeps_its_proofs() {
    use std::io::{BufRead, BufReader};
    let directory = orders();
    let rows: String = (0..1 << 16).map(|i| format!("{i}\n")).collect();
    std::fs::write(directory.path().join("long.csv"), format!("x\n{rows}")).expect("a file");
    let mut command = Command::new(cargo_bin("tenfold"));
    command.current_dir(directory.path()).args(["tour", "long.csv", "-c", "x"]).stdout(Stdio::piped());
    let mut tour = command.stderr(Stdio::null()).spawn().expect("the command runs");
    let mut lines = BufReader::new(tour.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.starts_with("Every scheme on this column")));
    tour.kill().expect("it is ended");
    tour.wait().expect("it ends");
    let at = |name: &str| directory.path().join("target/tour").join(name);
    assert!(!at("compare.html").exists(), "it was ended before");
    let [commitment, proof, weighted, weights] =
        ["column.commitment", "column.proof", "column.weighted.proof", "weights.csv"]
            .map(|name| at(name).to_string_lossy().into_owned());
    let plain = ["verify", &proof, "--commitment", &commitment];
    assert!(tenfold(directory.path(), &plain).status.success());
    let weighted = ["verify", &weighted, "--commitment", &commitment, "--weights", &weights];
    assert!(tenfold(directory.path(), &weighted).status.success());
}
