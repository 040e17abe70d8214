//! Eight elements of a scalar field of at most 255 bits in a vector: BLS12-381's, where nothing else is said.
//!
//! Numbers are below `2.1 p`: sums and differences are reduced, products are below `1.2 p` (`2^260` is `35 p`).

use core::arch::x86_64::*;
use core::marker::PhantomData;
use core::ops::{Add, Mul, Sub};

use ark_ff::{BigInt, Fp, MontBackend, MontConfig};

use super::lanes::{self, Lanes};
use super::prime::{Prime, power_of_two};
use super::product;

/// An element in four words.
pub(super) type Element<P> = Fp<MontBackend<P, 4>, 4>;

/// Constants of a prime.
struct Constants<P>(PhantomData<fn() -> P>);

impl<P: MontConfig<4>> Constants<P> {
    const PRIME: Prime<5> = Prime::new(&P::MODULUS.0);

    /// From words, `x 2^256`, to limbs, `x 2^260`: the product with `2^264` over `2^260`.
    const IN: [u64; 5] = power_of_two(&Self::PRIME.p, 264);

    /// And back.
    const OUT: [u64; 5] = power_of_two(&Self::PRIME.p, 256);
}

/// Eight elements. There is one only where the CPU has AVX-512 F, DQ and IFMA.
#[repr(transparent)]
pub struct Eight<P = ark_bls12_381::FrConfig>(pub(super) Lanes<5>, pub(super) PhantomData<fn() -> P>);

impl<P> Clone for Eight<P> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Eight<P> {}

impl<P: MontConfig<4>> Add for Eight<P> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: where there is an `Eight`, the CPU has the instructions. The number is between -2 p and 2.2 p.
        unsafe {
            let less = lanes::wide_difference(&self.0, &lanes::splat(&Self::prime().multiples[2]));
            Self(lanes::reduce(lanes::wide_sum(&less, &other.0), Self::prime()), PhantomData)
        }
    }
}

impl<P: MontConfig<4>> Sub for Eight<P> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: where there is an `Eight`, the CPU has the instructions. The number is between -2.1 p and 2.1 p.
        unsafe { Self(lanes::reduce(lanes::wide_difference(&self.0, &other.0), Self::prime()), PhantomData) }
    }
}

impl<P: MontConfig<4>> Mul for Eight<P> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: where there is an `Eight`, the CPU has the instructions.
        unsafe { Self(product::product(&self.0, &other.0, Self::prime()), PhantomData) }
    }
}

impl<P: MontConfig<4>> Eight<P> {
    #[inline(always)]
    fn prime() -> &'static Prime<5> {
        const { &Constants::<P>::PRIME }
    }

    /// The products of two pairs, side by side: neither waits for the other.
    #[inline(always)]
    pub(super) fn products(a: [&Self; 2], b: [&Self; 2]) -> [Self; 2] {
        // SAFETY: where there is an `Eight`, the CPU has the instructions.
        let [c, d] = unsafe { product::products_here([&a[0].0, &a[1].0], [&b[0].0, &b[1].0], Self::prime()) };
        [Self(c, PhantomData), Self(d, PhantomData)]
    }

    /// Eight elements.
    ///
    /// # Safety
    /// The CPU has the instructions.
    #[inline(always)]
    pub(super) unsafe fn load(values: &[Element<P>; 8]) -> Self {
        // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is
        // touched.
        unsafe {
            let mut rows = [_mm512_setzero_si512(); 8];
            for i in 0..8 {
                rows[i] = _mm512_maskz_loadu_epi64(0x0f, values[i].0.0.as_ptr().cast());
            }
            let w: Lanes<4> = lanes::transpose(&rows);
            let mask = _mm512_set1_epi64((1 << 52) - 1);
            let limbs = [
                _mm512_and_si512(w[0], mask),
                join::<52, 12>(w[0], w[1], mask),
                join::<40, 24>(w[1], w[2], mask),
                join::<28, 36>(w[2], w[3], mask),
                _mm512_srli_epi64::<16>(w[3]),
            ];
            Self(product::product(&limbs, &lanes::splat(&Constants::<P>::IN), Self::prime()), PhantomData)
        }
    }

    /// The eight elements, reduced.
    #[inline(always)]
    pub(super) fn store(&self, values: &mut [Element<P>; 8]) {
        // SAFETY: where there is an `Eight`, the CPU has the instructions; an element is four words.
        unsafe {
            let x = product::product(&self.0, &lanes::splat(&Constants::<P>::OUT), Self::prime()); // 1.1
            let less = lanes::carry(lanes::wide_difference(&x, &lanes::splat(&Self::prime().p)));
            let below = _mm512_movepi64_mask(less[4]);
            let mut l = less;
            for j in 0..5 {
                l[j] = _mm512_mask_blend_epi64(below, less[j], x[j]);
            }
            let all = _mm512_set1_epi64(-1);
            let words: Lanes<4> = [
                _mm512_or_si512(l[0], _mm512_slli_epi64::<52>(l[1])),
                join::<12, 40>(l[1], l[2], all),
                join::<24, 28>(l[2], l[3], all),
                join::<36, 16>(l[3], l[4], all),
            ];
            let rows = lanes::rows(&words);
            for i in 0..8 {
                let mut number = [0; 4];
                _mm512_mask_storeu_epi64(number.as_mut_ptr(), 0x0f, rows[i]);
                values[i] = Element::<P>::new_unchecked(BigInt(number.map(i64::cast_unsigned)));
            }
        }
    }

    /// Lane `i + N` in lane `i`, and lanes of `behind` in the last ones.
    #[inline(always)]
    pub(super) fn moved<const N: i32>(&self, behind: &Self) -> Self {
        let mut moved = *self;
        for j in 0..5 {
            // SAFETY: where there is an `Eight`, the CPU has the instructions.
            moved.0[j] = unsafe { _mm512_alignr_epi64::<N>(behind.0[j], self.0[j]) };
        }
        moved
    }

    /// Lane 0 in every lane.
    #[inline(always)]
    pub(super) fn first(&self) -> Self {
        let mut all = *self;
        for j in 0..5 {
            // SAFETY: where there is an `Eight`, the CPU has the instructions.
            all.0[j] = unsafe { _mm512_broadcastq_epi64(_mm512_castsi512_si128(self.0[j])) };
        }
        all
    }
}

/// The bits of `a` from `LOW` on, and behind them those of `b`.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn join<const LOW: u32, const HIGH: u32>(a: __m512i, b: __m512i, mask: __m512i) -> __m512i {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let both = _mm512_or_si512(_mm512_srli_epi64::<LOW>(a), _mm512_slli_epi64::<HIGH>(b));
        _mm512_and_si512(both, mask)
    }
}
