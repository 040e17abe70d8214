//! Products of pairings: with fixed points of the second group, what KZG verifiers ask; and of any number, on any of the pairing curves.

use core::fmt::Debug;

use ark_ec::pairing::Pairing;
use ark_ec::short_weierstrass::Affine;
use ark_ec::{AffineRepr, CurveGroup};

use crate::bls12_381::{self, G1, G2};
use crate::ffi::{self, Lines, product_is_one};
use crate::fft::Scalar;
use crate::msm::{Bases, Curve};
use crate::{Invalid, bn254};

/// Two points of BLS12-381's second group, prepared.
#[derive(Clone, Debug)]
pub struct Pair {
    lines: [Lines; 2],
}

impl Pair {
    /// Prepares `q` and `s`, points of the subgroup.
    ///
    /// # Errors
    /// If one of them is the identity, for which every check would pass.
    pub fn new(q: &G2, s: &G2) -> Result<Self, Invalid> {
        if q.is_zero() || s.is_zero() {
            return Err(Invalid("a pairing with the identity says nothing"));
        }
        Ok(Self { lines: [Lines::new(q), Lines::new(s)] })
    }

    /// Whether `e(a, q) e(b, s) = 1`, for points of the subgroup. Cost: Miller's loop for two pairs, whose squarings are
    /// shared, and a final exponentiation, less than half a millisecond.
    #[must_use]
    pub fn is_one(&self, a: &G1, b: &G1) -> bool {
        let [q, s] = &self.lines;
        product_is_one(&[(a, q), (b, s)])
    }
}

/// Any number of points of BLS12-381's second group, prepared.
#[derive(Clone, Debug)]
pub struct Product {
    lines: Vec<Lines>,
}

impl Product {
    /// Prepares points of the subgroup.
    ///
    /// # Errors
    /// If one of them is the identity.
    pub fn new(points: &[G2]) -> Result<Self, Invalid> {
        if points.iter().any(G2::is_zero) {
            return Err(Invalid("a pairing with the identity says nothing"));
        }
        Ok(Self { lines: points.iter().map(Lines::new).collect() })
    }

    /// Whether the product of the pairings of these points of the first subgroup with the prepared ones is one; never for another number of
    /// points. Cost: Miller's loop with shared squarings, and one final exponentiation.
    #[must_use]
    pub fn is_one(&self, points: &[G1]) -> bool {
        let pairs: Vec<_> = points.iter().zip(&self.lines).collect();
        points.len() == self.lines.len() && product_is_one(&pairs)
    }
}

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
        let mut bytes = vec![0; 2 * points.len()];
        (0..130_usize.div_ceil(bits)).all(|_| {
            stream.fill(&mut bytes);
            let weight = |b: &[u8; 2]| u64::from(u16::from_le_bytes(*b) & ((1 << bits) - 1));
            let weights: Vec<_> = bytes.as_chunks().0.iter().map(|b| Self::Scalar::from(weight(b))).collect();
            points.sum(&weights).into_affine().is_in_correct_subgroup_assuming_on_curve()
        })
    }
}

/// BN254. A final exponentiation and Miller's loop are those of arkworks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bn254;

impl PairingCurve for Bn254 {
    type Scalar = bn254::Fr;
    type G1 = ark_bn254::g1::Config;
    type G2 = ark_bn254::g2::Config;
    type Prepared = <bn254::Engine as Pairing>::G2Prepared;
    type Value = <bn254::Engine as Pairing>::TargetField;

    const NAME: &'static str = "BN254";
    const ID: [u8; 8] = *b"bn254\0\0\0";
    const ATTACK_BITS: u32 = 100;
    const G1_BYTES: usize = 32;
    const G2_BYTES: usize = 64;
    // 10069 divides the cofactor, and nothing smaller does.
    const G2_COFACTOR_BITS: usize = 13;

    fn prepare(q: &bn254::G2) -> Self::Prepared {
        (*q).into()
    }

    fn product(pairs: &[(bn254::G1, &Self::Prepared)]) -> Self::Value {
        let (p, q): (Vec<_>, Vec<_>) = pairs.iter().map(|(p, q)| (*p, (*q).clone())).unzip();
        bn254::Engine::multi_pairing(p, q).0
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
