//! The protocol once more, slow and plain, and able to deviate in one thing. Without a deviation it must write the prover's bytes.

use crate::claims::Claims;
use crate::deepfold::Scheme;
use crate::deepfold::claim::Claim;
use crate::pip::Commitment;
use field::{ExtensionOf, TwoAdic};
use iop::oracle::CommittedCodeword;
use iop::poly::{TensorForm, dot};
use iop::transcript::{Challenger, ProverTape};

/// Where a prover, honest otherwise, departs from the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deviation {
    /// Nowhere.
    None,
    /// The value is off by one.
    Value,
    /// The value is off by one, and a partial evaluation makes up for it.
    ValueAndPartial,
    /// The out-of-domain value of the commitment is off by one.
    OutOfDomain,
    /// Everything after the commitment is about another polynomial, value included.
    Switch,
    /// The message is replaced after so many folds by another one that satisfies the claim.
    SwitchAfter(usize),
    /// The value outside of the domain is off by one in this round.
    Deep(usize),
    /// The slope of the first claim is off by one in this round.
    Slope(usize),
    /// Of the two values sent of the first claim, the even one is off by one.
    Even,
    /// The first leaf opened of this word is off by one.
    Leaf(usize),
    /// The nonce is zero.
    Nonce,
}

/// Naive words of the columns of a row-major message after some folds.
fn word<B: TwoAdic, E: ExtensionOf<B>>(
    scheme: &Scheme<B, E>,
    folds: usize,
    message: &[E],
    width: usize,
) -> Vec<E> {
    let code = scheme.params().code(0);
    let positions = 0..1 << (code.log_domain() - folds);
    let value = |position: usize, column: usize| {
        let x: B = code.point::<B>(position << folds).pow(1 << folds);
        let coefficients = message.iter().skip(column).step_by(width);
        coefficients.rev().fold(E::ZERO, |acc, &c| acc.scale(x) + c)
    };
    positions.flat_map(|p| (0..width).map(move |c| (p, c))).map(|(p, c)| value(p, c)).collect()
}

fn naive<E: field::Field>(message: &[E], form: &TensorForm<E>) -> E {
    dot(&form.expand(), message)
}

/// The commitment to a polynomial, and the word behind it.
pub fn commit<B: TwoAdic, E: ExtensionOf<B>>(
    scheme: &Scheme<B, E>,
    entries: &[B],
    deviation: Deviation,
) -> (Commitment<E>, CommittedCodeword<B>) {
    let params = scheme.params();
    let lifted: Vec<E> = entries.iter().map(|&x| E::lift(x)).collect();
    let word = word(scheme, 0, &lifted, params.columns());
    let word = word.iter().map(|x| E::flatten(core::slice::from_ref(x))[0]).collect();
    let oracle = CommittedCodeword::from_codeword(params.hash, word, params.tree(0).width);
    let point = scheme.out_of_domain_point(&oracle.root());
    let mut out_of_domain: Vec<E> = point.iter().map(|z| naive(&lifted, z)).collect();
    if deviation == Deviation::OutOfDomain {
        out_of_domain[0] += E::ONE;
    }
    (Commitment { root: oracle.root(), out_of_domain }, oracle)
}

/// Commitment, claims and proof for entries and forms, with the deviation.
pub fn run<B: TwoAdic, E: ExtensionOf<B>>(
    scheme: &Scheme<B, E>,
    entries: &[B],
    forms: Vec<TensorForm<E>>,
    deviation: Deviation,
) -> (Commitment<E>, Claims<E>, Vec<u8>) {
    let params = scheme.params();
    let (commitment, oracle) = commit(scheme, entries, deviation);
    let mut full: Vec<E> = entries.iter().map(|&x| E::lift(x)).collect();
    if deviation == Deviation::Switch {
        full[1] += E::ONE;
    }
    let mut values: Vec<Vec<E>> = forms.iter().map(|form| vec![naive(&full, form)]).collect();
    if matches!(deviation, Deviation::Value | Deviation::ValueAndPartial) {
        values[0][0] += E::ONE;
    }
    let claims = Claims { forms, values, context: b"context".to_vec() };
    let mut tape = scheme.bind(&commitment, &claims).prover();
    let (message, stated) = combine(scheme, &mut tape, &full, scheme.stated(&commitment, &claims), deviation);
    let oracles = fold(scheme, &mut tape, message, stated, deviation);
    if deviation == Deviation::Nonce {
        tape.grind("query grinding", 0);
        tape.send_bytes("nonce", &[0; 8]);
    } else {
        tape.grind("query grinding", params.grinding);
    }
    let mut positions =
        tape.positions("positions", params.tree(0).code.log_domain(), params.queries as usize);
    open(&mut tape, &oracle, &positions, deviation == Deviation::Leaf(0));
    for (i, oracle) in oracles.iter().enumerate() {
        positions = positions.iter().map(|p| p / 2).collect();
        positions.dedup();
        open(&mut tape, oracle, &positions, deviation == Deviation::Leaf(i + 1));
    }
    (commitment, claims, tape.finish())
}

/// One combination of the fragments, and the claims about it.
fn combine<B: TwoAdic, E: ExtensionOf<B>>(
    scheme: &Scheme<B, E>,
    tape: &mut ProverTape,
    full: &[E],
    stated: Vec<Claim<E>>,
    deviation: Deviation,
) -> (Vec<E>, Vec<Claim<E>>) {
    let params = scheme.params();
    let columns = params.columns();
    if columns == 1 {
        return (full.to_vec(), stated);
    }
    let fragment = |c: usize| -> Vec<E> { full.iter().skip(c).step_by(columns).copied().collect() };
    let mut partials = Vec::new();
    for claim in &stated {
        let (low, rows) = claim.form.split(params.log_columns as usize);
        let mut partial: Vec<E> = (0..columns).map(|c| naive(&fragment(c), &rows)).collect();
        if deviation == Deviation::ValueAndPartial {
            let off = claim.value - dot(&partial, &low.expand());
            partial[0] += off * low.expand()[0].inverse().unwrap();
        }
        tape.send("partial evaluations", &partial);
        partials.push((rows, partial));
    }
    let r: Vec<E> = tape.challenges("combine columns", params.log_columns as usize);
    let weights = TensorForm::point(&r).expand();
    let message = full.chunks(columns).map(|row| dot(row, &weights)).collect();
    let claims = partials.into_iter().map(|(form, p)| Claim { form, value: dot(&p, &weights) }).collect();
    (message, claims)
}

/// All rounds and the final message; returns the words after the first.
fn fold<B: TwoAdic, E: ExtensionOf<B>>(
    scheme: &Scheme<B, E>,
    tape: &mut ProverTape,
    mut message: Vec<E>,
    mut claims: Vec<Claim<E>>,
    deviation: Deviation,
) -> Vec<CommittedCodeword<E>> {
    let params = scheme.params();
    let mut oracles: Vec<CommittedCodeword<E>> = Vec::new();
    for round in 0..params.rounds() {
        if round > 0 && params.own.deep {
            let z: Vec<E> = tape.challenges("deep point", message.len().trailing_zeros() as usize);
            let form = TensorForm::point(&z);
            let off = if deviation == Deviation::Deep(round) { E::ONE } else { E::ZERO };
            let value = naive(&message, &form) + off;
            tape.send("deep value", &[value]);
            claims.push(Claim { form, value });
        }
        let parity = |odd: usize| -> Vec<E> { message.iter().skip(odd).step_by(2).copied().collect() };
        let (mut sent, mut folds) = (Vec::new(), Vec::new());
        for (i, claim) in claims.iter().enumerate() {
            let halved = claim.halve().unwrap();
            let mut even = naive(&parity(0), &halved.rest);
            let mut slope = naive(&parity(1), &halved.rest) - even;
            if i == 0 && deviation == Deviation::Slope(round) {
                slope += E::ONE;
            }
            if i == 0 && round == 0 && deviation == Deviation::Even {
                even += E::ONE;
            }
            sent.extend(&[slope, even][..halved.sent()]);
            // The claim goes on as the verifier computes it.
            let even = halved.even(&sent[sent.len() - halved.sent()..]).unwrap_or(even);
            folds.push((halved, even, slope));
        }
        tape.send("slopes", &sent);
        let r: E = tape.challenge("fold");
        claims = folds.into_iter().map(|(halved, even, slope)| halved.fold(even, slope, r)).collect();
        message = message.chunks(2).map(|p| (E::ONE - r) * p[0] + r * p[1]).collect();
        if deviation == Deviation::SwitchAfter(round + 1) {
            let [a, b] = claims[0].form.factors()[0];
            message[0] += b;
            message[1] -= a;
        }
        if round + 1 < params.rounds() {
            let word = word(scheme, round + 1, &message, 1);
            oracles.push(CommittedCodeword::from_codeword(params.hash, word, 2));
            tape.send_bytes("root", &oracles[round].root());
        }
    }
    tape.send("final message", &message);
    oracles
}

/// Opens leaves, the first element of them off by one if it deviates.
fn open<F: field::Field>(
    tape: &mut ProverTape,
    oracle: &CommittedCodeword<F>,
    positions: &[usize],
    deviates: bool,
) {
    if !deviates {
        return oracle.open_rows(tape, positions);
    }
    let mut rows: Vec<F> = positions.iter().flat_map(|&p| oracle.row(p)).copied().collect();
    rows[0] += F::ONE;
    let mut honest = tape.clone();
    let before = honest.clone().finish().len();
    oracle.open_rows(&mut honest, positions);
    tape.hint("rows", &rows);
    let paths = honest.finish().split_off(before + rows.len() * F::BYTES);
    tape.hint_bytes("paths", &paths);
}
