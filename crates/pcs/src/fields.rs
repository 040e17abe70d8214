//! The pairs of data field and challenge field that files can name.

use field::{ExtensionOf, Field, TwoAdic};

/// A data field with its challenge field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fields {
    /// KoalaBear data, challenges of degree 4 (124 bits).
    KoalaBear4,
    /// KoalaBear data, challenges of degree 5 (155 bits).
    KoalaBear5,
    /// KoalaBear data, challenges of degree 8 (248 bits).
    KoalaBear8,
    /// Goldilocks data and challenges (64 bits): too small for 100 proven bits, kept to show why.
    Goldilocks1,
    /// Goldilocks data, challenges of degree 2 (128 bits).
    Goldilocks2,
    /// Goldilocks data, challenges of degree 3 (192 bits).
    Goldilocks3,
    /// The quadratic extension of the Mersenne-61 field for both (122 bits).
    Mersenne61x2,
    /// The scalar field of BN254 for both (254 bits).
    Bn254,
}

/// Runs a generic expression with the base field `B` and the challenge field `E` of a [`Fields`] value.
#[macro_export]
macro_rules! with_fields {
    ($fields:expr, $B:ident, $E:ident => $body:expr) => {{
        macro_rules! arm {
            ($base:ty, $ext:ty) => {{
                type $B = $base;
                type $E = $ext;
                $crate::fields::apart(|| $body)
            }};
        }
        match $fields {
            $crate::fields::Fields::KoalaBear4 => arm!($crate::field::KoalaBear, $crate::field::KoalaBear4),
            $crate::fields::Fields::KoalaBear5 => arm!($crate::field::KoalaBear, $crate::field::KoalaBear5),
            $crate::fields::Fields::KoalaBear8 => arm!($crate::field::KoalaBear, $crate::field::KoalaBear8),
            $crate::fields::Fields::Goldilocks1 => arm!($crate::field::Goldilocks, $crate::field::Goldilocks),
            $crate::fields::Fields::Goldilocks2 => {
                arm!($crate::field::Goldilocks, $crate::field::Goldilocks2)
            }
            $crate::fields::Fields::Goldilocks3 => {
                arm!($crate::field::Goldilocks, $crate::field::Goldilocks3)
            }
            $crate::fields::Fields::Mersenne61x2 => {
                arm!($crate::field::Mersenne61x2, $crate::field::Mersenne61x2)
            }
            $crate::fields::Fields::Bn254 => arm!($crate::field::Bn254, $crate::field::Bn254),
        }
    }};
}

/// Calls a function, out of line: the code for all pairs of fields in one function takes the compiler far longer than one after the other.
#[doc(hidden)]
#[inline(never)]
pub fn apart<R>(call: impl FnOnce() -> R) -> R {
    call()
}

impl Fields {
    /// All pairs, in the order of their ids.
    pub const ALL: [Self; 8] = [
        Self::KoalaBear4,
        Self::KoalaBear5,
        Self::KoalaBear8,
        Self::Goldilocks1,
        Self::Goldilocks2,
        Self::Goldilocks3,
        Self::Mersenne61x2,
        Self::Bn254,
    ];

    /// The challenge fields over KoalaBear that can prove 100 bits and more.
    pub const OVER_KOALA_BEAR: &[Self] = &[Self::KoalaBear4, Self::KoalaBear5, Self::KoalaBear8];
    /// The challenge fields over Goldilocks that can prove 100 bits and more.
    pub const OVER_GOLDILOCKS: &[Self] = &[Self::Goldilocks2, Self::Goldilocks3];

    /// The byte that names the pair in files.
    pub fn id(self) -> u8 {
        self as u8
    }

    /// The pair with this id.
    pub fn from_id(id: u8) -> Option<Self> {
        Self::ALL.get(usize::from(id)).copied()
    }

    /// The pair of two types, if files can name it.
    pub fn of<B: Field, E: ExtensionOf<B>>() -> Option<Self> {
        Self::ALL.into_iter().find(|f| f.base_name() == B::NAME && f.name() == E::NAME)
    }

    /// The name of the challenge field, such as `koalabear5`.
    pub fn name(self) -> &'static str {
        with_fields!(self, B, E => { let _ = B::ZERO; E::NAME })
    }

    /// The name of the data field.
    pub fn base_name(self) -> &'static str {
        with_fields!(self, B, E => { let _ = E::ZERO; B::NAME })
    }

    /// The degree of the challenge field over the data field.
    pub fn degree(self) -> usize {
        with_fields!(self, B, E => <E as ExtensionOf<B>>::DEGREE)
    }

    /// log2 of the size of the challenge field.
    pub fn bits(self) -> f64 {
        with_fields!(self, B, E => { let _ = B::ZERO; E::bits() })
    }

    /// log2 of the size of the data field.
    pub fn base_bits(self) -> f64 {
        with_fields!(self, B, E => { let _ = E::ZERO; B::bits() })
    }

    /// Bytes of one challenge-field element.
    pub fn bytes(self) -> usize {
        with_fields!(self, B, E => { let _ = B::ZERO; E::BYTES })
    }

    /// Bytes of one data element.
    pub fn base_bytes(self) -> usize {
        with_fields!(self, B, E => { let _ = E::ZERO; B::BYTES })
    }

    /// log2 of the longest code over the data field.
    pub fn two_adicity(self) -> usize {
        with_fields!(self, B, E => { let _ = E::ZERO; <B as TwoAdic>::TWO_ADICITY })
    }
}
