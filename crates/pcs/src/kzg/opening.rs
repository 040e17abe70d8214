//! What a verifier of KZG openings holds and checks.

#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use curve::bls12_381::{self, Fr, G1, G2};
use curve::msm;
use curve::pairing::Pair;
#[cfg(feature = "prover")]
use curve::srs::Srs;
use curve::{AffineRepr, Invalid};

/// What a verifier holds of a setup: a generator of the first group, and `G2` and `tau G2`.
#[derive(Clone)]
pub struct Key {
    g1: G1,
    g2: [G2; 2],
    /// `tau G2`, `G2`, prepared.
    pair: Arc<Pair>,
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug(&self.encode(), f)
    }
}

/// A key by its encoding, in hexadecimal: what is prepared is long, and follows from it.
pub(super) fn debug(encoded: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("Key(")?;
    encoded.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
    f.write_str(")")
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        (self.g1, self.g2) == (other.g1, other.g2)
    }
}

impl Eq for Key {}

impl Key {
    /// Bytes of a key.
    pub const BYTES: usize = 240;

    /// The key of a setup.
    ///
    /// # Errors
    /// If a point is the identity.
    #[cfg(feature = "prover")]
    pub fn new(srs: &Srs) -> Result<Self, Invalid> {
        let g1 = srs.powers(1).and_then(|powers| powers.first()).ok_or(Invalid("a setup without powers"))?;
        Self::of_points(*g1, *srs.g2())
    }

    fn of_points(g1: G1, g2: [G2; 2]) -> Result<Self, Invalid> {
        if g1.is_zero() {
            return Err(Invalid("a setup on the identity"));
        }
        let [plain, tau] = &g2;
        let pair = Arc::new(Pair::new(tau, plain)?);
        Ok(Self { g1, g2, pair })
    }

    /// `G1`, `G2` and `tau G2`, compressed.
    #[must_use]
    pub fn encode(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let (g1, g2) = bytes.split_at_mut(48);
        g1.copy_from_slice(&bls12_381::encode_g1(&self.g1));
        for (place, point) in g2.chunks_exact_mut(96).zip(&self.g2) {
            place.copy_from_slice(&bls12_381::encode_g2(point));
        }
        bytes
    }

    /// The key of these bytes. **A key says who could forge**: take it from a setup that you trust, or compare it with one.
    ///
    /// # Errors
    /// If the bytes are not the encoding of a key.
    pub fn decode(bytes: &[u8; Self::BYTES]) -> Result<Self, Invalid> {
        let mut rest = &bytes[..];
        let g1 = bls12_381::decode_g1(take(&mut rest)?)?;
        let g2 = bls12_381::decode_g2(take(&mut rest)?)?;
        let tau = bls12_381::decode_g2(take(&mut rest)?)?;
        Self::of_points(g1, [g2, tau])
    }

    /// The points, uncompressed: how they enter the transcript of ring proofs.
    #[must_use]
    pub fn transcript(&self) -> Vec<u8> {
        let mut bytes = bls12_381::encode_g1_uncompressed(&self.g1).to_vec();
        self.g2.iter().for_each(|p| bytes.extend(bls12_381::encode_g2_uncompressed(p)));
        bytes
    }
}

/// The next `N` bytes.
fn take<'a, const N: usize>(rest: &mut &'a [u8]) -> Result<&'a [u8; N], Invalid> {
    let (piece, behind) = rest.split_first_chunk().ok_or(Invalid("too few bytes"))?;
    *rest = behind;
    Ok(piece)
}

/// The claim that a sum of commitments has a value at a point.
#[derive(Clone, Debug)]
pub struct Opening<'a> {
    /// The commitments and their factors.
    pub terms: &'a [(G1, Fr)],
    /// Where.
    pub at: Fr,
    /// The value.
    pub value: Fr,
    /// The commitment to the quotient.
    pub proof: G1,
}

/// Openings, combined by their weights.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    points: Vec<G1>,
    scalars: Vec<Fr>,
    /// The factor of `-G1`.
    values: Fr,
    proofs: Vec<G1>,
    weights: Vec<Fr>,
}

impl Claims {
    /// Adds an opening. A `weight` must depend on every opening that is added, or be drawn after all of them.
    pub fn add(&mut self, opening: &Opening<'_>, weight: Fr) {
        for (point, factor) in opening.terms {
            self.add_point(*point, weight * factor);
        }
        self.add_point(opening.proof, weight * opening.at);
        self.values += weight * opening.value;
        self.proofs.push(opening.proof);
        self.weights.push(weight);
    }

    /// Adds a commitment with its whole factor: one that several openings have in common.
    pub fn add_point(&mut self, point: G1, factor: Fr) {
        self.points.push(point);
        self.scalars.push(factor);
    }

    /// Whether the combination holds. Cost: a sum over the commitments, one over the proofs, and two pairings.
    #[must_use]
    pub fn hold(mut self, key: &Key) -> bool {
        self.add_point(key.g1, -self.values);
        let parts = [(&self.proofs[..], &self.weights[..]), (&self.points[..], &self.scalars[..])];
        let [left, right] = bls12_381::affine(msm::sums(parts));
        key.pair.is_one(&left, &-right)
    }
}
