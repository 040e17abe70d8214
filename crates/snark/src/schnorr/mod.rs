//! Schnorr signatures over Grumpkin, made for circuits over BN254's scalar field. (notes: snark-schnorr)
//!
//! A key is `A = a B` with the curve's generator `B`; a signature is `(c, s)`.
//!
//! ```text
//!  sign    R = k B,  c = challenge(domain, R.x, A.x, message),  s = k + [c] a          again with another k where there is no challenge
//!  verify  1 <= s < order,  x(s B) != x([c] A),  R = s B - [c] A,  c = challenge(domain, R.x, A.x, message)
//! ```
//! The hash's output is below the field's order, hence a number `h`; [`challenge`] is its low 128 bits, and none if `h >= 3 2^252`, which happens
//! once in 123 times. (So the circuit needs no comparison with the order: 254 bits of which the two highest are not both set are the bits of one
//! number below it.) `[c]` is [`challenge_scalar`]: the bits of `c` choose among `±1` and `±ζ`, where `ζ` is the scalar of the endomorphism `(x, y) -> (β x, y)`.
//!
//! A signature binds `R.x` and not the sign of `R`; verification recomputes `R` and compares the challenge.

mod gadget;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use curve::bn254::Fr;
use curve::grumpkin::{Fr as Scalar, Point};
use curve::{AffineRepr, FftField, Field, PrimeField};

use crate::poseidon::hash;

pub use gadget::{Key, multiply_by_challenge, verify_gadget};

/// The steps in which a multiple by a challenge is made: two bits each.
pub const STEPS: usize = 64;

/// The challenge of a signature, of 1 to 14 words of a message. None if the hash is not below `3 · 2²⁵²`: then there is no signature with this `R`.
///
/// # Panics
/// If the message is longer.
#[must_use]
pub fn challenge(domain: Fr, commitment_x: Fr, key_x: Fr, message: &[Fr]) -> Option<u128> {
    let inputs = [&[commitment_x, key_x], message].concat();
    let number = hash(domain, &inputs).into_bigint().0;
    (number[3] >> 60 != 3).then(|| u128::from(number[0]) | u128::from(number[1]) << 64)
}

/// The scalar `[c] = x + y ζ` of a challenge, different for different challenges:
/// from `x = y = 1`, for `i = 63, ..., 0`, both are doubled, and 1 is added to one of them, `y` if bit `2i + 1` is set,
/// or taken from it if bit `2i` is not.
#[must_use]
pub fn challenge_scalar(challenge: u128) -> Scalar {
    let [x, y] = challenge_parts(challenge);
    Scalar::from(x) + Scalar::from(y) * endomorphism().zeta
}

fn challenge_parts(challenge: u128) -> [u128; 2] {
    let mut parts = [1u128; 2];
    for i in (0..STEPS).rev() {
        parts = parts.map(|part| 2 * part);
        let part = &mut parts[(challenge >> (2 * i + 1) & 1) as usize];
        *part = if challenge >> (2 * i) & 1 == 1 { *part + 1 } else { *part - 1 };
    }
    parts
}

/// `(x, y) -> (β x, y)` is the multiplication by `ζ`; both are primitive cube roots of 1.
#[derive(Clone, Copy, Debug)]
pub struct Endomorphism {
    /// In the field of the coordinates.
    pub beta: Fr,
    /// In the field of the scalars.
    pub zeta: Scalar,
}

/// The endomorphism of Grumpkin, found once in a process.
pub fn endomorphism() -> &'static Endomorphism {
    static CACHE: OnceLock<Endomorphism> = OnceLock::new();
    CACHE.get_or_init(|| {
        let (beta, zeta) = (cube_root_of_one::<Fr>(), cube_root_of_one::<Scalar>());
        let base = Point::generator();
        let image = Point::new_unchecked(base.x * beta, base.y);
        let zeta = if base * zeta == image { zeta } else { zeta.square() };
        Endomorphism { beta, zeta }
    })
}

fn cube_root_of_one<F: PrimeField + FftField>() -> F {
    let mut third = F::MODULUS.as_ref().to_vec();
    // (p - 1) / 3 is the whole part of p / 3.
    let mut rest = 0;
    for word in third.iter_mut().rev() {
        let number = rest << 64 | u128::from(*word);
        *word = (number / 3) as u64;
        rest = number % 3;
    }
    F::GENERATOR.pow(third)
}
