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
use super::weighted::{WeightedStatement, Weights, read_integers};
use super::{Erased, Part};
use crate::dataset::base::element;
#[cfg(feature = "prover")]
use crate::device::Device;
use crate::verify::{Limits, Proven, Refused, Stated};
#[cfg(feature = "prover")]
use alloc::boxed::Box;
use alloc::vec::Vec;
use field::{ExtensionOf, Field, FoldFibres, TwoAdic};
use iop::error::Invalid;
use iop::hash::Digest;
#[cfg(feature = "prover")]
use iop::poly::TensorForm;
use iop::poly::to_bytes;
#[cfg(feature = "prover")]
use iop::security::Policy;
use iop::security::Report;
use iop::transcript::{Call, Kind};
use pcs::claims::Claims;
use pcs::file::{File, FileError, SchemeId};
#[cfg(not(feature = "prover"))]
use pcs::scheme::Pcs as Base;
#[cfg(feature = "prover")]
use pcs::scheme::Prove as Base;
use pcs::scheme::{Params, Pcs, Summary};
use pcs::{deepfold, ligerito, pip};

/// A scheme as the facade has it: with the meaning of integers and bytes, and weighted sums if it proves them.
pub(super) trait Supported: Base {
    /// The element of the data's field that stands for an integer: none over binary fields.
    fn integer(x: i128) -> Option<Self::Base>;
    /// True if any bytes are elements of the data's field.
    #[cfg(feature = "prover")]
    const OF_BYTES: bool;
    /// The element of the challenge field that a coordinate of a point stands for, negative over prime fields alone.
    #[cfg(feature = "prover")]
    fn coordinate(x: i128) -> Self::Challenge;
    /// The number of weights, known before they are read.
    fn weights_count(&self, weights: &Weights<'_>) -> usize;
    /// Commits on a device other than the threads of this process; none if there is no other for the scheme. Else the entries are taken.
    #[cfg(feature = "prover")]
    fn commit_on(&self, device: &Device, _entries: &mut Vec<Self::Base>) -> Option<Self::Witness> {
        device.note_unsupported(&"the GPU commits to bytes, by ligerito or air");
        None
    }
    /// The scheme as the ranks of a cluster have it; none if they do not serve it.
    #[cfg(feature = "cluster")]
    fn ranks(&self) -> Option<&dyn super::ranks::Ranks> {
        None
    }
    /// Weights as elements of the data's field.
    fn read_weights(&self, weights: Weights<'_>) -> Result<Vec<Self::Base>, Refused>;

    /// [`super::AnyScheme::weighted_statement`].
    fn weighted_statement(&self, _file: &File) -> Result<WeightedStatement, Refused> {
        Err(FileError::Unknown("proof").into())
    }
    /// [`super::AnyScheme::verify_weighted`].
    fn verify_weighted(
        &self,
        _file: &File,
        _weights: Weights<'_>,
        _limits: &Limits,
    ) -> Result<Proven, Refused> {
        Err(FileError::Unknown("proof").into())
    }
    /// [`super::AnyScheme::weighted_parts`].
    #[cfg(feature = "prover")]
    fn weighted_parts(&self, _file: &File, _policy: &Policy) -> Result<Vec<Part>, Refused> {
        Err(FileError::Unknown("proof").into())
    }
    /// Proves a weighted sum, if the scheme does: the file's body and the digest of its statement.
    #[cfg(feature = "prover")]
    fn prove_weighted(
        &self,
        _witness: &mut Self::Witness,
        _weights: Vec<Self::Base>,
        _context: &[u8],
        _policy: &Policy,
    ) -> Result<File<'static>, iop::error::ParamError> {
        Err(iop::error::ParamError::OutOfRange("this scheme proves no weighted sums".into()))
    }
}

macro_rules! matrices {
    () => {
        #[cfg(feature = "cluster")]
        fn ranks(&self) -> Option<&dyn super::ranks::Ranks> {
            Some(self)
        }

        fn weighted_statement(&self, file: &File) -> Result<WeightedStatement, Refused> {
            super::weighted::statement(self, file)
        }

        fn verify_weighted(
            &self,
            file: &File,
            weights: Weights<'_>,
            limits: &Limits,
        ) -> Result<Proven, Refused> {
            super::weighted::verify(self, file, weights, limits)
        }

        #[cfg(feature = "prover")]
        fn weighted_parts(&self, file: &File, policy: &Policy) -> Result<Vec<Part>, Refused> {
            super::weighted::parts(self, file, policy)
        }

        #[cfg(feature = "prover")]
        fn prove_weighted(
            &self,
            witness: &mut Self::Witness,
            weights: Vec<Self::Base>,
            context: &[u8],
            policy: &Policy,
        ) -> Result<File<'static>, iop::error::ParamError> {
            super::weighted::prove(self, witness, (weights, context), policy)
        }
    };
}

impl<B: TwoAdic, E: ExtensionOf<B>> Supported for pip::Scheme<B, E> {
    #[cfg(feature = "prover")]
    const OF_BYTES: bool = false;

    fn integer(x: i128) -> Option<B> {
        Some(element(x))
    }

    #[cfg(feature = "prover")]
    fn coordinate(x: i128) -> E {
        element(x)
    }

    fn weights_count(&self, weights: &Weights<'_>) -> usize {
        count_of_elements::<B>(weights)
    }

    fn read_weights(&self, weights: Weights<'_>) -> Result<Vec<B>, Refused> {
        elements::<Self>(weights)
    }

    matrices!();
}

impl<B: TwoAdic, E: ExtensionOf<B>> Supported for deepfold::Scheme<B, E> {
    #[cfg(feature = "prover")]
    const OF_BYTES: bool = false;

    fn integer(x: i128) -> Option<B> {
        Some(element(x))
    }

    #[cfg(feature = "prover")]
    fn coordinate(x: i128) -> E {
        element(x)
    }

    fn weights_count(&self, weights: &Weights<'_>) -> usize {
        count_of_elements::<B>(weights)
    }

    fn read_weights(&self, weights: Weights<'_>) -> Result<Vec<B>, Refused> {
        elements::<Self>(weights)
    }
}

impl<B: FoldFibres, E: ExtensionOf<B>> Supported for ligerito::Scheme<B, E> {
    #[cfg(feature = "prover")]
    const OF_BYTES: bool = true;

    fn integer(_: i128) -> Option<B> {
        None
    }

    #[cfg(feature = "gpu")]
    fn commit_on(&self, device: &Device, entries: &mut Vec<B>) -> Option<Self::Witness> {
        device.commit(self, entries)
    }

    #[cfg(all(feature = "prover", not(feature = "gpu")))]
    fn commit_on(&self, device: &Device, _entries: &mut Vec<B>) -> Option<Self::Witness> {
        device.note_unsupported(&"this program was built without the feature `gpu`");
        None
    }

    /// The element whose canonical bytes are those of the integer, lowest first: over a binary field any bytes are one.
    #[cfg(feature = "prover")]
    fn coordinate(x: i128) -> E {
        let mut bytes = vec![0; E::BYTES];
        bytes.iter_mut().zip(x.to_le_bytes()).for_each(|(to, byte)| *to = byte);
        E::from_bytes(&bytes).unwrap_or(E::ZERO)
    }

    fn weights_count(&self, weights: &Weights<'_>) -> usize {
        match weights {
            Weights::Bytes(bytes) => ligerito::unpacked::<B>(bytes.len(), self.params().entries),
            Weights::Integers { count, .. } => *count,
        }
    }

    fn read_weights(&self, weights: Weights<'_>) -> Result<Vec<B>, Refused> {
        match weights {
            Weights::Bytes(bytes) => Ok(ligerito::unpack_bytes(bytes, self.params().entries)),
            Weights::Integers { count, get, .. } => read_integers::<Self>((count, get)),
        }
    }

    matrices!();
}

/// The number of weights over a prime field.
fn count_of_elements<B: Field>(weights: &Weights<'_>) -> usize {
    match weights {
        Weights::Bytes(bytes) => bytes.len() / B::BYTES,
        Weights::Integers { count, .. } => *count,
    }
}

/// Weights over a prime field.
fn elements<S: Supported>(weights: Weights<'_>) -> Result<Vec<S::Base>, Refused> {
    let bytes = match weights {
        Weights::Bytes(bytes) => bytes,
        Weights::Integers { count, get, .. } => return read_integers::<S>((count, get)),
    };
    let elements = bytes.chunks_exact(S::Base::BYTES);
    if !elements.remainder().is_empty() {
        return Err(Invalid("the weights are no whole field elements").into());
    }
    let elements: Option<Vec<S::Base>> = elements.map(S::Base::from_bytes).collect();
    elements.ok_or(Invalid("a weight is no canonical field element").into())
}

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

    #[cfg(feature = "prover")]
    fn point(&self, coordinates: &[i128]) -> Form {
        let z: Vec<S::Challenge> = coordinates.iter().map(|&x| S::coordinate(x)).collect();
        Form::from_tensor(&TensorForm::point(&z))
    }

    #[cfg(feature = "prover")]
    fn powers(&self, point: i128) -> Form {
        Form::from_tensor(&TensorForm::powers(S::coordinate(point), self.summary.variables))
    }

    #[cfg(feature = "prover")]
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
