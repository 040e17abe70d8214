//! The parameters of any scheme.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use crate::any::AnyScheme;
use crate::statement::{BytesDescription, Unit};
use alloc::vec::Vec;
use iop::error::ParamError;
use iop::hash::{Digest, Hash};
use iop::security::{Policy, Report};
use pcs::fields::Family;
use pcs::file::SchemeId;
use pcs::scheme::{self, Params as _};
use pcs::{deepfold, matrix};

/// Parameters of any scheme, not yet validated.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyParams {
    /// PIP_FRI over prime fields, Ligerito over binary ones.
    Matrix(matrix::Params),
    /// DeepFold.
    DeepFold(deepfold::Params),
}

macro_rules! each {
    ($params:expr, $inner:ident => $value:expr) => {
        match $params {
            AnyParams::Matrix($inner) => $value,
            AnyParams::DeepFold($inner) => $value,
        }
    };
}

impl From<matrix::Params> for AnyParams {
    fn from(params: matrix::Params) -> Self {
        Self::Matrix(params)
    }
}

impl AnyParams {
    /// Reads the encoded parameters of a scheme, exactly; none of rings and of Virgo, which have no such files.
    #[must_use]
    pub fn decode(scheme: SchemeId, bytes: &[u8]) -> Option<Self> {
        match scheme {
            SchemeId::Pip | SchemeId::Ligerito | SchemeId::Air => {
                matrix::Params::decode(scheme, bytes).map(Self::Matrix)
            }
            SchemeId::DeepFold => deepfold::Params::decode(bytes).map(Self::DeepFold),
            SchemeId::Ring | SchemeId::Virgo => None,
        }
    }

    /// The canonical encoding.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        each!(self, params => params.encode())
    }

    /// The digest that every transcript starts with.
    #[must_use]
    pub fn digest(&self) -> Digest {
        each!(self, params => params.digest())
    }

    /// The hash of trees and transcript.
    #[must_use]
    pub fn hash(&self) -> Hash {
        each!(self, params => params.hash)
    }

    /// The number of the scheme in files.
    #[must_use]
    pub fn scheme(&self) -> SchemeId {
        match self {
            Self::Matrix(params) => params.scheme(),
            Self::DeepFold(_) => SchemeId::DeepFold,
        }
    }

    /// The parameters of Ligerito, which commits to bytes; none of a scheme that commits to numbers.
    #[must_use]
    pub fn of_bytes(&self) -> Option<&matrix::Params> {
        match self {
            Self::Matrix(params) if params.fields.family() == Family::Binary => Some(params),
            _ => None,
        }
    }

    /// log2 of the number of elements that are committed to as one polynomial.
    #[must_use]
    pub fn log_size(&self) -> u32 {
        each!(self, params => params.log_size)
    }

    /// The counts and names that all schemes have.
    #[must_use]
    pub fn summary(&self) -> scheme::Summary {
        each!(self, params => params.summary())
    }

    /// Refuses parameters of which a number is out of range, whatever the others prove. What is computed with parameters (bits, sizes, memory, an outline) is
    /// computed with those that pass.
    ///
    /// # Errors
    /// Names the first number that is out of range.
    pub fn check(&self) -> Result<(), ParamError> {
        each!(self, params => params.check())
    }

    /// The proven security, if the parameters are in range and satisfy the policy.
    ///
    /// # Errors
    /// Why they are refused.
    pub fn validate(&self, policy: &Policy) -> Result<Report, ParamError> {
        each!(self, params => params.validate(policy))
    }

    /// The proven security, term by term; [`AnyParams::check`] first.
    #[must_use]
    pub fn report(&self) -> Report {
        each!(self, params => params.report())
    }

    /// The name of the pair of fields.
    #[must_use]
    pub fn fields_name(&self) -> &'static str {
        each!(self, params => params.fields.name())
    }

    /// The entries of bytes; none of parameters for numbers.
    #[must_use]
    pub fn unit(&self) -> Option<Unit> {
        self.of_bytes().map(Unit::of)
    }

    /// The bytes that are committed to, padding included; none of parameters for numbers.
    #[must_use]
    pub fn capacity(&self) -> Option<u64> {
        self.of_bytes().map(BytesDescription::capacity)
    }

    /// The length of the proof of an opening of so many forms, without the file around it.
    #[must_use]
    pub fn size(&self, forms: usize) -> matrix::Size {
        each!(self, params => params.size(forms))
    }

    /// A line for each committed matrix or fold.
    #[cfg(feature = "prover")]
    #[must_use]
    pub fn outline(&self) -> Vec<alloc::string::String> {
        each!(self, params => params.outline())
    }

    /// The scheme of these parameters.
    ///
    /// # Errors
    /// If the parameters are refused.
    pub fn build(self, policy: &Policy) -> Result<AnyScheme, ParamError> {
        match self {
            Self::Matrix(params) => AnyScheme::from_matrix(params, policy),
            Self::DeepFold(params) => AnyScheme::from_deepfold(params, policy),
        }
    }

    /// Bytes that a prover takes at once, data included: for a commitment alone, or for one that is opened.
    #[cfg(feature = "prover")]
    #[must_use]
    pub fn prover_memory(&self, opens: bool) -> u64 {
        each!(self, params => params.prover_memory(opens))
    }

    /// Bytes that an opening takes whose witness was kept without a codeword, data included.
    #[cfg(feature = "prover")]
    #[must_use]
    pub fn lean_memory(&self) -> u64 {
        match self {
            Self::Matrix(params) => params.lean_memory(),
            Self::DeepFold(params) => params.prover_memory(true),
        }
    }

    /// Bytes that an opening takes, data included: by a witness that was kept without a codeword, or by a new one; of a weighted sum with
    /// its weights.
    #[cfg(feature = "prover")]
    #[must_use]
    pub fn opening_memory(&self, kept: bool, weighted: bool) -> u64 {
        match (weighted, kept) {
            (true, _) => self.weighted_memory().unwrap_or(u64::MAX),
            (false, true) => self.lean_memory(),
            (false, false) => self.prover_memory(true),
        }
    }

    /// Bytes that the proof of a weighted sum takes, with commitment, data and weights; none if the scheme has no such proofs.
    #[cfg(feature = "prover")]
    #[must_use]
    pub fn weighted_memory(&self) -> Option<u64> {
        match self {
            Self::Matrix(params) => Some(params.weighted_memory()),
            Self::DeepFold(_) => None,
        }
    }

    /// Bytes that the proof of an inner product takes, with commitment and data; none if the scheme has no such proofs.
    #[cfg(feature = "prover")]
    #[must_use]
    pub fn product_memory(&self) -> Option<u64> {
        match self {
            Self::Matrix(params) => Some(params.product_memory()),
            Self::DeepFold(_) => None,
        }
    }
}
