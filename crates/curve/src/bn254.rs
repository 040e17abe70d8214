//! BN254: elements, and encodings as arkworks writes them (little-endian, flags in the last byte).
//!
//! A decoder accepts one encoding for each value, of a point on the curve and in the subgroup. The identity is a value like others.

use ark_ec::bn::BnConfig;
use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ec::{AdditiveGroup as _, AffineRepr};
use ark_ff::{BigInt, BigInteger, Field, MontConfig, PrimeField};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};

pub use ark_bn254::{
    Bn254 as Engine, Fq, Fq2, Fr, G1Affine as G1, G1Projective, G2Affine as G2, G2Projective,
};

use ark_bn254::{Config, FrConfig};

use crate::Invalid;
use crate::bls12_381::{encode, on_curve};

/// 32 bytes, little-endian.
#[must_use]
pub fn encode_fr(x: &Fr) -> [u8; 32] {
    encode(x, true)
}

/// The scalar of 32 bytes.
///
/// # Errors
/// If the number is not below the order of the group.
pub fn decode_fr(bytes: &[u8; 32]) -> Result<Fr, Invalid> {
    Fr::deserialize_compressed(&bytes[..]).map_err(|_| Invalid("a scalar that is not reduced"))
}

/// `1/x`; `None` of 0. Not constant time: for a prover's witness, whose time is not hidden.
#[must_use]
pub fn inverse(x: &Fr) -> Option<Fr> {
    crate::inverse::inverse(x)
}

/// `(start + sum weights_i numbers_i) / 2^64`: one reduction for all, where each number of 64 bits as an element costs a product before it is multiplied. Whoever
/// wants the sum itself has start and weights times `2^64`. Not constant time.
#[must_use]
pub fn shifted_sum<const N: usize>(start: &Fr, weights: &[Fr; N], numbers: [u64; N]) -> Fr {
    const { assert!(N <= 4, "the sum has 320 bits") };
    const MODULUS: [u64; 4] = Fr::MODULUS.0;
    let [a, b, c, d] = start.0.0;
    let mut sum = [a, b, c, d, 0];
    let add = |sum: &mut [u64; 5], words: &[u64; 4], number: u64| {
        let mut carry = 0;
        for (sum, word) in sum.iter_mut().zip(words) {
            let all = u128::from(*word) * u128::from(number) + u128::from(*sum) + u128::from(carry);
            (*sum, carry) = (all as u64, (all >> 64) as u64);
        }
        sum[4] += carry;
    };
    for (weight, number) in weights.iter().zip(numbers) {
        add(&mut sum, &weight.0.0, number);
    }
    // A step of Montgomery's reduction: below N p + 2 p.
    let multiple = sum[0].wrapping_mul(FrConfig::INV);
    add(&mut sum, &MODULUS, multiple);
    let [_, a, b, c, d] = sum;
    let mut sum = BigInt([a, b, c, d]);
    while sum >= Fr::MODULUS {
        sum.sub_with_borrow(&Fr::MODULUS);
    }
    Fr::new_unchecked(sum)
}

/// 32 bytes: compressed.
#[must_use]
pub fn encode_g1(p: &G1) -> [u8; 32] {
    encode(p, true)
}

/// 64 bytes: compressed.
#[must_use]
pub fn encode_g2(p: &G2) -> [u8; 64] {
    encode(p, true)
}

/// The point of a compressed encoding.
///
/// # Errors
/// If the bytes are not the encoding of a point of the curve.
pub fn decode_g1(bytes: &[u8; 32]) -> Result<G1, Invalid> {
    // All points of the curve are in the group.
    compressed(bytes, |_| true)
}

/// The point of a compressed encoding. Cost: a square root in the quadratic extension, and [`g2_in_subgroup`].
///
/// # Errors
/// If the bytes are not the encoding of a point of the subgroup.
pub fn decode_g2(bytes: &[u8; 64]) -> Result<G2, Invalid> {
    compressed(bytes, g2_in_subgroup)
}

/// Tells whether a point of the second group's curve is in the subgroup: `(x + 1) P + psi(x P) + psi^2(x P) = psi^3(2 x P)`, for the curve's parameter `x` and
/// the endomorphism `psi`. Cost: a multiple by 63 bits. In lanes of AVX-512 IFMA it is `[6x + 2] P + psi(P) - psi^2(P) = -psi^3(P)`, where Miller's loop ends.
///
/// `psi` has `psi^2 - t psi + p = 0` on the whole curve, so that a point of the kernel has an order that divides the norm of `(x + 1) + x psi + x psi^2 - 2 x psi^3`,
/// which is a multiple of the group's order and has no factor in common with the cofactor.
///
/// Source: El Housni, Guillevic and Piellard, "Co-factor clearing and subgroup membership testing on pairing-friendly curves" (2022), section 4.
#[must_use]
pub fn g2_in_subgroup(p: &G2) -> bool {
    #[cfg(target_arch = "x86_64")]
    if crate::ifma::pairing::available() {
        return crate::ifma::pairing::in_subgroup(p);
    }
    portable_g2_in_subgroup(p)
}

/// [`g2_in_subgroup`] on any machine.
pub(crate) fn portable_g2_in_subgroup(p: &G2) -> bool {
    let multiple = p.mul_bigint(Config::X);
    let once = psi(&multiple);
    let twice = psi(&once);
    let left = multiple + p + once + twice;
    left == psi(&twice).double()
}

/// The power by p of the coordinates, on the twist.
fn psi(p: &G2Projective) -> G2Projective {
    let image = |x: &Fq2| {
        let mut x = *x;
        x.frobenius_map_in_place(1);
        x
    };
    let (x, y) = (image(&p.x) * Config::TWIST_MUL_BY_Q_X, image(&p.y) * Config::TWIST_MUL_BY_Q_Y);
    Projective::new_unchecked(x, y, image(&p.z))
}

/// The point of an uncompressed encoding.
///
/// # Errors
/// If the bytes are not the encoding of a point of the curve.
pub fn decode_g1_uncompressed(bytes: &[u8; 64]) -> Result<G1, Invalid> {
    uncompressed(bytes, |_| true)
}

/// The point of an uncompressed encoding.
///
/// # Errors
/// If the bytes are not the encoding of a point of the subgroup.
pub fn decode_g2_uncompressed(bytes: &[u8; 128]) -> Result<G2, Invalid> {
    uncompressed(bytes, g2_in_subgroup)
}

fn compressed<C: SWCurveConfig, const N: usize>(
    bytes: &[u8; N],
    inside: impl Fn(&Affine<C>) -> bool,
) -> Result<Affine<C>, Invalid> {
    const NO_POINT: Invalid = Invalid("no point of the subgroup");
    // A root is taken, so that the point is on the curve.
    let p = Affine::<C>::deserialize_compressed_unchecked(&bytes[..]).map_err(|_| NO_POINT)?;
    if !inside(&p) {
        return Err(NO_POINT);
    }
    canonical(p, &encode(&p, true), bytes)
}

fn uncompressed<C: SWCurveConfig, const N: usize>(
    bytes: &[u8; N],
    inside: impl Fn(&Affine<C>) -> bool,
) -> Result<Affine<C>, Invalid> {
    let p = on_curve::<C>(bytes)?;
    if !inside(&p) {
        return Err(Invalid("the point is outside the subgroup"));
    }
    canonical(p, &encode(&p, false), bytes)
}

fn canonical<P: CanonicalSerialize, const N: usize>(
    p: P,
    again: &[u8; N],
    bytes: &[u8; N],
) -> Result<P, Invalid> {
    if again == bytes { Ok(p) } else { Err(Invalid("not the encoding of its value")) }
}

#[cfg(test)]
mod tests {
    use ark_ff::UniformRand;
    use ark_std::rand::{Rng, SeedableRng};

    use super::*;

    /// The largest elements with the largest numbers too.
    #[test]
    fn shifted_sums_are_sums() {
        let rng = &mut ark_std::rand::rngs::StdRng::seed_from_u64(52);
        let shift = Fr::from(1_u128 << 64);
        for i in 0..200 {
            let (mut start, mut weights) =
                (Fr::rand(rng), core::array::from_fn::<_, 4, _>(|_| Fr::rand(rng)));
            let mut numbers: [u64; 4] = core::array::from_fn(|_| rng.r#gen::<u64>() >> (i % 64));
            if i < 4 {
                let mut largest = BigInt(Fr::MODULUS.0);
                largest.sub_with_borrow(&BigInt::from(1_u64));
                // As it is in memory.
                (start, weights) = (Fr::new_unchecked(largest), [Fr::new_unchecked(largest); 4]);
                numbers = [[u64::MAX; 4], [0; 4], [1; 4], [0, u64::MAX, 0, 1]][i];
            }
            let expected = weights.iter().zip(numbers).map(|(w, n)| *w * Fr::from(n)).sum::<Fr>() + start;
            assert_eq!(shifted_sum(&start, &weights, numbers) * shift, expected, "{i}");
        }
        assert_eq!(shifted_sum(&shift, &[], []), Fr::from(1_u64));
    }
}
