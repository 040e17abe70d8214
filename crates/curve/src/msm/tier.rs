//! Which lanes make the additions.

use super::{Adder, Curve};

/// The lanes that additions are done in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Those of AVX-512 IFMA: eight.
    Vector,
    /// Those of AVX2: four, for BLS12-381.
    Middle,
    /// One, on any machine.
    Single,
}

impl Tier {
    /// The tiers, the fastest first.
    pub const ALL: [Self; 3] = [Self::Vector, Self::Middle, Self::Single];

    /// Whether the machine has the instructions.
    #[must_use]
    pub fn available<C: Curve>(self) -> bool {
        match self {
            Self::Vector => C::Vector::available(),
            Self::Middle => C::Middle::available(),
            Self::Single => true,
        }
    }

    /// The fastest tier of this machine.
    #[must_use]
    pub fn best<C: Curve>() -> Self {
        Self::ALL.into_iter().find(|tier| tier.available::<C>()).unwrap_or(Self::Single)
    }
}
