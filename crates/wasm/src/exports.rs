//! What the module exports: numbers and one buffer each way, so that no pointer of the caller's is ever followed.
//!
//! ```text
//!  tenfold_input(length)                            the address where the caller writes proof ‖ commitment ‖ weights
//!  tenfold_verify(proof, commitment, weights, bits) their lengths and the least proven bits ─► status
//!  tenfold_output(), tenfold_output_length()        where the report stands until the next input or verdict
//! ```
//! A trap is no verdict: the proof counts as refused, and the instance is not to be used again. It leaves no report, since the
//! one before is wiped first.
#![expect(unsafe_code, reason = "exported names are unsafe attributes; there is no unsafe block")]

use crate::{Input, Status, judge, report};
use alloc::string::String;
use alloc::vec::Vec;
use spin::Mutex;

#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

static INPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static OUTPUT: Mutex<String> = Mutex::new(String::new());

/// Overwrites the last report: whoever still knows where it stood finds no verdict there.
fn wipe() {
    let mut report = core::mem::take(&mut *OUTPUT.lock()).into_bytes();
    report.fill(0);
    core::hint::black_box(&report);
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

/// Makes room for so many bytes and returns their address, 0 if there is no room. What was there before is gone.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
extern "C" fn tenfold_input(length: usize) -> *mut u8 {
    wipe();
    let mut input = INPUT.lock();
    *input = Vec::new();
    if input.try_reserve_exact(length).is_err() {
        return core::ptr::null_mut();
    }
    input.resize(length, 0);
    input.as_mut_ptr()
}

/// Verifies what stands in the input: three parts of these lengths, which must be all of it.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
extern "C" fn tenfold_verify(proof: usize, commitment: usize, weights: usize, min_bits: u32) -> u32 {
    wipe();
    let input = INPUT.lock();
    let (status, text) = match parts(&input, [proof, commitment, weights]) {
        Some([proof, commitment, weights]) => judge(Input { proof, commitment, weights }, min_bits),
        None => (Status::Malformed, report::refusal("the lengths do not make up the input")),
    };
    *OUTPUT.lock() = text;
    status as u32
}

/// The address of the last report: UTF-8.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
extern "C" fn tenfold_output() -> *const u8 {
    OUTPUT.lock().as_ptr()
}

/// The bytes of the last report.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
extern "C" fn tenfold_output_length() -> usize {
    OUTPUT.lock().len()
}

fn parts(input: &[u8], [proof, commitment, weights]: [usize; 3]) -> Option<[&[u8]; 3]> {
    let (proof, rest) = input.split_at_checked(proof)?;
    let (commitment, rest) = rest.split_at_checked(commitment)?;
    (rest.len() == weights).then_some([proof, commitment, rest])
}
