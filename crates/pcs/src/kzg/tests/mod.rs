//! The core, the scheme with a malicious prover for each of its checks, and batches.

mod batches;
mod openings;
mod scheme;
