//! Verifying openings.
//!
//! (notes: kzg-shred)

#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use curve::bls12_381::{Fr, G1, G1Projective};
use curve::msm;
use curve::{CurveGroup, One, Zero};
use field::{Field, Gf128};
use iop::error::{Invalid, ParamError};
use iop::poly::TensorForm;
use iop::security::Policy;
use iop::transcript::{Bound, Call, Challenger, Domain, VerifierTape};

use super::super::params::{HASH, point};
use super::super::verifier::{factors, weights};
use super::{Commitment, Params, Scalar};
use crate::claims::Claims;
use crate::scheme::{MultilinearPcs, Security};

/// Validated parameters.
#[derive(Clone, Debug)]
pub struct Scheme {
    params: Params,
}

/// A form as the scheme opens it: weights of the fragments, times an evaluation of each at a point.
#[derive(Clone, Debug)]
pub(super) struct SplitForm {
    /// One weight for each fragment.
    pub weights: Vec<Scalar>,
    /// One coordinate for each variable of a fragment.
    pub point: Vec<Scalar>,
}

impl SplitForm {
    /// `⊗ (a_v, b_v)` is `prod (a_v + b_v)` times the evaluation at the coordinates `b_v / (a_v + b_v)`; none if a sum is zero.
    pub fn new(params: &Params, form: &TensorForm<Scalar>) -> Option<Self> {
        let (low, high) = form.split(params.log_fragments());
        let mut scale = Scalar::ONE;
        let mut point = Vec::with_capacity(high.variables());
        for [a, b] in high.factors() {
            let sum = *a + *b;
            point.push(if sum == Scalar::ONE { *b } else { *b * sum.inverse()? });
            scale *= sum;
        }
        Some(Self { weights: low.expand_scaled(scale), point })
    }
}

/// What a proof repeats of its transcript: with one polynomial and one form nothing else in it depends on the context.
pub(super) fn seal(tape: &mut impl Challenger) -> Gf128 {
    tape.challenge("seal")
}

/// One form's quotients and what they are about.
pub(super) struct Opening {
    form: SplitForm,
    /// The combination of the values of the polynomials.
    pub value: Fr,
    quotients: Vec<G1>,
}

/// What a proof says, up to the equations.
pub(super) struct Opened {
    /// One factor for each polynomial.
    pub factors: Vec<Fr>,
    /// One for each form.
    pub openings: Vec<Opening>,
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

    /// The transcript's start.
    pub(super) fn bound(&self, commitment: &Commitment, claims: &Claims<Scalar>) -> Bound {
        let domain = Domain::new(HASH, "tenfold multilinear kzg v1", &self.params.digest());
        domain.statement(&claims.digest(HASH, &commitment.to_bytes()))
    }

    /// V1 to V3. The script of the prover, up to the equations.
    pub(super) fn opened<'a>(
        &self,
        commitment: &Commitment,
        claims: &Claims<Scalar>,
        proof: &'a [u8],
    ) -> Result<(Opened, VerifierTape<'a>), Invalid> {
        // V1. As many values as there are forms and polynomials, and forms that can be opened.
        let expected = self.params.fragments().checked_mul(self.params.polynomials());
        if Some(commitment.points.len()) != expected || !self.params.fits(claims) {
            return Err(Invalid("another number of forms, polynomials or values"));
        }
        let split = |form| SplitForm::new(&self.params, form);
        let forms: Option<Vec<SplitForm>> = claims.forms.iter().map(split).collect();
        let forms = forms.ok_or(Invalid("a form that is no multiple of an evaluation"))?;
        // V2. The factors of the polynomials.
        let mut tape = self.bound(commitment, claims).verifier(proof);
        let factors = factors(&mut tape, self.params.polynomials());
        // V3. The quotients.
        let mut openings = Vec::with_capacity(forms.len());
        for (form, values) in forms.into_iter().zip(&claims.values) {
            let mut quotients = Vec::with_capacity(form.point.len());
            for _ in &form.point {
                let bytes = tape.receive_bytes("quotient", 48)?;
                quotients.push(point(bytes.try_into().map_err(|_| Invalid("a quotient has 48 bytes"))?)?);
            }
            let value = values.iter().zip(&factors).map(|(value, factor)| value.0 * factor).sum();
            openings.push(Opening { form, value, quotients });
        }
        Ok((Opened { factors, openings }, tape))
    }

    /// Whether `e(sum_j w_j (g_j + sum_i u_(j,i) D_(j,i) - v_j G1), G2) = prod_i e(sum_j w_j D_(j,i), tau_i G2)`, with the commitments `g_j` to
    /// the combinations of the fragments.
    pub(super) fn holds(
        &self,
        commitment: &Commitment,
        (factors, opened): (&[Fr], &[Opening]),
        weights: &[Fr],
    ) -> bool {
        let (mut points, mut scalars) = (Vec::new(), Vec::new());
        // The commitments are in all combinations and are multiplied once.
        let mut fragments = vec![Fr::zero(); self.params.fragments()];
        let mut value = Fr::zero();
        for (one, weight) in opened.iter().zip(weights) {
            fragments.iter_mut().zip(&one.form.weights).for_each(|(sum, w)| *sum += *weight * w.0);
            value += *weight * one.value;
            points.extend(&one.quotients);
            scalars.extend(one.form.point.iter().map(|u| *weight * u.0));
        }
        for (factor, own) in factors.iter().zip(commitment.points.chunks(fragments.len())) {
            points.extend(own);
            scalars.extend(fragments.iter().map(|w| *factor * w));
        }
        points.push(self.params.key.g1);
        scalars.push(-value);
        let mut sides = vec![msm::sum(&points, &scalars)];
        for level in 0..self.params.key.variables() {
            let own: Vec<G1> = opened.iter().filter_map(|one| one.quotients.get(level)).copied().collect();
            sides.push(match own.as_slice() {
                [quotient] => (-*quotient).into(),
                many => -msm::sum(many, weights),
            });
        }
        self.params.key.product.is_one(&G1Projective::normalize_batch(&sides))
    }
}

impl MultilinearPcs for Scheme {
    type Value = Scalar;
    type Commitment = Commitment;

    fn security(&self) -> Security<'_> {
        Security::Assumed(
            "nobody knows the setup's secrets; discrete logarithms with powers in the groups of BLS12-381, algebraic group model, random oracle",
        )
    }

    fn read_commitment(&self, bytes: &[u8]) -> Result<Commitment, Invalid> {
        Commitment::read(&self.params, bytes)
    }

    /// Cost: a sum over the fragments' commitments and the quotients, and one product of as many pairings as a fragment has variables, and one.
    fn script(
        &self,
        commitment: &Commitment,
        claims: &Claims<Scalar>,
        proof: &[u8],
    ) -> Result<Vec<Call>, Invalid> {
        let (Opened { factors, openings }, mut tape) = self.opened(commitment, claims, proof)?;
        let expected = seal(&mut tape);
        // V4. The seal.
        if tape.receive::<Gf128>("seal", 1)? != [expected] {
            return Err(Invalid("a proof of another statement"));
        }
        // V5. All forms in one check, with weights that depend on all that was said. The first needs none.
        let mut all = vec![Fr::one()];
        if let Some(others) = openings.len().checked_sub(1).filter(|others| *others > 0) {
            all.extend(weights(&mut tape, others));
        }
        let script = tape.script().to_vec();
        tape.finish()?;
        if self.holds(commitment, (&factors, &openings), &all) {
            Ok(script)
        } else {
            Err(Invalid("an opening is false"))
        }
    }
}
