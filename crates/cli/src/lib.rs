//! The `tenfold` command: from a file to a commitment, a proof and a verdict.
//!
//! ```text
//! args -> data (file to exact integers) -> field elements -> commit / open / verify -> table, JSON, page
//! ```
//! Verdicts and progress go to stderr, results to stdout; `--json` makes stdout machine-readable.
#![forbid(unsafe_code)]

#[macro_use]
extern crate tenfold_report;

mod args;
mod commands;
mod doctor;
#[cfg(all(test, feature = "ledger"))]
#[path = "../tests/commands/json_page.rs"]
mod json_page;
mod run;

use tenfold_report::{
    exit, files, interrupts, machine, memory, output, page, parts, progress, table, terminal, theorems, units,
};

pub use run::{command, run};
