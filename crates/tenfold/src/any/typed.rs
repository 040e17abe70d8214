//! The functions behind [`super::AnyScheme`], generic over the scheme.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::form::Form;
#[cfg(feature = "prover")]
use super::machine::{Machine, Proving};
use super::supported::Supported;
use super::weighted::{WeightedStatement, Weights};
use super::{Erased, Part};
use crate::verify::{Limits, Proven, Refused, Stated};
#[cfg(feature = "prover")]
use alloc::boxed::Box;
use alloc::vec::Vec;
use field::{ExtensionOf as _, Field as _};
use iop::hash::Digest;
use iop::poly::{TensorForm, to_bytes};
use iop::security::{Policy, Report};
use iop::transcript::{Call, Kind};
use pcs::claims::Claims;
use pcs::file::{File, SchemeId};
use pcs::scheme::{Params, Pcs, Summary};

/// A scheme with what is derived from its parameters.
pub(super) struct Typed<S: Pcs> {
    pub scheme: S,
    pub summary: Summary,
    encoded: Vec<u8>,
    digest: Digest,
}

impl<S: Supported> Typed<S> {
    pub fn new(scheme: S) -> Self {
        let params = scheme.params();
        let (summary, encoded, digest) = (params.summary(), params.encode(), params.digest());
        Self { summary, encoded, digest, scheme }
    }
}

impl<S: Supported> Erased for Typed<S> {
    fn summary(&self) -> &Summary {
        &self.summary
    }

    fn id(&self) -> SchemeId {
        self.scheme.params().scheme()
    }

    fn encoded(&self) -> &[u8] {
        &self.encoded
    }

    fn digest(&self) -> Digest {
        self.digest
    }

    fn report(&self) -> &Report {
        self.scheme.report()
    }

    fn sum(&self, values: &[Vec<u8>]) -> Option<Vec<u8>> {
        let values: Option<Vec<_>> = values.iter().map(|bytes| S::Challenge::from_bytes(bytes)).collect();
        Some(to_bytes(&[values?.into_iter().sum::<S::Challenge>()]))
    }

    fn coordinates(&self, value: &[u8]) -> Option<Vec<u8>> {
        S::Challenge::from_bytes(value).map(|value| to_bytes::<S::Base>(&S::Challenge::flatten(&[value])))
    }

    fn point(&self, coordinates: &[i128]) -> Form {
        let z: Vec<S::Challenge> = coordinates.iter().map(|&x| S::coordinate(x)).collect();
        Form::from_tensor(&TensorForm::point(&z))
    }

    fn powers(&self, point: i128) -> Form {
        Form::from_tensor(&TensorForm::powers(S::coordinate(point), self.summary.variables))
    }

    fn is_coordinate(&self, x: i128) -> bool {
        (x >= 0 || S::integer(x).is_some())
            && super::is_integer(&to_bytes(&[S::coordinate(x.saturating_abs())]), x.unsigned_abs())
    }

    fn verify(&self, file: &File) -> Result<(Proven, Vec<Part>), Refused> {
        let body = file.opening::<S::Challenge>(self.digest, self.summary.hash)?;
        let commitment = self.scheme.read_commitment(&body.commitment)?;
        let script = self.scheme.script(&commitment, &body.claims, &body.proof)?;
        let head = [
            (8 + body.commitment.len(), "commitment with its length".into()),
            (8 + body.claims.encode().len(), "claims with their length".into()),
            (8, "length of the proof".into()),
        ];
        let parts = head.into_iter().chain(messages(&script)).collect();
        let Claims { forms, values, context } = body.claims;
        let values = values.iter().map(|of_form| of_form.iter().map(|&value| to_bytes(&[value])).collect());
        let stated =
            forms.iter().zip(values).map(|(form, values)| Stated { form: Form::from_tensor(form), values });
        let mask = mask(&script, &body.proof);
        let verified =
            verified(&self.scheme, (file, self.digest), (body.commitment, stated.collect(), context));
        Ok((Proven { mask, ..verified }, parts))
    }

    fn weights_count(&self, weights: &Weights<'_>) -> usize {
        self.scheme.weights_count(weights)
    }

    fn weighted_statement(&self, file: &File) -> Result<WeightedStatement, Refused> {
        self.scheme.weighted_statement(file)
    }

    fn verify_weighted(&self, file: &File, weights: Weights<'_>, limits: &Limits) -> Result<Proven, Refused> {
        self.scheme.verify_weighted(file, weights, limits)
    }

    fn verify_product(&self, file: &File, policy: &Policy) -> Result<(Proven, Vec<Part>), Refused> {
        self.scheme.verify_product(file, policy)
    }

    #[cfg(feature = "prover")]
    fn weighted_parts(&self, file: &File, policy: &Policy) -> Result<Vec<Part>, Refused> {
        self.scheme.weighted_parts(file, policy)
    }

    #[cfg(feature = "cluster")]
    fn ranks(&self) -> Option<&dyn super::ranks::Ranks> {
        self.scheme.ranks()
    }

    #[cfg(feature = "prover")]
    fn machine(&self) -> Box<dyn Machine + '_> {
        Box::new(Proving::new(self, self.scheme.prover()))
    }
}

/// What a file states whose proof holds.
pub(super) fn verified<S: Pcs>(
    scheme: &S,
    (file, params_digest): (&File, Digest),
    (commitment, claims, context): (Vec<u8>, Vec<Stated>, Vec<u8>),
) -> Proven {
    let Summary { hash, fields, hidden_openings, polynomials, variables, .. } = scheme.params().summary();
    Proven {
        scheme: scheme.params().scheme(),
        params: file.params.clone(),
        params_digest,
        hash,
        fields,
        report: scheme.report().clone(),
        hidden_openings,
        polynomials,
        variables,
        mask: None,
        commitment,
        claims,
        context,
    }
}

/// The calls of a transcript that have bytes in the proof.
pub(super) fn messages(script: &[Call]) -> impl Iterator<Item = Part> {
    let in_proof = |kind| matches!(kind, Kind::Send | Kind::Hint | Kind::Nonce);
    script.iter().filter(move |call| in_proof(call.kind)).map(|call| (call.length, call.label.into()))
}

/// The number of the mask that a proof says it uses, from the calls of its transcript.
fn mask(script: &[Call], proof: &[u8]) -> Option<u8> {
    let mut offset = 0usize;
    for (length, label) in messages(script) {
        if label == "mask" {
            return proof.get(offset).copied();
        }
        offset = offset.saturating_add(length);
    }
    None
}
