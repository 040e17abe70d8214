//! The pairs of data field and challenge field that files can name.

use field::{ExtensionOf, Field, FoldableCode};

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
    /// 128-bit data in a tower of binary fields, 128-bit challenges.
    Gf128,
    /// 64-bit data in a tower of binary fields, 192-bit challenges.
    Gf192,
    /// 128-bit data in a tower of binary fields, 256-bit challenges.
    Gf256,
    /// 64-bit data in a tower of binary fields, 320-bit challenges.
    Gf320,
}

/// The two kinds of data fields: their codes, and what a scheme can do over them, differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Family {
    /// Odd characteristic and a large two-power subgroup: [`field::TwoAdic`].
    Prime,
    /// Characteristic two.
    Binary,
}

/// Runs a generic expression with the base field `B` and the challenge field `E` of a [`Fields`] value, which is one of the listed ones.
#[doc(hidden)]
#[macro_export]
macro_rules! with_listed_fields {
    ([$($name:ident: $base:ident, $ext:ident;)*] $rest:pat => $other:expr, $fields:expr, $B:ident, $E:ident => $body:expr) => {
        match $fields {
            $($crate::fields::Fields::$name => {
                type $B = $crate::field::$base;
                type $E = $crate::field::$ext;
                $crate::fields::apart(|| $body)
            })*
            #[allow(unreachable_patterns)]
            $rest => $other,
        }
    };
}

/// Runs a generic expression with the base field `B` and the challenge field `E` of a [`Fields`] value over prime fields.
///
/// # Panics
/// If the pair is one of binary fields.
#[macro_export]
macro_rules! with_fields {
    ($fields:expr, $B:ident, $E:ident => $body:expr) => {
        $crate::with_listed_fields!([
            KoalaBear4: KoalaBear, KoalaBear4;
            KoalaBear5: KoalaBear, KoalaBear5;
            KoalaBear8: KoalaBear, KoalaBear8;
            Goldilocks1: Goldilocks, Goldilocks;
            Goldilocks2: Goldilocks, Goldilocks2;
            Goldilocks3: Goldilocks, Goldilocks3;
            Mersenne61x2: Mersenne61x2, Mersenne61x2;
            Bn254: Bn254, Bn254;
        ] other => $crate::fields::wrong_family(other), $fields, $B, $E => $body)
    };
}

/// Runs a generic expression with the base field `B` and the challenge field `E` of a [`Fields`] value over binary fields.
///
/// # Panics
/// If the pair is one of prime fields.
#[macro_export]
macro_rules! with_binary_fields {
    ($fields:expr, $B:ident, $E:ident => $body:expr) => {
        $crate::with_listed_fields!([
            Gf128: Tower128, Gf128;
            Gf192: Tower64, Gf192;
            Gf256: Tower128, Gf256;
            Gf320: Tower64, Gf320;
        ] other => $crate::fields::wrong_family(other), $fields, $B, $E => $body)
    };
}

/// Calls a function, out of line: the code for all pairs of fields in one function takes the compiler far longer than one after the other.
#[doc(hidden)]
#[inline(never)]
pub fn apart<R>(call: impl FnOnce() -> R) -> R {
    call()
}

/// Refuses a pair of the other family: the caller checks the family first.
#[doc(hidden)]
#[cold]
pub fn wrong_family(fields: Fields) -> ! {
    panic!("{fields:?} is a pair of the other family of fields")
}

/// Runs a generic expression with the fields of any pair.
macro_rules! with_any {
    ($fields:expr, $B:ident, $E:ident => $body:expr) => {
        match $fields.family() {
            Family::Prime => with_fields!($fields, $B, $E => $body),
            Family::Binary => with_binary_fields!($fields, $B, $E => $body),
        }
    };
}

impl Fields {
    /// The pairs over prime fields, in the order of their ids.
    pub const PRIME: [Self; 8] = [
        Self::KoalaBear4,
        Self::KoalaBear5,
        Self::KoalaBear8,
        Self::Goldilocks1,
        Self::Goldilocks2,
        Self::Goldilocks3,
        Self::Mersenne61x2,
        Self::Bn254,
    ];
    /// The pairs over binary fields, in the order of their ids.
    pub const BINARY: [Self; 4] = [Self::Gf128, Self::Gf192, Self::Gf256, Self::Gf320];

    /// The challenge fields over KoalaBear that can prove 100 bits and more.
    pub const OVER_KOALA_BEAR: &[Self] = &[Self::KoalaBear4, Self::KoalaBear5, Self::KoalaBear8];
    /// The challenge fields over Goldilocks that can prove 100 bits and more.
    pub const OVER_GOLDILOCKS: &[Self] = &[Self::Goldilocks2, Self::Goldilocks3];

    /// The kind of the data field.
    pub const fn family(self) -> Family {
        match self {
            Self::Gf128 | Self::Gf192 | Self::Gf256 | Self::Gf320 => Family::Binary,
            _ => Family::Prime,
        }
    }

    /// The byte that names the pair, among those of its family, in files.
    pub const fn id(self) -> u8 {
        let first = match self.family() {
            Family::Prime => Self::KoalaBear4,
            Family::Binary => Self::Gf128,
        };
        self as u8 - first as u8
    }

    /// The pair of a family with this id.
    pub fn from_id(family: Family, id: u8) -> Option<Self> {
        family.pairs().get(usize::from(id)).copied()
    }

    /// The pair of two types, if files can name it.
    pub fn of<B: Field, E: ExtensionOf<B>>() -> Option<Self> {
        let all = Self::PRIME.into_iter().chain(Self::BINARY);
        all.into_iter().find(|f| f.base_name() == B::NAME && f.name() == E::NAME)
    }

    /// The name of the challenge field, such as `koalabear5`.
    pub fn name(self) -> &'static str {
        with_any!(self, B, E => { let _ = B::ZERO; E::NAME })
    }

    /// The name of the data field.
    pub fn base_name(self) -> &'static str {
        with_any!(self, B, E => { let _ = E::ZERO; B::NAME })
    }

    /// The degree of the challenge field over the data field.
    pub fn degree(self) -> usize {
        with_any!(self, B, E => <E as ExtensionOf<B>>::DEGREE)
    }

    /// log2 of the size of the challenge field.
    pub fn bits(self) -> f64 {
        with_any!(self, B, E => { let _ = B::ZERO; E::bits() })
    }

    /// log2 of the size of the data field.
    pub fn base_bits(self) -> f64 {
        with_any!(self, B, E => { let _ = E::ZERO; B::bits() })
    }

    /// Bytes of one challenge-field element.
    pub fn bytes(self) -> usize {
        with_any!(self, B, E => { let _ = B::ZERO; E::BYTES })
    }

    /// Bytes of one data element.
    pub fn base_bytes(self) -> usize {
        with_any!(self, B, E => { let _ = E::ZERO; B::BYTES })
    }

    /// log2 of the longest code over the data field.
    pub fn max_log_domain(self) -> usize {
        with_any!(self, B, E => { let _ = E::ZERO; <B as FoldableCode>::MAX_LOG_DOMAIN })
    }
}

impl Family {
    /// The pairs of the family, in the order of their ids.
    pub const fn pairs(self) -> &'static [Fields] {
        match self {
            Self::Prime => &Fields::PRIME,
            Self::Binary => &Fields::BINARY,
        }
    }
}

/// The pairs that this crate's typed tests compile: a prime field with an extension of odd degree, one of degree two, one with none, and a
/// binary field of either size. `tenfold` has every pair compiled, and its tests take all of them through the same checks.
#[cfg(test)]
pub(crate) mod tested {
    use super::Fields;

    pub const PRIME: [Fields; 2] = [Fields::KoalaBear5, Fields::Goldilocks2];
    pub const BINARY: [Fields; 2] = [Fields::Gf128, Fields::Gf192];

    /// [`with_fields!`] for the pairs of [`PRIME`].
    macro_rules! with_tested_fields {
        ($fields:expr, $B:ident, $E:ident => $body:expr) => {
            $crate::with_listed_fields!([
                KoalaBear5: KoalaBear, KoalaBear5;
                Goldilocks2: Goldilocks, Goldilocks2;
            ] other => unreachable!("{other:?} is not among the tested pairs"), $fields, $B, $E => $body)
        };
    }

    /// [`with_binary_fields!`] for the pairs of [`BINARY`].
    macro_rules! with_tested_binary_fields {
        ($fields:expr, $B:ident, $E:ident => $body:expr) => {
            $crate::with_listed_fields!([
                Gf128: Tower128, Gf128;
                Gf192: Tower64, Gf192;
            ] other => unreachable!("{other:?} is not among the tested pairs"), $fields, $B, $E => $body)
        };
    }

    pub(crate) use {with_tested_binary_fields, with_tested_fields};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_name_the_pairs_of_a_family() {
        for family in [Family::Prime, Family::Binary] {
            for (id, &fields) in (0..).zip(family.pairs()) {
                assert_eq!((fields.family(), fields.id()), (family, id));
                assert_eq!(Fields::from_id(family, id), Some(fields));
            }
            assert_eq!(Fields::from_id(family, family.pairs().len() as u8), None);
        }
    }
}
