//! Values of polynomials over an extension at many points of the base field, a point in each lane.

use super::lanes::{Kernel, LaneShape, Lanes, Vectors};
use crate::ExtensionOf;
use crate::cpu::Tier;

/// Coefficients whose products are summed before one reduction.
const N: usize = 4;

/// [`ExtensionOf::evaluate_powers`] of an extension of degree `D`.
pub(crate) fn powers<B: Vectors, E: ExtensionOf<B>, const D: usize>(
    tier: Tier,
    coefficients: &[E],
    points: &[B],
    out: &mut [E],
) {
    assert_eq!(points.len(), out.len(), "a value for each point");
    let lanes = LaneShape::new::<B>(tier).width;
    // The last vector is filled up with zeros, as is the last group of coefficients.
    let mut flat = E::flatten(coefficients).into_owned();
    flat.resize(coefficients.len().next_multiple_of(N) * D, B::ZERO);
    let mut padded = points.to_vec();
    padded.resize(points.len().next_multiple_of(lanes), B::ZERO);
    let mut values = vec![B::ZERO; padded.len() * D];
    B::run(tier, Evaluate::<B, D> { flat: &flat, points: &padded, out: &mut values });
    E::with_flat_mut(out, |flat| flat.copy_from_slice(&values[..flat.len()]));
}

struct Evaluate<'a, B, const D: usize> {
    flat: &'a [B],
    points: &'a [B],
    out: &'a mut [B],
}

impl<B: Vectors, const D: usize> Kernel<B> for Evaluate<'_, B, D> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<L: Lanes<B>>(self) {
        let Self { flat, points, out } = self;
        // SAFETY: the CPU has the instructions of `L` by the contract of this function.
        let (zero, one) = unsafe { (L::splat(B::ZERO), L::splat(B::ONE)) };
        for (points, out) in points.chunks_exact(L::WIDTH).zip(out.chunks_exact_mut(L::WIDTH * D)) {
            // SAFETY: the CPU has the instructions of `L` by the contract of this function.
            let x = unsafe { L::load(points) };
            let square = x * x;
            let step = square * square;
            let mut powers = [one, x, square, square * x];
            let mut sums = [zero; D];
            for group in flat.chunks_exact(N * D) {
                for (c, sum) in sums.iter_mut().enumerate() {
                    let factors = [group[c], group[D + c], group[2 * D + c], group[3 * D + c]];
                    *sum += L::mixed_dot(&powers, &factors);
                }
                for power in &mut powers {
                    *power = *power * step;
                }
            }
            for (c, sum) in sums.iter().enumerate() {
                for (lane, &value) in sum.lanes().iter().enumerate() {
                    out[lane * D + c] = value;
                }
            }
        }
    }
}
