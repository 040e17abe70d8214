//! The facade's demands on a scheme beside its opening: the meaning of integers and bytes, and proofs that are reduced to one.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::Part;
use super::weighted::{WeightedStatement, Weights, read_integers};
use crate::dataset::base::element;
#[cfg(feature = "prover")]
use crate::device::Device;
use crate::verify::{Limits, Proven, Refused};
use alloc::vec::Vec;
use field::{ExtensionOf, Field, FoldFibres, TwoAdic};
use iop::error::Invalid;
use iop::security::Policy;
use pcs::file::{File, FileError};
#[cfg(not(feature = "prover"))]
use pcs::scheme::Pcs as Base;
#[cfg(feature = "prover")]
use pcs::scheme::Prove as Base;
use pcs::{deepfold, ligerito, pip};

/// A scheme as the facade has it: with the meaning of integers and bytes, and weighted sums if it proves them.
pub(super) trait Supported: Base {
    /// The element of the data's field that stands for an integer: none over binary fields.
    fn integer(x: i128) -> Option<Self::Base>;
    /// True if any bytes are elements of the data's field.
    #[cfg(feature = "prover")]
    const OF_BYTES: bool;
    /// The element of the challenge field that a coordinate of a point stands for, negative over prime fields alone.
    fn coordinate(x: i128) -> Self::Challenge;
    /// The number of weights, known before they are read.
    fn weights_count(&self, weights: &Weights<'_>) -> usize;
    /// Commits on a device other than the threads of this process; none if there is no other for the scheme. Else the entries are taken.
    #[cfg(feature = "prover")]
    fn commit_on(&self, device: &Device, _entries: &mut Vec<Self::Base>) -> Option<Self::Witness> {
        device.note_unsupported(&"the GPU commits to bytes, by ligerito or air");
        None
    }
    /// The scheme as the ranks of a cluster have it; none if they do not serve it.
    #[cfg(feature = "cluster")]
    fn ranks(&self) -> Option<&dyn super::ranks::Ranks> {
        None
    }
    /// Weights as elements of the data's field.
    fn read_weights(&self, weights: Weights<'_>) -> Result<Vec<Self::Base>, Refused>;

    /// [`super::AnyScheme::weighted_statement`].
    fn weighted_statement(&self, _file: &File) -> Result<WeightedStatement, Refused> {
        Err(FileError::Unknown("proof").into())
    }
    /// [`super::AnyScheme::verify_weighted`].
    fn verify_weighted(
        &self,
        _file: &File,
        _weights: Weights<'_>,
        _limits: &Limits,
    ) -> Result<Proven, Refused> {
        Err(FileError::Unknown("proof").into())
    }
    /// [`super::AnyScheme::weighted_parts`].
    #[cfg(feature = "prover")]
    fn weighted_parts(&self, _file: &File, _policy: &Policy) -> Result<Vec<Part>, Refused> {
        Err(FileError::Unknown("proof").into())
    }
    /// [`super::AnyScheme::verify_product`].
    fn verify_product(&self, _file: &File, _policy: &Policy) -> Result<(Proven, Vec<Part>), Refused> {
        Err(FileError::Unknown("proof").into())
    }
    /// Proves an inner product of columns over the first rows, if the scheme does.
    #[cfg(feature = "prover")]
    fn prove_product(
        &self,
        _witness: &mut Self::Witness,
        _product: ([u32; 2], u64, &[u8]),
        _policy: &Policy,
    ) -> Result<File<'static>, iop::error::ParamError> {
        Err(iop::error::ParamError::OutOfRange("this scheme proves no inner products".into()))
    }
    /// Proves a weighted sum, if the scheme does: the file's body and the digest of its statement.
    #[cfg(feature = "prover")]
    fn prove_weighted(
        &self,
        _witness: &mut Self::Witness,
        _weights: Vec<Self::Base>,
        _context: &[u8],
        _policy: &Policy,
    ) -> Result<File<'static>, iop::error::ParamError> {
        Err(iop::error::ParamError::OutOfRange("this scheme proves no weighted sums".into()))
    }
}

macro_rules! matrices {
    () => {
        #[cfg(feature = "cluster")]
        fn ranks(&self) -> Option<&dyn super::ranks::Ranks> {
            Some(self)
        }

        fn weighted_statement(&self, file: &File) -> Result<WeightedStatement, Refused> {
            super::weighted::statement(self, file)
        }

        fn verify_weighted(
            &self,
            file: &File,
            weights: Weights<'_>,
            limits: &Limits,
        ) -> Result<Proven, Refused> {
            super::weighted::verify(self, file, weights, limits)
        }

        #[cfg(feature = "prover")]
        fn weighted_parts(&self, file: &File, policy: &Policy) -> Result<Vec<Part>, Refused> {
            super::weighted::parts(self, file, policy)
        }

        #[cfg(feature = "prover")]
        fn prove_weighted(
            &self,
            witness: &mut Self::Witness,
            weights: Vec<Self::Base>,
            context: &[u8],
            policy: &Policy,
        ) -> Result<File<'static>, iop::error::ParamError> {
            super::weighted::prove(self, witness, (weights, context), policy)
        }
    };
}

impl<B: TwoAdic, E: ExtensionOf<B>> Supported for pip::Scheme<B, E> {
    #[cfg(feature = "prover")]
    const OF_BYTES: bool = false;

    fn integer(x: i128) -> Option<B> {
        Some(element(x))
    }

    fn coordinate(x: i128) -> E {
        element(x)
    }

    fn weights_count(&self, weights: &Weights<'_>) -> usize {
        count_of_elements::<B>(weights)
    }

    fn read_weights(&self, weights: Weights<'_>) -> Result<Vec<B>, Refused> {
        elements::<Self>(weights)
    }

    fn verify_product(&self, file: &File, policy: &Policy) -> Result<(Proven, Vec<Part>), Refused> {
        super::product::verify(self, file, policy)
    }

    #[cfg(feature = "prover")]
    fn prove_product(
        &self,
        witness: &mut Self::Witness,
        product: ([u32; 2], u64, &[u8]),
        policy: &Policy,
    ) -> Result<File<'static>, iop::error::ParamError> {
        super::product::prove(self, witness, product, policy)
    }

    matrices!();
}

impl<B: TwoAdic, E: ExtensionOf<B>> Supported for deepfold::Scheme<B, E> {
    #[cfg(feature = "prover")]
    const OF_BYTES: bool = false;

    fn integer(x: i128) -> Option<B> {
        Some(element(x))
    }

    fn coordinate(x: i128) -> E {
        element(x)
    }

    fn weights_count(&self, weights: &Weights<'_>) -> usize {
        count_of_elements::<B>(weights)
    }

    fn read_weights(&self, weights: Weights<'_>) -> Result<Vec<B>, Refused> {
        elements::<Self>(weights)
    }
}

impl<B: FoldFibres, E: ExtensionOf<B>> Supported for ligerito::Scheme<B, E> {
    #[cfg(feature = "prover")]
    const OF_BYTES: bool = true;

    fn integer(_: i128) -> Option<B> {
        None
    }

    #[cfg(feature = "gpu")]
    fn commit_on(&self, device: &Device, entries: &mut Vec<B>) -> Option<Self::Witness> {
        device.commit(self, entries)
    }

    #[cfg(all(feature = "prover", not(feature = "gpu")))]
    fn commit_on(&self, device: &Device, _entries: &mut Vec<B>) -> Option<Self::Witness> {
        device.note_unsupported(&"this program was built without the feature `gpu`");
        None
    }

    /// The element whose canonical bytes are those of the integer, lowest first: over a binary field any bytes are one.
    fn coordinate(x: i128) -> E {
        let mut bytes = vec![0; E::BYTES];
        bytes.iter_mut().zip(x.to_le_bytes()).for_each(|(to, byte)| *to = byte);
        E::from_bytes(&bytes).unwrap_or(E::ZERO)
    }

    fn weights_count(&self, weights: &Weights<'_>) -> usize {
        match weights {
            Weights::Bytes(bytes) => ligerito::unpacked::<B>(bytes.len(), self.params().entries),
            Weights::Integers { count, .. } => *count,
        }
    }

    fn read_weights(&self, weights: Weights<'_>) -> Result<Vec<B>, Refused> {
        match weights {
            Weights::Bytes(bytes) => Ok(ligerito::unpack_bytes(bytes, self.params().entries)),
            Weights::Integers { count, get, .. } => read_integers::<Self>((count, get)),
        }
    }

    matrices!();
}

/// The number of weights over a prime field.
fn count_of_elements<B: Field>(weights: &Weights<'_>) -> usize {
    match weights {
        Weights::Bytes(bytes) => bytes.len() / B::BYTES,
        Weights::Integers { count, .. } => *count,
    }
}

/// Weights over a prime field.
fn elements<S: Supported>(weights: Weights<'_>) -> Result<Vec<S::Base>, Refused> {
    let bytes = match weights {
        Weights::Bytes(bytes) => bytes,
        Weights::Integers { count, get, .. } => return read_integers::<S>((count, get)),
    };
    let elements = bytes.chunks_exact(S::Base::BYTES);
    if !elements.remainder().is_empty() {
        return Err(Invalid("the weights are no whole field elements").into());
    }
    let elements: Option<Vec<S::Base>> = elements.map(S::Base::from_bytes).collect();
    elements.ok_or(Invalid("a weight is no canonical field element").into())
}
