//! What `ffi` has of blst, by arkworks: for verifiers without the standard library or a C compiler. Nothing here is constant time.

use alloc::vec::Vec;

use ark_bls12_381::{Bls12_381, Fq, G1Affine, G2Affine};
use ark_ec::AffineRepr;
use ark_ec::bls12::G2Prepared;
use ark_ec::pairing::Pairing;
use ark_ff::Field;
use ark_serialize::CanonicalDeserialize;

/// The point of a compressed encoding, on the curve and not necessarily in the subgroup.
pub(crate) fn g1_uncompress(bytes: &[u8; 48]) -> Option<G1Affine> {
    G1Affine::deserialize_compressed_unchecked(&bytes[..]).ok().filter(G1Affine::is_on_curve)
}

/// The point of a compressed encoding, on the curve and not necessarily in the subgroup.
pub(crate) fn g2_uncompress(bytes: &[u8; 96]) -> Option<G2Affine> {
    G2Affine::deserialize_compressed_unchecked(&bytes[..]).ok().filter(G2Affine::is_on_curve)
}

/// Whether a point of the curve is in the subgroup.
pub(crate) fn g1_in_subgroup(p: &G1Affine) -> bool {
    p.is_in_correct_subgroup_assuming_on_curve()
}

/// Whether a point of the curve is in the subgroup.
pub(crate) fn g2_in_subgroup(p: &G2Affine) -> bool {
    p.is_in_correct_subgroup_assuming_on_curve()
}

/// `1/x`, and 0 of 0.
pub(crate) fn invert(x: &Fq) -> Fq {
    x.inverse().unwrap_or_default()
}

/// The lines of Miller's loop for a fixed point of the second group.
#[derive(Clone, Debug)]
pub(crate) struct Lines(G2Prepared<ark_bls12_381::Config>);

impl Lines {
    /// # Panics
    /// For the identity.
    pub fn new(q: &G2Affine) -> Self {
        assert!(!q.is_zero(), "the identity has no lines");
        Self((*q).into())
    }
}

/// Whether the product of the pairings is one.
pub(crate) fn product_is_one(pairs: &[(&G1Affine, &Lines)]) -> bool {
    let (points, lines): (Vec<_>, Vec<_>) = pairs.iter().map(|(p, lines)| (**p, lines.0.clone())).unzip();
    Bls12_381::multi_pairing(points, lines).0 == Field::ONE
}

#[cfg(test)]
mod tests {
    use ark_bls12_381::{Fr, G1Projective, G2Projective};
    use ark_ec::{CurveGroup, PrimeGroup};
    use ark_ff::{AdditiveGroup, UniformRand};
    use ark_std::rand::{Rng, SeedableRng, rngs::StdRng};

    use super::*;
    use crate::bls12_381::{encode_g1, encode_g2};
    use crate::ffi;

    /// A verdict on bytes as decoders make it: a point of the subgroup with this one encoding.
    fn points(bytes: &[u8; 48]) -> [Option<G1Affine>; 2] {
        let right = |p: &G1Affine, inside: bool| inside && encode_g1(p) == *bytes;
        let own = g1_uncompress(bytes).filter(|p| right(p, g1_in_subgroup(p)));
        [own, ffi::g1_uncompress(bytes).filter(|p| right(p, ffi::g1_in_subgroup(p)))]
    }

    fn second_points(bytes: &[u8; 96]) -> [Option<G2Affine>; 2] {
        let right = |p: &G2Affine, inside: bool| inside && encode_g2(p) == *bytes;
        let own = g2_uncompress(bytes).filter(|p| right(p, g2_in_subgroup(p)));
        [own, ffi::g2_uncompress(bytes).filter(|p| right(p, ffi::g2_in_subgroup(p)))]
    }

    /// Of encodings of points, of the identity, of points outside of the subgroup, with each flag changed, with every byte changed, and of numbers that are not
    /// reduced.
    #[test]
    fn decoders_agree_with_blst() {
        let rng = &mut StdRng::seed_from_u64(71);
        for round in 0..8 {
            let p = G1Projective::rand(rng).into_affine();
            let q = G2Projective::rand(rng).into_affine();
            let p = if round == 0 { G1Affine::zero() } else { p };
            let q = if round == 0 { G2Affine::zero() } else { q };
            let (one, two) = (encode_g1(&p), encode_g2(&q));
            assert_eq!(points(&one), [Some(p); 2]);
            assert_eq!(second_points(&two), [Some(q); 2]);
            for at in 0..48 {
                let flips = if at == 0 {
                    (0..8).map(|bit| 1 << bit).collect()
                } else {
                    [rng.gen_range(1..=255)].to_vec()
                };
                for flip in flips {
                    let mut bytes = one;
                    bytes[at] ^= flip;
                    let [own, other] = points(&bytes);
                    assert_eq!(own, other, "{round} {at}");
                    let mut bytes = two;
                    bytes[2 * at] ^= flip;
                    let [own, other] = second_points(&bytes);
                    assert_eq!(own, other, "{round} {at}");
                }
            }
        }
        for top in [0x80, 0x9f, 0xa0, 0xbf, 0xc0, 0xdf, 0xe0, 0xff, 0, 0x1f] {
            for rest in [0, 0xff] {
                let mut bytes = [rest; 48];
                bytes[0] = top;
                let [own, other] = points(&bytes);
                assert_eq!(own, other, "{top:x} {rest:x}");
                let mut bytes = [rest; 96];
                bytes[0] = top;
                let [own, other] = second_points(&bytes);
                assert_eq!(own, other, "{top:x} {rest:x}");
            }
        }
    }

    /// Points of the curves outside of the subgroups are told from those inside; inverses are the same.
    #[test]
    fn subgroups_are_those_of_blst() {
        let rng = &mut StdRng::seed_from_u64(72);
        let mut seen = [0; 2];
        while seen.iter().any(|n| *n < 4) {
            let p = G1Affine::get_point_from_x_unchecked(Fq::rand(rng), true);
            let q = G2Affine::get_point_from_x_unchecked(ark_bls12_381::Fq2::rand(rng), false);
            if let Some(p) = p {
                let inside = [p, p.clear_cofactor()].map(|p| (g1_in_subgroup(&p), ffi::g1_in_subgroup(&p)));
                assert_eq!(inside, [(false, false), (true, true)]);
                seen[0] += 1;
            }
            if let Some(q) = q {
                let inside = [q, q.clear_cofactor()].map(|q| (g2_in_subgroup(&q), ffi::g2_in_subgroup(&q)));
                assert_eq!(inside, [(false, false), (true, true)]);
                seen[1] += 1;
            }
            let x = Fq::rand(rng);
            assert_eq!(invert(&x), ffi::invert(&x));
        }
        assert_eq!(invert(&Fq::ZERO), ffi::invert(&Fq::ZERO));
    }

    /// `e(a P, b Q) e(-ab P, Q) = 1`, and no other product.
    #[test]
    fn products_are_those_of_blst() {
        let rng = &mut StdRng::seed_from_u64(73);
        let (p, q) = (G1Projective::generator(), G2Projective::generator());
        for wrong in [false, true] {
            let [a, b] = [Fr::rand(rng), Fr::rand(rng)];
            let c = if wrong { Fr::rand(rng) } else { a * b };
            let (first, second) = ((p * a).into_affine(), (-(p * c)).into_affine());
            let points = [(q * b).into_affine(), q.into_affine()];
            let own = points.each_ref().map(Lines::new);
            let other = points.each_ref().map(ffi::Lines::new);
            assert_eq!(product_is_one(&[(&first, &own[0]), (&second, &own[1])]), !wrong);
            assert_eq!(ffi::product_is_one(&[(&first, &other[0]), (&second, &other[1])]), !wrong);
            let zero = G1Affine::zero();
            assert!(product_is_one(&[(&zero, &own[0]), (&zero, &own[1])]));
        }
    }
}
