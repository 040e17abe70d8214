//! The images are the canonical ones, the maps are isomorphisms, and every tier computes them.

use super::matrix::Tier;
use super::*;
use crate::laws::Samples;

/// The root of `y^2 + y + c` whose bit 0 is clear, by elimination: `y^2 + y` is linear.
fn root<P: Field>(c: P, bit: impl Fn(usize) -> P, integer: impl Fn(P) -> u128) -> P {
    let mut pivots: Vec<(P, P)> = Vec::new();
    let reduce = |pivots: &[(P, P)], (mut image, mut y): (P, P)| {
        for &(pivot, preimage) in pivots {
            if integer(image) >> integer(pivot).ilog2() & 1 == 1 {
                (image, y) = (image + pivot, y + preimage);
            }
        }
        (image, y)
    };
    for i in 0..8 * P::BYTES {
        let y = bit(i);
        let (image, y) = reduce(&pivots, (y.square() + y, y));
        if image != P::ZERO {
            pivots.push((image, y));
        }
    }
    let (left, y) = reduce(&pivots, (c, P::ZERO));
    assert_eq!(left, P::ZERO, "no root");
    if integer(y) & 1 == 0 { y } else { y + P::ONE }
}

/// The images, derived: `unit` generates the multiplicative group of GF(2^8).
fn derive<P: Field>(unit: P, bit: impl Fn(usize) -> P, integer: impl Fn(P) -> u128, levels: usize) -> Vec<P> {
    let powers: Vec<P> = (0..255).map(|i| unit.pow(i)).collect();
    let aes = |x: &&P| x.pow(8) + x.pow(4) + x.pow(3) + **x + P::ONE == P::ZERO;
    let roots: Vec<P> = powers.iter().filter(aes).copied().collect();
    assert_eq!(roots.len(), 8);
    let x = roots.into_iter().min_by_key(|&x| integer(x)).expect("eight roots");
    let byte = |b: u8| -> P { (0..8).filter(|i| b >> i & 1 == 1).map(|i| x.pow(i)).sum() };
    let mut images = vec![x];
    let mut constant = byte(crate::binary::tower::D0);
    for _ in 0..levels {
        let y = root(constant, &bit, &integer);
        images.push(y);
        constant *= y;
    }
    images
}

#[test]
fn the_images_are_the_smallest_roots() {
    // x generates a group of order 2^n - 1 or a divisor of it; these powers have order 255 exactly.
    let unit = (2..).map(|g| Gf64(g).pow(u64::MAX / 255)).find(|u| order_255(*u)).expect("a unit");
    assert_eq!(derive(unit, |i| Gf64(1 << i), |x| x.0.into(), 3), IMAGES64.map(Gf64));
    // (2^128 - 1) / 255 = (2^64 - 1) / 255 * (2^64 + 1).
    let power = |g: Gf128| {
        let g = g.pow(u64::MAX / 255);
        (0..64).fold(g, |g, _| g.square()) * g
    };
    let unit = (2..).map(|g| power(Gf128(g))).find(|u| order_255(*u)).expect("a unit");
    assert_eq!(derive(unit, |i| Gf128(1 << i), |x| x.0, 4), IMAGES128.map(Gf128));
}

fn order_255<P: Field>(u: P) -> bool {
    u.pow(255) == P::ONE && [85, 51, 15].iter().all(|&d| u.pow(d) != P::ONE)
}

#[test]
fn the_maps_are_isomorphisms() {
    let mut samples = Samples::new(14);
    for _ in 0..200 {
        let (a, b): (Tower64, Tower64) = (samples.element(), samples.element());
        assert_eq!(Gf64::from(a * b), Gf64::from(a) * Gf64::from(b));
        assert_eq!(Tower64::from(Gf64::from(a)), a);
        let (a, b): (Tower128, Tower128) = (samples.element(), samples.element());
        assert_eq!(Gf128::from(a * b), Gf128::from(a) * Gf128::from(b));
        assert_eq!(Tower128::from(Gf128::from(a)), a);
    }
    assert_eq!((Gf64::from(Tower64::ONE), Gf128::from(Tower128::ONE)), (Gf64::ONE, Gf128::ONE));
}

#[test]
fn conversions_of_every_tier() {
    let mut samples = Samples::new(15);
    for tier in Tier::available() {
        for length in [0, 1, 7, 8, 9, 16, 31, 32, 33, 64, 71, 200] {
            let tower: Vec<Tower64> = samples.elements(length);
            let (mut poly, mut back) = (vec![Gf64::ONE; length], vec![Tower64::ONE; length]);
            pair64().to_poly.apply_with(tier, &tower, &mut poly);
            pair64().to_tower.apply_with(tier, &poly, &mut back);
            let expected: Vec<Gf64> = tower.iter().map(|&x| x.into()).collect();
            assert_eq!((poly, back), (expected, tower), "{length} with {tier:?}");
            let tower: Vec<Tower128> = samples.elements(length);
            let (mut poly, mut back) = (vec![Gf128::ONE; length], vec![Tower128::ONE; length]);
            pair128().to_poly.apply_with(tier, &tower, &mut poly);
            pair128().to_tower.apply_with(tier, &poly, &mut back);
            let expected: Vec<Gf128> = tower.iter().map(|&x| x.into()).collect();
            assert_eq!((poly, back), (expected.clone(), tower.clone()), "{length} with {tier:?}");
            // Two words to an element.
            let half = |x: u128| u128::from(Gf64::from(Tower64(x as u64)).0);
            let images: Vec<u128> = tower.iter().map(|x| half(x.0) | half(x.0 >> 64) << 64).collect();
            let mut halves = vec![Gf128::ONE; length];
            pair64().to_poly.apply_with(tier, &tower, &mut halves);
            assert_eq!(halves, images.into_iter().map(Gf128).collect::<Vec<_>>(), "{length} with {tier:?}");
            let mut back = vec![Gf128::ONE; length];
            pair_of_halves().to_poly.apply_with(tier, &halves, &mut back);
            assert_eq!(back, expected, "{length} with {tier:?}");
            pair_of_halves().to_tower.apply_with(tier, &expected, &mut back);
            assert_eq!(back, halves, "{length} with {tier:?}");
        }
    }
}

#[test]
#[should_panic(expected = "elements of one or two words")]
fn a_matrix_of_longer_words_is_refused() {
    pair128().to_poly.apply_words(&[Tower64::ONE; 2], &mut [Gf64::ONE; 2]);
}

#[test]
fn no_conversion_tier_is_skipped() {
    let tiers: Vec<Tier> = Tier::available().collect();
    assert_eq!(tiers.last(), Some(&Tier::Portable));
    #[cfg(target_arch = "x86_64")]
    {
        use crate::cpu::{self, Features};
        let gfni = cpu::has(Features::GFNI);
        let avx2 = gfni && cpu::has(Features::AVX2);
        let vbmi = gfni && cpu::has(Features::AVX512VBMI);
        let expected = [(Tier::Gfni512, vbmi), (Tier::Gfni256, avx2)];
        assert!(expected.iter().all(|(tier, has)| tiers.contains(tier) == *has), "{tiers:?}");
    }
}
