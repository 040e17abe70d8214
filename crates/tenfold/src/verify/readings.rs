//! Claims in the terms of the data, and what a description makes of them.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::{About, Proven, Refused, Stated};
use crate::any::{AnyScheme, Form, Weights};
use crate::dataset::{Base, Total};
use crate::statement::{ColumnContext, MAX_VALUES, Sums, TableContext, Unit};
use alloc::vec::Vec;
use core::ops::Range;
use iop::error::Invalid;
use iop::hash::Digest;
use pcs::file::FileError;
use pcs::ligerito;

/// A claim in the terms of the data. Values are canonical bytes of field elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// The sum of all rows of a column, modulo the field's prime.
    Sum(Vec<u8>),
    /// The sum of the rows of a range, modulo the field's prime.
    Range {
        /// The rows.
        rows: Range<u64>,
        /// The value.
        value: Vec<u8>,
    },
    /// A row of a column, which is padding if there are no more rows.
    Row {
        /// Its number.
        row: u64,
        /// The value.
        value: Vec<u8>,
    },
    /// An entry of a file, which is padding if it lies beyond its end.
    Entry {
        /// Its number.
        row: u64,
        /// Its bits.
        value: u128,
    },
    /// Any other form of the data and its padding.
    Form {
        /// The form.
        form: Form,
        /// The value.
        value: Vec<u8>,
    },
    /// The sum of all rows by weights, modulo the field's prime.
    Weighted {
        /// The digest of the weights.
        weights: Digest,
        /// The value.
        value: Vec<u8>,
    },
    /// The sum over all rows of the products of two columns, modulo the field's prime.
    Product {
        /// The columns, by their places.
        columns: [u32; 2],
        /// The value.
        value: Vec<u8>,
    },
    /// The inner product of all entries of a file with weights, in their binary field.
    InnerProduct {
        /// The digest of the weights.
        weights: Digest,
        /// Its bits.
        value: u128,
    },
}

/// Refuses weights that are not one for each entry of the data, or stand for other numbers than the proof says.
pub(super) fn check_weights(scheme: &AnyScheme, about: &About, weights: Weights<'_>) -> Result<(), Refused> {
    let (given, entries) = match (about, weights) {
        (About::Bytes(bytes), Weights::Bytes(weights)) => (weights.len(), bytes.length),
        (About::Bytes(bytes), Weights::Integers { count, .. }) => (count, bytes.length),
        (About::Column(context), _) => (scheme.weights_count(&weights), context.column.rows),
        (About::Table(context), _) => (scheme.weights_count(&weights), context.table.rows()),
    };
    let given = u64::try_from(given).unwrap_or(u64::MAX);
    if given != entries {
        return Err(Refused::Weights { given, entries });
    }
    let stated = match about {
        About::Column(context) => context.weights_scale,
        About::Table(context) => context.weights_scale,
        About::Bytes(_) => return Ok(()),
    };
    if let Weights::Integers { count, get, scale } = weights {
        let base = Base::from_data(scheme.summary().fields[0]).ok_or(FileError::Malformed("parameters"))?;
        // One outside of the field would stand for another.
        if let Some(row) = (0..count).find(|&row| !base.holds(get(row))) {
            return Err(Refused::WeightBeyond {
                row: u64::try_from(row).unwrap_or(u64::MAX),
                field: base.name(),
            });
        }
        match stated {
            Some(stated) if stated != scale => return Err(Refused::WeightsScale { given: scale, stated }),
            Some(_) => {}
            None => return Err(Refused::OtherWeights),
        }
    }
    Ok(())
}

/// The readings of all claims.
pub(super) fn of(
    scheme: &AnyScheme,
    proven: &Proven,
    about: &About,
    weights: Option<Weights<'_>>,
) -> Result<Vec<Reading>, Refused> {
    let (sums, readings) = match about {
        About::Column(context) => {
            (&context.sums, of_column(scheme, (&proven.claims, proven.variables), context)?)
        }
        About::Table(context) => (&context.sums, of_table(scheme, proven, context)?),
        About::Bytes(_) => return of_bytes(scheme, proven),
    };
    match weights.filter(|_| sums.mean) {
        Some(weights) => check_total(scheme, weights).map(|()| readings),
        None => Ok(readings),
    }
}

/// Refuses weights that no mean is made by.
fn check_total(scheme: &AnyScheme, weights: Weights<'_>) -> Result<(), Refused> {
    let base = Base::from_data(scheme.summary().fields[0]).ok_or(FileError::Malformed("parameters"))?;
    match total(base, weights) {
        None | Some(0) => Err(Invalid("the proof states a mean, and these weights have none").into()),
        Some(_) => Ok(()),
    }
}

fn of_bytes(scheme: &AnyScheme, proven: &Proven) -> Result<Vec<Reading>, Refused> {
    let params =
        ligerito::Params::decode(scheme.id(), scheme.encoded()).ok_or(FileError::Malformed("parameters"))?;
    let unit = Unit::of(&params);
    let mut readings = Vec::with_capacity(proven.claims.len());
    for stated in &proven.claims {
        let value = stated.values.first().cloned().unwrap_or_default();
        readings.push(match &stated.form {
            Form::Entry(row) => {
                let value = unit
                    .integer(scheme, &value)
                    .ok_or(Invalid("the proof states a value that is no entry"))?;
                Reading::Entry { row: *row, value }
            }
            Form::Weights(weights) => {
                let value = unit
                    .integer_of_base(&value)
                    .ok_or(Invalid("the proof states a value that is no entry"))?;
                Reading::InnerProduct { weights: *weights, value }
            }
            form => Reading::Form { form: form.clone(), value },
        });
    }
    Ok(readings)
}

/// The reading of an inner product, which is one of all rows that are described and of nothing else.
pub(super) fn of_product(proven: &Proven, about: &About) -> Result<Reading, Refused> {
    let (count, rows, sums) = match about {
        About::Column(context) => (1, context.column.rows, &context.sums),
        About::Table(context) => (context.table.count(), context.table.rows(), &context.sums),
        About::Bytes(_) => return Err(FileError::Unknown("proof").into()),
    };
    if *sums != Sums::default() {
        return Err(Invalid("the proof of an inner product states sums beside it").into());
    }
    let [Stated { form: Form::Columns { columns, rows: summed }, values }] = &proven.claims[..] else {
        return Err(FileError::Malformed("claims").into());
    };
    if *summed != rows {
        return Err(Invalid("the inner product is one of other rows than are described").into());
    }
    if columns.iter().any(|column| *column >= count) {
        return Err(Invalid("the inner product is one of columns that are not described").into());
    }
    Ok(Reading::Product { columns: *columns, value: values.first().cloned().unwrap_or_default() })
}

/// The readings of one column after those of another: each has a value of each claim.
fn of_table(scheme: &AnyScheme, proven: &Proven, context: &TableContext) -> Result<Vec<Reading>, Refused> {
    let values =
        u64::try_from(proven.claims.len()).unwrap_or(u64::MAX).saturating_mul(context.table.count().into());
    if values > MAX_VALUES.into() {
        return Err(Invalid("the proof states more values of a table than are read").into());
    }
    let mut readings = Vec::new();
    for (place, column) in context.columns().enumerate() {
        let of_column = |stated: &Stated| {
            let value = stated.values.get(place).cloned().ok_or(FileError::Malformed("claims"))?;
            Ok(Stated { form: stated.form.clone(), values: vec![value] })
        };
        let claims = proven.claims.iter().map(of_column).collect::<Result<Vec<_>, Refused>>()?;
        readings.extend(self::of_column(scheme, (&claims, proven.variables), &column)?);
    }
    Ok(readings)
}

fn of_column(
    scheme: &AnyScheme,
    (claims, variables): (&[Stated], usize),
    context: &ColumnContext,
) -> Result<Vec<Reading>, Refused> {
    let base = Base::from_data(scheme.summary().fields[0]).ok_or(FileError::Malformed("parameters"))?;
    let tiles = Form::first(context.column.rows, variables);
    let (claims, ranges) = of_ranges(scheme, claims, &context.sums.ranges)?;
    let mut only_rows = only_rows(claims, context);
    let (mut readings, mut left) = (Vec::new(), claims);
    while let Some((stated, rest)) = left.split_first() {
        let tiled = left.iter().zip(&tiles).take_while(|(stated, tile)| stated.form == **tile).count();
        if tiled == tiles.len() && only_rows == 0 {
            let (sum, rest) = left.split_at(tiled);
            let values: Vec<Vec<u8>> = sum.iter().map(value_of).collect();
            readings.push(Reading::Sum(scheme.sum(&values).ok_or(FileError::Malformed("field element"))?));
            left = rest;
            continue;
        }
        let value = value_of(stated);
        if tiled == tiles.len() {
            only_rows = only_rows.saturating_sub(1);
        }
        readings.push(match &stated.form {
            Form::Entry(row) => Reading::Row { row: *row, value },
            Form::Weights(weights) => Reading::Weighted { weights: *weights, value },
            form => Reading::Form { form: form.clone(), value },
        });
        left = rest;
    }
    readings.extend(ranges);
    if context.sums.mean {
        check_mean(base, &readings)?;
    }
    Ok(readings)
}

/// The sums of ranges of rows, which the last claims are, and the claims before them.
fn of_ranges<'a>(
    scheme: &AnyScheme,
    claims: &'a [Stated],
    ranges: &[Range<u64>],
) -> Result<(&'a [Stated], Vec<Reading>), Refused> {
    const NOT_PROVEN: Invalid = Invalid("the proof states a sum of rows, and its values are of other ones");
    let (mut readings, mut left) = (Vec::new(), claims);
    for rows in ranges.iter().rev() {
        let tiles = Form::range(rows);
        let before = left.len().checked_sub(tiles.len()).ok_or(NOT_PROVEN)?;
        let (others, of_range) = left.split_at(before);
        if of_range.iter().map(|stated| &stated.form).ne(&tiles) {
            return Err(NOT_PROVEN.into());
        }
        let values: Vec<Vec<u8>> = of_range.iter().map(value_of).collect();
        let value = scheme.sum(&values).ok_or(FileError::Malformed("field element"))?;
        readings.push(Reading::Range { rows: rows.clone(), value });
        left = others;
    }
    readings.reverse();
    Ok((left, readings))
}

fn value_of(stated: &Stated) -> Vec<u8> {
    stated.values.first().cloned().unwrap_or_default()
}

/// The claims about the only row of a column that are called rows: it is an entry and a sum at once, and so all of them are one statement. The last of
/// several is called the sum, and a single one if a mean is made of it.
fn only_rows(claims: &[Stated], context: &ColumnContext) -> usize {
    if context.column.rows != 1 {
        return 0;
    }
    match claims.iter().filter(|stated| stated.form == Form::Entry(0)).count() {
        1 if !context.sums.mean => 1,
        count => count.saturating_sub(1),
    }
}

/// Refuses a mean that nothing proven gives.
fn check_mean(base: Base, readings: &[Reading]) -> Result<(), Refused> {
    let sum = readings.iter().find_map(|reading| match reading {
        Reading::Sum(value) | Reading::Weighted { value, .. } => Some(value),
        _ => None,
    });
    let sum = sum.ok_or(Invalid("the proof states a mean without the sum that it comes from"))?;
    match base.decode(sum) {
        Some(_) => Ok(()),
        None => Err(Invalid("the proof states a mean, and the sum is no integer").into()),
    }
}

/// The sum of weights as integers; none if it does not fit 127 bits.
pub(crate) fn total(base: Base, weights: Weights<'_>) -> Option<i128> {
    match weights {
        Weights::Integers { count, get, .. } => (0..count).map(get).collect::<Total>().value(),
        Weights::Bytes(bytes) => {
            let mut weights = bytes.chunks_exact(base.bytes());
            weights.try_fold(Total::ZERO, |sum, weight| Some(sum.plus(base.decode(weight)?)))?.value()
        }
    }
}
