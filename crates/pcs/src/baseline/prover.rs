//! What a prover holds, and the parts of `open` that fold, encode and open words.

use super::codeword::InverseRoots;
use super::params::Baseline;
use super::verifier::Scheme;
use field::{ExtensionOf, TwoAdic};
use iop::fold::{self, Squared};
use iop::oracle::CommittedCodeword;
use iop::transcript::{Challenger, ProverTape};

/// A machine that proves for a [`Scheme`]: the threads of this process. Keeps the inverse points of the domain, and
/// a buffer from one commitment to the next.
#[derive(Debug)]
pub struct Prover<'a, S, B, E> {
    pub(crate) scheme: &'a Scheme<S, B, E>,
    pub(crate) inverse_roots: InverseRoots<B>,
    pub(crate) buffer: Vec<B>,
}

impl<'a, S: Baseline, B: TwoAdic, E: ExtensionOf<B>> Prover<'a, S, B, E> {
    /// A prover without buffers yet. Cost: one product per pair of points.
    pub fn new(scheme: &'a Scheme<S, B, E>) -> Self {
        let log_domain = scheme.params().code(0).log_domain();
        Self { scheme, inverse_roots: InverseRoots::new(log_domain), buffer: Vec::new() }
    }

    /// Commits to a word folded by `r`, after `round` folds before; where there is none, to the code of a message that is folded once.
    pub(crate) fn commit_folded(
        &self,
        (word, message): (Option<&CommittedCodeword<E>>, &[E]),
        round: usize,
        r: E,
    ) -> CommittedCodeword<E> {
        let word = match word {
            Some(oracle) => self.inverse_roots.fold(&oracle.blocks()[0], round, r),
            None => self.encode_folded(message),
        };
        self.committed(word)
    }

    /// Commits to a first word of one column, folded by `r`.
    pub(crate) fn commit_first(&self, word: &CommittedCodeword<B>, r: E) -> CommittedCodeword<E> {
        self.committed(self.inverse_roots.fold_base(&word.blocks()[0], r))
    }

    fn committed(&self, word: Vec<E>) -> CommittedCodeword<E> {
        CommittedCodeword::from_codeword(self.scheme.params().hash, word, 2)
    }

    /// The word of a message that is folded once.
    fn encode_folded(&self, message: &[E]) -> Vec<E> {
        let code = self.scheme.params().code(0);
        let mut word = vec![E::ZERO; message.len() << code.log_inv_rate];
        let folded = Squared { code, squarings: 1 };
        E::with_flat_mut(&mut word, |word| folded.encode(&E::flatten(message), E::DEGREE, word));
        word
    }

    /// Works, and draws leaves of the first tree.
    pub(crate) fn positions(&self, tape: &mut ProverTape) -> Vec<usize> {
        let params = self.scheme.params();
        tape.grind("query grinding", params.grinding);
        tape.positions("positions", params.tree(0).code.log_domain(), params.queries as usize)
    }

    /// Opens the words after the first along the queries.
    pub(crate) fn open_words(
        tape: &mut ProverTape,
        oracles: &[CommittedCodeword<E>],
        mut positions: Vec<usize>,
    ) {
        for oracle in oracles {
            positions = fold::fibres(positions, 1);
            oracle.open_rows(tape, &positions);
        }
    }
}
