//! A contract that orders and verifies the batches of a ledger: its export, calldata for it, and what replicas do with what it accepted.
//!
//! The contract (`contracts/LedgerReplicas.sol`) holds no state but the hash of what it accepted. It checks proofs; that their values before are those of the
//! ledger is checked by replicas ([`Submission::statement`]), who need no pairing for it. (notes: ledger-evm)
//!
//! ```text
//!  payload   0 | list                                              times follow from the order of the transactions
//!            1 | length varint, effect | time of padding varint | time for each cell varint
//!  calldata  selector 4 | claim | digest | product before | product after | A, B, C: 8 words | 416 | length | payload, padded with zeros to words
//!  words     32 bytes, big-endian
//! ```

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

mod blob;
mod calldata;
mod export;
mod head;
mod payload;
mod submission;

pub use blob::{BLOB_BYTES, BLOB_CAPACITY, from_blob, to_blob};
pub use export::{Export, Source, export, insecure};
pub use head::{Head, Published};
pub use payload::Payload;
pub use snark::groth16::Word;
pub use submission::{Submission, Target, prove};
