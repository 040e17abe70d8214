//! Setups for multilinear polynomials: `eq_b(tau) G1` for every `b` of a hypercube and `tau_i G2`, over BLS12-381, for secrets `tau_i` that
//! nobody knows (Papamanthou, Shi and Tamassia, TCC 2013, in the Lagrange basis).
//!
//! A file has the points over all variables alone. Those of the faces, by which quotients are committed to, are sums of two neighbours.
//!
//! (notes: curve-srs-multilinear)

use ark_ec::{AffineRepr, CurveGroup, PrimeGroup, ScalarMul};
use ark_ff::{One, Zero};
use field::parallel;

use super::{file, scalars};
use crate::Invalid;
use crate::bls12_381::{self, Fr, G1, G1Projective, G2};
use crate::msm;
use crate::pairing::Product;

const MAGIC: &[u8; 16] = b"tenfold mkzg srs";

/// The most variables: sums are over fewer than 2^24 points.
const MAX_VARIABLES: usize = 23;

const LENGTH: Invalid = Invalid("a setup of another length than it says");

/// The multilinear Lagrange basis at a secret point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultilinearSrs {
    /// `levels[i][b] = eq_b(tau_i, tau_(i+1), ...) G1`: from all variables to none.
    levels: Vec<Vec<G1>>,
    /// `G2`, then `tau_i G2`, variable 0 first.
    g2: Vec<G2>,
    /// BLAKE3 of the file.
    digest: [u8; 32],
}

impl MultilinearSrs {
    /// Reads a file. Every point is checked, and that they are the basis at one point.
    ///
    /// Cost: for each point a check of the subgroup and two multiples by 128 bits; one product of pairings.
    ///
    /// # Errors
    /// If the bytes are too many or too few, a point is the identity or not of the subgroup, or the points are not the basis at the point that
    /// those of the second group say.
    pub fn read(bytes: &[u8]) -> Result<Self, Invalid> {
        let srs = Self::parse(bytes, true)?;
        srs.check_basis()?;
        Ok(srs)
    }

    /// Reads a file that is known: its bytes have this BLAKE3 digest (in hexadecimal), so that nothing else has to be checked.
    ///
    /// # Errors
    /// If they have another digest, or are not a setup.
    pub fn read_pinned(bytes: &[u8], digest: &str) -> Result<Self, Invalid> {
        if blake3::hash(bytes).to_hex().as_str() != digest {
            return Err(Invalid("another file than the one that was asked for"));
        }
        Self::parse(bytes, false)
    }

    /// The bytes that [`Self::read`] reads: `tenfold mkzg srs`, the number of variables in 8 bytes, the points of both groups, uncompressed.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        encode(&self.levels[0], &self.g2)
    }

    /// **Insecure**: the basis at a point that the caller knows, with which every proof can be forged. For tests and measurements.
    ///
    /// # Panics
    /// If there are no variables or more than 23, or a coordinate is 0 or 1.
    #[must_use]
    pub fn insecure_from_point(tau: &[Fr]) -> Self {
        assert!((1..=MAX_VARIABLES).contains(&tau.len()), "from 1 to {MAX_VARIABLES} variables");
        assert!(tau.iter().all(|t| !t.is_zero() && !t.is_one()), "no coordinate is 0 or 1");
        let mut basis = vec![Fr::one()];
        for t in tau {
            let high: Vec<Fr> = basis.iter().map(|x| *x * t).collect();
            basis.iter_mut().zip(&high).for_each(|(low, high)| *low -= high);
            basis.extend(high);
        }
        let points = G1Projective::generator().batch_mul(&basis);
        let second = G2::generator();
        let g2: Vec<G2> =
            core::iter::once(second).chain(tau.iter().map(|t| (second * t).into_affine())).collect();
        let digest = *blake3::hash(&encode(&points, &g2)).as_bytes();
        Self { levels: levels(points), g2, digest }
    }

    /// The BLAKE3 digest of [`Self::write`], which says which setup it is; in hexadecimal what [`Self::read_pinned`] asks for.
    #[must_use]
    pub fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// The number of variables.
    #[must_use]
    pub fn variables(&self) -> usize {
        self.levels.len() - 1
    }

    /// `eq_b(tau_first, tau_(first+1), ...) G1` for all `b`, variable `first` the lowest bit; the generator alone if `first` is the number of
    /// variables, and nothing beyond.
    pub fn level(&self, first: usize) -> &[G1] {
        self.levels.get(first).map_or(&[], Vec::as_slice)
    }

    /// `G2`, then `tau_i G2`, variable 0 first.
    pub fn g2(&self) -> &[G2] {
        &self.g2
    }

    fn parse(bytes: &[u8], check: bool) -> Result<Self, Invalid> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(Invalid("not a setup for multilinear polynomials"))?;
        let (count, rest) = rest.split_first_chunk::<8>().ok_or(LENGTH)?;
        let variables = usize::try_from(u64::from_le_bytes(*count)).map_err(|_| LENGTH)?;
        if !(1..=MAX_VARIABLES).contains(&variables) {
            return Err(Invalid("a setup of no variables, or of too many"));
        }
        let (first, second) = rest.split_at_checked(96 << variables).ok_or(LENGTH)?;
        let (encodings, behind) = second.as_chunks::<192>();
        if encodings.len() != variables + 1 || !behind.is_empty() {
            return Err(LENGTH);
        }
        let refused = Invalid("the identity, or no point of the first group");
        let points: Vec<G1> =
            first.as_chunks().0.iter().map(|p| file::plain(p).ok_or(refused)).collect::<Result<_, _>>()?;
        if check && !bls12_381::in_subgroup(&points) {
            return Err(Invalid("the point is outside the subgroup"));
        }
        let g2: Vec<G2> =
            encodings.iter().map(bls12_381::decode_g2_uncompressed).collect::<Result<_, _>>()?;
        Ok(Self { levels: levels(points), g2, digest: *blake3::hash(bytes).as_bytes() })
    }

    /// `e(sum r_(i,b) L_i[2b+1], G2) = prod_i e(sum r_(i,b) L_(i+1)[b], tau_i G2)` for the levels `L_i`, with `r` from the file's digest: points that
    /// are not the basis pass with probability 2^-128.
    fn check_basis(&self) -> Result<(), Invalid> {
        if self.levels.iter().flatten().any(G1::is_zero) {
            return Err(Invalid("a setup on the identity"));
        }
        let product = Product::new(&self.g2)?;
        let count = self.levels[0].len() - 1;
        let r = scalars(&self.digest, count);
        let mut odd = Vec::with_capacity(count);
        let mut points = vec![G1Projective::zero()];
        let mut rest = &r[..];
        for pair in self.levels.windows(2) {
            let (own, behind) = rest.split_at(pair[1].len());
            rest = behind;
            odd.extend(pair[0].iter().skip(1).step_by(2));
            points.push(-msm::sum(&pair[1], own));
        }
        points[0] = msm::sum(&odd, &r);
        if product.is_one(&G1Projective::normalize_batch(&points)) {
            Ok(())
        } else {
            Err(Invalid("not the basis at one point"))
        }
    }
}

fn encode(points: &[G1], g2: &[G2]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend((g2.len() as u64 - 1).to_le_bytes());
    points.iter().for_each(|p| bytes.extend(bls12_381::encode_g1_uncompressed(p)));
    g2.iter().for_each(|p| bytes.extend(bls12_381::encode_g2_uncompressed(p)));
    bytes
}

/// The points over all variables, and with one variable after another summed out. Whatever the points are: the sums are complete.
fn levels(points: Vec<G1>) -> Vec<Vec<G1>> {
    let mut levels = vec![points];
    while let Some(last) = levels.last().filter(|last| last.len() > 1) {
        let next = parallel::map(last.chunks(512), |part| {
            let sums: Vec<G1Projective> = part.chunks(2).map(|pair| pair[0] + pair[1]).collect();
            G1Projective::normalize_batch(&sums)
        });
        levels.push(next.concat());
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;
    use ark_ff::{Field, PrimeField};

    fn tau() -> [Fr; 3] {
        [3_u64, 5, 11].map(|t| Fr::from(t << 40).pow([5]))
    }

    fn small() -> MultilinearSrs {
        MultilinearSrs::insecure_from_point(&tau())
    }

    const HEAD: usize = 24;

    /// Every level by its definition.
    #[test]
    fn levels_are_the_basis_of_their_variables() {
        let (srs, tau) = (small(), tau());
        for first in 0..=3 {
            let variables = &tau[first..];
            for (b, point) in srs.level(first).iter().enumerate() {
                let factor = |(i, t): (usize, &Fr)| if b >> i & 1 == 1 { *t } else { Fr::one() - t };
                let eq: Fr = variables.iter().enumerate().map(factor).product();
                assert_eq!(*point, (G1::generator() * eq).into_affine(), "level {first}, {b}");
            }
            assert_eq!(srs.level(first).len(), 8 >> first);
        }
        assert!(srs.level(4).is_empty());
        assert_eq!((srs.variables(), srs.g2().len()), (3, 4));
        assert_eq!(srs.g2()[2], (G2::generator() * tau[1]).into_affine());
    }

    #[test]
    fn files_of_another_length_are_refused() {
        let bytes = small().write();
        assert_eq!(MultilinearSrs::read(&bytes), Ok(small()));
        let digest = blake3::hash(&bytes).to_hex();
        assert_eq!(MultilinearSrs::read_pinned(&bytes, &digest), Ok(small()));
        assert_eq!(small().digest(), blake3::hash(&bytes).as_bytes());
        for length in 0..bytes.len() {
            assert!(MultilinearSrs::read(&bytes[..length]).is_err(), "{length} bytes");
        }
        assert!(MultilinearSrs::read(&[&bytes[..], &[0]].concat()).is_err());
        for count in [0, 1, 2, 4, 23, 24, 60, 1 << 40, u64::MAX] {
            let mut other = bytes.clone();
            other[16..24].copy_from_slice(&count.to_le_bytes());
            assert!(MultilinearSrs::read(&other).is_err(), "{count} variables");
        }
        let mut other = bytes.clone();
        other[100] ^= 1;
        assert!(MultilinearSrs::read_pinned(&other, &digest).is_err());
        assert!(MultilinearSrs::read(&super::super::Srs::insecure_from_tau(tau()[0], 8).write()).is_err());
    }

    /// One bit of every eleventh byte, and of all bytes around the borders of points.
    #[test]
    fn flipped_bytes_are_refused() {
        let bytes = small().write();
        let border = |at: usize| at < HEAD + 2 || (at - HEAD) % 96 < 2;
        for at in (0..bytes.len()).filter(|at| at % 11 == 0 || border(*at)) {
            let mut bad = bytes.clone();
            bad[at] ^= 1 << (at % 8);
            assert!(MultilinearSrs::read(&bad).is_err(), "byte {at}");
        }
    }

    /// Points of the subgroup that are not the basis.
    #[test]
    fn false_bases_are_refused() {
        let refused = |points: &[G1], g2: &[G2]| MultilinearSrs::read(&encode(points, g2)).err();
        let srs = small();
        let (points, g2) = (srs.level(0), srs.g2());
        let not_the_basis = Some(Invalid("not the basis at one point"));
        for at in 0..8 {
            let mut other = points.to_vec();
            other[at] = (other[at] + G1::generator()).into_affine();
            assert_eq!(refused(&other, g2), not_the_basis, "point {at}");
            let mut other = points.to_vec();
            other.swap(at, (at + 1) % 8);
            assert_eq!(refused(&other, g2), not_the_basis, "points {at}");
        }
        // Errors that cancel in every level but the first.
        let mut other = points.to_vec();
        other[2] = (other[2] + G1::generator()).into_affine();
        other[3] = (other[3] - G1::generator()).into_affine();
        assert_eq!(refused(&other, g2), not_the_basis);
        for at in 0..4 {
            let mut other = g2.to_vec();
            other[at] = (other[at] + G2::generator()).into_affine();
            assert_eq!(refused(points, &other), not_the_basis, "point {at} of the second group");
            other[at] = G2::zero();
            assert!(refused(points, &other).is_some());
        }
        let mut swapped = g2.to_vec();
        swapped.swap(1, 2);
        assert_eq!(refused(points, &swapped), not_the_basis);
    }

    /// With a coordinate 0 or 1 some points are the identity; and the identity everywhere satisfies every equation.
    #[test]
    fn the_identity_is_refused() {
        let g2 = small().g2().to_vec();
        let refused = Some(Invalid("the identity, or no point of the first group"));
        let zero = encode(&[G1::zero(); 8], &g2);
        assert_eq!(MultilinearSrs::read(&zero).err(), refused);
        let mut one = small().level(0).to_vec();
        one[5] = G1::zero();
        assert_eq!(MultilinearSrs::read(&encode(&one, &g2)).err(), refused);
        // Opposite neighbours: their sum is the identity.
        let generator = G1::generator();
        let opposite: Vec<G1> = (0..8).map(|b| if b % 2 == 0 { generator } else { -generator }).collect();
        let refused = MultilinearSrs::read(&encode(&opposite, &g2)).err();
        assert_eq!(refused, Some(Invalid("a setup on the identity")));
    }

    /// Points with a part of another order, which no pairing sees.
    #[test]
    fn points_outside_of_the_subgroup_are_refused() {
        let outside = Some(Invalid("the point is outside the subgroup"));
        let srs = small();
        let three = G1::new_unchecked(0.into(), 2.into());
        for at in [0, 7] {
            let mut other = srs.level(0).to_vec();
            other[at] = (other[at] + three).into_affine();
            assert_eq!(MultilinearSrs::read(&encode(&other, srs.g2())).err(), outside, "point {at}");
        }
        let any =
            (1_u64..).find_map(|x| G2::get_point_from_x_unchecked(x.into(), false)).expect("half of all");
        let part = any.mul_bigint(Fr::MODULUS);
        let mut other = srs.g2().to_vec();
        other[3] = (other[3] + part).into_affine();
        assert_eq!(MultilinearSrs::read(&encode(srs.level(0), &other)).err(), outside);
    }

    #[test]
    #[should_panic(expected = "no coordinate is 0 or 1")]
    fn secrets_are_not_trivial() {
        let _ = MultilinearSrs::insecure_from_point(&[Fr::one()]);
    }
}
