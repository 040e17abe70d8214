//! The pairs of data and challenge field that files can name.

use field::{ExtensionOf, Field, FoldableCode};

/// The alphabet of the data and the field of the challenges. The discriminant is the number in files and never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Fields {
    /// 128-bit entries, 128-bit challenges.
    Gf128 = 0,
    /// 64-bit entries, 192-bit challenges.
    Gf192 = 1,
    /// 128-bit entries, 256-bit challenges.
    Gf256 = 2,
}

/// Runs a generic expression for the types that a [`Fields`] value names.
#[macro_export]
macro_rules! with_binary_fields {
    ($fields:expr, $B:ident, $E:ident => $body:expr) => {{
        macro_rules! arm {
            ($base:ty, $challenge:ty) => {{
                type $B = $base;
                type $E = $challenge;
                $crate::fields::apart(|| $body)
            }};
        }
        match $fields {
            $crate::ligerito::Fields::Gf128 => arm!($crate::field::Tower128, $crate::field::Gf128),
            $crate::ligerito::Fields::Gf192 => arm!($crate::field::Tower64, $crate::field::Gf192),
            $crate::ligerito::Fields::Gf256 => arm!($crate::field::Tower128, $crate::field::Gf256),
        }
    }};
}

impl Fields {
    /// All pairs, in the order of their ids.
    pub const ALL: [Self; 3] = [Self::Gf128, Self::Gf192, Self::Gf256];

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

    /// The name of the challenge field, such as `gf128`.
    pub fn name(self) -> &'static str {
        with_binary_fields!(self, B, E => { let _ = B::ZERO; E::NAME })
    }

    /// The name of the data field.
    pub fn base_name(self) -> &'static str {
        with_binary_fields!(self, B, E => { let _ = E::ZERO; B::NAME })
    }

    /// The degree of the challenge field over the data field.
    pub fn degree(self) -> usize {
        with_binary_fields!(self, B, E => <E as ExtensionOf<B>>::DEGREE)
    }

    /// log2 of the size of the challenge field.
    pub fn bits(self) -> f64 {
        with_binary_fields!(self, B, E => { let _ = B::ZERO; E::bits() })
    }

    /// log2 of the size of the data field.
    pub fn base_bits(self) -> f64 {
        with_binary_fields!(self, B, E => { let _ = E::ZERO; B::bits() })
    }

    /// Bytes of one challenge-field element.
    pub fn bytes(self) -> usize {
        with_binary_fields!(self, B, E => { let _ = B::ZERO; E::BYTES })
    }

    /// Bytes of one data element.
    pub fn base_bytes(self) -> usize {
        with_binary_fields!(self, B, E => { let _ = E::ZERO; B::BYTES })
    }

    /// log2 of the longest code over the data field.
    pub fn max_log_domain(self) -> usize {
        with_binary_fields!(self, B, E => { let _ = E::ZERO; <B as FoldableCode>::MAX_LOG_DOMAIN })
    }
}
