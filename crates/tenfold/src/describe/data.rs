//! What would be committed to.

use crate::dataset::{Base, Column, decimal};
use crate::search;
use crate::statement::BytesDescription;
use crate::text::{count, hex};
use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::{Value, json};

/// Data in words and as JSON.
#[derive(Clone, Debug)]
pub struct Described {
    /// The name, as it came.
    pub name: String,
    /// Facts by name.
    pub lines: Vec<(&'static str, String)>,
    /// The same as an object.
    pub value: Value,
}

/// The bytes of a file.
#[must_use]
pub fn bytes(BytesDescription { name, length, source }: BytesDescription) -> Described {
    let digest = hex(&source);
    let lines = vec![
        ("bytes", count(length)),
        ("committed to", "byte by byte (`--scheme ligerito` or `air`)".to_owned()),
        ("source", format!("blake3 {digest}")),
    ];
    let value = json!({ "name": name, "data_bytes": length, "scheme": "ligerito", "source_blake3": digest });
    Described { name, lines, value }
}

/// A column of numbers: rows, range, sum, and the fields that hold it.
#[must_use]
pub fn column(column: &Column) -> Described {
    let text = |x: Option<i128>| x.map(|x| decimal::format(x, column.scale));
    let range = column.values.range();
    let (low, high) = (text(range.map(|r| r.0)), text(range.map(|r| r.1)));
    let sum = text(column.values.sum());
    let fields: Vec<_> =
        Base::ALL.into_iter().filter(|f| column.values.check(*f, 0).is_ok()).map(Base::name).collect();
    let chosen = search::automatic(column).map(Base::name);
    let (rows, padded) = (column.rows() as u64, column.padded_rows() as u64);
    let digest = hex(&column.source_digest);
    let unknown = |x: &Option<String>, instead: &str| x.clone().unwrap_or_else(|| instead.to_owned());
    let lines = vec![
        ("rows", format!("{}, padded with zeros to {}", count(rows), count(padded))),
        ("decimals", column.scale.to_string()),
        ("range", format!("{} to {}", unknown(&low, ""), unknown(&high, ""))),
        ("sum", unknown(&sum, "beyond 127 bits")),
        ("fields", format!("{}; `commit` takes {}", fields.join(", "), chosen.unwrap_or("none"))),
        ("source", format!("blake3 {digest}")),
    ];
    let value = json!({
        "name": column.name, "rows": rows, "padded_rows": padded, "data_bytes": null, "scheme": "pip",
        "decimals": column.scale, "min": low, "max": high, "sum": sum,
        "fields": fields, "field_for_sums": chosen, "source_blake3": digest,
    });
    Described { name: column.name.clone(), lines, value }
}
