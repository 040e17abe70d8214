//! `tenfold inspect`: what is in a file, byte by byte, and a picture of where the bytes go.

use super::committed::Committed;
use super::scheme::refused_file;
use super::verified::fingerprint;
use super::{blob, committed, read_ours, ring};
use crate::args::{Common, InspectArgs};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::table::bars;
use crate::units;
use iop::error::ParamError;
use iop::security::{Policy, Report, Shown};
use pcs::file::{File, Kind, SchemeId};
use pcs::pip::Params;
use serde_json::{Value, json};
use tenfold::any::Part as Length;
use tenfold::verify::parts;

/// A run of bytes with its meaning.
pub(super) struct Part {
    pub offset: usize,
    length: usize,
    pub name: String,
}

/// The command.
pub fn run(args: &InspectArgs, common: &Common) -> Result<Exit, Failure> {
    let bytes = read_ours(&args.file, common)?;
    if ring::is_ring(&bytes) {
        return ring::inspect(&bytes, common);
    }
    let file =
        File::decode(&bytes).map_err(|e| Failure::usage(e.to_string(), "give a file that tenfold wrote"))?;
    let start = bytes.len() - file.body.len();
    let mut parts = header(&file);
    let layout = if file.scheme == SchemeId::Ligerito {
        let (layout, body) = blob::inspect::parts(&file, &bytes)?;
        parts.extend(sequence(start, body));
        layout
    } else {
        let (params, body) = column_parts(&file, &bytes)?;
        parts.extend(sequence(start, body));
        super::params::layout(&params)
    };
    let facts = match (file.kind, file.scheme) {
        (Kind::Commitment, SchemeId::Ligerito) => blob::inspect::facts(&bytes)?,
        (Kind::Commitment, _) => column_facts(&bytes)?,
        _ => Facts::default(),
    };
    if !common.json {
        facts.iter().for_each(|(name, text, _)| output::line(format_args!("{name:<12} {text}")));
    }
    let value: serde_json::Map<String, Value> =
        facts.into_iter().map(|(name, _, value)| (name.replace(' ', "_"), value)).collect();
    show(&parts, &layout, value.into(), common);
    Ok(Exit::Valid)
}

/// What a commitment is to: name of the fact, text, value for JSON.
pub(super) type Facts = Vec<(&'static str, String, Value)>;

fn column_facts(bytes: &[u8]) -> Result<Facts, Failure> {
    let Committed { params, subject, .. } = Committed::decode(bytes)?;
    let report = in_range(params.validate(&Policy::at_least(0)))?;
    let hides = params.hidden_openings > 0;
    let source = if hides { "hidden".to_owned() } else { format!("blake3 {}", units::hex(&subject.source)) };
    let mut facts = vec![
        ("column", subject.shown(), json!(subject.name)),
        ("rows", units::count(subject.rows), json!(subject.rows)),
        ("decimals", subject.scale.to_string(), json!(subject.scale)),
    ];
    if let Some((length, width)) = subject.bytes {
        let text = format!("{}, {width} in each row", units::count(length));
        facts.push(("bytes", text, json!(length)));
    }
    facts.extend(proven(params.fields.name(), &params.digest(), &report, bytes));
    facts.push(("source", source, json!((!hides).then(|| units::hex(&subject.source)))));
    facts.push(("hidden openings", params.hidden_openings.to_string(), json!(params.hidden_openings)));
    Ok(facts)
}

/// The field, the proven bits, the digest of the parameters and the fingerprint of a commitment file.
pub(super) fn proven(field: &str, params: &[u8], report: &Report, bytes: &[u8]) -> Facts {
    let (bits, print, params) = (report.proven_bits(), fingerprint(bytes), units::hex(params));
    vec![
        ("field", field.to_owned(), json!(field)),
        ("proven bits", format!("{:.1}", Shown(bits)), json!(bits)),
        ("regime", report.regime.to_string(), json!(report.regime.to_string())),
        ("parameters", params.clone(), json!(params)),
        ("fingerprint", print.clone(), json!(print)),
    ]
}

/// The parameters in a file about a column, and what its body is made of.
fn column_parts(file: &File, bytes: &[u8]) -> Result<(Params, Vec<Length>), Failure> {
    let params = Params::decode(SchemeId::Pip, &file.params)
        .ok_or_else(|| Failure::usage("malformed parameters", "give a file that tenfold wrote"))?;
    if file.kind == Kind::Commitment {
        in_range(params.validate(&Policy::at_least(0)))?;
    }
    Ok((params, from_file(file, bytes)?))
}

/// What the body of a file about data is made of. Only a proof that verifies has a meaning for each of its bytes; of a weighted sum all but the
/// weights is checked, which are not in the file.
pub(super) fn from_file(file: &File, bytes: &[u8]) -> Result<Vec<Length>, Failure> {
    if file.kind == Kind::Commitment {
        committed::check(bytes)?;
        return Ok(vec![(file.body.len(), "description and commitment".into())]);
    }
    parts(file, &Policy::at_least(0)).map_err(refused_file)
}

/// What is shown of a commitment computes with its parameters, so they must at least be in range.
pub(super) fn in_range(validated: Result<Report, ParamError>) -> Result<Report, Failure> {
    validated.map_err(|e| {
        let message = format!("the file's parameters are refused: {}", e.0);
        Failure::usage(message, "give a file that tenfold wrote")
    })
}

/// The header of a file.
pub(super) fn header(file: &File) -> Vec<Part> {
    let lengths = [
        (4, "magic TNFD"),
        (2, "version"),
        (1, "kind"),
        (1, "scheme"),
        (8 + file.params.len(), "parameters with their length"),
        (32, "parameter digest"),
        (32, "statement digest"),
        (8, "length of the body"),
    ];
    sequence(0, lengths.map(|(n, name)| (n, name.to_owned())))
}

/// Runs of bytes one after the other, from `offset` on.
pub(super) fn sequence(mut offset: usize, parts: impl IntoIterator<Item = Length>) -> Vec<Part> {
    let mut out = Vec::new();
    for (length, name) in parts {
        if length > 0 {
            out.push(Part { offset, length, name });
        }
        offset += length;
    }
    out
}

/// Prints the parts, and `facts`, an object that JSON has too.
pub(super) fn show(parts: &[Part], layout: &[String], mut facts: Value, common: &Common) {
    let mut totals: Vec<(String, u64, String)> = Vec::new();
    for part in parts {
        match totals.iter_mut().find(|t| t.0 == part.name) {
            Some(total) => total.1 += part.length as u64,
            None => totals.push((part.name.clone(), part.length as u64, String::new())),
        }
    }
    totals.iter_mut().for_each(|t| t.2 = units::bytes(t.1));
    totals.sort_by_key(|t| core::cmp::Reverse(t.1));
    if common.json {
        let parts: Vec<_> =
            parts.iter().map(|p| json!({ "offset": p.offset, "bytes": p.length, "part": p.name })).collect();
        if let Value::Object(object) = &mut facts {
            object.insert("layout".into(), json!(layout));
            object.insert("parts".into(), json!(parts));
        }
        output::line(format_args!("{facts:#}"));
        return;
    }
    for line in layout {
        output::line(format_args!("{line}"));
    }
    output::line(format_args!("\n{:>10}  {:>9}  part", "offset", "bytes"));
    for part in parts {
        output::line(format_args!("{:>10}  {:>9}  {}", part.offset, part.length, part.name));
    }
    output::line(format_args!("\n{}", bars(&totals, 48)));
}
