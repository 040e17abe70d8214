//! `tenfold verify` for a file of bytes: what a proof says, and whether it holds.

use super::unit::hex;
use super::{Blob, Committed, Unit};
use crate::commands::scheme::refused;
use crate::commands::verified::Verified;
use crate::commands::verify::{malformed, opening};
use crate::commands::words::{of_form, row};
use crate::exit::Failure;
use crate::units;
use field::{Alphabet, ExtensionOf};
use iop::error::Invalid;
use iop::poly::Tensor;
use iop::security::{Policy, Report};
use iop::transcript::Call;
use pcs::file::{File, Opening};
use pcs::ligerito::{Params, Scheme};
use pcs::with_binary_fields;
use serde_json::{Map, json};

/// Verifies a proof file of this scheme.
///
/// # Errors
/// As [`crate::commands::verify::describe`].
pub fn describe(file: &File, policy: &Policy) -> Result<Verified, Failure> {
    let params = Params::decode(&file.params).ok_or_else(|| malformed("malformed parameters"))?;
    with_binary_fields!(params.fields, B, E => verify::<B, E>(file, params, policy))
}

fn verify<B: Alphabet, E: ExtensionOf<B>>(
    file: &File,
    params: Params,
    policy: &Policy,
) -> Result<Verified, Failure> {
    let Read { body, blob, report, .. } = read::<B, E>(file, &params, policy)?;
    let unit = Unit::of(&params);
    let values = body.claims.values.iter().map(|values| values.first().copied().unwrap_or(E::ZERO));
    let said =
        body.claims.forms.iter().zip(values).map(|(form, value)| words::<B, E>(form, value, &blob, unit));
    let claims = said.collect::<Result<_, _>>()?;
    Ok(verified((params, blob, body.commitment), report, claims))
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

/// A proof that holds.
pub(super) struct Read<'a, E> {
    /// The content of the file.
    pub body: Opening<'a, E>,
    /// The calls of the transcript.
    pub script: Vec<Call>,
    blob: Blob,
    report: Report,
}

/// Reads and verifies the proof in a file with these parameters.
pub(super) fn read<'a, B: Alphabet, E: ExtensionOf<B>>(
    file: &'a File,
    params: &Params,
    policy: &Policy,
) -> Result<Read<'a, E>, Failure> {
    let invalid = |e: Invalid| Failure::invalid(e.to_string());
    let scheme = Scheme::<B, E>::new(params.clone(), policy).map_err(refused)?;
    if params.polynomials != 1 || params.hidden_openings != 0 {
        return Err(Failure::invalid("the commitment is not to one file as it is, which the file describes"));
    }
    let body = opening::<E>(file, params.digest(), params.hash)?;
    let blob = Blob::decode(&body.claims.context)
        .ok_or_else(|| malformed("the proof does not say what was committed to"))?;
    if !blob.fits(params) {
        return Err(Failure::invalid("the stated length does not fit the commitment"));
    }
    let commitment = scheme.read_commitment(&body.commitment).map_err(invalid)?;
    let script = scheme.script(&commitment, &body.claims, &body.proof).map_err(invalid)?;
    Ok(Read { body, script, blob, report: scheme.report().clone() })
}

/// A claim in words. What lies beyond the end of the file is called padding: nothing proves that it is zero.
fn words<B: Alphabet, E: ExtensionOf<B>>(
    form: &Tensor<E>,
    value: E,
    blob: &Blob,
    unit: Unit,
) -> Result<String, Failure> {
    let (name, entry) = (blob.shown(), unit.name());
    let Some(row) = row(form) else {
        let form = of_form(form, &format!("the {entry}s of {name}"), hex);
        return Ok(format!("{form} is {}", hex(value)));
    };
    let integer = unit
        .integer::<B, E>(value)
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
