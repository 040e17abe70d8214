//! The holder of a chain: the seam through which another machine folds it and commits to its words. (notes: pip-chain)
//!
//! ```text
//!   coordinator: tape                                       machine: message and form, words, trees
//!        │  round() ─────────────────────────────────────────►│  two coefficients of a round of the sumcheck
//!        │  bind(challenge) ─────────────────────────────────►│  message and form, a variable less
//!        │  commit() ────────────────────────────────────────►│  the next word; its root
//!        │  message() ───────────────────────────────────────►│  what is left of the message
//!        │  open_rows(word, positions) ──────────────────────►│  fibres with their paths, written as hints
//! ```

use super::Chain;
use core::marker::PhantomData;
use field::{ExtensionOf, FoldFibres};
use iop::hash::Digest;
use iop::oracle::{CommittedCodeword, MAX_LOG_LEAF, OracleSpec};
use iop::poly::TensorForm;
use iop::sumcheck;
use iop::transcript::ProverTape;

/// A chain on its way: the message, the weights of the claim about it, and the words that were committed to.
///
/// Law: answers are functions of the [`ChainStart`] and the challenges so far.
pub trait ChainWords<E> {
    /// The constant and the quadratic coefficient of the next round of the sumcheck, as [`iop::sumcheck::product_round`] gives them.
    fn round(&mut self) -> (E, E);
    /// Binds the lowest variable of message and weights.
    fn bind(&mut self, challenge: E);
    /// Commits to the next word, the code of what is left of the message, coordinate by coordinate; its root.
    fn commit(&mut self) -> Digest;
    /// The folded message.
    fn message(&mut self) -> Vec<E>;
    /// Writes leaves of a word, by its number from zero on, at positions (sorted and distinct) with their paths, as
    /// [`CommittedCodeword::open_rows`] does.
    fn open_rows(&mut self, tape: &mut ProverTape, word: usize, positions: &[usize]);
}

/// The initial state of a chain.
pub struct ChainStart<'a, E> {
    /// Weights of the columns of the committed matrix, whose combination is the message.
    pub columns: Vec<E>,
    /// The weights of the message's entries: the sum of these forms times their scalars.
    pub forms: Vec<(E, TensorForm<E>)>,
    /// The words to come.
    pub shapes: Vec<OracleSpec>,
    /// The chain in the coordinator's memory, from the combination of the columns: for a machine that fails.
    pub plain: Box<dyn Fn(Vec<E>) -> Box<dyn ChainWords<E> + 'a> + 'a>,
}

/// A chain in this process's memory, each word encoded from its message.
pub(crate) struct PlainWords<'a, B, E> {
    pub message: Vec<E>,
    /// The weights of the message's entries.
    pub form: Vec<E>,
    chain: &'a Chain,
    /// Whether words are not kept, and their opened rows made again from the messages.
    recomputed: bool,
    words: Vec<Word<B>>,
    /// The blocks that words which are not kept go through.
    scratch: Vec<Vec<B>>,
    element: PhantomData<E>,
}

/// A committed word.
struct Word<B> {
    oracle: CommittedCodeword<B>,
    /// The shape and the message of a word that is not kept.
    recomputed: Option<(OracleSpec, Vec<B>)>,
}

impl<'a, B: FoldFibres, E> PlainWords<'a, B, E> {
    /// No words yet. `recomputed` ones are not kept, if the field has such codes and their leaves are short; the bytes are the same.
    pub fn new(chain: &'a Chain, recomputed: bool, message: Vec<E>, form: Vec<E>) -> Self {
        let recomputed = recomputed && B::FOLDS_TO_CODE;
        let (words, scratch) = (Vec::new(), Vec::new());
        Self { message, form, chain, recomputed, words, scratch, element: PhantomData }
    }
}

impl<B: FoldFibres, E: ExtensionOf<B>> ChainWords<E> for PlainWords<'_, B, E> {
    fn round(&mut self) -> (E, E) {
        sumcheck::product_round(&self.message, &self.form)
    }

    fn bind(&mut self, challenge: E) {
        sumcheck::bind(&mut self.message, challenge);
        sumcheck::bind(&mut self.form, challenge);
    }

    fn commit(&mut self) -> Digest {
        let shape = self.chain.shape(self.words.len() + 1);
        let word = if self.recomputed && shape.log_fibre <= MAX_LOG_LEAF {
            let message = E::flatten(&self.message).into_owned();
            let oracle = shape.commit_and_forget(1 << shape.code.log_inv_rate, &message, &mut self.scratch);
            Word { oracle, recomputed: Some((shape, message)) }
        } else {
            let oracle = self.chain.commit::<B, E>(self.words.len() + 1, &self.message);
            Word { oracle, recomputed: None }
        };
        let root = word.oracle.root();
        self.words.push(word);
        root
    }

    fn message(&mut self) -> Vec<E> {
        self.message.clone()
    }

    fn open_rows(&mut self, tape: &mut ProverTape, word: usize, positions: &[usize]) {
        let Word { oracle, recomputed } = &self.words[word];
        match recomputed {
            Some((shape, message)) => oracle.open_rows_of(tape, shape, message, positions),
            None => oracle.open_rows(tape, positions),
        }
    }
}
