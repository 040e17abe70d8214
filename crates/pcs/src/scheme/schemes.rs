//! The schemes behind the traits.
#![forbid(unsafe_code)]

use super::{MultilinearPcs, Params, Pcs, Security, Summary};
#[cfg(feature = "prover")]
use super::{Prove, Prover, Witness};
use crate::claims::Claims;
use crate::file::SchemeId;
#[cfg(feature = "prover")]
use crate::matrix::Secret;
use crate::matrix::{self, Commitment, Size};
use crate::{deepfold, virgo};
#[cfg(feature = "prover")]
use alloc::borrow::Cow;
use alloc::vec::Vec;
use field::{ExtensionOf, FoldFibres, TwoAdic};
#[cfg(feature = "prover")]
use field::{Field, FoldableCode};
use iop::error::{Invalid, ParamError};
use iop::hash::Digest;
#[cfg(feature = "prover")]
use iop::poly::TensorForm;
use iop::security::{Policy, Report};
use iop::transcript::Call;

/// Implements [`Params`] by the type's own functions, which have the same names.
macro_rules! params {
    ($params:ty, |$this:ident| $counts:expr, |$id:ident, $bytes:ident| $decode:expr, $scheme:expr) => {
        impl Params for $params {
            fn scheme(&self) -> SchemeId {
                $scheme(self)
            }

            fn decode($id: SchemeId, $bytes: &[u8]) -> Option<Self> {
                $decode
            }

            fn encode(&self) -> Vec<u8> {
                self.encode()
            }

            fn digest(&self) -> Digest {
                self.digest()
            }

            fn check(&self) -> Result<(), ParamError> {
                self.check()
            }

            fn validate(&self, policy: &Policy) -> Result<Report, ParamError> {
                self.validate(policy)
            }

            fn summary(&self) -> Summary {
                let $this = self;
                let (polynomials, hidden_openings, entry_elements, max_forms): (u32, u32, usize, u32) =
                    $counts;
                Summary {
                    hash: self.hash,
                    fields: [self.fields.base_name(), self.fields.name()],
                    bytes: [self.fields.base_bytes(), self.fields.bytes()],
                    log_size: self.log_size,
                    entry_elements,
                    variables: self.variables(),
                    polynomials,
                    max_forms,
                    hidden_openings,
                    out_of_domain: self.out_of_domain(),
                }
            }

            fn size(&self, forms: usize) -> Size {
                self.size(forms)
            }
        }
    };
}

params!(
    matrix::Params,
    |params| (params.polynomials, params.hidden_openings, params.entry_columns(), params.max_forms),
    |scheme, bytes| Self::decode(scheme, bytes),
    Self::scheme
);
params!(
    deepfold::Params,
    |params| (1, 0, 1, params.own.max_forms),
    |scheme, bytes| (scheme == SchemeId::DeepFold).then(|| Self::decode(bytes)).flatten(),
    |_| SchemeId::DeepFold
);
params!(
    virgo::Params,
    |_params| (1, 0, 1, 1),
    |scheme, bytes| (scheme == SchemeId::Virgo).then(|| Self::decode(bytes)).flatten(),
    |_| SchemeId::Virgo
);

/// Implements [`MultilinearPcs`], [`Pcs`] and [`Prove`] for a scheme by its own functions, which have the same names.
macro_rules! scheme {
    (<$($generics:ident),*> $scheme:ty, $params:ty, $witness:ty, $prover:path, where $($bounds:tt)*) => {
        impl<$($generics),*> Pcs for $scheme
        where
            $($bounds)*
        {
            type Base = B;
            type Challenge = E;
            type Params = $params;

            fn new(params: $params, policy: &Policy) -> Result<Self, ParamError> {
                Self::new(params, policy)
            }

            fn params(&self) -> &$params {
                self.params()
            }

            fn report(&self) -> &Report {
                self.report()
            }

        }

        impl<$($generics),*> MultilinearPcs for $scheme
        where
            $($bounds)*
        {
            type Value = E;
            type Commitment = Commitment<E>;

            fn security(&self) -> Security<'_> {
                Security::Proven(self.report())
            }

            fn read_commitment(&self, bytes: &[u8]) -> Result<Commitment<E>, Invalid> {
                self.read_commitment(bytes)
            }

            fn script(&self, commitment: &Commitment<E>, claims: &Claims<E>, proof: &[u8]) -> Result<Vec<Call>, Invalid> {
                self.script(commitment, claims, proof)
            }
        }

        #[cfg(feature = "prover")]
        impl<$($generics),*> Prove for $scheme
        where
            $($bounds)*
        {
            type Witness = $witness;

            fn prover(&self) -> impl Prover<Self> {
                $prover(self)
            }
        }
    };
}

scheme!(<F, B, E> matrix::Scheme<F, B, E>, matrix::Params, matrix::Witness<B, E>, matrix::Prover::new,
    where F: matrix::Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>);
scheme!(<B, E> deepfold::Scheme<B, E>, deepfold::Params, deepfold::Witness<B, E>, deepfold::Prover::new,
    where B: TwoAdic, E: ExtensionOf<B>);
scheme!(<B, E> virgo::Scheme<B, E>, virgo::Params, virgo::Witness<B, E>, virgo::Prover::new,
    where B: TwoAdic, E: ExtensionOf<B>);

#[cfg(feature = "prover")]
impl<F, B, E> Prover<matrix::Scheme<F, B, E>> for matrix::Prover<'_, F, B, E>
where
    F: matrix::Steps<B, E>,
    B: FoldFibres,
    E: ExtensionOf<B>,
{
    fn commit(&mut self, entries: Vec<B>) -> matrix::Witness<B, E> {
        self.commit(entries)
    }

    fn open(
        &self,
        witness: &mut matrix::Witness<B, E>,
        forms: Vec<TensorForm<E>>,
        context: &[u8],
    ) -> (Claims<E>, Vec<u8>) {
        self.open(witness, forms, context)
    }

    fn recycle(&mut self, witness: matrix::Witness<B, E>) {
        self.recycle(witness);
    }

    fn commit_lean(&mut self, entries: Vec<B>) -> matrix::Witness<B, E> {
        self.commit_lean(entries)
    }

    fn node_bytes(&self) -> usize {
        self.node_bytes()
    }

    fn restore(&self, entries: Vec<B>, nodes: Vec<u8>) -> Result<matrix::Witness<B, E>, ParamError> {
        self.restore(entries, nodes)
    }

    fn each_entry(&self, witness: &matrix::Witness<B, E>, each: &mut dyn FnMut(&B)) {
        self.each_entry(witness, each);
    }

    fn commit_batch(&mut self, polynomials: &[&[B]]) -> matrix::Witness<B, E> {
        self.commit_batch(polynomials)
    }

    fn commit_hiding(&mut self, polynomials: &[&[B]], secret: Secret) -> Option<matrix::Witness<B, E>> {
        Some(self.commit_hiding(polynomials, secret))
    }
}

/// Implements [`Prover`] and [`Witness`] for a scheme that is here to compare with: neither lean nor hiding.
macro_rules! baseline {
    ($module:ident) => {
        #[cfg(feature = "prover")]
        impl<B: TwoAdic, E: ExtensionOf<B>> Prover<$module::Scheme<B, E>> for $module::Prover<'_, B, E> {
            fn commit(&mut self, entries: Vec<B>) -> $module::Witness<B, E> {
                self.commit(entries)
            }

            fn open(
                &self,
                witness: &mut $module::Witness<B, E>,
                forms: Vec<TensorForm<E>>,
                context: &[u8],
            ) -> (Claims<E>, Vec<u8>) {
                self.open(witness, forms, context)
            }

            fn recycle(&mut self, witness: $module::Witness<B, E>) {
                self.recycle(witness);
            }
        }

        #[cfg(feature = "prover")]
        impl<B: TwoAdic, E: Field> Witness<B, E> for $module::Witness<B, E> {
            fn commitment(&self) -> &Commitment<E> {
                self.commitment()
            }

            fn memory(&self) -> usize {
                self.memory()
            }

            fn message(&self) -> &[B] {
                self.message()
            }
        }
    };
}

baseline!(deepfold);
baseline!(virgo);

#[cfg(feature = "prover")]
impl<B: FoldableCode, E: Field> Witness<B, E> for matrix::Witness<B, E> {
    fn commitment(&self) -> &Commitment<E> {
        self.commitment()
    }

    fn memory(&self) -> usize {
        self.memory()
    }

    fn message(&self) -> &[B] {
        self.message()
    }

    fn entries(&self) -> Cow<'_, [B]> {
        self.entries()
    }

    fn nodes(&self) -> &[u8] {
        self.nodes()
    }

    fn secret(&self) -> Option<&Secret> {
        self.secret()
    }

    fn is_remote(&self) -> bool {
        self.is_remote()
    }

    fn into_secret(self) -> Option<Secret> {
        self.into_secret()
    }
}
