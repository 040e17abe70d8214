//! Prover of the recursion; step labels as in `verifier.rs`.

#[cfg(test)]
use crate::matrix::adversary::{Deviation, another, tail_told, told};
use crate::matrix::{Combined, Layout, Round};
use field::{ExtensionOf, FoldableCode, parallel};
use iop::oracle::CommittedCodeword;
use iop::poly::{TensorForm, dot_parallel, powers};
use iop::sumcheck;
use iop::transcript::{Challenger, ProverTape};
use std::borrow::Cow;

/// Proves the claim about the combination of the first stage's columns; its tail, the coefficients above the data rows,
/// is sent in clear. `first` is committed to the matrix `data`.
pub(crate) fn prove<B: FoldableCode, E: ExtensionOf<B>>(
    layout: &Layout,
    tape: &mut ProverTape,
    (first, data): (&CommittedCodeword<B>, &[B]),
    combined: Combined<B, E>,
) {
    let Combined { mut message, tail, reduced: (_, claim) } = combined;
    let stages = &layout.stages;
    // Only the weights of the claims matter here: the values they state are the verifier's business.
    let mut claims: Vec<Vec<E>> = vec![claim.weights_parallel(message.len())];
    let mut last: Option<(CommittedCodeword<B>, Vec<B>)> = None;
    #[cfg(test)]
    let tail = tail_told(&tail);
    tape.send("tail", &tail);
    for (pair, forgotten) in stages.windows(2).zip(layout.forgotten()) {
        let (before, stage) = (&pair[0], &pair[1]);
        // P1: commit to the message.
        #[cfg(test)]
        lie_about_message(&mut message, &claims);
        let flat = E::flatten(&message);
        let (oracle, flat) = commit::<B>(stage, forgotten, flat);
        #[cfg(test)]
        let sent = lie_about_root::<B, E>(stage, &message, oracle.root());
        #[cfg(not(test))]
        let sent = oracle.root();
        tape.send_bytes("root", &sent);
        if layout.out_of_domain {
            let z: Vec<E> = tape.challenges("out-of-domain point", before.shape.code.log_rows);
            let form = TensorForm::point(&z).expand_parallel();
            let value = dot_parallel(&form, &message);
            #[cfg(test)]
            let value = if told(Deviation::OutOfDomain) { value + E::ONE } else { value };
            tape.send("out-of-domain value", &[value]);
            claims.push(form);
        }
        // P2: open rows of the stage before.
        let points = open(tape, before, last.as_ref().map_or((first, data), |(o, d)| (o, d)));
        // P3: batch all claims.
        let gamma: E = tape.challenge("batch");
        let (mut form, value) = batch::<B, E>(claims, gamma, &points, &message);
        // P4: sumcheck over the columns; its challenges combine them.
        sumcheck::prove(tape, stage.rounds, &mut message, &mut form, value);
        claims = vec![form];
        last = Some((oracle, flat));
    }
    // P5: the last message in clear, then rows of the last stage.
    #[cfg(test)]
    if told(Deviation::FinalMessage) {
        another(&mut message, &claims[0]);
    }
    tape.send("final message", &message);
    open(tape, &stages[stages.len() - 1], last.as_ref().map_or((first, data), |(o, d)| (o, d)));
}

/// Commits to a message, and gives it back if rows will be made of it again.
fn commit<B: FoldableCode>(
    stage: &Round,
    forgotten: usize,
    message: Cow<'_, [B]>,
) -> (CommittedCodeword<B>, Vec<B>) {
    match message {
        // Memory that nobody needs any more.
        Cow::Owned(message) if forgotten == 0 => {
            (stage.shape.commit_in_place(message, Vec::new()), Vec::new())
        }
        message => {
            let oracle = stage.shape.commit_and_forget(forgotten, &message, Vec::new());
            (oracle, if forgotten > 0 { message.into_owned() } else { Vec::new() })
        }
    }
}

/// Grinds, draws positions, sends their rows, and returns their evaluation points. The message is that of the
/// oracle, if it forgot some of its codeword.
fn open<B: FoldableCode>(
    tape: &mut ProverTape,
    stage: &Round,
    (oracle, message): (&CommittedCodeword<B>, &[B]),
) -> Vec<B::Point> {
    let code = stage.shape.code;
    tape.grind("query grinding", stage.grinding);
    let positions = tape.positions("positions", code.log_domain(), stage.queries);
    oracle.open_rows_of(tape, &stage.shape, message, &positions);
    positions.iter().map(|&p| code.point::<B>(p)).collect()
}

/// The combined weights `sum_t γ^t form_t`, opened rows last, and the value they take on the message. The first claim's
/// memory is theirs, that of the others is given back.
fn batch<B: FoldableCode, E: ExtensionOf<B>>(
    claims: Vec<Vec<E>>,
    gamma: E,
    points: &[B::Point],
    message: &[E],
) -> (Vec<E>, E) {
    let scalars = powers(gamma, claims.len() + points.len());
    let (of_claims, of_points) = scalars.split_at(claims.len());
    // γ^0 = 1.
    let mut claims = claims.into_iter();
    let mut form = claims.next().expect("a claim about the message");
    // Several chunks a thread, so that one that starts late does not keep the others waiting.
    let chunk = message.len().div_ceil(4 * parallel::threads()).max(1 << 10);
    for (claim, &scalar) in claims.zip(&of_claims[1..]) {
        parallel::for_each(form.chunks_mut(chunk).zip(claim.chunks(chunk)), |(out, claim)| {
            out.iter_mut().zip(claim).for_each(|(o, &w)| *o += scalar * w);
        });
    }
    B::accumulate_rows_parallel(points, of_points, &mut form);
    let value = dot_parallel(&form, message);
    (form, value)
}

/// Changes an entry that no claim looks at.
#[cfg(test)]
fn lie_about_message<E: field::Field>(message: &mut [E], claims: &[Vec<E>]) {
    if told(Deviation::NextMessage) {
        let unseen = (0..message.len()).find(|&i| claims.iter().all(|c| c[i] == E::ZERO));
        if let Some(i) = unseen {
            message[i] += E::ONE;
        }
    }
}

#[cfg(test)]
fn lie_about_root<B: FoldableCode, E: ExtensionOf<B>>(
    stage: &Round,
    message: &[E],
    honest: iop::hash::Digest,
) -> iop::hash::Digest {
    let mut other = message.to_vec();
    other[0] += E::ONE;
    if told(Deviation::Root) {
        stage.shape.commit(&E::flatten(&other), Vec::<Vec<B>>::new()).root()
    } else {
        honest
    }
}
