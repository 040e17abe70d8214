//! What `compare` runs: schemes with chosen parameters, behind one face.

use field::{Alphabet, ExtensionOf, TwoAdic};
use iop::error::Invalid;
use iop::hash::Hash;
use iop::poly::Tensor;
use iop::security::Report;
use pcs::fields::Fields;
use pcs::pip::Commitment;
use pcs::{Claims, deepfold, ligerito, pip};

/// The label bound into every opening of a comparison.
const CONTEXT: &[u8] = b"compare";

/// A scheme with parameters and a prover for it.
pub trait Contender<B, E> {
    /// What the prover keeps of a commitment.
    type Witness;
    /// Commits to `2^log_size` entries.
    fn commit(&mut self, entries: Vec<B>) -> Self::Witness;
    /// The public part of a commitment.
    fn commitment(witness: &Self::Witness) -> &Commitment<E>;
    /// Bytes that the prover holds from commit to open.
    fn held(witness: &Self::Witness) -> usize;
    /// Proves the value of one linear form.
    fn open(&mut self, witness: &mut Self::Witness, form: Tensor<E>) -> (Claims<E>, Vec<u8>);
    /// Checks an opening.
    fn verify(&self, commitment: &Commitment<E>, claims: &Claims<E>, proof: &[u8]) -> Result<(), Invalid>;
    /// Takes the memory of a witness back.
    fn recycle(&mut self, witness: Self::Witness);
    /// The proven security.
    fn report(&self) -> &Report;
}

/// Implements [`Contender`] for a scheme and its prover: the schemes have the same verbs by design.
macro_rules! contender {
    ($name:ident, $module:ident, $bound:ident, $doc:literal) => {
        #[doc = $doc]
        pub struct $name<'a, B, E> {
            scheme: &'a $module::Scheme<B, E>,
            prover: $module::Prover<'a, B, E>,
        }

        impl<'a, B: $bound, E: ExtensionOf<B>> $name<'a, B, E> {
            /// A prover for the scheme.
            pub fn new(scheme: &'a $module::Scheme<B, E>) -> Self {
                Self { scheme, prover: $module::Prover::new(scheme) }
            }
        }

        impl<B: $bound, E: ExtensionOf<B>> Contender<B, E> for $name<'_, B, E> {
            type Witness = $module::Witness<B, E>;

            fn commit(&mut self, entries: Vec<B>) -> Self::Witness {
                self.prover.commit(entries)
            }

            fn commitment(witness: &Self::Witness) -> &Commitment<E> {
                witness.commitment()
            }

            fn held(witness: &Self::Witness) -> usize {
                witness.memory()
            }

            fn open(&mut self, witness: &mut Self::Witness, form: Tensor<E>) -> (Claims<E>, Vec<u8>) {
                self.prover.open(witness, vec![form], CONTEXT)
            }

            fn verify(
                &self,
                commitment: &Commitment<E>,
                claims: &Claims<E>,
                proof: &[u8],
            ) -> Result<(), Invalid> {
                self.scheme.verify(commitment, claims, proof)
            }

            fn recycle(&mut self, witness: Self::Witness) {
                self.prover.recycle(witness);
            }

            fn report(&self) -> &Report {
                self.scheme.report()
            }
        }
    };
}

contender!(Pip, pip, TwoAdic, "PIP_FRI.");
contender!(DeepFold, deepfold, TwoAdic, "DeepFold, whole or in fragments.");
contender!(Ligerito, ligerito, Alphabet, "Ligerito.");

/// The parameters of a contender over a prime field.
pub enum Case {
    /// PIP_FRI, with the name of its profile.
    Pip(&'static str, pip::Params),
    /// DeepFold.
    DeepFold(deepfold::Params),
}

impl Case {
    /// Name of the scheme.
    pub fn scheme(&self) -> &'static str {
        match self {
            Self::Pip(..) => "pip",
            Self::DeepFold(_) => "deepfold",
        }
    }

    /// What of the scheme: its profile, or its number of fragments.
    pub fn profile(&self) -> String {
        match self {
            Self::Pip(profile, _) => (*profile).into(),
            Self::DeepFold(params) if params.log_columns == 0 => "whole".into(),
            Self::DeepFold(params) => format!("x{}", 1u32 << params.log_columns),
        }
    }

    /// Data and challenge fields.
    pub fn fields(&self) -> Fields {
        match self {
            Self::Pip(_, params) => params.fields,
            Self::DeepFold(params) => params.fields,
        }
    }

    /// The hash of trees and transcript.
    pub fn hash(&self) -> Hash {
        match self {
            Self::Pip(_, params) => params.hash,
            Self::DeepFold(params) => params.hash,
        }
    }

    /// log2 of the number of entries.
    pub fn log_size(&self) -> u32 {
        match self {
            Self::Pip(_, params) => params.log_size,
            Self::DeepFold(params) => params.log_size,
        }
    }
}
