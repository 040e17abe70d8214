//! Prover of the two chains; step labels as in `verifier.rs`.

use super::column_weights;
#[cfg(test)]
use crate::matrix::adversary::{Deviation, told};
use crate::matrix::{Round, SingleClaim, combine_columns};
use crate::pip::chain::Chain;
use field::{ExtensionOf, Field, TwoAdic};
use iop::fold;
use iop::oracle::CommittedCodeword;
use iop::poly::TensorForm;
use iop::transcript::{Challenger, ProverTape};

/// Proves the claim about the committed matrix `message`.
///
/// Cost: two combinations of the columns, and the words of both chains: together the transforms of about two messages
/// of one fragment's length in `E`.
pub(in crate::pip) fn prove<B: TwoAdic, E: ExtensionOf<B>>(
    chain: &Chain,
    tape: &mut ProverTape,
    (stage, oracle, message): (&Round, &CommittedCodeword<B>, &[B]),
    only: &SingleClaim<'_, E>,
) {
    // P1: the value chain, folded by the form's own factors.
    let messages = value_messages(combine_columns(message, &only.columns.expand()), only.rows);
    let values: Vec<CommittedCodeword<E>> =
        messages.iter().enumerate().map(|(i, message)| chain.commit::<B, E>(i + 1, message)).collect();
    values.iter().for_each(|word| tape.send_bytes("value root", &word.root()));
    // P2: the proximity chain; each challenge also weights the word of the value chain that is swept in next.
    tape.grind("fold grinding", stage.rounds.grinding);
    let mut left = combine_columns(message, &column_weights(tape, stage).expand());
    let mut proximity: Vec<CommittedCodeword<E>> = Vec::new();
    let mut alpha = E::ZERO;
    for i in 0..chain.folds() {
        if i > 0 {
            #[cfg(test)]
            if told(Deviation::ProximityWord(i)) {
                left[0] += E::ONE;
            }
            let word = chain.commit::<B, E>(i, &left);
            tape.send_bytes("proximity root", &word.root());
            proximity.push(word);
            let swept = alpha.square();
            left.iter_mut().zip(&messages[i - 1]).for_each(|(p, &f)| *p += swept * f);
        }
        tape.grind("fold grinding", stage.rounds.grinding);
        alpha = tape.challenge("fold");
        left = halve(&left, [E::ONE, alpha]);
    }
    #[cfg(test)]
    if told(Deviation::Constant) {
        left[0] += E::ONE;
    }
    tape.send("constant", &left);
    // P3: the same positions in every word.
    tape.grind("query grinding", stage.grinding);
    let mut positions = tape.positions("positions", chain.log_fibres(), stage.queries);
    oracle.open_rows_of(tape, &stage.shape, message, &fold::positions(&positions, 1));
    for (value, proximity) in values.iter().zip(&proximity) {
        positions = fold::fibres(positions, 1);
        value.open_rows(tape, &positions);
        proximity.open_rows(tape, &positions);
    }
}

/// The messages of the value chain's committed words: each halved by one more factor of the form.
fn value_messages<E: Field>(combined: Vec<E>, form: &TensorForm<E>) -> Vec<Vec<E>> {
    let mut left = combined;
    let mut messages = Vec::new();
    for i in 1..form.variables() {
        left = halve(&left, form.factors()[i - 1]);
        #[cfg(test)]
        lie(&mut left, i, &form.split(i).1.expand());
        messages.push(left.clone());
    }
    messages
}

/// `a·even + b·odd`.
fn halve<E: Field>(message: &[E], [a, b]: [E; 2]) -> Vec<E> {
    message.as_chunks::<2>().0.iter().map(|&[even, odd]| a * even + b * odd).collect()
}

/// Another message of word `i`, given the weights of the form that is left.
#[cfg(test)]
fn lie<E: Field>(message: &mut [E], i: usize, form: &[E]) {
    if told(Deviation::ValueWord(i)) {
        crate::matrix::adversary::another(message, form);
    }
    if told(Deviation::ForeignValueChain) && i == 1 {
        let seen = form.iter().position(|&w| w != E::ZERO).expect("a form that looks at some entry");
        message[seen] += form[seen].inverse().expect("not zero");
    }
}
