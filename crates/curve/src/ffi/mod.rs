//! blst, for BLS12-381: decompression, subgroups, inverses, pairings, and arithmetic in constant time. And what asks for memory.
//!
//! Field elements are the same six words in both libraries: Montgomery form to the base 2^384, the lowest word first, reduced. A
//! point is its coordinates, `(0, 0)` the identity.

mod base;
mod prefetch;

use ark_bls12_381::{Fq, Fq2, G1Affine, G2Affine};
use ark_ec::AffineRepr;
use ark_ff::{AdditiveGroup, BigInt};
use blst::{BLST_ERROR, blst_fp, blst_fp2, blst_fp6, blst_fp12, blst_p1_affine, blst_p2_affine};

pub(crate) use base::{Base, g1_add, g1_affine, g1_double, g1_sum, g1_times};
pub(crate) use prefetch::prefetch;

fn to_fp(x: &Fq) -> blst_fp {
    blst_fp { l: x.0.0 }
}

fn from_fp(x: &blst_fp) -> Fq {
    Fq::new_unchecked(BigInt(x.l))
}

fn to_fp2(x: &Fq2) -> blst_fp2 {
    blst_fp2 { fp: [to_fp(&x.c0), to_fp(&x.c1)] }
}

fn to_p1(p: &G1Affine) -> blst_p1_affine {
    p.xy().map_or_else(blst_p1_affine::default, |(x, y)| blst_p1_affine { x: to_fp(&x), y: to_fp(&y) })
}

fn to_p2(p: &G2Affine) -> blst_p2_affine {
    p.xy().map_or_else(blst_p2_affine::default, |(x, y)| blst_p2_affine { x: to_fp2(&x), y: to_fp2(&y) })
}

/// The point of a compressed encoding, on the curve and not necessarily in the subgroup.
pub(crate) fn g1_uncompress(bytes: &[u8; 48]) -> Option<G1Affine> {
    let mut p = blst_p1_affine::default();
    // SAFETY: `p` can be written, and 48 bytes can be read.
    let answer = unsafe { blst::blst_p1_uncompress(&raw mut p, bytes.as_ptr()) };
    let point = G1Affine::new_unchecked(from_fp(&p.x), from_fp(&p.y));
    (answer == BLST_ERROR::BLST_SUCCESS).then_some(point)
}

/// The point of a compressed encoding, on the curve and not necessarily in the subgroup.
pub(crate) fn g2_uncompress(bytes: &[u8; 96]) -> Option<G2Affine> {
    let mut p = blst_p2_affine::default();
    // SAFETY: `p` can be written, and 96 bytes can be read.
    let answer = unsafe { blst::blst_p2_uncompress(&raw mut p, bytes.as_ptr()) };
    let pair = |x: &blst_fp2| Fq2::new(from_fp(&x.fp[0]), from_fp(&x.fp[1]));
    (answer == BLST_ERROR::BLST_SUCCESS).then_some(G2Affine::new_unchecked(pair(&p.x), pair(&p.y)))
}

/// Whether a point of the curve is in the subgroup.
pub(crate) fn g1_in_subgroup(p: &G1Affine) -> bool {
    // SAFETY: the argument can be read.
    p.is_zero() || unsafe { blst::blst_p1_affine_in_g1(&to_p1(p)) }
}

/// Whether a point of the curve is in the subgroup.
pub(crate) fn g2_in_subgroup(p: &G2Affine) -> bool {
    // SAFETY: the argument can be read.
    p.is_zero() || unsafe { blst::blst_p2_affine_in_g2(&to_p2(p)) }
}

/// `1/x`, and 0 of 0.
pub(crate) fn invert(x: &Fq) -> Fq {
    let mut inverse = blst_fp::default();
    // SAFETY: both can be read, the first can be written.
    unsafe { blst::blst_fp_eucl_inverse(&raw mut inverse, &to_fp(x)) };
    from_fp(&inverse)
}

/// Writes `a b`. blst takes the instructions that the machine has.
#[inline(always)]
pub(crate) fn product(out: &mut Fq, a: &Fq, b: &Fq) {
    // SAFETY: all are six words, which is all that a `blst_fp` is; the first can be written, the others read.
    unsafe {
        blst::blst_fp_mul((&raw mut out.0.0).cast(), (&raw const a.0.0).cast(), (&raw const b.0.0).cast())
    };
}

/// Writes the square of `a`.
#[inline(always)]
pub(crate) fn square(out: &mut Fq, a: &Fq) {
    // SAFETY: both are six words, which is all that a `blst_fp` is; the first can be written, the second read.
    unsafe { blst::blst_fp_sqr((&raw mut out.0.0).cast(), (&raw const a.0.0).cast()) };
}

/// The lines of Miller's loop for a fixed point of the second group.
#[derive(Clone, Debug)]
pub(crate) struct Lines(Vec<blst_fp6>);

/// How many lines blst writes for a point.
const LINES: usize = 68;

impl Lines {
    /// # Panics
    /// For the identity.
    pub fn new(q: &G2Affine) -> Self {
        assert!(!q.is_zero(), "the identity has no lines");
        let mut lines = vec![blst_fp6::default(); LINES];
        // SAFETY: 68 lines can be written, the point can be read.
        unsafe { blst::blst_precompute_lines(lines.as_mut_ptr(), &to_p2(q)) };
        Self(lines)
    }
}

/// Doublings after each addition of Miller's loop, the order of blst's lines behind the first, which is a doubling's.
const DOUBLINGS: [usize; 5] = [2, 3, 9, 32, 16];

/// An element of the target group.
pub(crate) type Target = blst_fp12;

/// Whether the product of the pairings is one.
pub(crate) fn product_is_one(pairs: &[(&G1Affine, &Lines)]) -> bool {
    pairing_product(pairs) == blst_fp12::default()
}

/// The conjugate of the product of the pairings. The squarings of Miller's loop are made once for all pairs.
///
/// blst ends the loop with a conjugation, because the curve's parameter is negative: it commutes with what follows, and is left out.
pub(crate) fn pairing_product(pairs: &[(&G1Affine, &Lines)]) -> Target {
    let points: Vec<_> =
        pairs.iter().filter_map(|(p, lines)| p.xy().map(|p| (LineFactors::new(p), &lines.0))).collect();
    let mut product = blst_fp12::default();
    let mut at = 0;
    let mut multiply = |product: &mut blst_fp12| {
        points.iter().for_each(|(p, lines)| p.multiply(product, &lines[at]));
        at += 1;
    };
    multiply(&mut product);
    for doublings in DOUBLINGS {
        multiply(&mut product);
        for _ in 0..doublings {
            let before = product;
            // SAFETY: the first can be written, the second read.
            unsafe { blst::blst_fp12_sqr(&raw mut product, &before) };
            multiply(&mut product);
        }
    }
    product.final_exp()
}

/// What blst's lines lack of a point: `-2x` and `2y`.
struct LineFactors {
    x: blst_fp,
    y: blst_fp,
}

impl LineFactors {
    fn new((x, y): (Fq, Fq)) -> Self {
        Self { x: to_fp(&-x.double()), y: to_fp(&y.double()) }
    }

    /// Multiplies by a line at the point: three coefficients of twelve, the second by `x`, the third by `y`.
    fn multiply(&self, product: &mut blst_fp12, line: &blst_fp6) {
        let (mut value, before) = (*line, *product);
        let [_, second, third] = &mut value.fp2;
        for (part, factor) in [(second, &self.x), (third, &self.y)] {
            for coefficient in &mut part.fp {
                let plain = *coefficient;
                // SAFETY: the first can be written, the others read.
                unsafe { blst::blst_fp_mul(coefficient, &plain, factor) };
            }
        }
        // SAFETY: the first can be written, the others read.
        unsafe { blst::blst_fp12_mul_by_xy00z0(product, &before, &value) };
    }
}
