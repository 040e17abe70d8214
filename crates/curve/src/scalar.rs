//! Scalars of the curves inside BLS12-381, and numbers of many bytes reduced.
//!
//! Both libraries hold them in Montgomery's form to the base 2^256, so that words are all that is exchanged.

use ark_ff::{BigInt, Fp256, MontBackend, MontConfig};
use crypto_bigint::modular::{ConstMontyForm, ConstMontyParams};
use crypto_bigint::{U256, const_monty_params};

use crate::bls12_381::Fr as Field;

const_monty_params!(
    Order,
    U256,
    "1cfb69d4ca675f520cce760202687600ff8f87007419047174fd06b52876e7e1",
    "The order of Bandersnatch's subgroup."
);

const_monty_params!(
    JubjubOrder,
    U256,
    "0e7db4ea6533afa906673b0101343b00a6682093ccc81082d0970e5ed6f72cb7",
    "The order of Jubjub's subgroup."
);

const_monty_params!(
    FieldOrder,
    U256,
    "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001",
    "The number of elements of the base field."
);

type Modulo<M> = ConstMontyForm<M, { U256::LIMBS }>;
/// arkworks' elements modulo the same number as `Modulo<M>`: whoever calls chooses both.
type Element<P> = Fp256<MontBackend<P, 4>>;

/// `a b + c`.
pub(crate) fn multiply_add<P: MontConfig<4>, M: ConstMontyParams<{ U256::LIMBS }>>(
    a: &Element<P>,
    b: &Element<P>,
    c: &Element<P>,
) -> Element<P> {
    let from = |x: &Element<P>| Modulo::<M>::from_montgomery(number(&x.0.0));
    to(&(from(a) * from(b) + from(c)))
}

/// The number of at most 64 bytes, little-endian, modulo the order.
///
/// # Panics
/// If there are more bytes.
pub(crate) fn reduce<P: MontConfig<4>, M: ConstMontyParams<{ U256::LIMBS }>>(bytes: &[u8]) -> Element<P> {
    let mut all = zeroize::Zeroizing::new([0; 64]);
    all[..bytes.len()].copy_from_slice(bytes);
    let [low, high] = [0, 32].map(|at| Modulo::<M>::new(&U256::from_le_slice(&all[at..at + 32])));
    // 2^256 is the Montgomery form of 1.
    let shift = Modulo::new(Modulo::<M>::ONE.as_montgomery());
    to(&(low + high * shift))
}

/// The number of at most 64 bytes, little-endian, modulo the order of BLS12-381's groups.
///
/// # Panics
/// If there are more bytes.
#[must_use]
pub fn reduce_field(bytes: &[u8]) -> Field {
    reduce::<_, FieldOrder>(bytes)
}

fn to<P: MontConfig<4>, M: ConstMontyParams<{ U256::LIMBS }>>(x: &Modulo<M>) -> Element<P> {
    Element::new_unchecked(BigInt(words(x.to_montgomery())))
}

/// The number of these words, the lowest first. (Its own words have 32 bits or 64, as the machine likes.)
pub(crate) const fn number(words: &[u64; 4]) -> U256 {
    let [a, b, c, d] = *words;
    let bytes = [a.to_le_bytes(), b.to_le_bytes(), c.to_le_bytes(), d.to_le_bytes()];
    U256::from_le_slice(bytes.as_flattened())
}

/// The words of a number, the lowest first.
fn words(number: U256) -> [u64; 4] {
    let bytes = number.to_le_bytes();
    let mut words = [0; 4];
    for (word, bytes) in words.iter_mut().zip(bytes.as_ref().as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}
