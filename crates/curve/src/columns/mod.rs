//! Columns of elements of BLS12-381's scalar field: what a prover computes on between commitments.
//!
//! ```text
//!   Fr, Fr, ..  ->  blocks: one element (blst), or eight in a vector (AVX-512 IFMA)  ->  Fr, Fr, ..
//!                   transforms, products, sums, values at a point, quotients, formulas
//! ```
//! A column is converted on its way in and on its way out, and stays in its form in between. All of this is constant time in both forms: neither the
//! flow of control nor an address depends on an element. A column that is dropped is overwritten.
//!
//! (notes: curve-columns)

mod blocks;
mod single;
#[cfg(test)]
mod tests;
mod transform;

use zeroize::Zeroizing;

use crate::Zero;
use crate::bls12_381::Fr;
pub use crate::number::{Number, powers};
pub(crate) use blocks::{accumulate, horner, layers, reversed};
use single::Single;
pub use transform::Transform;

/// A function of the entries that `C` columns have in one place and in the next, and of `K` constants.
pub trait Formula<const C: usize, const K: usize> {
    /// Its value. Mark it `#[inline(always)]`: only then is it compiled with the instructions of its caller.
    fn value<F: Number>(here: &[F; C], next: &[F; C], constants: &[F; K]) -> F;
}

/// Elements in the form in which they are computed on.
pub(crate) trait Blocks: 'static {
    /// Some elements.
    type Block: Number + Send + Sync;
    /// Constants of a transform.
    type Tables: Send + Sync;
    /// Elements in a block.
    const WIDTH: usize;

    /// Whether the machine has the instructions.
    fn available() -> bool;

    /// Blocks of elements, the last one filled with zeros.
    fn import(values: &[Fr]) -> Vec<Self::Block>;

    /// As many elements as there is room for.
    fn export(blocks: &[Self::Block], values: &mut [Fr]);

    /// Constants of the transform of `n >= 64` elements to `scale p(root^i)`.
    fn tables(n: usize, root: Fr, scale: Fr) -> Self::Tables;

    /// The transform.
    fn transform(tables: &Self::Tables, blocks: &[Self::Block]) -> Vec<Self::Block>;

    /// `a_i b_i`
    fn multiply(a: &[Self::Block], b: &[Self::Block]) -> Vec<Self::Block>;

    /// `sum k_j c_j`, so many blocks of it, of columns that may be shorter.
    fn sum(terms: &[(Fr, &[Self::Block])], count: usize) -> Vec<Self::Block>;

    /// `sum c_i x^i`
    fn evaluate(blocks: &[Self::Block], x: Fr) -> Fr;

    /// The quotient by `X - z` and the rest.
    fn divide(blocks: &[Self::Block], z: Fr) -> (Vec<Self::Block>, Fr);

    /// The values of a formula; behind the last place comes the first.
    fn map<T: Formula<C, K>, const C: usize, const K: usize>(
        columns: [&[Self::Block]; C],
        constants: &[Fr; K],
    ) -> Vec<Self::Block>;

    /// Overwrites what is held.
    fn wipe(blocks: &mut [Self::Block]);
}

#[cfg(target_arch = "x86_64")]
type Vector = crate::ifma::Eights;
#[cfg(not(target_arch = "x86_64"))]
type Vector = Single;

/// The form of columns. What is computed does not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One by one, on any machine.
    Single,
    /// In vectors, where the machine has them.
    Vector,
}

impl Form {
    /// The fastest on this machine.
    #[must_use]
    pub fn best() -> Self {
        if Vector::available() { Self::Vector } else { Self::Single }
    }
}

/// Elements in one of the forms. Columns that meet have the same form and, unless a text says otherwise, the same length.
pub struct Column {
    len: usize,
    all: All,
}

enum All {
    Single(Vec<<Single as Blocks>::Block>),
    Vector(Vec<<Vector as Blocks>::Block>),
}

const FORMS: &str = "columns of one form";

impl Drop for Column {
    fn drop(&mut self) {
        match &mut self.all {
            All::Single(a) => Single::wipe(a),
            All::Vector(a) => Vector::wipe(a),
        }
    }
}

impl Column {
    /// A column of these elements.
    ///
    /// # Panics
    /// If the machine does not have the form.
    #[must_use]
    pub fn new(values: &[Fr], form: Form) -> Self {
        let all = match form {
            Form::Single => All::Single(Single::import(values)),
            Form::Vector => All::Vector(Vector::import(values)),
        };
        Self { len: values.len(), all }
    }

    /// How many elements there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The elements. They are overwritten when they are dropped.
    #[must_use]
    pub fn values(&self) -> Zeroizing<Vec<Fr>> {
        let mut values = Zeroizing::new(vec![Fr::zero(); self.len]);
        match &self.all {
            All::Single(a) => Single::export(a, &mut values),
            All::Vector(a) => Vector::export(a, &mut values),
        }
        values
    }

    /// The entries' products.
    ///
    /// # Panics
    /// If the lengths are not equal.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        assert_eq!(self.len, other.len, "columns of one length");
        let all = match &self.all {
            All::Single(a) => All::Single(Single::multiply(a, other.single())),
            All::Vector(a) => All::Vector(Vector::multiply(a, other.vector())),
        };
        Self { len: self.len, all }
    }

    /// `sum k_j c_j`, as long as the longest of the columns.
    ///
    /// # Panics
    /// If there are no columns.
    #[must_use]
    pub fn sum<const C: usize>(terms: [(Fr, &Self); C]) -> Self {
        let len = terms.iter().map(|(_, c)| c.len).max().expect("columns");
        let all = match &terms[0].1.all {
            All::Single(_) => {
                All::Single(Single::sum(&terms.map(|(k, c)| (k, c.single())), len.div_ceil(Single::WIDTH)))
            }
            All::Vector(_) => {
                All::Vector(Vector::sum(&terms.map(|(k, c)| (k, c.vector())), len.div_ceil(Vector::WIDTH)))
            }
        };
        Self { len, all }
    }

    /// `sum c_i x^i`: the value of the polynomial with these coefficients.
    #[must_use]
    pub fn evaluate(&self, x: Fr) -> Fr {
        match &self.all {
            All::Single(a) => Single::evaluate(a, x),
            All::Vector(a) => Vector::evaluate(a, x),
        }
    }

    /// `(p - p(z)) / (X - z)` and `p(z)` of the polynomial `p` with these coefficients.
    ///
    /// # Panics
    /// If there are no coefficients.
    #[must_use]
    pub fn divide(&self, z: Fr) -> (Self, Fr) {
        let len = self.len.checked_sub(1).expect("coefficients");
        let (all, rest) = match &self.all {
            All::Single(a) => {
                let (quotient, rest) = Single::divide(a, z);
                (All::Single(quotient), rest)
            }
            All::Vector(a) => {
                let (mut quotient, rest) = Vector::divide(a, z);
                // Of `8k + 1` coefficients the last block is gone: it is zero.
                quotient.truncate(len.div_ceil(Vector::WIDTH));
                (All::Vector(quotient), rest)
            }
        };
        (Self { len, all }, rest)
    }

    /// The columns one behind another, up to so many entries.
    ///
    /// # Panics
    /// If there are fewer entries, or the length of a column but the last is no multiple of 8.
    #[must_use]
    pub fn concat<const C: usize>(columns: [&Self; C], len: usize) -> Self {
        let (last, others) = columns.split_last().expect("columns");
        assert!(others.iter().all(|c| c.len.is_multiple_of(8)), "columns of whole blocks");
        let start: usize = others.iter().map(|c| c.len).sum();
        assert!((start..=start + last.len).contains(&len), "{len} entries of {}", start + last.len);
        let all = match &last.all {
            All::Single(_) => All::Single(joined(&columns.map(Self::single), len)),
            All::Vector(a) => {
                let mut all = joined(&columns.map(Self::vector), len.div_ceil(Vector::WIDTH));
                // The last block is cut: behind the entries are zeros.
                let mut values = Zeroizing::new(vec![Fr::zero(); len - start]);
                Vector::export(a, &mut values);
                all.truncate(start / Vector::WIDTH);
                all.extend(Vector::import(&values));
                All::Vector(all)
            }
        };
        Self { len, all }
    }

    /// The values of a formula in all places, of which the first comes behind the last.
    ///
    /// # Panics
    /// If the lengths are not equal, or no multiple of 8.
    #[must_use]
    pub fn map<T: Formula<C, K>, const C: usize, const K: usize>(
        columns: [&Self; C],
        constants: &[Fr; K],
    ) -> Self {
        let len = columns[0].len;
        assert!(
            len.is_multiple_of(8) && columns.iter().all(|c| c.len == len),
            "columns of one length, of whole blocks"
        );
        let all = match &columns[0].all {
            All::Single(_) => All::Single(Single::map::<T, C, K>(columns.map(Self::single), constants)),
            All::Vector(_) => All::Vector(Vector::map::<T, C, K>(columns.map(Self::vector), constants)),
        };
        Self { len, all }
    }

    fn single(&self) -> &[<Single as Blocks>::Block] {
        if let All::Single(a) = &self.all { a } else { panic!("{FORMS}") }
    }

    fn vector(&self) -> &[<Vector as Blocks>::Block] {
        if let All::Vector(a) = &self.all { a } else { panic!("{FORMS}") }
    }
}

/// The first `count` blocks of all, with room for no more: what grows leaves a copy behind.
fn joined<B: Copy>(parts: &[&[B]], count: usize) -> Vec<B> {
    let mut all = Vec::with_capacity(count);
    for part in parts {
        all.extend_from_slice(&part[..part.len().min(count - all.len())]);
    }
    all
}
