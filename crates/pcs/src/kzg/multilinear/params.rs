//! Keys, parameters and commitments.

#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use std::fmt;
use std::sync::Arc;

use curve::AffineRepr;
use curve::bls12_381::{self, G1, G2, encode_g1};
use curve::pairing::Product;
use curve::srs::MultilinearSrs;
use iop::error::{Invalid, ParamError};
use iop::hash::Digest;

use super::super::opening::debug;
use super::super::params::{HASH, point};
use super::Scalar;
use crate::claims::Claims;

/// log2 of the most fragments of a polynomial.
pub const MAX_LOG_FRAGMENTS: u32 = 12;

/// The most fragments of a commitment, and the most forms of an opening.
const MOST: usize = 1 << 16;
const MOST_FORMS: usize = 1 << 12;

/// What a verifier holds of a setup: a generator of the first group, `G2` and `tau_i G2`.
#[derive(Clone)]
pub struct Key {
    pub(super) g1: G1,
    g2: Vec<G2>,
    /// `G2`, `tau_0 G2`, ... prepared.
    pub(super) product: Arc<Product>,
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug(&self.encode(), f)
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        (&self.g1, &self.g2) == (&other.g1, &other.g2)
    }
}

impl Eq for Key {}

impl Key {
    /// The most variables of a key.
    const MAX_VARIABLES: usize = 64;

    /// The key of a setup.
    ///
    /// # Errors
    /// If a point is the identity.
    pub fn new(srs: &MultilinearSrs) -> Result<Self, curve::Invalid> {
        let g1 = srs.level(srs.variables()).first().ok_or(curve::Invalid("a setup without points"))?;
        Self::from_points(*g1, srs.g2().to_vec())
    }

    fn from_points(g1: G1, g2: Vec<G2>) -> Result<Self, curve::Invalid> {
        if g1.is_zero() {
            return Err(curve::Invalid("a setup on the identity"));
        }
        let product = Arc::new(Product::new(&g2)?);
        Ok(Self { g1, g2, product })
    }

    /// The number of variables of a fragment.
    #[must_use]
    pub fn variables(&self) -> usize {
        self.g2.len().saturating_sub(1)
    }

    /// `G1`, `G2`, `tau_0 G2`, ..., compressed: 48 bytes, and 96 for each point of the second group.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = encode_g1(&self.g1).to_vec();
        self.g2.iter().for_each(|p| bytes.extend(bls12_381::encode_g2(p)));
        bytes
    }

    /// The key of these bytes. **A key says who could forge**: take it from a setup that you trust, or compare it with one.
    ///
    /// # Errors
    /// If the bytes are not the encoding of a key of one variable or more.
    pub fn decode(bytes: &[u8]) -> Result<Self, curve::Invalid> {
        let length = curve::Invalid("another length than that of a key");
        let (g1, rest) = bytes.split_first_chunk::<48>().ok_or(length)?;
        let (g2, behind) = rest.as_chunks::<96>();
        if !behind.is_empty() || !(2..=Self::MAX_VARIABLES).contains(&g2.len()) {
            return Err(length);
        }
        let g2 = g2.iter().map(bls12_381::decode_g2).collect::<Result<_, _>>()?;
        Self::from_points(bls12_381::decode_g1(g1)?, g2)
    }
}

/// What prover and verifier agree on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    /// The key of a setup whose secrets nobody knows: it has the variables of one fragment.
    pub key: Key,
    /// log2 of the fragments that a polynomial is cut into; 0 is the plain scheme.
    pub log_fragments: u32,
    /// Polynomials of a commitment.
    pub polynomials: u32,
    /// The most forms of an opening.
    pub max_forms: u32,
}

impl Params {
    /// The digest of all parameters, the start of every transcript.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let Self { key, log_fragments, polynomials, max_forms } = self;
        let [log_fragments, polynomials, max_forms] =
            [log_fragments, polynomials, max_forms].map(|n| u64::from(*n).to_le_bytes());
        let parts: [&[u8]; 4] = [&key.encode(), &log_fragments, &polynomials, &max_forms];
        HASH.digest("tenfold multilinear kzg params v1", &parts)
    }

    /// The number of variables of a polynomial.
    #[must_use]
    pub fn variables(&self) -> usize {
        self.key.variables() + self.log_fragments()
    }

    pub(super) fn log_fragments(&self) -> usize {
        usize::try_from(self.log_fragments).unwrap_or(usize::MAX)
    }

    /// The number of fragments of one polynomial.
    #[must_use]
    pub fn fragments(&self) -> usize {
        1 << self.log_fragments()
    }

    /// The number of polynomials.
    #[must_use]
    pub fn polynomials(&self) -> usize {
        usize::try_from(self.polynomials).unwrap_or(usize::MAX)
    }

    /// Refuses counts out of range.
    pub(super) fn check(&self) -> Result<(), ParamError> {
        if self.log_fragments > MAX_LOG_FRAGMENTS {
            return Err(ParamError::OutOfRange(format!("at most 2^{MAX_LOG_FRAGMENTS} fragments")));
        }
        if !(1..=MOST >> self.log_fragments).contains(&self.polynomials()) {
            return Err(ParamError::OutOfRange(format!("from one polynomial to {MOST} fragments in all")));
        }
        if !usize::try_from(self.max_forms).is_ok_and(|n| (1..=MOST_FORMS).contains(&n)) {
            return Err(ParamError::OutOfRange(format!("forms are from 1 to {MOST_FORMS}")));
        }
        Ok(())
    }

    /// Whether there is a value for each form and polynomial, and not too many forms.
    pub(super) fn fits(&self, claims: &Claims<Scalar>) -> bool {
        claims.fits(self.variables(), self.polynomials())
            && u32::try_from(claims.forms.len()).is_ok_and(|forms| forms <= self.max_forms)
    }
}

/// Commitments to the fragments of polynomials: of polynomial 0 first, by the number of the fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commitment {
    pub(super) points: Vec<G1>,
}

impl Commitment {
    /// Commitments that fragments were given one by one, in order; none if there are not as many as the parameters say.
    #[must_use]
    pub fn from_points(params: &Params, points: Vec<G1>) -> Option<Self> {
        (Some(points.len()) == params.fragments().checked_mul(params.polynomials()))
            .then_some(Self { points })
    }

    /// The commitments of the fragments.
    pub fn points(&self) -> &[G1] {
        &self.points
    }

    /// 48 bytes for each fragment.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.points.iter().flat_map(encode_g1).collect()
    }

    /// The commitment of these bytes, under these parameters.
    pub(super) fn read(params: &Params, bytes: &[u8]) -> Result<Self, Invalid> {
        let refused = Invalid("another number of commitments");
        let (pieces, rest) = bytes.as_chunks::<48>();
        if Some(pieces.len()) != params.fragments().checked_mul(params.polynomials()) || !rest.is_empty() {
            return Err(refused);
        }
        let points = pieces.iter().map(point).collect::<Result<_, _>>()?;
        Ok(Self { points })
    }
}
