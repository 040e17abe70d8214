//! `tenfold verify`: reads a proof file, says what it proves, and whether it does.

use super::failure::{failure, refused_file};
use super::{named, read_commitment, read_ours, weights};
use crate::args::{Common, VerifyArgs};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use crate::theorems::bits_json;
use iop::security::Policy;
use pcs::file::{File, Kind};
use serde_json::{Value, json};
use tenfold::dataset::Base;
use tenfold::describe::{Verified, merged};
use tenfold::verify::{Limits, Refused};
use tenfold::{Dataset, Error, Verdict};

/// Verifies the bytes of a proof file.
///
/// # Errors
/// [`Exit::Usage`] if they are no proof file, [`Exit::Invalid`] if the proof does not hold or its parameters prove
/// fewer bits than the policy wants.
pub fn describe(bytes: &[u8], policy: &Policy) -> Result<Verified, Failure> {
    describe_with(bytes, &Limits { policy: *policy, max_memory: u64::MAX }, None)
}

/// [`describe`] for proofs that may be of a weighted sum, whose weights are not in the file.
///
/// # Errors
/// As there; [`Exit::Usage`] if the weights are missing, or the proof has none.
pub fn describe_with(bytes: &[u8], limits: &Limits, weights: Option<&Dataset>) -> Result<Verified, Failure> {
    let file = File::decode(bytes).map_err(|e| malformed(&e.to_string()))?;
    match (file.kind, weights) {
        (Kind::Opening | Kind::Product, Some(_)) => {
            return Err(Failure::usage("this proof has no weights", "verify it without --weights"));
        }
        (Kind::Weighted, None) => {
            let message = "this proof is of a weighted sum, and the weights are not in it";
            return Err(Failure::usage(message, "pass the file of public weights: --weights FILE"));
        }
        (Kind::Opening | Kind::Weighted | Kind::Product, _) => {}
        _ => return Err(malformed("this file is no proof; it is a commitment or of another scheme")),
    }
    let policy = tenfold::Policy::from_limits(*limits).self_contained();
    let policy = weights.map_or(policy, |weights| policy.weights(weights));
    let verdict = tenfold::verify(bytes, &policy).map_err(|error| refusal(error, weights))?;
    Ok(Verified::of(verdict, weights))
}

/// The answer to a file that is refused with these weights.
fn refusal(error: Error, weights: Option<&Dataset>) -> Failure {
    let Error::Refused(refused) = error else { return failure(error) };
    match (&refused, weights) {
        (Refused::Weights { given, entries }, Some(data)) => {
            failure(Error::weights_count(data, *given, *entries))
        }
        (Refused::WeightBeyond { field, .. }, Some(Dataset::Column(column))) => {
            let base = Base::ALL.into_iter().find(|base| base.name() == *field);
            let beyond = base.and_then(|base| column.values.check(base, column.scale).err());
            weights::too_large(&beyond.map_or(refused.to_string(), |e| e.to_string()))
        }
        (Refused::OtherWeights, _) => Failure::invalid("the proof is about other weights than these"),
        _ => refused_file(refused),
    }
}

/// Bytes that are no proof file.
pub(super) fn malformed(what: &str) -> Failure {
    Failure::usage(what, "ask for the proof file again")
}

/// Verifies with the weights that the arguments name, if any, which are numbers or bytes as the proof's scheme has it.
fn read(proof: &[u8], args: &VerifyArgs, common: &Common) -> Result<Verified, Failure> {
    let file = File::decode(proof).map_err(|e| named(&args.proof, proof, malformed(&e.to_string())))?;
    if file.kind == Kind::Commitment {
        let hint = "give the proof first, and the commitment with --commitment";
        return Err(named(&args.proof, proof, Failure::usage("this file is no proof", hint)));
    }
    let mut progress = Progress::new(common.quiet || common.json);
    let weights = weights::load(&args.weights, file.scheme, common, &mut progress)?;
    // Beside them as they are read, weights are unpacked.
    let max_memory = common.max_memory().saturating_sub(weights.as_ref().map_or(0, weights::memory));
    let limits = Limits { policy: args.policy.policy(), max_memory };
    describe_with(proof, &limits, weights.as_ref())
}

/// The command.
pub fn run(args: &VerifyArgs, common: &Common) -> Result<Exit, Failure> {
    let proof = read_ours(&args.proof, common)?;
    #[cfg(feature = "ring")]
    if ring_proof::file::is_ring(&proof) {
        return super::ring::verify(&proof, args, common);
    }
    let nothing = args.commitment.is_none() && args.fingerprint.is_none();
    if nothing && !args.self_contained {
        return Err(Failure::usage(
            "nothing says which commitment the proof must be about: its own file may be about invented data",
            "pass --commitment FILE or --fingerprint HEX, or say --self-contained to compare with none",
        ));
    }
    let verified = read(&proof, args, common)?;
    compare(&verified.verdict, args, common)?;
    args.expect.iter().try_for_each(|expected| verified.verdict.expect(expected)).map_err(failure)?;
    if common.json {
        output::json(&json_of(&verified, args));
    } else if !common.quiet {
        show(&verified, args);
    }
    Ok(if args.self_contained { Exit::SelfContained } else { Exit::Valid })
}

/// Refuses a proof about another commitment than the arguments name.
fn compare(verdict: &Verdict, args: &VerifyArgs, common: &Common) -> Result<(), Failure> {
    if let Some(path) = &args.commitment {
        let other = || format!("the proof is about another commitment than {}", path.display());
        let fingerprint = read_commitment(path, common)?.fingerprint();
        verdict.check_fingerprint(&fingerprint).map_err(|_| Failure::invalid(other()))?;
    }
    args.fingerprint.map_or(Ok(()), |expected| verdict.check_fingerprint(&expected).map_err(failure))
}

fn json_of(verified: &Verified, args: &VerifyArgs) -> Value {
    let (report, proven) = (verified.verdict.report(), &verified.verdict.proven);
    let value = json!({ "valid": true, "commitment_compared": args.commitment.is_some(),
        "fingerprint_compared": args.fingerprint.is_some(), "self_contained": args.self_contained,
        "claims": verified.claims, "readings": verified.readings(), "assumptions": verified.verdict.assumptions(), "fingerprint": verified.fingerprint(),
        "hidden_openings": proven.hidden_openings, "mask": proven.mask,
        // What only the file says: whose data it is about is settled by a comparison of commitments.
        "stated": verified.subject() });
    verified.with_facts(merged(value, bits_json(report)))
}

fn show(verified: &Verified, args: &VerifyArgs) {
    let paint = Paint::stderr();
    for claim in &verified.claims {
        note!("{} {claim}", paint.green("valid:"));
    }
    verified.lines().iter().for_each(|line| note!("  {line}"));
    if args.self_contained {
        note!(
            "  compared with no commitment: the data may be invented; compare the fingerprint with one that you trust"
        );
    }
}

#[cfg(test)]
mod tests;
