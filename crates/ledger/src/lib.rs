//! Replicated state machines whose replicas verify one proof for each batch, and do not execute it.
//!
//! | module | what |
//! |---|---|
//! | [`machine`] | state machines: cells, transactions, one transition; batches by plain re-execution |
//! | [`token`] | the built-in machine: accounts with balances |
//! | [`names`] | a second machine, the one to copy: a registry of names |
//! | [`statement`] | what a proof of a batch says |
//! | [`signature`] | Schnorr over Grumpkin: keys, messages, signatures |
//! | [`codec`] | strict encodings; the effect of a batch as the smaller of two |
//! | [`circuit`] | the circuit of the token machine's batches |
//! | [`evm`] | a contract that orders and verifies batches: export, calldata, what replicas check |
//! | [`chain`] | blocks, batches, leases: the deterministic part |
//! | [`root`] | the root of a state |
//! | [`store`] | the log of blocks, the index of cells |
//! | [`replica`] | a chain on disk |
//! | [`audit`] | a log that is verified from its genesis |
//! | [`consensus`] | what an engine of consensus asks of a replica |
//! | [`node`] | a replica with keys and waiting transactions: what the command line drives |
//!
//! ```no_run
//! use ledger::chain::{Block, Content, Params};
//! use ledger::codec::Canonical;
//! use ledger::replica::Replica;
//! use ledger::statement::{BatchSize, BatchVerifier, Statement};
//! use ledger::token::{Token, Workload};
//!
//! /// Takes plain blocks alone.
//! struct NoProofs;
//!
//! impl BatchVerifier<Token> for NoProofs {
//!     fn verify(&self, _: &Statement<Token>, _: BatchSize, _: &[u8]) -> Result<(), ledger::Invalid> {
//!         Err(ledger::Invalid("proofs are not taken here"))
//!     }
//!     fn takes(&self, _: BatchSize) -> bool {
//!         false
//!     }
//!     fn keys(&self) -> ledger::store::Digest {
//!         Default::default()
//!     }
//! }
//!
//! let mut workload = Workload::new(1, 100, 0);
//! let genesis = workload.genesis(Params { lanes: 1, timeout: 0, plain: 16 });
//! let mut replica = Replica::init("ledger".as_ref(), genesis)?;
//!
//! // Whoever proposes a block sends its bytes; every replica reads and applies them.
//! let bytes = replica.chain().next(Content::Plain(vec![workload.transaction()])).to_bytes();
//! let block = Block::from_bytes(&bytes)?;
//! replica.apply(&block, &NoProofs)?; // on the disk when it returns
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Source: Lee, Nikitin, Setty, "Replicated state machines without replicated execution", IEEE S&P 2020 (Piperine).

#![forbid(unsafe_code)]

pub mod audit;
pub mod chain;
pub mod circuit;
pub mod codec;
pub mod consensus;
pub mod evm;
pub mod machine;
pub mod names;
pub mod node;
pub mod replica;
pub mod root;
pub mod signature;
pub mod statement;
pub mod store;
#[cfg(test)]
mod tests;
pub mod token;

pub use curve::Invalid;
