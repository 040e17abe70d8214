//! `tenfold verify`: reads a proof file, says what it proves, and whether it does.

use super::commit::Committed;
use super::scheme::base_of;
use super::subject::Subject;
use super::{open, read_file};
use crate::args::{Common, VerifyArgs};
use crate::data::{Base, decimal};
use crate::exit::{Exit, Failure};
use crate::table::Paint;
use crate::units;
use field::{ExtensionOf, Field, TwoAdic};
use iop::poly::Tensor;
use pcs::file::{File, Kind, Opening, SchemeId};
use pcs::pip::Params;
use pcs::with_fields;
use serde_json::json;

/// A verified proof file, in words.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The parameters.
    pub params: Params,
    /// What was committed to.
    pub subject: Subject,
    /// The commitment's bytes.
    pub commitment: Vec<u8>,
    /// The claims in words.
    pub claims: Vec<String>,
    /// Proven bits of the parameters.
    pub bits: f64,
}

/// Verifies the bytes of a proof file.
///
/// # Errors
/// [`Exit::Usage`] if they are no proof file, [`Exit::Invalid`] if the proof does not hold or its parameters prove
/// fewer than `min_bits`.
pub fn describe(bytes: &[u8], min_bits: u32) -> Result<Verified, Failure> {
    let malformed = |what: String| Failure::usage(what, "ask for the proof file again");
    let file = File::decode(bytes).map_err(|e| malformed(e.to_string()))?;
    if file.kind != Kind::Opening || file.scheme != SchemeId::Pip {
        return Err(malformed("this file is no proof; it is a commitment or of another scheme".into()));
    }
    let params = Params::decode(&file.params).ok_or_else(|| malformed("malformed parameters".into()))?;
    with_fields!(params.fields, B, E => verify::<B, E>(&file, params, min_bits))
}

fn verify<B: TwoAdic, E: ExtensionOf<B>>(
    file: &File,
    params: Params,
    min_bits: u32,
) -> Result<Verified, Failure> {
    let malformed = |what: String| Failure::usage(what, "ask for the proof file again");
    let scheme = open::scheme::<B, E>(&params, min_bits)?;
    let body = Opening::<E>::decode(&file.body).map_err(|e| malformed(e.to_string()))?;
    if params.digest() != file.params_digest {
        return Err(Failure::invalid("the parameter digest in the header is that of other parameters"));
    }
    if body.claims.digest(params.hash, &body.commitment) != file.statement {
        return Err(Failure::invalid("the statement digest in the header is that of another statement"));
    }
    let subject = Subject::decode(&body.claims.context)
        .ok_or_else(|| malformed("the proof does not say what was committed to".into()))?;
    if subject.rows == 0 || subject.rows > 1 << params.log_size {
        return Err(Failure::invalid("the stated number of rows does not fit the commitment"));
    }
    let commitment = scheme.read_commitment(&body.commitment).map_err(|e| Failure::invalid(e.to_string()))?;
    scheme.verify(&commitment, &body.claims, &body.proof).map_err(|e| Failure::invalid(e.to_string()))?;
    let base = base_of(params.fields);
    let pairs = body.claims.forms.iter().zip(&body.claims.values);
    let claims = pairs.map(|(form, values)| words(form, values, &subject, base)).collect();
    let bits = scheme.report().proven_bits();
    Ok(Verified { params, subject, commitment: body.commitment, claims, bits })
}

/// A claim in words.
fn words<E: Field>(form: &Tensor<E>, values: &[E], subject: &Subject, base: Base) -> String {
    let mut bytes = vec![0; E::BYTES];
    values.first().copied().unwrap_or(E::ZERO).write(&mut bytes);
    let value = base.text(&bytes, subject.scale);
    let name = &subject.name;
    match row(form) {
        Some(row) if row < subject.rows => format!("row {row} of {name} is {value}"),
        Some(row) => format!("padding row {row} of {name} is {value}"),
        None if *form == Tensor::sum(form.variables()) => {
            let mean = base.decode(&bytes).map(|sum| mean(sum, subject));
            let mean = mean.map_or(String::new(), |mean| format!(" (mean {mean})"));
            format!("the sum of all {} rows of {name} is {value}{mean}", units::count(subject.rows))
        }
        None => format!("a linear form of {name} in {} variables is {value}", form.variables()),
    }
}

/// The mean to three more digits than the column has.
fn mean(sum: i128, subject: &Subject) -> String {
    let digits = 3.min(18u32.saturating_sub(subject.scale));
    let scaled = sum.saturating_mul(10i128.pow(digits)) / i128::from(subject.rows.max(1));
    decimal::format(scaled, subject.scale + digits)
}

/// The row that a form picks, if it picks one.
fn row<E: Field>(form: &Tensor<E>) -> Option<u64> {
    let bit = |factor: &[E; 2]| match *factor {
        [a, b] if a == E::ONE && b == E::ZERO => Some(0),
        [a, b] if a == E::ZERO && b == E::ONE => Some(1),
        _ => None,
    };
    form.factors().iter().rev().try_fold(0u64, |row, factor| Some(row << 1 | bit(factor)?))
}

/// The command.
pub fn run(args: &VerifyArgs, common: &Common) -> Result<Exit, Failure> {
    let verified = describe(&read_file(&args.proof)?, args.min_bits)?;
    if let Some(path) = &args.commitment {
        let committed = Committed::decode(&read_file(path)?)?;
        let same = committed.commitment == verified.commitment
            && committed.params == verified.params
            && committed.subject == verified.subject;
        if !same {
            return Err(Failure::invalid(format!(
                "the proof is about another commitment than {}",
                path.display()
            )));
        }
    }
    let root = units::hex(verified.commitment.get(..32).unwrap_or_default());
    if common.json {
        println!(
            "{:#}",
            json!({ "valid": true, "claims": verified.claims, "proven_bits": verified.bits, "root": root,
                "field": verified.params.fields.name(), "rows": verified.subject.rows,
                "source_blake3": units::hex(&verified.subject.source) })
        );
    } else if !common.quiet {
        let paint = Paint::stderr();
        for claim in &verified.claims {
            eprintln!("{} {claim}", paint.green("valid:"));
        }
        eprintln!("  {:.1} proven bits ({:?}), committed root {root}", verified.bits, verified.params.regime);
        if args.commitment.is_none() {
            eprintln!("  compare the root with the one you were given, or pass --commitment");
        }
    }
    Ok(Exit::Valid)
}
