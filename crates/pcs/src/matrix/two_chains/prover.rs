//! Prover of the two chains; step labels as in `verifier.rs`.

use super::column_weights;
use crate::matrix::chain::Chain;
use crate::matrix::{Opened, Unavailable};
use field::{ExtensionOf, Field, FoldFibres};
use iop::fold;
use iop::oracle::CommittedCodeword;
use iop::poly::TensorForm;
use iop::transcript::{Challenger, ProverTape};

/// Two chains on their way: the words of the value chain, and what is left of the message of the other one.
pub(crate) struct TwoChains<'a, B, E> {
    chain: &'a Chain,
    opened: &'a Opened<'a, E>,
    /// The messages of the value chain's words.
    pub messages: Vec<Vec<E>>,
    pub values: Vec<CommittedCodeword<B>>,
    pub left: Vec<E>,
    pub proximity: Vec<CommittedCodeword<B>>,
    /// The last challenge of the proximity chain: it also weights the word of the value chain that is swept in next.
    alpha: E,
}

/// Proves the only claim about the committed matrix.
///
/// Cost: two combinations of the columns, and the words of both chains: together the transforms of about two messages
/// of one fragment's length in `E`.
pub(crate) fn prove<B: FoldFibres, E: ExtensionOf<B>>(
    chain: &Chain,
    tape: &mut ProverTape,
    opened: &Opened<'_, E>,
) -> Result<(), Unavailable> {
    let only = opened.split.only::<B>().expect("one form of one polynomial, by the parameters' limits");
    let combined = opened.matrices.combine_columns(&only.columns.expand())?;
    let mut chains = TwoChains::<B, E>::start(chain, tape, opened, value_messages(combined, only.rows))?;
    for i in 0..chain.folds() {
        if i > 0 {
            chains.commit(tape, i);
        }
        chains.fold(tape, i);
    }
    chains.finish(tape)
}

impl<'a, B: FoldFibres, E: ExtensionOf<B>> TwoChains<'a, B, E> {
    /// P1: commits to the value chain, which is folded by the form's own factors.
    pub fn start(
        chain: &'a Chain,
        tape: &mut ProverTape,
        opened: &'a Opened<'a, E>,
        messages: Vec<Vec<E>>,
    ) -> Result<Self, Unavailable> {
        let word = |(i, message): (usize, &Vec<E>)| chain.commit::<B, E>(i + 1, message);
        let values: Vec<CommittedCodeword<B>> = messages.iter().enumerate().map(word).collect();
        values.iter().for_each(|word| tape.send_bytes("value root", &word.root()));
        let stage = &opened.layout.first;
        tape.grind("fold grinding", stage.rounds.grinding);
        let left = opened.matrices.combine_columns(&column_weights(tape, stage).expand())?;
        Ok(Self { chain, opened, messages, values, left, proximity: Vec::new(), alpha: E::ZERO })
    }

    /// P2: commits to word `i` of the proximity chain.
    pub fn commit(&mut self, tape: &mut ProverTape, i: usize) {
        let word = self.chain.commit::<B, E>(i, &self.left);
        tape.send_bytes("proximity root", &word.root());
        self.proximity.push(word);
    }

    /// P2: sweeps word `i` of the value chain into that of the proximity chain, and folds.
    pub fn fold(&mut self, tape: &mut ProverTape, i: usize) {
        if i > 0 {
            let swept = self.alpha.square();
            self.left.iter_mut().zip(&self.messages[i - 1]).for_each(|(p, &f)| *p += swept * f);
        }
        tape.grind("fold grinding", self.opened.layout.first.rounds.grinding);
        self.alpha = tape.challenge("fold");
        self.left = halve(&self.left, [E::ONE, self.alpha]);
    }

    /// Sends the constant, and opens rows.
    pub fn finish(self, tape: &mut ProverTape) -> Result<(), Unavailable> {
        tape.send("constant", &self.left);
        // P3: the same positions in every word.
        let stage = &self.opened.layout.first;
        tape.grind("query grinding", stage.grinding);
        let mut positions = tape.positions("positions", self.chain.log_fibres(), stage.queries);
        self.opened.matrices.open_rows(tape, &fold::positions(&positions, 1))?;
        for (value, proximity) in self.values.iter().zip(&self.proximity) {
            positions = fold::fibres(positions, 1);
            value.open_rows(tape, &positions);
            proximity.open_rows(tape, &positions);
        }
        Ok(())
    }
}

/// The messages of the value chain's committed words: each halved by one more factor of the form.
fn value_messages<E: Field>(combined: Vec<E>, form: &TensorForm<E>) -> Vec<Vec<E>> {
    let mut left = combined;
    let halved = form.factors().iter().take(form.variables().saturating_sub(1)).map(|&factor| {
        left = halve(&left, factor);
        left.clone()
    });
    halved.collect()
}

/// `a·even + b·odd`.
pub(crate) fn halve<E: Field>(message: &[E], [a, b]: [E; 2]) -> Vec<E> {
    message.as_chunks::<2>().0.iter().map(|&[even, odd]| a * even + b * odd).collect()
}
