//! Files, data, parameters and verdicts in words and as JSON: what front ends print, and services answer.

mod commitment;
mod data;
mod params;
mod secret;
mod verified;

pub use commitment::commitment;
pub use data::{Described, bytes, column, table};
pub use params::{params, terms};
pub use secret::secret;
pub use verified::Verified;

use alloc::string::String;
use serde_json::Value;

/// The name of a fact, its text, and its value for JSON.
pub type Fact = (&'static str, String, Value);

/// An object with the members of another added.
#[must_use]
pub fn merged(mut value: Value, more: Value) -> Value {
    if let (Value::Object(object), Value::Object(more)) = (&mut value, more) {
        object.extend(more);
    }
    value
}
