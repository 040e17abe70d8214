//! Weighted sums: `open --weights`, and what `verify` and `inspect` do with the proof.

use super::blob::source::within_memory;
use super::committed::Committed;
use super::context::Context;
use super::inspect::{Length, of_weighted};
use super::modular::Modular;
use super::open::witness_of;
use super::scheme::{base_of, refused};
use super::subject::Subject;
use super::verified::Verified;
use super::verify::{digests, malformed};
use super::{held, weights, witness};
use crate::args::{Common, OpenArgs};
use crate::data::{Base, Column, decimal};
use crate::exit::Failure;
use crate::progress::Progress;
use crate::ratio::Ratio;
use crate::units;
use field::{ExtensionOf, Field, TwoAdic};
use iop::poly::to_bytes;
use iop::security::Policy;
use pcs::file::{File, Kind, SchemeId};
use pcs::pip;
use pcs::pip::{Commitment, Params, Witness};
use pcs::weighted::{self, Claim, Opening, Points, Prover};
use serde_json::{Map, json};

/// Weighted sums over PIP_FRI.
type Scheme<B, E> = weighted::Scheme<pip::Scheme<B, E>>;

/// Proves and encodes the file.
pub fn prove<B: TwoAdic, E: ExtensionOf<B>>(
    scheme: &Scheme<B, E>,
    witness: &mut Witness<B, E>,
    context: &Context,
    weights: Vec<B>,
) -> Vec<u8> {
    let (claim, proof) = Prover::new(scheme).open(witness, weights, &context.encode());
    let (params, commitment) = (scheme.params(), witness.commitment().to_bytes());
    let statement = claim.statement(params.hash);
    let file = File {
        kind: Kind::Weighted,
        scheme: SchemeId::Pip,
        params: params.encode(),
        params_digest: params.digest(),
        statement: statement.digest(params.hash, &commitment),
        body: Opening { commitment, statement, proof: proof.into() }.encode().into(),
    };
    file.encode()
}

/// `open --weights`: the file's bytes.
pub fn open<B: TwoAdic, E: ExtensionOf<B>>(
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
    let scheme = Scheme::<B, E>::new(committed.params.clone(), &policy).map_err(refused)?;
    let of_column = column.map_or(witness::memory(committed.params.log_size, true), held);
    let need = of_column + held(weights) + committed.params.weighted_memory();
    within_memory(need, common, "raise `--max-memory`")?;
    let base = base_of(committed.params.fields);
    let elements = weights::elements::<B>(weights, committed.subject.rows, base)?;
    if let Some(column) = column {
        check_sums(column, weights, base, what.mean)?;
    }
    let kept = args.witness.as_deref();
    progress.phase(if kept.is_some() { "reading the witness" } else { "committing again" });
    let mut witness = witness_of(scheme.inner(), committed, (column, kept), None)?;
    if let Some(path) = kept {
        let column = witness::column(witness.message(), committed, path)?;
        check_sums(&column, weights, base, what.mean)?;
    }
    progress.phase("proving");
    let context =
        Context { subject: committed.subject.clone(), weights_scale: Some(weights.scale), mean: what.mean };
    Ok(prove(&scheme, &mut witness, &context, elements))
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

/// A proof of a weighted sum over any scheme, as read; what its context says is the scheme's.
pub(super) struct Read<'a, S: Points> {
    pub scheme: weighted::Scheme<S>,
    pub opening: Opening<'a, S::Base>,
    pub commitment: Commitment<S::Challenge>,
}

/// Reads a proof file with the digests of its header, under parameters that prove the bits.
pub(super) fn read<'a, S: Points>(
    file: &'a File,
    params: S::Params,
    policy: &Policy,
) -> Result<Read<'a, S>, Failure> {
    let scheme = weighted::Scheme::<S>::new(params, policy).map_err(refused)?;
    let facts = scheme.inner().facts();
    let opening = Opening::<S::Base>::decode(&file.body).map_err(|e| malformed(&e.to_string()))?;
    digests(file, facts.digest, opening.statement.digest(facts.hash, &opening.commitment))?;
    let commitment = scheme.inner().read_commitment(&opening.commitment);
    let commitment = commitment.map_err(|e| Failure::invalid(e.to_string()))?;
    Ok(Read { scheme, opening, commitment })
}

/// What the body of a proof that was read is made of. All is checked but the weights.
pub(super) fn parts<S: Points>(read: &Read<'_, S>) -> Result<Vec<Length>, Failure> {
    let Read { scheme, opening, commitment } = read;
    let script = scheme.script(commitment, &opening.statement, &opening.proof);
    Ok(of_weighted(opening, script.map_err(|e| Failure::invalid(e.to_string()))?))
}

/// A proof about a column, and what its context says of the column.
pub(super) fn of_column<'a, B: TwoAdic, E: ExtensionOf<B>>(
    file: &'a File,
    params: &Params,
    policy: &Policy,
) -> Result<(Read<'a, pip::Scheme<B, E>>, Context), Failure> {
    let read = read(file, params.clone(), policy)?;
    let context = Context::decode(&read.opening.statement.context, true)
        .ok_or_else(|| malformed("the proof does not say what was committed to"))?;
    if context.subject.rows == 0 || context.subject.rows > 1 << params.log_size {
        return Err(Failure::invalid("the stated number of rows does not fit the commitment"));
    }
    Ok((read, context))
}

/// Verifies a proof of a weighted sum with its weights.
///
/// # Errors
/// As [`super::verify::describe`]; [`crate::exit::Exit::Usage`] for weights that cannot be those of any such proof,
/// [`crate::exit::Exit::Invalid`] for other weights than the proof's.
pub fn verify<B: TwoAdic, E: ExtensionOf<B>>(
    file: &File,
    params: Params,
    policy: &Policy,
    weights: &Column,
) -> Result<Verified, Failure> {
    let (Read { scheme, opening, commitment }, context) = of_column::<B, E>(file, &params, policy)?;
    let base = base_of(params.fields);
    let (value, named) = (opening.statement.value, opening.statement.weights);
    let elements = weights::elements::<B>(weights, context.subject.rows, base)?;
    let claim = Claim { weights: elements, value, context: opening.statement.context };
    if claim.statement(params.hash).weights != named || context.weights_scale != Some(weights.scale) {
        return Err(Failure::invalid("the proof is about other weights than these"));
    }
    scheme.verify(&commitment, &claim, &opening.proof).map_err(|e| Failure::invalid(e.to_string()))?;
    let (claims, mut facts) = words(value, weights, &context, base)?;
    facts.insert("weights_digest".into(), json!(units::hex(&named)));
    let committed = Committed { params, subject: context.subject, commitment: opening.commitment };
    Ok(Verified::of(&committed, scheme.report(), (claims, facts)))
}

/// The claim in words and as numbers. The sum is proven modulo the field's prime; a mean takes it for the sum.
fn words<B: Field>(
    value: B,
    weights: &Column,
    context: &Context,
    base: Base,
) -> Result<(Vec<String>, Map<String, serde_json::Value>), Failure> {
    let (bytes, subject) = (to_bytes(&[value]), &context.subject);
    let (of, by) = (subject.shown(), Subject::of(weights).shown());
    let of = format!("all {} rows of {of} weighted by {by}", units::count(subject.rows));
    let sum = Modular { base, bytes: &bytes, scale: subject.scale + weights.scale };
    let total = weights.values.sum();
    // The decimals of the weights cancel out.
    let mean = base.decode(&bytes).zip(total).and_then(|(sum, total)| Ratio::new(sum, total, subject.scale));
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
    use field::{Goldilocks, Goldilocks3};
    use pcs::fields::Fields;
    use pcs::pip::search::{Profile, Wanted, find};

    fn column(numbers: &str) -> Column {
        crate::data::read(numbers.as_bytes(), Format::Json, &Options::default()).unwrap()
    }

    /// What the verifier with `weights` says to a prover who has used `used`, and says that they have `scale` decimals,
    /// that there are `rows` rows and a mean.
    fn said(weights: &str, used: &str, scale: u32, rows: u64) -> Result<Vec<String>, Exit> {
        let params = find(&Wanted::new(Fields::Goldilocks3, 2, 100, Profile::Fast)).unwrap();
        let scheme = Scheme::<Goldilocks, Goldilocks3>::new(params, &Policy::at_least(100)).unwrap();
        let data = [1, 2, 3, 1000].map(Goldilocks::from_u64).to_vec();
        let mut witness = pip::Prover::new(scheme.inner()).commit(data);
        let subject = Subject { name: "x".into(), rows, scale: 0, bytes: None, source: [0; 32] };
        let context = Context { subject, weights_scale: Some(scale), mean: true };
        let used = column(used);
        let elements = crate::data::embed::elements(&used.values, used.rows());
        let file = prove(&scheme, &mut witness, &context, elements);
        let verified = describe_with(&file, &Policy::at_least(100), Some(&column(weights)));
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
