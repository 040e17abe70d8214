//! What a prover keeps of a commitment.

use super::committed::{CommittedMatrix, HeldMatrix, PlainMatrix, RemoteMatrix};
use super::secret::Secret;
use super::verifier::Commitment;
use field::{ExtensionOf, Field, FoldableCode};
use iop::hash::Digest;
use std::borrow::Cow;

/// What a coordinator keeps of a commitment, whoever holds the matrix.
pub struct Kept<E> {
    /// Digest of the parameters.
    pub(super) params: Digest,
    pub(super) commitment: Commitment<E>,
    /// The columns' values under the row part of the out-of-domain point.
    pub(super) out_of_domain: Option<Vec<E>>,
    /// Of a hiding commitment.
    pub(super) secret: Option<Secret>,
}

impl<E> Kept<E> {
    /// The public part.
    pub fn commitment(&self) -> &Commitment<E> {
        &self.commitment
    }

    /// The secret of a hiding commitment, with the openings made so far: what to store for another process.
    pub fn secret(&self) -> Option<&Secret> {
        self.secret.as_ref()
    }
}

/// A matrix in this process's memory, or one that another machine holds too.
pub(super) enum Held<B, E> {
    Plain(Box<PlainMatrix<B>>),
    Remote(Box<dyn RemoteMatrix<B, E>>),
}

impl<B, E> Held<B, E> {
    pub(super) fn plain(&self) -> &PlainMatrix<B> {
        match self {
            Self::Plain(matrix) => matrix,
            Self::Remote(matrix) => matrix.plain(),
        }
    }

    /// The matrix as its prover asks it.
    pub(super) fn committed(&self) -> &dyn CommittedMatrix<E>
    where
        B: FoldableCode,
        E: ExtensionOf<B>,
    {
        match self {
            Self::Plain(matrix) => &**matrix,
            Self::Remote(matrix) => &**matrix,
        }
    }

    /// The matrix with its entries.
    pub(super) fn with_entries(&self) -> HeldMatrix<'_, B, E>
    where
        B: FoldableCode,
        E: ExtensionOf<B>,
    {
        let plain = match self {
            Self::Plain(_) => None,
            Self::Remote(matrix) => Some(matrix.plain()),
        };
        HeldMatrix { matrix: self.committed(), entries: &self.plain().message, plain }
    }
}

/// What the prover keeps of a commitment: the message matrix, the codeword and its tree. That of a hiding commitment is
/// overwritten when dropped.
pub struct Witness<B: Field, E> {
    pub(super) held: Held<B, E>,
    pub(super) kept: Kept<E>,
}

impl<B: Field, E> Drop for Witness<B, E> {
    fn drop(&mut self) {
        self.wipe();
    }
}

impl<B: Field, E> Witness<B, E> {
    /// True if another machine holds the matrix too.
    pub fn is_remote(&self) -> bool {
        matches!(self.held, Held::Remote(_))
    }

    /// Bytes that this process holds beyond the commitment.
    pub fn memory(&self) -> usize {
        self.held.plain().memory()
    }

    /// The public part.
    pub fn commitment(&self) -> &Commitment<E> {
        self.kept.commitment()
    }

    /// The entries of one polynomial committed without hiding: the message matrix is the data as it is.
    pub(crate) fn entries(&self) -> Cow<'_, [B]>
    where
        B: FoldableCode,
    {
        self.held.plain().entries()
    }

    /// The entries of a witness that keeps them as they are; empty if the codeword's first block has their place.
    pub fn message(&self) -> &[B] {
        self.held.plain().message()
    }

    /// The nodes of the tree that are kept nearest to its leaves. With [`Witness::message`] they restore a witness without hiding.
    pub fn nodes(&self) -> &[u8]
    where
        B: FoldableCode,
    {
        self.held.plain().nodes()
    }

    /// The secret of a hiding commitment, with the openings made so far: what to store for another process.
    pub fn secret(&self) -> Option<&Secret> {
        self.kept.secret()
    }

    /// Ends the witness; what is left of a hiding commitment is its secret.
    pub fn into_secret(mut self) -> Option<Secret> {
        self.wipe();
        self.kept.secret.take()
    }

    /// Overwrites data and randomness of a hiding commitment. Others are left as they are: there it would cost time, and
    /// hide nothing that an opening does not show.
    pub(crate) fn wipe(&mut self) {
        // No other machine holds a matrix that hides.
        if let (true, Held::Plain(matrix)) = (self.kept.secret.is_some(), &mut self.held) {
            matrix.wipe();
        }
    }
}
