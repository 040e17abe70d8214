//! What proofs state: descriptions of what was committed to, which begin the context of every proof.

mod bytes;
mod column;
mod context;

pub use bytes::{BytesDescription, Unit};
pub use column::ColumnDescription;
pub use context::ColumnContext;

use alloc::borrow::ToOwned;
use alloc::string::String;

/// A name for a verdict: as it is if it is one plain word, else quoted and escaped. It is the prover's, and must not be
/// able to look like a line or a claim of ours.
#[must_use]
pub fn shown(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    if !name.is_empty() && name.chars().all(plain) { name.to_owned() } else { format!("{name:?}") }
}
