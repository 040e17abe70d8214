//! The crates that a verifier links, against those that are recorded: what a verifier trusts grows by decision alone. And who links curves.

use super::tree;
use serde_json::json;
use std::process::Command;

const RECORDED: &str = "docs/verifier-dependencies.json";

/// Names of the crates that a build links, one for each version, sorted: for one target, so that every host finds the same.
/// Macros run in the compiler and are left out.
fn linked(build: &str) -> Vec<String> {
    let args = format!(
        "tree {build} -e normal,no-proc-macro --target x86_64-unknown-linux-gnu --prefix none --no-dedupe --locked --offline"
    );
    let mut command = Command::new(env!("CARGO"));
    let output =
        command.args(args.split_whitespace()).current_dir(tree::root()).output().expect("cargo runs");
    assert!(output.status.success(), "cargo tree: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let mut crates: Vec<&str> = text.lines().map(|line| line.split(" (").next().unwrap_or(line)).collect();
    crates.sort_unstable();
    crates.dedup();
    let name = |named: &str| named.split(' ').next().unwrap_or(named).to_owned();
    crates.into_iter().map(name).collect()
}

/// The same of a verifier's build without provers, but for our own.
fn linked_by_verifiers(package: &str) -> Vec<String> {
    let mut crates = linked(&format!("-p {package} --no-default-features"));
    crates.retain(|name| !name.starts_with("tenfold"));
    crates
}

/// Of the schemes over codes, and of ring signatures.
#[test]
fn the_verifiers_link_the_recorded_crates() {
    let found = ["tenfold", "tenfold-ring"].map(linked_by_verifiers);
    let path = tree::root().join(RECORDED);
    assert!(found.iter().flatten().any(|name| name == "blake3"), "the trees were read: {found:?}");
    let [codes, rings] = found.each_ref().map(|names| json!({ "count": names.len(), "crates": names }));
    let value = json!({ "tenfold": codes, "tenfold-ring": rings });
    if std::env::var_os("TENFOLD_WRITE_DEPENDENCIES").is_some() {
        std::fs::write(&path, serde_json::to_string_pretty(&value).expect("JSON") + "\n").expect("written");
    }
    let text = std::fs::read_to_string(path).expect("the record");
    let recorded: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert!(
        recorded == value,
        "the verifiers link other crates than {RECORDED} has: after a change that is meant, write it with \
         `TENFOLD_WRITE_DEPENDENCIES=1 cargo test -p tenfold-cli --test house the_verifiers_link`. They link {found:?}"
    );
    let [_, rings] = found;
    for name in ["blst", "rayon", "getrandom", "serde_json", "libc"] {
        assert!(!rings.iter().any(|linked| linked == name), "a verifier of rings links {name}");
    }
}

/// Whoever commits by codes compiles no elliptic curves: neither does the command without features, nor the library, nor its schemes.
#[test]
fn commitments_link_no_curves() {
    let curves = ["tenfold-curve", "ark-ec", "blst"];
    for build in ["-p tenfold-cli", "-p tenfold --features gpu", "-p tenfold-pcs"] {
        let found = linked(build);
        assert!(found.iter().any(|name| name == "tenfold-field"), "the tree was read: {found:?}");
        let curves: Vec<_> = curves.iter().filter(|curve| found.iter().any(|name| name == *curve)).collect();
        assert!(curves.is_empty(), "cargo build {build} links {curves:?}");
    }
    let with_rings = linked("-p tenfold-cli --features ring");
    assert!(curves.iter().all(|curve| with_rings.iter().any(|name| name == curve)), "{with_rings:?}");
}
