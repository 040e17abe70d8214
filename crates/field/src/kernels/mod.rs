//! The loops behind the slice methods of the traits.

pub(crate) mod combine;
pub(crate) mod encode;
pub(crate) mod evaluate;
pub(crate) mod extension;
pub(crate) mod fold;
pub(crate) mod lanes;
pub(crate) mod library;
pub(crate) mod ntt;
pub(crate) mod roots;
pub(crate) mod sums;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;
