//! Tests of the ledger as a whole.

mod batches;
mod crashes;
mod damage;
mod fixture;
mod machines;
mod names;
