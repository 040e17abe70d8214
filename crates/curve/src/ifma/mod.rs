//! Eight lanes of a prime field on AVX-512 IFMA: the additions behind [`msm`](crate::msm).
//!
//! ```text
//!   a number of 52 L bits:  L vectors of eight words, limb j of lane i in word i of vector j     (L = 8 or 5)
//!   a point in memory:      the limbs of x in one line of 64 bytes, those of y in the next
//! ```
//! Numbers are in Montgomery form to the base `2^(52 L)` and not quite reduced: a product is below `1.2 p` if its factors' product
//! is below `16 p^2`, over Bandersnatch `7 p^2`, and `1.3 p` there if it is below `10 p^2`; what other functions ask and give they say, as multiples of `p`. Limbs are below 2^52 except
//! where a text says *wide*: signed, before their carries are propagated.
//!
//! (notes: curve-ifma)

#![expect(
    clippy::needless_range_loop,
    reason = "closures of iterators are not inlined into functions with other instructions"
)]

mod add;
mod double;
mod eight;
mod eights;
pub(crate) mod encoded;
mod fft;
mod lanes;
mod lines;
pub(crate) mod pairing;
mod prime;
mod product;
mod quadratic;
mod read;
mod scale;
mod straus;
mod twelve;

use core::marker::PhantomData;

use ark_ec::AffineRepr;
use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ff::AdditiveGroup;

use crate::msm::{Adder, Points, Ref, Single};
pub use eight::Eight;
pub(crate) use eights::Eights;
use field::cpu::{self, Features};
pub use prime::Limbs;
pub use quadratic::{Pairs, Quadratic};

/// What the kernels of this module are compiled with.
const INSTRUCTIONS: Features = Features::AVX512F.and(Features::AVX512DQ).and(Features::AVX512IFMA);

/// Eight lanes of a curve over a prime of `L` limbs.
pub struct Ifma<C, const L: usize>(PhantomData<fn() -> C>);

impl<C: Limbs<L>, const L: usize> Ifma<C, L> {
    /// Whether lanes double points: their formulas are for curves with `a = 0`, whose bounds hold where `2^(52 L)` is 84 times the prime or more. Others
    /// leave multiples to a single lane.
    fn doubles() -> bool {
        C::COEFF_A == C::BaseField::ZERO
    }
}

/// A point in memory; the identity is all zero.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    pub(crate) x: [u64; 8],
    pub(crate) y: [u64; 8],
}

impl<C: Limbs<L>, const L: usize> Adder for Ifma<C, L> {
    type Curve = C;
    type Point = Point;

    fn available() -> bool {
        cpu::has(INSTRUCTIONS)
    }

    fn import(points: &[Affine<C>]) -> Vec<Point> {
        let import = |p: &Affine<C>| match p.xy() {
            Some((x, y)) => Point { x: C::split(&x), y: C::split(&y) },
            None => Point { x: [0; 8], y: [0; 8] },
        };
        points.iter().map(import).collect()
    }

    fn export(point: &Point) -> Affine<C> {
        // The identity is (0, 0) there too.
        Affine::new_unchecked(C::join(&point.x), C::join(&point.y))
    }

    fn multiples(points: &[Affine<C>], c: usize, windows: usize, rows: &mut [Point]) {
        assert!(Self::available(), "instructions that this CPU does not have");
        if !Self::doubles() {
            let mut single = vec![Affine::zero(); rows.len()];
            Single::<C>::multiples(points, c, windows, &mut single);
            return rows.copy_from_slice(&Self::import(&single));
        }
        // SAFETY: the assertion above.
        unsafe { double::multiples::<C, L>(points, c, windows, rows) }
    }

    fn write(points: &[Point], bytes: &mut Vec<u8>) {
        let words = prime::words::<C, L>();
        for limbs in points.iter().flat_map(|p| [p.x, p.y]) {
            bytes.extend(prime::pack::<L>(&limbs).iter().take(words).flat_map(|word| word.to_le_bytes()));
        }
    }

    fn read(bytes: &[u8], rows: usize, windows: usize, twice: bool) -> Option<Vec<Point>> {
        let size = 8 * prime::words::<C, L>();
        let point = |b: &[u8]| Point { x: prime::unpack::<L>(&b[..size]), y: prime::unpack::<L>(&b[size..]) };
        if bytes.len() != 2 * size * rows * windows {
            return None;
        }
        if Self::available() {
            // SAFETY: the line above.
            return unsafe { read::read::<C, L>(bytes, windows, twice) };
        }
        let mut all = Vec::with_capacity(rows * windows * (1 + usize::from(twice)));
        for row in bytes.chunks(2 * size * windows) {
            all.extend(row.chunks(2 * size).map(point));
            if twice {
                let image = |p: &Point| Point { x: C::split(&(C::join(&p.x) * C::BETA)), y: p.y };
                all.extend_from_within(all.len() - windows..);
                let start = all.len() - windows;
                all[start..].iter_mut().for_each(|p| *p = image(p));
            }
        }
        Some(all)
    }

    fn scale(points: &[Affine<C>], scalars: &[C::ScalarField]) -> Vec<Affine<C>> {
        assert!(
            Self::available() && points.len() == scalars.len(),
            "a scalar for each point, and the instructions"
        );
        if points.is_empty() {
            return Vec::new();
        }
        if !Self::doubles() {
            return Single::<C>::scale(points, scalars);
        }
        // SAFETY: the CPU has the instructions, by the assertion above.
        unsafe { scale::scale::<C, L>(points, scalars) }
    }

    fn add_to(
        sums: &mut [Projective<C>],
        points: &[Affine<C>],
        scalars: &[C::ScalarField],
        owners: &[usize],
    ) -> bool {
        assert!(Self::available(), "instructions that this CPU does not have");
        // SAFETY: the line above.
        Self::doubles() && unsafe { straus::add_to::<C, L>(sums, points, scalars, owners) }
    }

    fn add(from: Points<Point>, pairs: &[[Ref; 2]], sums: &mut [Point]) {
        Self::add_and_fetch(from, pairs, sums, &[]);
    }

    fn add_and_fetch(from: Points<Point>, pairs: &[[Ref; 2]], sums: &mut [Point], later: &[Ref]) {
        assert!(Self::available(), "instructions that this CPU does not have");
        // SAFETY: the line above.
        unsafe { add::add::<C, L>(from, pairs, sums, later) }
    }
}

#[cfg(test)]
mod tests;
