//! The paper's generator of constants (appendix E): Grain's linear feedback shift register, self-shrinking.

use curve::{BigInteger, PrimeField};

pub(super) struct Grain {
    /// 80 bits, the oldest lowest.
    state: u128,
}

impl Grain {
    pub(super) fn new<F: PrimeField>(width: usize, full: usize, partial: usize) -> Self {
        // Prime field, `x^alpha`, then the sizes and 30 ones; each number from its highest bit.
        let numbers = [
            (1, 2),
            (0, 4),
            (F::MODULUS_BIT_SIZE as usize, 12),
            (width, 12),
            (full, 10),
            (partial, 10),
            ((1 << 30) - 1, 30),
        ];
        let bits = numbers.into_iter().flat_map(|(x, length)| (0..length).rev().map(move |i| x >> i & 1));
        let mut grain = Self { state: bits.zip(0..).fold(0, |state, (bit, i)| state | (bit as u128) << i) };
        for _ in 0..160 {
            grain.step();
        }
        grain
    }

    fn step(&mut self) -> bool {
        let new = [62, 51, 38, 23, 13, 0].into_iter().fold(0, |sum, i| sum ^ self.state >> i & 1);
        self.state = self.state >> 1 | new << 79;
        new == 1
    }

    /// A pair of steps gives its second bit if the first is set, and nothing else.
    fn bit(&mut self) -> bool {
        loop {
            let (keep, bit) = (self.step(), self.step());
            if keep {
                return bit;
            }
        }
    }

    fn bits<F: PrimeField>(&mut self) -> Vec<bool> {
        (0..F::MODULUS_BIT_SIZE).map(|_| self.bit()).collect()
    }

    /// A uniform element: numbers that are not below the modulus are thrown away.
    pub(super) fn element<F: PrimeField>(&mut self) -> F {
        loop {
            if let Some(x) = F::from_bigint(F::BigInt::from_bits_be(&self.bits::<F>())) {
                return x;
            }
        }
    }

    /// A number modulo the modulus, as the reference draws the entries of matrices.
    pub(super) fn element_mod_p<F: PrimeField>(&mut self) -> F {
        let bytes = F::BigInt::from_bits_be(&self.bits::<F>()).to_bytes_be();
        F::from_be_bytes_mod_order(&bytes)
    }
}
