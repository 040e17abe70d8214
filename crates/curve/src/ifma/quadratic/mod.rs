//! Affine additions over a quadratic extension `F(u)` with `u^2 = -1`, in batches: those of [`super::add`] with pairs of numbers.
//!
//! ```text
//!   (a + b u)(c + d u) = (ac - bd) + ((a + b)(c + d) - ac - bd) u        three products
//!   (a + b u)^2        = (a + b)(a - b) + 2ab u                          two
//! ```
//! Bounds, in multiples of p, where a product of `x` and `y` is below `1 + xy/84` (BN254; BLS12-381 has more room): points and products of pairs are
//! below 2.1, differences below 5.1, those of y below 7.2, so that sums are below 14.4 and 4.2, and their products below 1.8.
//!
//! (notes: curve-second)

mod add;

use core::marker::PhantomData;

use ark_ec::AffineRepr;
use ark_ec::short_weierstrass::Affine;
use ark_ff::AdditiveGroup;

use super::INSTRUCTIONS;
use super::prime::Limbs;
use crate::msm::{self, Adder, BATCH, Points, Ref, Single, add_apart};
use field::cpu;

/// A curve over pairs of numbers of `L` limbs.
pub trait Pairs<const L: usize>: msm::Lanes {
    /// A curve over the prime field.
    type Prime: Limbs<L>;

    /// The limbs of both coordinates of an element.
    fn split(x: &Self::BaseField) -> [[u64; 8]; 2];

    /// The element of limbs that need not be reduced: below `4 p`.
    fn join(limbs: &[[u64; 8]; 2]) -> Self::BaseField;
}

impl Pairs<5> for ark_bn254::g2::Config {
    type Prime = ark_bn254::g1::Config;

    fn split(x: &Self::BaseField) -> [[u64; 8]; 2] {
        [Self::Prime::split(&x.c0), Self::Prime::split(&x.c1)]
    }

    fn join(limbs: &[[u64; 8]; 2]) -> Self::BaseField {
        Self::BaseField::new(Self::Prime::join(&limbs[0]), Self::Prime::join(&limbs[1]))
    }
}

impl Pairs<8> for ark_bls12_381::g2::Config {
    type Prime = ark_bls12_381::g1::Config;

    fn split(x: &Self::BaseField) -> [[u64; 8]; 2] {
        [Self::Prime::split(&x.c0), Self::Prime::split(&x.c1)]
    }

    fn join(limbs: &[[u64; 8]; 2]) -> Self::BaseField {
        Self::BaseField::new(Self::Prime::join(&limbs[0]), Self::Prime::join(&limbs[1]))
    }
}

/// Eight lanes of a curve over pairs of numbers of `L` limbs.
pub struct Quadratic<C, const L: usize>(PhantomData<fn() -> C>);

/// A point in memory; the identity is all zero.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairPoint {
    x: [[u64; 8]; 2],
    y: [[u64; 8]; 2],
}

/// What is not an addition is done by a single lane.
impl<C: Pairs<L>, const L: usize> Adder for Quadratic<C, L> {
    type Curve = C;
    type Point = PairPoint;

    fn available() -> bool {
        cpu::has(INSTRUCTIONS)
    }

    fn import(points: &[Affine<C>]) -> Vec<PairPoint> {
        let import = |p: &Affine<C>| match p.xy() {
            Some((x, y)) => PairPoint { x: C::split(&x), y: C::split(&y) },
            None => PairPoint { x: [[0; 8]; 2], y: [[0; 8]; 2] },
        };
        points.iter().map(import).collect()
    }

    fn export(point: &PairPoint) -> Affine<C> {
        // The identity is (0, 0) there too.
        let (x, y) = (C::join(&point.x), C::join(&point.y));
        if x == C::BaseField::ZERO && y == C::BaseField::ZERO {
            return Affine::zero();
        }
        Affine::new_unchecked(x, y)
    }

    fn multiples(points: &[Affine<C>], c: usize, windows: usize, rows: &mut [PairPoint]) {
        let mut single = vec![Affine::zero(); rows.len()];
        Single::<C>::multiples(points, c, windows, &mut single);
        rows.copy_from_slice(&Self::import(&single));
    }

    fn scale(points: &[Affine<C>], scalars: &[C::ScalarField]) -> Vec<Affine<C>> {
        Single::<C>::scale(points, scalars)
    }

    /// In the form of a single lane.
    fn write(points: &[PairPoint], bytes: &mut Vec<u8>) {
        let points: Vec<_> = points.iter().map(Self::export).collect();
        Single::<C>::write(&points, bytes);
    }

    fn read(bytes: &[u8], rows: usize, windows: usize, twice: bool) -> Option<Vec<PairPoint>> {
        Some(Self::import(&Single::<C>::read(bytes, rows, windows, twice)?))
    }

    fn add(from: Points<PairPoint>, pairs: &[[Ref; 2]], sums: &mut [PairPoint]) {
        assert!(Self::available(), "instructions that this CPU does not have");
        assert!(pairs.len() == sums.len() && pairs.len() <= BATCH, "a batch and its sums");
        // SAFETY: AVX-512 F, DQ and IFMA were detected by the assertion above.
        if unsafe { add::additions::<C, L>(from, pairs, sums) } {
            return;
        }
        let is_plain = |[p, q]: [&PairPoint; 2]| {
            let identity = |p: &PairPoint| p.x == [[0; 8]; 2] && p.y == [[0; 8]; 2];
            let tiny = |p: &PairPoint| p.x[0][0] | p.x[0][1] == 0;
            !identity(p) && !identity(q) && !tiny(p) && !tiny(q) && C::join(&p.x) != C::join(&q.x)
        };
        // SAFETY: AVX-512 F, DQ and IFMA were detected by the first assertion of this function.
        let plain = |pairs: &[_], sums: &mut [_]| unsafe { add::additions::<C, L>(from, pairs, sums) };
        add_apart::<Self>(from, pairs, sums, is_plain, plain);
    }
}
