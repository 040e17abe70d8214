//! Signed digits.

/// The words of a scalar, and room for a carry and for digits that reach over the top.
pub(crate) type Words = [u64; 6];

/// Digits from `-2^(c-1)` to `2^(c-1) - 1`, such that `k = sum d_j 2^(cj)`.
///
/// With `h = 2^(c-1)` in every digit added to the number, the plain digits of the sum are the signed ones plus `h`: none depends on
/// another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recoding {
    /// Bits of a digit, 4 to 16.
    pub c: usize,
    /// Digits of a number.
    pub windows: usize,
    /// Bits of the highest digit, which is not negative: fewer than `c`.
    pub top: usize,
    offset: Words,
}

impl Recoding {
    /// For numbers up to `15/16 2^bits`, `bits <= 256`, of which the highest digit has room for the offset.
    pub fn new(c: usize, bits: usize) -> Self {
        assert!((4..=16).contains(&c) && bits <= 256, "digits of {c} bits for numbers of {bits}");
        let windows = bits / c + 1; // one more bit than the number has
        let mut offset = [0; 6];
        for bit in (0..windows).map(|j| j * c + c - 1) {
            offset[bit / 64] |= 1 << (bit % 64);
        }
        Self { c, windows, top: bits - c * (windows - 1), offset }
    }

    /// `k` plus the offset: what [`Self::digit`] reads.
    pub fn lift(&self, k: &[u64]) -> Words {
        let mut words = self.offset;
        let mut carry = false;
        for (i, word) in words.iter_mut().enumerate() {
            let (sum, over) = word.overflowing_add(k.get(i).copied().unwrap_or(0));
            let (sum, again) = sum.overflowing_add(u64::from(carry));
            (*word, carry) = (sum, over | again);
        }
        words
    }

    /// The digit number `j` of what was lifted.
    #[inline(always)]
    pub fn digit(&self, lifted: &Words, j: usize) -> i32 {
        let (word, shift) = (j * self.c / 64, j * self.c % 64);
        let both = u128::from(lifted[word]) | u128::from(lifted[(word + 1).min(5)]) << 64;
        let low = (both >> shift) as i32 & ((1 << self.c) - 1);
        low - (1 << (self.c - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ark_bls12_381::Fr;
    use ark_ff::{PrimeField, Zero};

    /// Digits make their number again, also where the carry of one word passes through the whole of the next.
    #[test]
    fn digits_make_the_number() {
        for c in 4..=16 {
            let r = Recoding::new(c, 255);
            for words in [
                [0; 4],
                [1, 2, 3, 4],
                [u64::MAX, u64::MAX, u64::MAX, 1 << 60],
                [u64::MAX, !r.offset[1], 0, 0],
                [u64::MAX, !r.offset[1], !r.offset[2], 7],
                [0, u64::MAX, !r.offset[2], 0],
            ] {
                let lifted = r.lift(&words);
                let (base, mut sum) = (Fr::from(1_u64 << c), Fr::zero());
                for j in (0..r.windows).rev() {
                    sum = sum * base + Fr::from(r.digit(&lifted, j));
                }
                let expected = Fr::from_le_bytes_mod_order(&words.map(u64::to_le_bytes).concat());
                assert_eq!(sum, expected, "{c} bits, {words:x?}");
            }
        }
    }
}
