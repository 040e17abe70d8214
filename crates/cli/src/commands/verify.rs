//! `tenfold verify`: reads a proof file, says what it proves, and whether it does.

use super::blob;
use super::committed::{self, Committed};
use super::context::Context;
use super::modular::Modular;
use super::scheme::{base_of, refused_file};
use super::subject::Subject;
use super::verified::Verified;
use super::words::{of_form, row};
use super::{read_ours, ring, weighted, weights};
use crate::args::{Common, VerifyArgs};
use crate::data::{Base, Column};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::progress::Progress;
use crate::ratio::Ratio;
use crate::table::Paint;
use crate::theorems::ByTheorem;
use crate::units;
use iop::security::{COLLISION_BITS, Policy, Shown};
use pcs::file::{File, Kind, SchemeId};
use pcs::pip::Params;
use serde_json::{Map, Value, json};
use tenfold::AnyScheme;
use tenfold::any::{Form, Part};
use tenfold::verify::Stated;

/// Verifies the bytes of a proof file.
///
/// # Errors
/// [`Exit::Usage`] if they are no proof file, [`Exit::Invalid`] if the proof does not hold or its parameters prove
/// fewer bits than the policy wants.
pub fn describe(bytes: &[u8], policy: &Policy) -> Result<Verified, Failure> {
    describe_with(bytes, policy, None)
}

/// [`describe`] for proofs that may be of a weighted sum, whose weights are not in the file.
///
/// # Errors
/// As there; [`Exit::Usage`] if the weights are missing, or the proof has none.
pub fn describe_with(bytes: &[u8], policy: &Policy, weights: Option<&Column>) -> Result<Verified, Failure> {
    let file = File::decode(bytes).map_err(|e| malformed(&e.to_string()))?;
    let no_weights = || Failure::usage("this proof has no weights", "verify it without --weights");
    match (file.kind, file.scheme) {
        (Kind::Opening, SchemeId::Ligerito) if weights.is_some() => return Err(no_weights()),
        (Kind::Opening, SchemeId::Ligerito) => return blob::verify::describe(&file, policy),
        (Kind::Weighted, SchemeId::Ligerito) => return Err(weighted::weights_needed()),
        (Kind::Opening | Kind::Weighted, SchemeId::Pip) => {}
        _ => return Err(malformed("this file is no proof; it is a commitment or of another scheme")),
    }
    match (file.kind, weights) {
        (Kind::Weighted, None) => Err(weighted::weights_needed()),
        (Kind::Weighted, Some(weights)) => weighted::verify(&file, policy, weights),
        (_, Some(_)) => Err(no_weights()),
        (_, None) => verify(&file, policy).map(|(verified, _)| verified),
    }
}

/// Verifies an opening of a column: what it says, and the meaning of each byte of its body.
pub(super) fn verify(file: &File, policy: &Policy) -> Result<(Verified, Vec<Part>), Failure> {
    let params = Params::decode(&file.params).ok_or_else(|| malformed("malformed parameters"))?;
    let scheme = AnyScheme::of_file(file, policy).map_err(refused_file)?;
    if params.polynomials != 1 {
        return Err(Failure::invalid("the commitment holds several columns, and the file describes one"));
    }
    let (opening, parts) = scheme.verify(file).map_err(refused_file)?;
    let context = Context::decode(&opening.context, false)
        .ok_or_else(|| malformed("the proof does not say what was committed to"))?;
    if !context.subject.fits(params.log_size) {
        return Err(Failure::invalid("the stated number of rows does not fit the commitment"));
    }
    let said = words(&opening, &scheme, &context, base_of(params.fields))?;
    let committed = Committed { params, subject: context.subject, commitment: opening.commitment };
    Ok((Verified { mask: opening.mask, ..Verified::of(&committed, scheme.report(), said) }, parts))
}

/// Bytes that are no proof file.
pub(super) fn malformed(what: &str) -> Failure {
    Failure::usage(what, "ask for the proof file again")
}

/// The claims in words. Values are read as signed integers; sums are proven modulo the field's prime.
fn words(
    opening: &tenfold::verify::Verified,
    scheme: &AnyScheme,
    context: &Context,
    base: Base,
) -> Result<(Vec<String>, Map<String, Value>), Failure> {
    let (subject, stated) = (&context.subject, &opening.claims[..]);
    let values: Vec<Vec<u8>> =
        stated.iter().map(|stated| stated.values.first().cloned().unwrap_or_default()).collect();
    let (mut claims, mut facts) = (Vec::new(), Map::new());
    let tiles = Form::first(subject.rows, opening.variables);
    let mut at = 0;
    while let Some(Stated { form, .. }) = stated.get(at) {
        // One row is an entry and a sum at once: called an entry, unless a mean is made of it.
        let several = subject.rows > 1 || context.mean;
        let tiled = stated[at..].iter().zip(&tiles).filter(|(stated, tile)| stated.form == **tile).count();
        if several && tiled == tiles.len() {
            let sum = scheme.sum(&values[at..at + tiles.len()]).unwrap_or_default();
            let sum = Modular { base, bytes: &sum, scale: subject.scale };
            claims.push(sum_in_words(&sum, subject));
            facts.insert("sum".into(), sum.json());
            if context.mean {
                let (claim, mean) = mean_in_words(&sum, subject)?;
                claims.push(claim);
                facts.insert("mean".into(), mean);
            }
            at += tiles.len();
        } else {
            claims.push(entry_in_words(form, opening.variables, &values[at], (subject, base)));
            at += 1;
        }
    }
    if context.mean && !facts.contains_key("mean") {
        return Err(Failure::invalid("the proof states a mean without the sum that it comes from"));
    }
    Ok((claims, facts))
}

fn sum_in_words(sum: &Modular<'_>, subject: &Subject) -> String {
    let mean =
        mean(sum, subject).map_or(String::new(), |mean| format!("; then the mean is {}", mean.short()));
    format!(
        "the sum of all {} rows of {} is {}{mean}",
        units::count(subject.rows),
        subject.shown(),
        sum.words()
    )
}

fn mean_in_words(sum: &Modular<'_>, subject: &Subject) -> Result<(String, Value), Failure> {
    let mean = mean(sum, subject)
        .ok_or_else(|| Failure::invalid("the proof states a mean, and the sum is no integer"))?;
    let (rows, name) = (units::count(subject.rows), subject.shown());
    let claim =
        format!("the mean of all {rows} rows of {name} is {} if that sum is the exact one", mean.text());
    Ok((claim, sum.mean_json(&mean)))
}

/// The mean that a sum of all rows gives, if it is an integer of the field's range.
fn mean(sum: &Modular<'_>, subject: &Subject) -> Option<Ratio> {
    Ratio::new(sum.base.decode(sum.bytes)?, subject.rows.into(), subject.scale)
}

fn entry_in_words(form: &Form, variables: usize, value: &[u8], (subject, base): (&Subject, Base)) -> String {
    let (value, name) = (base.text(value, subject.scale), subject.shown());
    match row(form) {
        Some(row) if row < subject.rows => format!("row {row} of {name} is {value}"),
        Some(row) => format!("padding row {row} of {name} is {value}"),
        None => format!("{} is {value}", of_form(form, variables, &name, |x| base.text(x, 0))),
    }
}

/// Verifies with the weights that the arguments name, if any, which are numbers or bytes as the proof's scheme has it.
fn read(proof: &[u8], args: &VerifyArgs, common: &Common) -> Result<Verified, Failure> {
    let file = File::decode(proof).map_err(|e| malformed(&e.to_string()))?;
    if args.weights.weights.is_some() && file.scheme == SchemeId::Ligerito {
        let weights =
            blob::weighted::load(&args.weights, common, &mut Progress::new(common.quiet || common.json))?
                .ok_or_else(weighted::weights_needed)?;
        return blob::weighted::describe(&file, &args.policy.policy(), &weights, common);
    }
    let weights = weights::load(&args.weights, common, &mut Progress::new(common.quiet || common.json))?;
    describe_with(proof, &args.policy.policy(), weights.as_ref())
}

/// The command.
pub fn run(args: &VerifyArgs, common: &Common) -> Result<Exit, Failure> {
    let proof = read_ours(&args.proof, common)?;
    if ring::is_ring(&proof) {
        return ring::verify(&proof, args, common);
    }
    let nothing = args.commitment.is_none() && args.fingerprint.is_none();
    if nothing && !args.self_contained {
        return Err(Failure::usage(
            "nothing says which commitment the proof must be about: its own file may be about invented data",
            "pass --commitment FILE or --fingerprint HEX, or say --self-contained to compare with none",
        ));
    }
    let verified = read(&proof, args, common)?;
    compare(&verified, args, common)?;
    if common.json {
        output::line(format_args!("{:#}", json_of(&verified, args)));
    } else if !common.quiet {
        show(&verified, args);
    }
    Ok(if args.self_contained { Exit::SelfContained } else { Exit::Valid })
}

/// Refuses a proof about another commitment than the arguments name.
fn compare(verified: &Verified, args: &VerifyArgs, common: &Common) -> Result<(), Failure> {
    if let Some(path) = &args.commitment {
        let committed = read_ours(path, common)?;
        committed::check(&committed)?;
        if committed != verified.committed {
            let message = format!("the proof is about another commitment than {}", path.display());
            return Err(Failure::invalid(message));
        }
    }
    match &args.fingerprint {
        Some(expected) if units::hex(expected) != verified.fingerprint() => {
            let found = verified.fingerprint();
            Err(Failure::invalid(format!(
                "the proof is about another commitment, whose fingerprint is {found}"
            )))
        }
        _ => Ok(()),
    }
}

fn json_of(verified: &Verified, args: &VerifyArgs) -> Value {
    let value = json!({ "valid": true, "commitment_compared": args.commitment.is_some(),
        "fingerprint_compared": args.fingerprint.is_some(), "self_contained": args.self_contained,
        "claims": verified.claims, "proven_bits": verified.report.proven_bits(),
        "interactive_bits": verified.report.interactive_bits(),
        "theorems": verified.report.theorems.to_string(), "by_theorem": ByTheorem::from(&verified.report),
        "collision_bits": COLLISION_BITS, "combined_bits": verified.report.combined_bits(),
        "assumptions": verified.assumptions(), "fingerprint": verified.fingerprint(),
        "hidden_openings": verified.hidden_openings, "mask": verified.mask,
        // What only the file says: whose data it is about is settled by a comparison of commitments.
        "stated": verified.subject });
    verified.with_facts(value)
}

fn show(verified: &Verified, args: &VerifyArgs) {
    let (paint, report) = (Paint::stderr(), &verified.report);
    for claim in &verified.claims {
        note!("{} {claim}", paint.green("valid:"));
    }
    note!(
        "  {:.1} proven bits ({}), {:.1} of them without work",
        Shown(report.proven_bits()),
        verified.regime,
        Shown(report.interactive_bits())
    );
    note!("  fingerprint of the commitment {}", verified.fingerprint());
    let openings = verified.hidden_openings;
    if openings > 0 {
        note!("  the commitment hides: made for {openings} hidden opening(s) of one value each");
    }
    if let Some(mask) = verified.mask {
        note!("  mask number {mask}, counted from 0: with another proof of this number, data may be shown");
    }
    if args.self_contained {
        note!(
            "  compared with no commitment: the data may be invented; compare the fingerprint with one that you trust"
        );
    }
}

#[cfg(test)]
mod tests;
