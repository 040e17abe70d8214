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
            let refs = refs(pairs, step, last);
            let mut d = [zero; 2];
            for s in 0..2 {
                let (x1, x2) = (gather::<L, 0>(from, &refs[s], 0), gather::<L, 0>(from, &refs[s], 1));
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
        let mut rest = [1, 0].map(|other| lanes::product(&inverse, &product[other], prime));
        for step in (0..steps).rev() {
            let refs = refs(pairs, step, last);
            // The way forward has written this.
            let sum = backward(from, &refs, kept[step].assume_init_ref(), &mut rest, prime);
            for (s, to) in sums[step * STEP..].chunks_mut(8).take(2).enumerate() {
                scatter(&sum[s], to);
            }
        }
        true
    }
}

/// The references of a step; behind the last pair it stands again.
fn refs(pairs: &[[Ref; 2]], step: usize, last: &[Ref; 2]) -> [[[Ref; 2]; 8]; 2] {
    let at = |i: usize| pairs.get(step * STEP + i).copied().unwrap_or(*last);
    core::array::from_fn(|s| core::array::from_fn(|i| at(8 * s + i)))
}

/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn backward<const L: usize>(
    from: Points<Point>,
    refs: &[[[Ref; 2]; 8]; 2],
    kept: &[Lanes<L>; 2],
    rest: &mut [Lanes<L>; 2],
    prime: &'static Prime<L>,
) -> [[Lanes<L>; 2]; 2] {
    // SAFETY: the caller's promise.
    unsafe {
        let zero = [_mm512_setzero_si512(); L];
        let (mut x1, mut x2, mut dy) = ([zero; 2], [zero; 2], [zero; 2]);
        let mut slope = [zero; 2];
        for s in 0..2 {
            (x1[s], x2[s]) = (gather::<L, 0>(from, &refs[s], 0), gather::<L, 0>(from, &refs[s], 1));
            slope[s] = lanes::product(&rest[s], &kept[s], prime);
        }
        for s in 0..2 {
            let d = lanes::difference(&x2[s], &x1[s], 3, prime);
            rest[s] = lanes::product(&rest[s], &d, prime);
        }
        for s in 0..2 {
            // From -2.1 p - 1.2 p to 2.1 p + 1.2 p, so that 4 p make it positive.
            let y1 = signed(&gather::<L, 1>(from, &refs[s], 0), &refs[s], 0);
            let y2 = signed(&gather::<L, 1>(from, &refs[s], 1), &refs[s], 1);
            let difference = lanes::wide_difference(&y2, &y1);
            dy[s] = lanes::carry(lanes::wide_sum(&difference, &lanes::splat(&prime.multiples[4])));
            slope[s] = lanes::product(&slope[s], &dy[s], prime);
        }
        let mut sum = [[zero; 2]; 2];
        for s in 0..2 {
            let square = lanes::square(&slope[s], prime);
            let both = lanes::wide_sum(&x1[s], &x2[s]);
            sum[s][0] = lanes::reduce(lanes::wide_difference(&square, &both), prime);
        }
        for s in 0..2 {
            let y1 = signed(&gather::<L, 1>(from, &refs[s], 0), &refs[s], 0);
            let run = lanes::difference(&x1[s], &sum[s][0], 3, prime);
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

/// Coordinate `Y` (0: x, 1: y) of the left (0) or right (1) points of eight pairs.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn gather<const L: usize, const Y: usize>(
    from: Points<Point>,
    refs: &[[Ref; 2]; 8],
    side: usize,
) -> Lanes<L> {
    // SAFETY: the caller's promise; a coordinate is 64 bytes.
    unsafe {
        let rows = core::array::from_fn(|i| {
            let point = from.at(refs[i][side]);
            let at = if Y == 0 { &point.x } else { &point.y };
            _mm512_load_si512(at.as_ptr().cast())
        });
        lanes::transpose(&rows)
    }
}

/// Wide `y` or `-y`, as the references say.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn signed<const L: usize>(y: &Lanes<L>, refs: &[[Ref; 2]; 8], side: usize) -> Lanes<L> {
    let mut negative = 0_u8;
    for (i, pair) in refs.iter().enumerate() {
        negative |= u8::from(pair[side].is_negative()) << i;
    }
    // SAFETY: the caller's promise.
    core::array::from_fn(|j| unsafe { _mm512_mask_sub_epi64(y[j], negative, _mm512_setzero_si512(), y[j]) })
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
