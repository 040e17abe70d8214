//! Prover of the chain; step labels as in `verifier.rs`.

use super::Chain;
#[cfg(test)]
use crate::matrix::adversary::{Deviation, another, tail_told, told};
use crate::matrix::{Combined, Round};
use field::{ExtensionOf, TwoAdic};
use iop::fold;
use iop::oracle::CommittedCodeword;
use iop::sumcheck;
use iop::transcript::{Challenger, ProverTape};

/// Proves the claim about the combination of the columns of the committed matrix `data`; its tail, the coefficients above the data rows, is
/// sent in clear.
///
/// Cost: one transform of `message / rate` positions in `E`, about `4/3` of that for all words if each fold binds two
/// variables; the sumcheck and the trees on top.
pub(in crate::pip) fn prove<B: TwoAdic, E: ExtensionOf<B>>(
    chain: &Chain,
    tape: &mut ProverTape,
    (stage, oracle, data): (&Round, &CommittedCodeword<B>, &[B]),
    combined: Combined<B, E>,
) {
    let Combined { mut message, tail, reduced: (_, claim) } = combined;
    #[cfg(test)]
    let tail = tail_told(&tail);
    tape.send("tail", &tail);
    // P1: each step binds variables and commits to the word of what is left.
    let (mut form, mut value) = (claim.weights(message.len()), claim.value());
    let mut words: Vec<CommittedCodeword<E>> = Vec::new();
    for i in 0..chain.folds() {
        if i > 0 {
            let word = chain.commit::<B, E>(i, &message);
            tape.send_bytes("root", &word.root());
            words.push(word);
        }
        (_, value) = sumcheck::prove(tape, chain.rounds(i), &mut message, &mut form, value);
        #[cfg(test)]
        if told(Deviation::AfterFold(i)) {
            another(&mut message, &form);
        }
    }
    // P2: what is left in clear.
    tape.send("final message", &message);
    // P3: the same positions in every word.
    tape.grind("query grinding", stage.grinding);
    let mut positions = tape.positions("positions", chain.log_fibres(), stage.queries);
    oracle.open_rows_of(tape, &stage.shape, data, &fold::positions(&positions, chain.step(0)));
    for (i, word) in words.iter().enumerate() {
        positions = fold::fibres(positions, chain.step(i + 1));
        word.open_rows(tape, &positions);
    }
}
