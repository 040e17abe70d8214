//! Signed integers as elements of a prime field, and back.
//!
//! `x >= 0` stands for itself and `x < 0` for `p - |x|`, so a field of `p` elements holds the integers from
//! `-(p-1)/2` to `(p-1)/2`.

use field::Field;

use super::decimal;
use alloc::borrow::ToOwned;
use alloc::string::String;

/// The prime fields that rows can live in; extensions hold challenges only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// `2^31 - 2^24 + 1`.
    KoalaBear,
    /// `2^64 - 2^32 + 1`.
    Goldilocks,
    /// `2^61 - 1`, the real line of the quadratic extension.
    Mersenne61,
    /// The scalar field of BN254 (254 bits).
    Bn254,
}

/// The order of the scalar field of BN254, as `high * 2^128 + low`.
const BN254: (u128, u128) =
    (0x3064_4e72_e131_a029_b850_45b6_8181_585d, 0x2833_e848_79b9_7091_43e1_f593_f000_0001);

impl Base {
    /// Every base field, smallest first.
    pub const ALL: [Self; 4] = [Self::KoalaBear, Self::Mersenne61, Self::Goldilocks, Self::Bn254];

    /// Name as in `--field`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::KoalaBear => "koalabear",
            Self::Goldilocks => "goldilocks",
            Self::Mersenne61 => "mersenne61",
            Self::Bn254 => "bn254",
        }
    }

    /// Bytes of an element of the data's field.
    #[must_use]
    pub fn bytes(self) -> usize {
        match self {
            Self::KoalaBear => 4,
            Self::Goldilocks => 8,
            Self::Mersenne61 => 16,
            Self::Bn254 => 32,
        }
    }

    /// The prime as `(high, low)` 128-bit halves.
    #[must_use]
    pub fn prime(self) -> (u128, u128) {
        match self {
            Self::KoalaBear => (0, 0x7f00_0001),
            Self::Goldilocks => (0, 0xffff_ffff_0000_0001),
            Self::Mersenne61 => (0, (1 << 61) - 1),
            Self::Bn254 => BN254,
        }
    }

    /// The largest integer that is held, `(p-1)/2`, or the largest `i128`.
    #[must_use]
    pub fn limit(self) -> i128 {
        match self.prime() {
            (0, p) => i128::try_from((p - 1) / 2).unwrap_or(i128::MAX),
            _ => i128::MAX,
        }
    }

    /// Bytes of raw data per element: the most that always stay at or below [`Base::limit`].
    #[must_use]
    pub fn raw_width(self) -> usize {
        match self {
            Self::KoalaBear => 3,
            Self::Goldilocks | Self::Mersenne61 => 7,
            Self::Bn254 => 15,
        }
    }

    /// Whether the field holds this integer.
    #[must_use]
    pub fn holds(self, x: i128) -> bool {
        x.unsigned_abs() <= self.limit().unsigned_abs()
    }

    /// The field of the entries that a scheme's data field is, by that field's name; none for binary fields.
    #[must_use]
    pub fn from_data(field: &str) -> Option<Self> {
        match field {
            "koalabear" => Some(Self::KoalaBear),
            "goldilocks" => Some(Self::Goldilocks),
            "mersenne61x2" => Some(Self::Mersenne61),
            "bn254" => Some(Self::Bn254),
            _ => None,
        }
    }

    /// True if a canonical little-endian encoding, which may be of an element of an extension, is of one of the prime field.
    pub(crate) fn has(self, bytes: &[u8]) -> bool {
        let byte = |i: usize| u128::from(bytes.get(i).copied().unwrap_or(0));
        let half = |range: core::ops::Range<usize>| range.rev().fold(0u128, |x, i| x << 8 | byte(i));
        bytes.iter().skip(32).all(|&b| b == 0) && (half(16..32), half(0..16)) < self.prime()
    }

    /// The signed integer that a canonical little-endian encoding stands for.
    ///
    /// Bytes beyond the prime's size must be zero (an element of an extension that lies in the base field);
    /// `None` otherwise, or when the integer does not fit 127 bits.
    #[must_use]
    pub fn decode(self, bytes: &[u8]) -> Option<i128> {
        let mut halves = [[0; 16]; 2];
        halves.as_flattened_mut().iter_mut().zip(bytes).for_each(|(to, &byte)| *to = byte);
        if bytes.iter().skip(32).any(|&b| b != 0) {
            return None;
        }
        let [low, high] = halves.map(u128::from_le_bytes);
        let (p_high, p_low) = self.prime();
        if (high, low) >= (p_high, p_low) {
            return None;
        }
        let (negated, borrow) = p_low.overflowing_sub(low);
        let negated_high = p_high - high - u128::from(borrow);
        if high == 0 && low <= self.limit().unsigned_abs() {
            i128::try_from(low).ok()
        } else if negated_high == 0 && negated <= self.limit().unsigned_abs() {
            i128::try_from(negated).ok().map(|x| -x)
        } else {
            None
        }
    }

    /// The decimal text of an encoding, or its hexadecimal digits when it is no integer of the range.
    #[must_use]
    pub fn text(self, bytes: &[u8], scale: u32) -> String {
        match self.decode(bytes) {
            Some(x) => decimal::format(x, scale),
            None => bytes.iter().rev().fold("0x".to_owned(), |text, b| text + &format!("{b:02x}")),
        }
    }
}

/// The element of a signed integer.
#[must_use]
pub(crate) fn element<F: Field>(x: i128) -> F {
    let size = x.unsigned_abs();
    let (high, low) = ((size >> 64) as u64, size as u64);
    let mut e = F::from_u64(low);
    if high != 0 {
        let two_32 = F::from_u64(1 << 32);
        e += F::from_u64(high) * two_32 * two_32;
    }
    if x < 0 { -e } else { e }
}
