//! Gadgets: what circuits are made of, with the number of constraints of each.
//!
//! | module | what |
//! |---|---|
//! | [`boolean`] | booleans, numbers of some bits, choices, tests for zero |
//! | [`memory`] | a memory checked by two products |
//! | [`merkle`] | trees of Poseidon with eight children for each node |
//! | [`points`] | additions on Grumpkin, multiples of the generator |

pub mod boolean;
pub mod memory;
pub mod merkle;
pub mod points;
#[cfg(test)]
mod tests;
