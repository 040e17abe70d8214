//! Sums of integers, exact whatever the order of the rows.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

/// A sum of integers, or of products of two: 384 bits in two's complement, which `2^64` products of 254 bits do not fill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    low: u128,
    middle: u128,
    high: i128,
}

impl Total {
    /// Zero.
    pub const ZERO: Self = Self { low: 0, middle: 0, high: 0 };

    /// The sum with another integer.
    #[must_use]
    pub fn plus(self, x: i128) -> Self {
        self.plus_magnitude((0, x.unsigned_abs()), x < 0)
    }

    /// The sum with a product of two integers.
    #[must_use]
    pub fn plus_product(self, x: i128, y: i128) -> Self {
        self.plus_magnitude(product(x.unsigned_abs(), y.unsigned_abs()), (x < 0) != (y < 0))
    }

    /// The sum times an integer.
    #[must_use]
    pub fn times(self, factor: u64) -> Self {
        // Multiplication modulo a power of two is the same for numbers with a sign.
        let factor = u128::from(factor);
        let (from_low, low) = product(self.low, factor);
        let (from_middle, middle) = product(self.middle, factor);
        let (middle, carry) = middle.overflowing_add(from_low);
        let high = self.high.wrapping_mul(factor.cast_signed()).wrapping_add(from_middle.cast_signed());
        Self { low, middle, high: high.wrapping_add(i128::from(carry)) }
    }

    /// The sum as an integer; none if it does not fit 127 bits.
    #[must_use]
    pub fn value(self) -> Option<i128> {
        let low = i128::from_ne_bytes(self.low.to_ne_bytes());
        let sign = low >> 127;
        let fits = self.high == sign && i128::from_ne_bytes(self.middle.to_ne_bytes()) == sign;
        fits.then_some(low)
    }

    fn plus_magnitude(self, (middle, low): (u128, u128), negative: bool) -> Self {
        let step = if negative { u128::overflowing_sub } else { u128::overflowing_add };
        let (low, carry) = step(self.low, low);
        let (middle, first) = step(self.middle, middle);
        let (middle, second) = step(middle, u128::from(carry));
        let carries = i128::from(first) + i128::from(second);
        Self { low, middle, high: self.high.wrapping_add(if negative { -carries } else { carries }) }
    }
}

impl FromIterator<i128> for Total {
    fn from_iter<T: IntoIterator<Item = i128>>(rows: T) -> Self {
        rows.into_iter().fold(Self::ZERO, Self::plus)
    }
}

/// The product as `high * 2^128 + low`.
fn product(x: u128, y: u128) -> (u128, u128) {
    const HALF: u128 = (1 << 64) - 1;
    let ([x1, x0], [y1, y0]) = ([x >> 64, x & HALF], [y >> 64, y & HALF]);
    let cross = x0 * y1 + ((x0 * y0) >> 64);
    let middle = x1 * y0 + (cross & HALF);
    (x1 * y1 + (cross >> 64) + (middle >> 64), (middle << 64) | ((x0 * y0) & HALF))
}
