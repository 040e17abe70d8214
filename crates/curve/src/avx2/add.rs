//! Affine additions in batches: sixteen at a time, as four streams of four, with one inversion for all.
//!
//! ```text
//!   forward    d = x2 - x1;          keep the product so far;   product *= d
//!   backward   1/d = rest * kept;    rest *= d;                 slope = dy/d,  x3 = slope^2 - x1 - x2,  y3 = slope (x1 - x3) - y1
//! ```
//! Pairs for which this is no addition (equal or opposite points, the identity) make the product zero, or are seen by their `x`; then they are
//! sorted out and added one by one.
//!
//! Bounds, as multiples of p: coordinates 1, so `d` and `dy` 2; products along the chain 0.71, since `0.501 + 0.71 * 2 / 9.85` is below it.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::lanes::{self, Lanes, STREAMS};
use super::prime::{self, PRIME};
use super::{Avx2, Point};
use crate::msm::{BATCH, Points, Ref, add_apart};

/// Pairs of a step.
const STEP: usize = 4 * STREAMS;

/// How many steps ahead points are asked for.
const AHEAD: usize = 2;

/// Writes the sums of at most [`BATCH`] pairs.
///
/// # Safety
/// The CPU has AVX2 and FMA.
pub(super) unsafe fn add(from: Points<Point>, pairs: &[[Ref; 2]], sums: &mut [Point]) {
    assert!(pairs.len() == sums.len() && pairs.len() <= BATCH, "a batch and its sums");
    // SAFETY: AVX2 and FMA were detected (`Avx2::available`), as the contract of this function repeats.
    if unsafe { additions(from, pairs, sums) } {
        return;
    }
    let is_plain = |[p, q]: [&Point; 2]| {
        let [x, x2] = [p, q].map(|p| prime::join(&p.x));
        x != x2 && !tiny(&p.x) && !tiny(&q.x)
    };
    // SAFETY: AVX2 and FMA were detected (`Avx2::available`), as the contract of this function repeats.
    let plain = |pairs: &[_], sums: &mut [_]| unsafe { additions(from, pairs, sums) };
    add_apart::<Avx2>(from, pairs, sums, is_plain, plain);
}

/// Whether this could be the `x` of the identity: few other numbers have two words that are zero.
fn tiny(x: &[f64; 8]) -> bool {
    x[0] == 0.0 && x[1] == 0.0
}

/// The sums, unless there is a pair that needs another treatment: then `false`, and nothing is written.
///
/// # Safety
/// The CPU has AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
unsafe fn additions(from: Points<Point>, pairs: &[[Ref; 2]], sums: &mut [Point]) -> bool {
    let Some(last) = pairs.last() else {
        return true;
    };
    // SAFETY: this function enables AVX2 and FMA; `kept[..steps]` is written by the first loop before the second reads it.
    unsafe {
        let mut kept = [const { MaybeUninit::<Kept>::uninit() }; BATCH / STEP];
        let mut product = [PRIME.one; STREAMS];
        let mut any_tiny = 0;
        let steps = pairs.len().div_ceil(STEP);
        for (step, kept) in kept[..steps].iter_mut().enumerate() {
            prefetch(from, pairs.get((step + AHEAD) * STEP..).unwrap_or(&[]));
            let points = Streams::new(from, pairs, step, last);
            let mut d = product;
            for s in 0..STREAMS {
                let (x1, x2) = (points.x(s, 0), points.x(s, 1));
                any_tiny |= lowest_zero(&x1) | lowest_zero(&x2);
                d[s] = lanes::difference(&x2, &x1);
            }
            let Kept { before, d, .. } = kept.write(Kept { points, before: product, d });
            product = lanes::products(before.each_ref(), d.each_ref());
        }
        if any_tiny != 0 {
            return false;
        }
        let Some(mut rest) = prime::invert(&product) else {
            return false;
        };
        for step in (0..steps).rev() {
            // The way forward has written this.
            backward(kept[step].assume_init_ref(), &mut rest, &mut sums[step * STEP..]);
        }
        true
    }
}

/// What the way back needs of a step.
struct Kept<'a> {
    points: Streams<'a>,
    /// The products of all steps before.
    before: [Lanes; STREAMS],
    /// `x2 - x1`
    d: [Lanes; STREAMS],
}

/// The sums of a step; `rest` is the inverse of the product up to it, and becomes that of the product before it.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn backward(kept: &Kept, rest: &mut [Lanes; STREAMS], sums: &mut [Point]) {
    // SAFETY: AVX2 and FMA were detected (`Avx2::available`); nothing but registers and references is touched.
    unsafe {
        let Kept { points, before, d } = kept;
        let own = lanes::products(rest.each_ref(), before.each_ref()); // 0.59
        *rest = lanes::products(rest.each_ref(), d.each_ref()); // 0.71, from 1 at first
        let (mut x1, mut y1, mut dy) = (own, own, own);
        for s in 0..STREAMS {
            y1[s] = points.y(s, 0);
            dy[s] = lanes::difference(&points.y(s, 1), &y1[s]); // 2
        }
        let slope = lanes::products(own.each_ref(), dy.each_ref()); // 0.63
        let square = lanes::products(slope.each_ref(), slope.each_ref()); // 0.55
        let (mut x3, mut run) = (square, square);
        for s in 0..STREAMS {
            x1[s] = points.x(s, 0);
            // slope^2 - x1 - x2, with x2 = d + x1: 2.55, and words of a carried number, of two, and of a wide one are below 2^50
            let wide = lanes::difference(&square[s], &x1[s]);
            let wide = lanes::difference(&lanes::difference(&wide, &x1[s]), &d[s]);
            x3[s] = lanes::reduce(wide); // 0.51
            run[s] = lanes::difference(&x1[s], &x3[s]); // 1.51
        }
        let rise = lanes::products(slope.each_ref(), run.each_ref()); // 0.6
        for (s, to) in sums.chunks_mut(4).take(STREAMS).enumerate() {
            let y3 = lanes::reduce(lanes::difference(&rise[s], &y1[s])); // 1.6, and then 0.51
            scatter(&x3[s], &y3, to);
        }
    }
}

/// The points of a step: four streams of four pairs.
struct Streams<'a> {
    points: [[[&'a Point; 4]; 2]; STREAMS],
    /// Which of them have their sign changed.
    negative: [[usize; 2]; STREAMS],
}

impl<'a> Streams<'a> {
    /// Behind the last pair it stands again.
    #[inline(always)]
    fn new(from: Points<'a, Point>, pairs: &[[Ref; 2]], step: usize, last: &[Ref; 2]) -> Self {
        let (mut points, mut negative) = ([[[from.at(last[0]); 4]; 2]; STREAMS], [[0; 2]; STREAMS]);
        for s in 0..STREAMS {
            for i in 0..4 {
                let pair = pairs.get(step * STEP + 4 * s + i).unwrap_or(last);
                for side in 0..2 {
                    points[s][side][i] = from.at(pair[side]);
                    negative[s][side] |= usize::from(pair[side].is_negative()) << i;
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
    unsafe fn x(&self, s: usize, side: usize) -> Lanes {
        let [a, b, c, d] = self.points[s][side];
        // SAFETY: AVX2 and FMA were detected (`Avx2::available`); nothing but registers and references is touched.
        unsafe { gather([&a.x, &b.x, &c.x, &d.x]) }
    }

    /// `y` or `-y` of the left or the right points of a stream.
    ///
    /// # Safety
    /// The CPU has the instructions.
    #[inline(always)]
    unsafe fn y(&self, s: usize, side: usize) -> Lanes {
        let [a, b, c, d] = self.points[s][side];
        // SAFETY: AVX2 and FMA were detected (`Avx2::available`); a row of `SIGNS` is four words, and four bits are below
        // its sixteen rows.
        unsafe {
            let mut y = gather([&a.y, &b.y, &c.y, &d.y]);
            let signs = _mm256_loadu_pd(SIGNS[self.negative[s][side]].as_ptr());
            for j in 0..8 {
                y[j] = _mm256_xor_pd(y[j], signs);
            }
            y
        }
    }
}

/// What changes the signs of some lanes.
static SIGNS: [[f64; 4]; 16] = {
    let (mut signs, mut i) = ([[0.0; 4]; 16], 0);
    while i < 64 {
        if (i / 4) >> (i % 4) & 1 == 1 {
            signs[i / 4][i % 4] = -0.0;
        }
        i += 1;
    }
    signs
};

/// Four coordinates.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn gather(rows: [&[f64; 8]; 4]) -> Lanes {
    // SAFETY: AVX2 and FMA were detected (`Avx2::available`); a coordinate is eight words, two vectors.
    unsafe {
        let (mut low, mut high) = ([_mm256_setzero_pd(); 4], [_mm256_setzero_pd(); 4]);
        for i in 0..4 {
            low[i] = _mm256_loadu_pd(rows[i].as_ptr());
            high[i] = _mm256_loadu_pd(rows[i].as_ptr().add(4));
        }
        let ([a, b, c, d], [e, f, g, h]) = (lanes::transpose(low), lanes::transpose(high));
        [a, b, c, d, e, f, g, h]
    }
}

/// Writes the first points of four.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn scatter(x: &Lanes, y: &Lanes, to: &mut [Point]) {
    // SAFETY: AVX2 and FMA were detected (`Avx2::available`); a coordinate is eight words, two vectors.
    unsafe {
        let halves = |[a, b, c, d, e, f, g, h]: Lanes| [[a, b, c, d], [e, f, g, h]];
        let ([x_low, x_high], [y_low, y_high]) = (halves(*x), halves(*y));
        let (x_low, x_high) = (lanes::transpose(x_low), lanes::transpose(x_high));
        let (y_low, y_high) = (lanes::transpose(y_low), lanes::transpose(y_high));
        for (i, to) in to.iter_mut().take(4).enumerate() {
            _mm256_storeu_pd(to.x.as_mut_ptr(), x_low[i]);
            _mm256_storeu_pd(to.x.as_mut_ptr().add(4), x_high[i]);
            _mm256_storeu_pd(to.y.as_mut_ptr(), y_low[i]);
            _mm256_storeu_pd(to.y.as_mut_ptr().add(4), y_high[i]);
        }
    }
}

/// Asks for the points of a later step.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn prefetch(from: Points<Point>, pairs: &[[Ref; 2]]) {
    for r in pairs[..pairs.len().min(STEP)].as_flattened() {
        let point = from.at(*r);
        // SAFETY: AVX2 and FMA were detected (`Avx2::available`); a prefetch reads nothing, and these addresses are those
        // of a point.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(point.x.as_ptr().cast());
            _mm_prefetch::<_MM_HINT_T1>(point.y.as_ptr().cast());
        }
    }
}

/// The lanes of which the lowest two words are zero.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn lowest_zero(x: &Lanes) -> i32 {
    // SAFETY: AVX2 and FMA were detected (`Avx2::available`); nothing but registers and references is touched.
    unsafe {
        let zero = _mm256_setzero_pd();
        let first = _mm256_cmp_pd::<_CMP_EQ_OQ>(x[0], zero);
        let second = _mm256_cmp_pd::<_CMP_EQ_OQ>(x[1], zero);
        _mm256_movemask_pd(_mm256_and_pd(first, second))
    }
}
