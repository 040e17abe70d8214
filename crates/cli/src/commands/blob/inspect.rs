//! `tenfold inspect` for a file of bytes.

use super::Committed;
use super::Unit;
use super::params::layout;
use super::verify::read;
use super::weighted::of_blob;
use crate::commands::inspect::{Facts, in_range, of_commitment, proven};
use crate::commands::scheme::refused_file;
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
        ("rows", unit.several(rows), json!(rows)),
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
    let params = Params::decode(&file.params).ok_or_else(|| malformed("malformed parameters"))?;
    let parts = match file.kind {
        Kind::Commitment => {
            in_range(params.validate(&Policy::at_least(0)))?;
            Committed::decode(bytes)?;
            of_commitment(file)
        }
        // Only a proof that verifies has a meaning for each of its bytes.
        Kind::Opening => read(file, &Policy::at_least(0))?.1,
        // All but the weights is checked, which are not in the file.
        Kind::Weighted => {
            let scheme = of_blob(file, &Policy::at_least(0))?.0;
            scheme.weighted_parts(file, &Policy::at_least(0)).map_err(refused_file)?
        }
        Kind::Members | Kind::Key => return Err(malformed("this file is no file of bytes")),
    };
    Ok((layout(&params), parts))
}
