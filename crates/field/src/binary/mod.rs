//! Binary fields. (notes: additive-tower)
//!
//! Data and code live in a tower over GF(2^8), whose elements are their bytes: [`Tower64`] and [`Tower128`].
//!
//! [`Tower64`]: tower::Tower64
//! [`Tower128`]: tower::Tower128

mod element;
pub mod tower;
