//! Every tier against the definition of the carry-less product and against each other.

use super::*;
use crate::laws::Samples;

/// The definition: one bit after another.
fn reference(a: u64, b: u64) -> u128 {
    (0..64).filter(|i| b >> i & 1 == 1).fold(0, |sum, i| sum ^ (u128::from(a) << i))
}

struct Products<'a>(&'a [u128], &'a [u128]);

impl Kernel for Products<'_> {
    type Output = Vec<[u128; 4]>;

    #[inline(always)]
    unsafe fn run<V: Vector>(self) -> Vec<[u128; 4]> {
        let mut out = Vec::new();
        for (a, b) in self.0.chunks_exact(V::LANES).zip(self.1.chunks_exact(V::LANES)) {
            let mut all = [[0_u128; 4]; 4];
            // SAFETY: by the contract of `run`; `LANES` values of 16 bytes are read and written.
            unsafe {
                let (a, b) = (V::load(a.as_ptr().cast(), 16), V::load(b.as_ptr().cast(), 16));
                a.clmul::<0x00>(b).store(all[0].as_mut_ptr().cast(), 16);
                a.clmul::<0x01>(b).store(all[1].as_mut_ptr().cast(), 16);
                a.clmul::<0x10>(b).store(all[2].as_mut_ptr().cast(), 16);
                a.clmul::<0x11>(b).store(all[3].as_mut_ptr().cast(), 16);
            }
            out.extend((0..V::LANES).map(|l| all.map(|products| products[l])));
        }
        out
    }
}

#[test]
fn products_of_every_tier() {
    let mut samples = Samples::new(11);
    let extremes = [0, 1, u64::MAX, 1 << 63, 0x8888_8888_8888_8888];
    let mut word = |i: usize| extremes.get(i).copied().unwrap_or_else(|| samples.word());
    let mut wide = || (0..256).map(|i| u128::from(word(i % 16)) << 64 | u128::from(word(i / 16))).collect();
    let (a, b): (Vec<u128>, Vec<u128>) = (wide(), wide());
    for tier in Tier::available() {
        let products = tier.run(Products(&a, &b));
        assert_eq!(products.len(), a.len());
        for ((&a, &b), products) in a.iter().zip(&b).zip(products) {
            let halves = [(a, b), (a >> 64, b), (a, b >> 64), (a >> 64, b >> 64)];
            assert_eq!(products, halves.map(|(a, b)| reference(a as u64, b as u64)), "{tier:?}");
        }
    }
    assert_eq!(mul64(u64::MAX, u64::MAX), reference(u64::MAX, u64::MAX));
}

#[test]
fn no_tier_is_skipped() {
    let tiers: Vec<Tier> = Tier::available().collect();
    assert_eq!(tiers.last(), Some(&Tier::Portable));
    #[cfg(target_arch = "x86_64")]
    {
        use crate::cpu::{self, Features};
        let clmul = cpu::has(Features::PCLMULQDQ);
        let wide = cpu::has(Features::VPCLMULQDQ);
        let avx2 = wide && cpu::has(Features::AVX2);
        let avx512 = wide && cpu::has(Features::AVX512F);
        let expected = [(Tier::Vpclmul512, avx512), (Tier::Vpclmul256, avx2), (Tier::Pclmul, clmul)];
        assert!(expected.iter().all(|(tier, has)| tiers.contains(tier) == *has), "{tiers:?}");
    }
}
