//! Errors of the library in the terms of the command: exit codes and what to do.

use super::verify::malformed;
use super::weights;
use crate::data::DataError;
use crate::exit::{Exit, Failure};
use iop::error::ParamError;
use iop::security::Theorem;
use pcs::file::FileError;
use tenfold::Error;
use tenfold::verify::Refused;

/// The failure of a command that an error of the library is.
pub(super) fn failure(error: Error) -> Failure {
    let message = error.to_string();
    match error {
        Error::Refused(refused) => refused_file(refused),
        Error::Params(e) => refused(e),
        Error::Commitment(e) => Failure::usage(e.to_string(), "make it again with `tenfold commit`"),
        Error::OutOfField(e) => DataError::from(e).into(),
        Error::WeightOutOfField(e) => weights::too_large(&DataError::from(e).to_string()),
        Error::OtherCommitment { .. } | Error::NothingExpected => Failure::invalid(message),
        Error::Option { option, data } => other_data(option, data),
        Error::Search(ParamError(what)) => {
            Failure::usage(what, "ask for fewer --bits, another --field, or split the file")
        }
        Error::Memory { .. } => {
            Failure { exit: Exit::Io, message, hint: Some("raise `--max-memory`".into()) }
        }
        error => {
            let (message, hint) = advice(&error, message);
            Failure::usage(message, hint)
        }
    }
}

/// What to do about an argument that does not go with the data.
fn advice(error: &Error, message: String) -> (String, String) {
    let two = |message: &str, hint: &str| (message.to_owned(), hint.to_owned());
    match error {
        Error::NoField => {
            two("no field holds these rows and their sum", "scale the values down with --scale")
        }
        Error::LongName => two("the name of the column is longer than 1 MiB", "give it a shorter one"),
        Error::ProfileBits { name, bits } => (
            format!("with --scheme ligerito the profile `{name}` proves {bits} bits"),
            "leave --bits out, or take another --profile, or none".into(),
        ),
        Error::ProfileField { name, field } => {
            (format!("the profile `{name}` is not over {field}"), "leave --over out, or --profile".into())
        }
        Error::OtherParams(what) => {
            (what.clone(), "write parameters for these data with `tenfold params -o FILE`".into())
        }
        Error::OtherData => two("the data does not match the commitment", "give the file that was committed"),
        Error::NoRow { row, rows } => (
            format!("there is no row {row}"),
            format!("rows are numbered from 0 to {}", rows.saturating_sub(1)),
        ),
        Error::Point { .. } => (message, "give one integer per variable, lowest index bit first".into()),
        Error::NoClaim => two("nothing to prove", "name a --row, a --point, --sum, --mean or --weights"),
        Error::TooManyClaims { most, .. } => {
            (format!("at most {most} statements per proof"), "make several proofs".into())
        }
        Error::SumWraps { name, field } => (
            format!("the sum of {name} does not fit {field}: it would wrap around"),
            "commit again with a larger --field, or prove rows".into(),
        ),
        Error::WeightedSumWraps { name, field } => (
            format!("the weighted sum of {name} does not fit {field}: it would wrap around"),
            "commit again with a larger --field, or use smaller weights with fewer decimals".into(),
        ),
        Error::WeightsAlone => {
            two("a weighted sum is a proof of its own", "prove rows, points and the sum without --weights")
        }
        Error::WeightsTooLarge => {
            two("the sum of the weights is too large for a mean", "use smaller weights with fewer decimals")
        }
        Error::NoMean => two(
            "the weights add up to zero: there is no weighted mean",
            "leave --mean out to prove the weighted sum",
        ),
        error => hiding_advice(error, message),
    }
}

/// The same for claims about a commitment that hides.
fn hiding_advice(error: &Error, message: String) -> (String, String) {
    match error {
        Error::OneHidden(forms) => (
            format!("a hiding proof states one value, not {forms}"),
            "make a proof for each, with -o; each uses up one opening".into(),
        ),
        Error::HiddenSum(rows) => (
            format!(
                "a hiding proof states one value, and the sum of {rows} rows would also state the sums of their parts"
            ),
            format!(
                "commit to {} rows: append rows of 0, which then count as rows",
                rows.checked_next_power_of_two().unwrap_or(*rows)
            ),
        ),
        Error::HiddenWeights => (
            "a weighted sum would reveal sums over a hiding commitment".into(),
            "prove weighted sums of a commitment without hiding".into(),
        ),
        _ => (message, "`tenfold help` shows what goes together".into()),
    }
}

/// The answer to an option that is about other data than there are.
fn other_data(option: &str, data: &str) -> Failure {
    if data != "bytes" {
        return Failure::usage(
            format!("--{option} is about files of bytes, and this scheme commits to a column of numbers"),
            "leave it out, or take --scheme ligerito",
        );
    }
    match option {
        "field" => Failure::usage(
            "--field is for columns of numbers: bytes stand in a binary field as they are",
            "leave it out",
        ),
        "inner" => Failure::usage("Ligerito has no other inner argument than recursion", "leave --inner out"),
        _ => Failure::usage(
            "with --scheme ligerito nothing hides: a proof about packed entries shows sums over others beside them",
            "take `--scheme pip`, which packs the bytes of any file into numbers",
        ),
    }
}

/// What a command says to a file that is refused.
pub(super) fn refused_file(refused_file: Refused) -> Failure {
    match refused_file {
        Refused::Params(e) => refused(e),
        Refused::File(FileError::Digest(_)) | Refused::Proof(_) => Failure::invalid(refused_file.to_string()),
        Refused::File(_) | Refused::Undescribed | Refused::Weights { .. } | Refused::WeightBeyond { .. } => {
            malformed(&refused_file.to_string())
        }
        Refused::Memory(_) => Failure {
            exit: Exit::Io,
            message: refused_file.to_string(),
            hint: Some("raise `--max-memory`, or commit to larger --entries".to_owned()),
        },
    }
}

/// The option that accepts what one theorem alone proves, if a refusal names one.
fn theorem_hint(refusal: &str) -> Option<String> {
    let named = |theorem: &Theorem| refusal.contains(&format!("the theorem {theorem} alone proves"));
    let theorem = Theorem::ALL.into_iter().rev().find(named)?;
    Some(format!(
        "accept them by that theorem alone with --theorems {theorem}, or fewer bits with --min-bits"
    ))
}

/// What a prover says to parameters that are refused: as to a verifier, they are those of a file that does not prove enough.
pub(super) fn refused(e: ParamError) -> Failure {
    let hint = theorem_hint(&e.0)
        .unwrap_or_else(|| "commit again with more --bits, or accept fewer with --min-bits".to_owned());
    Failure { hint: Some(hint), ..Failure::invalid(format!("the parameters are refused: {}", e.0)) }
}
