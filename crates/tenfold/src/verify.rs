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

mod readings;

pub use crate::any::{Form, Product, Weights};
pub use readings::Reading;
pub(crate) use readings::total;

use crate::any::{AnyScheme, Part};
use crate::longest::is_long;
use crate::statement::{BytesDescription, ColumnContext, TableContext};
use alloc::vec::Vec;
use iop::error::{Invalid, ParamError};
use iop::hash::{Digest, Hash};
use iop::security::{Policy, Report};
use pcs::file::{Committed, File, FileError, Kind, SchemeId};
use pcs::ligerito;

/// Why a file is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The bytes are no file of the kind that is asked for.
    #[error(transparent)]
    File(#[from] FileError),
    /// The parameters are out of range, or refused by the policy: those below its bits are [`ParamError::TooFewBits`].
    #[error("the parameters are refused: {}", .0.reason())]
    Params(ParamError),
    /// The weights would take more memory than the verifier spends on them.
    #[error("the weights would take {0} bytes of memory, more than is spent on them")]
    Memory(u64),
    /// The proof does not hold.
    #[error(transparent)]
    Proof(#[from] Invalid),
    /// The proof is about other weights than those that the verifier is given.
    #[error("invalid proof: the proof is about other weights")]
    OtherWeights,
    /// The weights that the verifier is given have another number of decimals than those of the proof.
    #[error(
        "invalid proof: the number of decimals of its weights is {stated}, and of the given ones {given}"
    )]
    WeightsScale {
        /// Decimals of the given weights.
        given: u32,
        /// Decimals that the proof states.
        stated: u32,
    },
    /// There are weights, and the proof is of no weighted sum.
    #[error("invalid proof: weights for a proof that has none")]
    NeedlessWeights,
    /// The proof is of a weighted sum, and there are no weights.
    #[error("invalid proof: the weights of a weighted sum are missing")]
    MissingWeights,
    /// The context of the proof is no description of data.
    #[error("the proof does not say what was committed to")]
    Undescribed,
    /// The context of the proof is longer than any that is read.
    #[error("the context of the proof has more than 2^20 bytes")]
    LongContext,
    /// A weight is an integer that the data's field does not hold.
    #[error("the weight of row {row} does not fit {field}")]
    WeightBeyond {
        /// Its row.
        row: u64,
        /// The field.
        field: &'static str,
    },
    /// There are not as many weights as entries.
    #[error("there are {given} weights for {entries} entries")]
    Weights {
        /// The weights.
        given: u64,
        /// The entries.
        entries: u64,
    },
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
    /// Returns true if there is nothing to be judged: the bytes are no proof file, or the weights cannot be those of its data. The other
    /// refusals are verdicts.
    pub fn is_malformed(&self) -> bool {
        match self {
            Self::File(error) => !matches!(error, FileError::Digest(_)),
            Self::Undescribed | Self::LongContext | Self::Weights { .. } | Self::WeightBeyond { .. } => true,
            Self::Params(_) | Self::Memory(_) | Self::Proof(_) => false,
            Self::OtherWeights | Self::WeightsScale { .. } => false,
            Self::NeedlessWeights | Self::MissingWeights => false,
        }
    }
}

/// A form and its values, one for each polynomial, in canonical bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stated {
    /// The form.
    pub form: Form,
    /// Its values.
    pub values: Vec<Vec<u8>>,
}

/// What a proof states that holds, its context unread.
#[derive(Debug, Clone)]
pub struct Proven {
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
    /// Polynomials that are committed together.
    pub polynomials: u32,
    /// Variables of a form.
    pub variables: usize,
    /// The number of the mask that a hiding proof uses, counted from 0: no two proofs of one commitment may have the same.
    pub mask: Option<u8>,
    /// The commitment's bytes, the root first.
    pub commitment: Vec<u8>,
    /// What was proven.
    pub claims: Vec<Stated>,
    /// The bytes that were bound into the proof.
    pub context: Vec<u8>,
}

/// What a proof is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum About {
    /// A column of numbers.
    Column(ColumnContext),
    /// Columns of one length.
    Table(TableContext),
    /// A file of bytes.
    Bytes(BytesDescription),
}

/// What a file states whose proof holds, read by its description.
#[derive(Debug, Clone)]
pub struct Verified {
    /// What was proven.
    pub proven: Proven,
    /// What it is about.
    pub about: About,
    /// The claims in the terms of the data; of a table those of one column after those of another, as many of each.
    pub readings: Vec<Reading>,
}

/// Verifies a proof file of any scheme; one of a weighted sum with its weights. Nothing is compared with a commitment that the caller has: that is
/// [`Verified::about`], and [`crate::verify()`] does both.
///
/// Memory: twice an element of the data's field for each weight. What the entries are is in the file: where they are bits, that is
/// 128 or 256 times the bytes of the weights. So it is limited, and there are as many weights as the data have entries.
///
/// # Errors
/// If anything is wrong; if weights are missing, or there are some and the proof has none.
pub fn verify(file: &File, weights: Option<Weights<'_>>, limits: &Limits) -> Result<Verified, Refused> {
    let scheme = scheme_of(file, weights.is_some(), &limits.policy)?;
    if file.kind == Kind::Product {
        let (proven, _) = scheme.verify_product(file, &limits.policy)?;
        let about = described(&scheme, &proven.context, false)?;
        let readings = vec![readings::of_product(&proven, &about)?];
        return Ok(Verified { proven, about, readings });
    }
    let (about, proven) = match weights {
        None => {
            let (proven, _) = opening(&scheme, file)?;
            (described(&scheme, &proven.context, false)?, proven)
        }
        Some(weights) => {
            let about = described(&scheme, &scheme.weighted_statement(file)?.context, true)?;
            readings::check_weights(&scheme, &about, weights)?;
            (about, scheme.verify_weighted(file, weights, limits)?)
        }
    };
    let readings = readings::of(&scheme, &proven, &about, weights)?;
    Ok(Verified { proven, about, readings })
}

/// The meaning of each byte in the body of a proof file that is verified; of a weighted sum all is verified but the weights.
///
/// # Errors
/// If anything is wrong that is checked.
#[cfg(feature = "prover")]
pub fn parts(file: &File, policy: &Policy) -> Result<Vec<Part>, Refused> {
    let scheme = scheme_of(file, file.kind == Kind::Weighted, policy)?;
    if file.kind == Kind::Weighted {
        described(&scheme, &scheme.weighted_statement(file)?.context, true)?;
        return scheme.weighted_parts(file, policy);
    }
    if file.kind == Kind::Product {
        let (proven, parts) = scheme.verify_product(file, policy)?;
        readings::of_product(&proven, &described(&scheme, &proven.context, false)?)?;
        return Ok(parts);
    }
    let (proven, parts) = opening(&scheme, file)?;
    readings::of(&scheme, &proven, &described(&scheme, &proven.context, false)?, None)?;
    Ok(parts)
}

/// The scheme of a proof file that is verified with weights or without.
fn scheme_of(file: &File, weighted: bool, policy: &Policy) -> Result<AnyScheme, Refused> {
    match (file.kind, file.scheme, weighted) {
        (Kind::Opening, SchemeId::Pip | SchemeId::DeepFold | SchemeId::Ligerito | SchemeId::Air, false)
        | (Kind::Weighted, SchemeId::Pip | SchemeId::Ligerito | SchemeId::Air, true)
        | (Kind::Product, SchemeId::Pip, false) => AnyScheme::from_file(file, policy),
        (Kind::Weighted, SchemeId::Pip | SchemeId::Ligerito | SchemeId::Air, false) => {
            Err(Refused::MissingWeights)
        }
        (_, SchemeId::Ring, _) => Err(FileError::Elsewhere("this is a file about a ring").into()),
        (Kind::Opening | Kind::Product, _, true) => Err(Refused::NeedlessWeights),
        _ => Err(FileError::Unknown("proof").into()),
    }
}

/// The commitment holds more than the file says.
const UNDESCRIBED: Invalid = Invalid("the commitment holds several polynomials, and the file describes one");

/// An opening of columns or of one file.
fn opening(scheme: &AnyScheme, file: &File) -> Result<(Proven, Vec<Part>), Refused> {
    if scheme.summary().polynomials != 1 && scheme.id().is_of_bytes() {
        return Err(UNDESCRIBED.into());
    }
    scheme.verify(file)
}

/// What the context of a proof says that it is about, if that fits the parameters.
fn described(scheme: &AnyScheme, context: &[u8], weighted: bool) -> Result<About, Refused> {
    if is_long(context) {
        return Err(Refused::LongContext);
    }
    if scheme.id().is_of_bytes() {
        if scheme.summary().polynomials != 1 {
            return Err(UNDESCRIBED.into());
        }
        let params = ligerito::Params::decode(scheme.id(), scheme.encoded())
            .ok_or(FileError::Malformed("parameters"))?;
        let bytes = BytesDescription::decode(context).ok_or(Refused::Undescribed)?;
        return if bytes.fits(&params) {
            Ok(About::Bytes(bytes))
        } else {
            Err(Invalid("the stated length does not fit the commitment").into())
        };
    }
    if scheme.summary().polynomials != 1 {
        return table(scheme, context, weighted);
    }
    let context = ColumnContext::decode(context, weighted).ok_or(Refused::Undescribed)?;
    if !context.column.is_filled() {
        return Err(Invalid("the stated number of bytes takes another number of rows than is stated").into());
    }
    if context.column.fits(scheme.summary().log_size) {
        Ok(About::Column(context))
    } else {
        Err(Invalid("the stated number of rows does not fit the commitment").into())
    }
}

/// The table that a context describes, if it has a column for each polynomial.
fn table(scheme: &AnyScheme, context: &[u8], weighted: bool) -> Result<About, Refused> {
    let Some(context) = TableContext::decode(context, weighted) else {
        let one = ColumnContext::decode(context, weighted).is_some();
        return Err(if one { UNDESCRIBED.into() } else { Refused::Undescribed });
    };
    if context.table.count() != scheme.summary().polynomials {
        return Err(Invalid("another number of columns is described than was committed to").into());
    }
    if context.table.fits(scheme.summary().log_size) {
        Ok(About::Table(context))
    } else {
        Err(Invalid("the stated number of rows does not fit the commitment").into())
    }
}

impl Verified {
    /// The readings of each column of a table; of other data all of them.
    pub fn columns(&self) -> impl Iterator<Item = &[Reading]> {
        let columns = if let About::Table(context) = &self.about { context.table.columns.len() } else { 1 };
        let of_each = self.readings.len().checked_div(columns).unwrap_or(0).max(1);
        self.readings.chunks(of_each)
    }

    /// Refuses any file but the commitment that this proof is about: same parameters, same commitment, and its description at the start of the
    /// proof's context. Returns the context's bytes after the description.
    ///
    /// # Errors
    /// If the file is no commitment, is not as it was written, or is about something else.
    pub fn about(&self, file: &File) -> Result<&[u8], Refused> {
        let proven = &self.proven;
        if file.kind != Kind::Commitment {
            return Err(FileError::OtherKind("commitment").into());
        }
        let another = Refused::Proof(Invalid("the proof is about another commitment"));
        if file.scheme != proven.scheme || file.params != proven.params {
            return Err(another);
        }
        let Committed { description, commitment } = file.committed(proven.params_digest, proven.hash)?;
        let rest = proven.context.strip_prefix(description.as_slice()).ok_or(another.clone())?;
        if commitment == proven.commitment { Ok(rest) } else { Err(another) }
    }
}
