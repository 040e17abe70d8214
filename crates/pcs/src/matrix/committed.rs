//! A committed matrix as its prover needs it: the seam through which another machine can hold it. (notes: pip-columns)
//!
//! ```text
//!   coordinator: claims, tape, sumcheck, recursion          machine: matrix, codeword, tree
//!        │  combine_rows(form on the rows) ──────────────────►│  the form's value on every column
//!        │  combine_columns(weights of the columns) ─────────►│  the combined fragment
//!        │  open_rows(positions) ────────────────────────────►│  rows with their paths, written as hints
//! ```
//! After the combination of the columns everything is about one vector, which stays with the coordinator, unless it is a chain that the
//! machine holds too ([`ChainWords`]). So whoever holds the matrix, the proof has the same bytes. Who does not hold the
//! matrix too may be left without an answer; then there is no proof.

#[cfg(test)]
mod tests;

use super::chain::{ChainStart, ChainWords};
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
use std::sync::OnceLock;

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
    /// Holds a chain; none if it is left to the coordinator, who then asks for the combination of the columns.
    ///
    /// # Errors
    /// As [`CommittedMatrix::combine_rows`].
    fn hold_chain<'a>(
        &'a self,
        _start: ChainStart<'a, E>,
    ) -> Result<Option<Box<dyn ChainWords<E> + 'a>>, Unavailable> {
        Ok(None)
    }
}

/// The matrices that an opening is about, whose columns stand side by side, each with its number of them: of one commitment, or of several.
pub(crate) struct SideBySide<'a, E>(pub Vec<(&'a dyn CommittedMatrix<E>, usize)>);

impl<'a, E: Field> SideBySide<'a, E> {
    /// The matrix, if there is one alone.
    fn alone(&self) -> Option<&'a dyn CommittedMatrix<E>> {
        if let [(matrix, _)] = self.0.as_slice() { Some(*matrix) } else { None }
    }

    /// As [`CommittedMatrix::combine_columns`].
    pub fn combine_columns(&self, weights: &[E]) -> Result<Vec<E>, Unavailable> {
        if let Some(matrix) = self.alone() {
            return matrix.combine_columns(weights);
        }
        let (mut sum, mut left) = (Vec::new(), weights);
        for (matrix, width) in &self.0 {
            let (own, others) = left.split_at(*width);
            let combined = matrix.combine_columns(own)?;
            sum.resize(combined.len(), E::ZERO);
            sum.iter_mut().zip(combined).for_each(|(sum, value)| *sum += value);
            left = others;
        }
        Ok(sum)
    }

    /// As [`CommittedMatrix::open_rows`], of each matrix.
    pub fn open_rows(&self, tape: &mut ProverTape, positions: &[usize]) -> Result<(), Unavailable> {
        self.0.iter().try_for_each(|(matrix, _)| matrix.open_rows(tape, positions))
    }

    /// As [`CommittedMatrix::hold_chain`]. That of several matrices is left to the coordinator.
    pub fn hold_chain<'b>(
        &'b self,
        start: ChainStart<'b, E>,
    ) -> Result<Option<Box<dyn ChainWords<E> + 'b>>, Unavailable> {
        self.alone().map_or(Ok(None), |matrix| matrix.hold_chain(start))
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
    root: Digest,
    /// None until it is asked for, if another machine has one.
    oracle: OnceLock<CommittedCodeword<B>>,
    pub(super) shape: OracleSpec,
}

impl<B: FoldableCode> PlainMatrix<B> {
    /// A matrix that another machine has committed to: this process makes codeword and tree when it is first asked for them, and what they open is
    /// opened against that root if it is the message's.
    ///
    /// # Panics
    /// If the message is not of the shape.
    pub fn committed_elsewhere(shape: &OracleSpec, message: Vec<B>, root: Digest) -> Self {
        let count = shape.code.dimension().checked_mul(shape.width);
        assert_eq!(Some(message.len()), count, "number of entries");
        Self { message, root, oracle: OnceLock::new(), shape: *shape }
    }

    /// Codeword and tree.
    fn oracle(&self) -> &CommittedCodeword<B> {
        let all = 1 << self.shape.code.log_inv_rate;
        self.oracle.get_or_init(|| self.shape.commit_and_forget(all, &self.message, &mut Vec::new()))
    }

    /// The combination of the columns, one element for each row of the message.
    pub fn combination<E: ExtensionOf<B>>(&self, weights: &[E]) -> Vec<E> {
        let mut column = combine::combine_columns(self.matrix(), weights);
        if self.in_place() {
            combine::edit_flat(&mut column, |c| B::decode_block(c, self.oracle().first_block(E::DEGREE)));
        }
        column
    }

    /// The nodes of the tree that are kept nearest to its leaves.
    pub fn nodes(&self) -> &[u8] {
        self.oracle().nodes()
    }
}

impl<B: Field> PlainMatrix<B> {
    /// A matrix with its codeword; without a message if the codeword's first block has its place.
    pub(super) fn new(message: Vec<B>, oracle: CommittedCodeword<B>, shape: OracleSpec) -> Self {
        Self { message, root: oracle.root(), oracle: oracle.into(), shape }
    }

    /// The columns, their code and the hash of the tree.
    pub fn shape(&self) -> &OracleSpec {
        &self.shape
    }

    /// The root of the tree.
    pub fn root(&self) -> Digest {
        self.root
    }

    /// The message; empty if the codeword's first block has its place.
    pub fn message(&self) -> &[B] {
        &self.message
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        let oracle = self.oracle.get().map_or(0, CommittedCodeword::memory);
        self.message.len() * size_of::<B>() + oracle
    }

    /// Whether the codeword's first block has the message's place.
    fn in_place(&self) -> bool {
        self.message.is_empty()
    }

    /// The message, or what has its place.
    fn matrix(&self) -> &[B]
    where
        B: FoldableCode,
    {
        if self.in_place() { &self.oracle().blocks()[0] } else { &self.message }
    }

    /// The message.
    pub(super) fn entries(&self) -> Cow<'_, [B]>
    where
        B: FoldableCode,
    {
        if self.in_place() { self.oracle().message().into() } else { (&self.message).into() }
    }

    /// Overwrites message and codeword.
    pub(super) fn wipe(&mut self) {
        wipe(&mut self.message);
        self.blocks_mut().into_iter().flatten().for_each(|block| wipe(block));
    }

    /// The blocks of the codeword that are kept.
    pub(super) fn blocks_mut(&mut self) -> Option<&mut Vec<Vec<B>>> {
        self.oracle.get_mut().map(CommittedCodeword::blocks_mut)
    }
}

impl<B: FoldableCode, E: ExtensionOf<B>> CommittedMatrix<E> for PlainMatrix<B> {
    fn root(&self) -> Digest {
        self.root()
    }

    fn combine_rows(&self, form: &TensorForm<E>) -> Result<Vec<E>, Unavailable> {
        let (matrix, width) = (self.matrix(), self.shape.width);
        if !self.in_place() {
            return Ok(combine::combine_rows_by(form, matrix, width));
        }
        let mut weights = form.expand_parallel();
        combine::edit_flat(&mut weights, |w| B::weigh_block(w, self.oracle().first_block(E::DEGREE)));
        Ok(combine::combine_rows(matrix, width, &weights))
    }

    fn combine_columns(&self, weights: &[E]) -> Result<Vec<E>, Unavailable> {
        Ok(self.combination(weights))
    }

    fn combine_bits(&self, form: &TensorForm<E>) -> Result<Vec<u8>, Unavailable> {
        Ok(bit_sums(&self.entries(), &form.expand_parallel()))
    }

    fn open_rows(&self, tape: &mut ProverTape, positions: &[usize]) -> Result<(), Unavailable> {
        self.oracle().open_rows_of(tape, &self.shape, &self.message, positions);
        Ok(())
    }
}
