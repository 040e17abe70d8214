//! `tenfold verify` for a file of bytes: what a proof says, and whether it holds.

use super::unit::hex;
use super::{Blob, Committed, Unit};
use crate::commands::scheme::refused_file;
use crate::commands::verified::Verified;
use crate::commands::verify::malformed;
use crate::commands::words::{of_form, row};
use crate::exit::Failure;
use crate::units;
use iop::security::{Policy, Report};
use pcs::file::File;
use pcs::ligerito::Params;
use serde_json::{Map, json};
use tenfold::AnyScheme;
use tenfold::any::Part;
use tenfold::verify::Stated;

/// Verifies a proof file of this scheme.
///
/// # Errors
/// As [`crate::commands::verify::describe`].
pub fn describe(file: &File, policy: &Policy) -> Result<Verified, Failure> {
    read(file, policy).map(|(verified, _)| verified)
}

/// What is proven about a committed file.
pub(super) fn verified(
    (params, blob, commitment): (Params, Blob, Vec<u8>),
    report: Report,
    claims: Vec<String>,
) -> Verified {
    let unit = Unit::of(&params);
    let subject = [
        ("field", json!(params.fields.name())),
        ("entries", json!(unit.name())),
        ("rows", json!(unit.count(blob.length))),
        ("length", json!(blob.length)),
        ("source_blake3", json!(units::hex(&blob.source))),
    ];
    Verified {
        regime: params.regime.to_string(),
        hidden_openings: params.hidden_openings,
        mask: None,
        claims,
        report,
        subject: subject.map(|(name, value)| (name.to_owned(), value)).into_iter().collect(),
        facts: Map::new(),
        committed: Committed { params, blob, commitment }.encode(),
    }
}

/// Verifies the proof in a file: what it says, and the meaning of each byte of its body.
pub(super) fn read(file: &File, policy: &Policy) -> Result<(Verified, Vec<Part>), Failure> {
    let params = Params::decode(&file.params).ok_or_else(|| malformed("malformed parameters"))?;
    let scheme = AnyScheme::of_file(file, policy).map_err(refused_file)?;
    if params.polynomials != 1 || params.hidden_openings != 0 {
        return Err(Failure::invalid("the commitment is not to one file as it is, which the file describes"));
    }
    let (opening, parts) = scheme.verify(file).map_err(refused_file)?;
    let blob = Blob::decode(&opening.context)
        .ok_or_else(|| malformed("the proof does not say what was committed to"))?;
    if !blob.fits(&params) {
        return Err(Failure::invalid("the stated length does not fit the commitment"));
    }
    let claims = opening.claims.iter().map(|stated| words(stated, &scheme, &blob, Unit::of(&params)));
    let claims = claims.collect::<Result<_, _>>()?;
    Ok((verified((params, blob, opening.commitment), opening.report, claims), parts))
}

/// A claim in words. What lies beyond the end of the file is called padding: nothing proves that it is zero.
fn words(
    Stated { form, values }: &Stated,
    scheme: &AnyScheme,
    blob: &Blob,
    unit: Unit,
) -> Result<String, Failure> {
    let (name, entry) = (blob.shown(), unit.name());
    let value = values.first().map_or(&[][..], Vec::as_slice);
    let Some(row) = row(form) else {
        let form = of_form(form, scheme.summary().variables, &format!("the {entry}s of {name}"), hex);
        return Ok(format!("{form} is {}", hex(value)));
    };
    let integer = unit
        .integer(scheme, value)
        .ok_or_else(|| Failure::invalid(format!("the proof states a value that is no {entry}")))?;
    let value = unit.text(integer);
    if row >= unit.count(blob.length) {
        return Ok(format!("padding {entry} {row} of {name} is {value}"));
    }
    Ok(match unit.beyond(row, blob.length) {
        0 => format!("{entry} {row} of {name} is {value}"),
        n => format!("{entry} {row} of {name} is {value}, its highest {n} byte(s) being padding"),
    })
}
