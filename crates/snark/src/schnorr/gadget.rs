//! The verification of a signature in a circuit.

use curve::bn254::Fr;
use curve::grumpkin::Fr as Scalar;
use curve::{AdditiveGroup, BigInteger, Field, PrimeField};

use super::{STEPS, endomorphism};
use crate::gadgets::boolean::{boolean, enforce_boolean, from_bits};
use crate::gadgets::points::{Point, distinct, double_and_add, multiply_generator, slope};
use crate::poseidon::hash_gadget;
use crate::r1cs::{Builder, LinearCombination};

type Lc = LinearCombination<Fr>;

/// Whose signature, of what.
#[derive(Clone, Copy, Debug)]
pub struct Key<'a> {
    /// The domain of the hash.
    pub domain: &'a Lc,
    /// The public key: on the curve, which is not enforced here.
    pub point: &'a Point,
}

/// Enforces that there is a signature of a message: 1,383 constraints and those of the hash (264 of one word with a domain that is no constant).
///
/// The witness is `(c, s)`. Sound for keys on the curve: the additions that could meet equal points are checked.
///
/// # Panics
/// If the message has no word or more than 14.
pub fn verify_gadget(
    builder: &mut Builder<Fr>,
    key: Key<'_>,
    message: &[Lc],
    signature: impl FnOnce() -> (u128, Scalar),
) {
    let mut known = (0, Scalar::ZERO);
    let mut signature = Some(signature);
    let mut read = || {
        if let Some(signature) = signature.take() {
            known = signature();
        }
        known
    };
    let bits: Vec<Lc> = (0..2 * STEPS)
        .map(|i| boolean(builder, "schnorr: bit of the challenge", || read().0 >> i & 1 == 1))
        .collect();
    let response = multiply_generator(builder, || read().1);
    let shifted = multiply_by_challenge(builder, key.point, &bits);
    // R = s B - [c] A; only its x is needed.
    distinct(builder, "schnorr: R", &shifted, &response);
    let slope = slope(builder, &shifted.negate(), &response);
    let square = builder.multiply("schnorr: R.x", &slope, &slope);
    let commitment_x = &(&square - &response.x) - &shifted.x;
    let inputs = [&[commitment_x, key.point.x.clone()], message].concat();
    let hash = hash_gadget(builder, key.domain, &inputs);
    enforce_low_bits(builder, &hash, &bits);
}

/// Enforces that `bits` are the low bits of the number `hash`, which is below `3 · 2²⁵²`: 127 constraints for 128 bits, which are booleans.
fn enforce_low_bits(builder: &mut Builder<Fr>, hash: &Lc, bits: &[Lc]) {
    let label = "schnorr: challenge";
    let number = |lc: &Lc| lc.value().into_bigint();
    let high: Vec<Lc> =
        (bits.len() + 1..254).map(|i| boolean(builder, label, || number(hash).get_bit(i))).collect();
    // The lowest of the high bits is what remains, divided by its weight.
    let weight = |length: usize| Fr::from(2u64).pow([length as u64]);
    let mut rest = hash - &from_bits(bits);
    rest.add_scaled(-weight(bits.len() + 1), &from_bits(&high));
    let lowest = &rest * weight(bits.len()).inverse().expect("not zero");
    enforce_boolean(builder, label, &lowest);
    let [.., second, first] = &high[..] else { unreachable!("there are 125 of them") };
    builder.enforce("schnorr: hash in range", first, second, &Lc::zero());
}

/// `[c] A` from the bits of `c`, which are booleans, and a point on the curve: 448 constraints for 128 bits.
///
/// All additions are of different points that are not opposite, whatever the bits: the scalars are `x + y ζ` with `1 <= x, y < 2^65`, and such a number is no
/// multiple of the order because its norm `x² - x y + y²` is not. (notes: snark-points)
pub fn multiply_by_challenge(builder: &mut Builder<Fr>, point: &Point, bits: &[Lc]) -> Point {
    assert_eq!(bits.len(), 2 * STEPS, "a challenge has 128 bits");
    let beta = endomorphism().beta;
    // A + φ(A) = -φ²(A)
    let mut sum = Point { x: &point.x * beta.square(), y: -&point.y };
    for pair in bits.chunks_exact(2).rev() {
        let moved = builder.multiply("challenge: endomorphism", &pair[1], &(&point.x * (beta - Fr::ONE)));
        let sign = &(&pair[0] * Fr::from(2u64)) - &Lc::one();
        let y = builder.multiply("challenge: sign", &sign, &point.y);
        sum = double_and_add(builder, &sum, &Point { x: &point.x + &moved, y });
    }
    sum
}
