//! Goldilocks, p = 2^64 - 2^32 + 1, and its extensions of degree 2 and 3.

use super::plonky3;

/// The integers modulo 2^64 - 2^32 + 1: two-adicity 32.
pub type Goldilocks = p3_goldilocks::Goldilocks;

/// Goldilocks\[X\] / (X^2 - 7).
pub type Goldilocks2 = p3_field::extension::BinomialExtensionField<Goldilocks, 2>;

/// Goldilocks\[X\] / (X^3 - X - 1).
pub type Goldilocks3 = p3_field::extension::CubicTrinomialExtensionField<Goldilocks>;

plonky3::base!(Goldilocks, "goldilocks", 8, None, Goldilocks4, Goldilocks8);
plonky3::extension!(Goldilocks, Goldilocks2, 2, "goldilocks2");
plonky3::extension!(Goldilocks, Goldilocks3, 3, "goldilocks3");
