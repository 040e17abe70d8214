//! Who holds the words of a chain: the seam through which another machine can fold and commit to them. (notes: pip-chain)
//!
//! ```text
//!   coordinator: sumcheck, tape                             machine: the combination of the columns, words, trees
//!        │  fold(challenges of a word's variables) ──────────►│  the next word; its root
//!        │  open_rows(word, positions) ──────────────────────►│  fibres with their paths, written as hints
//! ```

use super::Chain;
use core::marker::PhantomData;
use field::{ExtensionOf, FoldFibres};
use iop::hash::Digest;
use iop::oracle::{CommittedCodeword, MAX_LOG_LEAF, OracleSpec};
use iop::transcript::ProverTape;

/// The committed words of a chain, which follow from one another and from the combination of the columns of a committed matrix.
///
/// Law: `message` is what is left of the word's message when its lowest variables are bound to the challenges, the first one first, so
/// that a machine that has the word before needs the challenges alone. The new word is that message's, coordinate by coordinate.
pub trait ChainWords<E> {
    /// Folds the last word by challenges and commits to the next one, whose message is given; its root.
    fn fold(&mut self, challenges: &[E], message: &[E]) -> Digest;
    /// Writes leaves of a word, by its number from zero on, at positions (sorted and distinct) with their paths, as
    /// [`CommittedCodeword::open_rows`] does.
    fn open_rows(&mut self, tape: &mut ProverTape, word: usize, positions: &[usize]);
}

/// The words in this process's memory, each encoded from its message.
pub(crate) struct PlainWords<'a, B, E> {
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
    /// None yet. `recomputed` words are not kept, if the field has such codes and their leaves are short; the bytes are the same.
    pub fn new(chain: &'a Chain, recomputed: bool) -> Self {
        let recomputed = recomputed && B::FOLDS_TO_CODE;
        Self { chain, recomputed, words: Vec::new(), scratch: Vec::new(), element: PhantomData }
    }
}

impl<B: FoldFibres, E: ExtensionOf<B>> ChainWords<E> for PlainWords<'_, B, E> {
    fn fold(&mut self, _challenges: &[E], message: &[E]) -> Digest {
        let shape = self.chain.shape(self.words.len() + 1);
        let word = if self.recomputed && shape.log_fibre <= MAX_LOG_LEAF {
            let message = E::flatten(message).into_owned();
            let oracle = shape.commit_and_forget(1 << shape.code.log_inv_rate, &message, &mut self.scratch);
            Word { oracle, recomputed: Some((shape, message)) }
        } else {
            Word { oracle: self.chain.commit::<B, E>(self.words.len() + 1, message), recomputed: None }
        };
        let root = word.oracle.root();
        self.words.push(word);
        root
    }

    fn open_rows(&mut self, tape: &mut ProverTape, word: usize, positions: &[usize]) {
        let Word { oracle, recomputed } = &self.words[word];
        match recomputed {
            Some((shape, message)) => oracle.open_rows_of(tape, shape, message, positions),
            None => oracle.open_rows(tape, positions),
        }
    }
}
