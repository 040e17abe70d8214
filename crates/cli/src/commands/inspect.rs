//! `tenfold inspect`: what is in a file, byte by byte, and a picture of where the bytes go.

use super::read_file;
use super::verify::describe;
use super::weighted;
use crate::args::{Common, InspectArgs};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::table::bars;
use crate::units;
use field::{ExtensionOf, TwoAdic};
use iop::security::Policy;
use iop::transcript::{Call, Kind as CallKind};
use pcs::file::{File, Kind, Opening, SchemeId};
use pcs::pip::Params;
use pcs::with_fields;
use serde_json::json;

/// A run of bytes with its meaning.
struct Part {
    offset: usize,
    length: usize,
    name: String,
}

/// The command.
pub fn run(args: &InspectArgs, common: &Common) -> Result<Exit, Failure> {
    let bytes = read_file(&args.file)?;
    let file =
        File::decode(&bytes).map_err(|e| Failure::usage(e.to_string(), "give a file that tenfold wrote"))?;
    let params = Params::decode(&file.params)
        .ok_or_else(|| Failure::usage("malformed parameters", "give a file that tenfold wrote"))?;
    let mut parts = header(&file);
    let start = bytes.len() - file.body.len();
    if file.kind == Kind::Weighted && file.scheme == SchemeId::Pip {
        // All but the weights is checked, which are not in the file.
        let (head, script) = with_fields!(params.fields, B, E => weighted::parts::<B, E>(&file, &params))?;
        let head = head.into_iter().map(|(length, name)| (length, name.to_owned()));
        parts.extend(sequence(start, head.chain(messages(script))));
    } else if file.kind != Kind::Commitment {
        // Only a proof that verifies has a meaning for each of its bytes.
        describe(&bytes, 0)?;
        let messages = with_fields!(params.fields, B, E => proof_parts::<B, E>(&file, &params))?;
        parts.extend(messages.into_iter().map(|p| Part { offset: p.offset + start, ..p }));
    } else {
        // What is shown computes with the parameters, so they must at least be in range.
        params.validate(&Policy { min_bits: 0 }).map_err(|e| {
            Failure::usage(
                format!("the file's parameters are refused: {}", e.0),
                "give a file that tenfold wrote",
            )
        })?;
        parts.push(Part {
            offset: start,
            length: file.body.len(),
            name: "description and commitment".into(),
        });
    }
    show(&parts, &params, common);
    Ok(Exit::Valid)
}

fn header(file: &File) -> Vec<Part> {
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

fn sequence(mut offset: usize, parts: impl IntoIterator<Item = (usize, String)>) -> Vec<Part> {
    let mut out = Vec::new();
    for (length, name) in parts {
        if length > 0 {
            out.push(Part { offset, length, name });
        }
        offset += length;
    }
    out
}

fn proof_parts<B: TwoAdic, E: ExtensionOf<B>>(file: &File, params: &Params) -> Result<Vec<Part>, Failure> {
    let scheme = super::scheme::validated::<B, E>(params, 0)?;
    let invalid = |e: iop::error::Invalid| Failure::invalid(e.to_string());
    let body = Opening::<E>::decode(&file.body).map_err(|e| Failure::invalid(e.to_string()))?;
    let commitment = scheme.read_commitment(&body.commitment).map_err(invalid)?;
    let script = scheme.script(&commitment, &body.claims, &body.proof).map_err(invalid)?;
    let claims = body.claims.encode().len();
    let mut parts = vec![
        (8 + body.commitment.len(), "commitment with its length".to_owned()),
        (8 + claims, "claims with their length".to_owned()),
        (8, "length of the proof".to_owned()),
    ];
    parts.extend(messages(script));
    Ok(sequence(0, parts))
}

/// The calls of a transcript that have bytes in the proof.
fn messages(script: Vec<Call>) -> impl Iterator<Item = (usize, String)> {
    let in_proof = |kind| matches!(kind, CallKind::Send | CallKind::Hint | CallKind::Nonce);
    script.into_iter().filter(move |c| in_proof(c.kind)).map(|c| (c.length, c.label.to_owned()))
}

fn show(parts: &[Part], params: &Params, common: &Common) {
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
        output::line(format_args!(
            "{:#}",
            json!({ "layout": super::params::layout(params), "parts": parts })
        ));
        return;
    }
    for line in super::params::layout(params) {
        output::line(format_args!("{line}"));
    }
    output::line(format_args!("\n{:>10}  {:>9}  part", "offset", "bytes"));
    for part in parts {
        output::line(format_args!("{:>10}  {:>9}  {}", part.offset, part.length, part.name));
    }
    output::line(format_args!("\n{}", bars(&totals, 48)));
}
