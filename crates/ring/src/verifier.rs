//! Verifying one proof.
//!
//! (notes: ring-verifier)

#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use alloc::sync::Arc;

use crate::constraints::{Bounds, combine};
use crate::kzg::{Claims, Opening};
use crate::transcript::Transcript;
use crate::{Commitment, Domain, Error, Invalid, Params, Proof, VerifierKey, kzg};
use curve::Zero;
use curve::bandersnatch::Bandersnatch;
use curve::bls12_381::{Fr, G1};
use curve::embedded::{Embedded, Point};

/// The verifier of a ring.
#[derive(Clone, Debug)]
pub struct Verifier<C: Embedded = Bandersnatch> {
    params: Params<C>,
    key: VerifierKey,
    /// What every transcript of this ring begins with.
    pub(crate) prelude: Transcript,
    /// The rows behind the keys.
    tail: Arc<[Fr]>,
}

/// The two openings that a proof comes down to, once its other equation is used up.
#[derive(Clone, Debug)]
pub(crate) struct Openings {
    /// Factors of the fixed columns in the opening at `zeta`.
    pub(crate) fixed: [Fr; 3],
    /// The other terms of the opening at `zeta`, the witness columns and the quotient.
    terms: [(G1, Fr); 5],
    /// The terms of the opening at `zeta w`.
    shifted_terms: [(G1, Fr); 3],
    zeta: Fr,
    zeta_omega: Fr,
    value: Fr,
    shifted: Fr,
    opening: G1,
    shifted_opening: G1,
    /// What is said of the selector.
    pub(crate) selector: SelectorClaim,
    /// All that was said, for weights.
    pub(crate) transcript: Transcript,
}

/// The value of the selector in a proof, and the domain whose selector it has to be.
#[derive(Clone, Debug)]
pub(crate) struct SelectorClaim {
    pub(crate) domain: Domain,
    /// The rows behind the keys.
    pub(crate) tail: Arc<[Fr]>,
    zeta: Fr,
    value: Fr,
}

impl SelectorClaim {
    /// Tells whether the value is the domain's. If it is not, and the openings hold, the commitment is to another selector.
    pub(crate) fn holds(&self) -> bool {
        self.domain.selects(&self.tail, self.zeta, self.value)
    }
}

impl<C: Embedded> Verifier<C> {
    /// A verifier of the ring with this commitment. `kzg` is the key of a setup that the caller trusts.
    #[must_use]
    pub fn new(params: &Params<C>, kzg: &kzg::Key, commitment: &Commitment) -> Self {
        let key = VerifierKey { kzg: kzg.clone(), commitment: *commitment };
        let prelude = prelude(params, &key);
        Self { params: params.clone(), key, prelude, tail: params.domain.tail().into() }
    }

    /// A verifier from a key that brings what it says is the setup's key: it has to be `kzg`, the one that the caller trusts.
    ///
    /// # Errors
    /// If it is another.
    pub fn from_key(params: &Params<C>, kzg: &kzg::Key, key: &VerifierKey) -> Result<Self, Error> {
        if key.kzg == *kzg {
            Ok(Self::new(params, kzg, &key.commitment))
        } else {
            Err(Error::Mismatch("a key of another setup"))
        }
    }

    /// What prover and verifier agree on.
    #[must_use]
    pub fn params(&self) -> &Params<C> {
        &self.params
    }

    /// The key of the setup and the ring's commitment.
    #[must_use]
    pub fn key(&self) -> &VerifierKey {
        &self.key
    }

    /// Verifies that `result` is `P + t H` for the point `P` of one of the ring's slots and a `t` that the prover knew.
    ///
    /// **This alone is no proof of membership.** A slot without a member holds the padding, a point that everybody knows: anybody can blind it, or a member's
    /// key, and prove that. The verifier does not know `t`, so that it cannot tell. Membership is shown by a second proof, that somebody knows the secret in
    /// `result`: [`vrf::Signature`](crate::vrf::Signature) has it, and of the padding nobody knows the secret. What the proof means if a member chose its key freely is in the notes: [`Ring::append_proven`](crate::Ring::append_proven) is for keys of
    /// strangers.
    ///
    /// The selector of the commitment is a constant of the domain, and checked: a commitment for other rows, or with another selector, verifies nothing.
    ///
    /// Cost: two sums of 11 points and 2, and two pairings.
    ///
    /// # Errors
    /// If it is not.
    pub fn verify(&self, result: &Point<C>, proof: &Proof) -> Result<(), Invalid> {
        self.hold(self.openings(result, proof)?)
    }

    /// V5: whether the openings hold.
    pub(crate) fn hold(&self, mut openings: Openings) -> Result<(), Invalid> {
        // Both openings in one check. The weight is drawn after everything was said, the openings included.
        let weight = openings.weight();
        let mut claims = Claims::default();
        for (column, factor) in self.key.commitment.columns.into_iter().zip(openings.fixed) {
            claims.add_point(column, factor);
        }
        openings.add_to(&mut claims, [Fr::from(1_u64), weight]);
        match (claims.hold(&self.key.kzg), openings.selector.holds()) {
            (false, _) => Err(Invalid("an opening is false")),
            (true, false) => Err(Invalid("the selector is not that of the domain")),
            (true, true) => Ok(()),
        }
    }

    /// V1 to V4: the challenges, and the openings that are left to check.
    pub(crate) fn openings(&self, result: &Point<C>, proof: &Proof) -> Result<Openings, Invalid> {
        if !result.is_on_curve() {
            return Err(Invalid("the blinded key is not on the curve"));
        }
        // A sum that met the same point twice can end outside.
        if !C::in_subgroup(result) {
            return Err(Invalid("the blinded key is outside the subgroup"));
        }
        self.openings_inside(result, proof)
    }

    /// [`Self::openings`] of a point that is known to be in the subgroup.
    pub(crate) fn openings_inside(&self, result: &Point<C>, proof: &Proof) -> Result<Openings, Invalid> {
        let mut transcript = self.prelude.clone();
        let alphas = transcript.columns(result, &proof.columns);
        self.openings_by(&alphas, result, proof, transcript)
    }

    /// V2 to V4, by factors of the constraints and a transcript that gave them.
    pub(crate) fn openings_by(
        &self,
        alphas: &[Fr; 7],
        result: &Point<C>,
        proof: &Proof,
        mut transcript: Transcript,
    ) -> Result<Openings, Invalid> {
        let zeta = transcript.quotient(&proof.quotient);
        let nus = transcript.values(&proof.values, &proof.shifted);
        transcript.openings(&proof.opening, &proof.shifted_opening);

        // V4. The value of the quotient is what the constraints say. That of the selector has to be the domain's, which the openings hold its
        // commitment to: who combines openings checks it.
        let seed = self.params.bases.seed();
        let sum = *seed + result;
        if sum.z.is_zero() {
            return Err(Invalid("a sum without an end"));
        }
        let (at, factor, inverse) =
            self.params.domain.at_and_inverse(zeta, sum.z).ok_or(Invalid("a challenge in the domain"))?;
        let bounds = Bounds::from_sum(seed, &sum, inverse);
        let [_, _, selector, ..] = proof.values;
        let selector =
            SelectorClaim { domain: self.params.domain, tail: Arc::clone(&self.tail), zeta, value: selector };
        let combined = combine(&proof.values, &at, &bounds, alphas);
        let quotient = (combined.constant + proof.shifted) * factor;

        let [px, py, s, b, ip, x, y, q] = nus;
        let columns: Fr = proof.values.iter().zip(nus).map(|(value, nu)| nu * value).sum();
        let [c_b, c_ip, c_x, c_y] = proof.columns;
        let [shift_ip, shift_x, shift_y] = combined.shift;
        Ok(Openings {
            fixed: [px, py, s],
            terms: [(c_b, b), (c_ip, ip), (c_x, x), (c_y, y), (proof.quotient, q)],
            shifted_terms: [(c_ip, shift_ip), (c_x, shift_x), (c_y, shift_y)],
            zeta,
            zeta_omega: zeta * self.params.domain.omega(),
            value: columns + q * quotient,
            shifted: proof.shifted,
            opening: proof.opening,
            shifted_opening: proof.shifted_opening,
            selector,
            transcript,
        })
    }
}

impl Openings {
    /// The weight of the second opening beside the first: 128 bits that depend on the whole proof.
    fn weight(&mut self) -> Fr {
        let mut bytes = [0; 16];
        self.transcript.squeeze(b"weight", &mut bytes);
        Fr::from(u128::from_le_bytes(bytes))
    }

    /// Adds the openings, less the fixed columns, with these weights.
    pub(crate) fn add_to(&self, claims: &mut Claims, weights: [Fr; 2]) {
        let [first, second] = weights;
        // The accumulators are in both: they are added once.
        let [ip, x, y] = self.shifted_terms.map(|(_, factor)| second * factor);
        let [(c_b, b), (c_ip, a_ip), (c_x, a_x), (c_y, a_y), (c_q, q)] = self.terms;
        claims.add_point(c_b, first * b);
        claims.add_point(c_ip, first * a_ip + ip);
        claims.add_point(c_x, first * a_x + x);
        claims.add_point(c_y, first * a_y + y);
        claims.add_point(c_q, first * q);
        let opening = |at, value, proof| Opening { terms: &[], at, value, proof };
        claims.add(&opening(self.zeta, self.value, self.opening), first);
        claims.add(&opening(self.zeta_omega, self.shifted, self.shifted_opening), second);
    }
}

/// What every transcript of a ring begins with: the label and the verifier's key.
pub(crate) fn prelude<C: Embedded>(params: &Params<C>, key: &VerifierKey) -> Transcript {
    let mut transcript = Transcript::new(params.bases.label());
    transcript.append(b"vk", &key.transcript());
    transcript
}
