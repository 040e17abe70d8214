//! Prover of the recursion; step labels as in `verifier.rs`.

use crate::matrix::committed::{CommittedMatrix, PlainMatrix, SideBySide, Unavailable};
use crate::matrix::{Combined, Layout, Round};
use field::{ExtensionOf, FoldableCode, parallel};
use iop::hash::Digest;
use iop::poly::{TensorForm, dot_parallel, powers};
use iop::sumcheck;
use iop::transcript::{Challenger, ProverTape};
use std::borrow::Cow;

/// A recursion on its way: the message of the next level, and what is claimed of it.
pub(crate) struct Recursion<'a, B, E> {
    layout: &'a Layout,
    /// Blocks that each level below the first matrix drops.
    forgotten: Vec<usize>,
    /// The levels that are folded.
    folded: usize,
    /// The matrices whose columns' combination the message is.
    first: &'a SideBySide<'a, E>,
    last: Option<PlainMatrix<B>>,
    pub message: Vec<E>,
    /// Only the weights of the claims matter here: the values they state are the verifier's business.
    pub claims: Vec<Vec<E>>,
}

/// Proves the claim about the combination of the first matrix's columns; its tail, the coefficients above the data rows,
/// is sent in full.
pub(crate) fn prove<B: FoldableCode, E: ExtensionOf<B>>(
    layout: &Layout,
    tape: &mut ProverTape,
    first: &SideBySide<'_, E>,
    combined: Combined<B, E>,
) -> Result<(), Unavailable> {
    let mut recursion = Recursion::start(layout, tape, first, combined);
    for _ in 1..layout.stages.len() {
        let matrix = recursion.commit();
        recursion.send(tape, &CommittedMatrix::<E>::root(&matrix));
        recursion.fold(tape, matrix)?;
    }
    recursion.finish(tape)
}

impl<'a, B: FoldableCode, E: ExtensionOf<B>> Recursion<'a, B, E> {
    /// Sends the tail.
    pub fn start(
        layout: &'a Layout,
        tape: &mut ProverTape,
        first: &'a SideBySide<'a, E>,
        combined: Combined<B, E>,
    ) -> Self {
        let Combined { message, tail, reduced: (_, claim) } = combined;
        let claims = vec![claim.weights(message.len())];
        tape.send("tail", &tail);
        Self { layout, forgotten: layout.forgotten(), folded: 0, first, last: None, message, claims }
    }

    /// The matrix whose rows the next challenges open, and that of the next level.
    fn stages(&self) -> (&'a Round, Option<&'a Round>) {
        (&self.layout.stages[self.folded], self.layout.stages.get(self.folded + 1))
    }

    fn next(&self) -> &'a Round {
        self.stages().1.expect("a level below the last matrix")
    }

    /// P1: commits to the message.
    pub fn commit(&self) -> PlainMatrix<B> {
        let (forgotten, shape) = (self.forgotten[self.folded], self.next().shape);
        let (message, oracle) = match E::flatten(&self.message) {
            // Memory that nobody needs any more.
            Cow::Owned(message) if forgotten == 0 => (Vec::new(), shape.commit_in_place(message, Vec::new())),
            message => {
                let oracle = shape.commit_and_forget(forgotten, &message, &mut Vec::new());
                (if forgotten > 0 { message.into_owned() } else { Vec::new() }, oracle)
            }
        };
        PlainMatrix::new(message, oracle, shape)
    }

    /// P1: sends the commitment, with the message's value at a random point outside unique decoding.
    pub fn send(&mut self, tape: &mut ProverTape, root: &Digest) {
        tape.send_bytes("root", root);
        if self.layout.out_of_domain {
            let value = self.sample(tape);
            tape.send("out-of-domain value", &[value]);
        }
    }

    /// The message's value at a random point, which is one more claim.
    pub fn sample(&mut self, tape: &mut ProverTape) -> E {
        let z: Vec<E> = tape.challenges("out-of-domain point", self.stages().0.shape.code.log_rows);
        let form = TensorForm::point(&z).expand_parallel();
        let value = dot_parallel(&form, &self.message);
        self.claims.push(form);
        value
    }

    /// Opens rows of the matrix before, and folds the message by the columns of the matrix that was committed to.
    pub fn fold(&mut self, tape: &mut ProverTape, matrix: PlainMatrix<B>) -> Result<(), Unavailable> {
        // P2: open rows of the stage before.
        let points = self.open(tape)?;
        // P3: batch all claims.
        let gamma: E = tape.challenge("batch");
        let claims = core::mem::take(&mut self.claims);
        let (mut form, value) = batch::<B, E>(claims, gamma, &points, &self.message);
        // P4: sumcheck over the columns; its challenges combine them.
        sumcheck::prove(tape, self.next().rounds, &mut self.message, &mut form, value);
        self.claims = vec![form];
        self.last = Some(matrix);
        self.folded += 1;
        Ok(())
    }

    /// P5: the last message in full, then rows of the last stage.
    pub fn finish(self, tape: &mut ProverTape) -> Result<(), Unavailable> {
        tape.send("final message", &self.message);
        self.open(tape).map(drop)
    }

    /// Grinds, draws positions, sends their rows, and returns their evaluation points.
    fn open(&self, tape: &mut ProverTape) -> Result<Vec<B::Point>, Unavailable> {
        let stage = self.stages().0;
        let code = stage.shape.code;
        tape.grind("query grinding", stage.grinding);
        let positions = tape.positions("positions", code.log_domain(), stage.queries);
        match &self.last {
            None => self.first.open_rows(tape, &positions)?,
            Some(matrix) => CommittedMatrix::<E>::open_rows(matrix, tape, &positions)?,
        }
        Ok(positions.iter().map(|&p| code.point::<B>(p)).collect())
    }
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
