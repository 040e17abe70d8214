//! The short tour of a dataset: a commitment, and proofs of what users ask for first. Of a column the sum and a weighted sum, of bytes an entry.

use crate::any::Mode;
use crate::claim::Claim;
use crate::dataset::{Base, Column, Dataset, Layout, Values};
use crate::error::Error;
use crate::file::CommitmentFile;
use crate::params::AnyParams;
use crate::prove::{Room, Setup, Witness, check_weighted_sum};
use crate::search::{self, AUTOMATIC, Options};
use crate::text::several;
use alloc::string::String;
use alloc::vec::Vec;
use iop::security::Policy;
use std::time::{Duration, Instant};

/// The weights of the weighted mean go from 1 for the first part of the rows to so many for the last.
const WEIGHTS: usize = 8;

/// A commitment and its proofs, as their files have them.
#[derive(Debug)]
pub struct Tour {
    /// The commitment.
    pub commitment: CommitmentFile,
    /// The proof of entries and the sum.
    pub proof: Vec<u8>,
    /// The proof of the weighted sum, with its weights; none if the field does not hold it.
    pub weighted: Option<(Vec<u8>, Dataset)>,
    /// Rows or entries in words.
    pub amount: String,
    /// The time to commit.
    pub committing: Duration,
    /// The time to prove.
    pub proving: Duration,
}

/// Weights that grow with the row: later rows count more.
#[must_use]
pub fn recency(rows: usize, name: &str) -> Column {
    let values = Values::Narrow((0..rows).map(|row| 1 + (row * WEIGHTS / rows) as i64).collect());
    Column { name: name.into(), values, scale: 0, layout: Layout::Numbers, source_digest: [0; 32] }
}

impl Tour {
    /// Commits to a column by PIP_FRI, and proves its sum, with an entry if one is named, and a weighted sum.
    ///
    /// # Errors
    /// If no field holds rows and sum, no parameters prove the bits, or the weights are of another number or kind; if a field does not hold the
    /// weighted sum and it is `needed`.
    pub fn of_column(
        data: &Dataset,
        (weights, needed): (Dataset, bool),
        row: Option<u64>,
        (options, policy): (&Options, &Policy),
    ) -> Result<Self, Error> {
        let Dataset::Column(column) = data else { return Err(Error::OfNumbers("sums")) };
        let (given, rows) = (weights.rows(), data.rows());
        if given != rows {
            return Err(Error::weights_count(&weights, given, rows));
        }
        let base = base(column, &weights, options)?;
        let fits = check_sums(column, &weights, base);
        if needed {
            fits.clone()?;
        }
        let params = search::rows(base, search::log_size(column), options)?;
        check_memory(&params, data.memory() + weights.memory(), options)?;
        let (mut witness, committing) = commit(data, params, policy)?;
        let start = Instant::now();
        let claims: Vec<Claim<'_>> = row.map(Claim::Row).into_iter().chain([Claim::Sum]).collect();
        let proof = witness.open(&claims)?.to_bytes();
        let weighted = match fits {
            Ok(()) => Some((witness.open(&[Claim::Weighted(&weights)])?.to_bytes(), weights)),
            Err(_) => None,
        };
        let (commitment, amount) = (witness.commitment().clone(), several(rows, "row"));
        Ok(Self { commitment, proof, weighted, amount, committing, proving: start.elapsed() })
    }

    /// Commits to the bytes of a dataset, and proves an entry: the middle one if none is named.
    ///
    /// # Errors
    /// If the parameters or the entry are not for these data.
    pub fn of_bytes(
        data: &Dataset,
        params: AnyParams,
        row: Option<u64>,
        policy: &Policy,
    ) -> Result<Self, Error> {
        let unit = params.unit();
        let rows = unit.map_or(0, |unit| unit.count(data.rows()));
        let amount = unit.map(|unit| unit.several(rows)).unwrap_or_default();
        let (mut witness, committing) = commit(data, params, policy)?;
        let start = Instant::now();
        let proof = witness.open(&[Claim::Row(row.unwrap_or(rows / 2))])?.to_bytes();
        let commitment = witness.commitment().clone();
        Ok(Self { commitment, proof, weighted: None, amount, committing, proving: start.elapsed() })
    }
}

fn commit(data: &Dataset, params: AnyParams, policy: &Policy) -> Result<(Witness, Duration), Error> {
    let start = Instant::now();
    let witness = Witness::commit(data, params, Setup::new(policy, Mode::Whole))?;
    Ok((witness, start.elapsed()))
}

/// Refuses what takes more memory than the options allow, beside what the data take.
fn check_memory(params: &AnyParams, held: u64, options: &Options) -> Result<(), Error> {
    let proofs = params.prover_memory(true).max(params.weighted_memory().unwrap_or(0));
    Room { limit: options.max_memory, data: held }.check(proofs)
}

/// Refuses weights and weighted sums that a field does not hold.
fn check_sums(column: &Column, weights: &Dataset, base: Base) -> Result<(), Error> {
    match weights {
        Dataset::Column(weights) => check_weighted_sum(column, weights, base, true),
        Dataset::Table(_) | Dataset::Bytes(_) => Err(Error::WeightsKind("a column are numbers")),
    }
}

/// The data field: the one asked for, or the smallest that holds the rows, their sum, and the weighted sum.
fn base(column: &Column, weights: &Dataset, options: &Options) -> Result<Base, Error> {
    let base = search::base(column, options)?;
    let holds = |base: &Base| check_sums(column, weights, *base).is_ok();
    let wider = AUTOMATIC.into_iter().skip_while(|automatic| *automatic != base).find(holds);
    Ok(if options.field.is_none() { wider.unwrap_or(base) } else { base })
}
