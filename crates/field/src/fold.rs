//! Folding the words of a code, fibre by fibre. (notes: codes-fold)

use crate::{BlockShape, ExtensionOf, FoldableCode, Tower64, Tower128, TwoAdic};
use alloc::vec::Vec;
use core::fmt::Debug;

/// How opened fibres of a word fold: `2^k` neighbours become one position of a word `2^k` times shorter.
///
/// With `u` and `v` the values at two neighbours and `t`, `t'` the weights of the lowest variable there, the word is that of a message
/// whose even part has the value `u - t (v - u) / (t' - t)`, and whose odd part has `(v - u) / (t' - t)`.
///
/// Law: fibres of the codeword of a message fold to values of the codeword of the folded message.
pub trait FoldFibres: FoldableCode {
    /// True if a domain folds to that of the shorter code: a word is then the codeword of its message in that code.
    const FOLDS_TO_CODE: bool;

    /// A position, as folding needs it.
    type FoldPoint: Copy + Debug + PartialEq + Send + Sync + 'static;

    /// That of a position of the code with `2^log_domain` positions; none if no pair with it folds.
    fn fold_point(log_domain: usize, position: usize) -> Option<Self::FoldPoint>;

    /// That of the first of `2^variables` neighbours, from the one at `place` among them.
    fn first_of_fibre(point: Self::FoldPoint, place: usize, variables: usize) -> Self::FoldPoint;

    /// Folds fibres by the pairs `(a, b)` of their variables, lowest first: `a·even + b·odd` for each. `points` are those of the first
    /// positions and become those of the folded ones.
    ///
    /// Cost: about two products in `E` and one of the field with `E` for each pair. None if the fibres are not `2^k` values each.
    fn fold_fibres<E: ExtensionOf<Self>>(
        points: &mut [Self::FoldPoint],
        values: &[E],
        factors: &[[E; 2]],
    ) -> Option<Vec<E>>;

    /// [`FoldableCode::encode_block`] of the code of `shape`, if its domain is that of a longer one after so many folds.
    fn encode_folded(message: &[Self], shape: BlockShape, folds: usize, out: &mut Vec<Self>);
}

/// The lowest `bits` bits of `i` in reverse order.
fn reverse(i: usize, bits: usize) -> u64 {
    if bits == 0 { 0 } else { (i as u64).reverse_bits() >> (64 - bits) }
}

/// A position is the inverse of its point: `even = (u + v) / 2`, `odd = (u - v) / (2 x)`.
impl<F: TwoAdic> FoldFibres for F {
    const FOLDS_TO_CODE: bool = false;

    type FoldPoint = F;

    fn fold_point(log_domain: usize, position: usize) -> Option<F> {
        F::point(log_domain, position).inverse()
    }

    fn first_of_fibre(point: F, place: usize, variables: usize) -> F {
        // The point at this place is the first point times a root of unity.
        point * F::root_of_unity(variables).pow(reverse(place, variables))
    }

    fn fold_fibres<E: ExtensionOf<F>>(points: &mut [F], values: &[E], factors: &[[E; 2]]) -> Option<Vec<E>> {
        if values.len() != points.len() << factors.len() {
            return None;
        }
        // For each pair of a fibre, the inverse of its point over the first one. Squaring halves the list: the pairs of a folded fibre
        // use its first entries.
        let step = F::root_of_unity(factors.len()).inverse()?;
        let roots: Vec<F> = (0..(1usize << factors.len()) / 2)
            .map(|pair| step.pow(reverse(2 * pair, factors.len())))
            .collect();
        let (mut values, mut pairs) = (values.to_vec(), roots.len());
        let mut inverses = Vec::with_capacity(values.len() / 2);
        for &[even, odd] in factors {
            inverses.clear();
            for point in points.iter_mut() {
                inverses.extend(roots.iter().take(pairs).map(|&root| *point * root));
                *point = point.square();
            }
            let mut folded = vec![E::ZERO; inverses.len()];
            E::fold_pairs(&values, &inverses, even, odd, &mut folded);
            (values, pairs) = (folded, pairs / 2);
        }
        Some(values)
    }

    fn encode_folded(message: &[F], shape: BlockShape, folds: usize, out: &mut Vec<F>) {
        let BlockShape { width, log_rows, log_domain, block } = shape;
        // The point at a position of the folded domain is a power of the one at the first position that folds into it.
        let shift = F::point(log_domain + folds, block << log_rows << folds).pow(1 << folds);
        F::ntt_rows_into(message, width, shift, 1 << log_rows, out);
    }
}

/// A position is its number with the bit above it: the weights of neighbours differ by one, so that `odd = u + v` and
/// `even = u + t (u + v)`.
macro_rules! additive {
    ($tower:ty) => {
        impl FoldFibres for $tower {
            const FOLDS_TO_CODE: bool = true;

            type FoldPoint = u32;

            fn fold_point(log_domain: usize, position: usize) -> Option<u32> {
                Some(Self::point(log_domain, position))
            }

            fn first_of_fibre(point: u32, _place: usize, variables: usize) -> u32 {
                point >> variables << variables
            }

            fn fold_fibres<E: ExtensionOf<Self>>(
                points: &mut [u32],
                values: &[E],
                factors: &[[E; 2]],
            ) -> Option<Vec<E>> {
                if values.len() != points.len() << factors.len() {
                    return None;
                }
                let lift = |position: u32| E::lift(Self::factor(position));
                // The weight of a position is that of the fibre's first one and of the place among its neighbours.
                let places: Vec<E> = (0..1u32 << factors.len()).step_by(2).map(lift).collect();
                let mut values = values.to_vec();
                for (folded, &[even, odd]) in factors.iter().enumerate() {
                    let pairs = (1usize << factors.len() >> folded) / 2;
                    let fibres = values.as_chunks::<2>().0.chunks_exact(pairs).zip(points.iter_mut());
                    let mut next = Vec::with_capacity(values.len() / 2);
                    for (fibre, point) in fibres {
                        let first = even * lift(*point) + odd;
                        *point >>= 1;
                        let pair =
                            |(&[u, v], &place): (&[E; 2], &E)| even * u + (first + even * place) * (u + v);
                        next.extend(fibre.iter().zip(&places).map(pair));
                    }
                    values = next;
                }
                Some(values)
            }

            fn encode_folded(message: &[Self], shape: BlockShape, _folds: usize, out: &mut Vec<Self>) {
                Self::encode_block(message, shape, out, &|_, _| {});
            }
        }
    };
}

additive!(Tower64);
additive!(Tower128);
