//! BLS12-381's prime in words of doubles, and the way from arkworks' form and back.
//!
//! arkworks' numbers have the same factor `2^384`: nothing is multiplied on the way.

use core::arch::x86_64::__m256d;

use ark_bls12_381::Fq;
use ark_ff::{BigInt, BigInteger, Field, PrimeField, Zero};

use super::lanes::{Lanes, STREAMS};
use crate::msm::Lanes as _;

const MASK: u64 = (1 << 48) - 1;

/// What products and reductions need of the prime, the same in every lane.
pub(super) struct Prime {
    pub p: Lanes,
    /// `2^384` modulo p: one.
    pub one: Lanes,
    /// `3/2 2^52 2^(48 j)` at `j`: a sum with it is rounded to a multiple of `2^(48 j)`.
    pub round: [__m256d; 17],
    /// `-1/p` modulo `2^48`, between `-2^47` and `2^47`.
    pub inverse: __m256d,
    /// `2^-384`
    pub scale: __m256d,
    /// `1/p`, rounded.
    pub quotient: __m256d,
}

pub(super) static PRIME: Prime = {
    let words = signed(&limbs(&Fq::MODULUS.0));
    let (mut round, mut j) = ([splat(0.0); 17], 0);
    while j < 17 {
        round[j] = splat(1.5 * power_of_two(52 + 48 * j as i32));
        j += 1;
    }
    let top = words[7] as f64 * power_of_two(336) + words[6] as f64 * power_of_two(288);
    Prime {
        p: lanes(&words),
        one: lanes(&signed(&limbs(&Fq::ONE.0.0))),
        round,
        inverse: splat(negative_inverse() as f64),
        scale: splat(power_of_two(-384)),
        quotient: splat(1.0 / top),
    }
};

const fn splat(x: f64) -> __m256d {
    // SAFETY: both types are four doubles.
    unsafe { core::mem::transmute::<[f64; 4], __m256d>([x; 4]) }
}

const fn lanes(words: &[i64; 8]) -> Lanes {
    let (mut lanes, mut j) = ([splat(0.0); 8], 0);
    while j < 8 {
        lanes[j] = splat(words[j] as f64 * power_of_two(48 * j as i32));
        j += 1;
    }
    lanes
}

const fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// Words of 48 bits.
const fn limbs(words: &[u64; 6]) -> [u64; 8] {
    let (mut limbs, mut j) = ([0; 8], 0);
    while j < 8 {
        let (word, shift) = (48 * j / 64, 48 * j % 64);
        limbs[j] = words[word] >> shift;
        if shift > 16 {
            limbs[j] |= words[word + 1] << (64 - shift);
        }
        limbs[j] &= MASK;
        j += 1;
    }
    limbs
}

/// The same number, all words but the highest between `-2^47` and `2^47`.
const fn signed(limbs: &[u64; 8]) -> [i64; 8] {
    let (mut words, mut j) = ([0; 8], 0);
    while j < 8 {
        words[j] += limbs[j] as i64;
        if j < 7 && words[j] >= 1 << 47 {
            words[j] -= 1 << 48;
            words[j + 1] = 1;
        }
        j += 1;
    }
    words
}

const fn negative_inverse() -> i64 {
    let p = Fq::MODULUS.0[0];
    let (mut inverse, mut i) = (p, 0); // right in three bits; Newton's iteration doubles them
    while i < 5 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(p.wrapping_mul(inverse)));
        i += 1;
    }
    let words = signed(&[inverse.wrapping_neg() & MASK, 0, 0, 0, 0, 0, 0, 0]);
    words[0]
}

/// The words of an element: between `-2^47` and `2^47`, the highest below `2^45`.
pub(super) fn split(x: &Fq) -> [f64; 8] {
    let words = signed(&limbs(&x.0.0));
    core::array::from_fn(|j| words[j] as f64 * power_of_two(48 * j as i32))
}

/// The element of words below `2^53` whose number is between `-2 p` and `2 p`.
pub(super) fn join(words: &[f64; 8]) -> Fq {
    let (mut number, mut carry) = (BigInt([0; 6]), 0);
    for (j, (word, p)) in words.iter().zip(limbs(&Fq::MODULUS.0)).enumerate() {
        // With 2 p it is positive.
        let sum = (word * power_of_two(-48 * j as i32)) as i64 + 2 * p as i64 + carry;
        let limb = sum as u64 & MASK;
        carry = sum >> 48;
        let (word, shift) = (48 * j / 64, 48 * j % 64);
        number.0[word] |= limb << shift;
        if shift > 16 {
            number.0[word + 1] |= limb >> (64 - shift);
        }
    }
    debug_assert_eq!(carry, 0, "a number between -2 p and 2 p");
    while number >= Fq::MODULUS {
        number.sub_with_borrow(&Fq::MODULUS);
    }
    Fq::new_unchecked(number)
}

/// The elements of all lanes of some streams.
fn join_all(streams: &[Lanes; STREAMS]) -> [Fq; 4 * STREAMS] {
    core::array::from_fn(|i| {
        // SAFETY: both types are 32 doubles.
        let words = unsafe { core::mem::transmute::<Lanes, [[f64; 4]; 8]>(streams[i / 4]) };
        join(&words.map(|word| word[i % 4]))
    })
}

/// The inverses of all lanes. `None` if one of them is zero.
pub(super) fn invert(streams: &[Lanes; STREAMS]) -> Option<[Lanes; STREAMS]> {
    let numbers = join_all(streams);
    let mut before = [Fq::ONE; 4 * STREAMS];
    for i in 1..numbers.len() {
        before[i] = before[i - 1] * numbers[i - 1];
    }
    let product = before[numbers.len() - 1] * numbers[numbers.len() - 1];
    if product.is_zero() {
        return None;
    }
    let mut inverse = ark_bls12_381::g1::Config::invert(&product);
    let mut inverses = [[[0.0; 4]; 8]; STREAMS];
    for i in (0..numbers.len()).rev() {
        for (j, word) in split(&(inverse * before[i])).into_iter().enumerate() {
            inverses[i / 4][j][i % 4] = word;
        }
        inverse *= numbers[i];
    }
    // SAFETY: both types are 32 doubles for each stream.
    Some(unsafe { core::mem::transmute::<[[[f64; 4]; 8]; STREAMS], [Lanes; STREAMS]>(inverses) })
}
