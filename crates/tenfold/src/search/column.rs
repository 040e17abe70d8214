//! Parameters for columns of numbers.

use super::{Columns, Options};
use crate::dataset::{Base, Column, Measured, Table};
use crate::error::Error;
use crate::text::count;
use iop::error::ParamError;
use pcs::fields::Fields;
use pcs::file::SchemeId;
use pcs::ligerito::Preset;
use pcs::pip::search::{self, Candidate, Division, MAX_FORMS, SearchTarget};
use pcs::pip::{InnerKind, Params};
use pcs::scheme::Params as _;

/// Short data of hiding commitments are padded up to this size (log2) to find room for the random rows.
pub const LOG_SIZE_FOR_HIDING: u32 = 16;
/// Inner arguments that are tried for ranks if none is named.
const FOR_RANKS: [InnerKind; 2] = [InnerKind::Chain, InnerKind::Recursion];
/// Fields that are tried if none is named, smallest first.
pub const AUTOMATIC: [Base; 3] = [Base::KoalaBear, Base::Goldilocks, Base::Bn254];

/// The data field: the one asked for, or the smallest that holds every row and their sum.
///
/// # Errors
/// If it does not hold a row, or no field holds them all; if the column's description is none that verifiers read.
pub fn base(column: &Column, options: &Options) -> Result<Base, Error> {
    column.describe().check()?;
    match options.field {
        Some(base) => column.values.check(base, column.scale).map(|()| base).map_err(Error::OutOfField),
        None => automatic(column).ok_or(Error::NoField),
    }
}

/// The smallest field that holds every row and their sum: what is taken when none is named.
#[must_use]
pub fn automatic(column: &Column) -> Option<Base> {
    smallest(column.values.range(), column.values.sum())
}

/// The data field of columns that are committed to together: [`base`] of all of them.
///
/// # Errors
/// As [`base`].
pub fn base_of_table(table: &Table, options: &Options) -> Result<Base, Error> {
    let bases = table.columns().iter().map(|column| base(column, options)).collect::<Result<Vec<_>, _>>()?;
    let all = AUTOMATIC.into_iter().rev().find(|base| bases.contains(base));
    options.field.or(all).ok_or(Error::NoField)
}

fn smallest(range: Option<(i128, i128)>, sum: Option<i128>) -> Option<Base> {
    let ((low, high), sum) = (range.unwrap_or((0, 0)), sum?);
    AUTOMATIC.into_iter().find(|b| [low, high, sum].iter().all(|&x| b.holds(x)))
}

/// [`base`] of a column whose rows are not held.
///
/// # Errors
/// As [`base`].
pub fn base_of_measured(column: &Measured, options: &Options) -> Result<Base, Error> {
    column.description.check()?;
    let (scale, measures) = (column.description.scale, &column.measures);
    match options.field {
        Some(base) => measures.check(base, scale).map(|()| base).map_err(Error::OutOfField),
        None => smallest(measures.range(), measures.sum()).ok_or(Error::NoField),
    }
}

/// The data field of a column whose rows are not known: the one asked for, or the smallest, beyond which [`automatic`] goes only for
/// rows that need it.
#[must_use]
pub fn base_of_any(options: &Options) -> Base {
    let [smallest, ..] = AUTOMATIC;
    options.field.unwrap_or(smallest)
}

/// The challenge fields over a data field; the search takes the one that proves the bits at the least cost.
#[must_use]
pub fn challenge_fields(base: Base) -> &'static [Fields] {
    match base {
        Base::KoalaBear => Fields::OVER_KOALA_BEAR,
        Base::Goldilocks => Fields::OVER_GOLDILOCKS,
        Base::Mersenne61 => &[Fields::Mersenne61x2],
        Base::Bn254 => &[Fields::Bn254],
    }
}

/// log2 of the padded number of rows.
#[must_use]
pub fn log_size(column: &Column) -> u32 {
    log_size_of(column.rows())
}

pub(super) fn log_size_of(rows: usize) -> u32 {
    rows.next_power_of_two().trailing_zeros()
}

/// The cheapest parameters for `2^log_size` rows, hiding or not.
///
/// # Errors
/// If an option is for bytes, nothing proves the bits, more columns than rows are asked for, or there are fewer columns than parts.
pub fn choose(base: Base, log_size: u32, options: &Options) -> Result<Params, Error> {
    check_options(options)?;
    options.check_columns(log_size)?;
    find(base, log_size, options).map_err(Error::Search).and_then(|params| options.with_parts(params))
}

/// The same for a column: a short one that hides is padded until the random rows fit in.
///
/// # Errors
/// As [`choose`].
pub fn choose_padded(base: Base, log_size: u32, options: &Options) -> Result<Params, Error> {
    let refused = match choose(base, log_size, options) {
        Err(Error::Search(refused)) if options.hidden_openings > 0 => refused,
        chosen => return chosen,
    };
    let longer =
        (log_size.saturating_add(1)..=LOG_SIZE_FOR_HIDING).find_map(|size| find(base, size, options).ok());
    longer.ok_or(Error::Search(refused)).and_then(|params| options.with_parts(params))
}

/// Every layout over a field that is worth a choice, fastest first.
///
/// # Errors
/// If an option is for bytes, or more columns than rows are asked for.
pub fn candidates(base: Base, log_size: u32, options: &Options) -> Result<Vec<Candidate>, Error> {
    check_options(options)?;
    options.check_columns(log_size)?;
    Ok(search::pareto_among(challenge_fields(base), &target(base, log_size, options)))
}

/// The trade of a profile between time and size.
#[must_use]
pub fn profile(options: &Options) -> search::Profile {
    match options.profile {
        Some(Preset::Small) => search::Profile::Small,
        _ => search::Profile::Fast,
    }
}

/// Refuses parameters that are not for this one of so many columns: of its length with its padding, or for one that hides longer.
pub(super) fn check(params: &Params, column: &Column, columns: u32) -> Result<(), Error> {
    column.describe().check()?;
    let of_bytes = || Error::OtherParams("the parameters are for bytes".into());
    let base = Base::from_data(params.summary().fields[0]).ok_or_else(of_bytes)?;
    column.values.check(base, column.scale).map_err(Error::OutOfField)?;
    let least = log_size(column);
    let most = if params.hidden_openings > 0 { least.max(LOG_SIZE_FOR_HIDING) } else { least };
    if !(least..=most).contains(&params.log_size) {
        let (found, rows) = (params.log_size, count(column.rows() as u64));
        let message = format!("the parameters are for 2^{found} rows, and {rows} rows take 2^{least}");
        return Err(Error::OtherParams(message));
    }
    if params.polynomials != columns {
        let found = params.polynomials;
        return Err(Error::OtherParams(format!(
            "the parameters are for {found} column(s), and there are {columns}"
        )));
    }
    Ok(())
}

/// Refuses what is for bytes alone.
///
/// # Errors
/// If an option is.
pub fn check_options(options: &Options) -> Result<(), Error> {
    options.check_numbers()?;
    let option = match options {
        Options { polynomials: Some(2..), inner: Some(InnerKind::TwoChains), .. } => {
            return Err(Error::Table("two chains open a single column: take another inner argument".into()));
        }
        Options { scheme: Some(scheme), .. } if *scheme != SchemeId::Pip => "scheme",
        Options { entries: Some(_), .. } => "entries",
        Options { over: Some(_), .. } => "over",
        Options { profile: Some(Preset::Balanced), .. } => "profile balanced",
        Options { profile: Some(Preset::Secure128), .. } => "profile secure128",
        _ => return Ok(()),
    };
    Err(Error::Option { option, data: "a column of numbers" })
}

fn find(base: Base, log_size: u32, options: &Options) -> Result<Params, ParamError> {
    search::find_among(challenge_fields(base), &target(base, log_size, options))
}

/// The search's target; with the columns and the inner argument for ranks, if they are asked for and anything proves the bits.
fn target(base: Base, log_size: u32, options: &Options) -> SearchTarget {
    let target = of_one_machine(base, log_size, options);
    match options.columns {
        Columns::Log2(columns) => SearchTarget { log_columns: Some(columns), ..target },
        Columns::ForRanks if options.log_parts > 0 => {
            let inners = options.inner.as_ref().map_or(&FOR_RANKS[..], core::slice::from_ref);
            let found = search::for_ranks((challenge_fields(base), inners), &target, options.log_parts);
            found.map_or(target.clone(), |Division { log_columns, inner }| SearchTarget {
                log_columns: Some(log_columns),
                inner,
                ..target
            })
        }
        Columns::ForRanks | Columns::Cheapest => target,
    }
}

fn of_one_machine(base: Base, log_size: u32, options: &Options) -> SearchTarget {
    let inner = options.inner.unwrap_or(InnerKind::Recursion);
    let single = inner == InnerKind::TwoChains || options.hidden_openings > 0;
    SearchTarget {
        unique_decoding: options.unique_decoding(None),
        hash: options.hash_for(options.column_bits()),
        max_forms: if single { 1 } else { MAX_FORMS },
        polynomials: options.polynomials.unwrap_or(1),
        hidden_openings: options.hidden_openings,
        inner,
        theorems: options.theorems,
        interactive_bits: options.interactive_bits,
        ..SearchTarget::new(challenge_fields(base)[0], log_size, options.column_bits(), profile(options))
    }
}
