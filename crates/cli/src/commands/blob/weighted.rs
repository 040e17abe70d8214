//! The inner product of a file's entries with public weights, the entries of another file: `open --weights`, and what
//! `verify` and `inspect` do with the proof. (notes: linear-forms-weighted)

use super::open::witness;
use super::source::{Source, within_memory};
use super::verify::verified;
use super::{Blob, Committed, Unit};
use crate::args::{Common, OpenArgs, WeightsArgs};
use crate::commands::scheme::refused;
use crate::commands::subject::shown;
use crate::commands::verified::Verified;
use crate::commands::verify::malformed;
use crate::commands::weighted::{Read, read};
use crate::data;
use crate::exit::Failure;
use crate::progress::Progress;
use crate::units;
use field::{Alphabet, ExtensionOf, Field};
use iop::security::Policy;
use pcs::file::{File, Kind, SchemeId};
use pcs::ligerito::{self, Params, unpack_bytes};
use pcs::weighted::{self, Claim, Opening, Prover};
use pcs::with_binary_fields;
use serde_json::json;

type Scheme<B, E> = weighted::Scheme<ligerito::Scheme<B, E>>;

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
    /// One element for each entry of a file with as many bytes.
    fn elements<B: Field>(&self, params: &Params, length: u64) -> Result<Vec<B>, Failure> {
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
        Ok(unpack_bytes(&self.bytes, params.entries))
    }
}

/// Refuses what does not fit the memory: so many elements of the alphabet for each of so many entries.
fn check_memory(params: &Params, entries: u64, elements: u64, common: &Common) -> Result<(), Failure> {
    let entry = (params.fields.base_bytes() as u64).saturating_mul(elements);
    let need = entries.saturating_mul(entry);
    within_memory(need, common, "raise `--max-memory`, or commit to larger --entries")
}

/// `open --weights`: the proof file.
pub fn open<B: Alphabet, E: ExtensionOf<B>>(
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
    let scheme = Scheme::<B, E>::new(params.clone(), &policy).map_err(refused)?;
    let need = params.weighted_memory() + weights.bytes.len() as u64;
    within_memory(need, common, "raise `--max-memory`, or commit to larger --entries")?;
    let elements = weights.elements::<B>(params, blob.length)?;
    let mut witness = witness(scheme.inner(), committed, args, (common, progress))?;
    progress.phase("proving");
    let (claim, proof) = Prover::new(&scheme).open(&mut witness, elements, &blob.encode());
    let (commitment, statement) = (witness.commitment().to_bytes(), claim.statement(params.hash));
    Ok(File {
        kind: Kind::Weighted,
        scheme: SchemeId::Ligerito,
        params: params.encode(),
        params_digest: params.digest(),
        statement: statement.digest(params.hash, &commitment),
        body: Opening { commitment, statement, proof: proof.into() }.encode().into(),
    })
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
    let params = Params::decode(&file.params).ok_or_else(|| malformed("malformed parameters"))?;
    with_binary_fields!(params.fields, B, E => verify::<B, E>(file, (params, policy), weights, common))
}

fn verify<B: Alphabet, E: ExtensionOf<B>>(
    file: &File,
    (params, policy): (Params, &Policy),
    weights: &Weights,
    common: &Common,
) -> Result<Verified, Failure> {
    let (Read { scheme, opening, commitment }, blob) = of_blob::<B, E>(file, &params, policy)?;
    let unit = Unit::of(&params);
    check_memory(&params, unit.count(weights.bytes.len() as u64), 1, common)?;
    let (value, named) = (opening.statement.value, opening.statement.weights);
    let elements = weights.elements::<B>(&params, blob.length)?;
    let claim = Claim { weights: elements, value, context: opening.statement.context };
    if claim.statement(params.hash).weights != named {
        return Err(Failure::invalid("the proof is about other weights than these"));
    }
    scheme.verify(&commitment, &claim, &opening.proof).map_err(|e| Failure::invalid(e.to_string()))?;
    let product = unit
        .integer::<B, E>(E::lift(value))
        .ok_or_else(|| Failure::invalid(format!("the proof states a value that is no {}", unit.name())))?;
    let claims = vec![words(&unit.text(product), weights, &blob, unit)];
    let mut verified = verified((params, blob, opening.commitment), scheme.report().clone(), claims);
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

/// A proof about a file of bytes, and what its context says of the file.
pub(super) fn of_blob<'a, B: Alphabet, E: ExtensionOf<B>>(
    file: &'a File,
    params: &Params,
    policy: &Policy,
) -> Result<(Read<'a, ligerito::Scheme<B, E>>, Blob), Failure> {
    let read = read(file, params.clone(), policy)?;
    let blob = Blob::decode(&read.opening.statement.context)
        .ok_or_else(|| malformed("the proof does not say what was committed to"))?;
    if !blob.fits(params) {
        return Err(Failure::invalid("the stated length does not fit the commitment"));
    }
    Ok((read, blob))
}
