//! The simulator of a hiding opening by a chain, run: it knows the claim and no data. (notes: air-hiding)
//!
//! It guesses the fibre that will be opened and commits to zeros. When all other challenges are drawn, it moves the combination of the columns
//! onto the claimed value along a direction that vanishes on that fibre. If the fibre is drawn indeed, the transcript is accepted
//! and distributed as an opening of any data with that value; else it is thrown away, and no verifier takes it.

use super::chain;
use super::{Binary, Inner, Opened, Params, Prover, RoundParams, Scheme, Secret, reduce};
use crate::claims::Claims;
use crate::fields::Fields;
use crate::matrix::battery::elements;
use crate::ring_switching::Entries;
use field::{ExtensionOf, FoldFibres, Gf192, Gf320, Tower64};
use iop::error::Invalid;
use iop::hash::Hash;
use iop::poly::{TensorForm, dot};
use iop::security::{Policy, Regime};
use iop::transcript::ProverTape;

/// One query in one of 32 fibres of two rows each.
fn params(fields: Fields) -> Params {
    Params {
        fields,
        hash: Hash::Sha3_384,
        regime: Regime::UniqueDecoding,
        entries: Entries::Whole,
        log_size: 6,
        polynomials: 1,
        max_forms: 1,
        hidden_openings: 1,
        log_parts: 0,
        log_leaf_fibres: 0,
        level: RoundParams { log_columns: 3, log_inv_rate: 3, queries: 1, grinding: 0, fold_grinding: 0 },
        inner: Inner::Chain(vec![1, 1]),
    }
}

/// The coefficients `0, 1, 2` of a message that is zero at two positions of the code.
fn vanishing<B: FoldFibres, E: ExtensionOf<B>>(points: [B::Point; 2], length: usize) -> [E; 3] {
    let at = |point: B::Point| -> [E; 3] {
        core::array::from_fn(|i| {
            let mut unit = vec![E::ZERO; length];
            unit[i] = E::ONE;
            B::evaluate(&unit, point)
        })
    };
    let [a, b] = points.map(at);
    [[1, 2], [2, 0], [0, 1]].map(|[i, j]| a[i] * b[j] - a[j] * b[i])
}

/// A transcript for a fibre that is guessed: whether it was drawn, and the verdict.
fn simulated<B: FoldFibres, E: ExtensionOf<B>>(
    scheme: &Scheme<Binary, B, E>,
    (seed, fibre): (u8, usize),
) -> (bool, Result<(), Invalid>) {
    let (prover, layout) = (Prover::new(scheme), scheme.layout());
    let zeros = vec![B::ZERO; 1 << layout.log_size];
    let mut witness = Prover::new(scheme).commit_hiding(&[&zeros], Secret::from_seed(&[seed; 32], 0));
    let commitment = witness.commitment().clone();
    let (form, value) = (TensorForm::point(&elements::<E>(6, 7)), elements::<E>(1, 8)[0]);
    let claims = Claims { forms: vec![form], values: vec![vec![value]], context: Vec::new() };
    let mut tape = layout.bind(&commitment, &claims).prover();
    let matrix = witness.held.committed();
    let opened = prover.opened(matrix, &mut witness.kept, &claims, vec![Vec::new()]);
    let drawn = prove(scheme, &opened, &mut tape, (elements::<E>(1, seed.into())[0], fibre));
    (drawn, scheme.verify(&commitment, &claims, &tape.finish()))
}

/// The steps of the prover with a masked value from nowhere; whether the fibre was drawn.
fn prove<B: FoldFibres, E: ExtensionOf<B>>(
    scheme: &Scheme<Binary, B, E>,
    opened: &Opened<'_, E>,
    tape: &mut ProverTape,
    (masked, fibre): (E, usize),
) -> bool {
    let (chain, mask) = (scheme.chain.as_ref().unwrap(), opened.mask.unwrap());
    tape.send_bytes("mask", &[mask as u8]);
    let rounds = opened.layout.first.rounds;
    let reduced = reduce::prove_hiding::<B, E>(rounds, tape, &opened.split, mask, |_| Ok(masked)).unwrap();
    let mut combined = opened.combine(reduced).unwrap();
    let points = [0, 1].map(|side| chain.word(0).point::<B>(2 * fibre + side));
    let direction = vanishing::<B, E>(points, combined.message.len());
    let claim = &combined.reduced.1;
    let weights = claim.weights(combined.message.len());
    let missing = claim.value() - dot(&weights, &combined.message);
    let step = missing * dot(&weights[..3], &direction).inverse().unwrap();
    combined.message.iter_mut().zip(direction).for_each(|(x, d)| *x += step * d);
    let mut folding = chain::plain(chain, tape, opened, combined);
    (0..chain.folds()).for_each(|i| folding.fold(tape, i));
    let positions = folding.positions(tape);
    let drawn = positions == [fibre];
    folding.open(tape, positions).unwrap();
    drawn
}

fn simulates<E: ExtensionOf<Tower64>>(fields: Fields) {
    let scheme = Scheme::<Binary, Tower64, E>::new(params(fields), &Policy::at_least(0)).unwrap();
    let fibres = 1 << scheme.chain.as_ref().unwrap().log_fibres();
    let mut accepted = 0;
    for seed in 0..=u8::MAX {
        let (drawn, verdict) = simulated(&scheme, (seed, usize::from(seed) % fibres));
        assert_eq!(verdict.is_ok(), drawn, "seed {seed}: {verdict:?}");
        accepted += u32::from(drawn);
        if accepted == 2 {
            return;
        }
    }
    panic!("{accepted} of 256 guesses among {fibres} fibres were right");
}

#[test]
fn a_simulator_without_the_data_makes_accepted_openings() {
    simulates::<Gf192>(Fields::Gf192);
    simulates::<Gf320>(Fields::Gf320);
}
