//! Committing to data, and proving claims about them.
//!
//! ```text
//!  Dataset, Options ─► search::choose ─► Witness ─► open(claims) ─► ProofFile
//!                                          └──────► CommitmentFile
//! ```

mod kept;
mod opening;
mod room;

pub use crate::claim::forms;
#[cfg(feature = "cluster")]
pub(crate) use opening::{check_sum, column, context};
pub(crate) use room::Room;

use crate::any::{AnyEntries, AnyProver, AnyScheme, AnyWitness, Mode};
use crate::claim::{self, Checked, Claim};
use crate::dataset::{Base, Column, Dataset, Total};
use crate::device::Device;
use crate::error::Error;
use crate::file::{CommitmentFile, ProofFile};
use crate::params::AnyParams;
use crate::search::{self, Options};
use crate::statement::Description;
use iop::error::ParamError;
use iop::security::Policy;
use pcs::pip::Secret;

/// Commits to data by the cheapest parameters that prove what the options ask for.
///
/// Returns what is published, and what opens it: that stays with the prover.
///
/// # Errors
/// If the options are not for such data, no field holds them, nothing proves the bits, or memory does not suffice.
pub fn commit(data: &Dataset, options: &Options) -> Result<(CommitmentFile, Witness), Error> {
    commit_on(data, options, &Device::new(options.device))
}

/// [`commit()`] on a device that serves many commitments; that of the options is not looked at.
///
/// # Errors
/// As [`commit()`].
pub fn commit_on(
    data: &Dataset,
    options: &Options,
    device: &Device,
) -> Result<(CommitmentFile, Witness), Error> {
    if data.rows() == 0 {
        return Err(Error::Empty);
    }
    let params = search::choose(data, options)?;
    let held = data.rows().saturating_mul(data.columns()).saturating_mul(16);
    let room = Room { limit: options.max_memory, data: held };
    room.check(params.prover_memory(true))?;
    let policy = search::policy(options, matches!(data, Dataset::Bytes(_)))?;
    let mode = if options.hidden_openings > 0 { Mode::Hiding(Secret::from_os()) } else { Mode::Whole };
    let witness = Witness::commit(data, params, Setup::new(&policy, mode).on(device))?;
    // Nobody else has the secret.
    Ok((witness.commitment().clone(), Witness { room, stored: false, ..witness }))
}

/// Proves claims about committed data in one proof.
///
/// # Errors
/// If a claim is not about the data, there are more than one proof holds, a sum would wrap around the field, or a weighted one takes more memory
/// than the options of the commitment allow; if a GPU made a wrong commitment, in every call; [`Error::Uncounted`] of a hiding commitment
/// whose secret was given.
pub fn open(witness: &mut Witness, claims: &[Claim<'_>]) -> Result<ProofFile, Error> {
    witness.open(claims)
}

/// An opening of a hiding commitment whose proof is withheld until its count is stored.
#[derive(Debug)]
pub struct Counted<'a> {
    /// The secret, with this opening among those used: what to store.
    pub secret: &'a Secret,
    /// The openings used before this one: what must be stored so far.
    pub before: u32,
    /// Bytes of the proof file.
    pub length: usize,
}

/// Why [`Witness::open_counted`] gives no proof.
#[derive(Debug, thiserror::Error)]
pub enum CountError<E> {
    /// The claims are not proven.
    #[error(transparent)]
    Open(#[from] Error),
    /// The new count is not stored.
    #[error("the count of used openings is not stored, so the proof is withheld: {0}")]
    Store(E),
}

/// How a witness is made.
pub struct Setup<'a> {
    /// What the parameters must prove.
    pub policy: &'a Policy,
    /// What is kept.
    pub mode: Mode,
    /// Where it is held.
    pub device: Device,
}

impl<'a> Setup<'a> {
    /// By the threads of this process.
    #[must_use]
    pub fn new(policy: &'a Policy, mode: Mode) -> Self {
        Self { policy, mode, device: Device::default() }
    }

    /// On this device.
    #[must_use]
    pub fn on(self, device: &Device) -> Self {
        Self { device: device.clone(), ..self }
    }
}

/// What the prover keeps of a commitment, to open it as often as needed.
pub struct Witness {
    device: Device,
    scheme: AnyScheme,
    policy: Policy,
    commitment: CommitmentFile,
    witness: AnyWitness,
    /// The commitment that was returned came from a GPU and differs from the CPU's, and the caller has not shown the CPU's since ([`Witness::check_same`]).
    wrong: bool,
    /// Openings left of a hiding commitment.
    left: Option<u32>,
    /// The secret of a hiding commitment was given, and so another process may have it too.
    stored: bool,
    /// The sum of all rows of each column, once they are known; none where it does not fit 127 bits.
    sums: Option<Vec<Option<i128>>>,
    /// What the options of [`commit()`] allow.
    room: Room,
}

impl core::fmt::Debug for Witness {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Witness").field("commitment", &self.commitment).finish_non_exhaustive()
    }
}

impl Witness {
    /// Commits to data by chosen parameters.
    ///
    /// # Errors
    /// If the parameters are for other data, or refused by the policy.
    pub fn commit(data: &Dataset, params: AnyParams, setup: Setup<'_>) -> Result<Self, Error> {
        search::check(&params, data)?;
        let scheme = params.clone().build(setup.policy).map_err(Error::Params)?;
        let description = describe(data, scheme.summary().hidden_openings > 0);
        search::check_description(&description)?;
        let entries = entries(&scheme.prover(), data)?;
        let witness = Self::from_entries((scheme, params), description, entries, setup)?;
        let sums = match data {
            Dataset::Column(column) => Some(vec![column.values.sum()]),
            Dataset::Table(table) => Some(table.columns().iter().map(|column| column.values.sum()).collect()),
            Dataset::Bytes(_) => None,
        };
        Ok(Self { sums, ..witness })
    }

    /// Commits to entries that a prover of the scheme has read, of the data that are described.
    ///
    /// # Errors
    /// If the description is not one of such entries under these parameters or none that verifiers read, scheme or entries have other
    /// parameters, or there is a secret and the parameters do not hide, or the other way round.
    pub fn from_entries(
        (scheme, params): (AnyScheme, AnyParams),
        description: Description,
        entries: AnyEntries,
        Setup { policy, mode, device }: Setup<'_>,
    ) -> Result<Self, Error> {
        search::check_description(&description)?;
        check_described((&scheme, &params), &description, &entries)?;
        let openings = scheme.summary().hidden_openings;
        let left = match &mode {
            Mode::Hiding(secret) => Some(openings.saturating_sub(secret.used())),
            Mode::Whole | Mode::Lean => None,
        };
        let stored = left.is_some();
        if left.is_some() != (openings > 0) {
            let reason =
                ParamError::OutOfRange("a secret is for parameters that hide, which need one".into());
            return Err(Error::Params(reason));
        }
        let witness = scheme.prover().commit_on(entries, mode, &device);
        let commitment = CommitmentFile { params, description, commitment: witness.commitment().to_vec() };
        let (policy, room) = (*policy, Room::default());
        Ok(Self { device, scheme, policy, commitment, witness, wrong: false, left, stored, sums: None, room })
    }

    /// The commitment, to be published.
    #[must_use]
    pub fn commitment(&self) -> &CommitmentFile {
        &self.commitment
    }

    /// The openings left of a hiding commitment; none of one that does not hide, which has no limit.
    #[must_use]
    pub fn openings_left(&self) -> Option<u32> {
        self.left
    }

    /// Refuses data that are not those that were committed to. If a GPU says so, the CPU is asked too, and if the commitment is the CPU's, the
    /// witness opens it.
    ///
    /// # Errors
    /// [`Error::OtherData`] if this commitment is another one; [`Error::WrongDevice`] if it is the GPU's, which is known to be wrong.
    pub fn check_same(&mut self, commitment: &CommitmentFile) -> Result<(), Error> {
        if self.commitment != *commitment && self.witness.is_remote() {
            self.recommit();
        }
        if self.wrong {
            let right = self.witness.commitment().to_vec();
            let right = CommitmentFile { commitment: right, ..self.commitment.clone() };
            if right == *commitment {
                (self.commitment, self.wrong) = (right, false);
            }
        }
        match self.commitment == *commitment {
            true if self.wrong => Err(Error::WrongDevice),
            true => Ok(()),
            false => Err(Error::OtherData),
        }
    }

    /// Leaves a device; returns true if its commitment was the CPU's.
    fn recommit(&mut self) -> bool {
        self.witness = self.scheme.prover().recommit(&self.witness);
        self.wrong = self.witness.commitment() != self.commitment.commitment;
        if self.wrong {
            self.device.note_wrong();
        }
        !self.wrong
    }

    /// Ends the witness; of a hiding one its secret is left, which counts the openings.
    ///
    /// A secret that is kept must be stored with its new count, durably, before anyone sees a proof made meanwhile
    /// ([`Witness::open_counted`]).
    #[must_use]
    pub fn into_secret(self) -> Option<Secret> {
        self.scheme.prover().end(self.witness)
    }
}

/// Refuses a description that is not one of these entries under a scheme's parameters, which no verifier would accept.
fn check_described(
    (scheme, params): (&AnyScheme, &AnyParams),
    description: &Description,
    entries: &AnyEntries,
) -> Result<(), Error> {
    let other = |reason: &str| Err(Error::OtherParams(reason.into()));
    let summary = scheme.summary();
    if scheme.digest() != params.digest() {
        return other("the scheme has other parameters");
    }
    if !entries.are_of(scheme) {
        return other("the entries were read for other parameters");
    }
    if summary.polynomials != description.polynomials() {
        return other("they are for another number of polynomials than columns are described");
    }
    if !description.fits(params) {
        return other("they do not hold what is described");
    }
    let elements = match description {
        Description::Column(column) => column.rows,
        Description::Table(table) => u64::from(table.count()) << summary.log_size,
        Description::Bytes(bytes) => bytes.length.div_ceil(summary.bytes[0] as u64),
    };
    let count = scheme.prover().count(entries);
    // Entries that were stored come with their padding.
    if count as u64 != elements && count as u64 != u64::from(summary.polynomials) << summary.log_size {
        return other("there is another number of entries than is described");
    }
    if summary.hidden_openings > 0 && description.source() != [0; 32] {
        return other("a digest of hidden data would show whether a guess is right");
    }
    Ok(())
}

/// Refuses weights that a field does not hold, a weighted sum that would wrap around it, and for a mean weights that have none.
///
/// # Errors
/// If the sum of a column by the weights would be refused so.
pub fn check_weighted_sum(column: &Column, weights: &Column, base: Base, mean: bool) -> Result<(), Error> {
    let rows = column.values.iter().zip(weights.values.iter());
    let sum = rows.fold(Total::ZERO, |sum, (x, weight)| sum.plus_product(x, weight));
    check_weights(weights, base, mean)?;
    check_weighted((sum.value(), &column.name), base)
}

/// Refuses weights that a field does not hold, and for a mean those that have none.
pub(crate) fn check_weights(weights: &Column, base: Base, mean: bool) -> Result<(), Error> {
    weights.values.check(base, weights.scale).map_err(Error::WeightOutOfField)?;
    match weights.values.sum() {
        None if mean => Err(Error::WeightsTooLarge),
        Some(0) if mean => Err(Error::NoMean),
        _ => Ok(()),
    }
}

/// Refuses a weighted sum of a column that would wrap around the field; none if it does not fit 127 bits.
pub(crate) fn check_weighted((sum, name): (Option<i128>, &str), base: Base) -> Result<(), Error> {
    match sum {
        None => Err(Error::WeightedSumTooLarge { name: name.into() }),
        Some(sum) if base.holds(sum) => Ok(()),
        Some(_) => Err(Error::WeightedSumWraps { name: name.into(), field: base.name() }),
    }
}

/// Checks claims before a witness is made: whether they are about the data of a commitment, and fit one proof.
///
/// # Errors
/// As [`open`], but for what needs the data.
pub fn check_claims(claims: &[Claim<'_>], of: &CommitmentFile, scheme: &AnyScheme) -> Result<(), Error> {
    check(claims, of, scheme).map(|_| ())
}

fn check<'a>(claims: &[Claim<'a>], of: &CommitmentFile, scheme: &AnyScheme) -> Result<Checked<'a>, Error> {
    claim::check(claims, (&of.description, of.description.rows(&of.params)), scheme)
}

/// The description of data for a commitment that hides or does not.
#[must_use]
pub fn describe(data: &Dataset, hides: bool) -> Description {
    match data {
        Dataset::Column(column) => Description::Column(column.describe().hiding(hides)),
        Dataset::Table(table) => Description::Table(table.describe().hiding(hides)),
        Dataset::Bytes(bytes) => Description::Bytes(bytes.describe().hiding(hides)),
    }
}

/// The entries of data, for a prover of parameters that hold them.
///
/// # Errors
/// If they do not.
pub fn entries(prover: &AnyProver<'_>, data: &Dataset) -> Result<AnyEntries, Error> {
    let other = |e: &dyn core::fmt::Display| Error::OtherParams(e.to_string());
    match data {
        Dataset::Column(column) => prover.integers(&mut column.values.iter()).map_err(|e| other(&e)),
        Dataset::Table(table) => {
            let columns = table.columns().iter().map(|column| column.values.iter()).collect();
            prover.columns(columns).map_err(|e| other(&e))
        }
        Dataset::Bytes(bytes) => match prover.bytes(&mut &bytes.content[..]) {
            Ok(entries) => entries.map_err(|e| other(&e)),
            Err(e) => Err(other(&e)),
        },
    }
}
