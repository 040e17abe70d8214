//! Exact quotients of integers: means, as fractions and as decimals.

use alloc::string::{String, ToString};

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
        let padded = "0".repeat((places + 1).saturating_sub(digits.len())) + &digits;
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
}

/// The greatest common divisor; 1 where both are zero.
fn gcd(a: u128, b: u128) -> u128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}
