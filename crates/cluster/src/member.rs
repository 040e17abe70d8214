//! A rank from its start to its commitment; then it coordinates or serves. (notes: cluster-messages)

use crate::comm::Comm;
use crate::error::{Error, Reason};
use crate::hello::{self, Subject};
use crate::identity::Identity;
use crate::matrix::DistributedMatrix;
use crate::meter::{Meter, Meters};
use crate::ownership::Ownership;
use crate::party::{Deadlines, Party};
use crate::share::Share;
use crate::{hiding, input, shards, worker};
use core::ops::Range;
use field::{ExtensionOf, Field, FoldFibres};
use iop::poly::TensorForm;
use pcs::claims::Claims;
use pcs::matrix::{Commitment, HeldMatrix, Kept, Params, Prover, Scheme, Secret, Steps};
use std::io::Read;

/// A rank of a job that makes one commitment, before it has its columns.
///
/// What follows is another type, so that the steps have one order. A rank that has joined has no opening:
/// ```compile_fail,E0599
/// # use {cluster::Member, field::{ExtensionOf, FoldFibres}, pcs::matrix::Steps};
/// fn open<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(mut rank: Member<'_, F, B, E>) {
///     let _ = rank.open(Vec::new(), b"");
/// }
/// ```
/// It commits once, and with the columns that it has then:
/// ```compile_fail,E0382
/// # use {cluster::Member, field::{ExtensionOf, FoldFibres}, pcs::matrix::Steps};
/// fn twice<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(rank: Member<'_, F, B, E>, columns: Vec<B>) {
///     let _ = rank.coordinate(columns.clone());
///     let _ = rank.serve(columns);
/// }
/// ```
pub struct Member<'a, F, B, E> {
    pub(crate) scheme: &'a Scheme<F, B, E>,
    pub(crate) party: Party<'a>,
    pub(crate) ownership: Ownership,
}

/// The coordinator of a commitment that all ranks hold: it opens with the bytes of one machine.
///
/// After the end of the job there is none:
/// ```compile_fail,E0382
/// # use {cluster::Coordinator, field::{ExtensionOf, FoldFibres}, pcs::matrix::Steps};
/// fn late<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(mut coordinator: Coordinator<'_, F, B, E>) {
///     let _ = coordinator.finish();
///     let _ = coordinator.open(Vec::new(), b"");
/// }
/// ```
pub struct Coordinator<'a, F, B: Field, E> {
    pub(crate) scheme: &'a Scheme<F, B, E>,
    pub(crate) matrix: DistributedMatrix<'a, B, E>,
    pub(crate) kept: Kept<E>,
    /// Answers that the commitment rests on, and their records.
    pub(crate) answers: [usize; 2],
}

/// An opening that has been verified; its answers are still there.
pub(crate) fn opened<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    scheme: &Scheme<F, B, E>,
    matrix: &DistributedMatrix<'_, B, E>,
    kept: &mut Kept<E>,
    (forms, context): (Vec<TensorForm<E>>, &[u8]),
) -> Result<(Claims<E>, Vec<u8>), Error> {
    let held = HeldMatrix::elsewhere(matrix);
    let (opened, holds) = matrix.measured(|| {
        let opened = Prover::new(scheme).open_matrix(held, kept, forms, context)?;
        let holds = scheme.verify(kept.commitment(), &opened.0, &opened.1);
        Ok::<_, Error>((opened, holds))
    })?;
    holds.map(|()| opened).map_err(|_| matrix.blame())
}

/// Why the cluster does not serve parameters, whatever the number of ranks.
pub(crate) fn unserved(params: &Params) -> Option<&'static str> {
    (params.hidden_openings > 0 && params.log_parts == 0)
        .then_some("the cluster hides by leaves of parts, whose randomness each rank draws alone")
}

impl<'a, F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>> Member<'a, F, B, E> {
    /// Joins the other ranks, which run the same program with the same parameters.
    ///
    /// # Errors
    /// If a rank does not answer or differs, or the cluster does not serve the parameters with so many ranks.
    pub fn join(
        scheme: &'a Scheme<F, B, E>,
        comm: Box<dyn Comm + 'a>,
        deadlines: Deadlines,
    ) -> Result<Self, Error> {
        Self::join_as(Identity::default(), scheme, comm, deadlines)
    }

    /// [`Member::join`] by a rank with a key of its own, whose signatures are bound to the job.
    ///
    /// # Errors
    /// As [`Member::join`], and if a rank was started for another job, has a part of other data, or has not the key that is expected of it.
    pub fn join_as(
        identity: Identity,
        scheme: &'a Scheme<F, B, E>,
        comm: Box<dyn Comm + 'a>,
        deadlines: Deadlines,
    ) -> Result<Self, Error> {
        let mut party = Party::new(comm, deadlines, identity)?;
        let met = hello::greet(&mut party, Subject::matrix(scheme.params()));
        if let Err(Error::Key { rank }) = met {
            // Ranks that know no keys go on, and wait for the coordinator.
            party.awaited = party.coordinates();
            party.stop(Some(rank), Reason::Other);
        }
        met?;
        if let Some(reason) = unserved(scheme.params()) {
            return Err(Error::Unsupported(reason.into()));
        }
        let ownership = Ownership::new(scheme.matrix(), party.log_size())?;
        party.awaited = party.coordinates();
        Ok(Self { scheme, party, ownership })
    }

    /// The number of this rank; that of the coordinator is zero.
    pub fn rank(&self) -> usize {
        self.party.rank()
    }

    /// True if this rank is the one that asks.
    pub fn coordinates(&self) -> bool {
        self.party.coordinates()
    }

    /// Which columns and positions the ranks have.
    pub fn ownership(&self) -> &Ownership {
        &self.ownership
    }

    /// This rank's columns of polynomials that are in its memory. Those that none of its columns belongs to may be empty.
    ///
    /// # Errors
    /// If there are other polynomials than the parameters say.
    pub fn columns_of(&self, polynomials: &[&[B]]) -> Result<Vec<B>, Error> {
        input::columns_of(self.scheme.params(), self.data_columns(), polynomials)
    }

    /// This rank's columns of the entries of one polynomial in their canonical bytes, to the last one: of a file that all ranks can read, say.
    ///
    /// # Errors
    /// If there are more or fewer entries, one is not canonical, or reading fails.
    pub fn read_columns(&self, entries: impl Read) -> Result<Vec<B>, Error> {
        input::read_columns(self.scheme.params(), self.data_columns(), entries)
    }

    fn data_columns(&self) -> Range<usize> {
        self.ownership.data_columns(self.rank(), self.scheme.params().columns())
    }

    /// This rank's columns of shard files, in their order: as many for each rank, of the data that the rank's [`Identity`] has the digest of.
    ///
    /// # Errors
    /// If a shard is of other data or parameters, in another place, cut off or changed, or reading fails.
    pub fn read_shards(&self, files: &mut [impl Read]) -> Result<Vec<B>, Error> {
        let data = &self.party.session.identity.data;
        shards::read((self.scheme.params(), data), (&self.ownership, self.rank()), files)
    }

    /// This rank's columns of polynomials that the coordinator alone has; the other ranks give none.
    ///
    /// # Errors
    /// If there are other polynomials than the parameters say, or a rank does not answer.
    pub fn scatter(&mut self, polynomials: &[&[B]]) -> Result<Vec<B>, Error> {
        input::scatter(&mut self.party, &self.ownership, self.scheme.params(), polynomials)
            .map_err(|error| worker::last_words(&mut self.party, error))
    }

    /// Commits to this rank's columns of data, row by row, with the other ranks', and coordinates. If the parameters hide, with a new secret.
    ///
    /// # Errors
    /// If a rank does not answer, or contradicts itself.
    ///
    /// # Panics
    /// If this rank is another, or has another number of entries.
    pub fn coordinate(self, columns: Vec<B>) -> Result<Coordinator<'a, F, B, E>, Error> {
        let secret = (self.scheme.params().hidden_openings > 0).then(Secret::from_os);
        self.commit(columns, secret)
    }

    /// [`Member::coordinate`] with a secret of the caller's, as [`Prover::commit_hiding`]: the same secret, data and parameters give one machine the
    /// same commitment.
    ///
    /// # Errors
    /// As there.
    ///
    /// # Panics
    /// As there; and if the parameters do not hide.
    pub fn coordinate_hiding(
        self,
        columns: Vec<B>,
        secret: Secret,
    ) -> Result<Coordinator<'a, F, B, E>, Error> {
        assert!(self.scheme.params().hidden_openings > 0, "parameters that hide");
        self.commit(columns, Some(secret))
    }

    fn commit(mut self, columns: Vec<B>, secret: Option<Secret>) -> Result<Coordinator<'a, F, B, E>, Error> {
        assert!(self.coordinates(), "the first rank coordinates");
        let share = self.share(columns, secret.as_ref());
        let share = share.inspect_err(|error| self.party.stop(error.rank(), error.reason()))?;
        let matrix = DistributedMatrix::commit(self.party, share, self.scheme.params().entries)?;
        let prover = Prover::new(self.scheme);
        let kept = matrix.measured(|| prover.adopt(&matrix, secret)).map_err(Error::from);
        let kept = kept.inspect_err(|error| matrix.end(error))?;
        let answers = matrix.answers();
        Ok(Coordinator { scheme: self.scheme, matrix, kept, answers })
    }

    /// Commits to this rank's columns, row by row, with the other ranks', and answers the coordinator until the job ends; returns what it cost.
    ///
    /// # Errors
    /// If the coordinator has ended, asks nothing in time, or asks what is no question.
    ///
    /// # Panics
    /// If this rank is the coordinator, or has another number of entries.
    pub fn serve(mut self, columns: Vec<B>) -> Result<Meter, Error> {
        assert!(!self.coordinates(), "the first rank coordinates");
        let share = self.share(columns, None).map_err(|error| worker::last_words(&mut self.party, error))?;
        worker::serve::<B, E>(&mut self.party, share, self.scheme.params())
    }

    /// The share that this rank holds, once all ranks have read their columns.
    pub(crate) fn share(&mut self, columns: Vec<B>, secret: Option<&Secret>) -> Result<Share<B>, Error> {
        self.party.ready()?;
        let (ownership, rank, hides) =
            (self.ownership, self.rank(), self.scheme.params().hidden_openings > 0);
        let message = match hides {
            true => hiding::message(&mut self.party, &ownership, self.scheme, (columns, secret))?,
            false => columns,
        };
        Ok(Share::new(ownership, rank, message, hides))
    }
}

impl<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>> Coordinator<'_, F, B, E> {
    /// The commitment. Until an opening has succeeded nothing has checked it: a rank may have stated a wrong part of the tree, and then no opening
    /// of it will hold.
    pub fn commitment(&self) -> &Commitment<E> {
        self.kept.commitment()
    }

    /// The secret of a hiding commitment, with the openings made so far: what to store for another job.
    pub fn secret(&self) -> Option<&Secret> {
        self.kept.secret()
    }

    /// Pairs of ranks, sender and receiver, that differed about digests which one sent to the other: one of the two deviates, or the link between
    /// them. The digests went by way of the coordinator then; the commitment is checked by the first opening, and not before.
    pub fn disputes(&self) -> Vec<[usize; 2]> {
        self.matrix.disputes()
    }

    /// Opens: the values of the forms on every polynomial, and the proof, which has been verified.
    ///
    /// # Errors
    /// If a rank does not answer. If the proof does not hold: with the rank whose answers contradict each other. Any error ends the job: the other
    /// ranks are told, and later calls return [`Error::Ended`].
    ///
    /// # Panics
    /// As [`Prover::open`].
    pub fn open(&mut self, forms: Vec<TensorForm<E>>, context: &[u8]) -> Result<(Claims<E>, Vec<u8>), Error> {
        let Self { scheme, matrix, kept, answers } = self;
        matrix.live()?;
        matrix.forget_after(opened(scheme, matrix, kept, (forms, context)), *answers)
    }

    /// Ends the job; returns what it cost each rank.
    ///
    /// # Errors
    /// If a rank does not answer.
    pub fn finish(self) -> Result<Meters, Error> {
        self.matrix.finish()
    }
}
