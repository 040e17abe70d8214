//! The functions behind [`crate::cluster`], generic over the scheme.

use super::Form;
use super::prover::AnyEntries;
use super::weighted;
use crate::dataset::Base;
use crate::dataset::base::element;
use crate::verify::{Limits, Refused};
use ::cluster::comm::Comm;
use ::cluster::meter::Meters;
use ::cluster::report::{Verdict, verify_report};
use ::cluster::shards::Splitter;
use ::cluster::{Coordinator, Deadlines, Error, Identity, Member};
use alloc::boxed::Box;
use alloc::vec::Vec;
use field::{ExtensionOf, FoldFibres};
use iop::error::Invalid;
use iop::poly::{TensorForm, to_bytes};
use iop::security::Policy;
use pcs::file::File;
use pcs::matrix::{Scheme, Secret, Steps};
use pcs::scheme::Params as _;
use pcs::weighted::{Points, Scheme as Weighted};
use std::fs;
use std::io::BufReader;
use std::time::{Duration, Instant};

/// Elements whose bytes are made at a time.
const AT_ONCE: usize = 1 << 12;

/// Where a rank has its columns from.
pub(crate) enum Input<'a> {
    /// Memory that all ranks share.
    Shared(&'a AnyEntries),
    /// The coordinator, which has all entries.
    Scattered(Option<&'a AnyEntries>),
    /// The shards of this rank, in their order.
    Shards(Vec<fs::File>),
}

/// One rank of a job: how it reaches the others, who it is, and what it has.
pub(crate) struct Seat<'a> {
    pub comm: Box<dyn Comm + 'a>,
    pub identity: Identity,
    pub deadlines: Deadlines,
    pub input: Input<'a>,
    /// What the coordinator opens; none at the other ranks.
    pub opening: Option<&'a Opening>,
}

/// What is opened, and the context that it is bound to.
pub(crate) struct Opening {
    pub claims: Opened,
    pub context: Vec<u8>,
}

/// Forms, or the weights of a sum with the policy that it has to keep.
pub(crate) enum Opened {
    Forms(Vec<Form>),
    Weighted(AnyEntries, Policy),
}

/// Takes the entries of data in their order, and does not keep them.
pub trait TakeEntries {
    /// The next row of a column.
    ///
    /// # Errors
    /// If the parameters do not hold it, or a file cannot be written.
    fn row(&mut self, value: i128) -> Result<(), Error>;
    /// The next bytes of a file of bytes.
    ///
    /// # Errors
    /// As [`TakeEntries::row`].
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error>;
}

/// Gives all entries of data to what takes them.
pub type GiveEntries<'a> = &'a mut dyn FnMut(&mut dyn TakeEntries) -> Result<(), Error>;

/// Entries that are split.
pub(crate) enum Unsplit<'a> {
    Held(&'a AnyEntries),
    Streamed(GiveEntries<'a>),
}

/// A commitment and its opening, as the coordinator has them.
pub(crate) struct Made {
    pub commitment: Vec<u8>,
    pub proof: File<'static>,
    pub meters: Meters,
    /// Time from the columns to the proof.
    pub wall: Duration,
    /// Pairs of ranks that differed about digests.
    pub disputes: Vec<[usize; 2]>,
    /// Of a commitment that hides: its seed, and the opening among those used.
    pub secret: Option<Secret>,
}

/// A scheme whose matrices several ranks hold.
pub(crate) trait Ranks {
    /// Takes part in a job that commits and opens once; the coordinator returns what was made.
    fn take_part(&self, seat: Seat<'_>) -> Result<Option<Made>, Error>;
    /// Splits entries, padded with zeros, into shard files with the digest of a statement; returns the digest of the data.
    fn split(
        &self,
        entries: Unsplit<'_>,
        statement: [u8; 32],
        files: &mut [fs::File],
    ) -> Result<[u8; 32], Error>;
    /// Calls a function with the canonical bytes of each entry, in order.
    fn each_entry(&self, entries: &AnyEntries, each: &mut dyn FnMut(&[u8]));
    /// Refuses so many weights, before they are unpacked, if they are more than entries or than the memory that may be spent.
    fn check_weights(&self, count: usize, limits: &Limits) -> Result<(), Refused>;
    /// Verifies a report about parameters of these types, by the public weights if it is about a weighted sum.
    fn verify_report(&self, bytes: &[u8], weights: Option<&AnyEntries>) -> Result<Verdict, Invalid>;
}

impl<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>> Ranks for Scheme<F, B, E> {
    fn take_part(&self, seat: Seat<'_>) -> Result<Option<Made>, Error> {
        let Seat { comm, identity, deadlines, input, opening } = seat;
        let mut rank = Member::join_as(identity, self, comm, deadlines)?;
        let columns = match input {
            Input::Shared(entries) => rank.columns_of(&[own::<B>(entries)])?,
            Input::Scattered(entries) => rank.scatter(entries.map(own::<B>).as_slice())?,
            Input::Shards(files) => {
                let mut files: Vec<_> = files.into_iter().map(BufReader::new).collect();
                rank.read_shards(&mut files)?
            }
        };
        let Some(opening) = opening.filter(|_| rank.coordinates()) else {
            return rank.serve(columns).map(|_| None);
        };
        let start = Instant::now();
        let mut coordinator = rank.coordinate(columns)?;
        let proof = open(self, &mut coordinator, opening)?;
        let wall = start.elapsed();
        let commitment = coordinator.commitment();
        let (commitment, disputes) = (commitment.to_bytes(), coordinator.disputes());
        let secret = coordinator.secret().map(|secret| Secret::from_seed(secret.seed(), secret.used()));
        Ok(Some(Made { commitment, proof, meters: coordinator.finish()?, wall, disputes, secret }))
    }

    fn split(
        &self,
        entries: Unsplit<'_>,
        statement: [u8; 32],
        files: &mut [fs::File],
    ) -> Result<[u8; 32], Error> {
        let base = Base::from_data(self.params().summary().fields[0]);
        let splitter = Splitter::<B, _>::new((self.params(), self.matrix()), statement, files)?;
        let mut split = Split { splitter, base, element: vec![0; B::BYTES], row: 0 };
        match entries {
            Unsplit::Held(entries) => {
                own::<B>(entries)
                    .chunks(AT_ONCE)
                    .try_for_each(|some| split.splitter.push(&to_bytes(some)))?;
            }
            Unsplit::Streamed(give) => give(&mut split)?,
        }
        split.splitter.pad()?;
        split.splitter.finish()
    }

    fn each_entry(&self, entries: &AnyEntries, each: &mut dyn FnMut(&[u8])) {
        own::<B>(entries).iter().for_each(|entry| each(&to_bytes(&[*entry])));
    }

    fn check_weights(&self, count: usize, limits: &Limits) -> Result<(), Refused> {
        weighted::check_count::<B>(count, self.facts().variables, limits)
    }

    fn verify_report(&self, bytes: &[u8], weights: Option<&AnyEntries>) -> Result<Verdict, Invalid> {
        verify_report::<F, B, E>(bytes, weights.map(own::<B>))
    }
}

/// The proof file of an opening.
fn open<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    scheme: &Scheme<F, B, E>,
    coordinator: &mut Coordinator<'_, F, B, E>,
    Opening { claims, context }: &Opening,
) -> Result<File<'static>, Error> {
    match claims {
        Opened::Forms(forms) => {
            let forms: Option<Vec<TensorForm<E>>> =
                forms.iter().map(|form| form.to_tensor(scheme.params().variables())).collect();
            let none = || Error::Unsupported("a form that is none of the entries".into());
            let (claims, proof) = coordinator.open(forms.ok_or_else(none)?, context)?;
            Ok(File::from_opening(scheme, coordinator.commitment(), claims, proof))
        }
        Opened::Weighted(weights, policy) => {
            let refused = |e: iop::error::ParamError| Error::Unsupported(e.reason().to_owned());
            let sum = Weighted::from_points(scheme.clone(), policy).map_err(refused)?;
            let (claim, proof) = coordinator.open_weighted(&sum, own::<B>(weights).to_vec(), context)?;
            Ok(weighted::file(scheme, coordinator.commitment().to_bytes(), &claim, proof))
        }
    }
}

/// Entries that a prover of these types has made.
fn own<B: 'static>(entries: &AnyEntries) -> &[B] {
    entries.elements.downcast_ref::<Vec<B>>().expect("the types of these parameters")
}

/// Takes the entries of a split.
struct Split<'a, B> {
    splitter: Splitter<'a, B, fs::File>,
    /// Of a prime field.
    base: Option<Base>,
    /// Place for the bytes of one.
    element: Vec<u8>,
    row: u64,
}

impl<B: FoldFibres> TakeEntries for Split<'_, B> {
    fn row(&mut self, value: i128) -> Result<(), Error> {
        let row = self.row;
        let Some(base) = self.base.filter(|base| base.holds(value)) else {
            return Err(Error::Input(format!(
                "row {row} is {value}, which the field of the parameters does not hold"
            )));
        };
        debug_assert!(base.bytes() == B::BYTES, "the field of the parameters");
        element::<B>(value).write(&mut self.element);
        self.row += 1;
        self.splitter.push(&self.element)
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        match self.base {
            None => self.splitter.push(bytes),
            Some(_) => Err(Error::Unsupported("the parameters are for a column, and there are bytes".into())),
        }
    }
}
