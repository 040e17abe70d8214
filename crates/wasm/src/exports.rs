//! What the module exports: numbers and one buffer each way, so that no pointer of the caller's is ever followed.
//!
//! ```text
//!  tenfold_input(length)                      the address where the caller writes proof ‖ commitment ‖ weights ‖ claims that are needed
//!  tenfold_verify(proof, commitment,          their lengths, ...
//!                 weights, claims,            ... (claims are lines of UTF-8: sum=294348) ...
//!                 bits, interactive_bits,     ... the least proven bits and those without work, ...
//!                 theorems, unique_decoding,  ... a set of theorems (0: the default), 1 for unique decoding alone, ...
//!                 weights_scale)              ... the decimals of the weights, 0 where there are none ─► status
//!  tenfold_output(), tenfold_output_length()  where the report stands until the next input or verdict
//! ```
//! Theorems are bits in the order of [`Theorem::ALL`]: 1 bciks20, 2 bchks25, 4 bchks25-4.6, 8 dkt26.
//!
//! A trap is no verdict: the proof counts as refused, and the instance is not to be used again. It leaves no report, since the
//! one before is wiped first.
#![expect(unsafe_code, reason = "exported names are unsafe attributes; there is no unsafe block")]

use crate::{Input, Status, judge, report};
use alloc::string::String;
use alloc::vec::Vec;
use iop::security::{Policy, Regimes, Theorem, Theorems};
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

/// Verifies what stands in the input: four parts of these lengths, which must be all of it.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
extern "C" fn tenfold_verify(
    proof: usize,
    commitment: usize,
    weights: usize,
    claims: usize,
    min_bits: u32,
    interactive_bits: u32,
    theorems: u32,
    unique_decoding: u32,
    weights_scale: u32,
) -> u32 {
    wipe();
    let input = INPUT.lock();
    let malformed = |reason| (Status::Malformed, report::refusal(reason));
    let (status, text) = match (parts(&input, [proof, commitment, weights, claims]), named(theorems)) {
        (Some([proof, commitment, weights, claims]), Some(theorems)) if unique_decoding <= 1 => {
            let regimes = if unique_decoding == 1 { Regimes::UniqueDecoding } else { Regimes::Any };
            let policy = Policy { min_bits, regimes, theorems, interactive_bits };
            match core::str::from_utf8(claims) {
                Ok(expected) => judge(Input { proof, commitment, weights, weights_scale, expected }, policy),
                Err(_) => malformed("the claims that are needed are not UTF-8"),
            }
        }
        (Some(_), _) => malformed("no such theorem or regime"),
        (None, _) => malformed("the lengths do not make up the input"),
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

/// The theorems whose bits are set, the default ones if none is.
fn named(set: u32) -> Option<Theorems> {
    if set == 0 {
        return Some(Theorems::DEFAULT);
    }
    let known = set >> Theorem::ALL.len() == 0;
    let theorems = Theorem::ALL.into_iter().filter(|&theorem| set & 1 << theorem as u32 != 0);
    Theorems::of(&theorems.collect::<Vec<_>>()).filter(|_| known)
}

fn parts(input: &[u8], [proof, commitment, weights, claims]: [usize; 4]) -> Option<[&[u8]; 4]> {
    let (proof, rest) = input.split_at_checked(proof)?;
    let (commitment, rest) = rest.split_at_checked(commitment)?;
    let (weights, rest) = rest.split_at_checked(weights)?;
    (rest.len() == claims).then_some([proof, commitment, weights, rest])
}
