//! Jobs of several ranks on threads.

/// The rank, number of ranks and clock of the back end within, `comm`.
macro_rules! as_its_own {
    () => {
        fn rank(&self) -> usize {
            self.comm.rank()
        }

        fn size(&self) -> usize {
            self.comm.size()
        }

        fn clock(&self) -> Clock {
            self.comm.clock()
        }
    };
}

mod deviations;
mod failures;
mod identity;
mod parts;
mod reading;
mod report_fuzz;
mod reports;
mod shards;
mod weighted;
mod weighted_reports;

use crate::comm::threads::{Threads, connect, run_on};
use crate::comm::{Clock, Comm, CommError, Incoming, Outgoing};
use crate::identity::SIGNATURE;
use crate::meter::Meters;
use crate::{Coordinator, Deadlines, Error, Identity, Key, Member};
use core::time::Duration;
use field::{ExtensionOf, FoldFibres, Goldilocks, Goldilocks2};
use iop::hash::Hash;
use iop::poly::TensorForm;
use iop::security::{Policy, Regime};
use pcs::fields::Fields;
use pcs::matrix::{Inner, Params, Prime, RoundParams, Scheme, Steps};
use pcs::ring_switching::Entries;

pub(super) const JOHNSON: Regime = Regime::Johnson { multiplicity: 8 };

/// Bytes of a message at most, to have many.
const CHUNK: usize = 1000;

/// Parameters that prove little, in little time.
pub(super) fn params(fields: Fields, regime: Regime, inner: Inner) -> Params {
    Params {
        fields,
        hash: Hash::Blake3,
        regime,
        entries: Entries::Whole,
        log_size: 10,
        polynomials: 1,
        max_forms: 2,
        hidden_openings: 0,
        log_parts: 4,
        log_leaf_fibres: 0,
        level: RoundParams { log_columns: 4, log_inv_rate: 2, queries: 12, grinding: 0, fold_grinding: 1 },
        inner,
    }
}

pub(super) fn recursion() -> Inner {
    Inner::Recursion(vec![RoundParams {
        log_columns: 2,
        log_inv_rate: 3,
        queries: 6,
        grinding: 0,
        fold_grinding: 0,
    }])
}

pub(super) fn scheme<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(params: &Params) -> Scheme<F, B, E> {
    Scheme::new(params.clone(), &Policy::at_least(0)).expect("parameters in range")
}

/// A line of what tests show with `--nocapture`: which proofs are the same, and the message of each failure.
pub(super) fn show(line: impl core::fmt::Display) {
    println!("shows: {line}");
}

/// Entries without structure, polynomial after polynomial.
pub(super) fn entries<B: FoldFibres>(params: &Params) -> Vec<Vec<B>> {
    let columns = params.columns() / params.polynomials as usize;
    let mut x = 1u64;
    let mut byte = || {
        x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (x >> 56) as u8
    };
    let mut entry = || B::from_uniform(&(0..B::UNIFORM_BYTES).map(|_| byte()).collect::<Vec<u8>>());
    (0..params.polynomials).map(|_| (0..columns << params.log_rows()).map(|_| entry()).collect()).collect()
}

pub(super) fn forms<B: FoldFibres, E: ExtensionOf<B>>(params: &Params) -> Vec<TensorForm<E>> {
    let variables = params.variables();
    let z: Vec<E> = (0..variables as u64).map(|v| E::from_u64(v + 7).pow(31) + E::ONE).collect();
    [TensorForm::point(&z), TensorForm::sum(variables)].into_iter().take(params.max_forms as usize).collect()
}

pub(super) fn deadlines(step: u64) -> Deadlines {
    let step = Duration::from_millis(step);
    Deadlines { step, idle: Duration::from_secs(20).max(8 * step) }
}

/// What a rank changes of a message: the number of the step among those in which it sends, the rank it is for, and the message.
pub(super) type Change<'a> = dyn Fn(usize, usize, &mut Vec<u8>) + Send + Sync + 'a;

/// An honest rank but for its messages: what it signs is changed before that.
pub(super) struct Deviating<'a> {
    comm: Threads,
    change: Option<&'a Change<'a>>,
    steps: usize,
    /// True if the next message was changed already, and signed.
    signed: bool,
}

impl<'a> Deviating<'a> {
    pub fn new(comm: Threads, change: Option<&'a Change<'a>>) -> Self {
        Self { comm, change, steps: 0, signed: false }
    }
}

impl Comm for Deviating<'_> {
    as_its_own!();

    fn before_signing(&mut self, answer: &mut Vec<u8>) {
        if let Some(change) = self.change {
            change(self.steps, 0, answer);
            self.steps += 1;
            self.signed = true;
        }
    }

    fn exchange(
        &mut self,
        outgoing: &[Outgoing<'_>],
        incoming: &mut [Incoming<'_>],
        within: Duration,
    ) -> Result<(), CommError> {
        let Some(change) = self.change.filter(|_| !outgoing.is_empty()) else {
            return self.comm.exchange(outgoing, incoming, within);
        };
        let mut messages: Vec<(usize, Vec<u8>)> = outgoing.iter().map(|o| (o.to, o.bytes.to_vec())).collect();
        let signed = core::mem::take(&mut self.signed);
        if !signed {
            messages.iter_mut().for_each(|(to, bytes)| change(self.steps, *to, bytes));
            self.steps += 1;
        }
        // An empty message is none, with a signature or without.
        let empty = if signed { SIGNATURE } else { 0 };
        let messages = messages.iter().filter(|(_, bytes)| bytes.len() > empty);
        let changed: Vec<Outgoing<'_>> = messages.map(|(to, bytes)| Outgoing { to: *to, bytes }).collect();
        self.comm.exchange(&changed, incoming, within)
    }
}

/// The steps in which a rank that is not the coordinator sends, in unique decoding.
pub(super) mod step {
    pub const HELLO: usize = 0;
    /// Before that it says that it has read its columns.
    pub const DIGESTS: usize = 2;
    pub const STATEMENT: usize = 3;
    /// If its digests are disputed.
    pub const RELAY: usize = 4;
    pub const VALUES: usize = 4;
    pub const COLUMNS: usize = 5;
    pub const ROWS: usize = 6;
    /// After a proof that does not hold: the combination once more, and slices for each owner of leaves.
    pub const COLUMNS_AGAIN: usize = 7;
    pub const SLICES: usize = 8;
}

/// The commitment, the proof, the disputes and the costs of a job.
pub(super) struct Outcome {
    pub commitment: Vec<u8>,
    pub proof: Vec<u8>,
    pub disputes: Vec<[usize; 2]>,
    pub meters: Meters,
}

pub(super) type Pip = Scheme<Prime, Goldilocks, Goldilocks2>;

/// A scheme in unique decoding, with one form.
pub(super) fn pip() -> Pip {
    scheme(&Params { max_forms: 1, ..params(Fields::Goldilocks2, Regime::UniqueDecoding, recursion()) })
}

/// Opens, and ends the job.
pub(super) fn opened<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    mut coordinator: Coordinator<'_, F, B, E>,
    params: &Params,
) -> Result<Outcome, Error> {
    let (_, proof) = coordinator.open(forms::<B, E>(params), b"context")?;
    let (commitment, disputes) = (coordinator.commitment().to_bytes(), coordinator.disputes());
    Ok(Outcome { commitment, proof, disputes, meters: coordinator.finish()? })
}

/// The results of all ranks of a job of four with one that deviates; that of the coordinator first.
pub(super) fn job<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    scheme: &Scheme<F, B, E>,
    deviant: usize,
    change: &Change<'_>,
    step: u64,
) -> (Result<Outcome, Error>, Vec<Result<(), Error>>) {
    let (coordinator, others, _) = reported(scheme, deviant, change, step);
    (coordinator, others)
}

/// What a job came to: for the coordinator, for the others, and the report that the coordinator has.
pub(super) type Reported = (Result<Outcome, Error>, Vec<Result<(), Error>>, Option<Vec<u8>>);

/// [`job`], with the coordinator's report.
pub(super) fn reported<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    scheme: &Scheme<F, B, E>,
    deviant: usize,
    change: &Change<'_>,
    step: u64,
) -> Reported {
    job_of(scheme, deviating(deviant, change), step)
}

/// Four ranks, of which one deviates.
pub(super) fn deviating<'a>(deviant: usize, change: &'a Change<'a>) -> Vec<Deviating<'a>> {
    let deviating = |comm: Threads| {
        let change = (comm.rank() == deviant).then_some(change);
        Deviating::new(comm, change)
    };
    connect(4, CHUNK).into_iter().map(deviating).collect()
}

/// The results of some ranks.
pub(super) fn job_of<C: Comm + Send, F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    scheme: &Scheme<F, B, E>,
    ranks: Vec<C>,
    step: u64,
) -> Reported {
    let entries = entries::<B>(scheme.params());
    let results = run_on(ranks, |comm| {
        let identity = Identity::new(Key::from_bytes(&[comm.rank() as u8 + 1; 32]), b"a job");
        let records = identity.records();
        let run = || {
            let rank = Member::join_as(identity, scheme, Box::new(comm), deadlines(step))?;
            let columns = rank.columns_of(&[&entries[0]])?;
            if rank.coordinates() {
                // Which positions are opened must not depend on chance: few queries see a wrong tree by some of them alone.
                let coordinator = match scheme.params().hidden_openings {
                    0 => rank.coordinate(columns)?,
                    _ => rank.coordinate_hiding(columns, identity::secret())?,
                };
                return opened(coordinator, scheme.params()).map(Some);
            }
            rank.serve(columns).map(|_| None)
        };
        let result = run();
        (result, records.report().map(|report| report.to_json()))
    });
    let mut results = results.into_iter();
    let (coordinator, report) = results.next().expect("a coordinator");
    let others = results.map(|(result, _)| result.map(drop)).collect();
    (coordinator.map(|outcome| outcome.expect("the coordinator's")), others, report)
}
