//! Numbers that are proven as elements of a prime field.

use super::{Base, Ratio, decimal};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// An element of a prime field that stands for a number: `integer / 10^scale`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// The field.
    pub base: Base,
    /// The element's canonical bytes.
    pub bytes: Vec<u8>,
    /// Digits after the point.
    pub scale: u32,
}

impl Number {
    /// The integer in the symmetric interval around zero; none if it does not fit 127 bits, or the element lies in no prime field.
    #[must_use]
    pub fn integer(&self) -> Option<i128> {
        self.base.decode(&self.bytes)
    }

    /// The mean that the number gives as a sum of so many rows of a column with so many decimals.
    #[must_use]
    pub fn mean(&self, rows: i128, scale: u32) -> Option<Ratio> {
        Ratio::new(self.integer()?, rows, scale)
    }

    /// The interval of the sums that this number is exact for: two sums modulo a prime are the same if the prime divides
    /// their difference, so outside of it a sum wraps around.
    #[must_use]
    pub fn exact_if(&self) -> [String; 2] {
        [-self.base.limit(), self.base.limit()].map(|end| decimal::format(end, self.scale))
    }

    /// The prime in decimal digits, or in hexadecimal ones beyond 128 bits.
    #[must_use]
    pub fn modulus(&self) -> String {
        match self.base.prime() {
            (0, prime) => prime.to_string(),
            (high, low) => format!("{high:#x}{low:032x}"),
        }
    }

    /// `S modulo the koalabear prime 2130706433: the exact sum if that lies in [a, b]`.
    #[must_use]
    pub fn describe_sum(&self) -> String {
        let ([low, high], prime) = (self.exact_if(), self.modulus());
        format!(
            "{self} modulo the {} prime {prime}: the exact sum if that lies in [{low}, {high}]",
            self.base.name()
        )
    }
}

/// The decimal, or hexadecimal digits if it is too large to be written as one.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.base.text(&self.bytes, self.scale))
    }
}
