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
pub struct Link<B, E> {
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
pub fn leaves<B, E>(links: &[Link<B, E>], variables: usize) -> Vec<usize> {
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
pub fn meet<B: TwoAdic, E: ExtensionOf<B>>(
    links: &[Link<B, E>],
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
/// Cost: about one and a half products in `E` and one of `B` with `E` for each value.
///
/// # Errors
/// If the characteristic is two.
pub fn fold<B: TwoAdic, E: ExtensionOf<B>>(
    leaves: &[usize],
    inverses: &[B],
    values: &[E],
    factors: &[[E; 2]],
) -> Result<Vec<Link<B, E>>, Invalid> {
    let half = E::from_u64(2).inverse().ok_or(Invalid("the characteristic is two"))?;
    let factors: Vec<[E; 2]> = factors.iter().map(|pair| pair.map(|x| x * half)).collect();
    let roots = inverse_roots::<B>(factors.len())?;
    let (mut word, mut folded) = (Vec::new(), Vec::new());
    let mut links = Vec::with_capacity(leaves.len());
    let fibres = values.chunks_exact(1 << factors.len());
    for ((&position, &first), fibre) in leaves.iter().zip(inverses).zip(fibres) {
        let mut inverse = first;
        word.clear();
        word.extend_from_slice(fibre);
        for &[even, odd] in &factors {
            folded.clear();
            let pairs = word.as_chunks::<2>().0.iter().zip(&roots);
            folded.extend(pairs.map(|(&[u, v], &root)| even * (u + v) + odd * (u - v).scale(inverse * root)));
            core::mem::swap(&mut word, &mut folded);
            inverse = inverse.square();
        }
        let value = word.first().copied().ok_or(Invalid("an empty fibre"))?;
        links.push(Link { position, inverse, value });
    }
    Ok(links)
}

/// For each pair of a fibre of `2^variables` positions, the inverse of its point over the first one. Squaring halves
/// the list: the pairs of a folded fibre use its first entries.
fn inverse_roots<B: TwoAdic>(variables: usize) -> Result<Vec<B>, Invalid> {
    let step = B::root_of_unity(variables).inverse().ok_or(Invalid("zero in the domain"))?;
    Ok((0..(1usize << variables) / 2).map(|pair| step.pow(reverse(2 * pair, variables))).collect())
}
