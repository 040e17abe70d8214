//! What a commitment is to.

use super::Fact;
use crate::file::CommitmentFile;
use crate::statement::Description;
use crate::text::{count, hex};
use alloc::borrow::ToOwned;
use alloc::string::ToString;
use alloc::vec::Vec;
use iop::security::{Report, Shown};
use serde_json::json;

/// Data, parameters and fingerprint of a commitment, whose parameters have this report.
#[must_use]
pub fn commitment(file: &CommitmentFile, report: &Report) -> Vec<Fact> {
    let CommitmentFile { params, description, .. } = file;
    let openings = params.summary().hidden_openings;
    let rows = description.rows(params);
    let mut facts = match (description, params.unit()) {
        (Description::Bytes(bytes), Some(unit)) => {
            vec![
                ("file", bytes.shown(), json!(bytes.name)),
                ("data bytes", count(bytes.length), json!(bytes.length)),
                ("rows", unit.several(rows), json!(rows)),
            ]
        }
        (Description::Column(column), _) => {
            let mut facts = vec![
                ("column", column.shown(), json!(column.name)),
                ("rows", count(column.rows), json!(column.rows)),
                ("decimals", column.scale.to_string(), json!(column.scale)),
            ];
            if let Some((length, width)) = column.bytes {
                let text = format!("{}, {width} in each row", count(length));
                facts.push(("data bytes", text, json!(length)));
            }
            facts
        }
        (Description::Table(table), _) => {
            let names: Vec<_> = table.columns.iter().map(|column| column.shown()).collect();
            let columns =
                table.columns.iter().map(|column| json!({ "name": column.name, "decimals": column.scale }));
            vec![
                ("table", table.shown(), json!(table.name)),
                ("columns", names.join(", "), columns.collect()),
                ("rows", count(table.rows()), json!(table.rows())),
            ]
        }
        (Description::Bytes(_), _) => Vec::new(),
    };
    let (bits, regime, field) = (report.proven_bits(), report.regime.to_string(), params.fields_name());
    let theorems = report.theorems.to_string();
    let (digest, print) = (hex(&params.digest()), hex(&file.fingerprint()));
    let source = (openings == 0).then(|| hex(&description.source()));
    let shown = source.clone().unwrap_or_else(|| "hidden".to_owned());
    facts.extend([
        ("field", field.to_owned(), json!(field)),
        ("proven bits", format!("{:.1}", Shown(bits)), json!(bits)),
        ("theorems", theorems.clone(), json!(theorems)),
        ("regime", regime.clone(), json!(regime)),
        ("parameters digest", digest.clone(), json!(digest)),
        ("fingerprint", print.clone(), json!(print)),
        ("source blake3", shown, json!(source)),
        ("hidden openings", openings.to_string(), json!(openings)),
    ]);
    facts
}
