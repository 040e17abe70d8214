//! What `compare` runs: schemes with chosen parameters, behind one face.

use crate::units;
use field::{Alphabet, ExtensionOf, TwoAdic};
use iop::error::Invalid;
use iop::hash::Hash;
use iop::poly::Tensor;
use iop::security::Report;
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

/// The parameters of a contender.
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

    /// The proof of security that the bits come from.
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

    /// The hash of trees and transcript.
    pub fn hash(&self) -> Hash {
        match self {
            Self::Pip(params) => params.hash,
            Self::DeepFold(params) => params.hash,
            Self::Ligerito(params) => params.hash,
        }
    }

    /// log2 of the number of entries; of Ligerito, of words of the alphabet.
    pub fn log_size(&self) -> u32 {
        match self {
            Self::Pip(params) => params.log_size,
            Self::DeepFold(params) => params.log_size,
            Self::Ligerito(params) => params.log_size,
        }
    }
}
