//! `tenfold data`: what would be committed to.

use super::failure::unreadable;
use super::open_source;
use crate::args::{Common, Input};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use crate::units;
use data::{Content, Opened};
use serde_json::{Value, json};
use tenfold::dataset::{Base, Column, decimal};
use tenfold::search;
use tenfold::statement::{BytesDescription, shown};

/// Facts as text and as JSON.
struct Facts {
    name: String,
    lines: Vec<(&'static str, String)>,
    value: Value,
}

/// The command.
pub fn run(input: &Input, common: &Common) -> Result<Exit, Failure> {
    let mut progress = Progress::new(common.quiet || common.json);
    let options = input.options(common, 16, Base::Goldilocks);
    let opened = Opened::of(open_source(&input.file, &mut progress)?, &options).map_err(unreadable)?;
    let facts = if opened.is_bytes() {
        of_bytes(opened.bytes(&options).and_then(Content::describe).map_err(unreadable)?)
    } else {
        of_column(&opened.column(options).map_err(unreadable)?)
    };
    progress.end();
    if common.json {
        output::line(format_args!("{:#}", facts.value));
    } else {
        output::line(Paint::stdout().bold(&shown(&facts.name)));
        facts.lines.iter().for_each(|(name, value)| output::line(format_args!("{name:<12} {value}")));
    }
    Ok(Exit::Valid)
}

fn of_bytes(BytesDescription { name, length, source }: BytesDescription) -> Facts {
    let digest = units::hex(&source);
    let lines = vec![
        ("bytes", units::count(length)),
        ("committed to", "byte by byte (`--scheme ligerito` or `air`)".to_owned()),
        ("source", format!("blake3 {digest}")),
    ];
    let value = json!({ "name": name, "bytes": length, "scheme": "ligerito", "source_blake3": digest });
    Facts { name, lines, value }
}

fn of_column(column: &Column) -> Facts {
    let text = |x: Option<i128>| x.map(|x| decimal::format(x, column.scale));
    let range = column.values.range();
    let (low, high) = (text(range.map(|r| r.0)), text(range.map(|r| r.1)));
    let sum = text(column.values.sum());
    let fields: Vec<_> =
        Base::ALL.into_iter().filter(|f| column.values.check(*f, 0).is_ok()).map(Base::name).collect();
    let chosen = search::automatic(column).map(Base::name);
    let (rows, padded) = (column.rows() as u64, column.padded_rows() as u64);
    let digest = units::hex(&column.source_digest);
    let unknown = |x: &Option<String>, instead: &str| x.clone().unwrap_or_else(|| instead.to_owned());
    let lines = vec![
        ("rows", format!("{}, padded with zeros to {}", units::count(rows), units::count(padded))),
        ("decimals", column.scale.to_string()),
        ("range", format!("{} to {}", unknown(&low, ""), unknown(&high, ""))),
        ("sum", unknown(&sum, "beyond 127 bits")),
        ("fields", format!("{}; `commit` takes {}", fields.join(", "), chosen.unwrap_or("none"))),
        ("source", format!("blake3 {digest}")),
    ];
    let value = json!({
        "name": column.name, "rows": rows, "padded_rows": padded, "bytes": null, "scheme": "pip",
        "scale": column.scale, "min": low, "max": high, "sum": sum,
        "fields": fields, "field_for_sums": chosen, "source_blake3": digest,
    });
    Facts { name: column.name.clone(), lines, value }
}
