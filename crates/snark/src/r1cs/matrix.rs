//! The matrices of a circuit.

use curve::{BigInteger, PrimeField};

use super::Assignment;
use super::linear::Variable;

/// A constraint that an assignment violates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("constraint {constraint} ({label}) is violated")]
pub struct Unsatisfied {
    /// Its number.
    pub constraint: usize,
    /// What the circuit calls it.
    pub label: &'static str,
}

/// Rows whose cells have no columns yet: the counts of the kinds are known at the end.
#[derive(Debug, Default)]
pub(super) struct Rows {
    ends: Vec<u32>,
    entries: Vec<(Option<Variable>, u32)>,
}

impl Rows {
    pub(super) fn push(&mut self, entries: impl Iterator<Item = (Option<Variable>, u32)>) {
        self.entries.extend(entries);
        self.ends.push(u32::try_from(self.entries.len()).expect("more than 2^32 entries"));
    }
}

/// A sparse matrix by rows. A coefficient is a number into the table of the system, which holds each value once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    ends: Vec<u32>,
    columns: Vec<u32>,
    coefficients: Vec<u32>,
}

/// The matrices `A`, `B`, `C` of a circuit.
///
/// Columns are those of `z`: column 0 is the constant 1, then public inputs, committed cells, witness cells. Eight bytes for each entry
/// of a matrix, and one field element for each distinct coefficient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct R1cs<F> {
    a: Matrix,
    b: Matrix,
    c: Matrix,
    values: Vec<F>,
    labels: Vec<&'static str>,
    public: usize,
    committed: usize,
    witness: usize,
    repeats: Vec<Repeat>,
}

/// Parts of a circuit, one after another, with the same numbers of constraints and cells: what a proof system may use to say once what all of them have in common. That they are
/// otherwise alike is not said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The number of parts, at least 2.
    pub parts: usize,
    /// The first constraint, and the constraints of a part.
    pub rows: [usize; 2],
    /// The first column of the public inputs, committed and witness cells, and the cells of a part.
    pub cells: [[usize; 2]; 3],
}

impl Repeat {
    /// The repeat of parts from the sizes before the first and behind each, if all parts have the same numbers. Columns are numbers within their kinds still.
    pub(super) fn of(start: [usize; 4], ends: &[[usize; 4]]) -> Option<Self> {
        let each = |kind: usize| Some(ends.first()?[kind] - start[kind]);
        let each = [each(0)?, each(1)?, each(2)?, each(3)?];
        let at = |parts: usize| [0, 1, 2, 3].map(|kind| start[kind] + parts * each[kind]);
        let alike = (1..).zip(ends).all(|(parts, &end)| end == at(parts));
        let [rows, public, committed, witness] = [0, 1, 2, 3].map(|kind| [start[kind], each[kind]]);
        (alike && each[0] > 0).then_some(Self {
            parts: ends.len(),
            rows,
            cells: [public, committed, witness],
        })
    }
}

impl Matrix {
    fn from_rows(rows: Rows, column: impl Fn(Option<Variable>) -> u32) -> Self {
        let (columns, coefficients) = rows.entries.iter().map(|&(v, number)| (column(v), number)).unzip();
        Self { ends: rows.ends, columns, coefficients }
    }

    /// The number of entries.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.columns.len()
    }

    /// Columns and numbers of coefficients in a row.
    pub(crate) fn row(&self, i: usize) -> impl Iterator<Item = (usize, usize)> {
        let start = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        let range = start..self.ends[i] as usize;
        self.columns[range.clone()]
            .iter()
            .zip(&self.coefficients[range])
            .map(|(&column, &number)| (column as usize, number as usize))
    }
}

impl<F: PrimeField> R1cs<F> {
    pub(super) fn from_rows(
        counts: [u32; 3],
        rows: [Rows; 3],
        values: Vec<F>,
        labels: Vec<&'static str>,
    ) -> Self {
        let [public, committed, _] = counts;
        let column = |variable: Option<Variable>| match variable {
            None => 0,
            Some(Variable::Public(i)) => 1 + i,
            Some(Variable::Committed(i)) => 1 + public + i,
            Some(Variable::Witness(i)) => 1 + public + committed + i,
        };
        let [a, b, c] = rows.map(|rows| Matrix::from_rows(rows, column));
        let [public, committed, witness] = counts.map(|count| count as usize);
        Self { a, b, c, values, labels, public, committed, witness, repeats: vec![] }
    }

    pub(super) fn with_repeats(mut self, mut repeats: Vec<Repeat>) -> Self {
        let behind = [1, 1 + self.public, 1 + self.public + self.committed];
        for ([first, _], behind) in repeats.iter_mut().flat_map(|repeat| repeat.cells.iter_mut().zip(behind))
        {
            *first += behind;
        }
        self.repeats = repeats;
        self
    }

    /// The outermost parts that [`Builder::for_each`](super::Builder::for_each) and [`Builder::repeat`](super::Builder::repeat) made, where they have the same numbers of
    /// constraints and cells. No part of the digest.
    #[must_use]
    pub fn repeats(&self) -> &[Repeat] {
        &self.repeats
    }

    /// The distinct coefficients, which entries of the matrices are numbers into.
    pub(crate) fn coefficients(&self) -> &[F] {
        &self.values
    }

    /// The number of constraints.
    #[must_use]
    pub fn constraints(&self) -> usize {
        self.labels.len()
    }

    /// The number of public inputs, without the constant.
    #[must_use]
    pub fn public(&self) -> usize {
        self.public
    }

    /// The number of committed cells.
    #[must_use]
    pub fn committed(&self) -> usize {
        self.committed
    }

    /// The number of witness cells, without the committed ones.
    #[must_use]
    pub fn witness(&self) -> usize {
        self.witness
    }

    /// The same system with its committed cells as ordinary witness cells, for circuits that bind them by other means, such as a public digest. Columns stay
    /// where they are; the digest of the system is another one.
    #[must_use]
    pub fn without_commitment(mut self) -> Self {
        self.witness += core::mem::take(&mut self.committed);
        self
    }

    /// The length of `z`.
    #[must_use]
    pub fn columns(&self) -> usize {
        1 + self.public + self.committed + self.witness
    }

    /// The matrices `A`, `B`, `C`.
    #[must_use]
    pub fn matrices(&self) -> [&Matrix; 3] {
        [&self.a, &self.b, &self.c]
    }

    /// The entries of a row of one of the matrices: column and coefficient. Columns are distinct and ascending.
    ///
    /// # Panics
    /// If the matrix has no such row.
    pub fn row<'a>(&'a self, matrix: &'a Matrix, i: usize) -> impl Iterator<Item = (usize, F)> + 'a {
        matrix.row(i).map(|(column, number)| (column, self.values[number]))
    }

    /// What the circuit calls a constraint.
    ///
    /// # Panics
    /// If there is no such constraint.
    #[must_use]
    pub fn label(&self, constraint: usize) -> &'static str {
        self.labels[constraint]
    }

    /// The number of constraints of each label, in the order of first appearance.
    #[must_use]
    pub fn census(&self) -> Vec<(&'static str, usize)> {
        let mut census: Vec<(&'static str, usize)> = vec![];
        for &label in &self.labels {
            match census.iter_mut().find(|entry| entry.0 == label) {
                Some(entry) => entry.1 += 1,
                None => census.push((label, 1)),
            }
        }
        census
    }

    pub(super) fn product(&self, matrix: &Matrix, i: usize, z: &[F]) -> F {
        self.row(matrix, i).map(|(column, x)| x * z[column]).sum()
    }

    /// Checks every constraint by the matrices.
    ///
    /// # Errors
    /// The first violated constraint.
    ///
    /// # Panics
    /// If the assignment has another shape.
    pub fn is_satisfied(&self, assignment: &Assignment<F>) -> Result<(), Unsatisfied> {
        let z = self.vector(assignment);
        for constraint in 0..self.constraints() {
            let [a, b, c] = self.matrices().map(|matrix| self.product(matrix, constraint, &z));
            if a * b != c {
                return Err(Unsatisfied { constraint, label: self.label(constraint) });
            }
        }
        Ok(())
    }

    pub(super) fn vector(&self, assignment: &Assignment<F>) -> Vec<F> {
        let counts = [assignment.public.len(), assignment.committed.len() + assignment.witness.len()];
        assert_eq!(counts, [self.public, self.committed + self.witness], "an assignment of another circuit");
        assignment.z()
    }

    /// The BLAKE3 digest of the system: field, counts, and every entry of the matrices. Labels are no part of it.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_derive_key("tenfold 2026 rank-1 constraint system");
        hasher.update(&F::MODULUS.to_bytes_le());
        for count in [self.constraints(), self.public, self.committed, self.witness, self.values.len()] {
            hasher.update(&(count as u64).to_le_bytes());
        }
        for value in &self.values {
            hasher.update(&value.into_bigint().to_bytes_le());
        }
        for matrix in self.matrices() {
            hasher.update(&(matrix.entries() as u64).to_le_bytes());
            for list in [&matrix.ends, &matrix.columns, &matrix.coefficients] {
                for chunk in list.chunks(1 << 12) {
                    let bytes: Vec<u8> = chunk.iter().flat_map(|x| x.to_le_bytes()).collect();
                    hasher.update(&bytes);
                }
            }
        }
        *hasher.finalize().as_bytes()
    }
}
