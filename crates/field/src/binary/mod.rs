//! Binary fields: a byte tower for data and codes, polynomial bases for challenges and sumchecks.
//!
//! (notes: binary-bases)

mod clmul;
mod combine;
pub(crate) mod gf128;
pub(crate) mod gf192;
pub(crate) mod gf256;
pub(crate) mod gf64;
mod operators;
mod rounds;
#[cfg(test)]
mod tests;
mod wide;
