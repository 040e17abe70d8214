//! Records what the numbers depend on and only the build knows: compiler, instruction sets and source.

use std::{env, path::Path, process::Command};

/// The source of the program, by paths from the folder of this crate.
const SOURCE: [&str; 5] =
    ["../../Cargo.toml", "../../Cargo.lock", "../../crates/*/Cargo.toml", "../../crates/*/src", "build.rs"];

fn main() {
    let var = |name| env::var(name).unwrap_or_default();
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = run(&rustc, &["--version"]).unwrap_or_else(|| "unknown".into());
    println!("cargo:rustc-env=BENCH_RUSTC={version}");
    println!("cargo:rustc-env=BENCH_TARGET_FEATURES={}", var("CARGO_CFG_TARGET_FEATURE"));
    println!("cargo:rustc-env=BENCH_TARGET_CPU={}", target_cpu(&var("CARGO_ENCODED_RUSTFLAGS")));
    println!("cargo:rustc-env=BENCH_PROFILE={}", var("PROFILE"));
    println!("cargo:rustc-env=BENCH_COMMIT={}", commit());
    println!("cargo:rerun-if-changed=build.rs");
    // Another commit, or files that differ from it.
    for path in ["HEAD", "logs/HEAD"].iter().filter_map(|name| run("git", &["rev-parse", "--git-path", name]))
    {
        if Path::new(&path).exists() {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    println!("cargo:rerun-if-changed=../../Cargo.lock");
    let crates = Path::new("..").read_dir().into_iter().flatten().flatten();
    for source in crates.map(|folder| folder.path().join("src")).filter(|path| path.is_dir()) {
        println!("cargo:rerun-if-changed={}", source.display());
    }
}

/// The last `-C target-cpu` of the compiler's flags, in one argument or two.
fn target_cpu(flags: &str) -> &str {
    let cpu = |flag: &'_ str| flag.trim_start_matches("-C").strip_prefix("target-cpu=").map(str::len);
    let last = flags.split('\u{1f}').rev().find_map(|flag| cpu(flag).map(|len| &flag[flag.len() - len..]));
    last.unwrap_or("generic")
}

/// The commit of the source, with `+` if the source differs from it.
fn commit() -> String {
    let Some(head) = run("git", &["rev-parse", "--short=12", "HEAD"]) else { return "unknown".into() };
    let changes = run("git", &[&["status", "--porcelain", "--"][..], &SOURCE].concat());
    format!("{head}{}", if changes.is_none_or(|changes| !changes.is_empty()) { "+" } else { "" })
}

fn run(program: &str, args: &[&str]) -> Option<String> {
    let out = Command::new(program).args(args).output().ok()?;
    out.status.success().then(|| String::from_utf8_lossy(&out.stdout).trim().to_owned())
}
