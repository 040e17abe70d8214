//! What the command takes of memory for a file. The heap counter is one for the process, so this file holds a single test.

use peakmem_alloc::{PeakMemAlloc, PeakMemAllocTrait};
use std::alloc::System;
use std::path::Path;
use std::process::ExitCode;

#[global_allocator]
static HEAP: PeakMemAlloc<System> = PeakMemAlloc::system();

/// The most bytes held at once by a command that ends well.
fn peak(folder: &Path, args: &[&str]) -> usize {
    HEAP.reset_peak_memory();
    let args = args.iter().map(|arg| match arg.strip_prefix('@') {
        Some(name) => folder.join(name).into_os_string(),
        None => arg.into(),
    });
    let name = std::ffi::OsString::from("tenfold");
    let code = tenfold_cli::run([name, "--quiet".into()].into_iter().chain(args));
    assert_eq!(format!("{code:?}"), format!("{:?}", ExitCode::SUCCESS));
    HEAP.get_peak_memory()
}

/// A file is committed and a byte of it proved with the codeword, at rate 1/4 four times the file, and a quarter of it:
/// without a second copy, and within the limit that is given.
#[test]
fn a_file_takes_a_codeword_and_a_quarter() {
    let folder = tempfile::tempdir().unwrap();
    let mib = 1 << 20;
    let bytes: Vec<u8> =
        (0..16 * mib as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as u8).collect();
    std::fs::write(folder.path().join("data"), &bytes).unwrap();
    drop(bytes);
    // Once for the process.
    let commit = ["--threads=2", "commit", "@data", "--scheme=ligerito", "--bits=100", "-o", "@c"];
    let committed = peak(folder.path(), &commit);
    let limit = "--max-memory=80MiB";
    let open = ["open", "@data", "--commitment", "@c", "-o", "@p", "--row=77", "--min-bits=100", limit];
    let opened = peak(folder.path(), &open);
    println!("{} MiB and {} MiB for 16 MiB", committed / mib, opened / mib);
    assert!(committed <= 68 * mib, "{committed} bytes for a commitment");
    assert!(opened <= 80 * mib, "{opened} bytes for an opening");
}
