//! From what a user asks for to parameters: field, scheme, and the cheapest layout that proves the bits.

mod bytes;
mod column;
mod layouts;
mod options;

pub use bytes::{
    candidates as bytes_candidates, check_options as check_bytes_options, choose as bytes_params,
    proven_bits as bytes_bits,
};
pub use column::{
    AUTOMATIC, LOG_SIZE_FOR_HIDING, automatic, base, base_of_any, base_of_measured, base_of_table,
    candidates as column_candidates, challenge_fields, check_options as check_column_options,
    choose as column_params, choose_padded as padded_column_params, log_size, profile as column_profile,
};
pub use layouts::{Costs, Layout, layouts, limit};
pub use options::{Columns, EntrySize, Options};

use crate::dataset::{Base, Column, Dataset, Measured, Table};
use crate::error::Error;
use crate::longest::MAX_CONTEXT;
use crate::params::AnyParams;
use crate::statement::{ColumnDescription, Description, TableDescription};
use alloc::borrow::ToOwned;
use alloc::string::String;
use iop::error::ParamError;
use iop::security::Policy;
use pcs::file::SchemeId;

/// Chooses the cheapest parameters for a dataset.
///
/// # Errors
/// If the options are not for such data, their description is none that verifiers read, no field holds them, or nothing proves the bits.
pub fn choose(data: &Dataset, options: &Options) -> Result<AnyParams, Error> {
    match data {
        Dataset::Column(data) => column(data, options),
        Dataset::Table(data) => table(data, options),
        Dataset::Bytes(data) => bytes(data.content.len() as u64, options),
    }
}

/// Chooses the cheapest parameters for a column.
///
/// # Errors
/// As [`choose`].
pub fn column(column: &Column, options: &Options) -> Result<AnyParams, Error> {
    if options.polynomials.is_some_and(|columns| columns != 1) {
        return Err(Error::Option { option: "polynomials", data: "a single column" });
    }
    check_description(&Description::Column(column.describe()))?;
    let (base, log_size) = (base(column, options)?, log_size(column));
    padded_column_params(base, log_size, options).map(AnyParams::from)
}

/// Chooses the cheapest parameters for the columns of a table together.
///
/// # Errors
/// As [`choose`]; if the options are for another number of columns.
pub fn table(table: &Table, options: &Options) -> Result<AnyParams, Error> {
    let description = table.describe();
    let columns = description.count();
    check_description(&Description::Table(description))?;
    if let Some(given) = options.polynomials.filter(|given| *given != columns) {
        return Err(Error::OtherParams(format!(
            "{given} polynomials are asked for, and there are {columns} columns"
        )));
    }
    let (base, log_size) = (base_of_table(table, options)?, column::log_size_of(table.rows()));
    padded_column_params(base, log_size, &options.clone().polynomials(columns)).map(AnyParams::from)
}

/// Chooses the cheapest parameters for a column whose rows are not held: those of [`column()`].
///
/// # Errors
/// As [`choose`]; [`Error::Empty`] without rows.
pub fn measured(column: &Measured, options: &Options) -> Result<AnyParams, Error> {
    let last = column.measures.rows().checked_sub(1).ok_or(Error::Empty)?;
    self::rows(base_of_measured(column, options)?, u64::BITS - last.leading_zeros(), options)
}

/// Chooses the cheapest parameters for `2^log_size` rows of a field, hiding or not; few rows that hide are padded, as [`column()`] pads them.
///
/// # Errors
/// If an option is for bytes, or nothing proves the bits.
pub fn rows(base: Base, log_size: u32, options: &Options) -> Result<AnyParams, Error> {
    padded_column_params(base, log_size, options).map(AnyParams::from)
}

/// Chooses the cheapest parameters for `2^log_size` rows that are not known, or bytes where the scheme commits to these: those of a column of
/// this length that fits the smallest field.
///
/// # Errors
/// If an option is for other data, or nothing proves the bits.
pub fn of_size(log_size: u32, options: &Options) -> Result<AnyParams, Error> {
    if options.is_of_bytes() {
        bytes(length(log_size)?, options)
    } else {
        rows(base_of_any(options), log_size, options)
    }
}

/// `2^log_size` bytes.
fn length(log_size: u32) -> Result<u64, Error> {
    let too_many = || {
        Error::Search(ParamError::OutOfRange(format!(
            "2^{log_size} bytes are more than one commitment holds: split them"
        )))
    };
    1u64.checked_shl(log_size).ok_or_else(too_many)
}

/// Chooses the cheapest parameters for so many bytes; of a named profile those that are as its name says.
///
/// # Errors
/// If an option is for columns or against the profile, or nothing proves the bits.
pub fn bytes(length: u64, options: &Options) -> Result<AnyParams, Error> {
    bytes_params(length, options).map(AnyParams::from)
}

/// Refuses options that are for other data.
///
/// # Errors
/// If one is.
pub fn check_options(options: &Options, of_bytes: bool) -> Result<(), Error> {
    if of_bytes { check_bytes_options(options) } else { check_column_options(options) }
}

/// The policy of a verifier who wants the bits asked for: of bytes those of the profile, if there is one.
///
/// # Errors
/// If a profile of bytes proves others.
pub fn policy(options: &Options, of_bytes: bool) -> Result<Policy, Error> {
    Ok(options.policy(if of_bytes { bytes_bits(options)? } else { options.column_bits() }))
}

/// Refuses parameters that are for other data than the dataset.
///
/// # Errors
/// If they are for another length, several polynomials, or the field does not hold the rows.
pub fn check(params: &AnyParams, data: &Dataset) -> Result<(), Error> {
    match data {
        Dataset::Column(column) => check_column(params, column),
        Dataset::Table(table) => check_table(params, table),
        Dataset::Bytes(bytes) => check_bytes(params, bytes.content.len() as u64),
    }
}

/// Refuses parameters that are not for this column: of its length with its padding, or for one that hides longer.
///
/// # Errors
/// As [`check`].
pub fn check_column(params: &AnyParams, column: &Column) -> Result<(), Error> {
    check_one(params, column, 1)
}

/// Refuses parameters that are not for the columns of this table.
///
/// # Errors
/// As [`check`].
pub fn check_table(params: &AnyParams, table: &Table) -> Result<(), Error> {
    let columns = table.describe().count();
    table.columns().iter().try_for_each(|column| check_one(params, column, columns))
}

/// [`check_column`] for one of so many columns that are committed to together.
fn check_one(params: &AnyParams, of: &Column, columns: u32) -> Result<(), Error> {
    match params {
        AnyParams::Matrix(params) if params.scheme() == SchemeId::Pip => column::check(params, of, columns),
        _ => Err(Error::OtherParams("a column is committed to by the scheme `pip`".into())),
    }
}

/// Refuses parameters that are not for so many bytes.
///
/// # Errors
/// As [`check`].
pub fn check_bytes(params: &AnyParams, length: u64) -> Result<(), Error> {
    match params.of_bytes() {
        Some(params) => bytes::check(params, length),
        None => Err(Error::OtherParams("bytes are committed to by the scheme `ligerito`".into())),
    }
}

/// Refuses columns whose names alone make a description that verifiers do not read, before there are rows of them.
///
/// # Errors
/// If it is too long, whatever the table is called.
pub fn check_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<(), Error> {
    let column = |name: &str| ColumnDescription {
        name: name.to_owned(),
        rows: 1,
        scale: 0,
        bytes: None,
        source: [0; 32],
    };
    let columns = names.into_iter().map(column).collect();
    check_length(&Description::Table(TableDescription { name: String::new(), columns }))
}

fn check_length(description: &Description) -> Result<(), Error> {
    // With room for what a proof adds to it.
    if description.encode().len() as u64 + 64 > MAX_CONTEXT { Err(Error::LongName) } else { Ok(()) }
}

/// Refuses a description that verifiers do not read: one that is too long, since names may be of any length, or of numbers as
/// [`ColumnDescription::check`](crate::statement::ColumnDescription::check) does.
///
/// # Errors
/// If it is.
pub fn check_description(description: &Description) -> Result<(), Error> {
    check_length(description)?;
    match description {
        Description::Column(column) => column.check(),
        Description::Table(table) => table.check(),
        Description::Bytes(_) => Ok(()),
    }
}
