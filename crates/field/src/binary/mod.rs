//! Binary fields: a byte tower for data and codes, polynomial bases for challenges and sumchecks.
//! (notes: additive-tower, binary-bases)
//!
//! Data and code live in a tower over GF(2^8), whose elements are their bytes: [`Tower64`] and [`Tower128`].
//!
//! [`Tower64`]: tower::Tower64
//! [`Tower128`]: tower::Tower128

mod clmul;
mod combine;
mod element;
pub(crate) mod gf128;
pub(crate) mod gf192;
pub(crate) mod gf256;
pub(crate) mod gf64;
mod operators;
mod rounds;
#[cfg(test)]
mod tests;
pub mod tower;
mod wide;
