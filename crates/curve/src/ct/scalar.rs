//! Scalars of Bandersnatch.
//!
//! Both libraries hold them in Montgomery's form to the base 2^256, so that words are all that is exchanged.

use ark_ff::BigInt;
use crypto_bigint::modular::ConstMontyForm;
use crypto_bigint::{U256, const_monty_params};

use crate::bandersnatch::Fr;

const_monty_params!(
    Order,
    U256,
    "1cfb69d4ca675f520cce760202687600ff8f87007419047174fd06b52876e7e1",
    "The order of the group."
);

type Scalar = ConstMontyForm<Order, { U256::LIMBS }>;

fn from(x: &Fr) -> Scalar {
    Scalar::from_montgomery(U256::from_words(x.0.0))
}

fn to(x: &Scalar) -> Fr {
    Fr::new_unchecked(BigInt(x.to_montgomery().to_words()))
}

/// `a b + c`.
#[must_use]
pub fn multiply_add(a: &Fr, b: &Fr, c: &Fr) -> Fr {
    to(&(from(a) * from(b) + from(c)))
}

/// The number of at most 64 bytes, little-endian, modulo the order of the group.
///
/// # Panics
/// If there are more bytes.
#[must_use]
pub fn reduce(bytes: &[u8]) -> Fr {
    let mut all = zeroize::Zeroizing::new([0; 64]);
    all[..bytes.len()].copy_from_slice(bytes);
    let [low, high] = [0, 32].map(|at| Scalar::new(&U256::from_le_slice(&all[at..at + 32])));
    // 2^256 is the Montgomery form of 1.
    let shift = Scalar::new(Scalar::ONE.as_montgomery());
    to(&(low + high * shift))
}
