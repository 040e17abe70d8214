//! The interface of polynomial commitment schemes: [`MultilinearPcs`], which every scheme for multilinear polynomials implements whatever its
//! security rests on, and over it what the schemes over codes have in common: parameters, a verifier that holds validated ones, and a
//! prover. Front ends, batteries of tests and measurements are written against it once, for all schemes.
//!
//! ```
//! use pcs::field::{Goldilocks, Goldilocks2};
//! use pcs::iop::poly::TensorForm;
//! use pcs::iop::security::Policy;
//! use pcs::pip::search::{Profile, SearchTarget, find};
//! use pcs::scheme::{MultilinearPcs, Prove, Prover, Witness};
//!
//! /// Commits to a vector and proves its first entry, by any scheme.
//! fn first_entry<S: Prove>(scheme: &S, entries: Vec<S::Base>) -> bool {
//!     let form = TensorForm::index(0, entries.len().ilog2() as usize);
//!     let mut prover = scheme.prover();
//!     let mut witness = prover.commit(entries);
//!     let (claims, proof) = prover.open(&mut witness, vec![form], b"an example");
//!     scheme.verify(witness.commitment(), &claims, &proof).is_ok()
//! }
//!
//! let params = find(&SearchTarget::new(pcs::fields::Fields::Goldilocks2, 4, 100, Profile::Fast)).unwrap();
//! let scheme = pcs::pip::Scheme::<Goldilocks, Goldilocks2>::new(params, &Policy::at_least(100)).unwrap();
//! assert!(first_entry(&scheme, vec![Goldilocks::default(); 16]));
//! ```
//!
//! # Under a proof system
//!
//! The example `snark_batch` of the crate `tenfold` opens many polynomials at one point, `snark_rounds` those of two commitments by one proof. What a protocol around a commitment has to know:
//!
//! - **A commitment** is to as many polynomials as the parameters say, all of the same size ([`Summary::polynomials`], [`Summary::log_size`]): several are committed to by
//!   [`Prover::commit_batch`].
//! - **Every form is evaluated on all of them**: [`Claims::values`] has a value for each form and each polynomial, and the verifier refuses fewer. Polynomials for other points have
//!   another commitment, or their values at these points are stated too.
//! - **A proof is about one commitment**, or about several of the same parameters that hold polynomials of one size: commitments of several rounds, each opened at
//!   points of its own, take one proof by [`JointScheme`](crate::matrix::JointScheme). [`Prover::open`] takes one witness.
//! - **A column over the challenge field** is committed to by its coordinates, a polynomial for each; over binary fields entries may be elements of it
//!   ([`Entries::Extension`](crate::ring_switching::Entries::Extension)).
//! - **A proof has its own transcript**, which begins with the parameters, the commitment, the forms, their values and `context`, and ends with the proof. It neither continues the caller's
//!   transcript nor can be continued by it: `context` is a digest of what the caller's has absorbed.
//! - **Between rounds**, a challenge is drawn after the bytes of all commitments so far, their out-of-domain values included: a root alone may stand for several messages outside unique
//!   decoding, and who knows the challenge first chooses one of them.
//! - **Before points are drawn**, the caller absorbs the commitment's bytes. That a proof is bound to its forms says nothing of where they come from: a prover who knows the points
//!   first chooses polynomials for them.
//! - **Before further challenges are drawn**, the caller absorbs the claimed values, which are not in the proof's bytes; and these too, if its transcript is to hold all that was sent.
//! - **The verifier makes the [`Claims`] itself**, of every statement where there are several: of its own forms and context, and the values that it was sent. Those of a prover may be
//!   about other points, and [`MultilinearPcs::verify`] takes them as they are.
#![forbid(unsafe_code)]

#[cfg(test)]
pub(crate) mod conformance;
mod schemes;

use crate::claims::Claims;
use crate::file::SchemeId;
#[cfg(feature = "prover")]
use crate::matrix::Secret;
use crate::matrix::{Commitment, Size};
#[cfg(feature = "prover")]
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt::Debug;
use field::{ExtensionOf, Field, FoldableCode};
use iop::error::{Invalid, ParamError};
use iop::hash::{Digest, Hash};
#[cfg(feature = "prover")]
use iop::poly::TensorForm;
use iop::security::{Policy, Report};
use iop::transcript::Call;

/// Parameters as files hold them, not yet validated.
pub trait Params: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// The scheme's number in files.
    fn scheme(&self) -> SchemeId;
    /// Reads the encoding of a scheme's parameters, exactly.
    fn decode(scheme: SchemeId, bytes: &[u8]) -> Option<Self>;
    /// The canonical encoding.
    fn encode(&self) -> Vec<u8>;
    /// The digest that every transcript starts with.
    fn digest(&self) -> Digest;
    /// Refuses numbers that are out of range, whatever the others prove: everything but the encoding computes with those that pass.
    ///
    /// # Errors
    /// Names the first number that is out of range.
    fn check(&self) -> Result<(), ParamError>;
    /// The proven security, if the parameters are in range and satisfy the policy.
    ///
    /// # Errors
    /// Why they are refused.
    fn validate(&self, policy: &Policy) -> Result<Report, ParamError>;
    /// The counts and names that all schemes have.
    fn summary(&self) -> Summary;
    /// The expected and the maximal length of the proof of so many forms.
    fn size(&self, forms: usize) -> Size;
}

/// Counts and names of parameters of any scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// The hash of trees and transcript.
    pub hash: Hash,
    /// Names of the data field and of the challenge field.
    pub fields: [&'static str; 2],
    /// Bytes of one element of each.
    pub bytes: [usize; 2],
    /// log2 of the number of committed entries, packed ones counted by the elements that hold them.
    pub log_size: u32,
    /// Elements of the data field that hold an entry; more than one if entries are elements of the challenge field.
    pub entry_elements: usize,
    /// Variables of a claim's form; more than `log_size` where entries are packed.
    pub variables: usize,
    /// Polynomials that are committed together.
    pub polynomials: u32,
    /// The most forms of one proof.
    pub max_forms: u32,
    /// Openings that the commitment hides.
    pub hidden_openings: u32,
    /// True if a commitment has a value of each polynomial at a point outside of the code's domain.
    pub out_of_domain: bool,
}

/// What the security of a scheme rests on.
#[derive(Debug, Clone, Copy)]
pub enum Security<'a> {
    /// Theorems give a number of bits: the report has them term by term.
    Proven(&'a Report),
    /// Assumptions, in words, of which no theorem gives a number of bits.
    Assumed(&'static str),
}

/// A multilinear polynomial commitment with validated parameters: all that a verifier holds.
///
/// Law: [`MultilinearPcs::script`] accepts claims only if each form takes the claimed values on the committed polynomials, but for the error
/// that [`MultilinearPcs::security`] bounds, or under the assumptions that it names.
pub trait MultilinearPcs: Clone + Send + Sync + Sized + 'static {
    /// The field of forms and values.
    type Value: Field;
    /// What is committed to, as the verifier has it.
    type Commitment: Clone + Debug + PartialEq;

    /// What the security rests on.
    fn security(&self) -> Security<'_>;
    /// Reads the encoding of a commitment, exactly.
    ///
    /// # Errors
    /// If it is none of these parameters.
    fn read_commitment(&self, bytes: &[u8]) -> Result<Self::Commitment, Invalid>;
    /// The calls of a valid proof's transcript in order: what each of its bytes is.
    ///
    /// # Errors
    /// If a claim does not hold, or the proof is wrong in any way.
    fn script(
        &self,
        commitment: &Self::Commitment,
        claims: &Claims<Self::Value>,
        proof: &[u8],
    ) -> Result<Vec<Call>, Invalid>;

    /// Accepts if every claim holds for the committed polynomials.
    ///
    /// # Errors
    /// As [`MultilinearPcs::script`].
    fn verify(
        &self,
        commitment: &Self::Commitment,
        claims: &Claims<Self::Value>,
        proof: &[u8],
    ) -> Result<(), Invalid> {
        self.script(commitment, claims, proof).map(|_| ())
    }
}

/// A [`MultilinearPcs`] over a code, of proven security.
pub trait Pcs:
    MultilinearPcs<Value = <Self as Pcs>::Challenge, Commitment = Commitment<<Self as Pcs>::Challenge>>
{
    /// The field of the entries.
    type Base: FoldableCode;
    /// The field of the challenges and of the claims.
    type Challenge: ExtensionOf<Self::Base>;
    /// The scheme's parameters.
    type Params: Params;

    /// Validates parameters against a policy.
    ///
    /// # Errors
    /// If they name other fields, are out of range, or prove fewer bits than the policy wants.
    fn new(params: Self::Params, policy: &Policy) -> Result<Self, ParamError>;
    /// The parameters.
    fn params(&self) -> &Self::Params;
    /// The proven security, term by term.
    fn report(&self) -> &Report;
}

/// A scheme that this process proves for.
#[cfg(feature = "prover")]
pub trait Prove: Pcs {
    /// What the prover keeps of a commitment.
    type Witness: Witness<Self::Base, Self::Challenge>;

    /// A prover without buffers yet.
    fn prover(&self) -> impl Prover<Self>;
}

/// What a prover keeps of a commitment.
#[cfg(feature = "prover")]
pub trait Witness<B: Clone, E>: Send + 'static {
    /// The public part.
    fn commitment(&self) -> &Commitment<E>;
    /// Bytes held beyond the commitment.
    fn memory(&self) -> usize;
    /// The entries, if they are kept as they are; of a hiding commitment with the randomness among them.
    fn message(&self) -> &[B];
    /// The entries, whatever they are kept as.
    fn entries(&self) -> Cow<'_, [B]> {
        self.message().into()
    }
    /// The nodes of the tree, end to end, with which [`Prover::restore`] makes a witness of the entries; none if it cannot.
    fn nodes(&self) -> &[u8] {
        &[]
    }
    /// The secret of a hiding commitment, with the openings made so far.
    fn secret(&self) -> Option<&Secret> {
        None
    }
    /// True if another machine holds what was committed to.
    fn is_remote(&self) -> bool {
        false
    }
    /// Ends the witness; of a hiding commitment the secret is left.
    fn into_secret(self) -> Option<Secret>
    where
        Self: Sized,
    {
        None
    }
}

/// A machine that proves for a scheme. Keeps buffers from one commitment to the next.
#[cfg(feature = "prover")]
pub trait Prover<S: Prove>: Send + Sync {
    /// Commits to one polynomial of `2^log_size` entries.
    fn commit(&mut self, entries: Vec<S::Base>) -> S::Witness;
    /// Proves the values of forms on every committed polynomial. What a protocol absorbs before and after: [under a proof system](self#under-a-proof-system).
    ///
    /// # Panics
    /// If there are no forms or more than the parameters allow, or a form has the wrong number of variables.
    fn open(
        &self,
        witness: &mut S::Witness,
        forms: Vec<TensorForm<S::Challenge>>,
        context: &[u8],
    ) -> (Claims<S::Challenge>, Vec<u8>);
    /// Takes back the memory of a witness that is no longer needed.
    fn recycle(&mut self, witness: S::Witness);

    /// Commits as [`Prover::commit`] does, and keeps the entries and nodes of the tree alone if the scheme can open with these.
    fn commit_lean(&mut self, entries: Vec<S::Base>) -> S::Witness {
        self.commit(entries)
    }
    /// The number of bytes of [`Witness::nodes`] of a lean witness; 0 if the scheme restores none.
    fn node_bytes(&self) -> usize {
        0
    }
    /// The witness of [`Prover::commit_lean`] from its entries and nodes, which need not be those of one commitment.
    ///
    /// # Errors
    /// If the scheme restores no witness of these parameters, or there are other numbers of entries or nodes.
    fn restore(&self, _entries: Vec<S::Base>, _nodes: Vec<u8>) -> Result<S::Witness, ParamError> {
        Err(ParamError::OutOfRange("the scheme restores no witness".into()))
    }
    /// Calls `each` with every entry of a witness that keeps them as they are, in their order; not with the randomness among them that hides.
    fn each_entry(&self, witness: &S::Witness, each: &mut dyn FnMut(&S::Base)) {
        witness.message().iter().for_each(each);
    }
    /// Commits to the polynomials of the parameters, of `2^log_size` entries each.
    ///
    /// # Panics
    /// If there are other numbers of polynomials or entries.
    fn commit_batch(&mut self, polynomials: &[&[S::Base]]) -> S::Witness {
        assert_eq!(polynomials.len(), 1, "a scheme of one polynomial");
        self.commit(polynomials[0].to_vec())
    }
    /// Commits as [`Prover::commit_batch`] does, with a secret of the caller's; none if the scheme does not hide.
    fn commit_hiding(&mut self, _polynomials: &[&[S::Base]], _secret: Secret) -> Option<S::Witness> {
        None
    }
}
