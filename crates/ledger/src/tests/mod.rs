//! Tests of the ledger as a whole.

mod batches;
mod crashes;
mod fixture;
mod machines;
