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
use iop::oracle::CommittedCodeword;
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
    words: Vec<CommittedCodeword<B>>,
    element: PhantomData<E>,
}

impl<'a, B, E> PlainWords<'a, B, E> {
    /// None yet.
    pub fn new(chain: &'a Chain) -> Self {
        Self { chain, words: Vec::new(), element: PhantomData }
    }
}

impl<B: FoldFibres, E: ExtensionOf<B>> ChainWords<E> for PlainWords<'_, B, E> {
    fn fold(&mut self, _challenges: &[E], message: &[E]) -> Digest {
        let word = self.chain.commit::<B, E>(self.words.len() + 1, message);
        let root = word.root();
        self.words.push(word);
        root
    }

    fn open_rows(&mut self, tape: &mut ProverTape, word: usize, positions: &[usize]) {
        self.words[word].open_rows(tape, positions);
    }
}
