//! A weighted sum by several ranks: each has the weights of its columns, and binds the variables within them. (notes: cluster-weighted)
//!
//! ```text
//!   every rank : Σ w f over its columns, and the messages of the rounds about their variables
//!   coordinator: adds these up, sends them, draws the challenges
//!   every rank : its columns, bound to the challenges: an element a row           to the coordinator
//!   coordinator: the rounds that are left, and the opening at the point
//! ```
//! One rank's messages are a sumcheck of its own, about its own part of the sum, and are checked as one. Each of them is signed with a digest of the rank's weights and of the challenges before it,
//! so that messages of two sums are never taken for one.

use crate::check::{SumMessages, bind_weights, own_weights, sum_fits, values_fit};
use crate::error::{Deviation, Error};
use crate::identity::{DIGEST, digest};
use crate::matrix::DistributedMatrix;
use crate::member::{Coordinator, opened};
use crate::meter::Phase;
use crate::party::{COORDINATOR, Party};
use crate::session::{Blocks, Charge, SumAnswers};
use crate::share::Share;
use crate::wire::{elements, padded};
use field::{ExtensionOf, Field, FoldFibres, FoldableCode};
use iop::poly::{TensorForm, dot_parallel};
use iop::sumcheck;
use pcs::matrix::{Kept, Scheme, Steps};
use pcs::ring_switching::{Entries, unpack, unpacked};
use pcs::weighted::{self, Claim};

/// Elements of the answer to weights: a rank's part of the sum, and its message of the first round.
pub(crate) const FIRST: usize = 3;

/// Elements of a message of a later round.
pub(crate) const ROUND: usize = 2;

/// The digest that stands for a rank's weights in what it signs: of their bytes up to the last that is not zero, so that who has fewer weights than there are entries needs no more bytes.
pub(crate) fn weights_digest(weights: &[u8]) -> [u8; DIGEST] {
    let end = weights.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    digest("tenfold cluster weights v1", &[&weights[..end]])
}

/// The digest of a sum so far, with one more challenge.
pub(crate) fn bound_digest<E: Field>(sum: &[u8; DIGEST], challenge: E) -> [u8; DIGEST] {
    digest("tenfold cluster sum v1", &[sum, &padded(&[challenge], 1)])
}

/// A rank's entries and weights on their way: one by one if they are packed, row by row.
pub(crate) struct Weighing<B, E> {
    /// The digest of the weights and the challenges so far: of all ranks at the coordinator, else of this one.
    sums: Vec<[u8; DIGEST]>,
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
        self.sums.iter_mut().for_each(|sum| *sum = bound_digest(sum, challenge));
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
pub(crate) fn packed<B: Field>(entries: Entries) -> usize {
    entries.log_bits().map_or(1, |_| unpacked::<B>(B::BYTES, entries))
}

/// The number of variables within the columns of a rank of a weighted sum; none if there are none, or as many entries in a row are no power of two.
pub(crate) fn variables<B: Field>(columns: usize, entries: Entries) -> Option<usize> {
    let entries = columns.checked_mul(packed::<B>(entries))?;
    (entries > 1 && entries.is_power_of_two()).then(|| entries.ilog2() as usize)
}

/// Takes this rank's weights, of which the coordinator has a block for each rank; the coordinator has the answers of all ranks.
pub(crate) fn weigh<B: FoldableCode, E: ExtensionOf<B>>(
    party: &mut Party<'_>,
    (share, entries): (&Share<B>, Entries),
    blocks: &[u8],
) -> Result<(Weighing<B, E>, Blocks), Error> {
    if variables::<B>(share.spec.width, entries).is_none() {
        return Err(Error::Question("a weighted sum of columns that have none"));
    }
    let count = (share.ownership.rows() * share.spec.width).saturating_mul(packed::<B>(entries));
    let mut block = vec![0; count * B::BYTES];
    let sums = party.scatter_digested(Phase::Values, (blocks, &mut block), weights_digest)?;
    let weights = elements(&block, count).ok_or(Error::Question("weights that are no elements"))?;
    drop(block);
    let (weighing, first) = party.compute(Phase::Values, || {
        let base = Some([unpack(share.message(), entries), weights]);
        let weighing = Weighing { sums, base, bound: [Vec::new(), Vec::new()] };
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
    party.session.scatter(bound.sums.as_flattened());
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
    /// Answers before the sum, and their records.
    before: [usize; 2],
    /// Entries that are packed in an element.
    packed: usize,
    weighing: Option<Weighing<B, E>>,
    /// By rank: its weights, row by row.
    weights: Vec<Vec<B>>,
    /// By rank: its part of the sum, and its message of the first round.
    firsts: Vec<[B; FIRST]>,
    /// By rank: its messages of all rounds so far.
    messages: Vec<Vec<[E; ROUND]>>,
    /// Of the variables within the ranks' columns.
    challenges: Vec<E>,
    /// By rank: its columns, bound to these.
    left: Vec<Vec<E>>,
}

impl<F, B: FoldableCode, E: ExtensionOf<B>> Asked<'_, '_, F, B, E> {
    fn ranks(&self) -> usize {
        self.matrix.ownership.ranks()
    }

    /// The messages of the latest round, added up.
    fn message(&self) -> (E, E) {
        let add = |a: (E, E), b: &[E; ROUND]| (a.0 + b[0], a.1 + b[1]);
        self.messages.iter().filter_map(|rounds| rounds.last()).fold((E::ZERO, E::ZERO), add)
    }

    /// Checks a rank's part of the sum against its columns and its weights, as the coordinator has these. Returns the weights, bound to the challenges.
    fn check(&self, rank: usize, left: &[E]) -> Result<Vec<E>, Error> {
        let (value, challenges) = (E::lift(self.firsts[rank][0]), &self.challenges[..]);
        let weights = bind_weights(&self.weights[rank], challenges);
        let messages = SumMessages { value, rounds: &self.messages[rank], challenges, left };
        if sum_fits(messages, &weights) { Ok(weights) } else { Err(deviation(rank)) }
    }

    /// Looks for the rank whose columns in the sum are not those that it opened.
    fn blame(&self, point: &[E]) -> Error {
        let (local, rows) = point.split_at(self.challenges.len());
        let (local, rows) =
            (TensorForm::point(local).expand(), TensorForm::point(&rows[self.ranks().ilog2() as usize..]));
        let rows = rows.expand_parallel();
        let Some(opened) = self.matrix.entry_values(self.before[0]) else { return Error::Unexplained };
        for (rank, (opened, left)) in opened.into_iter().zip(&self.left).enumerate() {
            if !values_fit(&local, left, &rows, &opened.values) {
                self.charge(rank, vec![opened.answer]);
                return deviation(rank);
            }
        }
        Error::Unexplained
    }

    /// Keeps a report of a rank's messages in the sum, and of other answers that they contradict.
    fn charge(&self, rank: usize, answers: Vec<(Phase, Vec<u8>)>) {
        let later = self.messages[rank].iter().skip(1).map(|message| padded(message, ROUND));
        let mut blocks = vec![padded(&self.firsts[rank], FIRST)];
        blocks.extend(later);
        blocks.push(padded(&self.left[rank], self.left[rank].len()));
        let sum = SumAnswers { record: self.before[1], blocks };
        self.matrix.report(Charge { sum, ..Charge::new(rank, Deviation::Weighted, answers) });
    }
}

fn deviation(rank: usize) -> Error {
    Error::Deviation { rank, deviation: Deviation::Weighted }
}

impl<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>> weighted::Parts<B, E> for Asked<'_, '_, F, B, E> {
    type Error = Error;

    fn weigh(&mut self, weights: &[B]) -> Result<(B, (E, E)), Error> {
        let (ownership, packed) = (self.matrix.ownership, self.packed);
        self.weights =
            (0..self.ranks()).map(|rank| own_weights(&ownership, (rank, packed), weights)).collect();
        let blocks: Vec<u8> = self.weights.iter().flat_map(|own| padded(own, own.len())).collect();
        let (weighing, answers) = self.matrix.weigh(&blocks)?;
        self.weighing = Some(weighing);
        let mut sum = B::ZERO;
        for (rank, block) in answers.chunks_exact(FIRST * B::BYTES).enumerate() {
            let first = elements::<B>(block, FIRST);
            let Some(&[value, constant, quadratic]) = first.as_deref() else { return Err(encoding(rank)) };
            sum += value;
            self.firsts.push([value, constant, quadratic]);
            self.messages.push(vec![[constant, quadratic].map(E::lift)]);
        }
        Ok((sum, self.message()))
    }

    fn round(&mut self, challenge: E) -> Result<(E, E), Error> {
        self.challenges.push(challenge);
        let answers = self.matrix.bind(&mut self.weighing, challenge)?;
        for (rank, block) in answers.chunks_exact(ROUND * E::BYTES).enumerate() {
            let message = elements(block, ROUND).and_then(|message| message.try_into().ok());
            self.messages[rank].push(message.ok_or(encoding(rank))?);
        }
        Ok(self.message())
    }

    fn rest(&mut self, challenge: E) -> Result<[Vec<E>; 2], Error> {
        self.challenges.push(challenge);
        let mut left = vec![Vec::new(); self.ranks()];
        let (mut weights, mut weighing) = (left.clone(), self.weighing.take());
        let bound = self.matrix.bind_last(&mut weighing, challenge, |rank, columns| {
            left[rank] = columns;
            weights[rank] = self.check(rank, &left[rank])?;
            Ok(())
        });
        self.left = left;
        if let Err(Error::Deviation { rank, deviation: Deviation::Weighted }) = bound {
            self.charge(rank, Vec::new());
        }
        bound?;
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
    /// As [`Coordinator::open`]; and if a rank has one column alone, or there are several polynomials.
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
        if scheme.params().polynomials != 1 {
            return Err(Error::Unsupported(
                "weighted sums of several columns are proven by one machine".into(),
            ));
        }
        let packed = packed::<B>(scheme.params().entries);
        let columns = matrix.ownership.columns(COORDINATOR).len();
        let variables = variables::<B>(columns, scheme.params().entries).ok_or_else(|| {
            Error::Unsupported("a weighted sum needs two columns for each rank: take fewer ranks".into())
        })?;
        matrix.live()?;
        let commitment = kept.commitment().clone();
        let mut asked = Asked {
            scheme,
            matrix: &*matrix,
            kept,
            before: *answers,
            packed,
            weighing: None,
            weights: Vec::new(),
            firsts: Vec::new(),
            messages: Vec::new(),
            challenges: Vec::new(),
            left: Vec::new(),
        };
        let proved = matrix
            .measured(|| weighted::prove_parts(sum, &commitment, (&mut asked, variables), weights, context));
        matrix.forget_after(proved, *answers)
    }
}
