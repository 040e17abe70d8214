//! Scalars of Bandersnatch, and numbers of many bytes reduced.
//!
//! Both libraries hold them in Montgomery's form to the base 2^256, so that words are all that is exchanged.

use ark_ff::BigInt;
use crypto_bigint::modular::{ConstMontyForm, ConstMontyParams};
use crypto_bigint::{U256, const_monty_params};

use crate::bandersnatch::{Fq, Fr};

const_monty_params!(
    Order,
    U256,
    "1cfb69d4ca675f520cce760202687600ff8f87007419047174fd06b52876e7e1",
    "The order of the group."
);

const_monty_params!(
    FieldOrder,
    U256,
    "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001",
    "The number of elements of the base field."
);

type Modulo<M> = ConstMontyForm<M, { U256::LIMBS }>;
type Scalar = Modulo<Order>;

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
    to(&reduced(bytes))
}

/// The number of at most 64 bytes, little-endian, modulo the order of BLS12-381's groups.
///
/// # Panics
/// If there are more bytes.
#[must_use]
pub fn reduce_field(bytes: &[u8]) -> Fq {
    Fq::new_unchecked(BigInt(reduced::<FieldOrder>(bytes).to_montgomery().to_words()))
}

fn reduced<M: ConstMontyParams<{ U256::LIMBS }>>(bytes: &[u8]) -> Modulo<M> {
    let mut all = zeroize::Zeroizing::new([0; 64]);
    all[..bytes.len()].copy_from_slice(bytes);
    let [low, high] = [0, 32].map(|at| Modulo::new(&U256::from_le_slice(&all[at..at + 32])));
    // 2^256 is the Montgomery form of 1.
    let shift = Modulo::new(Modulo::<M>::ONE.as_montgomery());
    low + high * shift
}
