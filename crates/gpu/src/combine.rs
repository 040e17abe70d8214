//! Combinations of a matrix on the device.

use crate::args::{BLOCK_THREADS, CombineColumnsArgs, CombineRowsArgs, Kernel, SumArgs};
use crate::backend::Buffer;
use crate::{Challenge, Entry, Error, Message, chain};
use iop::poly::TensorForm;

/// Blocks of a combination: enough to fill a device several times.
const COMBINE_BLOCKS: u64 = 2048;
/// Rows that a block combines at least, so that its table is worth loading.
const COMBINED_ROWS: u64 = 64;
/// The most threads that share a row of a column combination.
const MOST_LANES: u64 = 32;

/// A combination whose weights are on the device, and memory for what it makes.
pub(crate) struct Combination {
    rows: u64,
    width: u64,
    weights: Buffer,
    /// Partial sums of a row combination.
    partial: Option<Buffer>,
    out: Buffer,
}

/// How a row combination is shared out among blocks.
struct RowTiles {
    log_columns: u32,
    tiles: u64,
    rows_per_block: u64,
    chunks: u64,
}

impl RowTiles {
    fn new(rows: u64, width: u64) -> Self {
        let log_columns = width.next_power_of_two().min(BLOCK_THREADS).ilog2();
        let tiles = width.div_ceil(1 << log_columns);
        let rows_per_block = rows.div_ceil(COMBINE_BLOCKS.div_ceil(tiles)).max(COMBINED_ROWS);
        Self { log_columns, tiles, rows_per_block, chunks: rows.div_ceil(rows_per_block) }
    }
}

impl<B: Entry> Message<B> {
    /// Entries of the matrix.
    fn count(&self) -> u64 {
        self.entries.len() as u64 / B::BYTES as u64
    }

    /// The row combination of the matrix in rows of `width` entries: one element for each column. Rows beyond the weights count as
    /// weighted zero.
    ///
    /// # Errors
    /// If the matrix is not whole rows or has fewer than there are weights, or the driver fails.
    pub fn combine_rows<E: Challenge<B>>(&self, width: usize, weights: &[E]) -> Result<Vec<E>, Error> {
        let combination = self.row_combination(width, weights)?;
        if weights.is_empty() {
            return Ok(vec![E::ZERO; width]);
        }
        self.run_rows::<E>(&combination)?;
        self.gpu.backend().download_elements(&combination.out)
    }

    /// [`Message::combine_rows`] by the weights of a form, which are made on the device.
    ///
    /// # Errors
    /// As there.
    pub(crate) fn combine_rows_by<E: Challenge<B>>(
        &self,
        width: usize,
        form: &TensorForm<E>,
    ) -> Result<Vec<E>, Error> {
        let weights = chain::weights::<B, E>(&self.gpu, &[(E::ONE, form.clone())], 1 << form.variables())?;
        let combination = self.rows_weighted::<E>(width, weights)?;
        self.run_rows::<E>(&combination)?;
        self.gpu.backend().download_elements(&combination.out)
    }

    /// The column combination: one element for each row of as many entries as weights.
    ///
    /// # Errors
    /// If the matrix is not whole rows, or the driver fails.
    pub fn combine_columns<E: Challenge<B>>(&self, weights: &[E]) -> Result<Vec<E>, Error> {
        self.gpu.backend().download_elements(&self.keep_columns(weights)?)
    }

    /// [`Message::combine_columns`] that stays on the device.
    pub(crate) fn keep_columns<E: Challenge<B>>(&self, weights: &[E]) -> Result<Buffer, Error> {
        let combination = self.column_combination(weights)?;
        self.run_columns::<E>(&combination)?;
        Ok(combination.out)
    }

    /// Takes memory for a row combination.
    pub(crate) fn row_combination<E: Challenge<B>>(
        &self,
        width: usize,
        weights: &[E],
    ) -> Result<Combination, Error> {
        self.rows_weighted::<E>(width, self.gpu.backend().upload_elements(weights)?)
    }

    /// [`Message::row_combination`] by weights on the device.
    fn rows_weighted<E: Challenge<B>>(&self, width: usize, weights: Buffer) -> Result<Combination, Error> {
        let (width, rows) = (width as u64, (weights.len() / E::BYTES) as u64);
        if width == 0 || !self.count().is_multiple_of(width) || rows > self.count() / width {
            return Err(Error::Shape("the matrix has not as many rows of this width as weights"));
        }
        let (backend, bytes) = (self.gpu.backend(), width as usize * E::BYTES);
        let partial = backend.alloc(RowTiles::new(rows, width).chunks as usize * bytes)?;
        let out = backend.alloc(bytes)?;
        Ok(Combination { rows, width, weights, partial: Some(partial), out })
    }

    /// Takes memory for a column combination.
    pub(crate) fn column_combination<E: Challenge<B>>(&self, weights: &[E]) -> Result<Combination, Error> {
        let width = weights.len() as u64;
        if width == 0 || !self.count().is_multiple_of(width) {
            return Err(Error::Shape("the matrix is not whole rows of as many entries as weights"));
        }
        let (backend, rows) = (self.gpu.backend(), self.count() / width);
        let (weights, out) = (backend.upload_elements(weights)?, backend.alloc(rows as usize * E::BYTES)?);
        Ok(Combination { rows, width, weights, partial: None, out })
    }

    /// Starts the kernels of a row combination with at least one row.
    pub(crate) fn run_rows<E: Challenge<B>>(&self, combination: &Combination) -> Result<(), Error> {
        let Combination { rows, width, weights, partial, out } = combination;
        let RowTiles { log_columns, tiles, rows_per_block, chunks } = RowTiles::new(*rows, *width);
        let partial = partial.as_ref().expect("a row combination has partial sums");
        let args = CombineRowsArgs {
            tables: self.gpu.tables().address(),
            matrix: self.entries.address(),
            weights: weights.address(),
            partial: partial.address(),
            rows: *rows,
            width: *width,
            rows_per_block,
            log_columns,
            tiles: u32::try_from(tiles).map_err(|_| Error::Shape("more blocks than a launch has"))?,
        };
        // SAFETY: by `rows_weighted` the matrix has `rows` rows of `width` entries, there is a weight for each, and a row of partial
        // sums for each chunk. Shared memory holds a sum for each thread.
        unsafe { self.gpu.backend().launch(E::KERNELS.rows, chunks * tiles, &args)? };
        let words = out.len() as u64 / 8;
        let args = SumArgs { rows: partial.address(), out: out.address(), count: chunks, words };
        // SAFETY: there are `chunks` rows of so many words, and a block writes one word.
        unsafe { self.gpu.backend().launch(Kernel::SUM_ROWS, words, &args) }
    }

    /// Starts the kernel of a column combination.
    pub(crate) fn run_columns<E: Challenge<B>>(&self, combination: &Combination) -> Result<(), Error> {
        let Combination { rows, width, weights, out, .. } = combination;
        let rows_per_block = rows.div_ceil(COMBINE_BLOCKS).max(COMBINED_ROWS);
        let args = CombineColumnsArgs {
            tables: self.gpu.tables().address(),
            matrix: self.entries.address(),
            weights: weights.address(),
            out: out.address(),
            rows: *rows,
            width: *width,
            rows_per_block,
            log_lanes: width.next_power_of_two().min(MOST_LANES).ilog2(),
            unused: 0,
        };
        // SAFETY: by `column_combination` the matrix has `rows` rows of `width` entries, there is a weight for each column and a place
        // for each row. Shared memory holds a sum for each thread.
        unsafe { self.gpu.backend().launch(E::KERNELS.columns, rows.div_ceil(rows_per_block), &args) }
    }
}
