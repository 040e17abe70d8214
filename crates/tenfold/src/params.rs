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
use alloc::vec::Vec;
use iop::error::ParamError;
use iop::hash::{Digest, Hash};
use iop::security::{Policy, Report};
use pcs::file::SchemeId;
use pcs::scheme::{self, Params as _};
use pcs::{deepfold, ligerito, pip};

/// Parameters of any scheme, not yet validated.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyParams {
    /// PIP_FRI.
    Pip(pip::Params),
    /// DeepFold.
    DeepFold(deepfold::Params),
    /// Ligerito.
    Ligerito(ligerito::Params),
}

macro_rules! each {
    ($params:expr, $inner:ident => $value:expr) => {
        match $params {
            AnyParams::Pip($inner) => $value,
            AnyParams::DeepFold($inner) => $value,
            AnyParams::Ligerito($inner) => $value,
        }
    };
}

impl AnyParams {
    /// Reads the encoded parameters of a scheme, exactly; none of rings, which know no such parameters.
    #[must_use]
    pub fn decode(scheme: SchemeId, bytes: &[u8]) -> Option<Self> {
        match scheme {
            SchemeId::Pip => pip::Params::decode(scheme, bytes).map(Self::Pip),
            SchemeId::DeepFold => deepfold::Params::decode(bytes).map(Self::DeepFold),
            SchemeId::Ligerito => ligerito::Params::decode(scheme, bytes).map(Self::Ligerito),
            SchemeId::Ring => None,
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
            // Of the fields' family: the two are presets of one protocol.
            Self::Pip(params) | Self::Ligerito(params) => params.scheme(),
            Self::DeepFold(_) => SchemeId::DeepFold,
        }
    }

    /// The counts and names that all schemes have.
    #[must_use]
    pub fn summary(&self) -> scheme::Summary {
        each!(self, params => params.summary())
    }

    /// The proven security, if the parameters are in range and satisfy the policy.
    ///
    /// # Errors
    /// Why they are refused.
    pub fn validate(&self, policy: &Policy) -> Result<Report, ParamError> {
        each!(self, params => params.validate(policy))
    }

    /// The proven security, term by term.
    #[must_use]
    pub fn report(&self) -> Report {
        each!(self, params => params.report())
    }

    /// The name of the pair of fields.
    #[must_use]
    pub fn fields_name(&self) -> &'static str {
        each!(self, params => params.fields.name())
    }

    /// The scheme of these parameters.
    ///
    /// # Errors
    /// If the parameters are refused.
    pub fn build(self, policy: &Policy) -> Result<AnyScheme, ParamError> {
        match self {
            Self::Pip(params) => AnyScheme::from_pip(params, policy),
            Self::DeepFold(params) => AnyScheme::from_deepfold(params, policy),
            Self::Ligerito(params) => AnyScheme::from_ligerito(params, policy),
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
            Self::Pip(params) => params.lean_memory(),
            Self::DeepFold(params) => params.prover_memory(true),
            Self::Ligerito(params) => params.lean_memory(),
        }
    }

    /// Bytes that the proof of a weighted sum takes, with commitment, data and weights; none if the scheme has no such proofs.
    #[cfg(feature = "prover")]
    #[must_use]
    pub fn weighted_memory(&self) -> Option<u64> {
        match self {
            Self::Pip(params) => Some(params.weighted_memory()),
            Self::DeepFold(_) => None,
            Self::Ligerito(params) => Some(params.weighted_memory()),
        }
    }
}
