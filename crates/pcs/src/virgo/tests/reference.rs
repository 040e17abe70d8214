//! The protocol once more, slow and plain, and able to deviate in one thing. Without a deviation it must write the prover's bytes.

use crate::claims::Claims;
use crate::pip::Commitment;
use crate::virgo::Scheme;
use crate::virgo::words::WordWeights;
use field::{ExtensionOf, TwoAdic};
use iop::oracle::CommittedCodeword;
use iop::poly::{TensorForm, dot, powers};
use iop::transcript::{Challenger, ProverTape};

/// Where a prover, honest otherwise, departs from the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deviation {
    /// Nowhere.
    None,
    /// The value is off by one.
    Value,
    /// The value is off by one, and so is the sum of the first fragment that makes up for it.
    ValueAndSum,
    /// As before, and the quotient is changed so that the remainder is a polynomial, of a degree that is too high by one.
    Degree,
    /// The out-of-domain value of the commitment is off by one.
    OutOfDomain,
    /// Everything after the commitment is about another polynomial, value included.
    Switch,
    /// The quotients that are committed to are others than those that are combined.
    Quotient,
    /// The combination is replaced after so many folds.
    SwitchAfter(usize),
    /// Everything is about another form than the claim's, whose values at the points are shown by its own layers.
    OtherWeights,
    /// As before, and each layer's value is chosen such that the claim's form leads to it.
    OtherWeightsThatFit,
    /// The first value of the weights at a point is off by one.
    WeightAtPoint,
    /// The first leaf opened of the fragments, of the quotients, or of a later word is off by one.
    Leaf(usize),
    /// The nonce is zero.
    Nonce,
}

/// A polynomial's value, coefficient by coefficient.
fn evaluate<B: TwoAdic, E: ExtensionOf<B>>(coefficients: &[E], x: B) -> E {
    coefficients.iter().rev().fold(E::ZERO, |acc, &c| acc.scale(x) + c)
}

/// The polynomial with these values on the subgroup, from the definition.
fn interpolate<B: TwoAdic, E: ExtensionOf<B>>(values: &[E]) -> Vec<E> {
    let inverse = B::root_of_unity(values.len().ilog2() as usize).inverse().unwrap();
    let mean = B::from_u64(values.len() as u64).inverse().unwrap();
    (0..values.len() as u64).map(|k| evaluate(values, inverse.pow(k)).scale(mean)).collect()
}

/// The product of two polynomials by the vanishing polynomial of the subgroup: quotient and remainder.
fn divide<E: field::Field>(f: &[E], q: &[E]) -> [Vec<E>; 2] {
    let size = f.len();
    let mut product = vec![E::ZERO; 2 * size];
    for (i, &a) in f.iter().enumerate() {
        q.iter().enumerate().for_each(|(j, &b)| product[i + j] += a * b);
    }
    let quotient = product.split_off(size);
    product.iter_mut().zip(&quotient).for_each(|(low, &high)| *low += high);
    [quotient, product]
}

/// The words of columns of coefficients on a domain after some folds, row by row.
fn word<B: TwoAdic, E: ExtensionOf<B>>(scheme: &Scheme<B, E>, folds: usize, columns: &[Vec<E>]) -> Vec<E> {
    let code = scheme.params().code(0);
    let positions = 0..1usize << (code.log_domain() - folds);
    let points = positions.map(|position| code.point::<B>(position << folds).pow(1 << folds));
    points.flat_map(|x| columns.iter().map(move |column| evaluate(column, x))).collect()
}

/// The fragments' coefficients.
fn fragments<B: TwoAdic, E: ExtensionOf<B>>(entries: &[E], columns: usize) -> Vec<Vec<E>> {
    let fragment = |c: usize| -> Vec<E> { entries.iter().skip(c).step_by(columns).copied().collect() };
    (0..columns).map(|c| interpolate::<B, E>(&fragment(c))).collect()
}

/// The commitment to entries, and the codeword behind it.
fn commit<B: TwoAdic, E: ExtensionOf<B>>(
    scheme: &Scheme<B, E>,
    full: &[E],
    deviation: Deviation,
) -> (Commitment<E>, CommittedCodeword<B>) {
    let params = scheme.params();
    let polynomials = fragments::<B, E>(full, params.columns());
    let word = word(scheme, 0, &polynomials);
    let word = E::flatten(&word).iter().step_by(E::DEGREE).copied().collect();
    let codeword = CommittedCodeword::from_codeword(params.hash, word, params.tree(0).width);
    let mut out_of_domain: Vec<E> = Vec::new();
    if let Some(z) = scheme.outside_point(&codeword.root()) {
        let value = |f: &Vec<E>| dot(&powers(z.point, f.len()), f);
        out_of_domain.push(z.weights.iter().zip(&polynomials).map(|(&w, f)| w * value(f)).sum());
    }
    if deviation == Deviation::OutOfDomain {
        out_of_domain[0] += E::ONE;
    }
    (Commitment { root: codeword.root(), out_of_domain }, codeword)
}

/// What a prover says of the fragments: the form on the rows, the one that it uses, the sums, and the value.
struct Statement<E> {
    rows: TensorForm<E>,
    used: TensorForm<E>,
    sums: Vec<E>,
    value: E,
}

impl<E: field::Field> Statement<E> {
    fn new(full: &[E], (form, log_columns): (&TensorForm<E>, usize), deviation: Deviation) -> Self {
        let (low, rows) = form.split(log_columns);
        let other = matches!(deviation, Deviation::OtherWeights | Deviation::OtherWeightsThatFit);
        let used = if other { TensorForm::sum(rows.variables()) } else { rows.clone() };
        let (table, columns) = (used.expand(), 1 << log_columns);
        let sum = |c: usize| full.iter().skip(c).step_by(columns).zip(&table).map(|(&x, &w)| x * w).sum();
        let mut sums: Vec<E> = (0..columns).map(sum).collect();
        if matches!(deviation, Deviation::ValueAndSum | Deviation::Degree) {
            sums[0] += E::ONE;
        }
        let mut value = dot(&low.expand(), &sums);
        if deviation == Deviation::Value {
            value += E::ONE;
        }
        Self { rows, used, sums, value }
    }
}

/// Commitment, claim and proof for entries and a form, with the deviation.
pub fn run<B: TwoAdic, E: ExtensionOf<B>>(
    scheme: &Scheme<B, E>,
    entries: &[B],
    form: TensorForm<E>,
    deviation: Deviation,
) -> (Commitment<E>, Claims<E>, Vec<u8>) {
    let params = scheme.params();
    let mut full: Vec<E> = entries.iter().map(|&x| E::lift(x)).collect();
    let (commitment, first) = commit(scheme, &full, deviation);
    if deviation == Deviation::Switch {
        full[1] += E::ONE;
    }
    let statement = Statement::new(&full, (&form, params.log_columns as usize), deviation);
    let claims =
        Claims { forms: vec![form], values: vec![vec![statement.value]], context: b"context".to_vec() };
    let mut tape = scheme.bind(&commitment, &claims).prover();
    if params.log_columns > 0 {
        tape.send("fragment values", &statement.sums);
    }
    let polynomials = fragments::<B, E>(&full, params.columns());
    let (second, message) =
        quotients(scheme, &mut tape, (&polynomials, &statement.used, &commitment), deviation);
    let oracles = fold(scheme, &mut tape, message, deviation);
    if deviation == Deviation::Nonce {
        tape.grind("query grinding", 0);
        tape.send_bytes("nonce", &[0; 8]);
    } else {
        tape.grind("query grinding", params.grinding);
    }
    let mut positions =
        tape.positions("positions", params.tree(0).code.log_domain(), params.queries as usize);
    open(&mut tape, &first, &positions, deviation == Deviation::Leaf(0));
    open(&mut tape, &second, &positions, deviation == Deviation::Leaf(1));
    let points: Vec<B> = scheme.points(&positions).into_iter().flat_map(|x| [x, -x]).collect();
    delegate(&mut tape, (&statement.rows, &statement.used), &points, deviation);
    for (i, oracle) in oracles.iter().enumerate() {
        positions = positions.iter().map(|p| p / 2).collect();
        positions.dedup();
        open(&mut tape, oracle, &positions, deviation == Deviation::Leaf(i + 2));
    }
    (commitment, claims, tape.finish())
}

/// Commits to the quotients of the fragments times the weights; returns their codeword and the combination of all words.
fn quotients<B: TwoAdic, E: ExtensionOf<B>>(
    scheme: &Scheme<B, E>,
    tape: &mut ProverTape,
    (polynomials, used, commitment): (&[Vec<E>], &TensorForm<E>, &Commitment<E>),
    deviation: Deviation,
) -> (CommittedCodeword<E>, Vec<E>) {
    let params = scheme.params();
    let table = used.expand();
    let weights = interpolate::<B, E>(&table);
    let (mut quotients, mut remainders) = (Vec::new(), Vec::new());
    for f in polynomials {
        let [quotient, remainder] = divide(f, &weights);
        quotients.push(quotient);
        remainders.push(remainder);
    }
    if deviation == Deviation::Degree {
        // X p + (X^R - 1) (h + c) keeps its sum if p has -c X^(R-1) more, and the stated sum makes up for c.
        let c = B::from_u64(table.len() as u64).inverse().unwrap();
        quotients[0][0] += E::lift(c);
        remainders[0].push(E::lift(-c));
    }
    let mut shown = quotients.clone();
    if deviation == Deviation::Quotient {
        shown[0][0] += E::ONE;
    }
    let word = word(scheme, 0, &shown);
    let codeword = CommittedCodeword::from_codeword(params.hash, word, params.tree(0).width);
    tape.send_bytes("quotients root", &codeword.root());
    let words = scheme.word_weights(tape, &commitment.root);
    let message = combine(&words, polynomials, &quotients, &remainders);
    (codeword, message)
}

/// The coefficients of the combination of all words, as far as the code goes.
fn combine<E: field::Field>(
    weights: &WordWeights<E>,
    fragments: &[Vec<E>],
    quotients: &[Vec<E>],
    remainders: &[Vec<E>],
) -> Vec<E> {
    let size = fragments[0].len();
    let mut sum = vec![E::ZERO; size];
    let mut add = |weight: E, word: &[E]| sum.iter_mut().zip(word).for_each(|(sum, &x)| *sum += weight * x);
    for (k, f) in fragments.iter().enumerate() {
        add(weights.fragments[k], f);
        add(weights.quotients[k], &quotients[k]);
        add(weights.remainders[k], &remainders[k][1..]);
        let shifted: Vec<E> = [&[E::ZERO], &remainders[k][1..]].concat();
        add(weights.shifted[k], &shifted);
    }
    if let Some((weight, outside)) = &weights.outside {
        let column = |i: usize| fragments.iter().zip(&outside.weights).map(|(f, &w)| w * f[i]).sum();
        let combined: Vec<E> = (0..size).map(column).collect();
        // (x^n - z^n)/(x - z), coefficient by coefficient.
        let quotient = |i: usize| dot(&combined[i + 1..], &powers(outside.point, size));
        add(*weight, &(0..size).map(quotient).collect::<Vec<_>>());
    }
    sum
}

/// All folds and the final message; returns the words after the first.
fn fold<B: TwoAdic, E: ExtensionOf<B>>(
    scheme: &Scheme<B, E>,
    tape: &mut ProverTape,
    mut message: Vec<E>,
    deviation: Deviation,
) -> Vec<CommittedCodeword<E>> {
    let params = scheme.params();
    let mut oracles: Vec<CommittedCodeword<E>> = Vec::new();
    for round in 0..params.rounds() {
        let r: E = tape.challenge("fold");
        message = message.chunks(2).map(|p| (E::ONE - r) * p[0] + r * p[1]).collect();
        if deviation == Deviation::SwitchAfter(round + 1) {
            message[0] += E::ONE;
        }
        if round + 1 < params.rounds() {
            let word = word(scheme, round + 1, core::slice::from_ref(&message));
            oracles.push(CommittedCodeword::from_codeword(params.hash, word, 2));
            tape.send_bytes("root", &oracles[round].root());
        }
    }
    tape.send("final message", &message);
    oracles
}

/// The layers of a form, from one entry up, by their definition.
fn layers<B: TwoAdic, E: ExtensionOf<B>>(form: &TensorForm<E>) -> Vec<Vec<E>> {
    let m = form.variables();
    let inverse = B::root_of_unity(m).inverse().unwrap();
    let entry = |j: usize, k: u64| {
        let factors = form.factors().iter().enumerate().skip(m - j);
        factors.fold(E::ONE, |acc, (v, &[a, b])| acc * (a + b.scale(inverse.pow(k << v))))
    };
    (0..=m).map(|j| (0..1 << j).map(|k| entry(j, k)).collect()).collect()
}

/// The values of the weights' polynomial at points, and their sumchecks; the prover has the layers of `used`, the verifier those of `stated`.
fn delegate<B: TwoAdic, E: ExtensionOf<B>>(
    tape: &mut ProverTape,
    (stated, used): (&TensorForm<E>, &TensorForm<E>),
    points: &[B],
    deviation: Deviation,
) {
    let m = used.variables();
    let layers = layers::<B, E>(used);
    let size = B::from_u64(1 << m);
    let mut values: Vec<E> =
        points.iter().map(|&x| evaluate(&layers[m], x).scale(size.inverse().unwrap())).collect();
    if deviation == Deviation::WeightAtPoint {
        values[0] += E::ONE;
    }
    tape.send("weights at points", &values);
    let gamma: E = tape.challenge("delegation batch");
    let scalars = powers(gamma, points.len());
    let power = |k: u64| points.iter().zip(&scalars).map(|(x, &s)| s.scale(x.pow(k))).sum();
    let weights: Vec<E> = (0..1 << m).map(power).collect();
    let claim = dot(&values, &scalars).scale(size);
    let (mut point, mut value) = sumcheck(tape, (&layers[m], &weights), claim, deviation);
    for j in (5.min(m)..m).rev() {
        // The extension of the layer above at the point, as a sum over this one: the verifier's weights.
        let [a, b] = stated.factors()[m - 1 - j];
        let root = B::root_of_unity(j + 1).inverse().unwrap();
        let (last, low) = point.split_last().unwrap();
        let eq = TensorForm::point(low).expand();
        let odd = E::ONE - *last - *last;
        let weights: Vec<E> =
            (0u64..).zip(&eq).map(|(k, &eq)| eq * (a + (b * odd).scale(root.pow(k)))).collect();
        (point, value) = sumcheck(tape, (&layers[j], &weights), value, deviation);
    }
}

/// A sumcheck over two tables, and the first one's value at the end, which is sent.
fn sumcheck<E: field::Field>(
    tape: &mut ProverTape,
    (f, w): (&[E], &[E]),
    mut claim: E,
    deviation: Deviation,
) -> (Vec<E>, E) {
    let (mut f, mut w, mut point) = (f.to_vec(), w.to_vec(), Vec::new());
    while f.len() > 1 {
        let pairs = || f.chunks(2).zip(w.chunks(2));
        let constant: E = pairs().map(|(f, w)| f[0] * w[0]).sum();
        let quadratic: E = pairs().map(|(f, w)| (f[1] - f[0]) * (w[1] - w[0])).sum();
        tape.send("sumcheck round", &[constant, quadratic]);
        tape.grind("fold grinding", 0);
        let r: E = tape.challenge("sumcheck challenge");
        let linear = claim - constant - constant - quadratic;
        claim = constant + r * (linear + r * quadratic);
        let bind = |t: &[E]| -> Vec<E> { t.chunks(2).map(|p| p[0] + r * (p[1] - p[0])).collect() };
        (f, w) = (bind(&f), bind(&w));
        point.push(r);
    }
    let fits = deviation == Deviation::OtherWeightsThatFit;
    let value = if fits { claim * w[0].inverse().unwrap() } else { f[0] };
    tape.send("layer", &[value]);
    (point, value)
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
