//! Setups: powers of a secret `tau` that nobody knows, `tau^i G1` and `G2, tau G2`, over BLS12-381.
//!
//! A setup comes from a file in arkworks' form, of which every point and the powers are checked, or from the one that ships with this
//! crate, of which the digest is checked. Whoever makes one himself knows its secret and can forge every proof:
//! that has a name that says so.
//!
//! (notes: curve-srs)

mod file;
mod lagrange;
mod multilinear;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use ark_ec::{AffineRepr, CurveGroup, PrimeGroup, ScalarMul, VariableBaseMSM};
use ark_ff::{One, PrimeField, Zero};

pub use lagrange::lagrange;
pub use multilinear::MultilinearSrs;

use crate::Invalid;
use crate::bls12_381::{Fr, G1, G1Projective, G2};
use crate::pairing::Pair;

/// BLAKE3, by which setups and files made from them are known.
#[must_use]
pub fn digest(bytes: &[u8]) -> [u8; 32] {
    *blake3::hash(bytes).as_bytes()
}

/// Powers of a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Srs {
    /// `tau^i G1`, at least two.
    powers: Vec<G1>,
    /// `G2` and `tau G2`.
    g2: [G2; 2],
    /// BLAKE3 of the file.
    digest: [u8; 32],
}

/// The file that ships: 6,145 powers, of Zcash's ceremony (see `data/README.md`).
static ZCASH: &[u8] = include_bytes!("../../data/bls12-381-srs-2-11-uncompressed-zcash.bin");

/// Its BLAKE3 digest.
const ZCASH_DIGEST: &str = "fa36d673b5e8a05e607867ba12999b6a52f4cf7cb01fef1028954865af9a05ea";

impl Srs {
    /// The setup that ships with this crate: the powers up to `tau^6144`, enough for domains of up to 2,048 points.
    ///
    /// Read once. The bytes are held to their digest, and not checked point by point.
    ///
    /// # Panics
    /// If the file was not the right one when this crate was built.
    #[must_use]
    pub fn zcash() -> &'static Self {
        static SRS: LazyLock<Srs> = LazyLock::new(|| {
            Srs::read_pinned(ZCASH, ZCASH_DIGEST).expect("the file that ships with this crate")
        });
        &SRS
    }

    /// Reads arkworks' `URS`, uncompressed. Every point is checked, and that they are powers of one secret.
    ///
    /// Cost: some 30 µs for each point, on all threads.
    ///
    /// # Errors
    /// If the bytes are too many or too few, a point is not one of the subgroup, or they are not powers of one secret.
    pub fn read(bytes: &[u8]) -> Result<Self, Invalid> {
        let srs = file::read(bytes, true)?;
        srs.check_powers()?;
        Ok(srs)
    }

    /// Reads what verifying takes of such a file, as a setup of two powers: `G1`, `tau G1`, `G2` and `tau G2`, which are checked as by [`Self::read`].
    /// The other powers are counted, and **not looked at**. Cost: four points.
    ///
    /// # Errors
    /// If the bytes are too many or too few, one of these points is not one of the subgroup, or they are not of one secret.
    pub fn read_start(bytes: &[u8]) -> Result<Self, Invalid> {
        Self::read(&file::start(bytes)?)
    }

    /// Reads a file that is known: its bytes have this BLAKE3 digest (in hexadecimal), so that nothing else has to be checked.
    ///
    /// # Errors
    /// If they have another digest, or are not a setup.
    pub fn read_pinned(bytes: &[u8], digest: &str) -> Result<Self, Invalid> {
        if blake3::hash(bytes).to_hex().as_str() != digest {
            return Err(Invalid("another file than the one that was asked for"));
        }
        file::read(bytes, false)
    }

    /// The bytes that [`Self::read`] reads.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        file::write(self)
    }

    /// **Insecure**: `count` powers of a secret that the caller knows, with which every proof can be forged. For tests and vectors.
    ///
    /// # Panics
    /// If `count` is below 2 or `tau` is 0.
    #[must_use]
    pub fn insecure_from_tau(tau: Fr, count: usize) -> Self {
        assert!(count >= 2 && !tau.is_zero(), "two powers of a secret that is not 0");
        let scalars: Vec<Fr> =
            core::iter::successors(Some(Fr::one()), |power| Some(*power * tau)).take(count).collect();
        let powers = G1Projective::generator().batch_mul(&scalars);
        let g2 = G2::generator();
        let srs = Self { powers, g2: [g2, (g2 * tau).into_affine()], digest: [0; 32] };
        Self { digest: *blake3::hash(&srs.write()).as_bytes(), ..srs }
    }

    /// The BLAKE3 digest of [`Self::write`], which says which setup it is; in hexadecimal what [`Self::read_pinned`] asks for.
    #[must_use]
    pub fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// How many powers there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.powers.len()
    }

    /// Whether there are no powers: never.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.powers.is_empty()
    }

    /// The first `count` powers, if there are so many.
    #[must_use]
    pub fn powers(&self, count: usize) -> Option<&[G1]> {
        self.powers.get(..count)
    }

    /// `G2` and `tau G2`.
    pub fn g2(&self) -> &[G2; 2] {
        &self.g2
    }

    /// `L_i(tau) G1` for the Lagrange polynomials of the domain of so many points, in its natural order: see [`lagrange`].
    ///
    /// `None` if `domain` is no power of two or there are not so many powers.
    #[must_use]
    pub fn lagrange(&self, domain: usize) -> Option<Vec<G1>> {
        (domain.is_power_of_two() && domain < 1 << 32).then(|| self.powers(domain).map(lagrange))?
    }

    /// `e(sum r_i P_i, tau G2) = e(sum r_i P_(i+1), G2)`, with `r` from the file's digest: a false power passes with
    /// probability 2^-128.
    fn check_powers(&self) -> Result<(), Invalid> {
        let [g2, tau_g2] = &self.g2;
        if self.powers[0].is_zero() {
            return Err(Invalid("a setup on the identity"));
        }
        let pair = Pair::new(tau_g2, g2)?;
        let r = scalars(&self.digest, self.powers.len() - 1);
        let low = G1Projective::msm_unchecked(&self.powers[..r.len()], &r);
        let high = G1Projective::msm_unchecked(&self.powers[1..], &r);
        if pair.is_one(&low.into_affine(), &(-high).into_affine()) {
            Ok(())
        } else {
            Err(Invalid("not powers of one secret"))
        }
    }
}

/// So many scalars of 128 bits from a digest.
fn scalars(digest: &[u8; 32], count: usize) -> Vec<Fr> {
    let mut stream = blake3::Hasher::new_keyed(digest).finalize_xof();
    let mut scalar = || {
        let mut bytes = [0; 16];
        stream.fill(&mut bytes);
        Fr::from_le_bytes_mod_order(&bytes)
    };
    (0..count).map(|_| scalar()).collect()
}
