//! Commitments and proofs that earlier versions wrote: this version says the same of them. (`crates/cli/vectors`)

use crate::bench::Bench;
use serde_json::Value;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/files");

/// All cases, but for those that this build has no command for.
fn cases() -> Vec<Value> {
    let all = std::fs::read(format!("{FOLDER}/cases.json")).unwrap();
    let mut cases: Vec<Value> = serde_json::from_slice(&all).unwrap();
    assert!(cases.len() >= 27, "every case is read");
    cases.retain(|case| cfg!(feature = "ring") || case["verify"][0] != "ring");
    cases
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

/// A directory with a copy of the files.
fn copied() -> Bench {
    let bench = Bench::new("");
    for file in std::fs::read_dir(FOLDER).unwrap() {
        let file = file.unwrap();
        bench.write(file.file_name().to_str().unwrap(), &std::fs::read(file.path()).unwrap());
    }
    bench
}

#[test]
fn files_of_earlier_versions_are_verified() {
    let (bench, cases) = (copied(), cases());
    for case in &cases {
        let ran = bench.run(&strings(&case["verify"]));
        assert_eq!(ran.code().map(i64::from), case["exit"].as_i64(), "{case}: {ran:?}");
        let verdicts: Vec<&str> = ran.err.lines().filter(|line| line.starts_with("valid")).collect();
        assert_eq!(verdicts, strings(&case["says"]), "{}", case["name"]);
    }
}

/// The last byte of each proof changed, a byte behind it, and its last byte gone.
#[test]
fn files_of_earlier_versions_are_refused_with_a_byte_changed() {
    let (bench, cases) = (copied(), cases());
    for case in &cases {
        let name = format!("{}.proof", case["name"].as_str().unwrap());
        let honest = std::fs::read(bench.path(&name)).unwrap();
        let mut changed = honest.clone();
        *changed.last_mut().unwrap() ^= 1;
        for bytes in [changed, [&honest[..], &[0]].concat(), honest[..honest.len() - 1].to_vec()] {
            bench.write(&name, &bytes);
            let ran = bench.run(&strings(&case["verify"]));
            assert!(matches!(ran.code(), Some(1 | 2)), "{name}: {ran:?}");
            assert!(!ran.err.lines().any(|line| line.starts_with("valid")), "{name}: {ran:?}");
        }
    }
}

/// A build without rings tells their files from others.
#[cfg(not(feature = "ring"))]
#[test]
fn files_about_rings_of_earlier_versions_are_known() {
    let bench = copied();
    for (file, name) in [("ring.proof", "a ring signature"), ("ring.commitment", "the commitment of a ring")]
    {
        let said = format!("{file}: {name}, and this build has no `tenfold ring`");
        for args in
            [&["verify", file][..], &["verify", file, "--commitment", "ring.commitment"], &["inspect", file]]
        {
            bench.run(args).is(2, &[&said, "the feature `ring`", "--features ring"]);
        }
    }
}
