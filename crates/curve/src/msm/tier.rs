//! Which lanes make the additions.

use super::{Adder, Curve};

/// The lanes that additions are done in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Those of AVX-512 IFMA: eight.
    Avx512Ifma,
    /// Those of AVX2: four, for BLS12-381.
    Avx2,
    /// One, on any machine.
    Portable,
}

impl Tier {
    /// The tiers, the fastest first.
    pub const ALL: [Self; 3] = [Self::Avx512Ifma, Self::Avx2, Self::Portable];

    /// Whether the machine has the instructions.
    #[must_use]
    pub fn available<C: Curve>(self) -> bool {
        match self {
            Self::Avx512Ifma => C::Vector::available(),
            Self::Avx2 => C::Middle::available(),
            Self::Portable => true,
        }
    }

    /// The fastest tier of this machine.
    #[must_use]
    pub fn best<C: Curve>() -> Self {
        Self::ALL.into_iter().find(|tier| tier.available::<C>()).unwrap_or(Self::Portable)
    }
}
