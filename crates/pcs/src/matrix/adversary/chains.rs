//! Malicious provers of chains.

use super::{D, Deviation, another, combined};
use crate::matrix::Opened;
use crate::matrix::chain::{self, Chain, ChainWords};
use crate::matrix::committed::HELD_HERE;
use crate::matrix::two_chains::{TwoChains, halve};
use field::{ExtensionOf, FoldFibres};
use iop::transcript::ProverTape;

/// Proves by chains.
pub(super) fn prove<B: FoldFibres, E: ExtensionOf<B>>(
    deviation: Deviation,
    chain: &Chain,
    tape: &mut ProverTape,
    opened: &Opened<'_, E>,
) {
    if chain.is_double() {
        return two_chains::<B, E>(deviation, chain, tape, opened);
    }
    let combined = combined::<B, E>(deviation, tape, opened);
    let mut folding = chain::plain(chain, tape, opened, combined);
    for i in 0..chain.folds() {
        if i > 0 {
            let mut root = folding.words.commit();
            if deviation == D::WordRoot(i) {
                let mut other = folding.words.message.clone();
                other[0] += E::ONE;
                root = chain.commit::<B, E>(i, &other).root();
            }
            tape.send_bytes("root", &root);
        }
        folding.bind(tape, i);
        if deviation == D::AfterFold(i) {
            another(&mut folding.words.message, &folding.words.form);
        }
    }
    if deviation == D::Positions {
        let drawn = folding.positions(tape);
        let mut chosen: Vec<usize> = drawn.iter().map(|position| position ^ 2).collect();
        chosen.sort_unstable();
        return folding.open(tape, chosen).expect(HELD_HERE);
    }
    folding.finish(tape).expect(HELD_HERE);
}

/// Proves by two chains.
fn two_chains<B: FoldFibres, E: ExtensionOf<B>>(
    deviation: Deviation,
    chain: &Chain,
    tape: &mut ProverTape,
    opened: &Opened<'_, E>,
) {
    let only = opened.split.only::<B>().expect("one form of one polynomial");
    let mut left = opened.matrices.combine_columns(&only.columns.expand()).expect(HELD_HERE);
    let mut messages = Vec::new();
    for i in 1..only.rows.variables() {
        left = halve(&left, only.rows.factors()[i - 1]);
        let form = only.rows.split(i).1.expand();
        if deviation == D::ValueWord(i) {
            another(&mut left, &form);
        }
        if deviation == D::ForeignValueChain && i == 1 {
            let seen = form.iter().position(|&w| w != E::ZERO).expect("a form that looks at some entry");
            left[seen] += form[seen].inverse().expect("not zero");
        }
        messages.push(left.clone());
    }
    if let D::ValueRoot(i) = deviation {
        messages[i - 1][0] += E::ONE;
    }
    let mut chains = TwoChains::<B, E>::start(chain, tape, opened, messages).expect(HELD_HERE);
    if let D::ValueRoot(i) = deviation {
        chains.messages[i - 1][0] -= E::ONE;
        chains.values[i - 1] = chain.commit(i, &chains.messages[i - 1]);
    }
    prove_proximity(deviation, chain, tape, chains);
}

/// The proximity chain below the words of a value chain.
fn prove_proximity<B: FoldFibres, E: ExtensionOf<B>>(
    deviation: Deviation,
    chain: &Chain,
    tape: &mut ProverTape,
    mut chains: TwoChains<'_, B, E>,
) {
    for i in 0..chain.folds() {
        if deviation == D::ProximityWord(i) {
            chains.left[0] += E::ONE;
        }
        if deviation == D::WordRoot(i) {
            chains.left[0] += E::ONE;
            chains.commit(tape, i);
            chains.left[0] -= E::ONE;
            chains.proximity[i - 1] = chain.commit(i, &chains.left);
        } else if i > 0 {
            chains.commit(tape, i);
        }
        chains.fold(tape, i);
    }
    if deviation == D::Constant {
        chains.left[0] += E::ONE;
    }
    chains.finish(tape).expect(HELD_HERE);
}
