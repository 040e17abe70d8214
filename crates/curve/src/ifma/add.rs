//! Affine additions in batches: sixteen at a time, as two independent streams of eight, with one inversion for all.
//!
//! ```text
//!   forward    d = x2 - x1;          keep the product so far;   product *= d
//!   backward   1/d = rest * kept;    rest *= d;                 slope = dy/d,  x3 = slope^2 - x1 - x2,  y3 = slope (x1 - x3) - y1
//! ```
//! A stream alone would wait for its own products. Pairs for which this is no addition (equal or opposite points, the identity) make
//! the product zero, or are seen by their `x`; then they are sorted out and added one by one.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::lanes::{self, Lanes};
use super::prime::{Limbs, Prime};
use super::product;
use super::{Ifma, Point};
use crate::msm::{BATCH, Points, Ref, add_apart};

/// Pairs of a step: two streams of eight.
const STEP: usize = 16;

/// How many steps ahead points are asked for.
const AHEAD: usize = 2;

/// Writes the sums of at most [`BATCH`] pairs, and asks for bases of later ones.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
pub(super) unsafe fn add<C: Limbs<L>, const L: usize>(
    from: Points<Point>,
    pairs: &[[Ref; 2]],
    sums: &mut [Point],
    later: &[Ref],
) {
    assert!(pairs.len() == sums.len() && pairs.len() <= BATCH, "a batch and its sums");
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`), as the contract of this function repeats.
    if unsafe { additions::<C, L>(from, pairs, sums, later) } {
        return;
    }
    let is_plain = |[p, q]: [&Point; 2]| {
        let identity = |p: &Point| p.x == [0; 8] && p.y == [0; 8];
        !identity(p) && !identity(q) && C::join(&p.x) != C::join(&q.x) && !tiny(&p.x) && !tiny(&q.x)
    };
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`), as the contract of this function repeats.
    let plain = |pairs: &[_], sums: &mut [_]| unsafe { additions::<C, L>(from, pairs, sums, &[]) };
    add_apart::<Ifma<C, L>>(from, pairs, sums, is_plain, plain);
}

/// What the vectors take for the identity: the lowest two limbs are zero.
fn tiny(x: &[u64; 8]) -> bool {
    x[0] | x[1] == 0
}

/// The sums, unless there is a pair that needs another treatment: then `false`, and nothing is written.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn additions<C: Limbs<L>, const L: usize>(
    from: Points<Point>,
    pairs: &[[Ref; 2]],
    sums: &mut [Point],
    later: &[Ref],
) -> bool {
    // SAFETY: this function enables AVX-512 F, DQ and IFMA; `kept[..steps]` is written by the first loop before the second
    // reads it.
    unsafe {
        let prime = const { &C::PRIME };
        let Some(last) = pairs.last() else {
            return true;
        };
        let mut kept = [const { MaybeUninit::<Kept<L>>::uninit() }; BATCH / STEP];
        let mut product = [lanes::splat(&prime.one); 2];
        let mut tiny = 0;
        let steps = pairs.len().div_ceil(STEP);
        let mut later = later.chunks(later.len().div_ceil(2 * steps).max(1));
        for (step, kept) in kept[..steps].iter_mut().enumerate() {
            prefetch(from, pairs.get((step + AHEAD) * STEP..).unwrap_or(&[]));
            fetch(from, later.next().unwrap_or(&[]));
            let points = Streams::new(from, pairs, step, last);
            let (x1, x2) = ([points.x(0, 0), points.x(1, 0)], [points.x(0, 1), points.x(1, 1)]);
            tiny |= lowest_zero(&x1) | lowest_zero(&x2);
            let d =
                [lanes::difference(&x2[0], &x1[0], 3, prime), lanes::difference(&x2[1], &x1[1], 3, prime)];
            let before = product;
            product = product::products_here(product.each_ref(), d.each_ref(), prime);
            kept.write(Kept { points, before, d });
        }
        if tiny != 0 {
            return false;
        }
        let both = product::product(&product[0], &product[1], prime);
        let Some(inverse) = C::invert_lanes(&lanes::unload(&both)) else {
            return false;
        };
        let inverse: Lanes<L> = lanes::load(&inverse);
        let mut rest = product::products_here([&inverse; 2], [&product[1], &product[0]], prime);
        for step in (0..steps).rev() {
            fetch(from, later.next().unwrap_or(&[]));
            // The way forward has written this.
            backward(kept[step].assume_init_ref(), &mut rest, &mut sums[step * STEP..], prime);
        }
        true
    }
}

/// What the way back needs of a step.
struct Kept<'a, const L: usize> {
    points: Streams<'a>,
    /// The products of all steps before.
    before: [Lanes<L>; 2],
    /// `x2 - x1 + 3 p`
    d: [Lanes<L>; 2],
}

/// The sums of a step; `rest` is the inverse of the product up to it, and becomes that of the product before it.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
#[inline]
unsafe fn backward<const L: usize>(
    kept: &Kept<L>,
    rest: &mut [Lanes<L>; 2],
    sums: &mut [Point],
    prime: &'static Prime<L>,
) {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let Kept { points, before, d } = kept;
        let slope = product::products_here(rest.each_ref(), before.each_ref(), prime);
        *rest = product::products_here(rest.each_ref(), d.each_ref(), prime);
        let y1 = [points.y(0, 0), points.y(1, 0)];
        // From -2.1 p - 1.2 p to 2.1 p + 1.2 p, so that 4 p make it positive.
        let dy = |s: usize| {
            let wide = lanes::wide_difference(&points.y(s, 1), &y1[s]);
            lanes::carry(lanes::wide_sum(&wide, &lanes::splat(&prime.multiples[4])))
        };
        let slope = product::products_here(slope.each_ref(), [&dy(0), &dy(1)], prime);
        let square = product::products_here(slope.each_ref(), slope.each_ref(), prime);
        let x1 = [points.x(0, 0), points.x(1, 0)];
        // slope^2 - x1 - x2, with x2 = d + x1 - 3 p
        let x3 = |s: usize| {
            let twice = lanes::wide_shift::<L, 1>(&x1[s]);
            let wide = lanes::wide_difference(&square[s], &lanes::wide_sum(&twice, &d[s]));
            lanes::reduce(lanes::wide_sum(&wide, &lanes::splat(&prime.multiples[3])), prime)
        };
        let x3 = [x3(0), x3(1)];
        let run = [lanes::difference(&x1[0], &x3[0], 3, prime), lanes::difference(&x1[1], &x3[1], 3, prime)];
        let rise = product::products_here(slope.each_ref(), run.each_ref(), prime);
        for (s, to) in sums.chunks_mut(8).take(2).enumerate() {
            let y3 = lanes::reduce(lanes::wide_difference(&rise[s], &y1[s]), prime);
            scatter(&x3[s], &y3, to);
        }
    }
}

/// The points of a step: two streams of eight pairs.
struct Streams<'a> {
    points: [[[&'a Point; 8]; 2]; 2],
    /// Which of them have their sign changed.
    negative: [[u8; 2]; 2],
}

impl<'a> Streams<'a> {
    /// Behind the last pair it stands again.
    #[inline(always)]
    fn new(from: Points<'a, Point>, pairs: &[[Ref; 2]], step: usize, last: &[Ref; 2]) -> Self {
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
    unsafe fn x<const L: usize>(&self, s: usize, side: usize) -> Lanes<L> {
        // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); a coordinate is eight words in a `Point`
        // aligned to 64 bytes.
        unsafe {
            let mut rows = [_mm512_setzero_si512(); 8];
            for i in 0..8 {
                rows[i] = _mm512_load_si512(self.points[s][side][i].x.as_ptr().cast());
            }
            lanes::transpose(&rows)
        }
    }

    /// Wide `y` or `-y` of the left or the right points of a stream.
    ///
    /// # Safety
    /// The CPU has the instructions.
    #[inline(always)]
    unsafe fn y<const L: usize>(&self, s: usize, side: usize) -> Lanes<L> {
        // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); a coordinate is eight words in a `Point`
        // aligned to 64 bytes.
        unsafe {
            let mut rows = [_mm512_setzero_si512(); 8];
            for i in 0..8 {
                rows[i] = _mm512_load_si512(self.points[s][side][i].y.as_ptr().cast());
            }
            let mut y: Lanes<L> = lanes::transpose(&rows);
            for j in 0..L {
                let zero = _mm512_setzero_si512();
                y[j] = _mm512_mask_sub_epi64(y[j], self.negative[s][side], zero, y[j]);
            }
            y
        }
    }
}

/// Asks for the points of a later step.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn prefetch(from: Points<Point>, pairs: &[[Ref; 2]]) {
    for pair in &pairs[..pairs.len().min(STEP)] {
        for r in pair {
            let point = from.at(*r);
            // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); a prefetch reads nothing, and these
            // addresses are those of a point.
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(point.x.as_ptr().cast());
                _mm_prefetch::<_MM_HINT_T1>(point.y.as_ptr().cast());
            }
        }
    }
}

/// Asks for bases of a later batch, into the second cache: a few at each step, since those of a whole step at once wait for one another.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn fetch(from: Points<Point>, later: &[Ref]) {
    for r in later {
        let point = from.at(*r);
        // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); a prefetch reads nothing, and these addresses are
        // those of a point.
        unsafe {
            _mm_prefetch::<_MM_HINT_T1>(point.x.as_ptr().cast());
            _mm_prefetch::<_MM_HINT_T1>(point.y.as_ptr().cast());
        }
    }
}

/// Whether there are lanes of which the lowest two limbs are zero.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn lowest_zero<const L: usize>(x: &[Lanes<L>; 2]) -> __mmask8 {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); nothing but registers and references is touched.
    unsafe {
        let low = [_mm512_or_si512(x[0][0], x[0][1]), _mm512_or_si512(x[1][0], x[1][1])];
        _mm512_testn_epi64_mask(low[0], low[0]) | _mm512_testn_epi64_mask(low[1], low[1])
    }
}

/// Writes the first points of eight.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn scatter<const L: usize>(x: &Lanes<L>, y: &Lanes<L>, to: &mut [Point]) {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); a coordinate is eight words in a `Point` aligned to
    // 64 bytes.
    unsafe {
        let (x, y) = (lanes::rows(x), lanes::rows(y));
        for (i, to) in to.iter_mut().take(8).enumerate() {
            _mm512_store_si512(to.x.as_mut_ptr().cast(), x[i]);
            _mm512_store_si512(to.y.as_mut_ptr().cast(), y[i]);
        }
    }
}
