//! Sums over few points, with the doublings in common: a lane holds tracks of digits of several points, all of one sum.
//!
//! ```text
//!   k P = a P + b psi(P)     two tracks of 26 digits of five bits, from -16 to 15; a table has the multiples from 1 to 16, and their images
//!   five doublings of all lanes, then an addition for each track of a lane, 26 times
//! ```
//! Sixteen lanes with a point each would double twice as often. Here products that do not wait for each other take turns instead. Bounds are those of
//! a prime with 30 bits to spare, as in [`super::encoded`]: for curves whose scalars have no halves there is no such sum.
//!
//! (notes: curve-verifier)

use core::arch::x86_64::*;

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ff::Zero;

use super::double::Jacobian;
use super::encoded::twice;
use super::lanes::{self, Lanes};
use super::prime::{Limbs, Prime};
use super::product;
use super::{Ifma, Point};
use crate::msm::digits::{Recoding, Words};
use crate::msm::{Adder, Points, Ref};

/// The multiples of a point in its row of the table; its images are as many behind them.
const ROW: usize = 16;

/// The most tracks of a lane.
const DEPTH: usize = 8;

/// A half of a scalar.
struct Track {
    /// Where the multiples are.
    row: usize,
    /// Whether the multiples have the other sign: images do.
    opposite: bool,
    digits: Words,
}

/// An addition in every lane: which multiple, if there is one, and with which sign.
#[derive(Clone, Copy, Default)]
struct Step {
    at: [u32; 8],
    some: u8,
    negative: u8,
}

/// Adds `k_i P_i` to the sum that its owner names, for points of the subgroup that are not the identity. `false` if nothing was added: scalars have no
/// halves, there are too many, or an addition met equal or opposite points.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
pub(super) unsafe fn add_to<C: Limbs<L>, const L: usize>(
    sums: &mut [Projective<C>],
    points: &[Affine<C>],
    scalars: &[C::ScalarField],
    owners: &[usize],
) -> bool {
    let recoding = Recoding::new(5, 128);
    let mut tracks: Vec<Vec<Track>> = sums.iter().map(|_| Vec::new()).collect();
    for (at, (k, owner)) in scalars.iter().zip(owners).enumerate() {
        let Some(halves) = C::halves(k) else { return false };
        for (image, half) in halves.into_iter().enumerate().filter(|(_, half)| *half != 0) {
            let digits = recoding.lift(&[half as u64, (half >> 64) as u64]);
            tracks[*owner].push(Track { row: (2 * at + image) * ROW, opposite: image == 1, digits });
        }
    }
    let lanes_of = |depth: usize| tracks.iter().map(|own| own.len().div_ceil(depth)).sum::<usize>();
    let Some(depth) = (1..=DEPTH).find(|depth| lanes_of(*depth) <= 8) else { return false };
    let lanes: Vec<(usize, &[Track])> = tracks
        .iter()
        .enumerate()
        .flat_map(|(owner, own)| own.chunks(depth).map(move |some| (owner, some)))
        .collect();
    let steps = steps(&lanes, depth, &recoding);
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); steps name multiples of the points, whose table
    // this is.
    let ends = unsafe { run::<C, L>(&table::<C, L>(points), &steps, depth, recoding.c) };
    let Some(ends) = ends else { return false };
    lanes.iter().zip(ends).for_each(|((owner, _), end)| sums[*owner] += end);
    true
}

/// `P, 2P, ..., 16P` for each point, and behind them their images.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
unsafe fn table<C: Limbs<L>, const L: usize>(points: &[Affine<C>]) -> Vec<Point> {
    // Of the powers of two 1, 2, 4, 8, 16, by their numbers: 3, 5, 6, 7, 9, 10, 12, 14, 15.
    const FIRST: [(usize, usize, bool); 9] = [
        (1, 0, false),
        (2, 0, false),
        (2, 1, false),
        (3, 0, true),
        (3, 0, false),
        (3, 1, false),
        (3, 2, false),
        (4, 1, true),
        (4, 0, true),
    ];
    let none = Point { x: [0; 8], y: [0; 8] };
    let mut powers = vec![none; 5 * points.len()];
    Ifma::<C, L>::multiples(points, 1, 5, &mut powers);
    let first: Vec<[Ref; 2]> = (0..points.len())
        .flat_map(|i| FIRST.map(|(a, b, minus)| [Ref::base(5 * i + a, false), Ref::base(5 * i + b, minus)]))
        .collect();
    let mut sums = vec![none; first.len()];
    Ifma::<C, L>::add(Points { bases: &powers, sums: &[] }, &first, &mut sums);
    // 11 = 10 + 1 and 13 = 12 + 1.
    let second: Vec<[Ref; 2]> = (0..points.len())
        .flat_map(|i| [5, 6].map(|a| [Ref::sum(9 * i + a), Ref::base(5 * i, false)]))
        .collect();
    let mut last = vec![none; second.len()];
    Ifma::<C, L>::add(Points { bases: &powers, sums: &sums }, &second, &mut last);
    let mut all = Vec::with_capacity(2 * ROW * points.len());
    for ((p, s), l) in powers.chunks(5).zip(sums.chunks(9)).zip(last.chunks(2)) {
        all.extend([p[0], p[1], s[0], p[2], s[1], s[2], s[3], p[3]]);
        all.extend([s[4], s[5], l[0], s[6], l[1], s[7], s[8], p[4]]);
        // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`), as the contract of this function repeats.
        unsafe { append_images::<C, L>(&mut all, ROW) };
    }
    all
}

/// Appends the last `count` points with `beta x` in the place of `x`.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn append_images<C: Limbs<L>, const L: usize>(all: &mut Vec<Point>, count: usize) {
    // SAFETY: this function enables AVX-512 F, DQ and IFMA; points are read and written through slices.
    unsafe {
        let prime = const { &C::PRIME };
        let beta: Lanes<L> = lanes::load(&[C::split(&C::BETA); 8]);
        let first = all.len() - count;
        for start in (first..first + count).step_by(16) {
            let count = (first + count - start).min(16);
            let group = |s: usize| -> Lanes<L> {
                lanes::load(&core::array::from_fn(|i| all[start + (8 * s + i).min(count - 1)].x))
            };
            let images = product::products([&group(0), &group(1)], [&beta; 2], prime);
            let images = [lanes::unload(&images[0]), lanes::unload(&images[1])];
            for i in 0..count {
                all.push(Point { x: images[i / 8][i % 8], y: all[start + i].y });
            }
        }
    }
}

/// The additions, from the highest digits on, `depth` for each digit.
fn steps(lanes: &[(usize, &[Track])], depth: usize, recoding: &Recoding) -> Vec<Step> {
    let mut steps = Vec::with_capacity(recoding.windows * depth);
    for window in (0..recoding.windows).rev() {
        for at in 0..depth {
            let mut step = Step::default();
            for (lane, (_, tracks)) in lanes.iter().enumerate() {
                let Some(track) = tracks.get(at) else { continue };
                let digit = recoding.digit(&track.digits, window);
                if digit != 0 {
                    step.at[lane] = (track.row + digit.unsigned_abs() as usize - 1) as u32;
                    step.some |= 1 << lane;
                    step.negative |= u8::from((digit < 0) != track.opposite) << lane;
                }
            }
            steps.push(step);
        }
    }
    steps
}

/// The sums of the lanes; those in which nothing was added are zero. `None` if an addition met equal or opposite points.
///
/// # Safety
/// The CPU has AVX-512 F, DQ and IFMA.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
unsafe fn run<C: Limbs<L>, const L: usize>(
    table: &[Point],
    steps: &[Step],
    depth: usize,
    doublings: usize,
) -> Option<[Projective<C>; 8]> {
    // SAFETY: this function enables AVX-512 F, DQ and IFMA; points are read through slices.
    unsafe {
        let prime = const { &C::PRIME };
        let one: Lanes<L> = lanes::splat(&prime.one);
        let mut sum: Jacobian<L> = [one; 3];
        let mut empty = 0xff_u8; // the lanes whose sum is still the identity
        for steps in steps.chunks(depth) {
            for _ in 0..if empty == 0xff { 0 } else { doublings } {
                sum = twice(&sum, prime);
            }
            for step in steps.iter().filter(|step| step.some != 0) {
                add_mixed(&mut sum, table, step, &mut empty, prime);
            }
        }
        let [x, y] = product::products([&sum[0], &sum[1]], [&one; 2], prime);
        let z = product::product(&sum[2], &one, prime);
        let [x, y, z] = [x, y, z].each_ref().map(|c| lanes::unload(c).each_ref().map(C::join));
        let mut ends = [Projective::zero(); 8];
        for (i, end) in ends.iter_mut().enumerate().filter(|(i, _)| empty >> i & 1 == 0) {
            if z[i].is_zero() {
                return None;
            }
            *end = Projective::new_unchecked(x[i], y[i], z[i]);
        }
        Some(ends)
    }
}

/// Adds multiples to points in Jacobian coordinates: eleven products. `Z` becomes zero if the points are equal or opposite; where a sum is empty
/// it becomes the multiple. Of coordinates below 10.1 p, as they are then.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn add_mixed<const L: usize>(
    p: &mut Jacobian<L>,
    table: &[Point],
    step: &Step,
    empty: &mut __mmask8,
    prime: &'static Prime<L>,
) {
    // SAFETY: AVX-512 F, DQ and IFMA were detected (`Ifma::available`); a coordinate is eight words in a `Point` aligned to
    // 64 bytes.
    unsafe {
        let (mut x, mut y) = ([_mm512_setzero_si512(); 8], [_mm512_setzero_si512(); 8]);
        for i in 0..8 {
            let point = &table[step.at[i] as usize];
            x[i] = _mm512_load_si512(point.x.as_ptr().cast());
            y[i] = _mm512_load_si512(point.y.as_ptr().cast());
        }
        let (x2, mut y): (Lanes<L>, Lanes<L>) = (lanes::transpose(&x), lanes::transpose(&y));
        for j in 0..L {
            y[j] = _mm512_mask_sub_epi64(y[j], step.negative, _mm512_setzero_si512(), y[j]);
        }
        let y2 = lanes::carry(lanes::wide_sum(&y, &lanes::splat(&prime.multiples[3]))); // 5.1
        let [x1, y1, z1] = p;
        let [zz, yz] = product::products([z1, &y2], [z1, z1], prime);
        let [u, s] = product::products([&x2, &yz], [&zz, &zz], prime);
        let h = lanes::difference(&u, x1, 11, prime); // 12.1
        let r = lanes::difference(&s, y1, 11, prime); // 12.1
        let [hh, rr] = product::squares([&h, &r], prime);
        let [hhh, v] = product::products([&h, x1], [&hh, &hh], prime);
        let less = lanes::wide_sum(&hhh, &lanes::wide_shift::<L, 1>(&v));
        let x3 = lanes::difference(&rr, &less, 4, prime); // 5.1
        let [z3, fall] = product::products([z1, y1], [&h, &hhh], prime);
        let run = lanes::difference(&v, &x3, 6, prime); // 7.1
        let rise = product::product(&r, &run, prime);
        let next = [x3, lanes::difference(&rise, &fall, 2, prime), z3]; // 3.1
        let fresh = [x2, y2, lanes::splat(&prime.one)];
        for (at, limbs) in p.iter_mut().enumerate() {
            for j in 0..L {
                let added = _mm512_mask_blend_epi64(*empty, next[at][j], fresh[at][j]);
                limbs[j] = _mm512_mask_blend_epi64(step.some, limbs[j], added);
            }
        }
        *empty &= !step.some;
    }
}
