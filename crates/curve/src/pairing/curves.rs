//! The pairing curves, each as one type.

use core::fmt::Debug;

use ark_ec::pairing::Pairing;
use ark_ec::short_weierstrass::Affine;
use ark_ec::{AffineRepr, CurveGroup};
use field::parallel;

use crate::bls12_381::{self, G1, G2};
use crate::ffi::{self, Lines};
use crate::fft::Scalar;
use crate::msm::{Bases, Curve};
use crate::{Invalid, bn254};

/// A pairing curve as one type: its groups, products of pairings, encodings.
///
/// Law: [`Self::product`] is the product of the pairings, up to an automorphism of the target group that is the same for all arguments; the identity in
/// either group gives one.
pub trait PairingCurve: Copy + Debug + Eq + Send + Sync + 'static {
    /// The scalar field.
    type Scalar: Scalar;
    /// The first group.
    type G1: Curve<ScalarField = Self::Scalar>;
    /// The second group.
    type G2: Curve<ScalarField = Self::Scalar>;
    /// A point of the second group with the lines of Miller's loop.
    type Prepared: Clone + Debug + Send + Sync;
    /// An element of the target group.
    type Value: Clone + Debug + PartialEq + Send + Sync;

    /// The curve's name.
    const NAME: &'static str;
    /// The curve's name in files.
    const ID: [u8; 8];
    /// The logarithm of the cost of the best known attack on the discrete logarithm in the target group, about. Not proven.
    const ATTACK_BITS: u32;
    /// Bytes of a compressed point of the first group; uncompressed, twice as many.
    const G1_BYTES: usize;
    /// Bytes of a compressed point of the second group; uncompressed, twice as many.
    const G2_BYTES: usize;

    /// The lines for a point.
    #[must_use]
    fn prepare(q: &Affine<Self::G2>) -> Self::Prepared;

    /// The product of `e(P, Q)` over the pairs. Cost: one Miller's loop, whose squarings are shared, and one final exponentiation.
    #[must_use]
    fn product(pairs: &[(Affine<Self::G1>, &Self::Prepared)]) -> Self::Value;

    /// The point of a compressed encoding of [`Self::G1_BYTES`].
    ///
    /// # Errors
    /// If the bytes are not the one encoding of a point of the subgroup.
    fn decode_g1(bytes: &[u8]) -> Result<Affine<Self::G1>, Invalid>;

    /// The point of a compressed encoding of [`Self::G2_BYTES`].
    ///
    /// # Errors
    /// If the bytes are not the one encoding of a point of the subgroup.
    fn decode_g2(bytes: &[u8]) -> Result<Affine<Self::G2>, Invalid>;

    /// Tells whether points of the curve are all in the subgroup.
    #[must_use]
    fn g1_in_subgroup(points: &[Affine<Self::G1>]) -> bool;

    /// The bits of a number that is not above the smallest prime factor of the second group's cofactor.
    const G2_COFACTOR_BITS: usize;

    /// Tells whether points of the second group's curve are all in the subgroup, by sums with weights from the hash of a seed that whoever chose the points
    /// could not choose apart from them. Points outside pass with probability below 2^-128.
    ///
    /// A part of a point's order outside of the subgroup is at least the cofactor's smallest prime `q`, so that of the weights below `2^b <= q` at
    /// most one makes a sum with it right: one of `2^b`, in each of `130/b` sums. Cost: so many additions for each point.
    #[must_use]
    fn g2_in_subgroup(points: &Bases<Self::G2>, seed: &[u8; 32]) -> bool {
        let bits = Self::G2_COFACTOR_BITS;
        let mut stream = blake3::Hasher::new_keyed(seed).finalize_xof();
        // Weights of one digit: a sum keeps one thread busy, so that the sums are made side by side.
        let bytes: Vec<Vec<u8>> = (0..130_usize.div_ceil(bits))
            .map(|_| {
                let mut bytes = vec![0; 2 * points.len()];
                stream.fill(&mut bytes);
                bytes
            })
            .collect();
        let inside = parallel::map(bytes.iter(), |bytes| {
            let weight = |b: &[u8; 2]| u16::from_le_bytes(*b) & ((1 << bits) - 1);
            let weights: Vec<u16> = bytes.as_chunks().0.iter().map(weight).collect();
            points.sum_of_digits(&weights, bits).into_affine().is_in_correct_subgroup_assuming_on_curve()
        });
        inside.into_iter().all(|inside| inside)
    }
}

/// BN254. Pairings are in lanes of AVX-512 IFMA where the CPU has them, otherwise arkworks'; both give the same value. (notes: curve-pairing)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bn254;

/// The lines of a point of BN254's second group; none for the identity.
#[derive(Clone, Debug)]
pub struct PreparedBn254(LinesBn254);

#[derive(Clone, Debug)]
enum LinesBn254 {
    #[cfg(target_arch = "x86_64")]
    Lanes(bn254::G2, crate::ifma::pairing::Lines),
    Portable(<bn254::Engine as Pairing>::G2Prepared),
}

impl PreparedBn254 {
    /// The lines for lanes, if these are they.
    #[cfg(target_arch = "x86_64")]
    fn lanes(&self) -> Option<&crate::ifma::pairing::Lines> {
        match &self.0 {
            LinesBn254::Lanes(_, lines) => Some(lines),
            LinesBn254::Portable(_) => None,
        }
    }

    fn portable(&self) -> <bn254::Engine as Pairing>::G2Prepared {
        match &self.0 {
            #[cfg(target_arch = "x86_64")]
            LinesBn254::Lanes(q, _) => (*q).into(),
            LinesBn254::Portable(lines) => lines.clone(),
        }
    }
}

/// The product of pairings over BN254, on any machine.
fn portable_product(pairs: &[(bn254::G1, &PreparedBn254)]) -> <bn254::Engine as Pairing>::TargetField {
    let (p, q): (Vec<_>, Vec<_>) = pairs.iter().map(|(p, q)| (*p, q.portable())).unzip();
    bn254::Engine::multi_pairing(p, q).0
}

impl PairingCurve for Bn254 {
    type Scalar = bn254::Fr;
    type G1 = ark_bn254::g1::Config;
    type G2 = ark_bn254::g2::Config;
    type Prepared = PreparedBn254;
    type Value = <bn254::Engine as Pairing>::TargetField;

    const NAME: &'static str = "BN254";
    const ID: [u8; 8] = *b"bn254\0\0\0";
    const ATTACK_BITS: u32 = 100;
    const G1_BYTES: usize = 32;
    const G2_BYTES: usize = 64;
    // 10069 divides the cofactor, and nothing smaller does.
    const G2_COFACTOR_BITS: usize = 13;

    fn prepare(q: &bn254::G2) -> PreparedBn254 {
        #[cfg(target_arch = "x86_64")]
        if crate::ifma::pairing::available() {
            return PreparedBn254(LinesBn254::Lanes(*q, crate::ifma::pairing::Lines::new(q)));
        }
        PreparedBn254(LinesBn254::Portable((*q).into()))
    }

    fn product(pairs: &[(bn254::G1, &PreparedBn254)]) -> Self::Value {
        #[cfg(target_arch = "x86_64")]
        if crate::ifma::pairing::available() {
            let lanes = pairs.iter().map(|(p, q)| Some((*p, q.lanes()?)));
            if let Some(pairs) = lanes.collect::<Option<Vec<_>>>() {
                return crate::ifma::pairing::product(&pairs);
            }
        }
        portable_product(pairs)
    }

    fn decode_g1(bytes: &[u8]) -> Result<bn254::G1, Invalid> {
        bn254::decode_g1(bytes.try_into().map_err(|_| LENGTH)?)
    }

    fn decode_g2(bytes: &[u8]) -> Result<bn254::G2, Invalid> {
        bn254::decode_g2(bytes.try_into().map_err(|_| LENGTH)?)
    }

    /// All points of the curve are.
    fn g1_in_subgroup(_: &[bn254::G1]) -> bool {
        true
    }
}

/// BLS12-381. Pairings are blst's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bls12381;

/// The lines of a point of BLS12-381's second group; none for the identity.
#[derive(Clone, Debug)]
pub struct PreparedBls12381(Option<Lines>);

/// An element of BLS12-381's target group.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueBls12381(ffi::Target);

impl PairingCurve for Bls12381 {
    type Scalar = bls12_381::Fr;
    type G1 = ark_bls12_381::g1::Config;
    type G2 = ark_bls12_381::g2::Config;
    type Prepared = PreparedBls12381;
    type Value = ValueBls12381;

    const NAME: &'static str = "BLS12-381";
    const ID: [u8; 8] = *b"bls12381";
    const ATTACK_BITS: u32 = 120;
    const G1_BYTES: usize = 48;
    const G2_BYTES: usize = 96;
    // 13 divides the cofactor, and nothing smaller does.
    const G2_COFACTOR_BITS: usize = 3;

    fn prepare(q: &G2) -> PreparedBls12381 {
        PreparedBls12381((!q.is_zero()).then(|| Lines::new(q)))
    }

    fn product(pairs: &[(G1, &PreparedBls12381)]) -> ValueBls12381 {
        let pairs: Vec<_> = pairs.iter().filter_map(|(p, q)| q.0.as_ref().map(|lines| (p, lines))).collect();
        ValueBls12381(ffi::pairing_product(&pairs))
    }

    fn decode_g1(bytes: &[u8]) -> Result<G1, Invalid> {
        bls12_381::decode_g1(bytes.try_into().map_err(|_| LENGTH)?)
    }

    fn decode_g2(bytes: &[u8]) -> Result<G2, Invalid> {
        bls12_381::decode_g2(bytes.try_into().map_err(|_| LENGTH)?)
    }

    fn g1_in_subgroup(points: &[G1]) -> bool {
        bls12_381::in_subgroup(points)
    }
}

const LENGTH: Invalid = Invalid("an encoding of another length");

#[cfg(test)]
mod tests {
    use ark_ff::UniformRand;
    use ark_std::rand::SeedableRng;

    use super::*;

    /// Of any number of pairs, with the identity in either group, and at products that are one.
    #[test]
    fn products_over_bn254_are_those_of_any_machine() {
        let rng = &mut ark_std::rand::rngs::StdRng::seed_from_u64(50);
        let mut pairs: Vec<(bn254::G1, bn254::G2)> = Vec::new();
        for i in 0..5 {
            let p = bn254::G1Projective::rand(rng).into_affine();
            let q = bn254::G2Projective::rand(rng).into_affine();
            pairs.push(if i == 2 { (p, bn254::G2::zero()) } else { (p, q) });
            pairs.extend((i == 3).then_some((bn254::G1::zero(), q)));
            let lines: Vec<_> = pairs.iter().map(|(_, q)| Bn254::prepare(q)).collect();
            let pairs: Vec<_> = pairs.iter().zip(&lines).map(|((p, _), q)| (*p, q)).collect();
            let value = Bn254::product(&pairs);
            assert_eq!(value, portable_product(&pairs), "{i}");
            let (first, rest) = pairs.split_first().expect("a pair");
            let opposite: Vec<_> =
                [*first, (-first.0, first.1)].into_iter().chain(rest.iter().copied()).collect();
            assert_eq!(Bn254::product(&opposite), portable_product(rest));
        }
        assert_eq!(Bn254::product(&[]), portable_product(&[]));
    }

    /// Points of the twist, of the subgroup and of small order; multiples of the order.
    #[test]
    fn the_second_subgroup_of_bn254_is_told_by_an_endomorphism() {
        let rng = &mut ark_std::rand::rngs::StdRng::seed_from_u64(51);
        for i in 0..6 {
            let any = core::iter::repeat_with(|| bn254::Fq2::rand(rng));
            let any = any.map(|x| bn254::G2::get_point_from_x_unchecked(x, i % 2 == 0));
            let p = any.flatten().next().expect("half of all numbers are abscissas");
            let outside = p.mul_bigint(<bn254::Fr as ark_ff::PrimeField>::MODULUS).into_affine();
            // The cofactor is the order of the part outside: what is left of it is of order 10069.
            let small = outside.mul_bigint(SMALL_PART).into_affine();
            assert!(small.mul_bigint([10069_u64]).into_affine().is_zero());
            for point in [p, outside, small, p.clear_cofactor(), bn254::G2::zero()] {
                let inside =
                    point.mul_bigint(<bn254::Fr as ark_ff::PrimeField>::MODULUS).into_affine().is_zero();
                assert_eq!(bn254::g2_in_subgroup(&point), inside, "{i}");
                assert_eq!(bn254::portable_g2_in_subgroup(&point), inside, "{i}");
            }
        }
    }

    /// The cofactor divided by 10069.
    const SMALL_PART: [u64; 4] =
        [0x6c3c_d334_915f_1659, 0x2071_42f7_671a_f448, 0x9e28_bcf6_5b56_81da, 0x0001_3af7_a58f_ce69];
}
