//! Exact decimals: text to integer and back, with no float in between.

use crate::text::several;
use alloc::string::{String, ToString};

/// The largest number of digits after the point that is kept.
pub const MAX_SCALE: u32 = 18;

/// The number `mantissa / 10^scale`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// The signed integer.
    pub mantissa: i128,
    /// Digits after the point, at most [`MAX_SCALE`].
    pub scale: u32,
}

/// Why a text is no [`Decimal`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Nothing but white space.
    #[error("it is empty")]
    Empty,
    /// Not of the form `[+-]digits[.digits][e[+-]digits]`.
    #[error("it is not of the form `-12.50` or `1e-3`")]
    NotANumber,
    /// `nan`, `inf` or `infinity`, in any case, with any sign.
    #[error("it is not finite")]
    NotFinite,
    /// This many digits after the point when it is written out, more than [`MAX_SCALE`]; `u32::MAX` for all that are more.
    #[error("it has {}, and {MAX_SCALE} are kept", in_words(*.0))]
    TooManyDecimals(u32),
    /// The mantissa does not fit 127 bits.
    #[error("it does not fit 127 bits")]
    TooLarge,
}

/// The number of digits after the point, as [`Refused::TooManyDecimals`] counts them.
#[must_use]
pub fn in_words(decimals: u32) -> String {
    match decimals {
        u32::MAX => "more than 4 billion decimals".into(),
        decimals => several(decimals.into(), "decimal"),
    }
}

/// Reads a decimal such as `-12.50` or `1e-3`; the digits after the point are kept as written
/// (`12.50` has scale 2), so a column keeps the precision its author gave it.
///
/// # Errors
/// [`Refused`] says which rule was broken.
pub fn parse(text: &[u8]) -> Result<Decimal, Refused> {
    let text = text.trim_ascii();
    let (negative, digits) = match text {
        [] => return Err(Refused::Empty),
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let decimal = unsigned(digits).map_err(|refused| match refused {
        Refused::NotANumber if not_finite(digits) => Refused::NotFinite,
        refused => refused,
    })?;
    Ok(Decimal { mantissa: if negative { -decimal.mantissa } else { decimal.mantissa }, ..decimal })
}

fn not_finite(digits: &[u8]) -> bool {
    [&b"nan"[..], b"inf", b"infinity"].iter().any(|word| digits.eq_ignore_ascii_case(word))
}

fn unsigned(digits: &[u8]) -> Result<Decimal, Refused> {
    /// Digits of a part of the mantissa: 18 of them fit 64 bits, and their product with ten is one instruction.
    const SHORT: usize = 18;
    let (number, exponent) = split_exponent(digits)?;
    let (mut mantissa, mut fraction) = (Some(0i128), 0i64);
    let (mut seen_point, mut seen_digit) = (false, false);
    for part in number.chunks(SHORT) {
        let (mut value, mut power) = (0u64, 1u64);
        for &byte in part {
            match byte {
                b'0'..=b'9' => {
                    seen_digit = true;
                    fraction += i64::from(seen_point);
                    value = value * 10 + u64::from(byte - b'0');
                    power *= 10;
                }
                b'.' if !seen_point => seen_point = true,
                _ => return Err(Refused::NotANumber),
            }
        }
        mantissa = mantissa.and_then(|m| m.checked_mul(power.into())?.checked_add(value.into()));
    }
    if !seen_digit {
        return Err(Refused::NotANumber);
    }
    normalise(mantissa.ok_or(Refused::TooLarge)?, fraction - exponent)
}

/// Splits at `e`; exponents beyond `MOST` are cut there, more than the digits of any text can make up for.
fn split_exponent(digits: &[u8]) -> Result<(&[u8], i64), Refused> {
    const MOST: i64 = 1 << 48;
    let Some(at) = digits.iter().position(|b| b.eq_ignore_ascii_case(&b'e')) else {
        return Ok((digits, 0));
    };
    let (number, exponent) = (&digits[..at], &digits[at + 1..]);
    let (negative, exponent) = match exponent {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    if exponent.is_empty() || !exponent.iter().all(u8::is_ascii_digit) {
        return Err(Refused::NotANumber);
    }
    let size = exponent.iter().fold(0i64, |n, b| (n * 10 + i64::from(b - b'0')).min(MOST));
    Ok((number, if negative { -size } else { size }))
}

/// Brings `mantissa / 10^scale` to a scale in `0..=MAX_SCALE`, dropping zeros only.
///
/// # Errors
/// If it needs more digits after the point, or does not fit.
pub fn normalise(mut mantissa: i128, mut scale: i64) -> Result<Decimal, Refused> {
    if mantissa == 0 {
        return Ok(Decimal { mantissa, scale: scale.clamp(0, i64::from(MAX_SCALE)) as u32 });
    }
    while scale < 0 {
        mantissa = mantissa.checked_mul(10).ok_or(Refused::TooLarge)?;
        scale += 1;
    }
    if scale > i64::from(MAX_SCALE) {
        while scale > i64::from(MAX_SCALE) && mantissa % 10 == 0 {
            mantissa /= 10;
            scale -= 1;
        }
        if scale > i64::from(MAX_SCALE) {
            return Err(Refused::TooManyDecimals(u32::try_from(scale).unwrap_or(u32::MAX)));
        }
    }
    Ok(Decimal { mantissa, scale: scale as u32 })
}

/// The decimal text of `value / 10^scale`, with all `scale` digits: `format(-5, 2)` is `-0.05`.
#[must_use]
pub fn format(value: i128, scale: u32) -> String {
    let digits = value.unsigned_abs().to_string();
    let scale = scale as usize;
    let padded = "0".repeat((scale + 1).saturating_sub(digits.len())) + &digits;
    let (whole, fraction) = padded.split_at(padded.len() - scale);
    let sign = if value < 0 { "-" } else { "" };
    if scale == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}
