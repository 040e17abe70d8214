//! Verifying openings of the scheme.
//!
//! (notes: kzg)

#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::opening::{Claims, Opening};
use super::params::{Commitment, Evaluations, HASH, Params, point};
use curve::bls12_381::{Fr, G1};
use curve::{One, PrimeField};
use field::Gf128;
use iop::error::{Invalid, ParamError};
use iop::poly::to_bytes;
use iop::security::Policy;
use iop::transcript::{Bound, Challenger, Domain, VerifierTape};

/// Validated parameters.
#[derive(Clone, Debug)]
pub struct Scheme {
    params: Params,
}

/// The openings of a proof, once its factors are known.
#[derive(Clone, Debug)]
pub(super) struct Opened {
    /// Commitments with their factors.
    terms: Vec<(G1, Fr)>,
    /// Points, combined values, commitments to quotients.
    openings: Vec<(Fr, Fr, G1)>,
}

impl Scheme {
    /// The scheme of these parameters.
    ///
    /// # Errors
    /// If a count is out of range, or the policy asks for proven bits: there are none, whatever the parameters.
    pub fn new(params: Params, policy: &Policy) -> Result<Self, ParamError> {
        if policy.min_bits > 0 {
            let reason = "KZG proves no bits: it rests on its setup and on assumptions about groups";
            return Err(ParamError::OutOfRange(reason.into()));
        }
        params.check()?;
        Ok(Self { params })
    }

    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The commitment of these bytes.
    ///
    /// # Errors
    /// If they are not the encodings of as many points of the subgroup as there are polynomials.
    pub fn read_commitment(&self, bytes: &[u8]) -> Result<Commitment, Invalid> {
        Commitment::read(bytes, self.params.polynomials)
    }

    /// Whether the committed polynomials have these values. Cost: a sum over commitments and openings, and two pairings.
    ///
    /// # Errors
    /// If not.
    pub fn verify(&self, commitment: &Commitment, stated: &Evaluations, proof: &[u8]) -> Result<(), Invalid> {
        let (opened, mut tape) = self.opened(commitment, stated, proof)?;
        // V4. All points in one check, with weights that depend on all that was said.
        let weights = weights(&mut tape, opened.len());
        tape.finish()?;
        let mut claims = Claims::default();
        opened.add_to(&mut claims, &weights);
        if claims.hold(&self.params.key) { Ok(()) } else { Err(Invalid("an opening is false")) }
    }

    /// V1 to V3. The script of the prover, up to the equations.
    pub(super) fn opened<'a>(
        &self,
        commitment: &Commitment,
        stated: &Evaluations,
        proof: &'a [u8],
    ) -> Result<(Opened, VerifierTape<'a>), Invalid> {
        // V1. As many values as there are points and polynomials.
        if commitment.points.len() != self.params.polynomials || !stated.fits(&self.params) {
            return Err(Invalid("another number of points, polynomials or values"));
        }
        // V2. The factors.
        let mut tape = self.bound(commitment, stated).verifier(proof);
        let factors = factors(&mut tape, self.params.polynomials);
        // V3. The openings.
        let mut openings = Vec::with_capacity(stated.points.len());
        for (z, values) in stated.points.iter().zip(&stated.values) {
            let bytes = tape.receive_bytes("opening", 48)?;
            let opening = point(bytes.try_into().map_err(|_| Invalid("an opening has 48 bytes"))?)?;
            let value = values.iter().zip(&factors).map(|(value, factor)| *value * factor).sum();
            openings.push((*z, value, opening));
        }
        let terms = commitment.points.iter().copied().zip(factors).collect();
        Ok((Opened { terms, openings }, tape))
    }

    /// The transcript's start.
    pub(super) fn bound(&self, commitment: &Commitment, stated: &Evaluations) -> Bound {
        let domain = Domain::new(HASH, "tenfold kzg v1", &self.params.digest());
        domain.statement(&stated.digest(&commitment.to_bytes()))
    }
}

impl Opened {
    /// How many weights its openings take.
    pub(super) fn len(&self) -> usize {
        self.openings.len()
    }

    /// Adds the openings with these weights. The commitments are in all of them and are added once.
    pub(super) fn add_to(&self, claims: &mut Claims, weights: &[Fr]) {
        for ((at, value, proof), weight) in self.openings.iter().zip(weights) {
            claims.add(&Opening { terms: &[], at: *at, value: *value, proof: *proof }, *weight);
        }
        let all: Fr = weights.iter().take(self.openings.len()).sum();
        self.terms.iter().for_each(|(point, factor)| claims.add_point(*point, all * factor));
    }
}

/// Powers of a challenge, one for each polynomial: what makes one polynomial of all.
pub(super) fn factors(tape: &mut impl Challenger, polynomials: usize) -> Vec<Fr> {
    // 64 uniform bytes for a scalar of 255 bits.
    let bytes = to_bytes(&tape.challenges::<Gf128>("factor", 4));
    let factor = Fr::from_le_bytes_mod_order(&bytes);
    let mut power = Fr::one();
    let mut powers = Vec::with_capacity(polynomials);
    for _ in 0..polynomials {
        powers.push(power);
        power *= factor;
    }
    powers
}

/// Weights of 128 bits.
pub(super) fn weights(tape: &mut impl Challenger, count: usize) -> Vec<Fr> {
    let drawn = tape.challenges::<Gf128>("weights", count);
    drawn.iter().map(|weight| Fr::from_le_bytes_mod_order(&to_bytes(&[*weight]))).collect()
}
