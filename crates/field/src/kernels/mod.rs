//! The loops behind the slice methods of the traits.

pub(crate) mod combine;
pub(crate) mod fold;
pub(crate) mod lanes;
pub(crate) mod ntt;
pub(crate) mod roots;
