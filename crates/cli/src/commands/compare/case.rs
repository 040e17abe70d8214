//! The parameters of a case that `compare` measures.

use crate::units;
use iop::error::ParamError;
use iop::security::Policy;
use pcs::scheme::{Params as _, Summary};
use pcs::{deepfold, ligerito, pip};
use tenfold::AnyScheme;

/// The parameters of a scheme.
pub enum Case {
    /// PIP_FRI.
    Pip(pip::Params),
    /// DeepFold.
    DeepFold(deepfold::Params),
    /// Ligerito.
    Ligerito(ligerito::Params),
}

impl Case {
    /// Name of the scheme.
    pub fn scheme(&self) -> &'static str {
        match self {
            Self::Pip(_) => "pip",
            Self::DeepFold(_) => "deepfold",
            Self::Ligerito(_) => "ligerito",
        }
    }

    /// The regime that the proven bits come from.
    pub fn regime(&self) -> String {
        match self {
            Self::Pip(params) => params.regime.to_string(),
            Self::DeepFold(params) => params.report().regime.to_string(),
            Self::Ligerito(params) => params.regime.to_string(),
        }
    }

    /// The digest of parameters that have files.
    pub fn digest(&self) -> Option<String> {
        match self {
            Self::Pip(params) => Some(units::hex(&params.digest())),
            Self::DeepFold(_) => None,
            Self::Ligerito(params) => Some(units::hex(&params.digest())),
        }
    }

    /// Counts and names of the parameters.
    pub fn summary(&self) -> Summary {
        match self {
            Self::Pip(params) => params.summary(),
            Self::DeepFold(params) => params.summary(),
            Self::Ligerito(params) => params.summary(),
        }
    }

    /// The scheme with these parameters.
    pub fn validated(&self, policy: &Policy) -> Result<AnyScheme, ParamError> {
        match self {
            Self::Pip(params) => AnyScheme::from_pip(params.clone(), policy),
            Self::DeepFold(params) => AnyScheme::from_deepfold(params.clone(), policy),
            Self::Ligerito(params) => AnyScheme::from_ligerito(params.clone(), policy),
        }
    }
}
