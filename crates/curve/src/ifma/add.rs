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
use super::{Ifma, Point};
use crate::msm::{Adder, BATCH, Points, Ref, Single};

/// Pairs of a step: two streams of eight.
const STEP: usize = 16;

/// How many steps ahead points are asked for.
const AHEAD: usize = 2;

/// Writes the sums of at most [`BATCH`] pairs.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
pub(super) unsafe fn add<C: Limbs<L>, const L: usize>(
    from: Points<Point>,
    pairs: &[[Ref; 2]],
    sums: &mut [Point],
) {
    assert!(pairs.len() == sums.len() && pairs.len() <= BATCH, "a batch and its sums");
    // SAFETY: the caller's promise.
    if unsafe { additions::<C, L>(from, pairs, sums) } {
        return;
    }
    let is_plain = |[p, q]: &[Ref; 2]| {
        let (p, q) = (from.at(*p), from.at(*q));
        let identity = |p: &Point| p.x == [0; 8] && p.y == [0; 8];
        !identity(p) && !identity(q) && C::join(&p.x) != C::join(&q.x) && !tiny(&p.x) && !tiny(&q.x)
    };
    let (plain, other): (Vec<usize>, Vec<usize>) = (0..pairs.len()).partition(|&i| is_plain(&pairs[i]));
    let some: Vec<[Ref; 2]> = plain.iter().map(|&i| pairs[i]).collect();
    let mut their_sums = vec![Point { x: [0; 8], y: [0; 8] }; some.len()];
    // SAFETY: the caller's promise.
    let done = unsafe { additions::<C, L>(from, &some, &mut their_sums) };
    assert!(done, "differences that are not zero");
    plain.iter().zip(their_sums).for_each(|(&i, sum)| sums[i] = sum);
    let export = |r: Ref| {
        let p = Ifma::<C, L>::export(from.at(r));
        if r.is_negative() { -p } else { p }
    };
    let points: Vec<_> = other.iter().flat_map(|&i| pairs[i].map(export)).collect();
    let neighbours: Vec<_> =
        (0..other.len()).map(|i| [Ref::base(2 * i, false), Ref::base(2 * i + 1, false)]).collect();
    let mut their_sums = vec![ark_ec::AffineRepr::zero(); other.len()];
    Single::<C>::add(Points { bases: &points, sums: &[] }, &neighbours, &mut their_sums);
    other.iter().zip(Ifma::<C, L>::import(&their_sums)).for_each(|(&i, sum)| sums[i] = sum);
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
) -> bool {
    // SAFETY: the instructions are enabled here.
    unsafe {
        let prime = const { &C::PRIME };
        let Some(last) = pairs.last() else {
            return true;
        };
        let zero = [_mm512_setzero_si512(); L];
        let mut kept = [const { MaybeUninit::<[Lanes<L>; 2]>::uninit() }; BATCH / STEP];
        let mut product = [lanes::splat(&prime.one); 2];
        let mut tiny = 0;
        let steps = pairs.len().div_ceil(STEP);
        for (step, kept) in kept[..steps].iter_mut().enumerate() {
            prefetch(from, pairs.get((step + AHEAD) * STEP..).unwrap_or(&[]));
            let points = Streams::new(from, pairs, step, last);
            let mut d = [zero; 2];
            for s in 0..2 {
                let [x1, x2] = points.gather::<L, 0>(s);
                tiny |= lowest_zero(&x1) | lowest_zero(&x2);
                d[s] = lanes::difference(&x2, &x1, 3, prime);
            }
            kept.write(product);
            for s in 0..2 {
                product[s] = lanes::product(&product[s], &d[s], prime);
            }
        }
        if tiny != 0 {
            return false;
        }
        let both = lanes::product(&product[0], &product[1], prime);
        let Some(inverse) = C::invert_lanes(&lanes::unload(&both)) else {
            return false;
        };
        let inverse: Lanes<L> = lanes::load(&inverse);
        let mut rest =
            [lanes::product(&inverse, &product[1], prime), lanes::product(&inverse, &product[0], prime)];
        for step in (0..steps).rev() {
            let points = Streams::new(from, pairs, step, last);
            // The way forward has written this.
            let sum = backward(&points, kept[step].assume_init_ref(), &mut rest, prime);
            for (s, to) in sums[step * STEP..].chunks_mut(8).take(2).enumerate() {
                scatter(&sum[s], to);
            }
        }
        true
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

    /// Coordinate `Y` (0: x, 1: y) of the left and the right points of a stream.
    ///
    /// # Safety
    /// The CPU has the instructions.
    #[inline(always)]
    unsafe fn gather<const L: usize, const Y: usize>(&self, s: usize) -> [Lanes<L>; 2] {
        // SAFETY: the caller's promise; a coordinate is 64 bytes, on a boundary of 64.
        unsafe {
            let mut both = [[_mm512_setzero_si512(); L]; 2];
            for side in 0..2 {
                let mut rows = [_mm512_setzero_si512(); 8];
                for i in 0..8 {
                    let point = self.points[s][side][i];
                    let at = if Y == 0 { point.x.as_ptr() } else { point.y.as_ptr() };
                    rows[i] = _mm512_load_si512(at.cast());
                }
                both[side] = lanes::transpose(&rows);
            }
            both
        }
    }

    /// Wide `y` or `-y` of the left and the right points of a stream.
    ///
    /// # Safety
    /// The CPU has the instructions.
    #[inline(always)]
    unsafe fn signed<const L: usize>(&self, s: usize) -> [Lanes<L>; 2] {
        // SAFETY: the caller's promise.
        unsafe {
            let mut y = self.gather::<L, 1>(s);
            for side in 0..2 {
                for j in 0..L {
                    let (limb, zero) = (y[side][j], _mm512_setzero_si512());
                    y[side][j] = _mm512_mask_sub_epi64(limb, self.negative[s][side], zero, limb);
                }
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
            // SAFETY: the caller's promise; the addresses are those of a point.
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(point.x.as_ptr().cast());
                _mm_prefetch::<_MM_HINT_T1>(point.y.as_ptr().cast());
            }
        }
    }
}

/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn backward<const L: usize>(
    points: &Streams,
    kept: &[Lanes<L>; 2],
    rest: &mut [Lanes<L>; 2],
    prime: &'static Prime<L>,
) -> [[Lanes<L>; 2]; 2] {
    // SAFETY: the caller's promise.
    unsafe {
        let zero = [_mm512_setzero_si512(); L];
        let mut slope = [zero; 2];
        for s in 0..2 {
            slope[s] = lanes::product(&rest[s], &kept[s], prime);
        }
        for s in 0..2 {
            let [x1, x2] = points.gather::<L, 0>(s);
            let d = lanes::difference(&x2, &x1, 3, prime);
            rest[s] = lanes::product(&rest[s], &d, prime);
        }
        for s in 0..2 {
            // From -2.1 p - 1.2 p to 2.1 p + 1.2 p, so that 4 p make it positive.
            let [y1, y2] = points.signed(s);
            let dy = lanes::wide_sum(&lanes::wide_difference(&y2, &y1), &lanes::splat(&prime.multiples[4]));
            slope[s] = lanes::product(&slope[s], &lanes::carry(dy), prime);
        }
        let mut sum = [[zero; 2]; 2];
        for s in 0..2 {
            let square = lanes::square(&slope[s], prime);
            let [x1, x2] = points.gather::<L, 0>(s);
            let both = lanes::wide_sum(&x1, &x2);
            sum[s][0] = lanes::reduce(lanes::wide_difference(&square, &both), prime);
        }
        for s in 0..2 {
            let ([x1, _], [y1, _]) = (points.gather::<L, 0>(s), points.signed(s));
            let run = lanes::difference(&x1, &sum[s][0], 3, prime);
            let rise = lanes::product(&slope[s], &run, prime);
            sum[s][1] = lanes::reduce(lanes::wide_difference(&rise, &y1), prime);
        }
        sum
    }
}

/// The lanes of which the lowest two limbs are zero.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn lowest_zero<const L: usize>(x: &Lanes<L>) -> __mmask8 {
    // SAFETY: the caller's promise.
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
unsafe fn scatter<const L: usize>(sum: &[Lanes<L>; 2], to: &mut [Point]) {
    // SAFETY: the caller's promise.
    let [x, y] = unsafe { [lanes::unload(&sum[0]), lanes::unload(&sum[1])] };
    for (i, to) in to.iter_mut().take(8).enumerate() {
        *to = Point { x: x[i], y: y[i] };
    }
}
