//! Prover of the chain; step labels as in `verifier.rs`.

use super::Chain;
use super::words::{ChainWords, PlainWords};
use crate::matrix::{Combined, Opened, Unavailable};
use field::{ExtensionOf, Field, FoldFibres};
use iop::fold;
use iop::sumcheck;
use iop::transcript::{Challenger, ProverTape};

/// A chain on its way: what is left of the message, with the claim about it.
pub(crate) struct Folding<'a, E> {
    chain: &'a Chain,
    opened: &'a Opened<'a, E>,
    pub message: Vec<E>,
    pub form: Vec<E>,
    value: E,
    /// Those of the variables that were bound last.
    challenges: Vec<E>,
    words: Box<dyn ChainWords<E> + 'a>,
}

/// Proves the claim about the combination of the columns of the committed matrix; its tail, the coefficients above the data rows, is
/// sent in full.
///
/// Cost: one transform of `message / rate` positions in `E`, about `4/3` of that for all words if each fold binds two
/// variables; the sumcheck and the trees on top.
pub(crate) fn prove<B: FoldFibres, E: ExtensionOf<B>>(
    chain: &Chain,
    tape: &mut ProverTape,
    opened: &Opened<'_, E>,
    combined: Combined<B, E>,
) -> Result<(), Unavailable> {
    let mut folding = Folding::start(chain, tape, opened, combined);
    for i in 0..chain.folds() {
        folding.fold(tape, i);
    }
    folding.finish(tape)
}

impl<'a, E: Field> Folding<'a, E> {
    /// Sends the tail.
    pub fn start<B>(
        chain: &'a Chain,
        tape: &mut ProverTape,
        opened: &'a Opened<'a, E>,
        combined: Combined<B, E>,
    ) -> Self
    where
        B: FoldFibres,
        E: ExtensionOf<B>,
    {
        let Combined { message, tail, reduced: (_, claim) } = combined;
        tape.send("tail", &tail);
        let (form, value) = (claim.weights(message.len()), claim.value());
        let plain = Box::new(PlainWords::<B, E>::new(chain, opened.layout.keeps_no_block()));
        let words = opened.matrix.hold_words(chain.shapes(), plain);
        Self { chain, opened, message, form, value, challenges: Vec::new(), words }
    }

    /// P1: commits to the word of what is left, and binds variables.
    pub fn fold(&mut self, tape: &mut ProverTape, i: usize) {
        if i > 0 {
            let root = self.words.fold(&self.challenges, &self.message);
            tape.send_bytes("root", &root);
        }
        let rounds = self.chain.rounds(i);
        (self.challenges, self.value) =
            sumcheck::prove(tape, rounds, &mut self.message, &mut self.form, self.value);
    }

    /// P2, P3: sends what is left, and opens the same positions in every word.
    pub fn finish(self, tape: &mut ProverTape) -> Result<(), Unavailable> {
        let positions = self.positions(tape);
        self.open(tape, positions)
    }

    /// P2: sends what is left in full; draws positions.
    pub fn positions(&self, tape: &mut ProverTape) -> Vec<usize> {
        let stage = &self.opened.layout.first;
        tape.send("final message", &self.message);
        tape.grind("query grinding", stage.grinding);
        tape.positions("positions", self.chain.log_fibres(), stage.queries)
    }

    /// P3: opens the same positions in every word.
    pub fn open(mut self, tape: &mut ProverTape, mut positions: Vec<usize>) -> Result<(), Unavailable> {
        let log_leaf = self.opened.layout.first.shape.log_fibre;
        let leaves = fold::leaves_of_fibres(&positions, self.chain.step(0), log_leaf);
        self.opened.matrix.open_rows(tape, &leaves)?;
        for word in 0..self.chain.folds() - 1 {
            let (step, log_leaf) = (self.chain.step(word + 1), self.chain.log_leaf(word + 1));
            positions = fold::fibres(positions, step);
            self.words.open_rows(tape, word, &fold::leaves_of_fibres(&positions, step, log_leaf));
        }
        Ok(())
    }
}
