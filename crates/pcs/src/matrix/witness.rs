//! What a prover keeps of a commitment.

use super::combine;
use super::secret::{Secret, wipe};
use super::verifier::Commitment;
use field::{ExtensionOf, Field, FoldableCode};
use iop::hash::Digest;
use iop::oracle::CommittedCodeword;
use iop::poly::TensorForm;
use std::borrow::Cow;

/// What the prover keeps of a commitment: the message matrix, the codeword and its tree. That of a hiding commitment is
/// overwritten when dropped.
pub struct Witness<B: Field, E> {
    /// Empty if the codeword's first block has its place.
    pub(crate) message: Vec<B>,
    pub(crate) oracle: CommittedCodeword<B>,
    pub(super) commitment: Commitment<E>,
    /// Out-of-domain point and the columns' values under its row part.
    pub(super) out_of_domain: Option<(TensorForm<E>, Vec<E>)>,
    /// Of a hiding commitment.
    pub(super) secret: Option<Secret>,
}

impl<B: Field, E> Drop for Witness<B, E> {
    fn drop(&mut self) {
        self.wipe();
    }
}

impl<B: Field, E> Witness<B, E> {
    /// Bytes held beyond the commitment.
    pub fn memory(&self) -> usize {
        self.message.len() * size_of::<B>() + self.oracle.memory()
    }

    /// A prover who says another out-of-domain value than its columns have.
    #[cfg(test)]
    pub(crate) fn lie_about_out_of_domain(&mut self)
    where
        E: Field,
    {
        self.commitment.out_of_domain[0] += E::ONE;
    }

    /// The public part.
    pub fn commitment(&self) -> &Commitment<E> {
        &self.commitment
    }

    /// The entries of one polynomial committed without hiding: the message matrix is the data as it is.
    pub(crate) fn entries(&self) -> Cow<'_, [B]>
    where
        B: FoldableCode,
    {
        if self.in_place() { self.oracle.message().into() } else { (&self.message).into() }
    }

    /// The entries of a witness that keeps them as they are; empty if the codeword's first block has their place.
    pub fn message(&self) -> &[B] {
        &self.message
    }

    /// The nodes of the tree that are kept nearest to its leaves. With [`Witness::message`] they restore a witness without hiding.
    pub fn nodes(&self) -> &[Digest] {
        self.oracle.nodes()
    }

    /// Whether the codeword's first block has the message's place.
    fn in_place(&self) -> bool {
        self.message.is_empty()
    }

    /// The message, or what has its place.
    fn matrix(&self) -> &[B] {
        if self.in_place() { &self.oracle.blocks()[0] } else { &self.message }
    }

    /// The secret of a hiding commitment, with the openings made so far: what to store for another process.
    pub fn secret(&self) -> Option<&Secret> {
        self.secret.as_ref()
    }

    /// Ends the witness; what is left of a hiding commitment is its secret.
    pub fn into_secret(mut self) -> Option<Secret> {
        self.wipe();
        self.secret.take()
    }

    /// Overwrites data and randomness of a hiding commitment. Others are left as they are: there it would cost time, and
    /// hide nothing that an opening does not show.
    pub(crate) fn wipe(&mut self) {
        if self.secret.is_some() {
            wipe(&mut self.message);
            self.oracle.blocks_mut().iter_mut().for_each(|block| wipe(block));
        }
    }
}

impl<B: FoldableCode, E: ExtensionOf<B>> Witness<B, E> {
    /// The row combination of the message matrix of the given width: one entry per column.
    pub(crate) fn combine_rows(&self, width: usize, mut weights: Vec<E>) -> Vec<E> {
        if self.in_place() {
            combine::edit_flat(&mut weights, |w| B::weigh_block(w, self.oracle.first_block(E::DEGREE)));
        }
        combine::combine_rows(self.matrix(), width, &weights)
    }

    /// The column combination of the message matrix: one entry per row.
    pub(crate) fn combine_columns(&self, weights: &[E]) -> Vec<E> {
        let mut column = combine::combine_columns(self.matrix(), weights);
        if self.in_place() {
            combine::edit_flat(&mut column, |c| B::decode_block(c, self.oracle.first_block(E::DEGREE)));
        }
        column
    }
}
