//! What a page does with the module: `verify.mjs`, run by node where there is one.

use super::cases::{BITS, all};
use std::path::Path;
use std::process::{Command, Output};

/// The bits asked for reach the module as they are, and what is no number of bits reaches no verdict: the module would take
/// it modulo 2^32, or for 0.
#[test]
fn the_bits_that_a_page_asks_for() {
    let Some(module) = std::env::var_os("TENFOLD_WASM") else {
        eprintln!("NOT RUN: verify.mjs; ./scripts/wasm builds the module, and ./scripts/test runs this");
        return;
    };
    if Command::new("node").arg("--version").output().is_err() {
        eprintln!("NOT RUN: verify.mjs; there is no node on this machine");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let case = &all()[0];
    let [proof, commitment] =
        [("page.proof", &case.proof), ("page.commitment", &case.commitment)].map(|(name, bytes)| {
            let path = folder.join(name);
            std::fs::write(&path, bytes).expect("a file");
            path
        });
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("verify.mjs");
    let run = |bits: &[&str]| -> Output {
        let mut node = Command::new("node");
        node.arg(&script).arg(&module).args([&proof, &commitment]).args(bits);
        node.output().expect("node runs")
    };
    let asked = BITS.to_string();
    for (bits, status, words) in [
        (&[asked.as_str()][..], 0, "\"valid\": true"),
        (&["0"], 0, "\"valid\": true"),
        (&["200"], 1, "200 bits are required"),
        (&["4294967295"], 1, "4294967295 bits are required"),
        // Without a number, 100 are asked for.
        (&[], 1, "is below the required 100"),
    ] {
        let output = run(bits);
        let report = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.code() == Some(status) && report.contains(words), "{bits:?}: {output:?}");
    }
    for bits in ["-1", "1.5", "4294967296", "4294967386", "ninety", "Infinity", ""] {
        let output = run(&[bits]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && output.stdout.is_empty(), "{bits:?}: {output:?}");
        assert!(said.contains("no number of bits"), "{bits:?}: {said}");
    }
}
