//! Exact quotients of integers: means, as fractions and as decimals.

use serde_json::{Value, json};

/// Digits of a decimal beyond those of the column.
const MORE: u32 = 3;
/// The most digits after the point that are shown, as of every number here.
const MOST: u32 = 18;

/// The number `±numerator / (denominator · 10^scale)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    negative: bool,
    numerator: u128,
    denominator: u128,
    scale: u32,
}

impl Ratio {
    /// `numerator / (denominator · 10^scale)`, reduced; `None` if the denominator is zero.
    #[must_use]
    pub fn new(numerator: i128, denominator: i128, scale: u32) -> Option<Self> {
        if denominator == 0 {
            return None;
        }
        let negative = (numerator < 0) != (denominator < 0) && numerator != 0;
        let (numerator, denominator) = (numerator.unsigned_abs(), denominator.unsigned_abs());
        let common = gcd(numerator, denominator);
        Some(Self { negative, numerator: numerator / common, denominator: denominator / common, scale })
    }

    /// Three digits more than `scale`, the rest cut off, and whether nothing was.
    #[must_use]
    pub fn decimal(&self) -> (String, bool) {
        let Self { negative, numerator, denominator, scale } = *self;
        let mut digits = (numerator / denominator).to_string();
        let mut rest = numerator % denominator;
        let more = MORE.min(MOST.saturating_sub(scale));
        for _ in 0..more {
            // Ten times the rest, one at a time: it need not fit, but twice a denominator below 2^127 does.
            let (mut digit, mut next) = (0u8, 0u128);
            for _ in 0..10 {
                next += rest;
                if next >= denominator {
                    (digit, next) = (digit + 1, next - denominator);
                }
            }
            digits.push(char::from(b'0' + digit));
            rest = next;
        }
        let places = (scale + more) as usize;
        let padded = format!("{digits:0>width$}", width = places + 1);
        let (whole, fraction) = padded.split_at(padded.len() - places);
        let sign = if negative && padded.bytes().any(|b| b != b'0') { "-" } else { "" };
        let point = if places == 0 { "" } else { "." };
        (format!("{sign}{whole}{point}{fraction}"), rest == 0)
    }

    /// The fraction in lowest terms, such as `-131/5`, or the integer that it is; `None` if the denominator is too large to
    /// be written out.
    #[must_use]
    pub fn fraction(&self) -> Option<String> {
        let (mut numerator, mut denominator) = (self.numerator, self.denominator);
        for _ in 0..self.scale {
            let common = gcd(numerator, 10);
            numerator /= common;
            denominator = denominator.checked_mul(10 / common)?;
        }
        let sign = if self.negative { "-" } else { "" };
        Some(if denominator == 1 {
            format!("{sign}{numerator}")
        } else {
            format!("{sign}{numerator}/{denominator}")
        })
    }

    /// Fraction and decimal: `131/5 = 26.20000`, `2/3 = 0.666…` where digits were cut off.
    #[must_use]
    pub fn text(&self) -> String {
        let decimal = self.short();
        match self.fraction() {
            Some(fraction) if fraction.contains('/') => format!("{fraction} = {decimal}"),
            _ => decimal,
        }
    }

    /// The decimal, with an ellipsis where digits were cut off.
    #[must_use]
    pub fn short(&self) -> String {
        let (decimal, whole) = self.decimal();
        if whole { decimal } else { format!("{decimal}…") }
    }

    /// The same as an object.
    #[must_use]
    pub fn json(&self) -> Value {
        let (decimal, whole) = self.decimal();
        json!({ "fraction": self.fraction(), "decimal": decimal, "digits_cut": !whole })
    }
}

/// The greatest common divisor; 1 where both are zero.
fn gcd(a: u128, b: u128) -> u128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(numerator: i128, denominator: i128, scale: u32) -> String {
        Ratio::new(numerator, denominator, scale).unwrap().text()
    }

    #[test]
    fn fractions_are_in_lowest_terms_and_decimals_are_cut() {
        assert_eq!(text(13100, 5, 2), "131/5 = 26.20000");
        assert_eq!(text(2, 3, 0), "2/3 = 0.666…");
        assert_eq!(text(-2, 3, 0), "-2/3 = -0.666…");
        assert_eq!(text(2, -3, 0), "-2/3 = -0.666…");
        assert_eq!(text(-6, -3, 0), "2.000");
        assert_eq!(text(0, -7, 2), "0.00000");
        assert_eq!(text(500, 10, 1), "5.0000", "an integer is no fraction");
        assert_eq!(text(-1, 1_000_000, 0), "-1/1000000 = 0.000…", "no sign on a zero");
        assert_eq!(text(5, 1, 18), "1/200000000000000000 = 0.000000000000000005");
        assert_eq!(Ratio::new(1, 0, 0), None);
    }

    #[test]
    fn the_largest_numbers_have_decimals() {
        let (max, min) = (i128::MAX, i128::MIN);
        assert_eq!(text(max, 2, 0), format!("{max}/2 = {}.500", max / 2));
        assert_eq!(text(max, min, 0), format!("-{max}/{} = -0.999…", min.unsigned_abs()));
        assert_eq!(text(1, max, 18), "0.000000000000000000…", "10^18 times that is too long to write");
        assert_eq!(Ratio::new(3, max, 18).unwrap().json()["fraction"], Value::Null);
    }

    proptest! {
        /// `denominator · decimal <= numerator < denominator · (decimal + 1 unit)`, in size.
        #[test]
        fn the_decimal_is_the_quotient(n in -1_000_000_000_000i128..1_000_000_000_000, d in 1i128..1_000_000, scale in 0u32..6) {
            let (decimal, exact) = Ratio::new(n, d, scale).unwrap().decimal();
            let units: i128 = decimal.replace('.', "").parse().unwrap();
            prop_assert_eq!(units, n * 1000 / d);
            prop_assert_eq!(exact, n * 1000 % d == 0);
            prop_assert_eq!(decimal.rsplit_once('.').unwrap().1.len(), scale as usize + 3);
        }
    }
}
