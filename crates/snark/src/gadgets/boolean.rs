//! Booleans, numbers of some bits, choices, tests for zero. (notes: snark-gadgets)

use curve::{BigInteger, PrimeField};

use crate::r1cs::{Builder, LinearCombination};

/// A cell that is 0 or 1: one constraint.
pub fn boolean<F: PrimeField>(
    builder: &mut Builder<F>,
    label: &'static str,
    value: impl FnOnce() -> bool,
) -> LinearCombination<F> {
    let bit = builder.witness(|| F::from(value()));
    enforce_boolean(builder, label, &bit);
    bit
}

/// Enforces that `x` is 0 or 1: one constraint.
pub fn enforce_boolean<F: PrimeField>(
    builder: &mut Builder<F>,
    label: &'static str,
    x: &LinearCombination<F>,
) {
    builder.enforce(label, x, &(x - &LinearCombination::one()), &LinearCombination::zero());
}

/// A number below `2^length`, as a combination of new booleans, and these, the lowest first: `length` constraints.
///
/// # Panics
/// If numbers of so many bits are not distinct elements of the field.
pub fn number<F: PrimeField>(
    builder: &mut Builder<F>,
    label: &'static str,
    length: usize,
    value: impl FnOnce() -> F,
) -> (LinearCombination<F>, Vec<LinearCombination<F>>) {
    assert!(length < F::MODULUS_BIT_SIZE as usize, "too many bits for the field");
    let mut value = Some(value);
    let mut known = None;
    let bits: Vec<_> = (0..length)
        .map(|i| {
            boolean(builder, label, || {
                known.get_or_insert_with(|| value.take().expect("called once")().into_bigint()).get_bit(i)
            })
        })
        .collect();
    (from_bits(&bits), bits)
}

/// Enforces `x < 2^length`: `length` constraints, since the lowest bit is the rest of `x` and no cell.
///
/// # Panics
/// If numbers of so many bits are not distinct elements of the field, or if there are none.
pub fn enforce_range<F: PrimeField>(
    builder: &mut Builder<F>,
    label: &'static str,
    x: &LinearCombination<F>,
    length: usize,
) {
    assert!((1..F::MODULUS_BIT_SIZE as usize).contains(&length), "a range of 1 bit up to the field's");
    let half = F::from(2u64).inverse().expect("an odd characteristic");
    let low = |x: F| x.into_bigint().get_bit(0);
    let high_bits = |x: &LinearCombination<F>| (x.value() - F::from(low(x.value()))) * half;
    let (high, _) = number(builder, label, length - 1, || high_bits(x));
    enforce_boolean(builder, label, &(x - &(&high * F::from(2u64))));
}

/// The number of some bits, the lowest first: no constraint.
#[must_use]
pub fn from_bits<F: PrimeField>(bits: &[LinearCombination<F>]) -> LinearCombination<F> {
    let powers = core::iter::successors(Some(F::ONE), |power| Some(power.double()));
    LinearCombination::weighted_sum(powers.zip(bits))
}

/// `yes` if the boolean `bit` is 1, `no` otherwise: one constraint.
pub fn select<F: PrimeField>(
    builder: &mut Builder<F>,
    label: &'static str,
    bit: &LinearCombination<F>,
    [yes, no]: [&LinearCombination<F>; 2],
) -> LinearCombination<F> {
    no + &builder.multiply(label, bit, &(yes - no))
}

/// Enforces `x != 0`: one constraint.
pub fn enforce_nonzero<F: PrimeField>(
    builder: &mut Builder<F>,
    label: &'static str,
    x: &LinearCombination<F>,
) {
    let inverse = builder.witness(|| x.value().inverse().unwrap_or(F::ZERO));
    builder.enforce(label, x, &inverse, &LinearCombination::one());
}

/// The boolean `x = 0`: three constraints. The third makes the inverse of 0 be 0: otherwise it were a free cell.
pub fn is_zero<F: PrimeField>(
    builder: &mut Builder<F>,
    label: &'static str,
    x: &LinearCombination<F>,
) -> LinearCombination<F> {
    let inverse = builder.witness(|| x.value().inverse().unwrap_or(F::ZERO));
    let nonzero = builder.multiply(label, x, &inverse);
    let zero = &LinearCombination::one() - &nonzero;
    builder.enforce(label, x, &zero, &LinearCombination::zero());
    builder.enforce(label, &inverse, &zero, &LinearCombination::zero());
    zero
}
