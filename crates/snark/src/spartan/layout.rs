//! Places of constraints and cells. (notes: spartan-layout)
//!
//! ```text
//!  rows     runs of parts that are alike, longest first, then all other constraints, up to a power of two
//!  columns  [ 1, public inputs | committed cells | witness cells ]   each a number of polynomials of 2^p entries, within the last two runs first
//!  a run    of n parts takes 2^k places for each row or cell of a part, k = ⌈log2 n⌉: part i of it stands in place i
//! ```
//! So the parts' number is the lowest bits of a place, and what all parts have in common is said once for all of them.

use core::iter;

use super::TooLarge;
use crate::r1cs::{R1cs, Repeat};
use curve::bn254::Fr;

/// log2 of the polynomials that all cells fill, at least.
const LOG_POLYNOMIALS: u32 = 4;

/// Rows or cells of parts that are alike, as consecutive indices and as places.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// The first index.
    pub first: usize,
    /// Indices of a part.
    pub each: usize,
    /// Parts.
    pub parts: usize,
    /// The first place.
    pub place: usize,
}

impl Run {
    fn new(first: usize, each: usize, parts: usize) -> Self {
        Self { first, each, parts, place: 0 }
    }

    /// log2 of the places of a row or cell.
    pub(super) fn log(&self) -> u32 {
        self.parts.next_power_of_two().ilog2()
    }

    /// Part and number of an index, if it is one of the run's.
    fn find(&self, index: usize) -> Option<(usize, usize)> {
        let at = index.checked_sub(self.first).filter(|&at| at < self.each * self.parts)?;
        Some((at / self.each, at % self.each))
    }
}

/// The places of rows, or of cells of one kind.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// By index.
    pub of: Vec<u32>,
    pub runs: Vec<Run>,
    /// The same by their first indices.
    by_index: Vec<Run>,
    /// The number of places taken.
    pub taken: usize,
}

impl Places {
    /// Those of `count` indices from `first` on, behind `start`, which is a multiple of the places of every run's row.
    fn new(
        (first, count): (usize, usize),
        runs: impl Iterator<Item = Run>,
        start: usize,
    ) -> Result<Self, TooLarge> {
        let mut runs: Vec<Run> = runs.filter(|run| run.each > 0).collect();
        runs.sort_by_key(|run| core::cmp::Reverse(run.log()));
        let (mut of, mut next) = (vec![u32::MAX; count], start);
        for run in &mut runs {
            run.place = next;
            next += run.each << run.log();
            u32::try_from(next).map_err(|_| TooLarge)?;
            for (at, part, number) in (0..run.parts * run.each).map(|at| (at, at / run.each, at % run.each)) {
                of[run.first - first + at] = (run.place + (number << run.log()) + part) as u32;
            }
        }
        u32::try_from(next + count).map_err(|_| TooLarge)?;
        for place in of.iter_mut().filter(|place| **place == u32::MAX) {
            *place = next as u32;
            next += 1;
        }
        let mut by_index = runs.clone();
        by_index.sort_by_key(|run| run.first);
        Ok(Self { of, runs, by_index, taken: next - start })
    }

    /// The run of an index, with part and number.
    pub(super) fn find(&self, index: usize) -> Option<(&Run, (usize, usize))> {
        let behind = self.by_index.partition_point(|run| run.first <= index);
        let run = self.by_index.get(behind.checked_sub(1)?)?;
        Some((run, run.find(index)?))
    }
}

/// The places of a system's rows and columns.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub rows: Places,
    /// Of committed and of witness cells.
    pub cells: [Places; 2],
    /// The number of public inputs, the constant included.
    pub public: usize,
    /// log2 of the entries of a polynomial.
    pub log_polynomial: u32,
    /// Polynomials of public inputs, committed and witness cells.
    pub polynomials: [usize; 3],
}

impl Layout {
    pub(super) fn of(system: &R1cs<Fr>) -> Result<Self, TooLarge> {
        let (public, committed, witness) = (1 + system.public(), system.committed(), system.witness());
        let all = system.repeats();
        // Cells of a kind, whatever kind they were when the parts were made.
        let runs = |first: usize, count: usize| {
            let cells =
                all.iter().flat_map(|repeat| repeat.cells.map(|[at, each]| Run::new(at, each, repeat.parts)));
            cells.filter(move |run| (first..first + count).contains(&run.first))
        };
        let longest = all.iter().map(|repeat| repeat.parts.next_power_of_two().ilog2()).max().unwrap_or(0);
        let cells = (committed + witness).next_power_of_two().ilog2();
        let log_polynomial = cells.saturating_sub(LOG_POLYNOMIALS).max(longest).max(MIN_LOG_POLYNOMIAL);
        let rows = |repeat: &Repeat| Run::new(repeat.rows[0], repeat.rows[1], repeat.parts);
        let rows = Places::new((0, system.constraints()), all.iter().map(rows), 0)?;
        let of = |taken: usize| taken.div_ceil(1 << log_polynomial);
        let of_public = of(public);
        let start = of_public << log_polynomial;
        let first = Places::new((public, committed), runs(public, committed), start)?;
        let start = start + (of(first.taken) << log_polynomial);
        let before = public + committed;
        let last = Places::new((before, witness), runs(before, witness), start)?;
        let polynomials = [of_public, of(first.taken), of(last.taken).max(1)];
        Ok(Self { rows, cells: [first, last], public, log_polynomial, polynomials })
    }

    /// Variables of the rows.
    pub(super) fn row_variables(&self) -> usize {
        self.rows.taken.next_power_of_two().ilog2() as usize
    }

    /// Variables of the columns.
    pub(super) fn column_variables(&self) -> usize {
        let polynomials: usize = self.polynomials.iter().sum();
        self.log_polynomial as usize + polynomials.next_power_of_two().ilog2() as usize
    }

    /// The place of a column.
    pub(super) fn column(&self, column: usize) -> usize {
        let [committed, witness] = &self.cells;
        let behind = |from: usize| column.checked_sub(from);
        match (behind(self.public + committed.of.len()), behind(self.public)) {
            (Some(cell), _) => witness.of[cell] as usize,
            (_, Some(cell)) => committed.of[cell] as usize,
            _ => column,
        }
    }

    /// What decides about places, beside the system's counts: for the digest.
    pub(super) fn words(&self) -> Vec<u64> {
        let runs = iter::once(&self.rows).chain(&self.cells).flat_map(|places| {
            let of_run = |run: &Run| [run.first, run.each, run.parts, run.place];
            iter::once(places.runs.len()).chain(places.runs.iter().flat_map(of_run))
        });
        let head = [self.log_polynomial as usize].into_iter().chain(self.polynomials);
        head.chain(runs).map(|word| word as u64).collect()
    }
}

/// log2 of the entries of the shortest polynomials.
const MIN_LOG_POLYNOMIAL: u32 = 4;
