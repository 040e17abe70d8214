//! The distribution of challenges over each kind of field.

use super::{excess, prover};
use crate::transcript::Challenger;
use field::{Bn254, Field, Gf128, Gf192, Gf256, Gf320, Goldilocks2, KoalaBear5};

const DRAWS: usize = 100_000;

/// Draws one by one and many at once: no two are equal, and each coordinate, a little-endian number of `width` bytes, is uniform below
/// `modulus` in its high digits, its low byte and each of its bits.
fn challenges_are_uniform<E: Field>(width: usize, modulus: f64) {
    let mut tape = prover();
    let mut draws: Vec<E> = tape.challenges("all", DRAWS / 2);
    draws.extend((0..DRAWS / 2).map(|_| tape.challenge::<E>("one")));
    let mut draws: Vec<Vec<u8>> = draws.iter().map(|&draw| bytes(draw)).collect();
    for coordinate in 0..E::BYTES / width {
        let numbers = draws.iter().map(|draw| &draw[coordinate * width..][..width]);
        let name = format!("coordinate {coordinate} of {}", E::NAME);
        let (mut high, mut low, mut ones) = (vec![0u64; 256], vec![0u64; 256], vec![0u64; 8 * width]);
        for number in numbers {
            let value = number.iter().rev().fold(0.0, |value, &byte| value * 256.0 + f64::from(byte));
            high[((value / modulus * 256.0) as usize).min(255)] += 1;
            low[usize::from(number[0])] += 1;
            for (bit, count) in ones.iter_mut().enumerate() {
                *count += u64::from(number[bit / 8] >> (bit % 8) & 1);
            }
        }
        // Fixed seeds: these never fail by chance, and six deviations are far beyond any honest sample.
        assert!(excess(&high) < 6.0 && excess(&low) < 6.0, "{name}");
        for (bit, &count) in (0..).zip(&ones) {
            let share = share_of_ones(bit, modulus);
            let deviation = (DRAWS as f64 * share * (1.0 - share)).sqrt();
            let off = (count as f64 - DRAWS as f64 * share).abs();
            assert!(off <= 6.0 * deviation, "bit {bit} of {name} is one in {count} of {DRAWS} draws");
        }
    }
    draws.sort_unstable();
    draws.dedup();
    assert_eq!(draws.len(), DRAWS, "{}", E::NAME);
}

fn bytes<E: Field>(element: E) -> Vec<u8> {
    let mut bytes = vec![0; E::BYTES];
    element.write(&mut bytes);
    bytes
}

/// The share of the numbers below a modulus that have a bit: whole periods of the bit's, and the rest of the last one.
fn share_of_ones(bit: i32, modulus: f64) -> f64 {
    let periods = modulus / 2f64.powi(bit + 1);
    (periods.floor() / 2.0 + (periods.fract() - 0.5).max(0.0)) / periods
}

#[test]
fn challenges_are_uniform_and_every_bit_toggles() {
    let two = |power| 2f64.powi(power);
    challenges_are_uniform::<Goldilocks2>(8, two(64) - two(32) + 1.0);
    challenges_are_uniform::<KoalaBear5>(4, two(31) - two(24) + 1.0);
    // To the modulus' first 32 bits.
    challenges_are_uniform::<Bn254>(32, f64::from(0x3064_4e72_u32) * two(224));
    challenges_are_uniform::<Gf128>(16, two(128));
    challenges_are_uniform::<Gf192>(24, two(192));
    challenges_are_uniform::<Gf256>(32, two(256));
    challenges_are_uniform::<Gf320>(40, two(320));
}
