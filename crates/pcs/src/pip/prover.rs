//! Commit and open. Step labels as in `verifier.rs`.

use super::params::Inner;
use super::verifier::Scheme;
use super::{chain, two_chains};
use crate::claims::Claims;
use crate::matrix::{self, Commitment, Opened, Secret, Witness, recursion};
use field::{ExtensionOf, TwoAdic};
use iop::hash::Digest;
use iop::poly::TensorForm;
use iop::transcript::ProverTape;

/// A machine that proves for a [`Scheme`]: the threads of this process. Keeps buffers from one commitment to the
/// next, because touching fresh memory costs more than encoding into it.
#[derive(Debug)]
pub struct Prover<'a, B, E> {
    scheme: &'a Scheme<B, E>,
    pub(super) matrix: matrix::Prover<'a, B>,
}

impl<'a, B: TwoAdic, E: ExtensionOf<B>> Prover<'a, B, E> {
    /// A prover without buffers yet.
    pub fn new(scheme: &'a Scheme<B, E>) -> Self {
        Self { scheme, matrix: matrix::Prover::new(scheme.layout()) }
    }

    /// Takes back the memory of a witness that is no longer needed; that of a hiding one without its content.
    pub fn recycle(&mut self, witness: Witness<B, E>) {
        self.matrix.recycle(witness);
    }

    /// Commits to one polynomial of `2^log_size` entries.
    ///
    /// Cost: one transform and one hash of `size / rate` elements, one pass for the out-of-domain value.
    pub fn commit(&mut self, entries: Vec<B>) -> Witness<B, E> {
        self.matrix.commit(entries)
    }

    /// The commitment that [`Prover::commit`] makes, without what an opening needs.
    ///
    /// Memory: the entries, and one block of the codeword, as long as they are.
    ///
    /// # Panics
    /// If the parameters hide: then a commitment without its secret could never be opened.
    pub fn commit_only(&mut self, entries: Vec<B>) -> Commitment<E> {
        self.matrix.commit_only(entries)
    }

    /// The witness that [`Prover::commit`] makes, without the codeword: rows are made again when they are opened, which gives the
    /// same proofs.
    ///
    /// Memory: as [`Prover::commit_only`]; afterwards the entries and a tree.
    ///
    /// # Panics
    /// If the parameters hide.
    pub fn commit_lean(&mut self, entries: Vec<B>) -> Witness<B, E> {
        self.matrix.commit_lean(entries)
    }

    /// The number of [`Witness::nodes`].
    pub fn nodes(&self) -> usize {
        self.matrix.nodes()
    }

    /// The witness of [`Prover::commit_lean`] from its entries and nodes. They need not be those of one commitment: who restores
    /// compares [`Witness::commitment`], and verifies what the witness proves.
    ///
    /// Cost: the upper layers of the tree, and one pass for an out-of-domain value.
    ///
    /// # Panics
    /// If the parameters hide, or there are other numbers of entries or nodes.
    pub fn restore(&self, entries: Vec<B>, nodes: Vec<Digest>) -> Witness<B, E> {
        self.matrix.restore(entries, nodes)
    }

    /// Commits to `polynomials` polynomials of `2^log_size` entries each; if the parameters hide, with a new secret.
    pub fn commit_batch(&mut self, polynomials: &[&[B]]) -> Witness<B, E> {
        self.matrix.commit_batch(polynomials)
    }

    /// Commits with a secret of the caller's: the same secret, data and parameters give the same commitment, and the
    /// openings that the secret has used stay used.
    ///
    /// # Panics
    /// If the parameters do not hide, or the polynomials do not fit them.
    pub fn commit_hiding(&mut self, polynomials: &[&[B]], secret: Secret) -> Witness<B, E> {
        self.matrix.commit_hiding(polynomials, secret)
    }

    /// The values of forms on every committed polynomial: `[form][polynomial]`.
    pub fn evaluate(&self, witness: &Witness<B, E>, forms: &[TensorForm<E>]) -> Vec<Vec<E>> {
        self.matrix.evaluate(witness, forms)
    }

    /// Opens: the values of the forms on every polynomial, and the proof.
    ///
    /// # Panics
    /// If there are no forms or more than the parameters allow, or a form has the wrong number of variables, or
    /// more hiding openings are asked for than the parameters provide masks for.
    pub fn open(
        &self,
        witness: &mut Witness<B, E>,
        forms: Vec<TensorForm<E>>,
        context: &[u8],
    ) -> (Claims<E>, Vec<u8>) {
        self.matrix.open(witness, forms, context, |tape, opened| self.prove(tape, opened))
    }

    fn prove(&self, tape: &mut ProverTape, opened: &Opened<'_, B, E>) {
        let (params, layout, witness) = (self.scheme.params(), self.scheme.layout(), opened.witness);
        let first = (&layout.first, &witness.oracle, &witness.message[..]);
        let chain = params.chain(&layout.first);
        if let (Inner::TwoChains, Some(chain)) = (&params.inner, &chain) {
            let only = opened.split.only().expect("one form of one polynomial, by the parameters' limits");
            return two_chains::prove(chain, tape, first, &only);
        }
        // P1: claims about the polynomials become one claim about one combined fragment.
        let combined = opened.reduce(tape);
        // P2: the inner argument.
        match &chain {
            None => recursion::prove(layout, tape, (&witness.oracle, &witness.message), combined),
            Some(chain) => chain::prove(chain, tape, first, combined),
        }
    }
}
