//! Compressed points of BLS12-381's first group, several at once: what [`decode_g1`] does, with the long chains of products side by side.
//!
//! (notes: curve-verifier)

use crate::Invalid;
use crate::bls12_381::{G1, decode_g1};
#[cfg(feature = "prover")]
use crate::ffi;

/// Writes what [`decode_g1`] gives for each encoding.
pub(crate) fn decode(encodings: &[&[u8; 48]], results: &mut [Result<G1, Invalid>]) {
    #[cfg(all(target_arch = "x86_64", feature = "prover"))]
    if encodings.len() > 1 && vector::available() {
        return encodings.chunks(8).zip(results.chunks_mut(8)).for_each(|(e, r)| vector::decode(e, r));
    }
    results.iter_mut().zip(encodings).for_each(|(result, bytes)| *result = decode_g1(bytes));
}

/// Tells whether points of the curve, at most eight, are in the subgroup.
#[cfg(feature = "prover")]
pub(crate) fn in_subgroup(points: &[G1]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if points.len() > 1 && vector::available() {
        return vector::inside(points);
    }
    points.iter().all(ffi::g1_in_subgroup)
}

#[cfg(all(target_arch = "x86_64", feature = "prover"))]
mod vector {
    use ark_bls12_381::Fq;
    use ark_ec::AffineRepr;
    use ark_ff::{BigInt, PrimeField, Zero};

    use crate::Invalid;
    use crate::bls12_381::{G1, NO_POINT, checked_g1, decode_g1, encode_g1};
    use crate::ifma::encoded::{in_subgroup, roots};
    use crate::msm::Adder;
    use crate::{ffi, ifma};

    /// Flags of the first byte: compressed, the identity, the larger `y`.
    const COMPRESSED: u8 = 0x80;
    const IDENTITY: u8 = 0x40;
    const LARGER: u8 = 0x20;

    pub(super) fn available() -> bool {
        ifma::Ifma::<ark_bls12_381::g1::Config, 8>::available()
    }

    /// At most eight.
    pub(super) fn decode(encodings: &[&[u8; 48]], results: &mut [Result<G1, Invalid>]) {
        let mut x = [None; 8];
        x.iter_mut().zip(encodings).for_each(|(x, bytes)| *x = plain(bytes));
        let mut y = roots(&x.map(Option::unwrap_or_default));
        for (y, bytes) in y.iter_mut().zip(encodings) {
            let larger = y.into_bigint() > Fq::MODULUS_MINUS_ONE_DIV_TWO;
            *y = if larger == (bytes[0] & LARGER != 0) { *y } else { -*y };
        }
        let points = core::array::from_fn(|i| G1::new_unchecked(x[i].unwrap_or_default(), y[i]));
        let inside = in_subgroup(&points);
        for (i, (result, &bytes)) in results.iter_mut().zip(encodings).enumerate() {
            let p = points[i];
            *result = match x[i] {
                // The identity, and what says no `x`.
                None => decode_g1(bytes),
                Some(_) if !p.is_on_curve() => Err(NO_POINT),
                Some(_) => {
                    let inside = inside[i].unwrap_or_else(|| ffi::g1_in_subgroup(&p));
                    checked_g1(p, encode_g1(&p) == *bytes, inside)
                }
            };
        }
    }

    /// Tells whether points of the curve, at most eight, are in the subgroup. The identity, and places without a point, are replaced by the generator.
    pub(super) fn inside(points: &[G1]) -> bool {
        let point = |i: usize| points.get(i).copied().filter(|p| !p.is_zero()).unwrap_or_else(G1::generator);
        let eight: [G1; 8] = core::array::from_fn(point);
        let alone = |(p, inside): (&G1, Option<bool>)| inside.unwrap_or_else(|| ffi::g1_in_subgroup(p));
        eight.iter().zip(in_subgroup(&eight)).all(alone)
    }

    /// The `x` of a compressed point that is not the identity, nor of order 3: `x = 0`, of which blst says that it is no point.
    fn plain(bytes: &[u8; 48]) -> Option<Fq> {
        let mut words = [0; 6];
        for (word, bytes) in words.iter_mut().rev().zip(bytes.as_chunks().0) {
            *word = u64::from_be_bytes(*bytes);
        }
        words[5] &= u64::MAX >> 3;
        let point = bytes[0] & (COMPRESSED | IDENTITY) == COMPRESSED;
        if point { Fq::from_bigint(BigInt(words)).filter(|x| !x.is_zero()) } else { None }
    }
}
