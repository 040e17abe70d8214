//! Times of the steps on the device, each for itself.

use crate::{Challenge, Entry, Error, Message};

/// Milliseconds of each step by the device's clock, with all data on the device: medians.
#[derive(Debug, Clone, Copy)]
pub struct Profile {
    /// The additive transform of all blocks.
    pub encode: f64,
    /// Digests of the codeword's rows.
    pub leaves: f64,
    /// The tree above them.
    pub nodes: f64,
    /// A combination of all rows.
    pub combine_rows: f64,
    /// A combination of all columns.
    pub combine_columns: f64,
}

impl<B: Entry> Message<B> {
    /// Runs every step several times, after once for warmth; the matrix is combined in rows of as many entries as column weights.
    ///
    /// # Errors
    /// As [`crate::Gpu::commit`] and [`Message::combine_rows`].
    pub fn profile<E: Challenge<B>>(
        &self,
        repeats: usize,
        row_weights: &[E],
        column_weights: &[E],
    ) -> Result<Profile, Error> {
        let codeword = self.encode()?;
        let nodes = self.tree(&codeword)?;
        let rows = self.row_combination(column_weights.len(), row_weights)?;
        let columns = self.column_combination(column_weights)?;
        let median = |step: &dyn Fn() -> Result<(), Error>| -> Result<f64, Error> {
            step()?;
            let mut times = (0..repeats.max(1))
                .map(|_| Ok(self.gpu.timed(step)?.1))
                .collect::<Result<Vec<f64>, Error>>()?;
            times.sort_by(f64::total_cmp);
            Ok(times[times.len() / 2])
        };
        Ok(Profile {
            encode: median(&|| self.encode_to(&codeword))?,
            leaves: median(&|| self.leaves_to(&codeword, &nodes))?,
            nodes: median(&|| self.nodes_to(&nodes))?,
            combine_rows: median(&|| self.run_rows::<E>(&rows))?,
            combine_columns: median(&|| self.run_columns::<E>(&columns))?,
        })
    }

    /// Makes the codeword and its tree over and over for so many milliseconds, in the same memory, and returns how often: what a
    /// measurement of energy needs.
    ///
    /// # Errors
    /// As [`crate::Gpu::commit`].
    pub fn repeat_commit(&self, milliseconds: f64) -> Result<u64, Error> {
        let codeword = self.encode()?;
        let nodes = self.tree(&codeword)?;
        let (mut spent, mut count) = (0.0, 0);
        while spent < milliseconds {
            let run = || {
                self.encode_to(&codeword)?;
                self.leaves_to(&codeword, &nodes)?;
                self.nodes_to(&nodes)
            };
            spent += self.gpu.timed(run)?.1;
            count += 1;
        }
        Ok(count)
    }
}
