//! Prover of the chain; step labels as in `verifier.rs`.

use super::Chain;
use super::words::{ChainStart, ChainWords, PlainWords};
use crate::matrix::reduce::ReducedClaim;
use crate::matrix::{Combined, Opened, Unavailable};
use field::{ExtensionOf, Field, FoldFibres};
use iop::fold;
use iop::sumcheck;
use iop::transcript::{Challenger, ProverTape};

/// A chain on its way, whoever holds it, with the claim about it.
pub(crate) struct Folding<'a, E, W: ?Sized> {
    chain: &'a Chain,
    opened: &'a Opened<'a, E>,
    value: E,
    pub words: Box<W>,
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
    reduced: ReducedClaim<B, E>,
) -> Result<(), Unavailable> {
    let held = held::<B, E>(chain, opened, &reduced)?;
    match held {
        Some(words) => Folding::start(chain, tape, opened, &[], (reduced.1.value(), words)).run(tape),
        None => plain(chain, tape, opened, opened.combine(reduced)?).run(tape),
    }
}

/// The chain, if the matrix holds it.
fn held<'a, B: FoldFibres, E: ExtensionOf<B>>(
    chain: &'a Chain,
    opened: &'a Opened<'a, E>,
    (weights, claim): &ReducedClaim<B, E>,
) -> Result<Option<Box<dyn ChainWords<E> + 'a>>, Unavailable> {
    let (stage, recomputed) = (&opened.layout.first, opened.layout.keeps_no_block());
    if stage.shape.code.extra > 0 {
        return Ok(None);
    }
    let of_claim = claim.clone();
    let plain = move |message: Vec<E>| -> Box<dyn ChainWords<E> + 'a> {
        let form = of_claim.weights(message.len());
        Box::new(PlainWords::<B, E>::new(chain, recomputed, message, form))
    };
    let forms = claim.forms().to_vec();
    let start =
        ChainStart { columns: weights.expand(), forms, shapes: chain.shapes(), plain: Box::new(plain) };
    opened.matrices.hold_chain(start)
}

/// The chain of a combination in this process's memory.
pub(crate) fn plain<'a, B: FoldFibres, E: ExtensionOf<B>>(
    chain: &'a Chain,
    tape: &mut ProverTape,
    opened: &'a Opened<'a, E>,
    combined: Combined<B, E>,
) -> Folding<'a, E, PlainWords<'a, B, E>> {
    let Combined { message, tail, reduced: (_, claim) } = combined;
    let (form, value) = (claim.weights(message.len()), claim.value());
    let words = Box::new(PlainWords::new(chain, opened.layout.keeps_no_block(), message, form));
    Folding::start(chain, tape, opened, &tail, (value, words))
}

impl<'a, E: Field, W: ChainWords<E> + ?Sized> Folding<'a, E, W> {
    /// Sends the tail.
    fn start(
        chain: &'a Chain,
        tape: &mut ProverTape,
        opened: &'a Opened<'a, E>,
        tail: &[E],
        (value, words): (E, Box<W>),
    ) -> Self {
        tape.send("tail", tail);
        Self { chain, opened, value, words }
    }

    /// All steps.
    fn run(mut self, tape: &mut ProverTape) -> Result<(), Unavailable> {
        for i in 0..self.chain.folds() {
            self.fold(tape, i);
        }
        self.finish(tape)
    }

    /// P1: commits to the word of what is left, and binds variables.
    pub fn fold(&mut self, tape: &mut ProverTape, i: usize) {
        if i > 0 {
            let root = self.words.commit();
            tape.send_bytes("root", &root);
        }
        self.bind(tape, i);
    }

    /// P1: binds the variables that word `i` is folded by.
    pub fn bind(&mut self, tape: &mut ProverTape, i: usize) {
        let sumcheck::Rounds { count, grinding } = self.chain.rounds(i);
        for _ in 0..count {
            let coefficients = self.words.round();
            let challenge = sumcheck::send_round(tape, grinding, coefficients, &mut self.value);
            self.words.bind(challenge);
        }
    }

    /// P2, P3: sends what is left, and opens the same positions in every word.
    pub fn finish(mut self, tape: &mut ProverTape) -> Result<(), Unavailable> {
        let positions = self.positions(tape);
        self.open(tape, positions)
    }

    /// P2: sends what is left in full; draws positions.
    pub fn positions(&mut self, tape: &mut ProverTape) -> Vec<usize> {
        let stage = &self.opened.layout.first;
        tape.send("final message", &self.words.message());
        tape.grind("query grinding", stage.grinding);
        tape.positions("positions", self.chain.log_fibres(), stage.queries)
    }

    /// P3: opens the same positions in every word.
    pub fn open(mut self, tape: &mut ProverTape, mut positions: Vec<usize>) -> Result<(), Unavailable> {
        let log_leaf = self.opened.layout.first.shape.log_fibre;
        let leaves = fold::leaves_of_fibres(&positions, self.chain.step(0), log_leaf);
        self.opened.matrices.open_rows(tape, &leaves)?;
        for word in 0..self.chain.folds() - 1 {
            let (step, log_leaf) = (self.chain.step(word + 1), self.chain.log_leaf(word + 1));
            positions = fold::fibres(positions, step);
            self.words.open_rows(tape, word, &fold::leaves_of_fibres(&positions, step, log_leaf));
        }
        Ok(())
    }
}
