//! The parts of a file, byte by byte, with a picture of where the bytes go.

use crate::table::bars;
use crate::units;
use serde_json::{Value, json};
use std::fmt;

/// A run of bytes with its meaning.
struct Part {
    offset: usize,
    length: usize,
    name: String,
}

/// All parts of a file in their order.
pub struct Parts(Vec<Part>);

impl Parts {
    /// Runs of bytes one after the other, each with its length and its meaning; those of no bytes are left out.
    #[must_use]
    pub fn of(runs: impl IntoIterator<Item = (usize, String)>) -> Self {
        let mut end = 0;
        let placed = runs.into_iter().map(|(length, name)| {
            end += length;
            Part { offset: end - length, length, name }
        });
        Self(placed.filter(|part| part.length > 0).collect())
    }

    /// An array of objects.
    #[must_use]
    pub fn json(&self) -> Value {
        self.0.iter().map(|p| json!({ "offset": p.offset, "bytes": p.length, "part": p.name })).collect()
    }
}

/// A table of all parts, then bars of the bytes of each name, the longest first.
impl fmt::Display for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut totals: Vec<(String, u64, String)> = Vec::new();
        writeln!(f, "{:>10}  {:>9}  part", "offset", "bytes")?;
        for Part { offset, length, name } in &self.0 {
            writeln!(f, "{offset:>10}  {length:>9}  {name}")?;
            match totals.iter_mut().find(|total| total.0 == *name) {
                Some(total) => total.1 += *length as u64,
                None => totals.push((name.clone(), *length as u64, String::new())),
            }
        }
        totals.iter_mut().for_each(|total| total.2 = units::bytes(total.1));
        totals.sort_by_key(|total| core::cmp::Reverse(total.1));
        write!(f, "\n{}", bars(&totals, 48))
    }
}
