//! Primes in limbs of 52 bits: constants, and the way from arkworks' form and back.

use ark_ec::short_weierstrass::SWCurveConfig;
use ark_ff::{AdditiveGroup, BigInt, Field, PrimeField};

use crate::msm::Lanes;

const MASK: u64 = (1 << 52) - 1;

/// A prime of `L` limbs, and what products and reductions need of it.
pub struct Prime<const L: usize> {
    pub p: [u64; L],
    /// `-1/p` modulo 2^52.
    pub inverse: u64,
    /// `2^(52 L)` modulo p: one.
    pub one: [u64; L],
    /// `k p` at `k`.
    pub multiples: [[u64; L]; 17],
    /// Limb `j` of `(6 - i) p` at `[j][i]`, wide: what is added to a number whose quotient by p, rounded down, is `i - 5`.
    pub table: [[u64; 8]; L],
    /// What is added to the highest limb so that it is positive: that of `5 p`, and one.
    pub offset: u64,
    /// `2^52` divided by the highest limb of p.
    pub quotient: u64,
}

impl<const L: usize> Prime<L> {
    /// From the words of a prime that leaves at least five bits of the highest limb free.
    pub const fn new(words: &[u64]) -> Self {
        let p: [u64; L] = split(words);
        let mut inverse = p[0]; // right in three bits; Newton's iteration doubles them
        let mut i = 0;
        while i < 5 {
            inverse = inverse.wrapping_mul(2_u64.wrapping_sub(p[0].wrapping_mul(inverse)));
            i += 1;
        }
        let mut multiples = [[0; L]; 17];
        let mut k = 1;
        while k < 17 {
            multiples[k] = sum(&multiples[k - 1], &p);
            k += 1;
        }
        let mut table = [[0; 8]; L];
        let (mut j, mut i);
        j = 0;
        while j < L {
            i = 0;
            while i < 8 {
                table[j][i] = if i == 7 { p[j].wrapping_neg() } else { multiples[6 - i][j] };
                i += 1;
            }
            j += 1;
        }
        Self {
            p,
            inverse: inverse.wrapping_neg() & MASK,
            one: power_of_two(&p, 52 * L),
            multiples,
            table,
            offset: multiples[5][L - 1] + 1,
            quotient: (1 << 52) / p[L - 1],
        }
    }
}

/// Limbs of 52 bits of a number in words of 64.
const fn split<const L: usize>(words: &[u64]) -> [u64; L] {
    let mut limbs = [0; L];
    let mut j = 0;
    while j < L {
        let (word, shift) = (52 * j / 64, 52 * j % 64);
        let mut limb = if word < words.len() { words[word] >> shift } else { 0 };
        if shift > 12 && word + 1 < words.len() {
            limb |= words[word + 1] << (64 - shift);
        }
        limbs[j] = limb & MASK;
        j += 1;
    }
    limbs
}

const fn sum<const L: usize>(a: &[u64; L], b: &[u64; L]) -> [u64; L] {
    let mut limbs = [0; L];
    let (mut j, mut carry) = (0, 0);
    while j < L {
        let limb = a[j] + b[j] + carry;
        (limbs[j], carry) = (limb & MASK, limb >> 52);
        j += 1;
    }
    assert!(carry == 0, "the highest limb has no room");
    limbs
}

/// `a - b` unless it is negative.
const fn difference<const L: usize>(a: &[u64; L], b: &[u64; L]) -> Option<[u64; L]> {
    let mut limbs = [0; L];
    let (mut j, mut borrow) = (0, 0);
    while j < L {
        let limb = a[j].wrapping_sub(b[j]).wrapping_sub(borrow);
        (limbs[j], borrow) = (limb & MASK, limb >> 63);
        j += 1;
    }
    if borrow == 0 { Some(limbs) } else { None }
}

/// `2^exponent` modulo p.
pub(super) const fn power_of_two<const L: usize>(p: &[u64; L], exponent: usize) -> [u64; L] {
    let mut power = [0; L];
    power[0] = 1;
    let mut i = 0;
    while i < exponent {
        power = sum(&power, &power);
        if let Some(less) = difference(&power, p) {
            power = less;
        }
        i += 1;
    }
    power
}

/// A curve over a prime of `L` limbs.
pub trait Limbs<const L: usize>: Lanes + SWCurveConfig<BaseField: PrimeField> {
    /// The prime.
    const PRIME: Prime<L>;

    /// Limbs of `x 2^(52 L)`, reduced.
    fn split(x: &Self::BaseField) -> [u64; 8];

    /// The element of limbs that need not be reduced: below `4 p`.
    fn join(limbs: &[u64; 8]) -> Self::BaseField;

    /// From the limbs of `x 2^(52 L)` for some x those of `2^(52 L) / x`, for eight lanes at once.
    /// `None` if one of them is zero.
    fn invert_lanes(lanes: &[[u64; 8]; 8]) -> Option<[[u64; 8]; 8]> {
        let lanes = lanes.each_ref().map(Self::join);
        let mut before = [Self::BaseField::ONE; 8];
        for i in 1..8 {
            before[i] = before[i - 1] * lanes[i - 1];
        }
        let product = before[7] * lanes[7];
        if product == Self::BaseField::ZERO {
            return None;
        }
        let mut inverse = Self::invert(&product);
        let mut inverses = [[0; 8]; 8];
        for i in (0..8).rev() {
            inverses[i] = Self::split(&(inverse * before[i]));
            inverse *= lanes[i];
        }
        Some(inverses)
    }
}

/// The limbs of reduced words. (The word's form of `x 2^s` is the limbs' form of `x`, with `s = 52 L - 64 N`.)
fn to_limbs<const L: usize>(words: &[u64]) -> [u64; 8] {
    let limbs: [u64; L] = split(words);
    core::array::from_fn(|j| limbs.get(j).copied().unwrap_or(0))
}

/// The words that a number below `2 p` has.
pub(super) fn words<C: Limbs<L>, const L: usize>() -> usize {
    (<C::BaseField as PrimeField>::MODULUS_BIT_SIZE as usize + 1).div_ceil(64)
}

/// The words of limbs as they are: eight words, of which those beyond the number are zero.
pub(super) fn pack<const L: usize>(limbs: &[u64; 8]) -> [u64; 8] {
    let mut words = [0; 8];
    for (j, limb) in limbs[..L].iter().enumerate() {
        let (word, shift) = (52 * j / 64, 52 * j % 64);
        words[word] |= limb << shift;
        if shift > 12 {
            words[word + 1] |= limb >> (64 - shift);
        }
    }
    words
}

/// The limbs of packed words of little-endian bytes, at most eight.
pub(super) fn unpack<const L: usize>(bytes: &[u8]) -> [u64; 8] {
    let mut words = [0; 8];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    to_limbs::<L>(&words)
}

/// The words of limbs, reduced.
fn to_words<const L: usize, const N: usize>(limbs: &[u64; 8], prime: &Prime<L>) -> BigInt<N> {
    let mut reduced: [u64; L] = core::array::from_fn(|j| limbs[j]);
    while let Some(less) = difference(&reduced, &prime.p) {
        reduced = less;
    }
    let words = pack::<L>(&core::array::from_fn(|j| reduced.get(j).copied().unwrap_or(0)));
    BigInt(core::array::from_fn(|i| words[i]))
}

/// `2^-k` modulo a prime of `N` words.
const fn negative_power_of_two<const N: usize>(p: &BigInt<N>, k: usize) -> BigInt<N> {
    let mut x = [0; N];
    x[0] = 1;
    let mut i = 0;
    while i < k {
        let (mut j, mut carry) = (0, 0);
        if x[0] & 1 == 1 {
            while j < N {
                let sum = x[j] as u128 + p.0[j] as u128 + carry;
                (x[j], carry) = (sum as u64, sum >> 64);
                j += 1;
            }
        }
        j = 0;
        while j < N {
            let above = if j + 1 < N { x[j + 1] } else { carry as u64 };
            x[j] = x[j] >> 1 | above << 63;
            j += 1;
        }
        i += 1;
    }
    BigInt(x)
}

impl Limbs<8> for ark_bls12_381::g1::Config {
    const PRIME: Prime<8> = Prime::new(&<ark_bls12_381::Fq as PrimeField>::MODULUS.0);

    fn split(x: &Self::BaseField) -> [u64; 8] {
        const SHIFT: ark_bls12_381::Fq = ark_bls12_381::Fq::new(BigInt([1 << 32, 0, 0, 0, 0, 0]));
        to_limbs::<8>(&(*x * SHIFT).0.0)
    }

    fn join(limbs: &[u64; 8]) -> Self::BaseField {
        type F = ark_bls12_381::Fq;
        const SHIFT: F = F::new(negative_power_of_two(&<F as PrimeField>::MODULUS, 32));
        F::new_unchecked(to_words(limbs, &Self::PRIME)) * SHIFT
    }
}

/// Implements [`Limbs`] for a curve over a prime of four words and five limbs.
macro_rules! four_words {
    ($config:ty, $field:ty) => {
        impl Limbs<5> for $config {
            const PRIME: Prime<5> = Prime::new(&<$field as PrimeField>::MODULUS.0);

            fn split(x: &Self::BaseField) -> [u64; 8] {
                const SHIFT: $field = <$field>::new(BigInt([1 << 4, 0, 0, 0]));
                to_limbs::<5>(&(*x * SHIFT).0.0)
            }

            fn join(limbs: &[u64; 8]) -> Self::BaseField {
                const SHIFT: $field =
                    <$field>::new(negative_power_of_two(&<$field as PrimeField>::MODULUS, 4));
                <$field>::new_unchecked(to_words(limbs, &Self::PRIME)) * SHIFT
            }
        }
    };
}

four_words!(ark_bn254::g1::Config, ark_bn254::Fq);
four_words!(crate::bandersnatch::ArkworksConfig, ark_bls12_381::Fr);
