//! What a weighted sum asks of the scheme that opens the point it is reduced to.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use crate::claims::Claims;
use crate::matrix::{Commitment, Layout, code};
use crate::{ligerito, pip};
use alloc::string::String;
use alloc::vec::Vec;
use field::{Alphabet, ExtensionOf, TwoAdic};
use iop::error::{Invalid, ParamError};
use iop::hash::{Digest, Hash};
use iop::security::{Code, Policy, Report};
use iop::transcript::Call;

/// What a weighted sum knows of the parameters below it.
#[derive(Debug, Clone)]
pub struct Facts {
    /// The label of the sum's transcript.
    pub label: String,
    /// Digest of the parameters.
    pub digest: Digest,
    /// Hash of the transcript.
    pub hash: Hash,
    /// log2 of the number of entries.
    pub variables: usize,
    /// Polynomials committed together.
    pub polynomials: usize,
    /// Openings that the commitment hides.
    pub hidden_openings: u32,
    /// The code of the committed matrix.
    pub code: Code,
}

impl Facts {
    /// Those of a matrix scheme.
    pub(crate) fn of(layout: &Layout) -> Self {
        Self {
            label: layout.label("weighted"),
            digest: layout.digest,
            hash: layout.hash,
            variables: layout.variables,
            polynomials: layout.polynomials,
            hidden_openings: layout.hidden_openings,
            code: code(&layout.first),
        }
    }
}

/// The verifier of a scheme over a matrix, which opens a committed polynomial at points.
///
/// Law: `script` accepts a claim about a point only if the multilinear extension of the committed entries takes the
/// value there. There are `2^variables` entries, each an element of the base field.
pub trait Points: Sized {
    /// The field of the entries.
    type Base: Alphabet;
    /// The field of the challenges.
    type Challenge: ExtensionOf<Self::Base>;
    /// The scheme's parameters.
    type Params;

    /// Validates parameters against a policy.
    ///
    /// # Errors
    /// If they are refused.
    fn validated(params: Self::Params, policy: &Policy) -> Result<Self, ParamError>;
    /// The parameters.
    fn params(&self) -> &Self::Params;
    /// What is derived from them.
    fn facts(&self) -> Facts;
    /// The proven security of an opening.
    fn report(&self) -> &Report;
    /// Reads the encoding of a commitment, exactly.
    ///
    /// # Errors
    /// If it is none of these parameters.
    fn read_commitment(&self, bytes: &[u8]) -> Result<Commitment<Self::Challenge>, Invalid>;
    /// The calls of a valid proof's transcript in order.
    ///
    /// # Errors
    /// If a claim does not hold.
    fn script(
        &self,
        commitment: &Commitment<Self::Challenge>,
        claims: &Claims<Self::Challenge>,
        proof: &[u8],
    ) -> Result<Vec<Call>, Invalid>;
}

impl<B: TwoAdic, E: ExtensionOf<B>> Points for pip::Scheme<B, E> {
    type Base = B;
    type Challenge = E;
    type Params = pip::Params;

    fn validated(params: pip::Params, policy: &Policy) -> Result<Self, ParamError> {
        Self::new(params, policy)
    }

    fn params(&self) -> &pip::Params {
        self.params()
    }

    fn facts(&self) -> Facts {
        Facts::of(self.layout())
    }

    fn report(&self) -> &Report {
        self.report()
    }

    fn read_commitment(&self, bytes: &[u8]) -> Result<Commitment<E>, Invalid> {
        self.read_commitment(bytes)
    }

    fn script(
        &self,
        commitment: &Commitment<E>,
        claims: &Claims<E>,
        proof: &[u8],
    ) -> Result<Vec<Call>, Invalid> {
        self.script(commitment, claims, proof)
    }
}

/// Packed entries are elements of the alphabet, each with zeros above its bits.
impl<B: Alphabet, E: ExtensionOf<B>> Points for ligerito::Scheme<B, E> {
    type Base = B;
    type Challenge = E;
    type Params = ligerito::Params;

    fn validated(params: ligerito::Params, policy: &Policy) -> Result<Self, ParamError> {
        Self::new(params, policy)
    }

    fn params(&self) -> &ligerito::Params {
        self.params()
    }

    fn facts(&self) -> Facts {
        Facts::of(self.layout())
    }

    fn report(&self) -> &Report {
        self.report()
    }

    fn read_commitment(&self, bytes: &[u8]) -> Result<Commitment<E>, Invalid> {
        self.read_commitment(bytes)
    }

    fn script(
        &self,
        commitment: &Commitment<E>,
        claims: &Claims<E>,
        proof: &[u8],
    ) -> Result<Vec<Call>, Invalid> {
        self.script(commitment, claims, proof)
    }
}
