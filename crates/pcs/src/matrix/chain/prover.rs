//! Prover of the chain; step labels as in `verifier.rs`.

use super::Chain;
use crate::matrix::{Combined, Opened};
use field::{ExtensionOf, FoldFibres};
use iop::fold;
use iop::oracle::CommittedCodeword;
use iop::sumcheck;
use iop::transcript::{Challenger, ProverTape};

/// A chain on its way: what is left of the message, with the claim about it.
pub(crate) struct Folding<'a, B, E> {
    chain: &'a Chain,
    pub message: Vec<E>,
    pub form: Vec<E>,
    value: E,
    words: Vec<CommittedCodeword<B>>,
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
) {
    let mut folding = Folding::start(chain, tape, combined);
    for i in 0..chain.folds() {
        folding.fold(tape, i);
    }
    folding.finish(tape, opened);
}

impl<'a, B: FoldFibres, E: ExtensionOf<B>> Folding<'a, B, E> {
    /// Sends the tail.
    pub fn start(chain: &'a Chain, tape: &mut ProverTape, combined: Combined<B, E>) -> Self {
        let Combined { message, tail, reduced: (_, claim) } = combined;
        tape.send("tail", &tail);
        let (form, value) = (claim.weights(message.len()), claim.value());
        Self { chain, message, form, value, words: Vec::new() }
    }

    /// P1: commits to the word of what is left, and binds variables.
    pub fn fold(&mut self, tape: &mut ProverTape, i: usize) {
        if i > 0 {
            let word = self.chain.commit::<B, E>(i, &self.message);
            tape.send_bytes("root", &word.root());
            self.words.push(word);
        }
        let rounds = self.chain.rounds(i);
        self.value = sumcheck::prove(tape, rounds, &mut self.message, &mut self.form, self.value).1;
    }

    /// P2, P3: sends what is left, and opens the same positions in every word.
    pub fn finish(self, tape: &mut ProverTape, opened: &Opened<'_, E>) {
        let positions = self.positions(tape, opened);
        self.open(tape, opened, positions);
    }

    /// P2: sends what is left in full; draws positions.
    pub fn positions(&self, tape: &mut ProverTape, opened: &Opened<'_, E>) -> Vec<usize> {
        let stage = &opened.layout.first;
        tape.send("final message", &self.message);
        tape.grind("query grinding", stage.grinding);
        tape.positions("positions", self.chain.log_fibres(), stage.queries)
    }

    /// P3: opens the same positions in every word.
    pub fn open(self, tape: &mut ProverTape, opened: &Opened<'_, E>, mut positions: Vec<usize>) {
        let further = self.chain.step(0) - opened.layout.first.shape.log_fibre;
        opened.matrix.open_rows(tape, &fold::positions(&positions, further));
        for (i, word) in self.words.iter().enumerate() {
            positions = fold::fibres(positions, self.chain.step(i + 1));
            word.open_rows(tape, &positions);
        }
    }
}
