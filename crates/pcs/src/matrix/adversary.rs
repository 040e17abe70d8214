//! Malicious provers over a matrix: honest but for one deviation, and consistent with their own transcript afterwards. They drive the
//! steps of the honest prover, and change what it holds between two of them.

mod chains;

use super::combine::combine_columns;
use super::committed::{CommittedMatrix, HELD_HERE, HeldMatrix, PlainMatrix};
use super::prover::Opened;
use super::recursion::Recursion;
use super::values::Partial;
use super::{Combined, Commitment, Prover, Scheme, Steps, Witness, reduce};
use crate::claims::Claims;
use crate::ring_switching;
use field::{ExtensionOf, Field, FoldFibres};
use iop::hash::Digest;
use iop::poly::TensorForm;
use iop::transcript::ProverTape;

/// One deviation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deviation {
    /// The claimed value is off by one; everything else is honest.
    Value,
    /// The claimed value is off by one and one partial evaluation makes up for it.
    PartialEvaluation,
    /// The value of this form on this polynomial is off by one, and a partial evaluation of it makes up for that.
    ValueOf(usize, usize),
    /// The first value is too high by one and the last too low, so that their sum is right.
    Cancelling,
    /// A recursion level commits to another message that satisfies the same claims.
    NextMessage,
    /// A recursion level sends the root of another matrix than the one it opens.
    Root,
    /// The root of the commitment is that of another matrix than the one that is opened.
    Commitment,
    /// A chain sends the root of another word than the one it opens, by its number; of two chains the proximity chain does.
    WordRoot(usize),
    /// The value chain sends the root of another word than the one it opens, by its number.
    ValueRoot(usize),
    /// An out-of-domain value of a recursion level is off by one.
    OutOfDomain,
    /// The out-of-domain value of the commitment is off by one.
    OutOfDomainOfCommitment,
    /// The final message is another one that satisfies the running claim.
    FinalMessage,
    /// A chain goes on with another message that satisfies the claim, after this fold.
    AfterFold(usize),
    /// The value is off by one, and the value chain belongs to another polynomial from its first word on.
    ForeignValueChain,
    /// A word of the value chain, by its number, is that of another message which leads to the claimed value.
    ValueWord(usize),
    /// A word of the proximity chain, by its number, is off by a constant word.
    ProximityWord(usize),
    /// The constant that the proximity chain ends in is off by one.
    Constant,
    /// One coefficient of the tail is off by one.
    Tail,
    /// The masked value is off by one.
    MaskedValue,
    /// The mask index names a mask that does not exist.
    Mask,
    /// Every fragment of the codeword has one word added that is no codeword, and the first mask the same taken away.
    Garbage,
    /// The value of the last claim about packed entries is off by one.
    PackedValue,
    /// The value of a claim about packed entries is off by one, and a part of it makes up for that.
    Part,
    /// [`Deviation::Part`] about every claim: errors that add up to nothing in characteristic two.
    PartOfAll,
    /// [`Deviation::Part`] by the sum of two basis elements: errors of two coordinates that add up to nothing.
    PartOfTwoCoordinates,
    /// The value at the point that packed claims are reduced to is off by one.
    ValueAtThePoint,
    /// The first fragment of the codeword has a word added that is no codeword, and the last the same taken away.
    Opposite,
    /// The fibres of a chain are opened two beside those that were drawn, in another leaf even where two share one.
    Positions,
}
use Deviation as D;

/// Commits to polynomials and opens forms as a prover with one deviation does.
pub(crate) fn opened<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    deviation: Deviation,
    scheme: &Scheme<F, B, E>,
    polynomials: &[&[B]],
    forms: Vec<TensorForm<E>>,
) -> (Commitment<E>, Claims<E>, Vec<u8>) {
    let mut prover = Prover::new(scheme);
    let mut witness = prover.commit_batch(polynomials);
    if matches!(deviation, D::Garbage | D::Opposite) {
        witness = garbage(deviation, scheme, witness);
    }
    if deviation == D::Commitment {
        witness.kept.commitment.root = another_root(scheme, polynomials);
    }
    if deviation == D::OutOfDomainOfCommitment {
        witness.kept.commitment.out_of_domain[0] += E::ONE;
    }
    let (claims, proof) = match scheme.params().coordinates() {
        None => open(deviation, scheme, &mut witness, forms),
        Some(_) => open_packed(deviation, scheme, &mut witness, forms),
    };
    (witness.commitment().clone(), claims, proof)
}

/// The root of other polynomials.
fn another_root<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    scheme: &Scheme<F, B, E>,
    polynomials: &[&[B]],
) -> Digest {
    let mut others: Vec<Vec<B>> = polynomials.iter().map(|entries| entries.to_vec()).collect();
    others.iter_mut().flatten().for_each(|entry| *entry += B::ONE);
    let others: Vec<&[B]> = others.iter().map(Vec::as_slice).collect();
    Prover::new(scheme).commit_batch(&others).commitment().root
}

/// The witness of the same message with a codeword that is none.
fn garbage<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    deviation: Deviation,
    scheme: &Scheme<F, B, E>,
    mut honest: Witness<B, E>,
) -> Witness<B, E> {
    let layout = scheme.layout();
    let (columns, width) = (layout.columns(), layout.first.shape.width);
    let (message, secret) = (honest.entries().into_owned(), honest.kept.secret.take());
    let mut codeword = layout.first.shape.commit(&message, Vec::new()).into_blocks().concat();
    for (i, row) in codeword.chunks_exact_mut(width).enumerate() {
        let garbage = B::from_u64(i as u64 + 1).pow(1 << 20);
        if deviation == D::Garbage {
            row[..columns].iter_mut().for_each(|x| *x += garbage);
            row[columns..columns + layout.entry_columns].iter_mut().for_each(|x| *x -= garbage);
        } else {
            row[0] += garbage;
            row[columns - layout.entry_columns] -= garbage;
        }
    }
    let oracle = layout.first.shape.commit_codeword(codeword);
    Prover::new(scheme).witness(message, oracle, secret)
}

fn open<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    deviation: Deviation,
    scheme: &Scheme<F, B, E>,
    Witness { held, kept }: &mut Witness<B, E>,
    forms: Vec<TensorForm<E>>,
) -> (Claims<E>, Vec<u8>) {
    let matrix = held.committed();
    let (prover, layout) = (Prover::new(scheme), scheme.layout());
    let partial = |form| prover.partial(matrix, form).expect(HELD_HERE);
    let mut partials: Vec<Partial<E>> = forms.iter().map(partial).collect();
    let mut values: Vec<Vec<E>> = partials.iter().map(Partial::evaluate).collect();
    change_values(deviation, &mut values, &mut partials);
    let claims = Claims { forms, values, context: b"label".to_vec() };
    let mut tape = layout.bind(&kept.commitment, &claims).prover();
    let partials = partials.into_iter().map(|p| p.values).collect();
    let mut opened = prover.opened(matrix, kept, &claims, partials);
    if deviation == D::Mask {
        opened.mask = Some(layout.hidden_openings as usize);
    }
    prove(deviation, scheme, &mut tape, &opened);
    (claims, tape.finish())
}

fn change_values<E: Field>(deviation: Deviation, values: &mut [Vec<E>], partials: &mut [Partial<E>]) {
    let seen =
        |columns: &[E]| columns.iter().position(|&c| c != E::ZERO).expect("a form that looks at some column");
    match deviation {
        D::Value | D::ForeignValueChain => values[0][0] += E::ONE,
        D::PartialEvaluation => {
            values[0][0] += E::ONE;
            let Partial { columns, values } = &mut partials[0];
            let k = seen(columns);
            values[k] += columns[k].inverse().expect("not zero");
        }
        D::ValueOf(form, polynomial) => {
            values[form][polynomial] += E::ONE;
            let Partial { columns, values } = &mut partials[form];
            let k = seen(columns);
            values[polynomial * columns.len() + k] += columns[k].inverse().expect("not zero");
        }
        D::Cancelling => {
            values[0][0] += E::ONE;
            *values.last_mut().and_then(|v| v.last_mut()).expect("a value") -= E::ONE;
        }
        _ => {}
    }
}

fn open_packed<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    deviation: Deviation,
    scheme: &Scheme<F, B, E>,
    Witness { held, kept }: &mut Witness<B, E>,
    forms: Vec<TensorForm<E>>,
) -> (Claims<E>, Vec<u8>) {
    let HeldMatrix { matrix, entries, .. } = held.with_entries();
    let (prover, coordinates) = (Prover::new(scheme), scheme.params().coordinates().expect("packed entries"));
    let mut switched = F::switched(coordinates, entries, &forms);
    let mut values: Vec<Vec<E>> = switched.iter().map(|s| vec![s.value]).collect();
    let two = deviation == D::PartOfTwoCoordinates;
    let off = if two { E::ONE + coordinates.basis::<B, E>(1) } else { E::ONE };
    let part = matches!(deviation, D::Part | D::PartOfAll | D::PartOfTwoCoordinates);
    let first = if deviation == D::PartOfAll { 0 } else { forms.len() - 1 };
    for ((form, value), switched) in forms.iter().zip(&mut values).zip(&mut switched).skip(first) {
        if part || deviation == D::PackedValue {
            value[0] += off;
        }
        if part {
            // The form looks at one entry, with weight one.
            let low = form.split(switched.parts.len().trailing_zeros() as usize).0.expand();
            let k = low.iter().position(|&weight| weight == E::ONE).expect("the entry's part");
            switched.parts[k] += off;
        }
    }
    let claims = Claims { forms, values, context: b"label".to_vec() };
    let mut tape = scheme.layout().bind(&kept.commitment, &claims).prover();
    let combine = |weights: &[E]| Ok(combine_columns(entries, weights));
    let reduced = ring_switching::reduce::<B, E>(coordinates, &mut tape, &combine, &switched);
    let (r, value) = reduced.expect(HELD_HERE);
    let off = if deviation == D::ValueAtThePoint { E::ONE } else { E::ZERO };
    let point = ring_switching::send_point(&mut tape, &r, value + off);
    let partials = vec![prover.partial(matrix, &point.forms[0]).expect(HELD_HERE).values];
    prove(deviation, scheme, &mut tape, &prover.opened(matrix, kept, &point, partials));
    (claims, tape.finish())
}

fn prove<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    deviation: Deviation,
    scheme: &Scheme<F, B, E>,
    tape: &mut ProverTape,
    opened: &Opened<'_, E>,
) {
    match &scheme.chain {
        Some(chain) => chains::prove::<B, E>(deviation, chain, tape, opened),
        None => recursion::<B, E>(deviation, tape, opened),
    }
}

/// The combined fragment of claims that are reduced to one.
fn combined<B: FoldFibres, E: ExtensionOf<B>>(
    deviation: Deviation,
    tape: &mut ProverTape,
    opened: &Opened<'_, E>,
) -> Combined<B, E> {
    let combined = if deviation == D::MaskedValue {
        let (rounds, mask) = (opened.layout.first.rounds, opened.mask.expect("a hiding opening"));
        tape.send_bytes("mask", &[mask as u8]);
        let value_of = |weights: &[E]| Ok(opened.value_of(weights)? + E::ONE);
        let reduced = reduce::prove_hiding::<B, E>(rounds, tape, &opened.split, mask, value_of);
        reduced.and_then(|reduced| opened.combine(reduced))
    } else {
        opened.reduce(tape).and_then(|reduced| opened.combine(reduced))
    };
    let mut combined = combined.expect(HELD_HERE);
    if deviation == D::Tail {
        combined.tail[0] += E::ONE;
    }
    combined
}

fn recursion<B: FoldFibres, E: ExtensionOf<B>>(
    deviation: Deviation,
    tape: &mut ProverTape,
    opened: &Opened<'_, E>,
) {
    let combined = combined::<B, E>(deviation, tape, opened);
    let mut recursion = Recursion::start(opened.layout, tape, &opened.matrices, combined);
    for _ in 1..opened.layout.stages.len() {
        let Recursion { message, claims, .. } = &mut recursion;
        // An entry that no claim looks at.
        let unseen = || (0..message.len()).find(|&i| claims.iter().all(|c| c[i] == E::ZERO));
        if let (D::NextMessage, Some(i)) = (deviation, unseen()) {
            message[i] += E::ONE;
        }
        let matrix = recursion.commit();
        let mut root = root::<B, E>(&matrix);
        if deviation == D::Root {
            recursion.message[0] += E::ONE;
            root = self::root::<B, E>(&recursion.commit());
            recursion.message[0] -= E::ONE;
        }
        if deviation == D::OutOfDomain {
            tape.send_bytes("root", &root);
            let value = recursion.sample(tape);
            tape.send("out-of-domain value", &[value + E::ONE]);
        } else {
            recursion.send(tape, &root);
        }
        recursion.fold(tape, matrix).expect(HELD_HERE);
    }
    if deviation == D::FinalMessage {
        another(&mut recursion.message, &recursion.claims[0]);
    }
    recursion.finish(tape).expect(HELD_HERE);
}

fn root<B: FoldFibres, E: ExtensionOf<B>>(matrix: &PlainMatrix<B>) -> Digest {
    CommittedMatrix::<E>::root(matrix)
}

/// Turns a message into another one with the same value under a form.
fn another<E: Field>(message: &mut [E], form: &[E]) {
    message[0] += form[1];
    message[1] -= form[0];
}
