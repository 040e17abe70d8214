//! Gadgets: what circuits are made of, with the number of constraints of each.
//!
//! | module | what |
//! |---|---|
//! | [`boolean`] | booleans, numbers of some bits, choices, tests for zero |
//! | [`points`] | additions on Grumpkin, multiples of the generator |

pub mod boolean;
pub mod points;
#[cfg(test)]
mod tests;
