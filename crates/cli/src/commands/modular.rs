//! Sums that are proven modulo a prime, and when they are the exact ones.

use crate::data::{Base, decimal};
use crate::ratio::Ratio;
use serde_json::{Value, json};

/// A sum as a field element of `10^-scale`.
pub struct Modular<'a> {
    /// The field.
    pub base: Base,
    /// The element's canonical bytes.
    pub bytes: &'a [u8],
    /// Digits after the point.
    pub scale: u32,
}

impl Modular<'_> {
    /// The number, in the symmetric interval around zero; hexadecimal digits if it is too large to be written as one.
    pub fn text(&self) -> String {
        self.base.text(self.bytes, self.scale)
    }

    /// The interval of the sums that this number is exact for: two sums modulo a prime are the same if the prime divides
    /// their difference, so outside of it a sum wraps around.
    pub fn exact_if(&self) -> [String; 2] {
        [-self.base.limit(), self.base.limit()].map(|end| decimal::format(end, self.scale))
    }

    /// `S modulo the koalabear prime 2130706433: the exact sum if that lies in [a, b]`.
    pub fn words(&self) -> String {
        let ([low, high], prime) = (self.exact_if(), prime(self.base));
        format!(
            "{} modulo the {} prime {prime}: the exact sum if that lies in [{low}, {high}]",
            self.text(),
            self.base.name()
        )
    }

    /// The sum as an object. A verifier knows the number of rows and the field, and no bound on the rows: whether a sum wrapped
    /// around is not for it to say.
    pub fn json(&self) -> Value {
        json!({ "value": self.text(), "modulus": prime(self.base), "exact_if": self.exact_if() })
    }

    /// A mean made of the sum, as an object.
    pub fn mean_json(&self, mean: &Ratio) -> Value {
        let mut value = mean.json();
        value["exact_if_sum_in"] = json!(self.exact_if());
        value
    }
}

/// The prime in decimal digits, or in hexadecimal ones beyond 128 bits.
fn prime(base: Base) -> String {
    match base.prime() {
        (0, prime) => prime.to_string(),
        (high, low) => format!("{high:#x}{low:032x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_the_field_and_the_decimals() {
        let bytes = 325u32.to_le_bytes();
        let sum = Modular { base: Base::KoalaBear, bytes: &bytes, scale: 2 };
        assert_eq!(
            sum.words(),
            "3.25 modulo the koalabear prime 2130706433: the exact sum if that lies in [-10653532.16, 10653532.16]"
        );
        assert_eq!(sum.json()["exact_if"], json!(["-10653532.16", "10653532.16"]));
        assert_eq!(sum.json().get("exact"), None);
        let large = Modular { base: Base::Bn254, bytes: &[1], scale: 0 };
        assert!(
            large
                .words()
                .contains("prime 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001")
        );
    }
}
