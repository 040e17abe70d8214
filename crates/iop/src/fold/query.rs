//! Following queried positions from word to word: the verifier's side, total functions of attacker bytes.
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use crate::code::ReedSolomon;
use crate::error::Invalid;
use alloc::vec::Vec;
use field::{ExtensionOf, FoldFibres};

/// What a word must hold at a queried position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoldedQuery<P, E> {
    /// The position.
    pub position: usize,
    /// The same, as folding needs it.
    pub point: P,
    /// The fold of the word before.
    pub value: E,
}

/// Folded queries of words over a field.
pub type Queries<B, E> = Vec<FoldedQuery<<B as FoldFibres>::FoldPoint, E>>;

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

/// The fibres that queries fall into.
pub fn leaf_indices<P, E>(queries: &[FoldedQuery<P, E>], variables: usize) -> Vec<usize> {
    fibres(queries.iter().map(|query| query.position), variables)
}

/// The leaves of `2^log_leaf` positions that hold fibres of `2^variables` (sorted and distinct), each once.
pub fn leaves_of_fibres(fibres: &[usize], variables: usize, log_leaf: usize) -> Vec<usize> {
    match log_leaf.checked_sub(variables) {
        Some(further) => self::fibres(fibres.iter().copied(), further),
        None => positions(fibres, variables - log_leaf),
    }
}

/// The values of fibres of `2^variables` positions, out of those of the leaves that hold them ([`leaves_of_fibres`]), which are read in order.
///
/// # Errors
/// If a fibre is in none of the leaves.
pub fn select_fibres<T: Copy>(
    leaves: &[usize],
    log_leaf: usize,
    values: Vec<T>,
    (fibres, variables): (&[usize], usize),
) -> Result<Vec<T>, Invalid> {
    let further = log_leaf.saturating_sub(variables);
    if further == 0 {
        return Ok(values);
    }
    let missing = Invalid("a fibre without its leaf");
    let mut opened = leaves.iter().zip(values.chunks_exact(1 << log_leaf)).peekable();
    let mut selected = Vec::with_capacity(fibres.len() << variables);
    for &fibre in fibres {
        while opened.next_if(|(leaf, _)| **leaf < fibre >> further).is_some() {}
        let (_, leaf) = opened.peek().filter(|(leaf, _)| **leaf == fibre >> further).ok_or(missing)?;
        let place = (fibre & ((1 << further) - 1)) << variables;
        selected.extend_from_slice(leaf.get(place..place + (1 << variables)).ok_or(missing)?);
    }
    Ok(selected)
}

/// The first positions of fibres of `2^variables` positions in a code's domain, as folding needs them.
///
/// # Errors
/// If one has no pair to fold with: no code here has such a position.
pub fn points<B: FoldFibres>(
    code: &ReedSolomon,
    leaves: &[usize],
    variables: usize,
) -> Result<Vec<B::FoldPoint>, Invalid> {
    let point = |&leaf: &usize| B::fold_point(code.log_domain(), leaf << variables);
    leaves.iter().map(point).collect::<Option<_>>().ok_or(Invalid("zero in the domain"))
}

/// Checks that opened fibres (`values`, `2^variables` for each of `leaves`) hold what the queries say, and returns the
/// points of the fibres' first positions. Queries and leaves are sorted.
///
/// # Errors
/// If a value is another, or a query or a leaf has no partner.
pub fn check_consistency<B: FoldFibres, E: ExtensionOf<B>>(
    queries: &[FoldedQuery<B::FoldPoint, E>],
    leaves: &[usize],
    values: &[E],
    variables: usize,
) -> Result<Vec<B::FoldPoint>, Invalid> {
    let mut queries = queries.iter().peekable();
    let mut points = Vec::with_capacity(leaves.len());
    let mask = (1usize << variables) - 1;
    for (&leaf, fibre) in leaves.iter().zip(values.chunks_exact(1 << variables)) {
        let mut first = None;
        while let Some(query) = queries.next_if(|query| query.position >> variables == leaf) {
            let place = query.position & mask;
            if fibre.get(place) != Some(&query.value) {
                return Err(Invalid("a word is not the fold of the one before"));
            }
            first = Some(B::first_of_fibre(query.point, place, variables));
        }
        points.push(first.ok_or(Invalid("an opened fibre without a link"))?);
    }
    if queries.next().is_some() {
        return Err(Invalid("a link without an opened fibre"));
    }
    Ok(points)
}

/// Folds opened fibres by the pairs `(a, b)` of their variables, lowest first: `a·even + b·odd` for each.
///
/// Cost: [`FoldFibres::fold_fibres`].
///
/// # Errors
/// If a fibre is missing.
pub fn fold<B: FoldFibres, E: ExtensionOf<B>>(
    leaves: &[usize],
    mut points: Vec<B::FoldPoint>,
    values: &[E],
    factors: &[[E; 2]],
) -> Result<Queries<B, E>, Invalid> {
    let missing = Invalid("a fibre or its point is missing");
    if points.len() != leaves.len() {
        return Err(missing);
    }
    let values = B::fold_fibres(&mut points, values, factors).ok_or(missing)?;
    let queries = leaves.iter().zip(points).zip(values);
    Ok(queries.map(|((&position, point), value)| FoldedQuery { position, point, value }).collect())
}
