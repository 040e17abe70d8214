//! Weights of the columns of a committed matrix, as a verifier holds them: of wide matrices as products of two short tables.
//!
//! ```text
//!  row  | 2^12 columns | 2^12 columns | ...        Σ_h high_h · ⟨piece h of the row, low⟩
//!         low             low                      high: one factor for each piece
//! ```
//! A row of one matrix may be most of a proof, and a weight for each of its elements would be many times as long.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

#[cfg(test)]
mod tests;

use super::layout::Layout;
use alloc::vec::Vec;
use field::{ExtensionOf, Field};
use iop::error::Invalid;
use iop::oracle::Rows;
use iop::poly::{TensorForm, flatten_weights};

/// log2 of the columns of a piece. The search finds no wider matrices.
const LOG_PIECE: usize = 12;

/// Elements that are read at once, unless a piece of one row has more.
const READ_AT_ONCE: usize = 1 << 14;

/// Weights of columns: sums of products of two tables, and single ones behind them.
#[derive(Debug, Clone)]
pub(crate) struct Weights<E> {
    products: Vec<Product<E>>,
    /// Columns that the products weigh.
    columns: usize,
    /// Weights of the columns behind those.
    tail: Vec<E>,
}

/// The weight `low[c mod |low|] · high[c div |low|]` of column `c`.
#[derive(Debug, Clone)]
struct Product<E> {
    low: Vec<E>,
    high: Vec<E>,
}

impl<E: Field> Product<E> {
    /// The table of a tensor, times each of the scalars, one behind the other.
    fn new(tensor: &TensorForm<E>, scalars: &[E]) -> Self {
        let (low, high) = tensor.split(LOG_PIECE);
        let mut weights = Vec::with_capacity(scalars.len() << high.variables());
        for &scalar in scalars {
            weights.extend_from_slice(&high.expand_scaled(scalar));
        }
        Self { low: low.expand(), high: weights }
    }

    /// Weights of base columns for columns that hold extension elements.
    fn flat<B: Field>(self) -> Self
    where
        E: ExtensionOf<B>,
    {
        Self { low: flatten_weights::<B, E>(&self.low), ..self }
    }

    fn columns(&self) -> usize {
        self.low.len().saturating_mul(self.high.len())
    }
}

impl<E: Field> Weights<E> {
    /// The first so many weights of a tensor times a scalar.
    pub fn tensor(tensor: &TensorForm<E>, scalar: E, columns: usize) -> Self {
        Self { products: vec![Product::new(tensor, &[scalar])], columns, tail: Vec::new() }
    }

    /// Those of a layout's data columns for the first weights of a tensor, one for each fragment, times a scalar.
    pub fn of_fragments<B: Field>(layout: &Layout, tensor: &TensorForm<E>, scalar: E) -> Self
    where
        E: ExtensionOf<B>,
    {
        let mut weights = Self { products: Vec::new(), columns: layout.columns(), tail: Vec::new() };
        weights.add::<B>(tensor, &[scalar], layout.entry_columns);
        weights
    }

    /// Adds the weights of a tensor times each of the scalars, one behind the other, for fragments of so many columns each.
    pub fn add<B: Field>(&mut self, tensor: &TensorForm<E>, scalars: &[E], entry_columns: usize)
    where
        E: ExtensionOf<B>,
    {
        let product = Product::new(tensor, scalars);
        self.products.push(if entry_columns == 1 { product } else { product.flat::<B>() });
    }

    /// Weights of the columns behind the others.
    pub fn push(&mut self, weights: impl IntoIterator<Item = E>) {
        self.tail.extend(weights);
    }

    /// Weights of base columns for columns that hold extension elements, of the first so many of a tensor.
    pub fn flat<B: Field>(tensor: &TensorForm<E>) -> Self
    where
        E: ExtensionOf<B>,
    {
        let product = Product::new(tensor, &[E::ONE]).flat::<B>();
        Self { columns: product.columns(), products: vec![product], tail: Vec::new() }
    }

    /// One weight for each column.
    pub fn expand(&self) -> Vec<E> {
        let mut out = vec![E::ZERO; self.columns];
        for Product { low, high } in &self.products {
            for (out, &high) in out.chunks_mut(low.len()).zip(high) {
                let low = low.get(..out.len()).unwrap_or_default();
                E::add_scaled(low, high, out);
            }
        }
        out.extend_from_slice(&self.tail);
        out
    }

    /// The weighted sum of each row, whose columns stand in these matrices side by side.
    ///
    /// Memory: the sums, and a piece of the rows.
    ///
    /// # Errors
    /// If an element is not canonical, or the rows are of another width or number.
    pub fn combine<B: Field>(&self, matrices: &[Rows<'_, B>]) -> Result<Vec<E>, Invalid>
    where
        E: ExtensionOf<B>,
    {
        let width = matrices.iter().map(Rows::width).fold(0, usize::saturating_add);
        let count = matrices.first().map_or(0, Rows::count);
        let even = matrices.iter().all(|rows| rows.count() == count);
        if self.columns.saturating_add(self.tail.len()) != width || !even {
            return Err(Invalid("rows of another width"));
        }
        let mut sums = vec![E::ZERO; count];
        if self.columns.max(self.tail.len()) <= 1 << LOG_PIECE {
            // All in one pass.
            add_across(matrices, (0, &self.expand()), E::ONE, &mut sums)?;
            return Ok(sums);
        }
        for Product { low, high } in &self.products {
            for (piece, &high) in high.iter().enumerate() {
                let start = piece.saturating_mul(low.len());
                let left = self.columns.saturating_sub(start).min(low.len());
                add_across(matrices, (start, low.get(..left).unwrap_or_default()), high, &mut sums)?;
            }
        }
        for (piece, weights) in self.tail.chunks(1 << LOG_PIECE).enumerate() {
            add_across(matrices, (self.columns + (piece << LOG_PIECE), weights), E::ONE, &mut sums)?;
        }
        Ok(sums)
    }
}

/// Adds `scalar` times the weighted sum of the columns from a column on, which stand in some of these matrices.
fn add_across<B: Field, E: ExtensionOf<B>>(
    matrices: &[Rows<'_, B>],
    (start, weights): (usize, &[E]),
    scalar: E,
    sums: &mut [E],
) -> Result<(), Invalid> {
    let (mut first, end) = (0, start.saturating_add(weights.len()));
    for rows in matrices {
        let behind = first + rows.width();
        let (from, to) = (start.max(first), end.min(behind));
        if from < to {
            let weights = weights.get(from - start..to - start).unwrap_or_default();
            add(rows, (from - first, weights), scalar, sums)?;
        }
        first = behind;
    }
    Ok(())
}

/// Adds `scalar` times the weighted sum of the columns from a column on.
fn add<B: Field, E: ExtensionOf<B>>(
    rows: &Rows<'_, B>,
    (start, weights): (usize, &[E]),
    scalar: E,
    sums: &mut [E],
) -> Result<(), Invalid> {
    if weights.is_empty() {
        return Ok(());
    }
    let at_once = (READ_AT_ONCE / weights.len()).max(1);
    let columns = start..start.saturating_add(weights.len());
    let (mut part, mut combined) = (Vec::new(), Vec::new());
    for (i, sums) in sums.chunks_mut(at_once).enumerate() {
        let first = i * at_once;
        rows.part(first..first + sums.len(), columns.clone(), &mut part)?;
        // The kernel adds to what is there.
        if scalar == E::ONE {
            E::combine_columns(&part, weights, sums);
        } else {
            combined.clear();
            combined.resize(sums.len(), E::ZERO);
            E::combine_columns(&part, weights, &mut combined);
            E::add_scaled(&combined, scalar, sums);
        }
    }
    Ok(())
}
