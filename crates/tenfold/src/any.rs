//! A scheme with its types hidden. Elements of fields are their canonical bytes here.
//!
//! ```text
//!  parameters ─► AnyScheme ─► verifies files                     each pair of scheme and fields
//!                    └──────► AnyProver: commits, opens          is compiled once, in this module
//! ```

mod form;
#[cfg(feature = "prover")]
mod machine;
mod product;
#[cfg(feature = "prover")]
mod prover;
#[cfg(feature = "cluster")]
pub(crate) mod ranks;
mod supported;
mod typed;
mod weighted;

pub use form::{Form, Product};
#[cfg(feature = "prover")]
pub use machine::Mode;
#[cfg(feature = "prover")]
pub use prover::{AnyEntries, AnyProver, AnyWitness, Kept, NoEntry, Opened};
pub use weighted::{WeightedStatement, Weights};

use crate::params::AnyParams;
use crate::verify::{Limits, Proven, Refused};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use iop::error::ParamError;
use iop::hash::Digest;
use iop::security::{Policy, Report};
use pcs::fields::Family;
use pcs::file::{File, FileError, SchemeId};
use pcs::scheme::Summary;
use pcs::{deepfold, ligerito, matrix, pip, with_binary_fields, with_fields};
use typed::Typed;

/// A run of bytes of a proof: how many, and their meaning.
pub type Part = (usize, String);

/// A scheme with validated parameters, whatever its fields are.
pub struct AnyScheme(Box<dyn Erased>);

/// Tells whether canonical bytes of an element are those of an integer, and zeros.
fn is_integer(bytes: &[u8], x: u128) -> bool {
    let (own, zeros) = (x.to_le_bytes(), core::iter::repeat(&0));
    let long = bytes.len().max(own.len());
    bytes.iter().chain(zeros.clone()).zip(own.iter().chain(zeros)).take(long).all(|(byte, own)| byte == own)
}

/// A scheme behind its table of functions.
pub(crate) trait Erased: Send + Sync {
    fn summary(&self) -> &Summary;
    fn id(&self) -> SchemeId;
    fn encoded(&self) -> &[u8];
    fn digest(&self) -> Digest;
    fn report(&self) -> &Report;
    fn sum(&self, values: &[Vec<u8>]) -> Option<Vec<u8>>;
    fn coordinates(&self, value: &[u8]) -> Option<Vec<u8>>;
    fn point(&self, coordinates: &[i128]) -> Form;
    fn powers(&self, point: i128) -> Form;
    fn is_coordinate(&self, x: i128) -> bool;
    fn verify(&self, file: &File) -> Result<(Proven, Vec<Part>), Refused>;
    fn weights_count(&self, weights: &Weights<'_>) -> usize;
    fn weighted_statement(&self, file: &File) -> Result<WeightedStatement, Refused>;
    fn verify_weighted(&self, file: &File, weights: Weights<'_>, limits: &Limits) -> Result<Proven, Refused>;
    fn verify_product(&self, file: &File, policy: &Policy) -> Result<(Proven, Vec<Part>), Refused>;
    #[cfg(feature = "prover")]
    fn weighted_parts(&self, file: &File, policy: &Policy) -> Result<Vec<Part>, Refused>;
    #[cfg(feature = "prover")]
    fn machine(&self) -> Box<dyn machine::Machine + '_>;
    #[cfg(feature = "cluster")]
    fn ranks(&self) -> Option<&dyn ranks::Ranks>;
}

impl AnyScheme {
    /// PIP_FRI over prime fields, Ligerito over binary ones.
    ///
    /// # Errors
    /// If the parameters are refused.
    pub fn from_matrix(params: matrix::Params, policy: &Policy) -> Result<Self, ParamError> {
        match params.fields.family() {
            Family::Prime => with_fields!(params.fields, B, E => boxed::<pip::Scheme<B, E>>(params, policy)),
            Family::Binary => {
                with_binary_fields!(params.fields, B, E => boxed::<ligerito::Scheme<B, E>>(params, policy))
            }
        }
    }

    /// DeepFold.
    ///
    /// # Errors
    /// If the parameters are refused.
    pub fn from_deepfold(params: deepfold::Params, policy: &Policy) -> Result<Self, ParamError> {
        if params.fields.family() != Family::Prime {
            return Err(ParamError::OutOfRange(format!("the scheme is not for {}", params.fields.name())));
        }
        with_fields!(params.fields, B, E => boxed::<deepfold::Scheme<B, E>>(params, policy))
    }

    /// The scheme and parameters that the header of a file names.
    ///
    /// # Errors
    /// If the encoding is not canonical, the parameters are refused, or files of that scheme are judged elsewhere.
    pub fn from_file(file: &File, policy: &Policy) -> Result<Self, Refused> {
        if file.scheme == SchemeId::Ring {
            return Err(FileError::Elsewhere("this is a file about a ring").into());
        }
        let params =
            AnyParams::decode(file.scheme, &file.params).ok_or(FileError::Malformed("parameters"))?;
        params.build(policy).map_err(Refused::Params)
    }

    /// Counts and names of the parameters.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        self.0.summary()
    }

    /// The scheme.
    #[must_use]
    pub fn id(&self) -> SchemeId {
        self.0.id()
    }

    /// The encoded parameters.
    #[must_use]
    pub fn encoded(&self) -> &[u8] {
        self.0.encoded()
    }

    /// The digest of the parameters.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.0.digest()
    }

    /// The proven security, term by term.
    #[must_use]
    pub fn report(&self) -> &Report {
        self.0.report()
    }

    /// The sum of elements of the challenge field; none if one is not in canonical form.
    #[must_use]
    pub fn sum(&self, values: &[Vec<u8>]) -> Option<Vec<u8>> {
        self.0.sum(values)
    }

    /// The number of weights that are given.
    pub(crate) fn weights_count(&self, weights: &Weights<'_>) -> usize {
        self.0.weights_count(weights)
    }

    /// The coordinates of an element of the challenge field over the data's field, as canonical bytes end to end; none if it is not in
    /// canonical form.
    #[must_use]
    pub fn coordinates(&self, value: &[u8]) -> Option<Vec<u8>> {
        self.0.coordinates(value)
    }

    /// The form of the multilinear extension at a point with small coordinates, the variable of the lowest index bit first. Over a binary
    /// field an integer is the element with these bits.
    #[must_use]
    pub fn point(&self, coordinates: &[i128]) -> Form {
        self.0.point(coordinates)
    }

    /// The form of the univariate polynomial with the entries as coefficients, the constant one first, at a small point, which is an element
    /// as in [`AnyScheme::point`].
    #[must_use]
    pub fn powers(&self, point: i128) -> Form {
        self.0.powers(point)
    }

    /// Tells whether an integer stands for an element in [`AnyScheme::point`] and [`AnyScheme::powers`]: those below the modulus of a prime field,
    /// and above its negative; over a binary field none that is negative. Others are reduced there.
    #[must_use]
    pub fn is_coordinate(&self, x: i128) -> bool {
        self.0.is_coordinate(x)
    }

    /// Verifies an opening of these parameters; returns what it states, and the meaning of each byte of its body. The context may be any
    /// bytes: [`crate::verify()`] reads in it what was committed to.
    ///
    /// # Errors
    /// If anything is wrong.
    pub fn verify(&self, file: &File) -> Result<(Proven, Vec<Part>), Refused> {
        self.0.verify(file)
    }

    /// What a proof of a weighted sum states; nothing of it is checked but its form and the digests of its header.
    ///
    /// # Errors
    /// If the body is malformed, or is none of these parameters.
    pub fn weighted_statement(&self, file: &File) -> Result<WeightedStatement, Refused> {
        self.0.weighted_statement(file)
    }

    /// Verifies a proof of a weighted sum with its weights.
    ///
    /// # Errors
    /// If anything is wrong.
    pub fn verify_weighted(
        &self,
        file: &File,
        weights: Weights<'_>,
        limits: &Limits,
    ) -> Result<Proven, Refused> {
        self.0.verify_weighted(file, weights, limits)
    }

    /// Verifies a proof of an inner product of columns: what it states, and the meaning of each byte of its body.
    ///
    /// # Errors
    /// If anything is wrong.
    pub fn verify_product(&self, file: &File, policy: &Policy) -> Result<(Proven, Vec<Part>), Refused> {
        self.0.verify_product(file, policy)
    }

    /// The meaning of each byte in the body of a proof of a weighted sum, of which all is checked but the weights.
    ///
    /// # Errors
    /// If what is checked is wrong.
    #[cfg(feature = "prover")]
    pub fn weighted_parts(&self, file: &File, policy: &Policy) -> Result<Vec<Part>, Refused> {
        self.0.weighted_parts(file, policy)
    }

    /// The scheme as the ranks of a cluster have it; none if they do not serve it.
    #[cfg(feature = "cluster")]
    pub(crate) fn ranks(&self) -> Option<&dyn ranks::Ranks> {
        self.0.ranks()
    }

    /// A machine that proves for the scheme: the threads of this process.
    #[cfg(feature = "prover")]
    #[must_use]
    pub fn prover(&self) -> AnyProver<'_> {
        AnyProver::new(self)
    }
}

impl core::fmt::Debug for AnyScheme {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("AnyScheme")
            .field("id", &self.id())
            .field("summary", self.summary())
            .finish_non_exhaustive()
    }
}

fn boxed<S: supported::Supported>(params: S::Params, policy: &Policy) -> Result<AnyScheme, ParamError> {
    Ok(AnyScheme(Box::new(Typed::<S>::new(S::new(params, policy)?))))
}
