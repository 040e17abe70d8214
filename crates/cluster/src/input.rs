//! A rank's columns: of polynomials in memory, of a file, or of the coordinator's.

use crate::error::Error;
use crate::ownership::Ownership;
use crate::party::Party;
use crate::wire::{elements, padded};
use core::ops::Range;
use field::Field;
use pcs::matrix::Params;
use std::io::{self, Read};

/// Bytes of rows that are read or handed out at once.
const AT_ONCE: usize = 1 << 20;

/// The columns of each polynomial.
fn fragments(params: &Params) -> usize {
    params.columns() / params.polynomials as usize
}

/// The entries of each polynomial, as elements of the columns' field.
fn entries(params: &Params) -> usize {
    fragments(params) << params.log_rows()
}

/// The columns' entries in one row, polynomial after polynomial.
fn row<'a, B>(
    params: &Params,
    columns: &Range<usize>,
    polynomials: &'a [&[B]],
    row: usize,
) -> impl Iterator<Item = &'a B> {
    let fragments = fragments(params);
    let of = move |(i, polynomial): (usize, &'a &[B]), columns: Range<usize>| {
        let first = columns.start.clamp(i * fragments, (i + 1) * fragments) - i * fragments;
        let last = columns.end.clamp(i * fragments, (i + 1) * fragments) - i * fragments;
        if first < last { &polynomial[row * fragments..][first..last] } else { &[] }
    };
    let columns = columns.clone();
    polynomials.iter().enumerate().flat_map(move |polynomial| of(polynomial, columns.clone()))
}

/// Checks the polynomials that some columns belong to.
fn check<B>(params: &Params, columns: &Range<usize>, polynomials: &[&[B]]) -> Result<(), Error> {
    let count = params.polynomials as usize;
    if polynomials.len() != count {
        return Err(Error::Input(format!(
            "{} polynomials where the parameters say {count}",
            polynomials.len()
        )));
    }
    let fragments = fragments(params);
    for (i, polynomial) in polynomials.iter().enumerate() {
        let own = columns.start < (i + 1) * fragments && i * fragments < columns.end;
        if own && polynomial.len() != entries(params) {
            let (found, expected) = (polynomial.len(), entries(params));
            return Err(Error::Input(format!("polynomial {i} has {found} entries and not {expected}")));
        }
    }
    Ok(())
}

/// Columns of polynomials in memory, row by row.
pub(crate) fn columns_of<B: Field>(
    params: &Params,
    columns: Range<usize>,
    polynomials: &[&[B]],
) -> Result<Vec<B>, Error> {
    check(params, &columns, polynomials)?;
    let rows = 0..1 << params.log_rows();
    Ok(rows.flat_map(|i| row(params, &columns, polynomials, i)).copied().collect())
}

/// Columns of one polynomial in canonical bytes, row by row.
///
/// Memory: the columns, and a piece of the bytes. A row is mostly shorter than what a disk gives at once, so all bytes are read.
pub(crate) fn read_columns<B: Field>(
    params: &Params,
    columns: Range<usize>,
    mut bytes: impl Read,
) -> Result<Vec<B>, Error> {
    if params.polynomials != 1 {
        return Err(Error::Unsupported("a file has the entries of one polynomial".into()));
    }
    let failed = |error: io::Error| Error::Input(format!("the entries could not be read: {error}"));
    let (stride, rows) = (fragments(params) * B::BYTES, 1usize << params.log_rows());
    let at_once = (AT_ONCE / stride).clamp(1, rows);
    let mut own = Vec::with_capacity(columns.len() * rows);
    let mut piece = vec![0; at_once * stride];
    for first in (0..rows).step_by(at_once) {
        let piece = &mut piece[..at_once.min(rows - first) * stride];
        bytes.read_exact(piece).map_err(failed)?;
        for (i, row) in piece.chunks_exact(stride).enumerate() {
            let row = &row[columns.start * B::BYTES..columns.end * B::BYTES];
            let refused = || Error::Input(format!("an entry in row {} is not canonical", first + i));
            own.extend(elements::<B>(row, columns.len()).ok_or_else(refused)?);
        }
    }
    if bytes.read(&mut [0]).map_err(failed)? > 0 {
        return Err(Error::Input("there are more entries than the parameters say".into()));
    }
    Ok(own)
}

/// Columns of polynomials that the coordinator has, some rows at a time.
pub(crate) fn scatter<B: Field>(
    party: &mut Party<'_>,
    ownership: &Ownership,
    params: &Params,
    polynomials: &[&[B]],
) -> Result<Vec<B>, Error> {
    if party.coordinates() {
        check(params, &(0..params.columns()), polynomials)?;
    }
    let own_columns = |rank| ownership.data_columns(rank, params.columns());
    let (rows, most, width) =
        (1 << params.log_rows(), ownership.most_columns(), own_columns(party.rank()).len());
    let at_once = (AT_ONCE / (most * B::BYTES)).clamp(1, rows);
    let mut own = Vec::with_capacity(width * rows);
    for first in (0..rows).step_by(at_once) {
        let range = first..rows.min(first + at_once);
        let mut blocks = Vec::new();
        if party.coordinates() {
            for rank in 0..party.size() {
                let columns = own_columns(rank);
                let piece = range.clone().flat_map(|i| row(params, &columns, polynomials, i)).copied();
                blocks.extend(padded(&piece.collect::<Vec<B>>(), range.len() * most));
            }
        }
        let mut block = vec![0; range.len() * most * B::BYTES];
        party.scatter_input(&blocks, &mut block)?;
        own.extend(
            elements::<B>(&block, range.len() * width)
                .ok_or(Error::Question("entries that are not canonical"))?,
        );
    }
    Ok(own)
}
