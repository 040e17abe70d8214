//! The output side that every command of the project shares: messages, progress and exit codes, tables, pages with plots, and the
//! files that a command writes.
//!
//! ```text
//! results ─┬─ table ─► terminal        Failure ─ exit ─► stderr, exit code
//!          └─ page ──► HTML ─► files ─► in place, whole
//! ```
//! `tenfold` and `tenfold-bench` are two front ends over this crate; neither depends on the other.
#![forbid(unsafe_code)]

pub mod exit;
pub mod files;
pub mod interrupts;
pub mod machine;
pub mod memory;
pub mod output;
pub mod page;
pub mod parts;
pub mod progress;
pub mod table;
pub mod terminal;
pub mod theorems;
pub mod units;
