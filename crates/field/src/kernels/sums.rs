//! Sums of products of two slices of extension elements, as sums of products of polynomials: reduced once, at the end.

use super::extension::{SUB, map2, monomial, pairs, planes, whole};
use super::lanes::{Kernel, Lanes, Vectors};
use crate::cpu::Tier;
use crate::{ExtensionOf, Field};

/// The most coefficients of a product.
const PRODUCT: usize = 16;

/// [`Field::product_round`] of an extension of degree `D`.
pub(crate) fn product_round<B: Vectors, E: ExtensionOf<B>, const D: usize>(
    tier: Tier,
    a: &[E],
    b: &[E],
) -> (E, E) {
    let half = a.len().min(b.len()) / 2;
    let whole = whole::<B>(tier, half);
    let (mut constant, mut quadratic) = (E::ZERO, E::ZERO);
    if whole > 0 {
        let (a, b) = (&E::flatten(&a[..2 * whole]), &E::flatten(&b[..2 * whole]));
        let [low, high] = B::run(tier, Round::<B, D> { a, b });
        (constant, quadratic) = (reduced::<B, E, D>(&low), reduced::<B, E, D>(&high));
    }
    for (a, b) in a[2 * whole..].chunks_exact(2).zip(b[2 * whole..].chunks_exact(2)) {
        constant += a[0] * b[0];
        quadratic += (a[1] - a[0]) * (b[1] - b[0]);
    }
    (constant, quadratic)
}

/// The value of a polynomial of degree `2 D - 2` at `X`.
fn reduced<B: Field, E: ExtensionOf<B>, const D: usize>(coefficients: &[B; PRODUCT]) -> E {
    let (x, mut power, mut sum) = (monomial::<B, E, D>(), E::ONE, E::ZERO);
    for &coefficient in &coefficients[..2 * D - 1] {
        sum += power.scale(coefficient);
        power *= x;
    }
    sum
}

/// Returns the coefficients of both sums as polynomials that are not reduced.
struct Round<'a, B, const D: usize> {
    a: &'a [B],
    b: &'a [B],
}

impl<B: Vectors, const D: usize> Kernel<B> for Round<'_, B, D> {
    type Output = [[B; PRODUCT]; 2];

    #[inline(always)]
    unsafe fn run<L: Lanes<B>>(self) -> [[B; PRODUCT]; 2] {
        let vectors = 2 * L::WIDTH * D;
        // SAFETY: the CPU has the instructions of `L` by the contract of this function.
        let zero = unsafe { L::splat(B::ZERO) };
        let mut sums = [[zero; PRODUCT]; 2];
        for (a, b) in self.a.chunks_exact(vectors).zip(self.b.chunks_exact(vectors)) {
            // SAFETY: the CPU has the instructions of `L` by the contract of this function.
            let ([a0, a1], [b0, b1]) = unsafe { (pairs::<B, L, D>(a), pairs::<B, L, D>(b)) };
            let (a1, b1) = (map2::<B, L, D, SUB>(&a1, &a0), map2::<B, L, D, SUB>(&b1, &b0));
            #[expect(clippy::needless_range_loop, reason = "a plain loop over registers")]
            for k in 0..2 * D - 1 {
                sums[0][k] += coefficient(&a0, &b0, k);
                sums[1][k] += coefficient(&a1, &b1, k);
            }
        }
        [totals(&sums[0]), totals(&sums[1])]
    }
}

/// [`Field::inner_product`] of an extension of degree `D`.
pub(crate) fn inner_product<B: Vectors, E: ExtensionOf<B>, const D: usize>(
    tier: Tier,
    a: &[E],
    b: &[E],
) -> E {
    let whole = whole::<B>(tier, a.len().min(b.len()));
    let mut sum = E::ZERO;
    if whole > 0 {
        let (a, b) = (&E::flatten(&a[..whole]), &E::flatten(&b[..whole]));
        sum = reduced::<B, E, D>(&B::run(tier, Inner::<B, D> { a, b }));
    }
    for (&a, &b) in a[whole..].iter().zip(&b[whole..]) {
        sum += a * b;
    }
    sum
}

/// Returns the coefficients of the sum as a polynomial that is not reduced.
struct Inner<'a, B, const D: usize> {
    a: &'a [B],
    b: &'a [B],
}

impl<B: Vectors, const D: usize> Kernel<B> for Inner<'_, B, D> {
    type Output = [B; PRODUCT];

    #[inline(always)]
    unsafe fn run<L: Lanes<B>>(self) -> [B; PRODUCT] {
        let vectors = L::WIDTH * D;
        // SAFETY: the CPU has the instructions of `L` by the contract of this function.
        let mut sums = [unsafe { L::splat(B::ZERO) }; PRODUCT];
        for (a, b) in self.a.chunks_exact(vectors).zip(self.b.chunks_exact(vectors)) {
            // SAFETY: the CPU has the instructions of `L` by the contract of this function.
            let (a, b) = unsafe { (planes::<B, L, D>(a, [1, 0]), planes::<B, L, D>(b, [1, 0])) };
            for (k, sum) in sums[..2 * D - 1].iter_mut().enumerate() {
                *sum += coefficient(&a, &b, k);
            }
        }
        totals(&sums)
    }
}

/// The sum over the lanes of each vector.
#[inline(always)]
fn totals<B: Vectors, L: Lanes<B>>(sums: &[L; PRODUCT]) -> [B; PRODUCT] {
    let mut totals = [B::ZERO; PRODUCT];
    for (total, sum) in totals.iter_mut().zip(sums) {
        for &lane in sum.lanes() {
            *total += lane;
        }
    }
    totals
}

/// Coefficient `k` of the product of two polynomials.
#[inline(always)]
pub(super) fn coefficient<B: Vectors, L: Lanes<B>, const D: usize>(a: &[L; D], b: &[L; D], k: usize) -> L {
    let (mut i, end) = (k.saturating_sub(D - 1), k.min(D - 1) + 1);
    let mut sum = a[i] * b[k - i];
    i += 1;
    while i + 4 <= end {
        sum += L::dot(
            &[a[i], a[i + 1], a[i + 2], a[i + 3]],
            &[b[k - i], b[k - i - 1], b[k - i - 2], b[k - i - 3]],
        );
        i += 4;
    }
    if i + 2 <= end {
        sum += L::dot(&[a[i], a[i + 1]], &[b[k - i], b[k - i - 1]]);
        i += 2;
    }
    if i < end {
        sum += a[i] * b[k - i];
    }
    sum
}
