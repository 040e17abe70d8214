//! Tests of the ledger as a whole.

mod audit;
mod batches;
mod consensus;
mod crashes;
mod damage;
pub(crate) mod fixture;
mod machines;
mod names;
mod old_files;
