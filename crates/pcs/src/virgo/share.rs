//! Some fragments of a polynomial: what a prover, or one of several machines, computes of them alone. (notes: virgo-prover)

use super::weights::RowWeights;
use super::words::WordWeights;
use crate::matrix::{combine_columns, combine_rows};
use core::ops::Range;
use field::{ExtensionOf, Field, TwoAdic, parallel};
use iop::code::ReedSolomon;
use iop::fold::Squared;
use iop::poly::{TensorForm, flatten_weights};

/// Rows that one task computes.
const ROWS_AT_ONCE: usize = 1 << 11;

/// Consecutive fragments: their values on the subgroup, row by row, and the coefficients of the polynomials through these.
#[derive(Debug, Clone)]
pub struct Share<B> {
    code: ReedSolomon,
    width: usize,
    entries: Vec<B>,
    coefficients: Vec<B>,
}

/// The quotients of some fragments by the vanishing polynomial, and the remainders times `X` with the sums in front.
#[derive(Debug, Clone)]
pub struct Quotients<B> {
    /// Coefficients of the quotients, each element of the challenge field as its coordinates.
    quotients: Vec<B>,
    /// Coefficients of the remainders.
    remainders: Vec<B>,
}

impl<B: TwoAdic> Share<B> {
    /// Interpolates the fragments. Cost: one transform of the entries.
    ///
    /// # Panics
    /// If there are other numbers of entries than the code's rows for each of the fragments.
    pub fn new(code: ReedSolomon, entries: Vec<B>, width: usize) -> Self {
        assert_eq!(entries.len(), width << code.log_rows, "an entry of each row and fragment");
        let coefficients = interpolate(&entries, width, B::ONE);
        Self { code, width, entries, coefficients }
    }

    /// The entries, row by row.
    pub fn entries(&self) -> &[B] {
        &self.entries
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        2 * self.entries.len() * size_of::<B>()
    }

    /// Encodes the fragments in one piece; the memory of `out` is used again.
    pub fn codeword(&self, mut out: Vec<B>) -> Vec<B> {
        out.resize(self.entries.len() << self.code.log_inv_rate, B::ZERO);
        Squared { code: self.code, squarings: 0 }.encode(&self.coefficients, self.width, &mut out);
        out
    }

    /// The fragments' values under a form on the rows: their weighted sums over the subgroup.
    pub fn values<E: ExtensionOf<B>>(&self, form: &TensorForm<E>) -> Vec<E> {
        combine_rows(&self.entries, self.width, &form.expand_parallel())
    }

    /// The value of a combination of the fragments at a point of the challenge field.
    pub fn evaluate<E: ExtensionOf<B>>(&self, weights: &[E], point: E) -> E {
        let values = combine_rows(
            &self.coefficients,
            self.width,
            &TensorForm::powers(point, self.code.log_rows).expand_parallel(),
        );
        iop::poly::dot(&values, weights)
    }

    /// The quotients, and their codeword; `first` is the first block of the fragments' codeword.
    ///
    /// On the subgroup the product of a fragment and the weights has the values of its remainder alone, since the quotient is multiplied
    /// by zero; on the first block it has those of both.
    ///
    /// Cost: for each fragment four transforms of its length over the challenge field, and one to the codeword.
    pub fn quotients<E: ExtensionOf<B>>(
        &self,
        first: &[B],
        weights: &RowWeights<E>,
    ) -> (Quotients<B>, Vec<E>) {
        let (width, flat) = (self.width, self.width * E::DEGREE);
        let table = weights.form().expand_parallel();
        let remainders = interpolate(&products::<B, E>(&self.entries, &table, width), flat, B::ONE);
        let shift = self.code.point::<B>(0);
        let vanishing = shift.pow(1 << self.code.log_rows) - B::ONE;
        let inverse = vanishing.inverse().expect("the coset is not the subgroup");
        let mean = B::from_u64(1 << self.code.log_rows).inverse().expect("a power of two");
        let mut of_weights = vec![E::ZERO; table.len()];
        E::with_flat_mut(&mut of_weights, |out| {
            B::ntt_rows(&E::flatten(weights.coefficients()), E::DEGREE, shift, out);
        });
        let scale = mean * inverse;
        parallel::for_each(of_weights.chunks_mut(ROWS_AT_ONCE), |part| {
            part.iter_mut().for_each(|w| *w = w.scale(scale))
        });
        let mut block = products::<B, E>(first, &of_weights, width);
        let mut of_remainders = vec![B::ZERO; block.len()];
        B::ntt_rows(&remainders, flat, shift, &mut of_remainders);
        let parts = block.chunks_mut(ROWS_AT_ONCE * flat).zip(of_remainders.chunks(ROWS_AT_ONCE * flat));
        parallel::for_each(parts, |(block, of_remainders)| {
            block.iter_mut().zip(of_remainders).for_each(|(x, &y)| *x -= y * inverse);
        });
        let quotients = interpolate(&reversed_rows(&block, flat), flat, shift);
        let codeword = self.extend(&block, &quotients);
        (Quotients { quotients, remainders }, codeword)
    }

    /// The codeword whose first block is known.
    fn extend<E: ExtensionOf<B>>(&self, first: &[B], coefficients: &[B]) -> Vec<E> {
        let length = self.entries.len();
        let mut codeword = vec![E::ZERO; length << self.code.log_inv_rate];
        E::unflatten(first, &mut codeword[..length]);
        let others = codeword[length..].chunks_exact_mut(length).enumerate();
        parallel::for_each(others, |(c, block)| {
            let shift = self.code.point::<B>((c + 1) << self.code.log_rows);
            E::with_flat_mut(block, |block| B::ntt_rows(coefficients, self.width * E::DEGREE, shift, block));
        });
        codeword
    }

    /// What these fragments, the ones from `columns.start` on, add to the coefficients of the combination of all words.
    ///
    /// # Panics
    /// If there are other numbers of fragments.
    pub fn combine<E: ExtensionOf<B>>(
        &self,
        quotients: &Quotients<B>,
        weights: &WordWeights<E>,
        columns: Range<usize>,
    ) -> Vec<E> {
        assert_eq!(columns.len(), self.width, "a weight for each fragment");
        let of = |weights: &[E]| flatten_weights::<B, E>(&weights[columns.clone()]);
        let mut sum = combine_columns(&self.coefficients, &weights.fragments[columns.clone()]);
        add(&mut sum, &combine_columns(&quotients.quotients, &of(&weights.quotients)));
        // The constant is a sum over the subgroup and no part of the remainder: X p has the other coefficients, p has them one lower.
        let mut shifted = combine_columns(&quotients.remainders, &of(&weights.shifted));
        shifted[0] = E::ZERO;
        add(&mut sum, &shifted);
        let mut plain = combine_columns(&quotients.remainders, &of(&weights.remainders));
        plain.remove(0);
        add(&mut sum, &plain);
        if let Some((weight, outside)) = &weights.outside {
            let combined = combine_columns(&self.coefficients, &outside.weights[columns.clone()]);
            let mut carry = E::ZERO;
            // Division by X - z from the highest coefficient down; the rest is the value.
            for (out, &coefficient) in sum.iter_mut().zip(&combined).rev() {
                *out += carry * *weight;
                carry = coefficient + carry * outside.point;
            }
        }
        sum
    }
}

fn add<E: Field>(sum: &mut [E], others: &[E]) {
    sum.iter_mut().zip(others).for_each(|(sum, &x)| *sum += x);
}

/// The rows of a matrix times the weight of each, as coordinates.
fn products<B: TwoAdic, E: ExtensionOf<B>>(matrix: &[B], weights: &[E], width: usize) -> Vec<B> {
    let mut out = vec![B::ZERO; weights.len() * width * E::DEGREE];
    let rows = matrix.chunks(ROWS_AT_ONCE * width).zip(weights.chunks(ROWS_AT_ONCE));
    parallel::for_each(
        rows.zip(out.chunks_mut(ROWS_AT_ONCE * width * E::DEGREE)),
        |((rows, weights), out)| {
            let rows = rows.chunks_exact(width).zip(weights);
            let values: Vec<E> =
                rows.flat_map(|(row, &weight)| row.iter().map(move |&x| weight.scale(x))).collect();
            out.copy_from_slice(&E::flatten(&values));
        },
    );
    out
}

/// The index whose bits are those of another in reverse order.
fn reversed(index: usize, log_rows: usize) -> usize {
    if log_rows == 0 { 0 } else { index.reverse_bits() >> (usize::BITS as usize - log_rows) }
}

/// The rows in the order of their reversed indices.
fn reversed_rows<B: Field>(matrix: &[B], width: usize) -> Vec<B> {
    let log_rows = (matrix.len() / width).trailing_zeros() as usize;
    let mut out = vec![B::ZERO; matrix.len()];
    parallel::for_each(out.chunks_mut(ROWS_AT_ONCE * width).enumerate(), |(task, part)| {
        for (row, out) in (task * ROWS_AT_ONCE..).zip(part.chunks_exact_mut(width)) {
            out.copy_from_slice(&matrix[reversed(row, log_rows) * width..][..width]);
        }
    });
    out
}

/// The coefficients of the polynomials with these values, column by column, at `shift·w^i` in the order of `i`.
fn interpolate<B: TwoAdic>(values: &[B], width: usize, shift: B) -> Vec<B> {
    let rows = values.len() / width;
    let log_rows = rows.trailing_zeros() as usize;
    let mut transformed = vec![B::ZERO; values.len()];
    B::ntt_rows(values, width, B::ONE, &mut transformed);
    let size = B::from_u64(rows as u64).inverse().expect("a power of two");
    let step = shift.inverse().expect("a shift is not zero");
    let mut out = vec![B::ZERO; values.len()];
    parallel::for_each(out.chunks_mut(ROWS_AT_ONCE * width).enumerate(), |(task, part)| {
        let first = task * ROWS_AT_ONCE;
        let mut scale = size * step.pow(first as u64);
        for (row, out) in (first..).zip(part.chunks_exact_mut(width)) {
            // The transform at w^-row stands where w^(rows - row) does.
            let from = reversed((rows - row) % rows, log_rows) * width;
            out.iter_mut().zip(&transformed[from..][..width]).for_each(|(out, &x)| *out = x * scale);
            scale *= step;
        }
    });
    out
}
