//! Replicated state machines whose replicas verify one proof for each batch, and do not execute it.
//!
//! | module | what |
//! |---|---|
//! | [`machine`] | state machines: cells, transactions, one transition; batches by plain re-execution |
//! | [`token`] | the built-in machine: accounts with balances |
//! | [`statement`] | what a proof of a batch says |
//! | [`signature`] | Schnorr over Grumpkin: keys, messages, signatures |
//! | [`codec`] | strict encodings; the effect of a batch as the smaller of two |
//! | [`circuit`] | the circuit of the token machine's batches |
//! | [`chain`] | blocks, batches, leases: the deterministic part |
//! | [`root`] | the root of a state |
//! | [`store`] | the log of blocks, the index of cells |
//! | [`replica`] | a chain on disk |
//!
//! Source: Lee, Nikitin, Setty, "Replicated state machines without replicated execution", IEEE S&P 2020 (Piperine).

#![forbid(unsafe_code)]

pub mod chain;
pub mod circuit;
pub mod codec;
pub mod machine;
pub mod replica;
pub mod root;
pub mod signature;
pub mod statement;
pub mod store;
#[cfg(test)]
mod tests;
pub mod token;

pub use curve::Invalid;
