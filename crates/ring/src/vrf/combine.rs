//! Sums of a few public points, in a time that depends on all there is.

#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use alloc::vec::Vec;

use curve::embedded::{Embedded, Point, Projective};
use curve::{AdditiveGroup, CurveGroup, PrimeField};

/// Points that share a table.
const TOGETHER: usize = 4;

/// `sum k_i P_i`, of points and as many scalars. Cost: as many doublings as the longest scalar has bits, and as many additions for every four points.
pub(super) fn combine<C: Embedded>(points: &[Point<C>], scalars: &[C::ScalarField]) -> Point<C> {
    let tables: Vec<Vec<Projective<C>>> = points.chunks(TOGETHER).map(subset_sums).collect();
    let words: Vec<[u64; 4]> = scalars.iter().map(|k| k.into_bigint().0).collect();
    let longest = words.iter().map(bits).max().unwrap_or(0);
    let mut sum = Projective::<C>::default();
    for bit in (0..longest).rev() {
        sum.double_in_place();
        for (table, words) in tables.iter().zip(words.chunks(TOGETHER)) {
            let has = |words: &[u64; 4]| words.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1);
            let index = words.iter().rev().fold(0, |index, words| index << 1 | usize::from(has(words)));
            if index != 0 {
                sum += table.get(index).unwrap_or(&Projective::ZERO);
            }
        }
    }
    sum.into_affine()
}

/// Entry `i` is the sum of the points whose bits are in `i`.
fn subset_sums<C: Embedded>(points: &[Point<C>]) -> Vec<Projective<C>> {
    let mut table = vec![Projective::<C>::default()];
    for point in points {
        let with: Vec<Projective<C>> = table.iter().map(|sum| *sum + point).collect();
        table.extend(with);
    }
    table
}

/// Bits of a number without leading zeros.
fn bits(words: &[u64; 4]) -> usize {
    let leading = words.iter().rev().take_while(|word| **word == 0).count();
    let top = words.iter().rev().find(|word| **word != 0);
    top.map_or(0, |top| (0..64).filter(|bit| top >> bit != 0).count() + 64 * (3 - leading))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{members, scalar};
    use curve::bandersnatch::{Bandersnatch, Fr};
    use curve::{One, Zero};

    #[test]
    fn a_combination_is_the_sum_of_multiples() {
        let points: Vec<_> = members(9).iter().map(|key| *key.point()).collect();
        let short = [Fr::zero(), Fr::one(), -Fr::one(), Fr::from(1_u128 << 64), Fr::from(u128::MAX)];
        let scalars: Vec<Fr> = short.into_iter().chain((0..4).map(scalar)).collect();
        for count in 0..=9 {
            let expected: Projective<Bandersnatch> =
                points.iter().zip(&scalars).take(count).map(|(p, k)| *p * k).sum();
            let sum = combine::<Bandersnatch>(&points[..count], &scalars[..count]);
            assert_eq!(sum, expected.into_affine(), "{count}");
        }
    }
}
