//! Compiles the emulator: the kernels' source for the CPU. Without a C++ compiler the crate is built without it.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(emulator)");
    println!("cargo::rerun-if-changed=cuda");
    let mut build = cc::Build::new();
    build.cpp(true).std("c++17").opt_level(2).debug(false).warnings(true).file("cuda/emulator.cc");
    // Nothing of the C++ runtime is used, and the binary should not ask for it.
    build.cpp_link_stdlib(None).flag_if_supported("-fno-exceptions").flag_if_supported("-fno-rtti");
    // Products beside sums need no parentheses where CUDA's compiler wants none.
    build.flag_if_supported("-Wno-parentheses");
    match build.try_compile("tenfold_emulator") {
        Ok(()) => println!("cargo::rustc-cfg=emulator"),
        Err(error) => println!(
            "cargo::warning=no emulator of the GPU kernels, as their source was not compiled: {error}"
        ),
    }
}
