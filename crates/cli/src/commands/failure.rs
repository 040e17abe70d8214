//! Errors of the library in the terms of the command: exit codes and what to do.

mod data;

pub(super) use data::{unreadable, unreadable_weights};

use super::verify::malformed;
use super::weights;
use crate::exit::{Exit, Failure};
use iop::error::ParamError;
use iop::security::Theorem;
use pcs::file::FileError;
use pcs::pip::InnerKind;
use tenfold::dataset::OutOfField;
use tenfold::verify::Refused;
use tenfold::{Columns, Error, Options};

/// The failure of a command that an error of the library is.
pub(super) fn failure(error: Error) -> Failure {
    let message = error.to_string();
    match error {
        Error::Refused(refused) => refused_file(refused),
        Error::Params(e) => refused(e),
        Error::Commitment(e) => Failure::usage(e.to_string(), "make it again with `tenfold commit`"),
        Error::OutOfField(e) => Failure::usage(message, smaller(&e)),
        Error::WeightOutOfField(e) => weights::too_large(&e.to_string()),
        Error::OtherCommitment { .. } | Error::NothingExpected => Failure::invalid(message),
        Error::NotClaimed { .. } | Error::OtherValue { .. } => Failure::invalid(message),
        Error::Option { option, data } => other_data(option, data),
        Error::SchemeOfBytes(_) => other_data("scheme", "bytes"),
        Error::HiddenBytes => Failure::usage(
            "with --scheme ligerito nothing hides: a proof about packed entries shows sums over others beside them",
            "take `--scheme air`, which hides words of 64 bits, or `--scheme pip`, which packs the bytes of any file into numbers",
        ),
        Error::Search(e) => {
            Failure::usage(e.reason(), "ask for fewer --bits, another --field, or split the file")
        }
        Error::Memory { .. } => {
            Failure { exit: Exit::Io, message, hint: Some("raise `--max-memory`".into()) }
        }
        Error::WrongDevice => {
            let hint = "commit again with `--device cpu`, and do not trust this GPU";
            Failure { exit: Exit::Io, message, hint: Some(hint.into()) }
        }
        Error::HiddenSum(rows) => {
            let rows = rows.checked_next_power_of_two().unwrap_or(rows);
            Failure::usage(
                message,
                format!("commit to {rows} rows: append rows of 0, which then count as rows"),
            )
        }
        error => Failure::usage(message, advice(&error)),
    }
}

/// The advice for a value that a field does not hold.
fn smaller(beyond: &OutOfField) -> String {
    let larger = match beyond.field {
        "koalabear" => "pass a larger field (`--field goldilocks`, or `bn254`)",
        "bn254" => return data::smaller(beyond.scale > 0).into(),
        _ => "pass a larger field (`--field bn254`)",
    };
    format!("{larger}, or {}", data::smaller(beyond.scale > 0))
}

/// The failure of a command whose options no parameters satisfy.
pub(super) fn unfound(error: Error, options: &Options, of_bytes: bool) -> Failure {
    let (Error::Search(e), openings) = (&error, options.hidden_openings) else { return failure(error) };
    if openings == 0 {
        let without_work = if options.interactive_bits > 0 { "--interactive-bits or " } else { "" };
        let other = other_than_bits(options, of_bytes);
        Failure::usage(e.reason(), format!("ask for fewer {without_work}--bits, or {other}"))
    } else {
        let hint = match options.inner {
            Some(InnerKind::TwoChains) => "two chains do not hide: take another --inner",
            _ => {
                "hiding adds random rows: take a larger size, fewer openings, fewer --bits, or another --field"
            }
        };
        Failure::usage(format!("with --hiding {openings}, {}", e.reason()), hint)
    }
}

/// Names the option to change, other than the bits, if no parameters prove the bits.
fn other_than_bits(options: &Options, of_bytes: bool) -> &'static str {
    let bits = options.bits.unwrap_or(128) as usize;
    match options.hash {
        Some(hash) if bits > 4 * hash.bytes() => "leave --hash out",
        _ if matches!(options.columns, Columns::Log2(_)) => "take other --columns",
        _ if options.over.is_some() => "take another --over",
        _ if of_bytes => "split the file",
        _ if bits > 192 => "commit to bytes by --scheme ligerito or air",
        _ => "take another --field",
    }
}

/// What to do about it, by the options of the command.
fn advice(error: &Error) -> &'static str {
    match error {
        Error::NoField => "or name `--field bn254`, to prove rows and no sum",
        Error::LongName => "give shorter names, or make several commitments",
        Error::ProfileBits { .. } => "leave --bits out, or take another --profile, or none",
        Error::RecursionAlone => {
            "leave --inner out, or with `--columns ranks` take `--inner recursion`, and --scheme pip or ligerito; `tenfold params` shows what is taken of the others"
        }
        Error::ProfileField { .. } => "leave --over out, or --profile",
        Error::ProfileRegime(_) => "leave --unique-decoding out, or take `--profile fast`",
        Error::ProfileOfAir(_) => {
            "leave --profile out: `air` takes what is best at the --bits; or take `--scheme ligerito`"
        }
        Error::Parts { .. } => "take fewer --parts, more --columns, or more data",
        Error::Columns { .. } => "take fewer --columns",
        Error::OtherParams(_) => "write parameters for these data with `tenfold params -o FILE`",
        Error::OtherData => "give the file that was committed",
        Error::NoRow { .. } => "take another --row",
        Error::Point { .. } => "give one integer per variable, lowest index bit first",
        Error::NotElement(_) => {
            "take an integer below the modulus of the field (koalabear 2130706433, goldilocks 18446744069414584321), or its negative; of bytes from 0"
        }
        Error::NoClaim => {
            "name a --row, --sum, --mean, --sum-rows, a --point, a value to --evaluate at, --weights, or a --product"
        }
        Error::TooManyClaims { .. } => "make several proofs, with -o",
        Error::SumWraps { .. } => "commit again with a larger --field, or prove rows",
        Error::WeightedSumWraps { .. } => {
            "commit again with a larger --field, or use smaller weights with fewer decimals"
        }
        Error::SumTooLarge { .. } => "or express the column in larger units, such as thousands",
        Error::WeightedSumTooLarge { .. } => "use smaller weights with fewer decimals",
        Error::WeightsAlone => "prove rows, points and the sum without --weights",
        Error::WeightsCount { .. } => "give one weight per row, 0 for rows that do not count",
        Error::WeightsLength { .. } => "give as many bytes of weights as the file has, 0 for no weight",
        Error::WeightsTooLarge => "use smaller weights with fewer decimals",
        Error::NoMean => "leave --mean out to prove the weighted sum",
        Error::OneHidden(_) => "make a proof for each, with -o; each uses up one opening",
        Error::HiddenEntries => "leave --entries and --over out",
        Error::HiddenWeights => "prove weighted sums of a commitment without --hiding",
        Error::HiddenSum(_) => "prove rows, or a range of --sum-rows that is a block",
        Error::HiddenRange(_) => "take such a range of --sum-rows, or prove rows",
        Error::ProductAlone => "make a proof for each product, with -o, and one for the other claims",
        Error::ProductForms(_) => {
            "commit again with `--inner recursion`, which is the default, or `--inner chain`"
        }
        Error::HiddenProduct => "prove products of a commitment without --hiding",
        Error::NoColumn(_) => "`tenfold inspect` of the commitment names its columns",
        Error::TwoReadings { .. } => "leave the value out and read it in `verify --json`",
        Error::Table(_) => "name each --column once, of one file",
        Error::WeightsKind(_) => {
            "give --weights of the kind of the data: of numbers a column, of bytes a file"
        }
        _ => "`--help` of the command says what each option takes",
    }
}

/// The answer to an option that is about other data than there are.
fn other_data(option: &str, data: &str) -> Failure {
    if data != "bytes" {
        let message =
            format!("--{option} is about files of bytes, and this scheme commits to a column of numbers");
        let air = if option.starts_with("profile") { "" } else { " or air" };
        return Failure::usage(message, format!("leave it out, or take --scheme ligerito{air}"));
    }
    match option {
        "field" => Failure::usage(
            "--field is for columns of numbers: bytes stand in a binary field as they are",
            "leave it out",
        ),
        "inner" => Failure::usage(
            "--inner is for columns of numbers: of bytes the scheme says it, ligerito by recursion and air by a chain",
            "leave --inner out, and take --scheme",
        ),
        _ => Failure::usage("bytes are committed to by the schemes ligerito and air", "take one of them"),
    }
}

/// What a command says to a file that is refused.
pub(super) fn refused_file(refused_file: Refused) -> Failure {
    match refused_file {
        Refused::Params(e) => refused(e),
        Refused::File(FileError::Digest(_))
        | Refused::Proof(_)
        | Refused::OtherWeights
        | Refused::WeightsScale { .. }
        | Refused::NeedlessWeights
        | Refused::MissingWeights => Failure::invalid(refused_file.to_string()),
        Refused::File(_)
        | Refused::Undescribed
        | Refused::LongContext
        | Refused::Weights { .. }
        | Refused::WeightBeyond { .. } => malformed(&refused_file.to_string()),
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
    let hint = theorem_hint(e.reason()).unwrap_or_else(|| {
        if matches!(e, ParamError::OtherRegime(_)) {
            return "commit again with --unique-decoding, or leave it out here".to_owned();
        }
        let without_work = matches!(e, ParamError::TooFewBits { without_work: true, .. });
        let [ask, accept] = if without_work { ["--interactive-bits"; 2] } else { ["--bits", "--min-bits"] };
        format!("commit again with more {ask}, or accept fewer with {accept}")
    });
    Failure { hint: Some(hint), ..Failure::invalid(format!("the parameters are refused: {}", e.reason())) }
}
