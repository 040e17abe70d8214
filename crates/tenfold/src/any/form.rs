//! Linear forms with their elements as canonical bytes.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use alloc::vec::Vec;
use core::ops::Range;
use field::Field;
use iop::hash::Digest;
use iop::poly::{TensorForm, to_bytes};

/// A linear form of the committed entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// One entry.
    Entry(u64),
    /// The sum of `2^log_length` entries from `start` on, which is a multiple of their number.
    Block {
        /// The first entry.
        start: u64,
        /// log2 of the number of entries, at least 1.
        log_length: u32,
    },
    /// The factors `(a_v, b_v)` of any other form of product shape, the lowest index bit first, and what is known of them.
    Product(Vec<[Vec<u8>; 2]>, Product),
    /// The weights with this digest.
    Weights(Digest),
    /// The products of two columns, by their places among the committed ones, summed over the first rows: no linear form.
    Columns {
        /// The places.
        columns: [u32; 2],
        /// The rows.
        rows: u64,
    },
}

/// What the factors of a form are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Product {
    /// Each is `(1 - z, z)`: the multilinear extension at the point of the `z`.
    Point,
    /// Each is `(1, z)` with the square of the `z` before: the univariate polynomial with the entries as coefficients, at the first `z`.
    Powers,
    /// Some are neither.
    Other,
}

impl Product {
    fn of<E: Field>(factors: &[[E; 2]]) -> Self {
        let squares =
            factors.iter().zip(factors.iter().skip(1)).all(|([_, z], [_, next])| z.square() == *next);
        if factors.iter().all(|&[a, b]| a + b == E::ONE) {
            Self::Point
        } else if squares && factors.iter().all(|&[a, _]| a == E::ONE) {
            Self::Powers
        } else {
            Self::Other
        }
    }
}

impl Form {
    /// The sum of the first `rows` entries as sums over blocks: what lies beyond is not counted.
    #[must_use]
    pub fn first(rows: u64, variables: usize) -> Vec<Self> {
        let mut start = 0u64;
        let mut forms = Vec::new();
        for log_length in (0..=u32::try_from(variables).unwrap_or(u32::MAX).min(63)).rev() {
            if rows >> log_length & 1 == 1 {
                forms.push(if log_length == 0 {
                    Self::Entry(start)
                } else {
                    Self::Block { start, log_length }
                });
                start += 1 << log_length;
            }
        }
        forms
    }

    /// The sum of some rows as sums over the largest blocks that they are made of, in their order.
    #[must_use]
    pub fn range(rows: &Range<u64>) -> Vec<Self> {
        let (mut start, mut forms) = (rows.start, Vec::new());
        while let Some(left) = rows.end.checked_sub(start).filter(|left| *left > 0) {
            let log_length = start.trailing_zeros().min(left.ilog2());
            forms.push(if log_length == 0 { Self::Entry(start) } else { Self::Block { start, log_length } });
            start = start.saturating_add(1 << log_length);
        }
        forms
    }

    /// Factors `(a_v, b_v)` of a form over a field with this zero and this one, as canonical bytes; none for weights and products, for entries beyond
    /// the variables, and for blocks that start at no multiple of their length.
    #[must_use]
    pub fn factors(&self, variables: usize, [zero, one]: [&[u8]; 2]) -> Option<Vec<[Vec<u8>; 2]>> {
        let (start, log_length) = match self {
            Self::Entry(index) => (*index, 0),
            Self::Block { start, log_length } => (*start, usize::try_from(*log_length).ok()?),
            Self::Product(factors, _) => return (factors.len() == variables).then(|| factors.clone()),
            Self::Weights(_) | Self::Columns { .. } => return None,
        };
        let bit = |v: usize| u32::try_from(v).ok().and_then(|v| start.checked_shr(v)).unwrap_or(0) & 1 == 1;
        let beyond = u32::try_from(variables).ok().and_then(|v| start.checked_shr(v)).unwrap_or(0);
        let aligned =
            start == 0 || usize::try_from(start.trailing_zeros()).is_ok_and(|zeros| log_length <= zeros);
        if beyond != 0 || log_length > variables || !aligned {
            return None;
        }
        let pair = |v| match (v < log_length, bit(v)) {
            (true, _) => [one, one],
            (false, true) => [zero, one],
            (false, false) => [one, zero],
        };
        Some((0..variables).map(|v| pair(v).map(<[u8]>::to_vec)).collect())
    }

    /// The form of a tensor.
    #[must_use]
    pub fn from_tensor<E: Field>(form: &TensorForm<E>) -> Self {
        if let Some(index) = form.as_index() {
            return Self::Entry(index);
        }
        let ones = form.factors().iter().take_while(|&&[a, b]| a == E::ONE && b == E::ONE).count();
        let rest = TensorForm::new(form.factors().iter().skip(ones).copied().collect());
        if let (Some(high), Ok(log_length)) = (rest.as_index(), u32::try_from(ones))
            && log_length > 0
            && form.variables() < 64
        {
            return Self::Block { start: high << log_length, log_length };
        }
        let bytes = form.factors().iter().map(|pair| pair.map(|x| to_bytes(&[x]))).collect();
        Self::Product(bytes, Product::of(form.factors()))
    }

    /// The tensor of a form; none for weights, for entries beyond the variables, for blocks that start at no multiple of their length, and for elements that are not in canonical form.
    #[must_use]
    pub fn to_tensor<E: Field>(&self, variables: usize) -> Option<TensorForm<E>> {
        let [zero, one] = [E::ZERO, E::ONE].map(|x| to_bytes(&[x]));
        let factors = self.factors(variables, [&zero, &one])?;
        let read = |[a, b]: [Vec<u8>; 2]| Some([E::from_bytes(&a)?, E::from_bytes(&b)?]);
        Some(TensorForm::new(factors.into_iter().map(read).collect::<Option<_>>()?))
    }
}
