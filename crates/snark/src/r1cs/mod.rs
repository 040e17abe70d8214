//! Rank-1 constraint systems: `A z ∘ B z = C z` with `z = (1, public inputs, committed cells, witness cells)`. (notes: snark-r1cs)
//!
//! A circuit is written once, against [`Builder`]. To make the matrices the builder keeps linear combinations as lists of terms; to make an
//! assignment it keeps their values alone, which costs about one field operation for each step of the circuit.
//!
//! **Committed cells** are witness cells that a proof system binds by a commitment before it draws challenges, which enter as public
//! inputs. [`R1cs::without_commitment`] makes them witness cells, for circuits that bind them by other means.

mod audit;
mod builder;
mod linear;
mod matrix;
#[cfg(test)]
mod tests;

pub use builder::{Assignment, Builder, Circuit};
pub use linear::{LinearCombination, Variable};
pub use matrix::{Matrix, R1cs, Repeat, Unsatisfied};
