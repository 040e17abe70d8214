//! Weighted sums: their weights, and what a verifier does with them.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

#[cfg(feature = "prover")]
use super::Part;
use super::form::Form;
use super::supported::Supported;
#[cfg(feature = "prover")]
use super::typed::messages;
use super::typed::verified;
use crate::verify::{Limits, Proven, Refused, Stated};
#[cfg(feature = "prover")]
use alloc::borrow::ToOwned;
use alloc::vec::Vec;
use field::Field;
use iop::error::Invalid;
use iop::hash::Digest;
use iop::poly::to_bytes;
#[cfg(feature = "prover")]
use iop::security::Policy;
use pcs::file::{File, FileError};
#[cfg(feature = "prover")]
use pcs::scheme::Params;
use pcs::weighted::{self, Claim, Opening, Points};

/// The weights that a verifier is given.
#[derive(Clone, Copy)]
pub enum Weights<'a> {
    /// Over a prime field the canonical bytes of elements, end to end; for Ligerito the bytes of the file that they are.
    Bytes(&'a [u8]),
    /// Signed integers over `10^scale`, over a prime field.
    Integers {
        /// Their number.
        count: usize,
        /// Each of them.
        get: &'a dyn Fn(usize) -> i128,
        /// Digits after the point.
        scale: u32,
    },
}

/// What a proof of a weighted sum states, as its file has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightedStatement {
    /// The digest of the weights.
    pub weights: Digest,
    /// The sum of each polynomial.
    pub values: Vec<Vec<u8>>,
    /// The bytes that are bound into the proof.
    pub context: Vec<u8>,
}

/// Integers as elements of the data's field.
pub(super) fn read_integers<S: Supported>(
    (count, get): (usize, &dyn Fn(usize) -> i128),
) -> Result<Vec<S::Base>, Refused> {
    let elements: Option<Vec<S::Base>> = (0..count).map(|i| S::integer(get(i))).collect();
    elements.ok_or(Invalid("the weights of a file of bytes are bytes").into())
}

/// Refuses more weights than there are entries, and more than the memory that may be spent.
pub(super) fn check_count<B: Field>(count: usize, variables: usize, limits: &Limits) -> Result<(), Refused> {
    let most = u32::try_from(variables).ok().and_then(|n| 1usize.checked_shl(n));
    if count > most.unwrap_or(usize::MAX) {
        return Err(Invalid("more weights than entries").into());
    }
    // As elements, and as the bytes that their digest is of.
    let bytes = u64::try_from(count.saturating_mul(2 * B::BYTES)).unwrap_or(u64::MAX);
    if bytes > limits.max_memory { Err(Refused::Memory(bytes)) } else { Ok(()) }
}

/// The body of a file whose header has the digests of its content.
fn body<'a, S: Points>(scheme: &S, file: &'a File) -> Result<Opening<'a, S::Base>, FileError> {
    let facts = scheme.facts();
    let body = Opening::<S::Base>::decode((facts.hash, facts.polynomials), &file.body)?;
    file.check_digests(facts.digest, body.statement.digest(facts.hash, &body.commitment))?;
    Ok(body)
}

/// The canonical bytes of each value.
fn bytes_of<B: Field>(values: &[B]) -> Vec<Vec<u8>> {
    values.iter().map(|&value| to_bytes(&[value])).collect()
}

pub(super) fn statement<S: Points>(scheme: &S, file: &File) -> Result<WeightedStatement, Refused> {
    let Opening { statement, commitment, .. } = body(scheme, file)?;
    scheme.read_commitment(&commitment)?;
    Ok(WeightedStatement {
        weights: statement.weights,
        values: bytes_of(&statement.values),
        context: statement.context,
    })
}

pub(super) fn verify<S: Points + Supported>(
    inner: &S,
    file: &File,
    weights: Weights<'_>,
    limits: &Limits,
) -> Result<Proven, Refused> {
    let scheme = weighted::Scheme::from_points(inner.clone(), &limits.policy).map_err(Refused::Params)?;
    let facts = inner.facts();
    let Opening { commitment, statement, proof } = body(inner, file)?;
    let (values, context) = (statement.values.clone(), statement.context.clone());
    // Entries are unpacked for parameters that are accepted, and for no others.
    check_count::<S::Base>(inner.weights_count(&weights), facts.variables, limits)?;
    let claim = Claim { weights: inner.read_weights(weights)?, values, context };
    if claim.statement(facts.hash) != statement {
        return Err(Refused::OtherWeights);
    }
    scheme.verify(&inner.read_commitment(&commitment)?, &claim, &proof)?;
    let stated = Stated { form: Form::Weights(statement.weights), values: bytes_of(&statement.values) };
    let verified = verified(inner, (file, facts.digest), (commitment, vec![stated], statement.context));
    Ok(Proven { report: scheme.report().clone(), ..verified })
}

#[cfg(feature = "prover")]
pub(super) fn parts<S: Points>(inner: &S, file: &File, policy: &Policy) -> Result<Vec<Part>, Refused> {
    let scheme = weighted::Scheme::from_points(inner.clone(), policy).map_err(Refused::Params)?;
    let body = body(inner, file)?;
    let commitment = inner.read_commitment(&body.commitment)?;
    let script = scheme.script(&commitment, &body.statement, &body.proof)?;
    let head = [
        (8 + body.commitment.len(), "commitment with its length".to_owned()),
        (inner.facts().hash.bytes(), "digest of the weights".to_owned()),
        (S::Base::BYTES.saturating_mul(body.statement.values.len()), "weighted sum".to_owned()),
        (8 + body.statement.context.len(), "context with its length".to_owned()),
        (8, "length of the proof".to_owned()),
    ];
    Ok(head.into_iter().chain(messages(&script)).collect())
}

#[cfg(feature = "prover")]
pub(super) fn prove<S: weighted::Open>(
    inner: &S,
    witness: &mut S::Witness,
    (weights, context): (Vec<S::Base>, &[u8]),
    policy: &Policy,
) -> Result<File<'static>, iop::error::ParamError> {
    let scheme = weighted::Scheme::from_points(inner.clone(), policy)?;
    let (claim, proof) = weighted::Prover::new(&scheme).open(witness, weights, context);
    Ok(file(inner, witness.commitment().to_bytes(), &claim, proof))
}

/// The file of a weighted sum about a commitment with these bytes.
#[cfg(feature = "prover")]
pub(super) fn file<S: Points>(
    inner: &S,
    commitment: Vec<u8>,
    claim: &Claim<S::Base>,
    proof: Vec<u8>,
) -> File<'static> {
    let (params, hash) = (inner.params(), inner.facts().hash);
    let statement = claim.statement(hash);
    File {
        kind: pcs::file::Kind::Weighted,
        scheme: params.scheme(),
        params: params.encode(),
        params_digest: params.digest().head(),
        statement: statement.digest(hash, &commitment).head(),
        body: Opening { commitment, statement, proof: proof.into() }.encode().into(),
    }
}
