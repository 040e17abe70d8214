//! `tenfold inspect`: what is in a file, byte by byte, and a picture of where the bytes go.

use super::failure::{failure, refused_file};
use super::{read_ours, ring};
use crate::args::{Common, InspectArgs};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::parts::Parts;
use crate::units;
use iop::error::ParamError;
use iop::security::{Policy, Report, Shown};
use pcs::file::{File, Kind};
use serde_json::{Value, json};
use tenfold::any::Part as Length;
use tenfold::statement::Description;
use tenfold::verify::parts;
use tenfold::{AnyParams, CommitmentFile};

/// The command.
pub fn run(args: &InspectArgs, common: &Common) -> Result<Exit, Failure> {
    let bytes = read_ours(&args.file, common)?;
    if ring_proof::file::is_ring(&bytes) {
        return ring::inspect(&bytes, common);
    }
    let file =
        File::decode(&bytes).map_err(|e| Failure::usage(e.to_string(), "give a file that tenfold wrote"))?;
    let malformed = || Failure::usage("malformed parameters", "give a file that tenfold wrote");
    let of = AnyParams::decode(file.scheme, &file.params).ok_or_else(malformed)?;
    let facts = if file.kind == Kind::Commitment {
        let report = in_range(of.validate(&Policy::at_least(0)))?;
        facts(&CommitmentFile::from_bytes(&bytes).map_err(|e| failure(e.into()))?, &report)
    } else {
        Facts::default()
    };
    let body = body_parts(&file)?;
    if !common.json {
        facts.iter().for_each(|(name, text, _)| output::line(format_args!("{name:<12} {text}")));
    }
    let value: serde_json::Map<String, Value> =
        facts.into_iter().map(|(name, _, value)| (name.replace(' ', "_"), value)).collect();
    show(&file, body, &of.outline(), value.into(), common);
    Ok(Exit::Valid)
}

/// What a commitment is to: name of the fact, text, value for JSON.
type Facts = Vec<(&'static str, String, Value)>;

fn facts(file: &CommitmentFile, report: &Report) -> Facts {
    let CommitmentFile { params, description, .. } = file;
    let openings = params.summary().hidden_openings;
    let rows = description.rows(params);
    let mut facts = match (description, params.unit()) {
        (Description::Bytes(bytes), Some(unit)) => {
            vec![
                ("file", bytes.shown(), json!(bytes.name)),
                ("bytes", units::count(bytes.length), json!(bytes.length)),
                ("rows", unit.several(rows), json!(rows)),
            ]
        }
        (Description::Column(column), _) => {
            let mut facts = vec![
                ("column", column.shown(), json!(column.name)),
                ("rows", units::count(column.rows), json!(column.rows)),
                ("decimals", column.scale.to_string(), json!(column.scale)),
            ];
            if let Some((length, width)) = column.bytes {
                let text = format!("{}, {width} in each row", units::count(length));
                facts.push(("bytes", text, json!(length)));
            }
            facts
        }
        (Description::Bytes(_), _) => Facts::default(),
    };
    let (bits, regime, field) = (report.proven_bits(), report.regime.to_string(), params.fields_name());
    let (digest, print) = (units::hex(&params.digest()), units::hex(&file.fingerprint()));
    let source = (openings == 0).then(|| units::hex(description.source()));
    let shown = source.as_ref().map_or("hidden".to_owned(), |source| format!("blake3 {source}"));
    facts.extend([
        ("field", field.to_owned(), json!(field)),
        ("proven bits", format!("{:.1}", Shown(bits)), json!(bits)),
        ("regime", regime.clone(), json!(regime)),
        ("parameters", digest.clone(), json!(digest)),
        ("fingerprint", print.clone(), json!(print)),
        ("source", shown, json!(source)),
        ("hidden openings", openings.to_string(), json!(openings)),
    ]);
    facts
}

/// What the body of a file about data is made of. Only a proof that verifies has a meaning for each of its bytes; of a weighted sum all but the
/// weights is checked, which are not in the file.
fn body_parts(file: &File) -> Result<Vec<Length>, Failure> {
    if file.kind == Kind::Commitment {
        return Ok(vec![(file.body.len(), "description and commitment".into())]);
    }
    parts(file, &Policy::at_least(0)).map_err(refused_file)
}

/// What is shown of a commitment computes with its parameters, so they must at least be in range.
fn in_range(validated: Result<Report, ParamError>) -> Result<Report, Failure> {
    validated.map_err(|e| {
        let message = format!("the file's parameters are refused: {}", e.0);
        Failure::usage(message, "give a file that tenfold wrote")
    })
}

/// Prints the parts of a file, those of its body given, and `facts`, an object that JSON has too.
pub(super) fn show(file: &File, body: Vec<Length>, layout: &[String], mut facts: Value, common: &Common) {
    let header = file.header_parts().map(|(length, name)| (length, name.to_owned()));
    let parts = Parts::of(header.into_iter().chain(body));
    if common.json {
        facts["layout"] = json!(layout);
        facts["parts"] = parts.json();
        output::line(format_args!("{facts:#}"));
    } else {
        layout.iter().for_each(output::line);
        output::line(format_args!("\n{parts}"));
    }
}
