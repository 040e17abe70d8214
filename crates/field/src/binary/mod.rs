//! Binary fields. (notes: additive-tower)
//!
//! Data and code live in a tower over GF(2^8), whose elements are their bytes: [`Tower64`] and [`Tower128`].
//!
//! Codes are evaluations on the positions of [`domain`], made by the transform of [`ntt`].
//!
//! [`Tower64`]: tower::Tower64
//! [`Tower128`]: tower::Tower128

pub mod domain;
mod element;
pub mod ntt;
pub mod tower;
