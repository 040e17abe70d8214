//! Weighted sums: `open --weights`, and what `verify` and `inspect` do with the proof.

use super::blob::source::within_memory;
use super::committed::Committed;
use super::context::Context;
use super::modular::Modular;
use super::open::witness_of;
use super::scheme::{self, base_of, refused, refused_file};
use super::subject::Subject;
use super::verified::Verified;
use super::verify::malformed;
use super::{held, weights, witness};
use crate::args::{Common, OpenArgs};
use crate::data::{Base, Column, decimal};
use crate::exit::Failure;
use crate::progress::Progress;
use crate::ratio::Ratio;
use crate::units;
use iop::hash::Digest;
use iop::security::Policy;
use pcs::file::File;
use pcs::pip::Params;
use serde_json::{Map, json};
use tenfold::AnyScheme;
use tenfold::any::{OTHER_WEIGHTS, WeightedStatement, Weights};
use tenfold::verify::{Limits, Refused};

/// `open --weights`: the file's bytes.
pub fn open(
    committed: &Committed,
    (column, weights): (Option<&Column>, &Column),
    (args, common): (&OpenArgs, &Common),
    progress: &mut Progress,
) -> Result<Vec<u8>, Failure> {
    let what = &args.what;
    if what.sum || !what.row.is_empty() || what.point.is_some() {
        let message = "a weighted sum is a proof of its own";
        return Err(Failure::usage(message, "prove rows, points and the sum without --weights"));
    }
    if committed.params.hidden_openings > 0 {
        let message = "a weighted sum would reveal sums over a hiding commitment";
        return Err(Failure::usage(message, "prove weighted sums of a commitment without hiding"));
    }
    let policy = args.policy.policy();
    let scheme = scheme::validated(&committed.params, &policy)?;
    let of_column = column.map_or(witness::memory(committed.params.log_size, true), held);
    let need = of_column + held(weights) + committed.params.weighted_memory();
    within_memory(need, common, "raise `--max-memory`")?;
    let base = base_of(committed.params.fields);
    weights::check(weights, committed.subject.rows, base)?;
    if let Some(column) = column {
        check_sums(column, weights, base, what.mean)?;
    }
    let kept = args.witness.as_deref();
    progress.phase(if kept.is_some() { "reading the witness" } else { "committing again" });
    let mut prover = scheme.prover();
    let mut witness = witness_of(&mut prover, committed, (column, kept), None)?;
    if let Some(path) = kept {
        let column = witness::column((&prover, &witness), committed, path)?;
        check_sums(&column, weights, base, what.mean)?;
    }
    progress.phase("proving");
    let context =
        Context { subject: committed.subject.clone(), weights_scale: Some(weights.scale), mean: what.mean };
    let elements = prover.weights(Weights::Integers(&mut integers(weights)));
    let elements = elements.map_err(|e| Failure::usage(e.to_string(), "give one weight per row"))?;
    let file = prover.open_weighted(&mut witness, elements, &context.encode(), &policy).map_err(refused)?;
    Ok(file.encode())
}

/// The integers of weights, and their number.
fn integers(weights: &Column) -> impl ExactSizeIterator<Item = i128> + '_ {
    (0..weights.rows()).map(|row| weights.values.row(row).unwrap_or_default())
}

/// Refuses a weighted sum that would wrap around the field, and a mean by weights that add up to nothing.
fn check_sums(column: &Column, weights: &Column, base: Base, mean: bool) -> Result<(), Failure> {
    let mut products = column.values.iter().zip(weights.values.iter()).map(|(x, w)| x.checked_mul(w));
    let sum = products.try_fold(0i128, |sum, product| sum.checked_add(product?));
    if !sum.is_some_and(|sum| base.holds(sum)) {
        let message =
            format!("the weighted sum of {} does not fit {}: it would wrap around", column.name, base.name());
        let hint = "commit again with a larger --field, or use smaller weights with fewer decimals";
        return Err(Failure::usage(message, hint));
    }
    match weights.values.sum() {
        None if mean => Err(Failure::usage(
            "the sum of the weights is too large for a mean",
            "use smaller weights with fewer decimals",
        )),
        Some(0) if mean => Err(Failure::usage(
            "the weights add up to zero: there is no weighted mean",
            "leave --mean out to prove the weighted sum",
        )),
        _ => Ok(()),
    }
}

/// The answer to a proof of a weighted sum without its weights.
#[must_use]
pub fn weights_needed() -> Failure {
    let message = "this proof is of a weighted sum, and the weights are not in it";
    Failure::usage(message, "pass the file of public weights: --weights FILE")
}

/// The scheme of a proof about a column, and what its context says of the column and of the weights' digest; the proof is not verified.
pub(super) fn read(file: &File, policy: &Policy) -> Result<(AnyScheme, Params, Context, Digest), Failure> {
    let params = Params::decode(&file.params).ok_or_else(|| malformed("malformed parameters"))?;
    let scheme = AnyScheme::of_file(file, policy).map_err(refused_file)?;
    let WeightedStatement { weights, context, .. } = scheme.weighted_statement(file).map_err(refused_file)?;
    let context = Context::decode(&context, true)
        .ok_or_else(|| malformed("the proof does not say what was committed to"))?;
    if context.subject.rows == 0 || context.subject.rows > 1 << params.log_size {
        return Err(Failure::invalid("the stated number of rows does not fit the commitment"));
    }
    Ok((scheme, params, context, weights))
}

/// Verifies a proof of a weighted sum with its weights.
///
/// # Errors
/// As [`super::verify::describe`]; [`crate::exit::Exit::Usage`] for weights that cannot be those of any such proof,
/// [`crate::exit::Exit::Invalid`] for other weights than the proof's.
pub fn verify(file: &File, policy: &Policy, weights: &Column) -> Result<Verified, Failure> {
    let (scheme, params, context, named) = read(file, policy)?;
    let base = base_of(params.fields);
    weights::check(weights, context.subject.rows, base)?;
    if context.weights_scale != Some(weights.scale) {
        return Err(other_weights());
    }
    // The memory of weights was looked at when they were read.
    let limits = Limits { policy: *policy, max_memory: u64::MAX };
    let verified = scheme.verify_weighted(file, Weights::Integers(&mut integers(weights)), &limits);
    let verified = verified.map_err(|e| match e {
        Refused::Proof(reason) if reason == OTHER_WEIGHTS => other_weights(),
        other => refused_file(other),
    })?;
    let value = verified.claims.first().and_then(|stated| stated.values.first()).cloned().unwrap_or_default();
    let (claims, mut facts) = words(&value, weights, &context, base)?;
    facts.insert("weights_digest".into(), json!(units::hex(&named)));
    let committed = Committed { params, subject: context.subject, commitment: verified.commitment };
    Ok(Verified::of(&committed, &verified.report, (claims, facts)))
}

/// A proof that is about other weights than the verifier's.
pub(super) fn other_weights() -> Failure {
    Failure::invalid("the proof is about other weights than these")
}

/// The claim in words and as numbers. The sum is proven modulo the field's prime; a mean takes it for the sum.
fn words(
    bytes: &[u8],
    weights: &Column,
    context: &Context,
    base: Base,
) -> Result<(Vec<String>, Map<String, serde_json::Value>), Failure> {
    let subject = &context.subject;
    let (of, by) = (subject.shown(), Subject::of(weights).shown());
    let of = format!("all {} rows of {of} weighted by {by}", units::count(subject.rows));
    let sum = Modular { base, bytes, scale: subject.scale + weights.scale };
    let total = weights.values.sum();
    // The decimals of the weights cancel out.
    let mean = base.decode(bytes).zip(total).and_then(|(sum, total)| Ratio::new(sum, total, subject.scale));
    let also = mean.map_or(String::new(), |mean| format!("; then the weighted mean is {}", mean.short()));
    let mut claims = vec![format!("the sum of {of} is {}{also}", sum.words())];
    let mut facts = Map::new();
    facts.insert("weighted_sum".into(), sum.json());
    facts.insert("weights_sum".into(), json!(total.map(|total| decimal::format(total, weights.scale))));
    facts.insert("mean".into(), json!(mean.as_ref().map(|mean| sum.mean_json(mean))));
    if context.mean {
        let mean =
            mean.ok_or_else(|| Failure::invalid("the proof states a mean, and these weights have none"))?;
        claims.push(format!("the mean of {of} is {} if that sum is the exact one", mean.text()));
    }
    Ok((claims, facts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::verify::describe_with;
    use crate::data::{Format, Options};
    use crate::exit::Exit;
    use pcs::fields::Fields;
    use pcs::pip::search::{Profile, Wanted, find};

    fn column(numbers: &str) -> Column {
        crate::data::read(numbers.as_bytes(), Format::Json, &Options::default()).unwrap()
    }

    /// What the verifier with `weights` says to a prover who has used `used`, and says that they have `scale` decimals,
    /// that there are `rows` rows and a mean.
    fn said(weights: &str, used: &str, scale: u32, rows: u64) -> Result<Vec<String>, Exit> {
        let params = find(&Wanted::new(Fields::Goldilocks3, 2, 100, Profile::Fast)).unwrap();
        let policy = Policy::at_least(100);
        let scheme = AnyScheme::from_pip(params, &policy).unwrap();
        let mut prover = scheme.prover();
        let entries = prover.integers(&mut [1, 2, 3, 1000].into_iter()).unwrap();
        let mut witness = prover.commit(entries);
        let subject = Subject { name: "x".into(), rows, scale: 0, bytes: None, source: [0; 32] };
        let context = Context { subject, weights_scale: Some(scale), mean: true };
        let used = column(used);
        let elements = prover.weights(Weights::Integers(&mut integers(&used))).unwrap();
        let file = prover.open_weighted(&mut witness, elements, &context.encode(), &policy).unwrap().encode();
        let verified = describe_with(&file, &policy, Some(&column(weights)));
        verified.map(|verified| verified.claims).map_err(|failure| failure.exit)
    }

    #[test]
    fn weights_are_read_as_they_are_used() {
        let claims = said("[1, -2, 4]", "[1, -2, 4]", 0, 3).unwrap();
        let sum = "the sum of all 3 rows of x weighted by column is 9 modulo the goldilocks prime 18446744069414584321: the exact sum if that lies in [-9223372034707292160, 9223372034707292160]; then the weighted mean is 3.000";
        let mean = "the mean of all 3 rows of x weighted by column is 3.000 if that sum is the exact one";
        assert_eq!(claims, [sum, mean]);
        let claims = said("[0.25, 0.25, 1]", "[0.25, 0.25, 1]", 2, 3).unwrap();
        assert!(
            claims[0].contains("is 3.75 modulo") && claims[1].contains("is 5/2 = 2.500 if"),
            "{claims:?}"
        );
    }

    #[test]
    fn liar_about_the_weights() {
        assert_eq!(said("[1, -2, 4]", "[1, -2, 5]", 0, 3), Err(Exit::Invalid));
        assert_eq!(said("[1, -2, 4]", "[1, -2, 4, 0]", 0, 3), Err(Exit::Invalid));
    }

    /// The same integers with a point elsewhere are other weights.
    #[test]
    fn liar_about_the_decimals_of_the_weights() {
        assert_eq!(said("[0.1, 0.2, 0.3]", "[0.1, 0.2, 0.3]", 0, 3), Err(Exit::Invalid));
    }

    #[test]
    fn liar_who_states_a_mean_of_weights_that_add_up_to_zero() {
        assert_eq!(said("[1, -2, 1]", "[1, -2, 1]", 0, 3), Err(Exit::Invalid));
    }

    /// More rows than places, or other rows than weights: the sum would not be over the rows it speaks of.
    #[test]
    fn liar_about_the_number_of_rows() {
        assert_eq!(said("[1, 2, 3, 4, 5]", "[1, 2, 3, 4]", 0, 5), Err(Exit::Invalid));
        assert_eq!(said("[1, 2, 3]", "[1, 2, 3]", 0, 0), Err(Exit::Invalid));
        assert_eq!(said("[1, 2, 3]", "[1, 2, 3]", 0, 4), Err(Exit::Usage));
    }

    /// A weight outside the field would stand for another one.
    #[test]
    fn weights_outside_the_field_are_no_weights() {
        assert_eq!(said("[18446744069414584322, 2, 3]", "[1, 2, 3]", 0, 3), Err(Exit::Usage));
        assert!(said("[1, 2, 3]", "[1, 2, 3]", 0, 3).is_ok());
    }
}
