//! The corpus of proof files, whose verdicts all front ends share. (`vectors/verdicts`)

use crate::bench::Bench;
use serde_json::Value;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/verdicts");

/// The exit codes that a case's verdict has.
fn codes(case: &Value) -> &'static [i32] {
    match case["verdict"].as_str().unwrap() {
        "valid" => &[0],
        "invalid" => &[1],
        "malformed" => &[2],
        _ => &[1, 2],
    }
}

#[test]
fn the_command_has_the_verdicts_of_the_corpus() {
    let cases = std::fs::read(format!("{FOLDER}/verdicts.json")).unwrap();
    let cases: Vec<Value> = serde_json::from_slice(&cases).unwrap();
    assert!(cases.len() > 50, "every case is read");
    let bench = Bench::new("");
    let path = |value: &Value| format!("{FOLDER}/{}", value.as_str().unwrap());
    for case in &cases {
        let (proof, commitment) = (path(&case["proof"]), path(&case["commitment"]));
        let bits = case["min_bits"].to_string();
        let mut args = vec!["verify", &proof, "--commitment", &commitment, "--min-bits", &bits];
        let weights = case.get("weights").map(path);
        args.extend(weights.iter().flat_map(|weights| ["--weights", weights]));
        let ran = bench.run(&args);
        assert!(codes(case).contains(&ran.code().unwrap()), "{case}: {ran:?}");
    }
}

/// Ring signatures, by `tenfold verify` and by `tenfold ring verify`, which say the same.
#[cfg(feature = "ring")]
#[test]
fn the_command_has_the_verdicts_of_the_corpus_of_rings() {
    const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/ring-verdicts");
    let cases = std::fs::read(format!("{FOLDER}/verdicts.json")).unwrap();
    let cases: Vec<Value> = serde_json::from_slice(&cases).unwrap();
    assert!(cases.len() > 40, "every case is read");
    let bench = Bench::new("");
    let path = |value: &Value| format!("{FOLDER}/{}", value.as_str().unwrap());
    for case in &cases {
        let (signature, ring) = (path(&case["proof"]), path(&case["commitment"]));
        for args in [
            ["verify", &signature, "--commitment", &ring].as_slice(),
            &["ring", "verify", &signature, "--ring", &ring],
        ] {
            let ran = bench.as_given(args);
            let code = ran.code().unwrap();
            assert!(codes(case).contains(&code), "{case}: {args:?}: {ran:?}");
        }
    }
}

/// The verifier that was written from the notes alone, in Python, has them too, and verifies the files of earlier versions.
#[test]
fn the_verifier_of_the_notes_has_the_verdicts_of_the_corpus() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../notes/verify");
    let ran = std::process::Command::new("python3").args(["-B", folder, "--as-they-are"]).output();
    let Ok(ran) = ran else { return eprintln!("NOT RUN: the verifier of the notes, which needs python3") };
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(
        ran.status.success() && said.contains("proofs hold"),
        "{said}{}",
        String::from_utf8_lossy(&ran.stderr)
    );
}
