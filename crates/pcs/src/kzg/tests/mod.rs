//! The core, the scheme with a liar for each of its checks, and batches.

mod batches;
mod openings;
mod scheme;
