//! Four lanes of BLS12-381's base field on AVX2: the additions behind [`msm`](crate::msm) where there is no IFMA.
//!
//! ```text
//!   a number:           eight vectors of four doubles, word j of lane i in place i of vector j
//!   a word:             a whole number times 2^(48 j), with a sign
//!   a point in memory:  the words of x in one line of 64 bytes, those of y in the next
//! ```
//! A double has 53 bits, and a fused multiply-add says what a product's rounding lost: so products of words are exact in two halves. Numbers are
//! in Montgomery form to the base `2^384`, 9.85 times the prime, on both sides of zero: how far from it functions say as multiples of
//! `p`. A product of factors within `a p` and `b p` is within `(0.501 + ab/9.85) p`.
//!
//! Source of the products: Emmart, Zheng and Weems, "Faster modular exponentiation using double precision floating point arithmetic on the GPU" (2018).
//!
//! (notes: curve-avx2)

#![expect(
    clippy::needless_range_loop,
    reason = "closures of iterators are not inlined into functions with other instructions"
)]

mod add;
mod lanes;
mod prime;
#[cfg(test)]
mod tests;

use ark_bls12_381::g1::Config;
use ark_ec::AffineRepr;
use ark_ec::short_weierstrass::Affine;

use crate::msm::{Adder, Points, Ref, Single};
use field::cpu::{self, Features};

type Scalar = ark_bls12_381::Fr;

/// Four lanes of BLS12-381's first group.
pub struct Avx2;

/// A point in memory; the identity is all zero.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Within `p` of 0.
    x: [f64; 8],
    /// Within `p` of 0.
    y: [f64; 8],
}

impl Adder for Avx2 {
    type Curve = Config;
    type Point = Point;

    fn available() -> bool {
        cpu::has(Features::AVX2.and(Features::FMA))
    }

    fn import(points: &[Affine<Config>]) -> Vec<Point> {
        let import = |p: &Affine<Config>| match p.xy() {
            Some((x, y)) => Point { x: prime::split(&x), y: prime::split(&y) },
            None => Point { x: [0.0; 8], y: [0.0; 8] },
        };
        points.iter().map(import).collect()
    }

    fn export(point: &Point) -> Affine<Config> {
        // The identity is (0, 0) there too.
        Affine::new_unchecked(prime::join(&point.x), prime::join(&point.y))
    }

    fn multiples(points: &[Affine<Config>], c: usize, windows: usize, rows: &mut [Point]) {
        let mut single = vec![Affine::zero(); rows.len()];
        Single::<Config>::multiples(points, c, windows, &mut single);
        rows.copy_from_slice(&Self::import(&single));
    }

    /// In the form of a single lane.
    fn write(points: &[Point], bytes: &mut Vec<u8>) {
        let points: Vec<_> = points.iter().map(Self::export).collect();
        Single::<Config>::write(&points, bytes);
    }

    fn read(bytes: &[u8], rows: usize, windows: usize, twice: bool) -> Option<Vec<Point>> {
        Some(Self::import(&Single::<Config>::read(bytes, rows, windows, twice)?))
    }

    fn scale(points: &[Affine<Config>], scalars: &[Scalar]) -> Vec<Affine<Config>> {
        Single::<Config>::scale(points, scalars)
    }

    fn add(from: Points<Point>, pairs: &[[Ref; 2]], sums: &mut [Point]) {
        assert!(Self::available(), "instructions that this CPU does not have");
        // SAFETY: the line above.
        unsafe { add::add(from, pairs, sums) }
    }
}
