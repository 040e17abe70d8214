//! Other people's commitment schemes, as users would run them.

pub mod basefold;
pub mod ligerito;
pub mod plonky3;
pub mod whir;
