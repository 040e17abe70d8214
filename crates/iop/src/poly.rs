//! Multilinear tables and the linear forms that openings prove. (notes: linear-forms-tensor)
//!
//! A polynomial in `n` variables is its table of `2^n` entries; bit `v` of an index is variable `v`
//! (little-endian). A [`TensorForm`] is the linear form `f -> sum_i f[i] * prod_v t_v[bit v of i]`. Point
//! evaluation, one entry, the sum of all entries and the evaluation of a univariate polynomial are all
//! tensors, so one protocol proves them all.

use alloc::vec::Vec;
#[cfg(feature = "prover")]
use field::parallel;
use field::{ExtensionOf, Field};

/// log2 of the length of what one task of the parallel forms does.
#[cfg(feature = "prover")]
const LOG_CHUNK: usize = 12;

/// The linear form with weights `⊗_v (t_v[0], t_v[1])`, variable 0 first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorForm<E>(Vec<[E; 2]>);

impl<E: Field> TensorForm<E> {
    /// The form with the given factors, one pair per variable.
    pub fn new(factors: Vec<[E; 2]>) -> Self {
        Self(factors)
    }

    /// Evaluation of the multilinear extension at a point: factors `(1 - z_v, z_v)`.
    /// (notes: linear-forms-kinds)
    pub fn point(z: &[E]) -> Self {
        Self(z.iter().map(|&z| [E::ONE - z, z]).collect())
    }

    /// Evaluation at a point when the table holds coefficients in the monomial basis: `(1, z_v)`.
    pub fn monomial(z: &[E]) -> Self {
        Self(z.iter().map(|&z| [E::ONE, z]).collect())
    }

    /// The entry at `index` of a table in `variables` variables. There are `2^variables` of them, which **the caller checks**: of an index beyond them the low bits
    /// alone count, and the form is that of another entry.
    pub fn index(index: u64, variables: usize) -> Self {
        let bit = |v: usize| index.checked_shr(v as u32).unwrap_or(0) & 1;
        Self(
            (0..variables).map(|v| if bit(v) == 0 { [E::ONE, E::ZERO] } else { [E::ZERO, E::ONE] }).collect(),
        )
    }

    /// The inverse of [`TensorForm::index`]: `None` for other forms, and for entries from 2^64 on.
    pub fn as_index(&self) -> Option<u64> {
        let bit = |factor: &[E; 2]| match *factor {
            [a, b] if a == E::ONE && b == E::ZERO => Some(0),
            [a, b] if a == E::ZERO && b == E::ONE => Some(1),
            _ => None,
        };
        let shift = |index: u64| index.checked_mul(2);
        self.0.iter().rev().try_fold(0, |index, factor| Some(shift(index)? | bit(factor)?))
    }

    /// The sum of all entries.
    pub fn sum(variables: usize) -> Self {
        Self(vec![[E::ONE, E::ONE]; variables])
    }

    /// The powers `(1, x, x^2, ...)`: evaluation of the univariate polynomial with these coefficients.
    pub fn powers(x: E, variables: usize) -> Self {
        let squares = core::iter::successors(Some(x), |x| Some(x.square()));
        Self(squares.take(variables).map(|x| [E::ONE, x]).collect())
    }

    /// The number of variables.
    pub fn variables(&self) -> usize {
        self.0.len()
    }

    /// The factors, one pair per variable.
    pub fn factors(&self) -> &[[E; 2]] {
        &self.0
    }

    /// The forms on the lowest `k` variables (all of them if there are fewer) and on the rest.
    pub fn split(&self, k: usize) -> (Self, Self) {
        let (low, high) = self.0.split_at(k.min(self.0.len()));
        (Self(low.to_vec()), Self(high.to_vec()))
    }

    /// The value of the weight table's multilinear extension at `r` on its lowest `r.len()` variables,
    /// and the form on the remaining ones.
    pub fn bind_low(&self, r: &[E]) -> (E, Self) {
        let (low, high) = self.split(r.len());
        let scalar = low.0.iter().zip(r).fold(E::ONE, |acc, (t, &r)| acc * (t[0] + r * (t[1] - t[0])));
        (scalar, high)
    }

    /// The table of all `2^n` weights. Cost: `2^(n+1)` products at most.
    pub fn expand(&self) -> Vec<E> {
        self.expand_scaled(E::ONE)
    }

    /// The table of weights times a scalar.
    pub fn expand_scaled(&self, scale: E) -> Vec<E> {
        let mut table = Vec::with_capacity(1 << self.0.len());
        table.push(scale);
        for &[a, b] in &self.0 {
            let half = table.len();
            table.extend_from_within(..);
            let (low, high) = table.split_at_mut(half);
            E::scale_slice(high, b);
            if a + b == E::ONE {
                low.iter_mut().zip(high).for_each(|(low, &mut high)| *low -= high);
            } else if a != E::ONE {
                E::scale_slice(low, a);
            }
        }
        table
    }

    /// [`TensorForm::expand`] on all threads, for provers: long tables only are shared out.
    #[cfg(feature = "prover")]
    pub fn expand_parallel(&self) -> Vec<E> {
        if self.variables() <= LOG_CHUNK {
            return self.expand();
        }
        let (low, high) = self.split(LOG_CHUNK);
        let low = low.expand();
        let mut table = vec![E::ZERO; 1 << self.variables()];
        parallel::for_each(table.chunks_mut(low.len()).zip(high.expand()), |(out, weight)| {
            out.copy_from_slice(&low);
            E::scale_slice(out, weight);
        });
        table
    }

    /// Adds the table of weights times a scalar to a table as long, on all threads, for provers.
    #[cfg(feature = "prover")]
    pub fn add_scaled(&self, scale: E, out: &mut [E]) {
        let (low, high) = self.split(LOG_CHUNK);
        let (low, high) = (low.expand(), high.expand_scaled(scale));
        parallel::for_each(out.chunks_mut(low.len()).zip(high), |(out, weight)| {
            E::add_scaled(&low[..out.len()], weight, out);
        });
    }

    /// The value of the form on a table of `2^n` entries (shorter tables count as padded with zeros).
    pub fn apply(&self, table: &[E]) -> E {
        let mut values = table.to_vec();
        for &[a, b] in &self.0 {
            if a + b == E::ONE && values.len().is_multiple_of(2) {
                // By the kernel of the field.
                E::bind_low(&mut values, b);
            } else {
                values = fold(&values, [a, b]);
            }
        }
        values.first().copied().unwrap_or(E::ZERO)
    }

    /// Canonical bytes of all factors, for statement digests.
    pub fn to_bytes(&self) -> Vec<u8> {
        to_bytes(self.0.as_flattened())
    }
}

/// A table with its lowest variable summed out by weights.
fn fold<E: Field>(table: &[E], [a, b]: [E; 2]) -> Vec<E> {
    let one = |pair: &[E]| match pair {
        [x, y] => a * *x + b * *y,
        [x] => a * *x,
        _ => E::ZERO,
    };
    table.chunks(2).map(one).collect()
}

/// Canonical encodings end to end.
pub fn to_bytes<E: Field>(values: &[E]) -> Vec<u8> {
    let mut out = vec![0; values.len() * E::BYTES];
    E::write_slice(values, &mut out);
    out
}

/// `sum_i a_i b_i` over the shorter of the two.
pub fn dot<E: Field>(a: &[E], b: &[E]) -> E {
    E::inner_product(a, b)
}

/// [`dot`] on all threads, for provers.
#[cfg(feature = "prover")]
pub fn dot_parallel<E: Field>(a: &[E], b: &[E]) -> E {
    let parts = a.chunks(1 << LOG_CHUNK).zip(b.chunks(1 << LOG_CHUNK));
    parallel::map(parts, |(a, b)| dot(a, b)).into_iter().sum()
}

/// `sum_i row[i] * weights[i]` of a base-field row.
pub fn dot_base<B: Field, E: ExtensionOf<B>>(row: &[B], weights: &[E]) -> E {
    row.iter().zip(weights).map(|(&x, &w)| w.scale(x)).sum()
}

/// `1, x, x^2, ...`, `count` of them.
pub fn powers<E: Field>(x: E, count: usize) -> Vec<E> {
    core::iter::successors(Some(E::ONE), |&p| Some(p * x)).take(count).collect()
}

/// The basis of `E` over `B`: weights that read an extension element back from its coefficients.
pub fn basis<B: Field, E: ExtensionOf<B>>() -> Vec<E> {
    (0..E::DEGREE)
        .map(|i| {
            let mut unit = vec![B::ZERO; E::DEGREE];
            unit[i] = B::ONE;
            E::from_coefficients(&unit)
        })
        .collect()
}

/// Weights over base-field columns for a matrix whose columns hold extension elements: column `c` stands as
/// `DEGREE` base columns, weighted `w_c` times the basis.
pub fn flatten_weights<B: Field, E: ExtensionOf<B>>(weights: &[E]) -> Vec<E> {
    outer_product(weights, &basis::<B, E>())
}

/// `left[i] * right[j]` for all `i` and `j`, those of one `i` end to end.
pub fn outer_product<E: Field>(left: &[E], right: &[E]) -> Vec<E> {
    let mut products = Vec::with_capacity(left.len() * right.len());
    for &a in left {
        products.extend(right.iter().map(|&b| a * b));
    }
    products
}

#[cfg(test)]
mod tests;
