//! `tenfold inspect` for a file of bytes.

use super::Committed;
use super::Unit;
use super::params::layout;
use crate::commands::inspect::{Facts, from_file, in_range, proven};
use crate::exit::Failure;
use crate::units;
use iop::security::Policy;
use pcs::file::{File, Kind};
use pcs::ligerito::Params;
use serde_json::json;
use tenfold::any::Part as Length;

/// What a commitment to a file of bytes is to.
pub fn facts(bytes: &[u8]) -> Result<Facts, Failure> {
    let Committed { params, blob, .. } = Committed::decode(bytes)?;
    let report = in_range(params.validate(&Policy::at_least(0)))?;
    let unit = Unit::of(&params);
    let rows = unit.count(blob.length);
    let mut facts = vec![
        ("file", blob.shown(), json!(blob.name)),
        ("bytes", units::count(blob.length), json!(blob.length)),
        ("rows", super::several(unit, rows), json!(rows)),
    ];
    facts.extend(proven(params.fields.name(), &params.digest(), &report, bytes));
    let source = units::hex(&blob.source);
    facts.push(("source", format!("blake3 {source}"), json!(source)));
    facts.push(("hidden openings", params.hidden_openings.to_string(), json!(params.hidden_openings)));
    Ok(facts)
}

/// The matrices of the parameters in words, and what the file's body is made of.
pub fn parts(file: &File, bytes: &[u8]) -> Result<(Vec<String>, Vec<Length>), Failure> {
    let malformed = |what: &str| Failure::usage(what, "give a file that tenfold wrote");
    let params =
        Params::decode(file.scheme, &file.params).ok_or_else(|| malformed("malformed parameters"))?;
    if file.kind == Kind::Commitment {
        in_range(params.validate(&Policy::at_least(0)))?;
    }
    Ok((layout(&params), from_file(file, bytes)?))
}
