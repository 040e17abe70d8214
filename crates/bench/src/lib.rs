//! Measurements of polynomial commitments: ours beside the peers, in one process, alternated.
//!
//! A measured thing implements [`harness::Scheme`]; [`harness::Case`] hides its types;
//! [`harness::run`] alternates the cases over the thread counts; [`report`] prints the table and
//! [`outputs`] writes the JSON. A peer is a scheme like ours, so both go through exactly the same clock and
//! the same heap counter.
#![forbid(unsafe_code)]

#[macro_use]
extern crate tenfold_report;

pub mod air;
pub mod groth16;
pub mod harness;
pub mod heap;
pub mod kzg;
pub mod machine;
pub mod model;
pub mod ours;
pub mod outputs;
pub mod paper;
pub mod peers;
pub mod report;
pub mod rings;
pub mod stats;

use clap::builder::RangedU64ValueParser;
use tenfold_report::exit::Failure;

/// Reads a number of rounds from an argument.
#[must_use]
pub fn rounds() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..)
}

/// Reads log2 of a number of entries: no commitment holds more, and no memory.
#[must_use]
pub fn sizes() -> RangedU64ValueParser<u32> {
    RangedU64ValueParser::new().range(..=40)
}

/// The failure for arguments of a command that nothing can be measured by.
#[must_use]
pub fn unusable(error: anyhow::Error, command: &str) -> Failure {
    let usage = |error| Failure::usage(format!("{error:#}"), format!("see `tenfold-bench {command} --help`"));
    error.downcast().unwrap_or_else(usage)
}

/// Reads a number of threads from an argument.
#[must_use]
pub fn threads() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=1024)
}
