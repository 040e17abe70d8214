//! Bounded fuzzing: cases from numbered seeds until the time is up, each with its memory measured.
//!
//! `TENFOLD_FUZZ_SECONDS` bounds every test (default 1); a failure prints its seed, and `TENFOLD_FUZZ_SEED` starts
//! there again.

use std::alloc::System;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use peakmem_alloc::{PeakMemAlloc, PeakMemAllocTrait};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[global_allocator]
static HEAP: PeakMemAlloc<System> = PeakMemAlloc::system();

/// The counter sees every thread, so one fuzz test runs at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// Inputs stay below 64 KiB; whatever reads them must stay below a thousand times that.
const MOST_INPUT: usize = 1 << 16;
const MOST_MEMORY: usize = 64 << 20;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| text.parse().expect(variable))
}

/// Names the case when it panics.
struct Case<'a> {
    test: &'a str,
    seed: u64,
}

impl Drop for Case<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{} failed: repeat with TENFOLD_FUZZ_SEED={}", self.test, self.seed);
        }
    }
}

/// Runs `case` with one random generator after another. It returns whether the input got past parsing, which some
/// inputs must: a fuzzer whose inputs are all refused at the door tests nothing.
pub fn run(test: &str, mut case: impl FnMut(&mut ChaCha8Rng) -> bool) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let end = Instant::now() + Duration::from_secs(number("TENFOLD_FUZZ_SECONDS", 1));
    let first = number("TENFOLD_FUZZ_SEED", 0);
    let (mut seed, mut deep, mut highest) = (first, 0u64, 0);
    while seed == first || Instant::now() < end {
        let named = Case { test, seed };
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        HEAP.reset_peak_memory();
        deep += u64::from(case(&mut rng));
        highest = highest.max(HEAP.get_peak_memory());
        assert!(highest < MOST_MEMORY, "{highest} bytes for an input below {MOST_INPUT}");
        drop(named);
        seed += 1;
    }
    println!("{test}: {} cases, {deep} past parsing, at most {highest} bytes", seed - first);
    assert!(deep > 0 || seed - first < 1000, "no input gets past parsing");
}

/// Random bytes one time in eight; otherwise a valid input with one to four faults.
pub fn input(rng: &mut ChaCha8Rng, valid: &[&[u8]]) -> Vec<u8> {
    if rng.random_ratio(1, 8) {
        let most = 1 << rng.random_range(0..=16);
        let mut bytes = vec![0; rng.random_range(0..most)];
        rng.fill_bytes(&mut bytes);
        return bytes;
    }
    mutated(rng, valid)
}

/// A valid input with one to four faults; it may come out unchanged.
pub fn mutated(rng: &mut ChaCha8Rng, valid: &[&[u8]]) -> Vec<u8> {
    let mut bytes = valid[rng.random_range(0..valid.len())].to_vec();
    for _ in 0..rng.random_range(1..=4) {
        fault(rng, &mut bytes, valid);
    }
    bytes.truncate(MOST_INPUT - 1);
    bytes
}

/// Numbers that lengths and counts go wrong at.
const NUMBERS: [u64; 14] =
    [0, 1, 2, 24, 40, 64, 1 << 12, 1 << 16, 1 << 31, u32::MAX as u64, 1 << 32, 1 << 60, 1 << 63, u64::MAX];

fn fault(rng: &mut ChaCha8Rng, bytes: &mut Vec<u8>, valid: &[&[u8]]) {
    let length = bytes.len();
    let at = rng.random_range(0..=length);
    let end = length.min(at + rng.random_range(0..=64));
    match rng.random_range(0..9) {
        0 if at < length => bytes[at] ^= 1 << rng.random_range(0..8),
        1 if at < length => bytes[at] = rng.random(),
        2 => bytes.truncate(at),
        3 => bytes.resize(length + rng.random_range(1..64), 0),
        4 | 5 => {
            let number = NUMBERS[rng.random_range(0..NUMBERS.len())].to_le_bytes();
            let width = [1, 4, 8][rng.random_range(0..3)].min(length - at);
            bytes[at..at + width].copy_from_slice(&number[..width]);
        }
        6 => {
            let range = bytes[at..end].to_vec();
            bytes.splice(at..at, range);
        }
        7 => drop(bytes.drain(at..end)),
        _ => {
            let other = valid[rng.random_range(0..valid.len())];
            let from = rng.random_range(0..=other.len());
            let range = &other[from..other.len().min(from + rng.random_range(0..=256))];
            bytes.splice(at..length.min(at + range.len()), range.iter().copied());
        }
    }
}
