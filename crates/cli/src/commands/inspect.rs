//! `tenfold inspect`: what is in a file, byte by byte, and a picture of where the bytes go.

use super::failure::{failure, refused_file};
use super::{named, read_ours, secret::store};
use crate::args::{Common, InspectArgs};
use crate::exit::{Exit, Failure};
use crate::files::Kind as Ours;
use crate::output;
use crate::parts::Parts;
use crate::units;
use iop::error::ParamError;
use iop::security::{Policy, Report};
use pcs::file::{File, Kind};
use serde_json::{Value, json};
use tenfold::any::Part as Length;
use tenfold::verify::parts;
use tenfold::{AnyParams, CommitmentFile, Policy as VerifierPolicy, describe};
use zeroize::Zeroizing;

/// The command.
pub fn run(args: &InspectArgs, common: &Common) -> Result<Exit, Failure> {
    let bytes = Zeroizing::new(read_ours(&args.file, common)?);
    if Ours::of(&bytes) == Some(Ours::HidingSecret) {
        check_theorems(args, "the secret of a commitment")?;
        let (secret, found) = store::peek(&args.file)?;
        let facts = describe::secret(&secret, found);
        super::describe::show(&facts.name, &facts, common);
        return Ok(Exit::Valid);
    }
    #[cfg(feature = "ring")]
    if ring_proof::file::is_ring(&bytes) {
        check_theorems(args, "a file about a ring")?;
        return super::ring::inspect(&bytes, common);
    }
    let file = File::decode(&bytes).map_err(|e| {
        let hint = "give a commitment, its secret, a proof, or a file of a ring; `tenfold ledger show` is for those of a ledger";
        named(&args.file, &bytes, Failure::usage(e.to_string(), hint))
    })?;
    let malformed = || Failure::usage("malformed parameters", "give a file that tenfold wrote");
    let of = AnyParams::decode(file.scheme, &file.params).ok_or_else(malformed)?;
    let facts = if file.kind == Kind::Commitment {
        let policy = Policy { theorems: args.theorems.set(), ..Policy::at_least(0) };
        let report = in_range(of.validate(&policy))?;
        describe::commitment(&CommitmentFile::from_bytes(&bytes).map_err(|e| failure(e.into()))?, &report)
    } else {
        check_theorems(args, "a proof")?;
        Vec::new()
    };
    let body = body_parts(&file)?;
    let facts = if file.kind == Kind::Commitment { facts } else { proof(&bytes, &file)? };
    if !common.json {
        facts.iter().for_each(|(name, text, _)| output::line(format_args!("{name:<12} {text}")));
    }
    let value: serde_json::Map<String, Value> =
        facts.into_iter().map(|(name, _, value)| (name.replace(' ', "_"), value)).collect();
    show(&file, body, &of.outline(), value.into(), common);
    Ok(Exit::Valid)
}

/// The claims that are shown of a proof.
const SHOWN: usize = 20;

/// The content of a proof whose parts were read; of one by weights, which are not in it, its kind alone.
fn proof(bytes: &[u8], file: &File) -> Result<Vec<describe::Fact>, Failure> {
    let kind = match file.kind {
        Kind::Weighted => "a proof by weights, which are not in it",
        Kind::Product => "a proof of an inner product",
        _ => "a proof",
    };
    let mut facts = vec![("kind", kind.to_owned(), json!(kind))];
    if file.kind != Kind::Weighted {
        let verdict =
            tenfold::verify(bytes, &VerifierPolicy::at_least(0).self_contained()).map_err(failure)?;
        let claims: Vec<String> = verdict.claims.iter().map(ToString::to_string).collect();
        let mut shown = claims.iter().take(SHOWN).cloned().collect::<Vec<_>>();
        shown.extend((claims.len() > SHOWN).then(|| format!("and {} more, in --json", claims.len() - SHOWN)));
        let fingerprint = units::hex(&verdict.commitment.fingerprint());
        facts.push((
            "fingerprint",
            format!("{fingerprint} of the commitment it is about"),
            json!(fingerprint),
        ));
        facts.push(("claims", shown.join("\n             "), json!(claims)));
    }
    Ok(facts)
}

/// Refuses `--theorems` of a file of which no proven bits are shown.
fn check_theorems(args: &InspectArgs, of: &str) -> Result<(), Failure> {
    if args.theorems.theorems.is_empty() {
        return Ok(());
    }
    let message = format!("--theorems is about the proven bits of a commitment, and this is {of}");
    Err(Failure::usage(
        message,
        "leave --theorems out, or give the commitment; `tenfold verify` has it for proofs",
    ))
}

/// What the body of a file about data is made of. Only a proof that verifies has a meaning for each of its bytes; of a weighted sum all but the
/// weights is checked, which are not in the file.
fn body_parts(file: &File) -> Result<Vec<Length>, Failure> {
    if file.kind == Kind::Commitment {
        return Ok(vec![(file.body.len(), "description and commitment".into())]);
    }
    parts(file, &Policy::at_least(0)).map_err(refused_file)
}

/// What is shown of a commitment computes with its parameters, so they must at least be in range.
fn in_range(validated: Result<Report, ParamError>) -> Result<Report, Failure> {
    validated.map_err(|e| {
        let message = format!("the file's parameters are refused: {}", e.reason());
        Failure::usage(message, "give a file that tenfold wrote")
    })
}

/// Prints the parts of a file, those of its body given, and `facts`, an object that JSON has too.
pub(super) fn show(file: &File, body: Vec<Length>, layout: &[String], mut facts: Value, common: &Common) {
    let header = file.header_parts().map(|(length, name)| (length, name.to_owned()));
    let parts = Parts::of(header.into_iter().chain(body));
    if common.json {
        facts["layout"] = json!(layout);
        facts["parts"] = parts.json();
        output::line(format_args!("{facts:#}"));
    } else {
        layout.iter().for_each(output::line);
        output::line(format_args!("\n{parts}"));
    }
}
