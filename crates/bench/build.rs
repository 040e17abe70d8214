//! Records what the numbers depend on and only the build knows: compiler and SIMD features.

use std::{env, process::Command};

fn main() {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(rustc).arg("--version").output();
    let version =
        version.map_or_else(|_| "unknown".into(), |out| String::from_utf8_lossy(&out.stdout).into_owned());
    println!("cargo:rustc-env=BENCH_RUSTC={}", version.trim());
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    println!("cargo:rustc-env=BENCH_TARGET_FEATURES={features}");
    println!("cargo:rustc-env=BENCH_PROFILE={}", env::var("PROFILE").unwrap_or_default());
    println!("cargo:rerun-if-changed=build.rs");
}
