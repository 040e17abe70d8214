//! Numbers of rounds, by the inequalities of the paper's section 5.5 and of its reference script, for `x⁵` and 128 bits.

/// The number of full rounds, half of them before the partial ones and half after.
pub const FULL_ROUNDS: usize = 8;

/// The security in bits.
const BITS: f64 = 128.0;

/// The size of the field that the inequalities see. Every use of it is a minimum with at most 128, so that any field of 250 bits and more has the same numbers.
const FIELD_BITS: f64 = 250.0;

/// The number of partial rounds for a state of `width` lanes: the least that, with 6 full rounds, withstands the paper's attacks, plus the
/// paper's margin of 7.5 %, rounded up to a multiple of the width. (The margin of full rounds is two: 6 become [`FULL_ROUNDS`].)
#[must_use]
pub fn partial_rounds(width: usize) -> usize {
    let least = (1..)
        .find(|&partial| withstands(width, FULL_ROUNDS - 2, partial))
        .expect("some number of rounds suffices");
    let with_margin = (least * 1075).div_ceil(1000);
    with_margin.next_multiple_of(width)
}

#[expect(clippy::cast_precision_loss)]
fn withstands(width: usize, full: usize, partial: usize) -> bool {
    let (t, full, partial) = (width as f64, full as f64, partial as f64);
    let log5_of_2 = 1.0 / 5f64.log2();
    let statistical = if BITS <= (FIELD_BITS - 2.0).floor() * (t + 1.0) { 6.0 } else { 10.0 };
    let interpolation =
        1.0 + (log5_of_2 * BITS.min(FIELD_BITS)).ceil() + (t.log2() * log5_of_2).ceil() - partial;
    let groebner = [
        log5_of_2 * BITS.min(FIELD_BITS) - partial,
        t - 1.0 + log5_of_2 * (BITS / (t + 1.0)).min(FIELD_BITS / 2.0) - partial,
        (t - 2.0 + BITS * log5_of_2 / 2.0 - partial) / (t - 1.0),
    ];
    let most = groebner.into_iter().fold(f64::max(statistical, interpolation), f64::max);
    full >= most.ceil() && groebner_basis_bits(width, full, partial) >= BITS
}

/// The cost of the attack on the partial rounds' equations of Ashur, Buschman, Mahzoun (ePrint 2023/537), in bits.
#[expect(clippy::cast_precision_loss)]
fn groebner_basis_bits(width: usize, full: f64, partial: f64) -> f64 {
    let t = width as f64;
    let skipped = (width / 3) as f64;
    let variables = skipped * (full / 2.0) + partial + 5.0;
    let monomials = (full - 1.0) * t + partial + skipped + variables;
    2.0 * log2_binomial(monomials, variables)
}

fn log2_binomial(n: f64, k: f64) -> f64 {
    let mut bits = 0.0;
    let mut i = 1.0;
    while i <= k {
        bits += ((n - k + i) / i).log2();
        i += 1.0;
    }
    bits
}
