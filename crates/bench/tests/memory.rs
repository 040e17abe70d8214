//! Tests that schemes need no more memory than is estimated. The heap counter is one for the process, so this file holds a single test.

use anyhow::Result;
use pcs::fields::Fields;
use pcs::pip::search::{Profile, SearchTarget};
use tenfold_bench::{harness::Case, ours, peers::plonky3};

const LOG_SIZE: u32 = 18;
const FIELDS: &[Fields] = Fields::OVER_GOLDILOCKS;

/// Refused where memory ends below the measured peak; accepted with twice the peak.
#[track_caller]
fn assert_guarded(case: impl Fn(u64) -> Result<Case>) {
    let free = case(u64::MAX).unwrap();
    let peak = free.sample().unwrap().peak_bytes.open as u64;
    assert!(case(peak).is_err(), "{} takes {peak} bytes, more than estimated", free.name());
    assert!(case(2 * peak).is_ok(), "{} takes {peak} bytes, less than half the estimate", free.name());
}

#[test]
fn estimates_are_above_the_peak_and_below_twice_the_peak() {
    for profile in [Profile::Fast, Profile::Small] {
        assert_guarded(|memory| {
            ours::pip(FIELDS, &SearchTarget::new(FIELDS[0], LOG_SIZE, 100, profile), memory)
        });
    }
    for log_columns in [6, 0] {
        assert_guarded(|memory| ours::deepfold(FIELDS, [LOG_SIZE, log_columns, 3], 100, memory));
    }
    for log_arity in [1, 3] {
        let log_size = LOG_SIZE as usize;
        let shape = plonky3::Shape {
            log_size,
            log_columns: 6,
            log_inv_rate: 3,
            log_arity,
            queries: 67,
            grinding: [0, 0],
        };
        assert_guarded(|memory| {
            ours::fits(shape.memory(8), memory)?;
            plonky3::goldilocks(shape)
        });
    }
}
