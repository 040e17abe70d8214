//! Commitments and openings by several ranks, each of which holds some columns of the matrix: the files of one machine, byte for byte. (notes: cluster-ownership)
//!
//! ```text
//!  Dataset ─► Task, entries ─► prove: ranks that are threads ──► Proved: CommitmentFile, ProofFile, costs
//!                 └─► Sharded ─► coordinate, serve: one rank each       or Failed: whom the error names, and a report
//! ```

pub mod bench;
mod blame;
mod processes;
mod sharded;
mod sums;
mod terms;

pub use self::blame::{HEAVY_WEIGHTS, UNFIT_WEIGHTS, verify_report};
pub use self::processes::{coordinate, serve};
pub use self::sharded::Sharded;
pub use self::terms::Terms;
pub use crate::any::ranks::{GiveEntries, TakeEntries};
#[cfg(feature = "cluster-mpi")]
pub use ::cluster::comm::mpi;
pub use ::cluster::comm::{self, Comm, CommError, is_launched, threads};
pub use ::cluster::doctor;
pub use ::cluster::meter;
pub use ::cluster::report::{OTHER_WEIGHTS, Receipt, Report, UNWEIGHTED, Verdict, WITHOUT_WEIGHTS};
pub use ::cluster::{
    Deadlines, Deviation, Error as RankError, Hosts, Identity, Key, KeyFileError, KeyListError, PublicKey,
    retry,
};

use crate::any::ranks::{Input, Made, Opened, Opening, Seat};
use crate::any::{AnyEntries, AnyScheme, Mode};
use crate::claim::{self, Checked, Claim};
use crate::dataset::{Dataset, Measured};
use crate::error::Error;
use crate::file::{CommitmentFile, ProofFile};
use crate::params::AnyParams;
use crate::prove::{self, Setup, Witness};
use crate::search;
use crate::statement::{BytesDescription, Description, Sums};
use ::cluster::meter::Meters;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::RefCell;
use iop::security::Policy;
use pcs::matrix::Secret;
use std::time::Duration;

/// Data that ranks commit to, and the parameters, as every coordinator has them.
#[derive(Debug)]
pub struct Task {
    scheme: AnyScheme,
    params: AnyParams,
    description: Description,
    /// The sum of all rows of a column; none if it does not fit 127 bits, and for bytes.
    sum: Option<i128>,
    policy: Policy,
}

/// Where ranks have the entries from.
#[derive(Clone, Copy)]
pub enum Entries<'a> {
    /// The memory of this process.
    Memory(&'a AnyEntries),
    /// Files, of which each rank reads its own.
    Shards(&'a Sharded),
}

/// A commitment and its opening by several ranks.
#[derive(Debug)]
pub struct Proved {
    /// The commitment file.
    pub commitment: CommitmentFile,
    /// The proof file.
    pub proof: ProofFile,
    /// What it cost each rank, as each reports it.
    pub meters: Meters,
    /// Time from the columns in memory to the proof, at the coordinator.
    pub wall: Duration,
    /// Pairs of ranks, sender and receiver, that differed about digests.
    pub disputes: Vec<[usize; 2]>,
    /// The errors of earlier runs with more ranks, by which those that they name were left out.
    pub lost: Vec<String>,
    /// The secret of a commitment that hides, with this opening among those used. Whoever keeps it stores it before anyone sees the proof: another
    /// opening by the same mask would show the data.
    pub secret: Option<Secret>,
}

/// A job that ended without a proof.
#[derive(Debug, thiserror::Error)]
#[error("{}", hosts.name(&format!("{}{error}", of_rank(*.own))))]
pub struct Failed {
    /// The error of the coordinator, or of the rank that ended before it.
    pub error: RankError,
    /// The rank whose own error it is, if it is not the coordinator's.
    pub own: Option<usize>,
    /// The report that shows a deviation to third parties, if there is one.
    pub report: Option<Box<Report>>,
    /// The ranks' hosts, which the message has behind their numbers where they are not one.
    pub hosts: Hosts,
}

fn of_rank(own: Option<usize>) -> String {
    own.map_or_else(String::new, |rank| format!("rank {rank}: "))
}

impl From<RankError> for Failed {
    fn from(error: RankError) -> Self {
        Self { error, own: None, report: None, hosts: Hosts::default() }
    }
}

impl Failed {
    /// The rank that the error names, or whose error it is.
    #[must_use]
    pub fn rank(&self) -> Option<usize> {
        self.own.or_else(|| self.error.rank())
    }
}

impl Task {
    /// Data by chosen parameters, and their entries with the padding.
    ///
    /// # Errors
    /// If the parameters are for other data, refused by the policy, or not served: those of schemes without a matrix.
    pub fn new(data: &Dataset, params: AnyParams, policy: &Policy) -> Result<(Self, AnyEntries), Error> {
        search::check(&params, data)?;
        let description = prove::describe(data, params.summary().hidden_openings > 0);
        let sum = match data {
            Dataset::Column(column) => column.values.sum(),
            Dataset::Table(_) => return Err(Error::Table("ranks commit to one column at a time".into())),
            Dataset::Bytes(_) => None,
        };
        let task = Self::of(params, description, sum, policy)?;
        let entries = prove::entries(&task.scheme.prover(), data)?;
        let entries = task.scheme.prover().padded(entries);
        Ok((task, entries))
    }

    /// Data that nobody holds, by parameters that were chosen for them: [`Sharded::stream`] takes their entries.
    ///
    /// # Errors
    /// As [`Task::new`], but for what needs the rows.
    pub fn measured(params: AnyParams, column: &Measured, policy: &Policy) -> Result<Self, Error> {
        let hides = params.summary().hidden_openings > 0;
        let description = Description::Column(column.description.clone().hiding(hides));
        Self::of(params, description, column.measures.sum(), policy)
    }

    /// The same of bytes.
    ///
    /// # Errors
    /// As [`Task::measured`].
    pub fn described(params: AnyParams, bytes: &BytesDescription, policy: &Policy) -> Result<Self, Error> {
        let hides = params.summary().hidden_openings > 0;
        Self::of(params, Description::Bytes(bytes.clone().hiding(hides)), None, policy)
    }

    fn of(
        params: AnyParams,
        description: Description,
        sum: Option<i128>,
        policy: &Policy,
    ) -> Result<Self, Error> {
        search::check_description(&description)?;
        let scheme = params.clone().build(policy).map_err(Error::Params)?;
        let other = |reason: &str| Err(Error::OtherParams(reason.into()));
        if scheme.ranks().is_none() {
            return other("ranks serve schemes over a matrix: pip, ligerito and air");
        }
        if scheme.summary().polynomials != 1 || !description.fits(&params) {
            return other("they do not hold what is described");
        }
        Ok(Self { scheme, params, description, sum, policy: *policy })
    }

    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &AnyParams {
        &self.params
    }

    /// The description of the data.
    #[must_use]
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// Refuses claims that are not about the data, before any work.
    ///
    /// # Errors
    /// As [`crate::open`]; and if one is a weighted sum of a column that is in shards alone, which do not show whether it wraps around the field.
    pub fn check(&self, entries: Entries<'_>, claims: &[Claim<'_>]) -> Result<(), Error> {
        self.opening(entries, claims).map(|_| ())
    }

    fn opening(&self, entries: Entries<'_>, claims: &[Claim<'_>]) -> Result<Opening, Error> {
        let rows = self.description.rows(&self.params);
        match claim::check(claims, (&self.description, rows), &self.scheme)? {
            Checked::Forms { forms, summed, sums } => {
                if summed {
                    prove::check_sum(self.sum, (&self.description, 0), &self.scheme)?;
                }
                self.check_ranges(entries, &sums.ranges)?;
                let context = prove::context(&self.description, None, sums);
                Ok(Opening { claims: Opened::Forms(forms), context })
            }
            Checked::Product(_) => {
                Err(Error::Table("ranks prove no inner products: open on one machine".into()))
            }
            Checked::Weighted { weights, mean } => self.weighted(entries, weights, mean),
        }
    }

    /// A weighted sum that the data's field holds.
    fn weighted(&self, entries: Entries<'_>, weights: &Dataset, mean: bool) -> Result<Opening, Error> {
        let scale = match weights {
            Dataset::Column(weights) => {
                self.check_weighted_sum(entries, weights, mean)?;
                Some(weights.scale)
            }
            Dataset::Table(_) | Dataset::Bytes(_) => None,
        };
        let prover = self.scheme.prover();
        let elements = weights.with_weights(|weights| prover.weights(weights));
        let elements = elements.map_err(|e| Error::OtherParams(e.to_string()))?;
        let context = prove::context(&self.description, scale, Sums::of(mean));
        Ok(Opening { claims: Opened::Weighted(elements, self.policy), context })
    }

    fn proved(&self, made: Made) -> Proved {
        let Made { commitment, proof, meters, wall, disputes, secret } = made;
        let (params, description) = (self.params.clone(), self.description.clone());
        let commitment = CommitmentFile { params, description, commitment };
        let proof = ProofFile { file: proof };
        Proved { commitment, proof, meters, wall, disputes, lost: Vec::new(), secret }
    }
}

/// Takes one seat of a job; a report of a deviation goes with the error.
fn take_part(
    scheme: &AnyScheme,
    (comm, identity, deadlines): (Box<dyn Comm + '_>, Identity, Deadlines),
    entries: (Input<'_>, [u8; 32]),
    opening: Option<&Opening>,
) -> Result<Option<Made>, Failed> {
    let identity = identity.with_data(entries.1);
    let records = identity.records();
    let unserved = || RankError::Unsupported("ranks serve schemes over a matrix".into());
    let ranks = scheme.ranks().ok_or_else(unserved)?;
    let result = ranks.take_part(Seat { comm, identity, deadlines, input: entries.0, opening });
    let failed = |error| {
        let (report, hosts) = (records.report().map(Box::new), records.hosts());
        Failed { error, own: None, report, hosts }
    };
    result.map_err(failed)
}

/// Commits to the entries of a task and proves claims, by so many ranks, each a thread of this process.
///
/// # Errors
/// Inside, if a rank deviates, ends, or cannot read its shards; outside, as [`Task::check`].
pub fn prove(
    task: &Task,
    (entries, claims): (Entries<'_>, &[Claim<'_>]),
    (ranks, terms): (usize, &Terms),
) -> Result<Result<Proved, Failed>, Error> {
    prove_on(task, (entries, claims), ranks, (terms, &|size| threads::connect(size, MAX_CHUNK)))
}

/// Bytes of a message of threads at most.
const MAX_CHUNK: usize = 1 << 30;

/// [`prove()`] on ranks that are connected by the caller.
///
/// # Errors
/// As there.
pub fn prove_on<C: Comm + Send>(
    task: &Task,
    (entries, claims): (Entries<'_>, &[Claim<'_>]),
    ranks: usize,
    (terms, connect): (&Terms, &dyn Fn(usize) -> Vec<C>),
) -> Result<Result<Proved, Failed>, Error> {
    let opening = task.opening(entries, claims)?;
    let (lost, last) = (RefCell::new(Vec::new()), RefCell::new(None));
    let attempt = |machines: &[usize]| {
        let results = threads::run_on(connect(machines.len()), |comm: C| {
            let (rank, size) = (comm.rank(), comm.size());
            let (input, data) = match entries {
                Entries::Memory(entries) => (Input::Shared(entries), [0; 32]),
                Entries::Shards(sharded) => (Input::Shards(sharded.files(rank, size)?), sharded.data()),
            };
            let identity = terms.identity(machines, rank)?;
            let seat = (Box::new(comm) as Box<dyn Comm + '_>, identity, terms.deadlines);
            take_part(&task.scheme, seat, (input, data), Some(&opening))
        });
        chosen(results).map_err(|(error, failed)| {
            lost.borrow_mut().push(format!("{} ranks: {failed}", machines.len()));
            *last.borrow_mut() = Some(failed);
            error
        })
    };
    let machines: Vec<usize> = (0..ranks).collect();
    let made = if terms.retry { retry(&machines, attempt) } else { attempt(&machines) };
    Ok(match made {
        Ok(made) => Ok(Proved { lost: lost.into_inner(), ..task.proved(made) }),
        Err(error) => Err(last.into_inner().unwrap_or_else(|| error.into())),
    })
}

/// What a job came to: the coordinator's result; its error, which [`retry`] goes by, and the one that says most.
fn chosen(results: Vec<Result<Option<Made>, Failed>>) -> Result<Made, (RankError, Failed)> {
    let mut results: Vec<Option<Result<Option<Made>, Failed>>> = results.into_iter().map(Some).collect();
    let none = || RankError::Unsupported("there is no rank".into());
    let first = results.first_mut().and_then(Option::take).unwrap_or_else(|| Err(none().into()));
    let Failed { error, report, hosts, .. } = match first {
        Ok(Some(made)) => return Ok(made),
        Ok(None) => none().into(),
        Err(failed) => failed,
    };
    // A rank that ended by an error of its own knows more of it than who waited for it.
    let ended = matches!(&error, RankError::Comm(_)).then(|| error.rank()).flatten();
    let own = ended.and_then(|rank| Some((rank, results.get_mut(rank)?.take()?.err()?)));
    let copy = |error: &RankError| match error {
        RankError::Comm(error) => RankError::Comm(error.clone()),
        RankError::Reading { rank, within } => RankError::Reading { rank: *rank, within: *within },
        other => RankError::Unsupported(format!("{other}")),
    };
    Err(match own {
        Some((rank, failed)) if matches!(failed.error, RankError::Input(_) | RankError::Unsupported(_)) => {
            (error, Failed { own: Some(rank), ..failed })
        }
        _ => match error {
            RankError::Deviation { rank, deviation } => {
                let again = RankError::Deviation { rank, deviation };
                (again, Failed { error, own: None, report, hosts })
            }
            error => (copy(&error), Failed { error, own: None, report, hosts }),
        },
    })
}

/// One machine that commits and opens on one thread, from the entries in memory on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OneMachine {
    /// Its CPU time.
    pub cpu: Duration,
    /// Bytes of the proof file.
    pub proof_bytes: u64,
}

/// Measures one machine that commits and opens on one thread, for comparison.
///
/// # Errors
/// As [`Witness::commit`] and [`crate::open`].
pub fn one_machine(
    data: &Dataset,
    params: AnyParams,
    (policy, claims): (&Policy, &[Claim<'_>]),
) -> Result<OneMachine, Error> {
    search::check(&params, data)?;
    let run = || {
        let scheme = params.clone().build(policy).map_err(Error::Params)?;
        let (description, entries) = (prove::describe(data, false), prove::entries(&scheme.prover(), data)?);
        let start = meter::thread_cpu();
        let setup = Setup::new(policy, Mode::Whole);
        let mut witness = Witness::from_entries((scheme, params), description, entries, setup)?;
        let proof = witness.open(claims)?;
        let cpu = meter::thread_cpu().saturating_sub(start);
        Ok(OneMachine { cpu, proof_bytes: proof.to_bytes().len() as u64 })
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.map_or_else(|e| Err(Error::OtherParams(e.to_string())), |pool| pool.install(run))
}
