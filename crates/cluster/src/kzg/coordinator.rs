//! The rank that has the transcript, asks the others, and names one that deviates. (notes: cluster-kzg)

use core::cell::RefCell;
use core::ops::Range;

use curve::bls12_381::{Fr, G1, G1Projective, decode_g1, encode_g1};
use curve::{CurveGroup, Zero, msm};
use iop::poly::TensorForm;
use pcs::claims::Claims;
use pcs::field::Field;
use pcs::kzg::multilinear::{Commitment, HeldFragments, Prover, Scalar, Scheme, divide_lowest, open_held};
use pcs::matrix::Unavailable;
use pcs::scheme::MultilinearPcs;

use super::share::{Share, part_of_quotients};
use super::wire::Question;
use super::{Member, own};
use crate::error::{Deviation, Error, Reason};
use crate::meter::{Meter, Meters, Phase};
use crate::party::Party;
use crate::session::Charge;
use crate::wire::{elements, padded};

/// The coordinator of a commitment that all ranks hold: it opens with the bytes of one machine.
pub struct Coordinator<'a> {
    scheme: &'a Scheme,
    prover: Prover<'a>,
    commitment: Commitment,
    state: RefCell<State<'a>>,
}

struct State<'a> {
    party: Party<'a>,
    share: Share,
    answers: Vec<Answer>,
    /// False once the other ranks have been told to stop, or have finished.
    live: bool,
}

/// The ranks' answers to one question, by rank, with the question.
enum Answer {
    Combination { polynomial: usize, weights: Vec<Scalar>, sums: Vec<Vec<Scalar>> },
    Quotients { table: Vec<Scalar>, point: Vec<Scalar>, parts: Vec<Vec<u8>> },
}

impl State<'_> {
    /// Ends the job by an error, with a report if an answer alone shows it.
    fn end(&mut self, error: &Error) {
        self.party.session.report_error(error);
        self.stop(error.rank(), error.reason());
    }

    /// Tells all ranks that the job has ended. Whom the coordinator cannot reach is of no interest: it has its own error.
    fn stop(&mut self, culprit: Option<usize>, reason: Reason) {
        if core::mem::take(&mut self.live) {
            let _ = Question::Stop { culprit, reason }.ask(&mut self.party);
        }
    }
}

impl Drop for State<'_> {
    fn drop(&mut self) {
        self.stop(None, Reason::Dropped);
    }
}

fn deviation(rank: usize, deviation: Deviation) -> Error {
    Error::Deviation { rank, deviation }
}

/// `sum w_c C_c` over a rank's fragments of a polynomial: of all that the rank has these are the numbers and the commitments.
pub(super) fn combined_commitment(
    own: Range<usize>,
    points: &[G1],
    (polynomial, weights): (usize, &[Scalar]),
) -> G1 {
    let of_polynomial = own.zip(points).filter(|(i, _)| i / weights.len() == polynomial);
    let (points, scalars): (Vec<G1>, Vec<Fr>) =
        of_polynomial.map(|(i, point)| (*point, weights[i % weights.len()].0)).unzip();
    msm::sum(&points, &scalars).into_affine()
}

impl<'a> Coordinator<'a> {
    /// Commits to the fragments of all ranks.
    pub(super) fn commit(member: Member<'a>, share: Share) -> Result<Self, Error> {
        let Member { scheme, prover, party } = member;
        let mut state = State { party, share, answers: Vec::new(), live: true };
        let commitment = commitments(scheme, &prover, &mut state).inspect_err(|error| state.end(error))?;
        Ok(Self { scheme, prover, commitment, state: RefCell::new(state) })
    }

    /// The commitment. Until an opening has succeeded nothing says that a rank knows what it committed to.
    pub fn commitment(&self) -> &Commitment {
        &self.commitment
    }

    /// Opens: the values of the forms on every polynomial, and the proof, which has been verified.
    ///
    /// # Errors
    /// If a rank does not answer. If the proof does not hold: with the rank whose answers contradict its commitments or what it was given. Any error
    /// ends the job: the other ranks are told, and later calls return [`Error::Ended`].
    ///
    /// # Panics
    /// As [`Prover::open`].
    pub fn open(
        &mut self,
        forms: Vec<TensorForm<Scalar>>,
        context: &[u8],
    ) -> Result<(Claims<Scalar>, Vec<u8>), Error> {
        if !self.state.borrow().live {
            return Err(Error::Ended);
        }
        let result = self.answered(Claims { forms, values: Vec::new(), context: context.to_vec() });
        let state = self.state.get_mut();
        state.answers.clear();
        result.inspect_err(|error| state.end(error))
    }

    fn answered(&self, claims: Claims<Scalar>) -> Result<(Claims<Scalar>, Vec<u8>), Error> {
        let (watch, before) = {
            let party = &self.state.borrow().party;
            (party.stopwatch(), party.meter.total().cpu)
        };
        let (claims, proof) = open_held(self.scheme, &self.commitment, self, claims)?;
        let holds = self.scheme.verify(&self.commitment, &claims, &proof);
        {
            let meter = &mut self.state.borrow_mut().party.meter;
            let asked = meter.total().cpu - before;
            meter.of_mut(Phase::Coordinator).cpu += watch.nanoseconds().saturating_sub(asked);
        }
        match holds {
            Ok(()) => Ok((claims, proof)),
            Err(_) => Err(self.blame()),
        }
    }

    /// Ends the job; returns what it cost each rank.
    ///
    /// # Errors
    /// If a rank does not answer, or the job has ended.
    pub fn finish(self) -> Result<Meters, Error> {
        let mut state = self.state.borrow_mut();
        if !state.live {
            return Err(Error::Ended);
        }
        Question::Finish.ask(&mut state.party)?;
        state.live = false;
        let own = state.party.meter.to_bytes();
        let all = state.party.gather(Phase::Coordinator, &own)?;
        state.party.compare_heads()?;
        let meter = |(rank, bytes): (usize, &[u8])| {
            Meter::from_bytes(bytes).ok_or(deviation(rank, Deviation::Answer))
        };
        Ok(Meters(all.chunks_exact(Meter::BYTES).enumerate().map(meter).collect::<Result<_, _>>()?))
    }

    /// Names the rank whose answers are not what its commitments, or what it was given, say; keeps a report of what it has signed.
    fn blame(&self) -> Error {
        let state = self.state.borrow();
        let check = |answer: &Answer| match answer {
            Answer::Combination { polynomial, weights, sums } => {
                let mut sums = sums.iter().enumerate();
                sums.try_for_each(|(rank, sum)| {
                    self.check_combination(&state, (*polynomial, weights), (rank, sum))
                })
            }
            Answer::Quotients { table, point, parts } => {
                let given = table.chunks(table.len() / parts.len());
                let mut parts = parts.iter().zip(given).enumerate();
                parts.try_for_each(|(rank, (part, given))| {
                    let expected = part_of_quotients(&self.prover, given, rank, point);
                    let answers = || vec![(Phase::Rows, part.clone())];
                    if expected == *part {
                        Ok(())
                    } else {
                        Err(Charge::new(rank, Deviation::Quotients, answers()))
                    }
                })
            }
        };
        match state.answers.iter().try_for_each(check) {
            Ok(()) => Error::Unexplained,
            Err(charge) => {
                let (rank, deviation) = (charge.rank, charge.deviation);
                state.party.session.report(charge);
                Error::Deviation { rank, deviation }
            }
        }
    }

    /// `sum w_c C_c` over a rank's fragments is the commitment to its combination.
    fn check_combination(
        &self,
        state: &State<'_>,
        question: (usize, &[Scalar]),
        (rank, sum): (usize, &[Scalar]),
    ) -> Result<(), Charge> {
        let own = own(self.scheme, state.party.size(), rank);
        let points = &self.commitment.points()[own.clone()];
        let expected = combined_commitment(own, points, question);
        let entries: Vec<Fr> = sum.iter().map(|entry| entry.0).collect();
        if self.prover.commit_fragments(&[entries])[0] == expected {
            return Ok(());
        }
        let commitments = points.iter().flat_map(encode_g1).collect();
        let answers = vec![(Phase::Encode, commitments), (Phase::Columns, padded(sum, sum.len()))];
        Err(Charge::new(rank, Deviation::Fragments, answers))
    }

    /// Reports that charge a rank with each of its answers, whatever it is.
    #[cfg(test)]
    pub(super) fn charges(&self, rank: usize) -> Vec<Vec<u8>> {
        let state = self.state.borrow();
        let own = own(self.scheme, state.party.size(), rank);
        let commitments: Vec<u8> = self.commitment.points()[own].iter().flat_map(encode_g1).collect();
        let of = |answer: &Answer| match answer {
            Answer::Combination { sums, .. } => {
                let sum = (Phase::Columns, padded(&sums[rank], sums[rank].len()));
                Charge::new(rank, Deviation::Fragments, vec![(Phase::Encode, commitments.clone()), sum])
            }
            Answer::Quotients { parts, .. } => {
                Charge::new(rank, Deviation::Quotients, vec![(Phase::Rows, parts[rank].clone())])
            }
        };
        let records = state.party.session.identity.records();
        let report = |answer| {
            state.party.session.report(of(answer));
            records.0.borrow_mut().report.take().map(|report| report.to_json())
        };
        state.answers.iter().filter_map(report).collect()
    }

    fn combined(&self, polynomial: usize, weights: &[Scalar]) -> Result<Vec<Fr>, Error> {
        let State { party, share, answers, .. } = &mut *self.state.borrow_mut();
        let question = Question::Combine { polynomial, weights: weights.to_vec() };
        question.ask(party)?;
        let blocks = share.combine(party, polynomial, weights)?;
        let entries = 1 << self.scheme.params().key.variables();
        let sums = blocks.chunks_exact(entries * Scalar::BYTES).enumerate().map(|(rank, block)| {
            elements::<Scalar>(block, entries).ok_or(deviation(rank, Deviation::Encoding))
        });
        let sums: Vec<Vec<Scalar>> = sums.collect::<Result<_, _>>()?;
        let mut all = vec![Fr::zero(); entries];
        sums.iter().for_each(|sum| all.iter_mut().zip(sum).for_each(|(all, entry)| *all += entry.0));
        answers.push(Answer::Combination { polynomial, weights: weights.to_vec(), sums });
        Ok(all)
    }

    fn quotients_of(&self, combined: Vec<Fr>, point: &[Scalar]) -> Result<Vec<G1>, Error> {
        let State { party, share, answers, .. } = &mut *self.state.borrow_mut();
        let asked = Question::Quotients(point.to_vec()).ask(party);
        let table: Vec<Scalar> = combined.iter().copied().map(Scalar).collect();
        // Who has heard the question waits for its part, even if another rank is gone.
        let parts = (&self.prover, &padded(&table, table.len())[..]);
        let blocks = asked.and(share.quotients(party, parts, point))?;
        // The variables that every rank has, summed over the ranks.
        let local = point.len() - party.log_size();
        let mut sums = vec![G1Projective::zero(); local];
        let parts: Vec<Vec<u8>> = match local {
            0 => vec![Vec::new(); party.size()],
            local => blocks.chunks_exact(48 * local).map(<[u8]>::to_vec).collect(),
        };
        for (rank, part) in parts.iter().enumerate() {
            for (sum, bytes) in sums.iter_mut().zip(part.as_chunks().0) {
                *sum += decode_g1(bytes).map_err(|_| deviation(rank, Deviation::Encoding))?;
            }
        }
        answers.push(Answer::Quotients { table, point: point.to_vec(), parts });
        // Those above them.
        let top = point[..local].iter().fold(combined, |table, u| divide_lowest(&table, u.0).1);
        sums.extend(self.prover.part_of_quotients(&top, (local, 0), &point[local..]));
        Ok(G1Projective::normalize_batch(&sums))
    }
}

/// The commitments of all ranks.
fn commitments(scheme: &Scheme, prover: &Prover<'_>, state: &mut State<'_>) -> Result<Commitment, Error> {
    let State { party, share, .. } = state;
    let blocks = share.commitments(party, prover)?;
    let each = own(scheme, party.size(), 0).len();
    let point = |(i, bytes): (usize, &[u8; 48])| {
        decode_g1(bytes).map_err(|_| deviation(i / each, Deviation::Encoding))
    };
    let points: Vec<G1> = blocks.as_chunks().0.iter().enumerate().map(point).collect::<Result<_, _>>()?;
    Commitment::from_points(scheme.params(), points).ok_or(Error::Unexplained)
}

impl HeldFragments for Coordinator<'_> {
    fn combine(&self, polynomial: usize, weights: &[Scalar]) -> Result<Vec<Fr>, Unavailable> {
        Ok(self.combined(polynomial, weights)?)
    }

    fn quotients(&self, combined: Vec<Fr>, point: &[Scalar]) -> Result<Vec<G1>, Unavailable> {
        Ok(self.quotients_of(combined, point)?)
    }
}
