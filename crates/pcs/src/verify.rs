//! Verification of the files of every scheme: what all front doors do with a file that they are given.
//!
//! ```text
//!  file ─► parameters, against the policy ─► digests of the header ─► commitment ─► proof ─► what is stated
//! ```
//! Elements leave this module as their canonical bytes: who asks for the verdict on any file need not know its fields.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

#[cfg(test)]
mod tests;

use crate::claims::Claims;
use crate::file::{Committed, File, FileError, Kind, SchemeId};
use crate::weighted::Points;
use crate::{deepfold, ligerito, pip, weighted, with_binary_fields, with_fields};
use alloc::vec::Vec;
use field::{Alphabet, ExtensionOf, Field, TwoAdic};
use iop::error::{Invalid, ParamError};
use iop::hash::{Digest, Hash};
use iop::poly::{Tensor, to_bytes};
use iop::security::{Policy, Report};

/// Why a file is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The bytes are no file of the kind that is asked for.
    #[error(transparent)]
    File(#[from] FileError),
    /// The parameters are out of range, or prove fewer bits than the policy wants.
    #[error("the parameters are refused: {}", .0.0)]
    Params(ParamError),
    /// The weights would take more memory than the verifier spends on them.
    #[error("the weights would take {0} bytes of memory, more than is spent on them")]
    Memory(u64),
    /// The proof does not hold.
    #[error(transparent)]
    Proof(#[from] Invalid),
}

/// What a verifier accepts and spends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Which parameters.
    pub policy: Policy,
    /// Most bytes that weights may take when they are unpacked.
    pub max_memory: u64,
}

impl Limits {
    /// So many bits by [`Policy::at_least`], and 1 GiB for weights.
    pub fn new(min_bits: u32) -> Self {
        Self { policy: Policy::at_least(min_bits), max_memory: 1 << 30 }
    }
}

impl Refused {
    /// Whether the bytes are no file to be judged; the other refusals are verdicts.
    pub fn is_malformed(&self) -> bool {
        matches!(self, Self::File(error) if !matches!(error, FileError::Digest(_)))
    }
}

/// A linear form, its elements in canonical bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// One entry.
    Entry(u64),
    /// The factors `(a_v, b_v)` of a tensor, the lowest index bit first.
    Tensor(Vec<[Vec<u8>; 2]>),
    /// The weights with this digest.
    Weights(Digest),
}

/// A form and its values, one for each polynomial, in canonical bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stated {
    /// The form.
    pub form: Form,
    /// Its values.
    pub values: Vec<Vec<u8>>,
}

/// What a file states whose proof holds.
#[derive(Debug, Clone)]
pub struct Verified {
    /// The scheme.
    pub scheme: SchemeId,
    /// The encoded parameters.
    pub params: Vec<u8>,
    /// Their digest.
    pub params_digest: Digest,
    /// The hash of trees and transcript.
    pub hash: Hash,
    /// Names of the data field and of the challenge field.
    pub fields: [&'static str; 2],
    /// The proven security, term by term.
    pub report: Report,
    /// Openings that the commitment hides.
    pub hidden_openings: u32,
    /// The commitment's bytes, the root first.
    pub commitment: Vec<u8>,
    /// What was proven.
    pub claims: Vec<Stated>,
    /// The bytes that were bound into the proof.
    pub context: Vec<u8>,
}

/// Verifies a proof of any scheme; one of a weighted sum with its weights: their canonical bytes end to end, for Ligerito the bytes of the
/// file that they are.
///
/// Memory: twice an element of the data's field for each weight. What the entries are is in the file: where they are bits, that is
/// 128 or 256 times the bytes of the weights. So it is limited, and there are no more weights than the parameters have entries.
///
/// # Errors
/// If anything is wrong; if weights are missing, or there are some and the proof has none.
pub fn verify(file: &File, weights: Option<&[u8]>, limits: &Limits) -> Result<Verified, Refused> {
    let policy = &limits.policy;
    let malformed = FileError::Malformed("parameters");
    match (file.kind, file.scheme, weights) {
        (Kind::Opening, SchemeId::Pip, None) => {
            let params = pip::Params::decode(&file.params).ok_or(malformed)?;
            with_fields!(params.fields, B, E => of_pip::<B, E>(file, params, policy))
        }
        (Kind::Opening, SchemeId::DeepFold, None) => {
            let params = deepfold::Params::decode(&file.params).ok_or(malformed)?;
            with_fields!(params.fields, B, E => of_deepfold::<B, E>(file, params, policy))
        }
        (Kind::Opening, SchemeId::Ligerito, None) => {
            let params = ligerito::Params::decode(&file.params).ok_or(malformed)?;
            with_binary_fields!(params.fields, B, E => of_ligerito::<B, E>(file, params, policy))
        }
        (Kind::Weighted, SchemeId::Pip, Some(weights)) => {
            let params = pip::Params::decode(&file.params).ok_or(malformed)?;
            with_fields!(params.fields, B, E => {
                let weights = Weights { count: weights.len() / B::BYTES, read: || elements(weights) };
                of_weighted::<pip::Scheme<B, E>, _>(file, weights, params, limits)
            })
        }
        (Kind::Weighted, SchemeId::Ligerito, Some(weights)) => {
            let params = ligerito::Params::decode(&file.params).ok_or(malformed)?;
            with_binary_fields!(params.fields, B, E => {
                let entries = params.entries;
                let count = ligerito::unpacked::<B>(weights.len(), entries);
                let weights = Weights { count, read: || Ok(ligerito::unpack_bytes(weights, entries)) };
                of_weighted::<ligerito::Scheme<B, E>, _>(file, weights, params, limits)
            })
        }
        (Kind::Weighted, SchemeId::Pip | SchemeId::Ligerito, None) => {
            Err(Invalid("the weights of a weighted sum are missing").into())
        }
        (_, SchemeId::Ring, _) => Err(FileError::Elsewhere("this is a file about a ring").into()),
        (Kind::Opening, _, Some(_)) => Err(Invalid("weights for a proof that has none").into()),
        _ => Err(FileError::Unknown("proof").into()),
    }
}

impl Verified {
    /// Refuses another commitment than the one that was proven about: a commitment file of these parameters, with the same
    /// commitment, whose description begins the context. Returns what follows the description.
    ///
    /// # Errors
    /// If the file is no commitment, is not as it was written, or is about something else.
    pub fn about(&self, file: &File) -> Result<&[u8], Refused> {
        if file.kind != Kind::Commitment {
            return Err(FileError::Unknown("commitment").into());
        }
        let another = Refused::Proof(Invalid("the proof is about another commitment"));
        if file.scheme != self.scheme || file.params != self.params {
            return Err(another);
        }
        let Committed { description, commitment } = file.committed(self.params_digest, self.hash)?;
        let rest = self.context.strip_prefix(description.as_slice()).ok_or(another.clone())?;
        if commitment == self.commitment { Ok(rest) } else { Err(another) }
    }
}

fn of_pip<B: TwoAdic, E: ExtensionOf<B>>(
    file: &File,
    params: pip::Params,
    policy: &Policy,
) -> Result<Verified, Refused> {
    let (hash, digest, hidden) = (params.hash, params.digest(), params.hidden_openings);
    let scheme = pip::Scheme::<B, E>::new(params, policy).map_err(Refused::Params)?;
    let read = Read { file, hash, digest, report: scheme.report(), base: B::NAME, hidden };
    read.opening(|c, claims, proof| scheme.verify(&scheme.read_commitment(c)?, claims, proof))
}

fn of_deepfold<B: TwoAdic, E: ExtensionOf<B>>(
    file: &File,
    params: deepfold::Params,
    policy: &Policy,
) -> Result<Verified, Refused> {
    let (hash, digest) = (params.hash, params.digest());
    let scheme = deepfold::Scheme::<B, E>::new(params, policy).map_err(Refused::Params)?;
    let read = Read { file, hash, digest, report: scheme.report(), base: B::NAME, hidden: 0 };
    read.opening(|c, claims, proof| scheme.verify(&scheme.read_commitment(c)?, claims, proof))
}

fn of_ligerito<B: Alphabet, E: ExtensionOf<B>>(
    file: &File,
    params: ligerito::Params,
    policy: &Policy,
) -> Result<Verified, Refused> {
    let (hash, digest, hidden) = (params.hash, params.digest(), params.hidden_openings);
    let scheme = ligerito::Scheme::<B, E>::new(params, policy).map_err(Refused::Params)?;
    let read = Read { file, hash, digest, report: scheme.report(), base: B::NAME, hidden };
    read.opening(|c, claims, proof| scheme.verify(&scheme.read_commitment(c)?, claims, proof))
}

/// Elements from their canonical bytes, end to end.
fn elements<B: Field>(bytes: &[u8]) -> Result<Vec<B>, Refused> {
    let elements = bytes.chunks_exact(B::BYTES);
    if !elements.remainder().is_empty() {
        return Err(Invalid("the weights are no whole field elements").into());
    }
    let elements: Option<Vec<B>> = elements.map(B::from_bytes).collect();
    elements.ok_or(Invalid("a weight is no canonical field element").into())
}

/// Weights that are not read yet, and how many they will be.
struct Weights<R> {
    count: usize,
    read: R,
}

impl<R> Weights<R> {
    /// Refuses more than there are entries, and more than the memory that may be spent.
    fn check<B: Field>(&self, variables: usize, limits: &Limits) -> Result<(), Refused> {
        let most = u32::try_from(variables).ok().and_then(|n| 1usize.checked_shl(n));
        if self.count > most.unwrap_or(usize::MAX) {
            return Err(Invalid("more weights than entries").into());
        }
        // As elements, and as the bytes that their digest is of.
        let bytes = u64::try_from(self.count.saturating_mul(2 * B::BYTES)).unwrap_or(u64::MAX);
        if bytes > limits.max_memory { Err(Refused::Memory(bytes)) } else { Ok(()) }
    }
}

fn of_weighted<S: Points, R: FnOnce() -> Result<Vec<S::Base>, Refused>>(
    file: &File,
    weights: Weights<R>,
    params: S::Params,
    limits: &Limits,
) -> Result<Verified, Refused> {
    let scheme = weighted::Scheme::<S>::new(params, &limits.policy).map_err(Refused::Params)?;
    let (hash, digest) = (scheme.facts().hash, scheme.facts().digest);
    let weighted::Opening { commitment, statement, proof } = weighted::Opening::decode(&file.body)?;
    file.check_digests(digest, statement.digest(hash, &commitment))?;
    let (value, context) = (statement.value, statement.context.clone());
    // Entries are unpacked for parameters that are accepted, and for no others.
    weights.check::<S::Base>(scheme.facts().variables, limits)?;
    let claim = weighted::Claim { weights: (weights.read)()?, value, context };
    if claim.statement(hash) != statement {
        return Err(Invalid("the proof is about other weights").into());
    }
    scheme.verify(&scheme.inner().read_commitment(&commitment)?, &claim, &proof)?;
    let read = Read { file, hash, digest, report: scheme.report(), base: S::Base::NAME, hidden: 0 };
    let stated = Stated { form: Form::Weights(statement.weights), values: vec![to_bytes(&[value])] };
    Ok(read.verified::<S::Challenge>(commitment, vec![stated], statement.context))
}

/// A file with what its parameters say.
struct Read<'a> {
    file: &'a File<'a>,
    hash: Hash,
    digest: Digest,
    report: &'a Report,
    base: &'static str,
    hidden: u32,
}

impl Read<'_> {
    /// The opening in the file, held against `verify`.
    fn opening<E: Field>(
        self,
        verify: impl FnOnce(&[u8], &Claims<E>, &[u8]) -> Result<(), Invalid>,
    ) -> Result<Verified, Refused> {
        let body = self.file.opening::<E>(self.digest, self.hash)?;
        verify(&body.commitment, &body.claims, &body.proof)?;
        let Claims { forms, values, context } = body.claims;
        let values = values.iter().map(|of_form| of_form.iter().map(|&value| to_bytes(&[value])).collect());
        let claims = forms.iter().zip(values).map(|(form, values)| Stated { form: of_tensor(form), values });
        Ok(self.verified::<E>(body.commitment, claims.collect(), context))
    }

    fn verified<E: Field>(self, commitment: Vec<u8>, claims: Vec<Stated>, context: Vec<u8>) -> Verified {
        Verified {
            scheme: self.file.scheme,
            params: self.file.params.clone(),
            params_digest: self.digest,
            hash: self.hash,
            fields: [self.base, E::NAME],
            report: self.report.clone(),
            hidden_openings: self.hidden,
            commitment,
            claims,
            context,
        }
    }
}

fn of_tensor<E: Field>(form: &Tensor<E>) -> Form {
    match form.as_index() {
        Some(index) => Form::Entry(index),
        None => Form::Tensor(form.factors().iter().map(|pair| pair.map(|x| to_bytes(&[x]))).collect()),
    }
}
