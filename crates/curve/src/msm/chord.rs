//! Coordinates of BLS12-381's first group as words, without branches that are guessed.
//!
//! With `R = 2^384 = 9.8 p`, blst's product of `a` and `b` is reduced if `a b < R p`: all that goes into its sum before the last step is
//! below `(a b + R p) / R < 2p`. So a factor below `2p` need not be reduced if the other one is. What is written to a point is.

use ark_bls12_381::Fq;
use ark_ff::PrimeField;

use crate::limbs;

/// Six words, the lowest first.
type Words = [u64; 6];

const P: Words = Fq::MODULUS.0;

/// `0`, `p` and `2p`.
const MULTIPLES: [Words; 3] = [[0; 6], P, double(0)];

/// What [`rise`] lacks: `p`, and `2p + 1`, since `!y = -y - 1`.
const LIFTS: [Words; 2] = [P, double(1)];

/// `2p + more`, where `more` is a bit.
const fn double(more: u64) -> Words {
    let (mut words, mut i) = ([P[0] << 1 | more; 6], 1);
    while i < 6 {
        words[i] = P[i] << 1 | P[i - 1] >> 63;
        i += 1;
    }
    words
}

/// `a + b` modulo `2^384`.
#[inline(always)]
fn plus(a: &Words, b: &Words) -> Words {
    limbs::sum(a, b).0
}

/// `a - b` modulo `2^384`.
#[inline(always)]
fn minus(a: &Words, b: &Words) -> Words {
    limbs::difference(a, b).0
}

/// Every bit of `a` turned over, or none.
#[inline(always)]
fn turned(a: &Words, over: bool) -> Words {
    let mask = u64::from(over).wrapping_neg();
    a.map(|word| word ^ mask)
}

/// `a - b + p` of reduced numbers: below `2p`.
#[inline(always)]
pub(super) fn run(a: &Words, b: &Words) -> Words {
    plus(&minus(a, b), &P)
}

/// `a - b + p` or `2p - a - b` of reduced numbers: at most `2p`.
#[inline(always)]
pub(super) fn rise(a: &Words, b: &Words, opposite: bool) -> Words {
    plus(&minus(&turned(a, opposite), b), &LIFTS[usize::from(opposite)])
}

/// Takes `b` and `c` from `a`, all of them reduced, as is the difference; `false` once in `2^57` times, when nothing is written.
///
/// The highest words say which multiple of `p` is missing, but for what lies within a few units of theirs of a multiple. The sum with it is
/// between `-2p` and `3p`; if its highest word is below that of `p`, it is not negative, which would be `2^384 - 2p` and more, and reduced.
#[inline(always)]
pub(super) fn take_both(a: &mut Words, b: &Words, c: &Words) -> bool {
    // Below 2^61 each.
    let top = a[5].wrapping_sub(b[5]).wrapping_sub(c[5]) as i64;
    let times = usize::from(top < 0) + usize::from(top < -(P[5] as i64));
    write(a, minus(&minus(&plus(a, &MULTIPLES[times]), b), c))
}

/// `a` becomes `a - b`, or `b - a`, of reduced numbers, reduced; `false` once in `2^58` times, when nothing is written: as [`take_both`].
#[inline(always)]
pub(super) fn take(a: &mut Words, b: &Words, opposite: bool) -> bool {
    // !a - !b = b - a
    let (from, b) = (turned(a, opposite), turned(b, opposite));
    let times = usize::from((from[5].wrapping_sub(b[5]) as i64) < 0);
    write(a, plus(&minus(&from, &b), &MULTIPLES[times]))
}

/// Word by word: a copy in vectors waits for the last of them.
#[inline(always)]
fn write(a: &mut Words, words: Words) -> bool {
    let reduced = words[5] < P[5];
    if reduced {
        a.iter_mut().zip(words).for_each(|(a, word)| *a = word);
    }
    reduced
}
