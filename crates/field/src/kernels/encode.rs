//! Canonical encodings of slices, in lanes.

use super::lanes::{Kernel, Lanes, Vectors};
use crate::cpu::Tier;
use p3_field::PrimeField64;

/// Elements from which on lanes are worth a run.
const MIN_ELEMENTS: usize = 32;

/// [`Field::write_slice`](crate::Field::write_slice) of a prime field. `factor` times an element has the element's canonical integer as
/// its unique word: `None` where the conversion is no product.
#[inline]
pub(crate) fn write_slice<F: Vectors + PrimeField64>(
    tier: Tier,
    factor: Option<F>,
    values: &[F],
    out: &mut [u8],
) {
    assert_eq!(out.len(), values.len() * F::BYTES, "an encoding for each element");
    if values.len() < MIN_ELEMENTS {
        values.iter().zip(out.chunks_exact_mut(F::BYTES)).for_each(|(x, out)| x.write(out));
    } else {
        F::run(tier, Encode { factor, values, out });
    }
}

struct Encode<'a, F> {
    factor: Option<F>,
    values: &'a [F],
    out: &'a mut [u8],
}

impl<F: Vectors + PrimeField64> Kernel<F> for Encode<'_, F> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<L: Lanes<F>>(self) {
        let Self { factor, mut values, mut out } = self;
        if let Some(factor) = factor {
            let (whole, rest) = values.split_at(values.len() / L::WIDTH * L::WIDTH);
            let (encoded, tail) = out.split_at_mut(whole.len() * F::BYTES);
            // SAFETY: the CPU has the instructions of `L` by the contract of this function.
            let factor = unsafe { L::splat(factor) };
            for (values, out) in
                whole.chunks_exact(L::WIDTH).zip(encoded.chunks_exact_mut(L::WIDTH * F::BYTES))
            {
                // SAFETY: the CPU has the instructions of `L` by the contract of this function.
                let words = unsafe { L::load(values) } * factor;
                for (word, out) in words.lanes().iter().zip(out.chunks_exact_mut(F::BYTES)) {
                    out.copy_from_slice(&word.to_unique_u64().to_le_bytes()[..F::BYTES]);
                }
            }
            (values, out) = (rest, tail);
        }
        for (x, out) in values.iter().zip(out.chunks_exact_mut(F::BYTES)) {
            out.copy_from_slice(&x.as_canonical_u64().to_le_bytes()[..F::BYTES]);
        }
    }
}
