//! A weighted sum by several ranks: each has the weights of its columns, and binds the variables within them. (notes: cluster-weighted)
//!
//! ```text
//!   every rank : Σ w f over its columns, and the messages of the rounds about their variables
//!   coordinator: adds these up, sends them, draws the challenges
//!   every rank : its columns, bound to the challenges: an element a row           to the coordinator
//!   coordinator: the rounds that are left, and the opening at the point
//! ```
//! One rank's messages are a sumcheck of its own, about its own part of the sum, and are checked as one.

use crate::error::{Deviation, Error};
use crate::matrix::DistributedMatrix;
use crate::member::{Coordinator, opened};
use crate::meter::Phase;
use crate::party::Party;
use crate::session::Blocks;
use crate::share::Share;
use crate::wire::{elements, padded};
use field::{ExtensionOf, Field, FoldFibres, FoldableCode};
use iop::poly::{TensorForm, dot, dot_parallel};
use iop::sumcheck;
use pcs::matrix::{Kept, Scheme, Steps, combine_columns};
use pcs::ring_switching::{Entries, unpack, unpacked};
use pcs::weighted::{self, Claim};

/// Elements of the answer to weights: a rank's part of the sum, and its message of the first round.
pub(crate) const FIRST: usize = 3;

/// Elements of a message of a later round.
pub(crate) const ROUND: usize = 2;

/// A rank's entries and weights on their way: one by one if they are packed, row by row.
pub(crate) struct Weighing<B, E> {
    /// As long as there is no challenge.
    base: Option<[Vec<B>; 2]>,
    /// Bound to the challenges so far.
    bound: [Vec<E>; 2],
}

impl<B: Field, E: ExtensionOf<B>> Weighing<B, E> {
    /// The rank's part of the sum, and its message of the first round.
    fn first(&self) -> Vec<B> {
        let Some([entries, weights]) = &self.base else { return Vec::new() };
        let (constant, quadratic) = sumcheck::product_round(entries, weights);
        vec![dot_parallel(entries, weights), constant, quadratic]
    }

    /// Binds the lowest variable.
    fn bind(&mut self, challenge: E) {
        match self.base.take() {
            Some(base) => self.bound = base.map(|table| sumcheck::lift_bound(&table, challenge)),
            None => self.bound.iter_mut().for_each(|table| sumcheck::bind(table, challenge)),
        }
    }

    /// The message of the next round; if the columns are bound, what is left of each row.
    fn next(&self, rows: usize) -> Vec<E> {
        let [entries, weights] = &self.bound;
        if entries.len() == rows {
            return entries.clone();
        }
        let (constant, quadratic) = sumcheck::product_round(entries, weights);
        vec![constant, quadratic]
    }
}

/// Entries that are packed in one element.
fn packed<B: Field>(entries: Entries) -> usize {
    entries.log_bits().map_or(1, |_| unpacked::<B>(B::BYTES, entries))
}

/// Takes this rank's weights, of which the coordinator has a block for each rank; the coordinator has the answers of all ranks.
pub(crate) fn weigh<B: FoldableCode, E: ExtensionOf<B>>(
    party: &mut Party<'_>,
    (share, entries): (&Share<B>, Entries),
    blocks: &[u8],
) -> Result<(Weighing<B, E>, Blocks), Error> {
    let count = (share.ownership.rows() * share.spec.width).saturating_mul(packed::<B>(entries));
    let mut block = vec![0; count * B::BYTES];
    party.scatter(Phase::Values, blocks, &mut block)?;
    let weights = elements(&block, count).ok_or(Error::Question("weights that are no elements"))?;
    drop(block);
    let (weighing, first) = party.compute(Phase::Values, || {
        let base = Some([unpack(share.message(), entries), weights]);
        let weighing = Weighing { base, bound: [Vec::new(), Vec::new()] };
        let first = weighing.first();
        (weighing, first)
    });
    let blocks = party.gather(Phase::Values, &padded(&first, FIRST))?;
    Ok((weighing, blocks))
}

/// Binds a variable of this rank's columns; its answer.
pub(crate) fn bind<B: FoldableCode, E: ExtensionOf<B>>(
    party: &mut Party<'_>,
    share: &Share<B>,
    weighing: &mut Option<Weighing<B, E>>,
    challenge: E,
) -> Result<Vec<E>, Error> {
    let rows = share.ownership.rows();
    let bound =
        weighing.as_mut().filter(|weighing| weighing.base.is_some() || weighing.bound[0].len() > rows);
    let bound = bound.ok_or(Error::Question("a challenge for a sum that is none"))?;
    Ok(party.compute(Phase::Values, || {
        bound.bind(challenge);
        bound.next(rows)
    }))
}

/// The coordinator's side of a weighted sum.
struct Asked<'c, 'a, F, B: Field, E> {
    scheme: &'a Scheme<F, B, E>,
    matrix: &'c DistributedMatrix<'a, B, E>,
    kept: &'c mut Kept<E>,
    /// Answers of earlier openings.
    before: usize,
    /// Entries that are packed in an element.
    packed: usize,
    weighing: Option<Weighing<B, E>>,
    /// By rank: its weights, row by row.
    weights: Vec<Vec<B>>,
    /// By rank: what its part of the sum has become.
    claims: Vec<E>,
    /// By rank: its message of the latest round.
    messages: Vec<[E; ROUND]>,
    /// Of the variables within the ranks' columns.
    challenges: Vec<E>,
    /// By rank: its columns, bound to these.
    left: Vec<Vec<E>>,
}

impl<F, B: FoldableCode, E: ExtensionOf<B>> Asked<'_, '_, F, B, E> {
    fn ranks(&self) -> usize {
        self.matrix.ownership.ranks()
    }

    /// The messages of a round, added up.
    fn message(&self) -> (E, E) {
        let add = |a: (E, E), b: &[E; ROUND]| (a.0 + b[0], a.1 + b[1]);
        self.messages.iter().fold((E::ZERO, E::ZERO), add)
    }

    /// Each rank's part of the sum after a round.
    fn move_on(&mut self, challenge: E) {
        for (claim, &[constant, quadratic]) in self.claims.iter_mut().zip(&self.messages) {
            *claim = sumcheck::evaluate(constant, quadratic, *claim, challenge);
        }
        self.challenges.push(challenge);
    }

    /// Each rank's weights of a column in the order of its entries.
    fn divide(&self, weights: &[B]) -> Vec<Vec<B>> {
        let row = self.matrix.ownership.spec().width * self.packed;
        let own = |rank| {
            let columns = self.matrix.ownership.columns(rank);
            let within = columns.start * self.packed..columns.end * self.packed;
            weights.chunks_exact(row).flat_map(move |row| row[within.clone()].iter().copied()).collect()
        };
        (0..self.ranks()).map(own).collect()
    }

    /// Checks a rank's part of the sum: what its rounds leave of it is the product of its columns and its weights, as the coordinator has these. Returns the weights,
    /// bound to the challenges.
    fn check(&self, rank: usize, left: &[E]) -> Result<Vec<E>, Error> {
        let weights = combine_columns(&self.weights[rank], &TensorForm::point(&self.challenges).expand());
        if dot(left, &weights) == self.claims[rank] {
            return Ok(weights);
        }
        Err(deviation(rank))
    }

    /// Looks for the rank whose columns in the sum are not those that it opened.
    fn blame(&self, point: &[E]) -> Error {
        let (local, rows) = point.split_at(self.challenges.len());
        let (local, rows) =
            (TensorForm::point(local).expand(), TensorForm::point(&rows[self.ranks().ilog2() as usize..]));
        let rows = rows.expand_parallel();
        let Some(values) = self.matrix.entry_values(self.before) else { return Error::Unexplained };
        let differ = |(values, left): (&Vec<E>, &Vec<E>)| dot(&local, values) != dot(&rows, left);
        values.iter().zip(&self.left).position(differ).map_or(Error::Unexplained, deviation)
    }
}

fn deviation(rank: usize) -> Error {
    Error::Deviation { rank, deviation: Deviation::Weighted }
}

impl<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>> weighted::Parts<B, E> for Asked<'_, '_, F, B, E> {
    type Error = Error;

    fn weigh(&mut self, weights: &[B]) -> Result<(B, (E, E)), Error> {
        self.weights = self.divide(weights);
        let blocks: Vec<u8> = self.weights.iter().flat_map(|own| padded(own, own.len())).collect();
        let (weighing, answers) = self.matrix.weigh(&blocks)?;
        self.weighing = Some(weighing);
        let mut sum = B::ZERO;
        for (rank, block) in answers.chunks_exact(FIRST * B::BYTES).enumerate() {
            let first = elements::<B>(block, FIRST);
            let Some(&[value, constant, quadratic]) = first.as_deref() else { return Err(encoding(rank)) };
            sum += value;
            self.claims.push(E::lift(value));
            self.messages.push([E::lift(constant), E::lift(quadratic)]);
        }
        Ok((sum, self.message()))
    }

    fn round(&mut self, challenge: E) -> Result<(E, E), Error> {
        self.move_on(challenge);
        let answers = self.matrix.bind(&mut self.weighing, challenge)?;
        for (rank, block) in answers.chunks_exact(ROUND * E::BYTES).enumerate() {
            let message = elements(block, ROUND).and_then(|message| message.try_into().ok());
            self.messages[rank] = message.ok_or(encoding(rank))?;
        }
        Ok(self.message())
    }

    fn rest(&mut self, challenge: E) -> Result<[Vec<E>; 2], Error> {
        self.move_on(challenge);
        let mut left = vec![Vec::new(); self.ranks()];
        let (mut weights, mut weighing) = (left.clone(), self.weighing.take());
        self.matrix.bind_last(&mut weighing, challenge, |rank, columns| {
            weights[rank] = self.check(rank, &columns)?;
            left[rank] = columns;
            Ok(())
        })?;
        self.left = left;
        let joined = |parts: &[Vec<E>]| {
            (0..parts[0].len()).flat_map(|row| parts.iter().map(move |part| part[row])).collect()
        };
        Ok([joined(&self.left), joined(&weights)])
    }

    fn open(&mut self, point: &[E], value: E, context: &[u8]) -> Result<Vec<u8>, Error> {
        let form = vec![TensorForm::point(point)];
        let (claims, proof) = opened(self.scheme, self.matrix, self.kept, (form, context))?;
        if claims.values[0][0] == value { Ok(proof) } else { Err(self.blame(point)) }
    }
}

fn encoding(rank: usize) -> Error {
    Error::Deviation { rank, deviation: Deviation::Encoding }
}

impl<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>> Coordinator<'_, F, B, E> {
    /// Proves the sum of the entries weighted by `weights`, of which those beyond the last are zero: claim and proof of [`weighted::Prover::open`], which have been verified. The
    /// coordinator has all weights, and gives each rank those of its columns.
    ///
    /// Cost: on each rank four products for each of its entries; at the coordinator one product for each weight, four for each rank and row, and an opening.
    ///
    /// # Errors
    /// As [`Coordinator::open`]; and if a rank has one column alone.
    ///
    /// # Panics
    /// If the sum is of other parameters than the job, or there are more weights than entries.
    pub fn open_weighted(
        &mut self,
        sum: &weighted::Scheme<Scheme<F, B, E>>,
        weights: Vec<B>,
        context: &[u8],
    ) -> Result<(Claim<B>, Vec<u8>), Error> {
        assert_eq!(sum.params(), self.scheme.params(), "a sum of the job's parameters");
        let Self { scheme, matrix, kept, answers } = self;
        let packed = packed::<B>(scheme.params().entries);
        let variables = (matrix.ownership.columns(0).len() * packed).ilog2() as usize;
        if variables == 0 {
            return Err(Error::Unsupported(
                "a weighted sum needs two columns for each rank: take fewer ranks".into(),
            ));
        }
        matrix.live()?;
        let commitment = kept.commitment().clone();
        let mut asked = Asked {
            scheme,
            matrix: &*matrix,
            kept,
            before: answers[0],
            packed,
            weighing: None,
            weights: Vec::new(),
            claims: Vec::new(),
            messages: Vec::new(),
            challenges: Vec::new(),
            left: Vec::new(),
        };
        let proved = matrix
            .measured(|| weighted::prove_parts(sum, &commitment, (&mut asked, variables), weights, context));
        matrix.forget_after(proved, *answers)
    }
}
