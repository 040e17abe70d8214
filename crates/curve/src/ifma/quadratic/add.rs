//! The kernel: two streams of eight pairs, as [`super::super::add`] has them.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use ark_ff::{AdditiveGroup, Field};

use super::super::lanes::{self, Lanes};
use super::super::prime::{Limbs, Prime};
use super::super::product;
use super::{PairPoint, Pairs};
use crate::msm::{BATCH, Points, Ref};

/// Pairs of a step: two streams of eight.
const STEP: usize = 16;

/// How many steps ahead points are asked for.
const AHEAD: usize = 2;

/// Eight elements.
#[derive(Clone, Copy)]
struct Pair<const L: usize>([Lanes<L>; 2]);

/// `a b`, of two streams, below `2.1 p`.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
#[inline(never)]
unsafe fn products<const L: usize>(
    a: [&Pair<L>; 2],
    b: [&Pair<L>; 2],
    prime: &'static Prime<L>,
) -> [Pair<L>; 2] {
    // SAFETY: this function enables AVX-512 F, DQ and IFMA; nothing but registers and references is touched.
    unsafe {
        let low = product::products([&a[0].0[0], &a[1].0[0]], [&b[0].0[0], &b[1].0[0]], prime);
        let high = product::products([&a[0].0[1], &a[1].0[1]], [&b[0].0[1], &b[1].0[1]], prime);
        let (mut left, mut right) = (low, high);
        for s in 0..2 {
            left[s] = lanes::carry(lanes::wide_sum(&a[s].0[0], &a[s].0[1]));
            right[s] = lanes::carry(lanes::wide_sum(&b[s].0[0], &b[s].0[1]));
        }
        let mixed = product::products([&left[0], &left[1]], [&right[0], &right[1]], prime);
        let mut all = [*a[0], *a[1]];
        for s in 0..2 {
            all[s].0[0] = lanes::reduce(lanes::wide_difference(&low[s], &high[s]), prime);
            let rest = lanes::wide_sum(&low[s], &high[s]);
            all[s].0[1] = lanes::reduce(lanes::wide_difference(&mixed[s], &rest), prime);
        }
        all
    }
}

/// `a^2`, of two streams, below `2.1 p` for `a` below `2.1 p`; the second coordinates are wide.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
#[inline(never)]
unsafe fn squares<const L: usize>(a: &[Pair<L>; 2], prime: &'static Prime<L>) -> [Pair<L>; 2] {
    // SAFETY: this function enables AVX-512 F, DQ and IFMA; nothing but registers and references is touched.
    unsafe {
        let (mut sum, mut less) = ([a[0].0[0], a[1].0[0]], [a[0].0[0], a[1].0[0]]);
        for s in 0..2 {
            sum[s] = lanes::carry(lanes::wide_sum(&a[s].0[0], &a[s].0[1]));
            less[s] = lanes::difference(&a[s].0[0], &a[s].0[1], 3, prime);
        }
        let first = product::products([&sum[0], &sum[1]], [&less[0], &less[1]], prime);
        let half = product::products([&a[0].0[0], &a[1].0[0]], [&a[0].0[1], &a[1].0[1]], prime);
        [
            Pair([first[0], lanes::wide_shift::<L, 1>(&half[0])]),
            Pair([first[1], lanes::wide_shift::<L, 1>(&half[1])]),
        ]
    }
}

/// `a - b + k p` by coordinates, which is not negative.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn difference<const L: usize>(
    a: &Pair<L>,
    b: &Pair<L>,
    k: usize,
    prime: &'static Prime<L>,
) -> Pair<L> {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Quadratic::available`); nothing but registers and references is touched.
    unsafe {
        Pair([lanes::difference(&a.0[0], &b.0[0], k, prime), lanes::difference(&a.0[1], &b.0[1], k, prime)])
    }
}

/// The values of a step that the backward pass needs.
struct Kept<'a, const L: usize> {
    points: Streams<'a>,
    /// The products of all steps before.
    before: [Pair<L>; 2],
    /// `x2 - x1 + 3 p`
    d: [Pair<L>; 2],
}

/// The sums, unless there is a pair that needs another treatment: then `false`, and nothing is written.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) unsafe fn additions<C: Pairs<L>, const L: usize>(
    from: Points<PairPoint>,
    pairs: &[[Ref; 2]],
    sums: &mut [PairPoint],
) -> bool {
    // SAFETY: this function enables AVX-512 F, DQ and IFMA; `kept[..steps]` is written by the first loop before the second
    // reads it.
    unsafe {
        let prime = const { &<C::Prime as Limbs<L>>::PRIME };
        let Some(last) = pairs.last() else {
            return true;
        };
        let mut kept = [const { MaybeUninit::<Kept<L>>::uninit() }; BATCH / STEP];
        let zero = [_mm512_setzero_si512(); L];
        let mut product = [Pair([lanes::splat(&prime.one), zero]); 2];
        let mut tiny = 0;
        let steps = pairs.len().div_ceil(STEP);
        for (step, kept) in kept[..steps].iter_mut().enumerate() {
            prefetch(from, pairs.get((step + AHEAD) * STEP..).unwrap_or(&[]));
            let points = Streams::new(from, pairs, step, last);
            let before = product;
            let mut d = product;
            for s in 0..2 {
                let (x1, x2): (Pair<L>, Pair<L>) = (points.x(s, 0), points.x(s, 1));
                tiny |= lowest_zero(&x1.0[0]) | lowest_zero(&x2.0[0]);
                d[s] = difference(&x2, &x1, 3, prime);
            }
            product = products(product.each_ref(), d.each_ref(), prime);
            kept.write(Kept { points, before, d });
        }
        if tiny != 0 {
            return false;
        }
        let [both, _] = products([&product[0]; 2], [&product[1]; 2], prime);
        let Some(inverse) = invert::<C, L>(&both) else {
            return false;
        };
        let mut rest = products([&inverse; 2], [&product[1], &product[0]], prime);
        for step in (0..steps).rev() {
            // The way forward has written this.
            backward(kept[step].assume_init_ref(), &mut rest, &mut sums[step * STEP..], prime);
        }
        true
    }
}

/// The inverses of all lanes. `None` if one of them is zero.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn invert<C: Pairs<L>, const L: usize>(numbers: &Pair<L>) -> Option<Pair<L>> {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Quadratic::available`); nothing but registers and references is touched.
    let [low, high] = unsafe { [lanes::unload(&numbers.0[0]), lanes::unload(&numbers.0[1])] };
    let mut before = [C::BaseField::ONE; 8];
    let mut product = C::BaseField::ONE;
    for i in 0..8 {
        before[i] = product;
        product *= C::join(&[low[i], high[i]]);
    }
    if product == C::BaseField::ZERO {
        return None;
    }
    let mut inverse = C::invert(&product);
    let mut inverses = [[[0; 8]; 8]; 2];
    for i in (0..8).rev() {
        [inverses[0][i], inverses[1][i]] = C::split(&(inverse * before[i]));
        inverse *= C::join(&[low[i], high[i]]);
    }
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Quadratic::available`); nothing but registers and references is touched.
    Some(unsafe { Pair([lanes::load(&inverses[0]), lanes::load(&inverses[1])]) })
}

/// The sums of a step; `rest` is the inverse of the product up to it, and becomes that of the product before it.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn backward<const L: usize>(
    kept: &Kept<L>,
    rest: &mut [Pair<L>; 2],
    sums: &mut [PairPoint],
    prime: &'static Prime<L>,
) {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Quadratic::available`); nothing but registers and references is touched.
    unsafe {
        let Kept { points, before, d } = kept;
        let slope = products(rest.each_ref(), before.each_ref(), prime);
        *rest = products(rest.each_ref(), d.each_ref(), prime);
        let y1: [Pair<L>; 2] = [points.y(0, 0), points.y(1, 0)];
        // From -3.1 p to 3.1 p, so that 4 p make it positive.
        let dy =
            [difference(&points.y(0, 1), &y1[0], 4, prime), difference(&points.y(1, 1), &y1[1], 4, prime)];
        let slope = products(slope.each_ref(), dy.each_ref(), prime);
        let square = squares(&slope, prime);
        let x1: [Pair<L>; 2] = [points.x(0, 0), points.x(1, 0)];
        let mut x3 = x1;
        let mut run = x1;
        for s in 0..2 {
            // slope^2 - x1 - x2, with x2 = d + x1 - 3 p: from -4.2 p to 2.1 p.
            for i in 0..2 {
                let twice = lanes::wide_shift::<L, 1>(&x1[s].0[i]);
                let wide = lanes::wide_difference(&square[s].0[i], &lanes::wide_sum(&twice, &d[s].0[i]));
                x3[s].0[i] = lanes::reduce(lanes::wide_sum(&wide, &lanes::splat(&prime.multiples[3])), prime);
            }
            run[s] = difference(&x1[s], &x3[s], 3, prime);
        }
        let rise = products(slope.each_ref(), run.each_ref(), prime);
        for (s, to) in sums.chunks_mut(8).take(2).enumerate() {
            let mut y3 = rise[s];
            for i in 0..2 {
                // From -1.2 p to 3.1 p, and p less.
                let wide = lanes::wide_difference(&rise[s].0[i], &y1[s].0[i]);
                let less = lanes::wide_difference(&wide, &lanes::splat(&prime.p));
                y3.0[i] = lanes::reduce(less, prime);
            }
            scatter(&x3[s], &y3, to);
        }
    }
}

/// The points of a step: two streams of eight pairs.
struct Streams<'a> {
    points: [[[&'a PairPoint; 8]; 2]; 2],
    /// Which of them have their sign changed.
    negative: [[u8; 2]; 2],
}

impl<'a> Streams<'a> {
    /// Behind the last pair it stands again.
    #[inline(always)]
    fn new(from: Points<'a, PairPoint>, pairs: &[[Ref; 2]], step: usize, last: &[Ref; 2]) -> Self {
        let (mut points, mut negative) = ([[[from.at(last[0]); 8]; 2]; 2], [[0; 2]; 2]);
        for s in 0..2 {
            for i in 0..8 {
                let pair = pairs.get(step * STEP + 8 * s + i).unwrap_or(last);
                for side in 0..2 {
                    points[s][side][i] = from.at(pair[side]);
                    negative[s][side] |= u8::from(pair[side].is_negative()) << i;
                }
            }
        }
        Self { points, negative }
    }

    /// `x` of the left (0) or the right (1) points of a stream.
    ///
    /// # Safety
    /// The CPU has the instructions.
    #[inline(always)]
    unsafe fn x<const L: usize>(&self, s: usize, side: usize) -> Pair<L> {
        // SAFETY: AVX-512 F, DQ and IFMA were detected (`Quadratic::available`); a coordinate is twice eight words in a
        // `PairPoint` aligned to 64 bytes.
        unsafe {
            let mut pair = [[_mm512_setzero_si512(); L]; 2];
            for c in 0..2 {
                let mut rows = [_mm512_setzero_si512(); 8];
                for i in 0..8 {
                    rows[i] = _mm512_load_si512(self.points[s][side][i].x[c].as_ptr().cast());
                }
                pair[c] = lanes::transpose(&rows);
            }
            Pair(pair)
        }
    }

    /// Wide `y` or `-y` of the left or the right points of a stream.
    ///
    /// # Safety
    /// The CPU has the instructions.
    #[inline(always)]
    unsafe fn y<const L: usize>(&self, s: usize, side: usize) -> Pair<L> {
        // SAFETY: AVX-512 F, DQ and IFMA were detected (`Quadratic::available`); a coordinate is twice eight words in a
        // `PairPoint` aligned to 64 bytes.
        unsafe {
            let zero = _mm512_setzero_si512();
            let mut pair = [[zero; L]; 2];
            for c in 0..2 {
                let mut rows = [zero; 8];
                for i in 0..8 {
                    rows[i] = _mm512_load_si512(self.points[s][side][i].y[c].as_ptr().cast());
                }
                pair[c] = lanes::transpose(&rows);
                for j in 0..L {
                    pair[c][j] = _mm512_mask_sub_epi64(pair[c][j], self.negative[s][side], zero, pair[c][j]);
                }
            }
            Pair(pair)
        }
    }
}

/// Asks for the points of a later step.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn prefetch(from: Points<PairPoint>, pairs: &[[Ref; 2]]) {
    for pair in &pairs[..pairs.len().min(STEP)] {
        for r in pair {
            let point = from.at(*r);
            for c in 0..2 {
                // SAFETY: AVX-512 F, DQ and IFMA were detected (`Quadratic::available`); a prefetch reads nothing, and these
                // addresses are those of a point.
                unsafe {
                    _mm_prefetch::<_MM_HINT_T0>(point.x[c].as_ptr().cast());
                    _mm_prefetch::<_MM_HINT_T1>(point.y[c].as_ptr().cast());
                }
            }
        }
    }
}

/// Returns true if there are lanes of which the lowest two limbs are zero.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn lowest_zero<const L: usize>(x: &Lanes<L>) -> __mmask8 {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Quadratic::available`); nothing but registers and references is touched.
    unsafe {
        let low = _mm512_or_si512(x[0], x[1]);
        _mm512_testn_epi64_mask(low, low)
    }
}

/// Writes the first points of eight.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn scatter<const L: usize>(x: &Pair<L>, y: &Pair<L>, to: &mut [PairPoint]) {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Quadratic::available`); a coordinate is twice eight words in a
    // `PairPoint` aligned to 64 bytes.
    unsafe {
        for c in 0..2 {
            let (x, y) = (lanes::rows(&x.0[c]), lanes::rows(&y.0[c]));
            for (i, to) in to.iter_mut().take(8).enumerate() {
                _mm512_store_si512(to.x[c].as_mut_ptr().cast(), x[i]);
                _mm512_store_si512(to.y[c].as_mut_ptr().cast(), y[i]);
            }
        }
    }
}
