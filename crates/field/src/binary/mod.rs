//! Binary fields: a byte tower for data and codes, polynomial bases for challenges and sumchecks.
//!
//! (notes: additive-tower, binary-bases)
//!
//! Elements of the tower, [`Tower64`] and [`Tower128`], are their bytes; codes and twiddle factors are GFNI's. A product of
//! challenges is a carry-less one: [`Gf64`] to [`Gf320`]. Slices cross between the two by a bit matrix; long bit matrices are
//! multiplied by [`bits`].
//!
//! Codes are evaluations on the positions of [`domain`], made by the transform of [`ntt`].
//!
//! [`Tower64`]: tower::Tower64
//! [`Tower128`]: tower::Tower128
//! [`Gf64`]: gf64::Gf64
//! [`Gf320`]: gf320::Gf320

pub mod bits;
mod clmul;
mod combine;
mod convert;
pub mod domain;
mod element;
mod extension;
mod foldable;
pub(crate) mod gf128;
pub(crate) mod gf192;
pub(crate) mod gf256;
pub(crate) mod gf320;
pub(crate) mod gf64;
mod halves;
mod inverse;
#[cfg(test)]
mod moduli;
pub mod ntt;
mod operators;
mod rounds;
mod rows;
#[cfg(test)]
mod tests;
pub mod tower;
mod wide;
