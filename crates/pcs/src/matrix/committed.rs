//! A committed matrix as its prover needs it: the seam through which another machine can hold it. (notes: pip-columns)
//!
//! ```text
//!   coordinator: claims, tape, sumcheck, recursion          machine: matrix, codeword, tree
//!        │  combine_rows(form on the rows) ──────────────────►│  the form's value on every column
//!        │  combine_columns(weights of the columns) ─────────►│  the combined fragment
//!        │  open_rows(positions) ────────────────────────────►│  rows with their paths, written as hints
//! ```
//! After the combination of the columns everything is about one short vector, which stays with the coordinator, but for the words of a
//! chain, which the machine may hold too ([`ChainWords`]). So whoever holds the matrix, the proof has the same bytes. Who does not hold the
//! matrix too may be left without an answer; then there is no proof.

#[cfg(test)]
mod tests;

use super::chain::ChainWords;
use super::combine;
use super::secret::wipe;
use crate::ring_switching::bit_sums;
use core::error::Error;
use core::fmt;
use field::{ExtensionOf, Field, FoldableCode};
use iop::hash::Digest;
use iop::oracle::{CommittedCodeword, OracleSpec};
use iop::poly::TensorForm;
use iop::transcript::ProverTape;
use std::borrow::Cow;

/// What is promised of a matrix that this process holds, alone or beside another machine.
pub(crate) const HELD_HERE: &str = "a matrix in this process's memory answers";

/// Says why a matrix does not answer: whoever holds it has failed, or has been found to answer wrongly.
#[derive(Debug)]
pub struct Unavailable(pub Box<dyn Error + Send + Sync>);

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the committed matrix does not answer: {}", self.0)
    }
}

impl Error for Unavailable {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.0)
    }
}

/// A message matrix whose encoded columns are committed to, row by row of the codeword.
///
/// Law: all functions are about one message. Its rows are those of the code's dimension, random rows included; its columns those of
/// the committed matrix, masks included.
pub trait CommittedMatrix<E> {
    /// Root of the tree over the rows of the codeword.
    fn root(&self) -> Digest;
    /// The combination of the rows by the weights of a form, one element for each column. Rows beyond the weights count as weighted zero.
    ///
    /// # Errors
    /// If the matrix is held elsewhere, and who holds it does not answer.
    fn combine_rows(&self, form: &TensorForm<E>) -> Result<Vec<E>, Unavailable>;
    /// The combination of the columns, one element for each row of the message.
    ///
    /// # Errors
    /// As [`CommittedMatrix::combine_rows`].
    fn combine_columns(&self, weights: &[E]) -> Result<Vec<E>, Unavailable>;
    /// For every bit of an element of every column, the combination of the rows where it is set, by the weights of a form: canonical bytes of elements,
    /// column by column. Asked for packed entries that this process does not have.
    ///
    /// # Errors
    /// As [`CommittedMatrix::combine_rows`]; or if whoever holds the matrix does not combine bits.
    fn combine_bits(&self, _form: &TensorForm<E>) -> Result<Vec<u8>, Unavailable> {
        Err(Unavailable("its holder does not combine bits of packed entries".into()))
    }
    /// Writes the codeword's leaves at positions (sorted and distinct) with their paths, as [`CommittedCodeword::open_rows`] does.
    ///
    /// # Errors
    /// As [`CommittedMatrix::combine_rows`].
    fn open_rows(&self, tape: &mut ProverTape, positions: &[usize]) -> Result<(), Unavailable>;
    /// Holds the words of a chain that begins with the combination of the columns that was asked for last: they have the given shapes.
    /// `plain` holds words in the coordinator's memory, and is returned by a machine that has none, or takes over from one that fails.
    fn hold_words<'a>(
        &'a self,
        _shapes: Vec<OracleSpec>,
        plain: Box<dyn ChainWords<E> + 'a>,
    ) -> Box<dyn ChainWords<E> + 'a> {
        plain
    }
}

/// A committed matrix that another machine holds too, beside a [`PlainMatrix`] without its codeword.
///
/// Law: both are one matrix, committed to without hiding, and answer alike; the other machine answers as long as it can, and this process from
/// then on, so that no answer is an error. The values that a proof claims are this process's.
pub trait RemoteMatrix<B, E>: CommittedMatrix<E> + Send {
    /// The matrix in this process's memory.
    fn plain(&self) -> &PlainMatrix<B>;
}

/// A matrix with its entries as this process has them: what opens it.
#[derive(Clone, Copy)]
pub struct HeldMatrix<'a, B, E> {
    /// The matrix, which may be held elsewhere.
    pub matrix: &'a dyn CommittedMatrix<E>,
    /// The entries where they are packed, since ring switching looks at them. They may be left out if they are not packed, or the matrix combines their bits.
    pub entries: &'a [B],
    /// The matrix in this process's memory, if another machine answers for it: claims state values of this one.
    pub plain: Option<&'a PlainMatrix<B>>,
}

impl<'a, B, E> HeldMatrix<'a, B, E> {
    /// A matrix of which this process has no entries: what a proof claims of them is what their holder answers.
    pub fn elsewhere(matrix: &'a dyn CommittedMatrix<E>) -> Self {
        Self { matrix, entries: &[], plain: None }
    }
}

/// A matrix in this process's memory: the message, the codeword and its tree.
pub struct PlainMatrix<B> {
    /// Empty if the codeword's first block has its place.
    pub(super) message: Vec<B>,
    pub(crate) oracle: CommittedCodeword<B>,
    pub(super) shape: OracleSpec,
}

impl<B: FoldableCode> PlainMatrix<B> {
    /// A matrix without its codeword, from its message and the [`CommittedCodeword::nodes`] of its tree: rows are made again when they are opened.
    ///
    /// Cost: the upper layers of the tree.
    ///
    /// # Panics
    /// If message or nodes are not of the shape.
    pub fn from_nodes(shape: &OracleSpec, message: Vec<B>, nodes: Vec<u8>) -> Self {
        let count = shape.code.dimension().checked_mul(shape.width);
        assert_eq!(Some(message.len()), count, "number of entries");
        Self { message, oracle: shape.oracle_of_nodes(nodes), shape: *shape }
    }
}

impl<B: Field> PlainMatrix<B> {
    /// The columns, their code and the hash of the tree.
    pub fn shape(&self) -> &OracleSpec {
        &self.shape
    }

    /// The root of the tree.
    pub fn root(&self) -> Digest {
        self.oracle.root()
    }

    /// The message; empty if the codeword's first block has its place.
    pub fn message(&self) -> &[B] {
        &self.message
    }

    /// The nodes of the tree that are kept nearest to its leaves.
    pub fn nodes(&self) -> &[u8] {
        self.oracle.nodes()
    }

    /// Gives the message back; empty if the codeword's first block has its place.
    pub fn into_message(self) -> Vec<B> {
        self.message
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        self.message.len() * size_of::<B>() + self.oracle.memory()
    }

    /// Whether the codeword's first block has the message's place.
    fn in_place(&self) -> bool {
        self.message.is_empty()
    }

    /// The message, or what has its place.
    fn matrix(&self) -> &[B] {
        if self.in_place() { &self.oracle.blocks()[0] } else { &self.message }
    }

    /// The message.
    pub(super) fn entries(&self) -> Cow<'_, [B]>
    where
        B: FoldableCode,
    {
        if self.in_place() { self.oracle.message().into() } else { (&self.message).into() }
    }

    /// Overwrites message and codeword.
    pub(super) fn wipe(&mut self) {
        wipe(&mut self.message);
        self.oracle.blocks_mut().iter_mut().for_each(|block| wipe(block));
    }
}

impl<B: FoldableCode, E: ExtensionOf<B>> CommittedMatrix<E> for PlainMatrix<B> {
    fn root(&self) -> Digest {
        self.root()
    }

    fn combine_rows(&self, form: &TensorForm<E>) -> Result<Vec<E>, Unavailable> {
        let mut weights = form.expand_parallel();
        if self.in_place() {
            combine::edit_flat(&mut weights, |w| B::weigh_block(w, self.oracle.first_block(E::DEGREE)));
        }
        Ok(combine::combine_rows(self.matrix(), self.shape.width, &weights))
    }

    fn combine_columns(&self, weights: &[E]) -> Result<Vec<E>, Unavailable> {
        let mut column = combine::combine_columns(self.matrix(), weights);
        if self.in_place() {
            combine::edit_flat(&mut column, |c| B::decode_block(c, self.oracle.first_block(E::DEGREE)));
        }
        Ok(column)
    }

    fn combine_bits(&self, form: &TensorForm<E>) -> Result<Vec<u8>, Unavailable> {
        Ok(bit_sums(&self.entries(), &form.expand_parallel()))
    }

    fn open_rows(&self, tape: &mut ProverTape, positions: &[usize]) -> Result<(), Unavailable> {
        self.oracle.open_rows_of(tape, &self.shape, &self.message, positions);
        Ok(())
    }
}
