//! The matrices by their places, with what parts have in common said once. (notes: spartan-layout)

use std::collections::BTreeMap;

use curve::bn254::Fr;
use pcs::field::{Bn254, Field};
use pcs::iop::poly::TensorForm;

use super::element;
use super::layout::{Layout, Run};
use crate::r1cs::{Matrix, R1cs};

/// The weights `eq(point, i)`, as products of two tables.
pub(super) struct Eq {
    low: Vec<Bn254>,
    high: Vec<Bn254>,
}

impl Eq {
    pub(super) fn new(point: &[Bn254]) -> Self {
        let (low, high) = TensorForm::point(point).split(point.len() / 2);
        Self { low: low.expand(), high: high.expand() }
    }

    /// The weight of a place; zero of one that the point's variables have not.
    pub(super) fn at(&self, place: usize) -> Bn254 {
        let low = self.low.get(place & (self.low.len() - 1));
        let high = self.high.get(place / self.low.len());
        low.zip(high).map_or(Bn254::ZERO, |(&low, &high)| low * high)
    }
}

/// The weights of parts, and of what parts have in common, by log2 of their places.
fn split_weights(point: &[Bn254], logs: impl Iterator<Item = u32>) -> BTreeMap<u32, (Vec<Bn254>, Eq)> {
    let mut weights = BTreeMap::new();
    for log in logs {
        let (low, high) = point.split_at(log as usize);
        weights.entry(log).or_insert_with(|| (TensorForm::point(low).expand(), Eq::new(high)));
    }
    weights
}

/// A column of an entry that all parts of a run have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Column {
    /// The same cell of each part: its place without the part's bits.
    OfPart(u32),
    /// One place for all parts.
    Fixed(u32),
}

/// An entry in each part of a run: matrix, row of the part, coefficient, column.
#[derive(Clone, Copy, Debug)]
struct Common {
    row: u32,
    side: u8,
    coefficient: u32,
    column: Column,
}

#[derive(Debug)]
struct Repeated {
    run: Run,
    /// By column.
    entries: Vec<Common>,
}

/// An entry by places.
#[derive(Clone, Copy, Debug)]
struct Single {
    side: u8,
    row: u32,
    column: u32,
    coefficient: u32,
}

/// The matrices of a system.
#[derive(Debug)]
pub(super) struct Sparse {
    coefficients: Vec<Bn254>,
    repeated: Vec<Repeated>,
    singles: Vec<Single>,
}

impl Sparse {
    pub(super) fn of(system: &R1cs<Fr>, layout: &Layout) -> Self {
        let coefficients = system.coefficients().iter().map(element).collect();
        let mut sparse = Self { coefficients, repeated: vec![], singles: vec![] };
        let mut inside = vec![false; system.constraints()];
        for &run in &layout.rows.runs {
            inside[run.first..][..run.each * run.parts].fill(true);
            let mut entries = vec![];
            for (side, matrix) in (0..).zip(system.matrices()) {
                for row in 0..run.each {
                    sparse.repeat((layout, matrix, side), (&run, row), &mut entries);
                }
            }
            entries.sort_by_key(|entry: &Common| entry.column);
            sparse.repeated.push(Repeated { run, entries });
        }
        for (side, matrix) in (0..).zip(system.matrices()) {
            for row in (0..system.constraints()).filter(|&row| !inside[row]) {
                let entries = matrix.row(row).map(|(column, number)| Single {
                    side,
                    row: layout.rows.of[row],
                    column: layout.column(column) as u32,
                    coefficient: number as u32,
                });
                sparse.singles.extend(entries);
            }
        }
        sparse
    }

    /// Divides a row of all parts of a run into the entries that all of them have, and the others.
    fn repeat(
        &mut self,
        (layout, matrix, side): (&Layout, &Matrix, u8),
        (run, row): (&Run, usize),
        entries: &mut Vec<Common>,
    ) {
        let index = |part: usize| run.first + part * run.each + row;
        let of_part = |part: usize| {
            let symbol =
                move |(column, number): (usize, usize)| (layout.symbol(run, part, column), number as u32);
            matrix.row(index(part)).map(symbol)
        };
        let first: Vec<_> = of_part(0).collect();
        let mut common = first.clone();
        for part in (1..run.parts).filter(|&part| !of_part(part).eq(first.iter().copied())) {
            let own: Vec<_> = of_part(part).collect();
            common.retain(|entry| own.contains(entry));
        }
        let all =
            |&(column, coefficient): &(Column, u32)| Common { row: row as u32, side, coefficient, column };
        entries.extend(common.iter().map(all));
        for part in 0..run.parts {
            let of_row = matrix.row(index(part)).zip(of_part(part));
            let others = of_row.filter(|(_, symbol)| !common.contains(symbol));
            let single = |((column, number), _): ((usize, usize), _)| Single {
                side,
                row: layout.rows.of[index(part)],
                column: layout.column(column) as u32,
                coefficient: number as u32,
            };
            if common.len() < matrix.row(index(part)).count() {
                self.singles.extend(others.map(single));
            }
        }
    }

    /// The entries that whoever verifies looks at: those that all parts have, and the others.
    pub(super) fn entries(&self) -> [usize; 2] {
        [self.repeated.iter().map(|repeated| repeated.entries.len()).sum(), self.singles.len()]
    }

    /// The row `sum_side weights_side M_side` at a point of the rows.
    pub(super) fn bind_rows(&self, point: &[Bn254], weights: [Bn254; 3]) -> BoundRows {
        let scaled = weights.map(|weight| {
            let mut scaled = self.coefficients.clone();
            Bn254::scale_slice(&mut scaled, weight);
            scaled
        });
        let eq = Eq::new(point);
        let of_single = |single: &Single| {
            let value = scaled[usize::from(single.side)][single.coefficient as usize];
            (single.column, value * eq.at(single.row as usize))
        };
        let mut singles: Vec<(u32, Bn254)> = self.singles.iter().map(of_single).collect();
        let mut parts = vec![];
        let by_log = split_weights(point, self.repeated.iter().map(|repeated| repeated.run.log()));
        for Repeated { run, entries } in &self.repeated {
            let (low, high) = &by_log[&run.log()];
            let all: Bn254 = low.iter().take(run.parts).copied().sum();
            let rows: Vec<Bn254> = (0..run.each).map(|row| high.at((run.place >> run.log()) + row)).collect();
            let mut sums: Vec<(u32, Bn254)> = vec![];
            for entry in entries {
                let value =
                    scaled[usize::from(entry.side)][entry.coefficient as usize] * rows[entry.row as usize];
                match entry.column {
                    Column::Fixed(place) => singles.push((place, value * all)),
                    Column::OfPart(place) => match sums.last_mut() {
                        Some((last, sum)) if *last == place => *sum += value,
                        _ => sums.push((place, value)),
                    },
                }
            }
            parts.push(BoundParts { parts: run.parts, weights: low.clone(), sums });
        }
        BoundRows { parts, singles }
    }
}

impl Layout {
    /// A column as all parts of a run may have it.
    fn symbol(&self, run: &Run, part: usize, column: usize) -> Column {
        let of_part = self.cells.iter().find_map(|cells| {
            let (cells, (of, number)) = cells.find(column).filter(|(cells, _)| cells.parts == run.parts)?;
            (of == part).then_some((cells.place >> cells.log()) + number)
        });
        of_part
            .map_or_else(|| Column::Fixed(self.column(column) as u32), |place| Column::OfPart(place as u32))
    }
}

#[derive(Debug)]
struct BoundParts {
    parts: usize,
    /// By part, and zeros or more behind the last one.
    weights: Vec<Bn254>,
    /// By place without the part's bits, ascending.
    sums: Vec<(u32, Bn254)>,
}

/// A combination of the matrices, bound to a point of the rows: what it has in each column.
#[derive(Debug)]
pub(super) struct BoundRows {
    parts: Vec<BoundParts>,
    singles: Vec<(u32, Bn254)>,
}

impl BoundRows {
    /// What is kept of parts, and of single columns.
    #[cfg(test)]
    pub(super) fn entries(&self) -> [usize; 2] {
        [self.parts.iter().map(|of_parts| of_parts.sums.len()).sum(), self.singles.len()]
    }

    /// So many columns from the first on; the others are zero.
    pub(super) fn table(&self, columns: usize) -> Vec<Bn254> {
        let mut table = vec![Bn254::ZERO; columns];
        for BoundParts { parts, weights, sums } in &self.parts {
            for &(place, sum) in sums {
                let cells = &mut table[place as usize * weights.len()..][..*parts];
                Bn254::add_scaled(&weights[..*parts], sum, cells);
            }
        }
        for &(place, value) in &self.singles {
            table[place as usize] += value;
        }
        table
    }

    /// The value of the table's multilinear extension at a point.
    pub(super) fn at(&self, point: &[Bn254]) -> Bn254 {
        let eq = Eq::new(point);
        let singles = self.singles.iter().map(|&(place, value)| value * eq.at(place as usize)).sum();
        let log = |weights: &[Bn254]| weights.len().ilog2();
        let by_log = split_weights(point, self.parts.iter().map(|of_parts| log(&of_parts.weights)));
        self.parts.iter().fold(singles, |sum, BoundParts { parts, weights, sums }| {
            let (low, high) = &by_log[&log(weights)];
            let both = Bn254::inner_product(&weights[..*parts], &low[..*parts]);
            let cells: Bn254 = sums.iter().map(|&(place, sum)| sum * high.at(place as usize)).sum();
            sum + both * cells
        })
    }
}
