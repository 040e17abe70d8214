//! The loops behind the slice methods of the traits.

pub(crate) mod fold;
pub(crate) mod ntt;
