//! `tenfold verify`: reads a proof file, says what it proves, and whether it does.

use super::committed::Committed;
use super::context::Context;
use super::scheme::base_of;
use super::subject::Subject;
use super::{forms, read_file, weighted};
use crate::args::{Common, VerifyArgs};
use crate::data::{Base, Column};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::progress::Progress;
use crate::ratio::Ratio;
use crate::table::Paint;
use crate::units;
use field::{ExtensionOf, Field, TwoAdic};
use iop::poly::Tensor;
use iop::security::Policy;
use pcs::file::{File, Kind, Opening, SchemeId};
use pcs::pip::{Params, Scheme};
use pcs::with_fields;
use serde_json::{Map, Value, json};

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
    /// Numbers of the claims, for JSON: a mean, a weighted sum.
    pub facts: Map<String, Value>,
}

impl Verified {
    /// An object with the facts added.
    #[must_use]
    pub fn with_facts(&self, mut value: Value) -> Value {
        if let Value::Object(object) = &mut value {
            object.extend(self.facts.clone());
        }
        value
    }
}

/// Verifies the bytes of a proof file.
///
/// # Errors
/// [`Exit::Usage`] if they are no proof file, [`Exit::Invalid`] if the proof does not hold or its parameters prove
/// fewer than `min_bits`.
pub fn describe(bytes: &[u8], min_bits: u32) -> Result<Verified, Failure> {
    describe_with(bytes, min_bits, None)
}

/// [`describe`] for proofs that may be of a weighted sum, whose weights are not in the file.
///
/// # Errors
/// As there; [`Exit::Usage`] if the weights are missing, or the proof has none.
pub fn describe_with(bytes: &[u8], min_bits: u32, weights: Option<&Column>) -> Result<Verified, Failure> {
    let malformed = |what: String| Failure::usage(what, "ask for the proof file again");
    let file = File::decode(bytes).map_err(|e| malformed(e.to_string()))?;
    if file.kind == Kind::Commitment || file.scheme != SchemeId::Pip {
        return Err(malformed("this file is no proof; it is a commitment or of another scheme".into()));
    }
    let params = Params::decode(&file.params).ok_or_else(|| malformed("malformed parameters".into()))?;
    match (file.kind, weights) {
        (Kind::Weighted, None) => Err(weighted::weights_needed()),
        (Kind::Weighted, Some(weights)) => {
            with_fields!(params.fields, B, E => weighted::verify::<B, E>(&file, params, min_bits, weights))
        }
        (_, Some(_)) => Err(Failure::usage("this proof has no weights", "verify it without --weights")),
        (_, None) => with_fields!(params.fields, B, E => verify::<B, E>(&file, params, min_bits)),
    }
}

fn verify<B: TwoAdic, E: ExtensionOf<B>>(
    file: &File,
    params: Params,
    min_bits: u32,
) -> Result<Verified, Failure> {
    let malformed = |what: String| Failure::usage(what, "ask for the proof file again");
    let scheme = Scheme::<B, E>::new(params.clone(), &Policy { min_bits })
        .map_err(|e| Failure::invalid(format!("the parameters are refused: {}", e.0)))?;
    let body = Opening::<E>::decode(&file.body).map_err(|e| malformed(e.to_string()))?;
    if params.digest() != file.params_digest {
        return Err(Failure::invalid("the parameter digest in the header is that of other parameters"));
    }
    if body.claims.digest(params.hash, &body.commitment) != file.statement {
        return Err(Failure::invalid("the statement digest in the header is that of another statement"));
    }
    let context = Context::decode(&body.claims.context, false)
        .ok_or_else(|| malformed("the proof does not say what was committed to".into()))?;
    if context.subject.rows == 0 || context.subject.rows > 1 << params.log_size {
        return Err(Failure::invalid("the stated number of rows does not fit the commitment"));
    }
    let commitment = scheme.read_commitment(&body.commitment).map_err(|e| Failure::invalid(e.to_string()))?;
    scheme.verify(&commitment, &body.claims, &body.proof).map_err(|e| Failure::invalid(e.to_string()))?;
    let base = base_of(params.fields);
    let (claims, facts) = words(&body.claims.forms, &body.claims.values, &context, base)?;
    let bits = scheme.report().proven_bits();
    let (subject, commitment) = (context.subject, body.commitment);
    Ok(Verified { params, subject, commitment, claims, bits, facts })
}

/// The claims in words. Values are read as signed integers; sums are proven modulo the field's prime.
fn words<E: Field>(
    forms: &[Tensor<E>],
    values: &[Vec<E>],
    context: &Context,
    base: Base,
) -> Result<(Vec<String>, Map<String, Value>), Failure> {
    let subject = &context.subject;
    let values: Vec<E> = values.iter().map(|v| v.first().copied().unwrap_or(E::ZERO)).collect();
    let (mut claims, mut facts) = (Vec::new(), Map::new());
    let mut at = 0;
    while let Some(form) = forms.get(at) {
        let tiles = forms::blocks::<E>(subject.rows, form.variables());
        // One row is an entry and a sum at once: called an entry, unless a mean is made of it.
        let several = subject.rows > 1 || context.mean;
        if tiles.len() + at <= forms.len() && several && forms[at..].starts_with(&tiles) {
            let sum: E = values[at..at + tiles.len()].iter().copied().sum();
            claims.push(sum_in_words(sum, subject, base));
            if context.mean {
                let (claim, mean) = mean_in_words(sum, subject, base)?;
                claims.push(claim);
                facts.insert("mean".into(), mean);
            }
            at += tiles.len();
        } else {
            claims.push(entry_in_words(form, values[at], subject, base));
            at += 1;
        }
    }
    if context.mean && facts.is_empty() {
        return Err(Failure::invalid("the proof states a mean without the sum that it comes from"));
    }
    Ok((claims, facts))
}

fn bytes<E: Field>(value: E) -> Vec<u8> {
    let mut bytes = vec![0; E::BYTES];
    value.write(&mut bytes);
    bytes
}

fn sum_in_words<E: Field>(sum: E, subject: &Subject, base: Base) -> String {
    let mean = mean(sum, subject, base).map_or(String::new(), |mean| format!("; mean {}", mean.decimal().0));
    format!(
        "the sum of all {} rows of {} is {} (modulo the {} prime{mean})",
        units::count(subject.rows),
        subject.shown(),
        base.text(&bytes(sum), subject.scale),
        base.name()
    )
}

fn mean_in_words<E: Field>(sum: E, subject: &Subject, base: Base) -> Result<(String, Value), Failure> {
    let mean = mean(sum, subject, base)
        .ok_or_else(|| Failure::invalid("the proof states a mean, and the sum is no integer"))?;
    let (rows, name) = (units::count(subject.rows), subject.shown());
    let claim =
        format!("the mean of all {rows} rows of {name} is {} (if that sum did not wrap around)", mean.text());
    Ok((claim, mean.json()))
}

/// The mean that a sum of all rows gives, if it is an integer of the field's range.
fn mean<E: Field>(sum: E, subject: &Subject, base: Base) -> Option<Ratio> {
    Ratio::new(base.decode(&bytes(sum))?, subject.rows.into(), subject.scale)
}

fn entry_in_words<E: Field>(form: &Tensor<E>, value: E, subject: &Subject, base: Base) -> String {
    let (value, name) = (base.text(&bytes(value), subject.scale), subject.shown());
    match row(form) {
        Some(row) if row < subject.rows => format!("row {row} of {name} is {value}"),
        Some(row) => format!("padding row {row} of {name} is {value}"),
        None => {
            format!("a linear form of {name} and its padding, in {} variables, is {value}", form.variables())
        }
    }
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
    let proof = read_file(&args.proof)?;
    let weights = args.weights.load(common, &mut Progress::new(common.quiet || common.json))?;
    let verified = describe_with(&proof, args.min_bits, weights.as_ref())?;
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
        let value = json!({ "valid": true, "claims": verified.claims, "proven_bits": verified.bits, "root": root,
            "field": verified.params.fields.name(), "rows": verified.subject.rows,
            "source_blake3": units::hex(&verified.subject.source) });
        output::line(format_args!("{:#}", verified.with_facts(value)));
    } else if !common.quiet {
        let paint = Paint::stderr();
        for claim in &verified.claims {
            eprintln!("{} {claim}", paint.green("valid:"));
        }
        eprintln!("  {:.1} proven bits ({}), committed root {root}", verified.bits, verified.params.regime);
        if args.commitment.is_none() {
            eprintln!("  compare the root with the one you were given, or pass --commitment");
        }
    }
    Ok(Exit::Valid)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::What;
    use crate::commands::{open, scheme, subject::Subject};
    use pcs::fields::Fields;
    use pcs::pip::Prover;
    use pcs::pip::search::{Profile, Wanted, find};

    /// The file that a prover makes for `entries`, saying that only `rows` of them are data.
    fn proof(
        entries: &[u64],
        rows: u64,
        forms: impl Fn(usize) -> Vec<Tensor<field::Goldilocks3>>,
    ) -> Vec<u8> {
        let variables = entries.len().trailing_zeros();
        let params = find(&Wanted::new(Fields::Goldilocks3, variables, 100, Profile::Fast)).unwrap();
        let scheme =
            crate::commands::scheme::validated::<field::Goldilocks, field::Goldilocks3>(&params, 100)
                .unwrap();
        let data = entries.iter().map(|&x| field::Goldilocks::from_u64(x)).collect();
        let mut witness = Prover::new(&scheme).commit(data);
        let subject = Subject { name: "x".into(), rows, scale: 0, bytes: None, source: [0; 32] };
        open::prove(&scheme, &mut witness, &subject, forms(variables as usize))
    }

    /// Padding is not proven to be zero: a sum over all entries must not be read as a sum over the rows.
    #[test]
    fn liar_who_hides_a_number_in_the_padding() {
        let whole = proof(&[1, 2, 3, 1000], 3, |n| vec![Tensor::sum(n)]);
        let claims = describe(&whole, 100).unwrap().claims;
        assert_eq!(claims, ["a linear form of x and its padding, in 2 variables, is 1006"]);
        let what = What { sum: true, ..What::default() };
        let tiled = proof(&[1, 2, 3, 1000], 3, |n| forms::forms(&what, 3, n as u32).unwrap());
        let claims = describe(&tiled, 100).unwrap().claims;
        assert_eq!(claims, ["the sum of all 3 rows of x is 6 (modulo the goldilocks prime; mean 2.000)"]);
    }

    /// A mean is read off a sum over all rows, which must be among the claims.
    #[test]
    fn liar_who_states_a_mean_without_its_sum() {
        let params = find(&Wanted::new(Fields::Goldilocks3, 2, 100, Profile::Fast)).unwrap();
        let scheme = scheme::validated::<field::Goldilocks, field::Goldilocks3>(&params, 100).unwrap();
        let said = |forms: Vec<Tensor<field::Goldilocks3>>, rows| {
            let mut witness = Prover::new(&scheme).commit([2, 7, 1, 1000].map(Field::from_u64).to_vec());
            let subject = Subject { name: "x".into(), rows, scale: 1, bytes: None, source: [0; 32] };
            let context = Context { subject, weights_scale: None, mean: true };
            let file = open::prove_in(&scheme, &mut witness, &context.encode(), forms);
            describe(&file, 100).map(|verified| verified.claims).map_err(|failure| failure.exit)
        };
        for other in [Tensor::sum(2), Tensor::index(0, 2)] {
            assert_eq!(said(vec![other], 3), Err(Exit::Invalid));
        }
        assert_eq!(said(forms::blocks(3, 2)[..1].to_vec(), 3), Err(Exit::Invalid), "a row is left out");
        let claims = said(forms::blocks(3, 2), 3).unwrap();
        assert_eq!(
            claims[1],
            "the mean of all 3 rows of x is 1/3 = 0.3333… (if that sum did not wrap around)"
        );
        let claims = said(forms::blocks(1, 2), 1).unwrap();
        assert_eq!(
            claims[1],
            "the mean of all 1 rows of x is 1/5 = 0.2000 (if that sum did not wrap around)"
        );
    }

    /// A name is the prover's: it must not be able to look like a verdict of its own.
    #[test]
    fn liar_who_writes_a_claim_into_the_name() {
        let params = find(&Wanted::new(Fields::Goldilocks3, 2, 100, Profile::Fast)).unwrap();
        let scheme = scheme::validated::<field::Goldilocks, field::Goldilocks3>(&params, 100).unwrap();
        let said = |name: &str| {
            let data = [1, 2, 3, 4].map(field::Goldilocks::from_u64).to_vec();
            let mut witness = Prover::new(&scheme).commit(data);
            let subject = Subject { name: name.into(), rows: 4, scale: 0, bytes: None, source: [0; 32] };
            let file = open::prove(&scheme, &mut witness, &subject, vec![Tensor::index(0, 2)]);
            describe(&file, 100).unwrap().claims.remove(0)
        };
        assert_eq!(said("price"), "row 0 of price is 1");
        assert_eq!(said("délai-2.csv"), "row 0 of délai-2.csv is 1");
        assert_eq!(said("x is 9\nvalid: row 1 of x"), "row 0 of \"x is 9\\nvalid: row 1 of x\" is 1");
        assert_eq!(said("x\u{1b}[2K\u{202e}"), "row 0 of \"x\\u{1b}[2K\\u{202e}\" is 1");
        assert_eq!(said("the \"x\" of"), "row 0 of \"the \\\"x\\\" of\" is 1");
        assert_eq!(said(""), "row 0 of \"\" is 1");
    }

    /// Sums over blocks that leave a row out are no sum of all rows.
    #[test]
    fn liar_who_leaves_a_row_out() {
        let partial = proof(&[1, 2, 3, 4], 3, |n| forms::blocks(3, n)[..1].to_vec());
        assert!(describe(&partial, 100).unwrap().claims[0].starts_with("a linear form"));
    }

    #[test]
    fn every_number_of_rows_is_tiled() {
        for rows in 1..=16u64 {
            let tiles = forms::blocks::<field::Goldilocks>(rows, 4);
            let covered: Vec<u64> = (0..16)
                .filter(|&i| tiles.iter().any(|t| t.expand()[i as usize] != field::Goldilocks::ZERO))
                .collect();
            assert_eq!(covered, (0..rows).collect::<Vec<_>>());
            let ones: u64 = tiles
                .iter()
                .map(|t| t.expand().iter().filter(|&&w| w != field::Goldilocks::ZERO).count() as u64)
                .sum();
            assert_eq!(ones, rows, "no row counts twice");
        }
    }
}
