//! Exact numbers: decimals, and the integers that a prime field holds.

pub mod base;
pub mod decimal;

pub use base::Base;
