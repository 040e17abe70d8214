//! DeVirgo: an opening of [Virgo](pcs::virgo) by several machines, with the bytes of one: the published design that DEPIP_FRI is measured
//! against. (notes: virgo-ranks)
//!
//! ```text
//!   every rank   rows of its fragments' codeword          ──► the owner of the positions     all to all
//!   every rank   rows of its quotients' codeword          ──► the owner of the positions     all to all
//!   every rank   roots, values, its part of the combination of all words, opened rows       ──► coordinator
//! ```
//! A rank has as many consecutive fragments as the others, and a run of consecutive leaves; positions are bit-reversed, so that these are
//! every `n`-th element of the domain. What follows the combination concerns one fragment's length and is the coordinator's.
//!
//! It is here to compare costs, and names no rank that deviates: a proof that does not hold ends the job. Each job is one commitment with one
//! opening, and the ranks know what comes next.
//!
//! ```
//! use cluster::{Deadlines, comm::threads, virgo::Member};
//! use field::{Goldilocks, Goldilocks2};
//! use iop::{poly::TensorForm, security::Policy};
//! use pcs::{fields::Fields, virgo::{Params, Scheme, Target}};
//!
//! let params = Params::for_target(&Target::new(Fields::Goldilocks2, [8, 2, 2], 30.0))?;
//! let scheme = Scheme::<Goldilocks, Goldilocks2>::new(params, &Policy::at_least(30))?;
//! let results = threads::run(2, |comm| {
//!     let rank = Member::join(&scheme, Box::new(comm), Deadlines::default())?;
//!     let columns = rank.columns_of(&(0..256).map(Goldilocks::new).collect::<Vec<_>>());
//!     let Some(opened) = rank.run(columns, &TensorForm::index(7, 8), b"")? else { return Ok(()) };
//!     assert_eq!(scheme.verify(&opened.commitment, &opened.claims, &opened.proof), Ok(()));
//!     println!("{}", opened.meters);
//!     Ok::<_, cluster::Error>(())
//! });
//! assert!(results.iter().all(Result::is_ok));
//! # Ok::<(), iop::error::ParamError>(())
//! ```

mod run;
#[cfg(test)]
mod tests;

use core::ops::Range;

use field::{ExtensionOf, TwoAdic};
use iop::hash::Digest;
use iop::poly::TensorForm;
use iop::transcript::ProverTape;
use pcs::claims::Claims;
use pcs::matrix::Unavailable;
use pcs::virgo::{Commitment, CommittedFragments, Prover, Quotients, RowWeights, Scheme, Share, WordWeights};

use crate::comm::Comm;
use crate::error::{Deviation, Error};
use crate::hello::{self, Subject};
use crate::identity::Identity;
use crate::meter::{Meter, Meters, Phase};
use crate::party::{Deadlines, Party};
use crate::wire::{add_elements, elements, padded};
use run::Run;

/// The scheme's name in the description of a job, whose parameters are their digest.
const SCHEME: &str = "virgo";

/// A rank of a job that makes one commitment and opens it once.
pub struct Member<'a, B, E> {
    scheme: &'a Scheme<B, E>,
    party: Party<'a>,
}

/// What the coordinator has at the end.
#[derive(Debug)]
pub struct Opened<E> {
    /// The commitment.
    pub commitment: Commitment<E>,
    /// The form and its value.
    pub claims: Claims<E>,
    /// The proof, which has been verified.
    pub proof: Vec<u8>,
    /// What it cost each rank.
    pub meters: Meters,
}

impl<'a, B: TwoAdic, E: ExtensionOf<B>> Member<'a, B, E> {
    /// Joins the other ranks, which run the same program with the same parameters.
    ///
    /// # Errors
    /// If a rank does not answer or differs, or there are more ranks than fragments.
    pub fn join(
        scheme: &'a Scheme<B, E>,
        comm: Box<dyn Comm + 'a>,
        deadlines: Deadlines,
    ) -> Result<Self, Error> {
        let mut party = Party::new(comm, deadlines, Identity::default())?;
        let digest = scheme.params().digest();
        hello::greet(&mut party, Subject { scheme: SCHEME, parameters: digest.to_vec(), digest })?;
        let (ranks, columns) = (party.size(), scheme.params().columns());
        if ranks > columns {
            return Err(Error::Unsupported(format!("{ranks} ranks do not divide {columns} fragments")));
        }
        Ok(Self { scheme, party })
    }

    /// True if this rank is the one that has the transcript.
    pub fn coordinates(&self) -> bool {
        self.party.coordinates()
    }

    /// This rank's fragments of entries that are in its memory, row by row.
    ///
    /// # Panics
    /// If there are other entries than the parameters say.
    pub fn columns_of(&self, entries: &[B]) -> Vec<B> {
        assert_eq!(entries.len(), 1 << self.scheme.params().log_size, "number of entries");
        let own = own(self.scheme.params().columns(), &self.party);
        let rows = entries.chunks_exact(self.scheme.params().columns());
        rows.flat_map(|row| &row[own.clone()]).copied().collect()
    }

    /// Commits to this rank's fragments with the other ranks and opens with them; the coordinator returns the result.
    ///
    /// # Errors
    /// If a rank does not answer or sends what is no element or digest, or the proof does not hold.
    ///
    /// # Panics
    /// If these are not as many entries as the rank has, or the form has another number of variables.
    pub fn run(
        self,
        columns: Vec<B>,
        form: &TensorForm<E>,
        context: &[u8],
    ) -> Result<Option<Opened<E>>, Error> {
        let Self { scheme, party } = self;
        let mut ranks = Ranks::commit(scheme, party, columns)?;
        let rows = form.split(scheme.params().log_columns as usize).1;
        if ranks.party.coordinates() {
            return ranks.open(form, context).map(Some);
        }
        ranks.answer(rows)?;
        let meter = ranks.party.meter.clone();
        ranks.party.gather(Phase::Coordinator, &meter.to_bytes())?;
        Ok(None)
    }
}

/// The fragments of a rank.
fn own(columns: usize, party: &Party<'_>) -> Range<usize> {
    let each = columns / party.size();
    party.rank() * each..(party.rank() + 1) * each
}

/// A rank after the commitment. Every step is a function that all ranks call: the coordinator's result is everyone's together.
struct Ranks<'a, B, E> {
    scheme: &'a Scheme<B, E>,
    party: Party<'a>,
    share: Share<B>,
    /// The first block of the codeword of its fragments.
    first: Vec<B>,
    fragments: Run<B>,
    quotients: Option<(Quotients<B>, Run<E>)>,
    commitment: Commitment<E>,
}

impl<'a, B: TwoAdic, E: ExtensionOf<B>> Ranks<'a, B, E> {
    /// Encodes, exchanges rows of the codeword and builds the tree; the value outside of the domain.
    fn commit(scheme: &'a Scheme<B, E>, mut party: Party<'a>, entries: Vec<B>) -> Result<Self, Error> {
        let params = scheme.params();
        let columns = own(params.columns(), &party);
        let (share, word) = party.compute(Phase::Encode, || {
            let share = Share::new(params.first_code(), entries, columns.len());
            let word = share.codeword(Vec::new());
            (share, word)
        });
        let first = word[..share.entries().len()].to_vec();
        let (fragments, mut root) = Run::exchange(&mut party, params, &word)?;
        party.broadcast(Phase::Tree, &mut root)?;
        let root = Digest::from_slice(&root).ok_or(Error::Unexplained)?;
        let mut out_of_domain = Vec::new();
        if let Some(outside) = scheme.outside_point(&root) {
            let value =
                party.compute(Phase::Values, || share.evaluate(&outside.weights[columns], outside.point));
            let blocks = party.gather(Phase::Values, &padded(&[value], 1))?;
            let mut sum = [E::ZERO];
            for (rank, block) in blocks.chunks_exact(E::BYTES).enumerate() {
                added(rank, add_elements(&mut sum, block))?;
            }
            out_of_domain = sum.to_vec();
        }
        let commitment = Commitment { root, out_of_domain };
        Ok(Self { scheme, party, share, first, fragments, quotients: None, commitment })
    }

    /// The coordinator's opening.
    fn open(mut self, form: &TensorForm<E>, context: &[u8]) -> Result<Opened<E>, Error> {
        // Tables that serve all jobs of these parameters.
        let prover = Prover::new(self.scheme);
        let (watch, before) = (self.party.stopwatch(), self.party.meter.total().cpu);
        let commitment = self.commitment.clone();
        let (claims, proof) = prover.open_held(&commitment, &mut self, (vec![form.clone()], context))?;
        let holds = self.scheme.verify(&commitment, &claims, &proof);
        let asked = self.party.meter.total().cpu - before;
        self.party.meter.of_mut(Phase::Coordinator).cpu += watch.nanoseconds().saturating_sub(asked);
        holds.map_err(|_| Error::Unexplained)?;
        let own = self.party.meter.to_bytes();
        let all = self.party.gather(Phase::Coordinator, &own)?;
        let meter = |(rank, bytes): (usize, &[u8])| {
            Meter::from_bytes(bytes).ok_or(Error::Deviation { rank, deviation: Deviation::Answer })
        };
        let meters = all.chunks_exact(Meter::BYTES).enumerate().map(meter).collect::<Result<_, _>>()?;
        Ok(Opened { commitment, claims, proof, meters: Meters(meters) })
    }

    /// The other ranks' part of an opening.
    fn answer(&mut self, rows: TensorForm<E>) -> Result<(), Error> {
        self.values_of(&rows)?;
        // The coordinator computes the same meanwhile, in the same phase.
        let weights = self.party.compute(Phase::Coordinator, || RowWeights::new::<B>(rows));
        self.quotients_of(&weights)?;
        self.combined(None)?;
        let (places, hashes) = self.positions(None)?;
        let _ = self.opened(&places, hashes)?;
        Ok(())
    }

    fn values_of(&mut self, rows: &TensorForm<E>) -> Result<Vec<E>, Error> {
        let Self { party, share, .. } = self;
        let values = party.compute(Phase::Values, || share.values(rows));
        let blocks = party.gather(Phase::Values, &padded(&values, values.len()))?;
        let mut all = Vec::new();
        for (rank, block) in blocks.chunks_exact(values.len() * E::BYTES).enumerate() {
            let values = elements::<E>(block, values.len());
            all.extend(values.ok_or(Error::Deviation { rank, deviation: Deviation::Encoding })?);
        }
        Ok(all)
    }

    fn quotients_of(&mut self, weights: &RowWeights<E>) -> Result<Vec<u8>, Error> {
        let Self { scheme, party, share, first, .. } = self;
        let (quotients, word) = party.compute(Phase::Encode, || share.quotients(first, weights));
        let (run, root) = Run::exchange(party, scheme.params(), &word)?;
        self.quotients = Some((quotients, run));
        Ok(root)
    }

    /// The combination of all words, by weights that the coordinator gives.
    fn combined(&mut self, weights: Option<&WordWeights<E>>) -> Result<Vec<E>, Error> {
        let Self { scheme, party, share, quotients, commitment, .. } = self;
        let count = scheme.params().word_variables();
        let mut bytes = vec![0; count * E::BYTES];
        if let Some(weights) = weights {
            bytes = padded(&weights.challenges, count);
        }
        party.broadcast(Phase::Columns, &mut bytes)?;
        let challenges = elements(&bytes, count).ok_or(Error::Question("challenges"))?;
        let weights = scheme.weights_from(challenges, &commitment.root);
        let (quotients, _) = quotients.as_ref().ok_or(Error::Question("words without quotients"))?;
        let own = own(scheme.params().columns(), party);
        let mut sum = party.compute(Phase::Columns, || share.combine(quotients, &weights, own));
        // The coordinator's own part stays with it.
        let sent = if party.coordinates() { 0 } else { sum.len() };
        let mut bytes = party.compute(Phase::Columns, || padded(&sum[..sent], sent));
        bytes.resize(sum.len() * E::BYTES, 0);
        let blocks = party.gather(Phase::Columns, &bytes)?;
        party.compute(Phase::Columns, || {
            let mut blocks = blocks.chunks_exact(bytes.len()).enumerate().skip(1);
            blocks.try_for_each(|(rank, block)| added(rank, add_elements(&mut sum, block)))
        })?;
        Ok(sum)
    }

    /// The positions that the coordinator gives, and the most that one rank owns.
    fn positions(&mut self, positions: Option<&[usize]>) -> Result<(Vec<usize>, usize), Error> {
        let params = self.scheme.params();
        let mut bytes = vec![0; (1 + params.queries as usize) * 8];
        if let Some(positions) = positions {
            let numbers = core::iter::once(positions.len()).chain(positions.iter().copied());
            let places = bytes.as_chunks_mut::<8>().0.iter_mut();
            places.zip(numbers).for_each(|(place, number)| *place = (number as u64).to_le_bytes());
        }
        self.party.broadcast(Phase::Rows, &mut bytes)?;
        let (words, _) = bytes.as_chunks::<8>();
        let numbers: Vec<usize> = words.iter().map(|&word| u64::from_le_bytes(word) as usize).collect();
        let (&count, numbers) = numbers.split_first().ok_or(Error::Question("positions"))?;
        let positions = numbers.get(..count).ok_or(Error::Question("positions"))?.to_vec();
        let in_order = positions.is_sorted_by(|a, b| a < b);
        let leaves = self.fragments.leaves() * self.party.size();
        if !in_order || positions.last().is_some_and(|&last| last >= leaves) {
            return Err(Error::Question("positions"));
        }
        let most = (0..self.party.size()).map(|rank| self.fragments.own(&positions, rank).len()).max();
        Ok((positions, most.unwrap_or(0)))
    }

    /// Rows and siblings of the fragments and of the quotients at positions.
    fn opened(&mut self, positions: &[usize], most: usize) -> Result<Rows<B, E>, Error> {
        let Self { party, fragments, quotients, .. } = self;
        let (_, quotients) = quotients.as_ref().ok_or(Error::Question("rows without quotients"))?;
        Ok((fragments.open(party, positions, most)?, quotients.open(party, positions, most)?))
    }
}

/// Rows and the nodes beside their paths, of the fragments and of the quotients.
type Rows<B, E> = ((Vec<B>, Vec<u8>), (Vec<E>, Vec<u8>));

/// Names a rank whose elements are not canonical.
fn added(rank: usize, canonical: bool) -> Result<(), Error> {
    if canonical { Ok(()) } else { Err(Error::Deviation { rank, deviation: Deviation::Encoding }) }
}

impl<B: TwoAdic, E: ExtensionOf<B>> CommittedFragments<E> for Ranks<'_, B, E> {
    fn values(&mut self, form: &TensorForm<E>) -> Result<Vec<E>, Unavailable> {
        Ok(self.values_of(form)?)
    }

    fn quotients(&mut self, weights: &RowWeights<E>) -> Result<Digest, Unavailable> {
        let root = self.quotients_of(weights)?;
        Ok(Digest::from_slice(&root).ok_or(Error::Unexplained)?)
    }

    fn combine(&mut self, weights: &WordWeights<E>) -> Result<Vec<E>, Unavailable> {
        Ok(self.combined(Some(weights))?)
    }

    fn open_rows(&mut self, tape: &mut ProverTape, positions: &[usize]) -> Result<(), Unavailable> {
        let (positions, most) = self.positions(Some(positions))?;
        let ((fragments, below), (quotients, beside)) = self.opened(&positions, most)?;
        tape.hint("rows", &fragments);
        tape.hint_bytes("paths", &below);
        tape.hint("rows", &quotients);
        tape.hint_bytes("paths", &beside);
        Ok(())
    }
}
