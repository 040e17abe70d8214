//! Contracts for the batches of a ledger: their export, calldata for them, and what replicas do with what they accepted.
//!
//! Two modes. `contracts/LedgerReplicas.sol` orders batches and holds no state but the hash of what it accepted. It checks proofs; that their values before are
//! those of the ledger is checked by replicas ([`Submission::statement`]), who need no pairing for it. `contracts/LedgerRoot.sol` holds the root of the
//! state, for proofs that a batch leads from root to root: other contracts can rely on it. (notes: ledger-evm)
//!
//! ```text
//!  payload   0 | list                                              times follow from the order of the transactions
//!            1 | length varint, effect | time of padding varint | time for each cell varint
//!  submit    selector 4 | claim | digest | product before | product after | A, B, C: 8 words | 416 | length | payload, padded with zeros to words
//!  of a root selector 4 | root after | digest | A, B, C: 8 words | 352 | length | block, padded with zeros to words
//!  words     32 bytes, big-endian
//! ```

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

mod blob;
mod calldata;
mod called;
mod export;
mod gas;
mod head;
mod payload;
mod submission;
#[cfg(test)]
pub(crate) mod tests;

pub use blob::{BLOB_BYTES, BLOB_CAPACITY, from_blob, to_blob};
pub use calldata::RootSubmission;
pub(crate) use called::statement;
pub use export::{Export, Source, export, export_root, from_hex, insecure, insecure_root};
pub use gas::{Gas, execution};
pub use head::{Head, Published};
pub use payload::Payload;
pub use snark::groth16::Word;
pub use submission::{Submission, Target, prove};
