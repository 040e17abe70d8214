//! From the user's wishes to validated parameters.

use super::verify::malformed;
use crate::args::{HashChoice, InnerChoice, Profile, SchemeArgs};
use crate::data::{Base, Column};
use crate::exit::{Exit, Failure};
use iop::error::ParamError;
use iop::hash::Hash;
use iop::security::{Policy, Theorem};
use pcs::fields::Fields;
use pcs::file::FileError;
use pcs::pip::search::{self, Candidate, SearchTarget};
use pcs::pip::{InnerKind, Params};
use tenfold::AnyScheme;
use tenfold::verify::Refused;

/// Statements of one proof: a sum takes up to one per index bit, and leaves room for as many entries.
const MAX_FORMS: u32 = 64;
/// Short columns of hiding commitments are padded up to this size (log2) to find room for the random rows.
pub const LOG_SIZE_FOR_HIDING: u32 = 16;
/// Fields that `auto` tries, smallest first.
pub(super) const AUTOMATIC: [Base; 3] = [Base::KoalaBear, Base::Goldilocks, Base::Bn254];

/// The data field: the one asked for, or the smallest that holds every row and their sum.
pub fn base(column: &Column, args: &SchemeArgs) -> Result<Base, Failure> {
    if let Some(base) = args.field.base() {
        column.values.check(base, column.scale)?;
        return Ok(base);
    }
    automatic(column).ok_or_else(|| {
        Failure::usage("no field holds these rows and their sum", "scale the values down with --scale")
    })
}

/// The smallest field that holds every row and their sum: what is taken when none is named.
#[must_use]
pub fn automatic(column: &Column) -> Option<Base> {
    let (low, high) = column.values.range().unwrap_or((0, 0));
    let sum = column.values.sum()?;
    AUTOMATIC.into_iter().find(|b| [low, high, sum].iter().all(|&x| b.holds(x)))
}

/// The challenge fields over a data field; the search takes the one that proves the bits at the least cost.
#[must_use]
pub fn fields(base: Base) -> &'static [Fields] {
    match base {
        Base::KoalaBear => Fields::OVER_KOALA_BEAR,
        Base::Goldilocks => Fields::OVER_GOLDILOCKS,
        Base::Mersenne61 => &[Fields::Mersenne61x2],
        Base::Bn254 => &[Fields::Bn254],
    }
}

/// The data field that a pair of fields holds its rows in.
#[must_use]
pub fn base_of(fields: Fields) -> Base {
    match fields {
        Fields::KoalaBear4 | Fields::KoalaBear5 | Fields::KoalaBear8 => Base::KoalaBear,
        Fields::Goldilocks1 | Fields::Goldilocks2 | Fields::Goldilocks3 => Base::Goldilocks,
        Fields::Mersenne61x2 => Base::Mersenne61,
        Fields::Bn254 => Base::Bn254,
        other => unreachable!("{other:?} is no pair of prime fields"),
    }
}

/// Refuses what is for files of bytes alone.
pub fn refuse_binary(args: &SchemeArgs) -> Result<(), Failure> {
    let option = match args {
        SchemeArgs { entries: Some(_), .. } => "--entries",
        SchemeArgs { over: Some(_), .. } => "--over",
        SchemeArgs { profile: Some(Profile::Balanced), .. } => "--profile balanced",
        SchemeArgs { profile: Some(Profile::Secure128), .. } => "--profile secure128",
        _ => return Ok(()),
    };
    Err(Failure::usage(
        format!("{option} is about files of bytes, and this scheme commits to a column of numbers"),
        "leave it out, or take --scheme ligerito",
    ))
}

/// The hash of a choice.
#[must_use]
pub fn hash(choice: HashChoice) -> Hash {
    match choice {
        HashChoice::Blake3 => Hash::Blake3,
        HashChoice::Sha256 => Hash::Sha256,
        HashChoice::Keccak256 => Hash::Keccak256,
    }
}

/// What the search trades for what, over a prime field.
#[must_use]
pub fn profile(args: &SchemeArgs) -> search::Profile {
    match args.profile {
        Some(Profile::Small) => search::Profile::Small,
        _ => search::Profile::Fast,
    }
}

/// The inner argument of a choice.
#[must_use]
pub fn inner(choice: InnerChoice) -> InnerKind {
    match choice {
        InnerChoice::Recursion => InnerKind::Recursion,
        InnerChoice::Chain => InnerKind::Chain,
        InnerChoice::TwoChains => InnerKind::TwoChains,
    }
}

/// The cheapest parameters for `2^log_size` rows.
pub fn params(base: Base, log_size: u32, args: &SchemeArgs) -> Result<Params, Failure> {
    find(base, log_size, args, (0, MAX_FORMS))
        .map_err(|e| Failure::usage(e.0, "ask for fewer --bits, or another --field"))
}

/// The cheapest parameters for `2^log_size` rows that hide so many openings, of one form each.
pub fn hiding_params(base: Base, log_size: u32, args: &SchemeArgs, openings: u32) -> Result<Params, Failure> {
    find(base, log_size, args, (openings, 1)).map_err(|e| {
        let hint = match args.inner {
            InnerChoice::TwoChains => "two chains do not hide: take another --inner",
            _ => "hiding adds random rows: take a larger size, fewer openings, fewer --bits, or another --field",
        };
        Failure::usage(format!("with --hiding {openings}, {}", e.0), hint)
    })
}

/// The same for a column: a short one is padded until the random rows fit in.
pub fn padded_hiding_params(
    base: Base,
    log_size: u32,
    args: &SchemeArgs,
    openings: u32,
) -> Result<Params, Failure> {
    let longer = (log_size + 1..=LOG_SIZE_FOR_HIDING).map(|n| find(base, n, args, (openings, 1)));
    hiding_params(base, log_size, args, openings)
        .or_else(|failure| longer.into_iter().find_map(Result::ok).ok_or(failure))
}

fn find(
    base: Base,
    log_size: u32,
    args: &SchemeArgs,
    (hidden_openings, max_forms): (u32, u32),
) -> Result<Params, ParamError> {
    search::find_among(fields(base), &wanted(base, log_size, args, (hidden_openings, max_forms)))
}

/// Every layout over a field that is worth a choice, fastest first.
#[must_use]
pub fn candidates(base: Base, log_size: u32, args: &SchemeArgs) -> Vec<Candidate> {
    search::pareto_among(fields(base), &wanted(base, log_size, args, (0, MAX_FORMS)))
}

fn wanted(
    base: Base,
    log_size: u32,
    args: &SchemeArgs,
    (hidden_openings, max_forms): (u32, u32),
) -> SearchTarget {
    let inner = inner(args.inner);
    SearchTarget {
        hash: hash(args.hash),
        max_forms: if inner == InnerKind::TwoChains { 1 } else { max_forms },
        hidden_openings,
        inner,
        theorems: args.theorems.set(),
        ..SearchTarget::new(fields(base)[0], log_size, args.bits().number(), profile(args))
    }
}

/// log2 of the padded number of rows.
#[must_use]
pub fn log_size(column: &Column) -> u32 {
    column.padded_rows().trailing_zeros()
}

/// Validated parameters for a prover, or why they are refused: there is no proof yet that could be invalid.
pub fn validated(params: &Params, policy: &Policy) -> Result<AnyScheme, Failure> {
    AnyScheme::from_pip(params.clone(), policy).map_err(refused)
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

/// A prover of ours that was given what it cannot prove.
pub(super) fn unproven(e: ParamError) -> Failure {
    Failure::usage(e.0, "report this: the command checks beforehand what can be proven")
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
