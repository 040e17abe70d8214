//! Folding Reed-Solomon codewords by one variable or several at a time. (notes: codes-fold)
//!
//! ```text
//!  word over D:        x  -x   y  -y  | ...      2^k neighbours: one fibre, one leaf of a tree
//!                       \  /    \  /             a·even + b·odd: the pair (a, b) of one variable
//!                        x²  =  -y²   | ...
//!                          \    /                the pair of the next
//!  word over D^(2^k):        x⁴       | ...
//! ```
//!
//! Over prime fields neighbours are `x` and `-x`; over binary ones `x` and `x + 1`, and `x^2 + x` takes the place of the square
//! ([`field::FoldFibres`]). What folds into one position stands together, and the folded domain has the same order. The prover folds messages and encodes them anew (`Squared::encode`); the verifier follows single
//! positions from word to word ([`FoldedQuery`]).

mod query;
mod squared;
#[cfg(test)]
mod tests;

pub use query::{
    FoldedQuery, Queries, check_consistency, fibres, fold, leaf_indices, leaves_of_fibres, points, positions,
    select_fibres,
};
pub use squared::Squared;
