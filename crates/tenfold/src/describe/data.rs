//! What would be committed to.

use crate::dataset::{Base, Column, Table, decimal};
use crate::search;
use crate::statement::{BytesDescription, shown};
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

/// Columns of one length: rows, and the range and sum of each.
#[must_use]
pub fn table(table: &Table) -> Described {
    let source = hex(&table.describe().source());
    let names: Vec<String> = table.columns().iter().map(|column| shown(&column.name)).collect();
    let of = |column: &Column| {
        let [low, high, sum] = bounds(column);
        json!({ "name": column.name, "decimals": column.scale, "min": low, "max": high, "sum": sum })
    };
    let columns: Vec<Value> = table.columns().iter().map(of).collect();
    let (rows, padded) = (table.rows() as u64, table.rows().next_power_of_two() as u64);
    let lines = vec![
        ("columns", names.join(", ")),
        ("rows", format!("{}, padded with zeros to {}", count(rows), count(padded))),
        ("source", format!("blake3 {source}")),
    ];
    let value = json!({ "name": table.name, "rows": rows, "padded_rows": padded, "columns": columns,
        "data_bytes": null, "scheme": "pip", "source_blake3": source });
    Described { name: table.name.clone(), lines, value }
}

/// The least and the greatest value of a column and its sum; none where there is none, or it does not fit 127 bits.
fn bounds(column: &Column) -> [Option<String>; 3] {
    let text = |x: Option<i128>| x.map(|x| decimal::format(x, column.scale));
    let range = column.values.range();
    [text(range.map(|r| r.0)), text(range.map(|r| r.1)), text(column.values.sum())]
}

/// A column of numbers: rows, range, sum, and the fields that hold it.
#[must_use]
pub fn column(column: &Column) -> Described {
    let [low, high, sum] = bounds(column);
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
