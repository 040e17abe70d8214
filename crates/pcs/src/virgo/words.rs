//! The words that one random combination tests at once, and the value of the combination at a position. (notes: virgo-words)
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use alloc::vec::Vec;
use field::{ExtensionOf, Field, TwoAdic};
use iop::error::Invalid;
use iop::poly::{TensorForm, dot, dot_base};

/// The point outside of the domain that a commitment's value belongs to: `Σ_k weights[k] f_k(point)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsidePoint<E> {
    /// The point.
    pub point: E,
    /// A weight for each fragment.
    pub weights: Vec<E>,
}

/// Weights of the words that are tested: one for each fragment `f_k`, for its quotient `h_k`, for its remainder `p_k` and for `X p_k`;
/// and one for the quotient of the fragments' combination by `X - z`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordWeights<E> {
    /// The challenges that all weights follow from.
    pub challenges: Vec<E>,
    /// Of the fragments.
    pub fragments: Vec<E>,
    /// Of the quotients by the vanishing polynomial.
    pub quotients: Vec<E>,
    /// Of the remainders.
    pub remainders: Vec<E>,
    /// Of the remainders times `X`.
    pub shifted: Vec<E>,
    /// Of the quotient by `X - z`, with the point; none in unique decoding.
    pub outside: Option<(E, OutsidePoint<E>)>,
}

/// What is opened at a position, and what the weights are there.
pub(super) struct Row<'a, B, E> {
    /// The position's point, and its inverse.
    pub point: [B; 2],
    /// The fragments.
    pub fragments: &'a [B],
    /// Their quotients.
    pub quotients: &'a [E],
    /// The weight polynomial's value.
    pub weight: E,
}

/// What an opening states about the fragments.
pub(super) struct Stated<E> {
    /// The sum of each over the subgroup, weighted.
    pub sums: Vec<E>,
    /// The value outside of the domain.
    pub outside: Option<E>,
}

impl<E: Field> WordWeights<E> {
    /// The entries of `⊗(1 - r_i, r_i)`: a run for each kind of word, in the order of the fields.
    pub(super) fn new(columns: usize, challenges: Vec<E>, point: Option<OutsidePoint<E>>) -> Self {
        let all = TensorForm::point(&challenges).expand();
        let run =
            |kind: usize| -> Vec<E> { all.iter().skip(kind * columns).take(columns).copied().collect() };
        let outside = point.and_then(|point| Some((*all.get(4 * columns)?, point)));
        let [fragments, quotients, remainders, shifted] = [run(0), run(1), run(2), run(3)];
        Self { challenges, fragments, quotients, remainders, shifted, outside }
    }

    /// The combination's value at a position: of what is committed to, and of the words that follow from it.
    ///
    /// `X p_k = f_k q - s_k / R - Z h_k` with `R` the length of a fragment, `Z = X^R - 1` and `s_k` the stated sum.
    pub(super) fn value<B: TwoAdic>(
        &self,
        row: &Row<'_, B, E>,
        stated: &Stated<E>,
        log_rows: usize,
    ) -> Result<E, Invalid>
    where
        E: ExtensionOf<B>,
    {
        let Row { point: [x, inverse], fragments, quotients, weight } = *row;
        let vanishing = (0..log_rows).fold(x, |x, _| x.square()) - B::ONE;
        let mean = (0..log_rows).fold(B::ONE, |size, _| size + size).inverse();
        let mean = mean.ok_or(Invalid("a fragment's length is zero in the field"))?;
        let mut value = dot_base(fragments, &self.fragments) + dot(quotients, &self.quotients);
        let columns = fragments.iter().zip(quotients).zip(&stated.sums);
        for (((&f, &h), &sum), (&plain, &shifted)) in columns.zip(self.remainders.iter().zip(&self.shifted)) {
            let remainder = weight.scale(f) - sum.scale(mean) - h.scale(vanishing);
            value += remainder * (plain.scale(inverse) + shifted);
        }
        if let Some((weight, outside)) = &self.outside {
            let stated = stated.outside.ok_or(Invalid("a commitment without its value"))?;
            let divisor = (E::lift(x) - outside.point).inverse();
            let divisor = divisor.ok_or(Invalid("the point outside of the domain lies in it"))?;
            value += (dot_base(fragments, &outside.weights) - stated) * divisor * *weight;
        }
        Ok(value)
    }
}
