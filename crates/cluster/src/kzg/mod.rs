//! Multilinear KZG over [fragments](pcs::kzg::multilinear) by several machines, with the bytes of one. (notes: cluster-kzg)
//!
//! ```text
//!   every rank   commitments to its fragments            ──► coordinator      48 bytes each
//!   every rank   the combination of its fragments        ──► coordinator      as long as one fragment
//!   coordinator  a part of the sum of the combinations   ──► every rank       1/n of a fragment
//!   every rank   its part of the quotients' commitments  ──► coordinator      48 bytes for each variable but the last log2 n
//! ```
//! A commitment is linear: a rank's combination is checked against the rank's own commitments, and its part of the quotients against the entries that
//! it was given. So whoever deviates is named, by messages of that rank alone, which it has signed: [`verify_report`] needs nobody's word for it.
//!
//! ```
//! use cluster::{Deadlines, comm::threads, kzg::Member};
//! use iop::{poly::TensorForm, security::Policy};
//! use pcs::kzg::multilinear::{Key, Params, Scalar, Scheme};
//! use pcs::{field::Field, scheme::MultilinearPcs};
//!
//! let tau = [3, 5, 7].map(|t| Scalar::from_u64(t).0);
//! let srs = curve::srs::MultilinearSrs::insecure_from_point(&tau);
//! let params = Params { key: Key::new(&srs).unwrap(), log_fragments: 2, polynomials: 1, max_forms: 1 };
//! let scheme = Scheme::new(params, &Policy::at_least(0)).unwrap();
//! // Two ranks, each a thread, run the same program.
//! let results = threads::run(2, |comm| {
//!     let rank = Member::join(&scheme, &srs, Box::new(comm), Deadlines::default())?;
//!     let fragments = rank.fragments_of(&[(0..32).map(Scalar::from_u64).collect()])?;
//!     if !rank.coordinates() {
//!         return rank.serve(&fragments).map(|_| ());
//!     }
//!     let mut coordinator = rank.coordinate(fragments)?;
//!     let (claims, proof) = coordinator.open(vec![TensorForm::index(9, 5)], b"")?;
//!     assert_eq!(scheme.verify(coordinator.commitment(), &claims, &proof), Ok(()));
//!     println!("{}", coordinator.finish()?);
//!     Ok::<_, cluster::Error>(())
//! });
//! assert!(results.iter().all(Result::is_ok));
//! ```

mod coordinator;
mod report;
mod share;
#[cfg(test)]
mod tests;
mod wire;

use core::ops::Range;

use curve::bls12_381::Fr;
use curve::srs::MultilinearSrs;
use pcs::kzg::multilinear::{Prover, Scalar, Scheme};

use crate::comm::Comm;
use crate::error::Error;
use crate::hello::{self, Subject};
use crate::identity::Identity;
use crate::meter::{Meter, Phase};
use crate::party::{Deadlines, Party};
pub use coordinator::Coordinator;
pub use report::verify_report;
use share::Share;
use wire::Question;

/// The scheme's name in the description of a job, whose parameters are their digest.
const SCHEME: &str = "multilinear kzg";

/// A rank of a job that makes one commitment, before it has its fragments.
pub struct Member<'a> {
    scheme: &'a Scheme,
    prover: Prover<'a>,
    party: Party<'a>,
}

impl<'a> Member<'a> {
    /// Joins the other ranks, which run the same program with the same parameters.
    ///
    /// # Errors
    /// If a rank does not answer or differs, the setup is another than the scheme's, or there are more ranks than fragments or than entries of one.
    pub fn join(
        scheme: &'a Scheme,
        srs: &MultilinearSrs,
        comm: Box<dyn Comm + 'a>,
        deadlines: Deadlines,
    ) -> Result<Self, Error> {
        Self::join_as(Identity::default(), scheme, srs, comm, deadlines)
    }

    /// [`Member::join`] by a rank with a key of its own, whose signatures are bound to the job.
    ///
    /// # Errors
    /// As [`Member::join`], and if a rank was started for another job, or has not the key that is expected of it.
    pub fn join_as(
        identity: Identity,
        scheme: &'a Scheme,
        srs: &MultilinearSrs,
        comm: Box<dyn Comm + 'a>,
        deadlines: Deadlines,
    ) -> Result<Self, Error> {
        let prover = Prover::new(scheme, srs).map_err(|error| Error::Unsupported(error.to_string()))?;
        let mut party = Party::new(comm, deadlines, identity)?;
        let digest = scheme.params().digest();
        hello::greet(&mut party, Subject { scheme: SCHEME, parameters: digest.to_vec(), digest })?;
        if !divides(scheme, party.log_size()) {
            let (ranks, all) = (party.size(), fragments(scheme));
            let reason = format!("{ranks} ranks do not divide {all} fragments, or the entries of one");
            return Err(Error::Unsupported(reason));
        }
        Ok(Self { scheme, prover, party })
    }

    /// The number of this rank; that of the coordinator is zero.
    pub fn rank(&self) -> usize {
        self.party.rank()
    }

    /// True if this rank is the one that asks.
    pub fn coordinates(&self) -> bool {
        self.party.coordinates()
    }

    /// The fragments of this rank among those of all polynomials, polynomial after polynomial.
    pub fn own(&self) -> Range<usize> {
        own(self.scheme, self.party.size(), self.rank())
    }

    /// This rank's fragments of polynomials that are in its memory. Those that none of its fragments belongs to may be empty.
    ///
    /// # Errors
    /// If there are other polynomials than the parameters say.
    pub fn fragments_of(&self, polynomials: &[Vec<Scalar>]) -> Result<Vec<Vec<Fr>>, Error> {
        let params = self.scheme.params();
        let (count, each) = (params.polynomials(), params.fragments());
        let fragment = |i: usize| {
            let polynomial = polynomials.get(i / each).filter(|p| p.len() == 1 << params.variables());
            Some(polynomial?.iter().skip(i % each).step_by(each).map(|entry| entry.0).collect())
        };
        let fragments: Option<Vec<Vec<Fr>>> = self.own().map(fragment).collect();
        fragments.filter(|_| polynomials.len() == count).ok_or_else(|| {
            Error::Input(format!("{count} polynomials of 2^{} entries are expected", params.variables()))
        })
    }

    /// Commits to this rank's fragments with the other ranks, and coordinates.
    ///
    /// # Errors
    /// If a rank does not answer, or sends what is no commitment.
    ///
    /// # Panics
    /// If this rank is another, or these are not as many fragments of as many entries as it has.
    pub fn coordinate(self, fragments: Vec<Vec<Fr>>) -> Result<Coordinator<'a>, Error> {
        assert!(self.coordinates(), "the first rank coordinates");
        let share = Share::new(&self, fragments);
        Coordinator::commit(self, share)
    }

    /// Commits to this rank's fragments with the other ranks, and answers the coordinator until the job ends; returns what it cost.
    ///
    /// # Errors
    /// If the coordinator has ended, asks nothing in time, or asks what is no question.
    ///
    /// # Panics
    /// If this rank is the coordinator, or these are not as many fragments of as many entries as it has.
    pub fn serve(self, fragments: &[Vec<Fr>]) -> Result<Meter, Error> {
        assert!(!self.coordinates(), "the first rank coordinates");
        let share = Share::new(&self, fragments.to_vec());
        let Self { scheme, prover, mut party } = self;
        share.commitments(&mut party, &prover)?;
        loop {
            match Question::receive(&mut party, scheme.params())? {
                Question::Combine { polynomial, weights } => {
                    share.combine(&mut party, polynomial, &weights)?;
                }
                Question::Quotients(point) => {
                    share.quotients(&mut party, (&prover, &[]), &point)?;
                }
                Question::Finish => {
                    let meter = party.meter.clone();
                    party.gather(Phase::Coordinator, &meter.to_bytes())?;
                    party.compare_heads()?;
                    return Ok(meter);
                }
                Question::Stop { culprit, reason } => return Err(Error::Stopped { culprit, reason }),
            }
        }
    }
}

/// Fragments of all polynomials.
fn fragments(scheme: &Scheme) -> usize {
    scheme.params().polynomials() * scheme.params().fragments()
}

/// True if so many ranks have equal numbers of fragments, and of a fragment's entries.
fn divides(scheme: &Scheme, log_ranks: usize) -> bool {
    log_ranks <= scheme.params().key.variables() && fragments(scheme).is_multiple_of(1 << log_ranks)
}

/// The fragments of a rank of so many.
fn own(scheme: &Scheme, ranks: usize, rank: usize) -> Range<usize> {
    let each = fragments(scheme) / ranks;
    rank * each..(rank + 1) * each
}
