//! The inner product of a file's entries with public weights, the entries of another file: `open --weights`, and what
//! `verify` and `inspect` do with the proof. (notes: linear-forms-weighted)

use super::open::witness;
use super::params::validated;
use super::source::{Source, within_memory};
use super::verify::verified;
use super::{Blob, Committed, Unit};
use crate::args::{Common, OpenArgs, WeightsArgs};
use crate::commands::scheme::{refused, refused_file};
use crate::commands::subject::shown;
use crate::commands::verified::Verified;
use crate::commands::verify::malformed;
use crate::commands::weighted::other_weights;
use crate::data;
use crate::exit::Failure;
use crate::progress::Progress;
use crate::units;
use iop::hash::Digest;
use iop::security::Policy;
use pcs::file::{File, Kind};
use pcs::ligerito::Params;
use serde_json::json;
use tenfold::AnyScheme;
use tenfold::any::{OTHER_WEIGHTS, WeightedStatement, Weights as AnyWeights};
use tenfold::verify::{Limits, Refused};

/// The bytes of a file of weights.
pub struct Weights {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

/// Reads the weights, if there are any.
///
/// # Errors
/// As for the file that is committed to.
pub fn load(
    args: &WeightsArgs,
    common: &Common,
    progress: &mut Progress,
) -> Result<Option<Weights>, Failure> {
    let Some(path) = &args.weights else { return Ok(None) };
    if args.weights_column.is_some() {
        let message =
            "--weights-column is about columns of numbers, and this commitment is to a file of bytes";
        return Err(Failure::usage(message, "leave it out: the weights are the bytes of their file"));
    }
    let of_weights =
        |failure: Failure| Failure { message: format!("weights: {}", failure.message), ..failure };
    let opened = data::Source::open(path, |file, size| progress.reading(file, size));
    let source =
        opened.map_err(Failure::from).and_then(|data| Source::of(data, common)).map_err(of_weights)?;
    within_memory(source.length, common, "raise `--max-memory`").map_err(of_weights)?;
    let (name, bytes) = (source.name.clone(), source.bytes().map_err(of_weights)?);
    progress.end();
    Ok(Some(Weights { name, bytes }))
}

impl Weights {
    /// Refuses weights for another file than one with so many bytes.
    fn check(&self, length: u64) -> Result<(), Failure> {
        if self.bytes.len() as u64 != length {
            let message = format!(
                "there are {} bytes of weights, the file has {}",
                units::count(self.bytes.len() as u64),
                units::count(length)
            );
            return Err(Failure::usage(
                message,
                "give as many bytes of weights as the file has, 0 for no weight",
            ));
        }
        Ok(())
    }
}

/// Refuses what does not fit the memory: so many elements of the alphabet for each of so many entries.
fn check_memory(params: &Params, entries: u64, elements: u64, common: &Common) -> Result<(), Failure> {
    let entry = (params.fields.base_bytes() as u64).saturating_mul(elements);
    let need = entries.saturating_mul(entry);
    within_memory(need, common, "raise `--max-memory`, or commit to larger --entries")
}

/// `open --weights`: the proof file.
pub fn open(
    committed: &Committed,
    weights: &Weights,
    (args, common): (&OpenArgs, &Common),
    progress: &mut Progress,
) -> Result<File<'static>, Failure> {
    let Committed { params, blob, .. } = committed;
    if !args.what.row.is_empty() || args.what.point.is_some() {
        let message = "a weighted sum is a proof of its own";
        return Err(Failure::usage(message, "prove rows and points without --weights"));
    }
    let policy = args.policy.policy();
    let scheme = validated(params, &policy)?;
    let need = params.weighted_memory() + weights.bytes.len() as u64;
    within_memory(need, common, "raise `--max-memory`, or commit to larger --entries")?;
    weights.check(blob.length)?;
    let mut prover = scheme.prover();
    let mut witness = witness(&mut prover, committed, args, (common, progress))?;
    progress.phase("proving");
    let elements = prover.weights(AnyWeights::Bytes(&weights.bytes));
    let elements =
        elements.map_err(|e| Failure::usage(e.to_string(), "give as many bytes as the file has"))?;
    prover.open_weighted(&mut witness, elements, &blob.encode(), &policy).map_err(refused)
}

/// Verifies a proof file with the weights given for it.
///
/// # Errors
/// [`crate::exit::Exit::Usage`] if it is no proof of a weighted sum or the weights are too many or too few,
/// [`crate::exit::Exit::Invalid`] if it does not hold with these weights.
pub fn describe(
    file: &File,
    policy: &Policy,
    weights: &Weights,
    common: &Common,
) -> Result<Verified, Failure> {
    match file.kind {
        Kind::Weighted => {}
        Kind::Opening => {
            return Err(Failure::usage("this proof has no weights", "verify it without --weights"));
        }
        Kind::Commitment => return Err(malformed("this file is no proof; it is a commitment")),
        Kind::Members | Kind::Key => return Err(malformed("this file is no proof")),
    }
    let (scheme, params, blob, named) = of_blob(file, policy)?;
    let unit = Unit::of(&params);
    check_memory(&params, unit.count(weights.bytes.len() as u64), 1, common)?;
    weights.check(blob.length)?;
    let limits = Limits { policy: *policy, max_memory: u64::MAX };
    let proven = scheme.verify_weighted(file, AnyWeights::Bytes(&weights.bytes), &limits);
    let proven = proven.map_err(|e| match e {
        Refused::Proof(reason) if reason == OTHER_WEIGHTS => other_weights(),
        other => refused_file(other),
    })?;
    let value = proven.claims.first().and_then(|stated| stated.values.first()).cloned().unwrap_or_default();
    let product = unit
        .integer_of_base(&value)
        .ok_or_else(|| Failure::invalid(format!("the proof states a value that is no {}", unit.name())))?;
    let claims = vec![words(&unit.text(product), weights, &blob, unit)];
    let mut verified = verified((params, blob, proven.commitment), proven.report, claims);
    verified.facts.insert("inner_product".into(), json!(format!("{product:#x}")));
    verified.facts.insert("weights_digest".into(), json!(units::hex(&named)));
    Ok(verified)
}

/// The claim in words.
fn words(product: &str, weights: &Weights, blob: &Blob, unit: Unit) -> String {
    let (rows, name, by) = (unit.count(blob.length), blob.shown(), shown(&weights.name));
    let beyond = match unit.beyond(rows.saturating_sub(1), blob.length) {
        0 => String::new(),
        n => format!(", the highest {n} byte(s) of the last one being padding"),
    };
    let (all, field) = (unit.several(rows), unit.field());
    format!("the inner product of all {all} of {name} with those of {by} is {product} in {field}{beyond}")
}

/// The scheme of a proof about a file of bytes, what its context says of the file, and the digest of the weights; the proof is not
/// verified.
pub(super) fn of_blob(file: &File, policy: &Policy) -> Result<(AnyScheme, Params, Blob, Digest), Failure> {
    let params = Params::decode(&file.params).ok_or_else(|| malformed("malformed parameters"))?;
    let scheme = AnyScheme::of_file(file, policy).map_err(refused_file)?;
    let WeightedStatement { weights, context, .. } = scheme.weighted_statement(file).map_err(refused_file)?;
    let blob =
        Blob::decode(&context).ok_or_else(|| malformed("the proof does not say what was committed to"))?;
    if !blob.fits(&params) {
        return Err(Failure::invalid("the stated length does not fit the commitment"));
    }
    Ok((scheme, params, blob, weights))
}
