//! Exact decimals: text to integer and back, with no float in between.

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Nothing but white space.
    Empty,
    /// Not of the form `[+-]digits[.digits][e[+-]digits]`.
    NotANumber,
    /// `nan`, `inf` or `infinity`, in any case, with any sign.
    NotFinite,
    /// This many digits after the point, more than [`MAX_SCALE`].
    TooManyDecimals(u32),
    /// The mantissa does not fit 127 bits.
    TooLarge,
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
    if [&b"nan"[..], b"inf", b"infinity"].iter().any(|w| digits.eq_ignore_ascii_case(w)) {
        return Err(Refused::NotFinite);
    }
    let (number, exponent) = split_exponent(digits)?;
    let mut mantissa: i128 = 0;
    let mut fraction: i64 = 0;
    let (mut seen_point, mut seen_digit, mut overflow) = (false, false, false);
    for &byte in number {
        match byte {
            b'0'..=b'9' => {
                seen_digit = true;
                fraction += i64::from(seen_point);
                let digit = i128::from(byte - b'0');
                match mantissa.checked_mul(10).and_then(|m| m.checked_add(digit)) {
                    Some(m) => mantissa = m,
                    None => overflow = true,
                }
            }
            b'.' if !seen_point => seen_point = true,
            _ => return Err(Refused::NotANumber),
        }
    }
    if !seen_digit {
        return Err(Refused::NotANumber);
    }
    if overflow {
        return Err(Refused::TooLarge);
    }
    let decimal = normalise(mantissa, fraction - exponent)?;
    Ok(Decimal { mantissa: if negative { -decimal.mantissa } else { decimal.mantissa }, ..decimal })
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
pub(super) fn normalise(mut mantissa: i128, mut scale: i64) -> Result<Decimal, Refused> {
    if mantissa == 0 {
        return Ok(Decimal { mantissa, scale: scale.clamp(0, i64::from(MAX_SCALE)) as u32 });
    }
    while scale < 0 {
        mantissa = mantissa.checked_mul(10).ok_or(Refused::TooLarge)?;
        scale += 1;
    }
    while scale > i64::from(MAX_SCALE) && mantissa % 10 == 0 {
        mantissa /= 10;
        scale -= 1;
    }
    if scale > i64::from(MAX_SCALE) {
        return Err(Refused::TooManyDecimals(u32::try_from(scale).unwrap_or(u32::MAX)));
    }
    Ok(Decimal { mantissa, scale: scale as u32 })
}

/// The decimal text of `value / 10^scale`, with all `scale` digits: `format(-5, 2)` is `-0.05`.
#[must_use]
pub fn format(value: i128, scale: u32) -> String {
    let digits = value.unsigned_abs().to_string();
    let scale = scale as usize;
    let padded = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = padded.split_at(padded.len() - scale);
    let sign = if value < 0 { "-" } else { "" };
    if scale == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ok(text: &str) -> (i128, u32) {
        let d = parse(text.as_bytes()).unwrap();
        (d.mantissa, d.scale)
    }

    #[test]
    fn reads_what_people_write() {
        assert_eq!(ok("0"), (0, 0));
        assert_eq!(ok(" -12.50 "), (-1250, 2));
        assert_eq!(ok("+7"), (7, 0));
        assert_eq!(ok(".5"), (5, 1));
        assert_eq!(ok("5."), (5, 0));
        assert_eq!(ok("1e3"), (1000, 0));
        assert_eq!(ok("1.25E-2"), (125, 4));
        assert_eq!(ok("0.10000000000000000000000"), (100_000_000_000_000_000, 18));
        assert_eq!(ok("0.1"), (1, 1), "0.1 is exact, unlike as a float");
    }

    #[test]
    fn refuses_the_rest() {
        let cases: [(&str, Refused); 16] = [
            ("", Refused::Empty),
            ("  ", Refused::Empty),
            ("-", Refused::NotANumber),
            (".", Refused::NotANumber),
            ("1,000", Refused::NotANumber),
            ("12 EUR", Refused::NotANumber),
            ("1.2.3", Refused::NotANumber),
            ("1e", Refused::NotANumber),
            ("e5", Refused::NotANumber),
            ("0x10", Refused::NotANumber),
            ("NaN", Refused::NotFinite),
            ("-Infinity", Refused::NotFinite),
            ("inf", Refused::NotFinite),
            ("0.0000000000000000001", Refused::TooManyDecimals(19)),
            ("1e400", Refused::TooLarge),
            ("999999999999999999999999999999999999999999", Refused::TooLarge),
        ];
        for (text, why) in cases {
            assert_eq!(parse(text.as_bytes()), Err(why), "{text:?}");
        }
    }

    /// As many zeros as an exponent that is cut at 999 makes up for.
    #[test]
    fn long_fractions_and_exponents_are_exact() {
        let zeros = "0".repeat(998);
        assert_eq!(ok(&format!("0.{zeros}1e999")), (1, 0));
        assert_eq!(ok(&format!("0.{zeros}1e1001")), (100, 0));
        assert_eq!(parse(format!("0.{zeros}1e5000").as_bytes()), Err(Refused::TooLarge));
        assert_eq!(parse(format!("0.{zeros}1e{}", u128::MAX).as_bytes()), Err(Refused::TooLarge));
        assert_eq!(parse(b"1e-5000"), Err(Refused::TooManyDecimals(5000)));
    }

    #[test]
    fn formats_with_all_digits() {
        assert_eq!(format(-5, 2), "-0.05");
        assert_eq!(format(1250, 2), "12.50");
        assert_eq!(format(0, 0), "0");
        assert_eq!(format(i128::MIN, 0), i128::MIN.to_string());
    }

    proptest! {
        #[test]
        fn parse_inverts_format(value in -(1i128 << 120)..(1i128 << 120), scale in 0..=MAX_SCALE) {
            let text = format(value, scale);
            prop_assert_eq!(parse(text.as_bytes()), Ok(Decimal { mantissa: value, scale }));
        }

        #[test]
        fn never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let _ = parse(&bytes);
        }
    }
}
