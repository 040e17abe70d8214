//! Following queried positions from word to word: the verifier's side, total functions of attacker bytes.
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use crate::code::{ReedSolomon, reverse};
use crate::error::Invalid;
use alloc::vec::Vec;
use field::{ExtensionOf, TwoAdic};

/// What a word must hold at a queried position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoldedQuery<B, E> {
    /// The position.
    pub position: usize,
    /// The inverse of the position's point.
    pub inverse: B,
    /// The fold of the word before.
    pub value: E,
}

/// The fibres of `2^variables` positions that sorted positions fall into, each once.
pub fn fibres(positions: impl IntoIterator<Item = usize>, variables: usize) -> Vec<usize> {
    let mut fibres: Vec<usize> = positions.into_iter().map(|position| position >> variables).collect();
    fibres.dedup();
    fibres
}

/// The positions of fibres of `2^variables` neighbours.
pub fn positions(fibres: &[usize], variables: usize) -> Vec<usize> {
    let positions = |&fibre: &usize| (fibre << variables)..((fibre + 1) << variables);
    fibres.iter().flat_map(positions).collect()
}

/// The fibres that links fall into.
pub fn leaf_indices<B, E>(links: &[FoldedQuery<B, E>], variables: usize) -> Vec<usize> {
    fibres(links.iter().map(|link| link.position), variables)
}

/// The inverses of the first points of fibres of `2^variables` positions in a code's domain.
///
/// # Errors
/// If zero is a point of the domain: no code here has one.
pub fn inverses<B: TwoAdic>(
    code: &ReedSolomon,
    leaves: &[usize],
    variables: usize,
) -> Result<Vec<B>, Invalid> {
    let inverse = |&leaf: &usize| code.point::<B>(leaf << variables).inverse();
    leaves.iter().map(inverse).collect::<Option<_>>().ok_or(Invalid("zero in the domain"))
}

/// Checks that opened fibres (`values`, `2^variables` for each of `leaves`) hold what the links say, and returns the
/// inverses of the fibres' first points. Links and leaves are sorted.
///
/// # Errors
/// If a value is another, or a link or a leaf has no partner.
pub fn check_consistency<B: TwoAdic, E: ExtensionOf<B>>(
    links: &[FoldedQuery<B, E>],
    leaves: &[usize],
    values: &[E],
    variables: usize,
) -> Result<Vec<B>, Invalid> {
    let mut links = links.iter().peekable();
    let mut inverses = Vec::with_capacity(leaves.len());
    let mask = (1usize << variables) - 1;
    for (&leaf, fibre) in leaves.iter().zip(values.chunks_exact(1 << variables)) {
        let mut first = None;
        while let Some(link) = links.next_if(|link| link.position >> variables == leaf) {
            let place = link.position & mask;
            if fibre.get(place) != Some(&link.value) {
                return Err(Invalid("a word is not the fold of the one before"));
            }
            // The point at this place is the first point times a root of unity.
            let root = B::root_of_unity(variables).pow(reverse(place, variables));
            first = Some(link.inverse * root);
        }
        inverses.push(first.ok_or(Invalid("an opened fibre without a link"))?);
    }
    if links.next().is_some() {
        return Err(Invalid("a link without an opened fibre"));
    }
    Ok(inverses)
}

/// Folds opened fibres by the pairs `(a, b)` of their variables, lowest first: `a·even + b·odd` for each.
///
/// Cost: about two products in `E` and one of `B` with `E` for each pair, all fibres in one call of [`ExtensionOf::fold_pairs`] a variable.
///
/// # Errors
/// If the characteristic is two, or a fibre is missing.
pub fn fold<B: TwoAdic, E: ExtensionOf<B>>(
    leaves: &[usize],
    inverses: &[B],
    values: &[E],
    factors: &[[E; 2]],
) -> Result<Vec<FoldedQuery<B, E>>, Invalid> {
    if E::ONE + E::ONE == E::ZERO {
        return Err(Invalid("the characteristic is two"));
    }
    let roots = inverse_roots::<B>(factors.len())?;
    if inverses.len() != leaves.len() || values.len() != leaves.len() << factors.len() {
        return Err(Invalid("a fibre or its point is missing"));
    }
    let (mut inverses, mut words) = (inverses.to_vec(), values.to_vec());
    let (mut points, mut pairs) = (Vec::with_capacity(words.len() / 2), roots.len());
    for &[even, odd] in factors {
        points.clear();
        for inverse in &mut inverses {
            points.extend(roots.iter().take(pairs).map(|&root| *inverse * root));
            *inverse = inverse.square();
        }
        let mut folded = vec![E::ZERO; points.len()];
        E::fold_pairs(&words, &points, even, odd, &mut folded);
        (words, pairs) = (folded, pairs / 2);
    }
    let links = leaves.iter().zip(inverses).zip(words);
    Ok(links.map(|((&position, inverse), value)| FoldedQuery { position, inverse, value }).collect())
}

/// For each pair of a fibre of `2^variables` positions, the inverse of its point over the first one. Squaring halves
/// the list: the pairs of a folded fibre use its first entries.
fn inverse_roots<B: TwoAdic>(variables: usize) -> Result<Vec<B>, Invalid> {
    let step = B::root_of_unity(variables).inverse().ok_or(Invalid("zero in the domain"))?;
    Ok((0..(1usize << variables) / 2).map(|pair| step.pow(reverse(2 * pair, variables))).collect())
}
