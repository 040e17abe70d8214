//! Parameters and messages of the scheme.

use super::Key;
use curve::bls12_381::{Fr, G1, decode_g1, encode_fr, encode_g1};
use iop::error::{Invalid, ParamError};
use iop::hash::{Digest, Hash, concat};

/// The most polynomials of a commitment, and the most points of an opening.
const MOST: usize = 1 << 12;

/// The hash of transcript and digests.
pub(super) const HASH: Hash = Hash::Blake3;

/// What prover and verifier agree on. The length of the polynomials is not among it: an opening does not show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    /// The key of a setup whose secret nobody knows.
    pub key: Key,
    /// Polynomials of a commitment.
    pub polynomials: usize,
    /// The most points of an opening.
    pub max_points: usize,
}

impl Params {
    /// The digest of all parameters, the start of every transcript.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let Self { key, polynomials, max_points } = self;
        let [polynomials, max_points] = [polynomials, max_points].map(|n| (*n as u64).to_le_bytes());
        HASH.digest("tenfold kzg params v1", &[&key.encode(), &polynomials, &max_points])
    }

    /// Refuses counts out of range.
    pub(super) fn check(&self) -> Result<(), ParamError> {
        let fits = |n: usize| (1..=MOST).contains(&n);
        if fits(self.polynomials) && fits(self.max_points) {
            Ok(())
        } else {
            Err(ParamError::OutOfRange(format!("polynomials and points are from 1 to {MOST}")))
        }
    }
}

/// Commitments to polynomials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commitment {
    pub(super) points: Vec<G1>,
}

impl Commitment {
    /// 48 bytes for each polynomial.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.points.iter().flat_map(encode_g1).collect()
    }

    /// Commitments to so many polynomials.
    pub(super) fn read(bytes: &[u8], polynomials: usize) -> Result<Self, Invalid> {
        let (pieces, rest) = bytes.as_chunks::<48>();
        if pieces.len() != polynomials || !rest.is_empty() {
            return Err(Invalid("another number of commitments"));
        }
        let points = pieces.iter().map(point).collect::<Result<_, _>>()?;
        Ok(Self { points })
    }
}

/// A point of the subgroup.
pub(super) fn point(bytes: &[u8; 48]) -> Result<G1, Invalid> {
    decode_g1(bytes).map_err(|e| Invalid(e.0))
}

/// What an opening states: every polynomial's value at every point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluations {
    /// Where.
    pub points: Vec<Fr>,
    /// `values[j][p]`: polynomial `p` at point `j`.
    pub values: Vec<Vec<Fr>>,
    /// Application bytes bound into the proof.
    pub context: Vec<u8>,
}

impl Evaluations {
    /// The digest that binds all of it, with the commitment's bytes, into a transcript.
    #[must_use]
    pub fn digest(&self, commitment: &[u8]) -> Digest {
        let Self { points, values, context } = self;
        let bytes = |scalars: &[Fr]| scalars.iter().flat_map(encode_fr).collect::<Vec<u8>>();
        let values: Vec<Digest> = values.iter().map(|v| HASH.digest("values", &[&bytes(v)])).collect();
        let parts: [&[u8]; 4] = [commitment, &bytes(points), &concat(&values), context];
        HASH.digest("tenfold kzg evaluations v1", &parts)
    }

    /// Whether there is a value for each point and polynomial, and not too many points.
    pub(super) fn fits(&self, params: &Params) -> bool {
        (1..=params.max_points).contains(&self.points.len())
            && self.points.len() == self.values.len()
            && self.values.iter().all(|v| v.len() == params.polynomials)
    }
}
