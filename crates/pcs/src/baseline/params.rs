//! Parameters: one value, whose digest separates the domain of every challenge.

use super::search::{self, Target};
use crate::codec::{Reader, Writer};
use crate::fields::{Family, Fields};
use crate::matrix::round_params::{self, MAX_FINAL_WORK, MAX_OPENED, regime_number, regime_of};
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt::Debug;
use iop::code::ReedSolomon;
use iop::error::ParamError;
use iop::hash::{Digest, Hash};
use iop::oracle::OracleSpec;
use iop::security::{Code, Policy, Regime, Report};

/// Limits that keep every count of a decoded parameter set small enough to compute with.
pub(crate) const MAX_LOG_SIZE: u32 = 40;
const MAX_LOG_FINAL: u32 = 16;
const MAX_QUERIES: u32 = 1 << 12;
const MAX_GRINDING: u32 = 32;

/// Domain labels of a scheme's hashes and transcripts.
#[derive(Debug, Clone, Copy)]
pub struct Labels {
    /// Of the parameters' digest.
    pub params: &'static str,
    /// Of what a commitment draws.
    pub commit: &'static str,
    /// Of an opening.
    pub open: &'static str,
}

/// Ranges that differ between the schemes, with the texts of refusals.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Why the fields must be prime.
    pub family: &'static str,
    /// log2 of the most fragments.
    pub log_columns: u32,
    /// log2 of the longest fragment.
    pub log_rows: u32,
    /// log2 of the smallest inverse rate, and what is said of a smaller one.
    pub log_inv_rate: (u32, &'static str),
    /// The error for too much work on the final message.
    pub final_work: &'static str,
}

/// Parameters of a scheme beside those that all baselines have.
///
/// Law: [`Baseline::from_parts`] of what [`Baseline::flags`] and [`Baseline::counts`] give is the same value, and of nothing else is it any.
pub trait Baseline: Debug + Clone + PartialEq + Eq + Send + Sync + 'static {
    /// Domain labels.
    const LABELS: Labels;
    /// Ranges.
    const LIMITS: Limits;
    /// The numbers of flags and of counts.
    const PARTS: [usize; 2];

    /// What the paper has in a regime.
    fn in_regime(regime: Regime) -> Self;
    /// Bytes of the encoding before the regime.
    fn flags(&self) -> Vec<u8>;
    /// Numbers of the encoding before the length of the final message.
    fn counts(&self) -> Vec<u32>;
    /// The inverse of [`Baseline::flags`] and [`Baseline::counts`].
    fn from_parts(flags: &[u8], counts: &[u32]) -> Option<Self>;
    /// The most linear forms that one opening may prove.
    fn max_forms(&self) -> u32;
    /// Names a value that is out of range.
    ///
    /// # Errors
    /// If one is.
    fn check(&self) -> Result<(), &'static str>;
    /// Base elements of the words that one position opens.
    fn opened(params: &Params<Self>) -> u64;
    /// How often a verifier goes through the final message.
    fn passes(params: &Params<Self>) -> u64;
    /// The security report, the term of the queries last; [`Params::validate`] first, since it computes with every count.
    fn report(params: &Params<Self>) -> Report;
}

/// Parameters of a baseline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Params<S> {
    /// The base field of the data and the challenge field.
    pub fields: Fields,
    /// The hash of trees and transcript.
    pub hash: Hash,
    /// The decoding regime of the analysis.
    pub regime: Regime,
    /// log2 of the number of entries of the polynomial.
    pub log_size: u32,
    /// log2 of the number of fragments (columns); 0 is the scheme of each paper's main part.
    pub log_columns: u32,
    /// log2 of the inverse rate of the code.
    pub log_inv_rate: u32,
    /// Number of positions drawn (with replacement).
    pub queries: u32,
    /// Bits of proof of work before the positions are drawn.
    pub grinding: u32,
    /// log2 of the length of the message sent in full; 0, a constant, is the papers'.
    pub log_final: u32,
    /// What the scheme adds.
    pub own: S,
}

impl<S> Params<S> {
    /// One query without work, down to a constant: log2 of entries, fragments and inverse rate.
    pub(super) fn new(
        (fields, hash, regime): (Fields, Hash, Regime),
        [log_size, log_columns, log_inv_rate]: [u32; 3],
        own: S,
    ) -> Self {
        let (queries, grinding, log_final) = (1, 0, 0);
        Self { fields, hash, regime, log_size, log_columns, log_inv_rate, queries, grinding, log_final, own }
    }

    /// The variables of a linear form: log2 of the number of entries.
    pub fn variables(&self) -> usize {
        self.log_size as usize
    }

    /// The number of data columns: fragments.
    pub fn columns(&self) -> usize {
        1 << self.log_columns
    }

    /// log2 of the number of rows: the length of one fragment.
    pub fn log_rows(&self) -> u32 {
        self.log_size - self.log_columns
    }

    /// The number of folds, each by two.
    pub fn rounds(&self) -> usize {
        (self.log_rows() - self.log_final) as usize
    }

    /// Whether commitments carry an out-of-domain value (outside unique decoding).
    pub fn out_of_domain(&self) -> bool {
        self.regime != Regime::UniqueDecoding
    }

    /// The code of word `round`.
    pub(crate) fn code(&self, round: usize) -> ReedSolomon {
        ReedSolomon::new(self.log_rows() as usize - round, self.log_inv_rate as usize)
    }

    /// The code of a word as the calculator of bits takes it.
    pub(crate) fn code_of(&self, round: usize) -> Code {
        let rs = self.code(round);
        Code { dimension: rs.dimension() as u64, log_domain: rs.log_domain() as u32 }
    }

    /// The tree over word `round < rounds`: a leaf holds the rows at `x` and `-x`. Word 0 has a column for each fragment, the others, over
    /// the challenge field, have one.
    pub(crate) fn tree(&self, round: usize) -> OracleSpec {
        let width = if round == 0 { self.columns() } else { 1 };
        let code = self.code(round + 1);
        OracleSpec { code, width: 2 * width, log_fibre: 0, log_parts: 0, hash: self.hash }
    }
}

impl<S: Baseline> Params<S> {
    /// The scheme as the paper has it, down to a constant, with the fewest queries that prove the wanted bits, and the multiplicity that
    /// needs them.
    ///
    /// # Errors
    /// If no multiplicity and no number of queries prove that many bits, or the sizes are out of range.
    pub fn for_target(target: &Target) -> Result<Self, ParamError> {
        search::fewest_queries(target)
    }

    /// The security report; [`Params::validate`] first, since it computes with every count.
    pub fn report(&self) -> Report {
        S::report(self)
    }

    /// Refuses numbers that are out of range, whatever the others prove. All that is computed with parameters is computed with those that pass.
    ///
    /// # Errors
    /// Names the first number that is out of range.
    pub fn check(&self) -> Result<(), ParamError> {
        self.check_ranges().map_err(|reason| ParamError::OutOfRange(reason.to_string()))?;
        self.regime.validate().map_err(ParamError::OutOfRange)
    }

    /// Checks ranges and that the proven bits satisfy the policy.
    ///
    /// # Errors
    /// Names the first parameter that is out of range, or the bound that the report misses.
    pub fn validate(&self, policy: &Policy) -> Result<Report, ParamError> {
        self.check()?;
        policy.check(&self.report())
    }

    pub(crate) fn check_ranges(&self) -> Result<(), &'static str> {
        let Limits { family, log_columns, log_rows, log_inv_rate: (least, rate), .. } = S::LIMITS;
        check(self.fields.family() == Family::Prime, family)?;
        check(self.log_size <= MAX_LOG_SIZE, "the polynomial is too large")?;
        check(self.log_columns <= log_columns, "too many fragments")?;
        check(self.log_columns < self.log_size, "a fragment must have at least two entries")?;
        check(self.log_rows() <= log_rows, "the fragments are too long")?;
        check((least..=16).contains(&self.log_inv_rate), rate)?;
        check((1..=MAX_QUERIES).contains(&self.queries), "the number of queries")?;
        check(self.grinding <= MAX_GRINDING, "more than 32 bits of grinding")?;
        self.own.check()?;
        check(self.log_final <= MAX_LOG_FINAL, "the final message is longer than 2^16")?;
        check(self.log_final < self.log_rows(), "the final message must be shorter than a fragment")?;
        let fits = self.code(0).log_domain() <= self.fields.max_log_domain();
        check(fits, "the code is longer than the field's largest two-power subgroup")?;
        round_params::check_indices(self.code(0).log_domain())?;
        // What the parameters can make a verifier do, bounded as for PIP_FRI. (notes: formats-params)
        let opened = u64::from(self.queries) * 2 * S::opened(self);
        check(opened <= MAX_OPENED, "the opened rows have more than 2^26 elements")?;
        check(S::passes(self) << self.log_final <= MAX_FINAL_WORK, S::LIMITS.final_work)
    }

    /// The canonical encoding.
    pub fn encode(&self) -> Vec<u8> {
        let Self {
            fields,
            hash,
            regime,
            log_size,
            log_columns,
            log_inv_rate,
            queries,
            grinding,
            log_final,
            own,
        } = self;
        let mut w = Writer::new();
        [fields.id(), hash.id()].into_iter().chain(own.flags()).for_each(|x| w.u8(x));
        w.u32(regime_number(*regime));
        let numbers = [*log_size, *log_columns, *log_inv_rate, *queries, *grinding];
        numbers.into_iter().chain(own.counts()).chain([*log_final]).for_each(|x| w.u32(x));
        w.finish()
    }

    /// Reads an encoding; `None` unless it is exactly what [`Params::encode`] writes. Not yet validated.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut r = Reader::new(bytes);
        let fields = Fields::from_id(Family::Prime, r.u8()?)?;
        let hash = Hash::from_id(r.u8()?)?;
        let flags = (0..S::PARTS[0]).map(|_| r.u8()).collect::<Option<Vec<_>>>()?;
        let regime = regime_of(r.u32()?);
        let sizes = [r.u32()?, r.u32()?, r.u32()?];
        let (queries, grinding) = (r.u32()?, r.u32()?);
        let counts = (0..S::PARTS[1]).map(|_| r.u32()).collect::<Option<Vec<_>>>()?;
        let (log_final, own) = (r.u32()?, S::from_parts(&flags, &counts)?);
        r.finish()?;
        Some(Self { queries, grinding, log_final, ..Self::new((fields, hash, regime), sizes, own) })
    }

    /// The digest that every transcript starts from.
    pub fn digest(&self) -> Digest {
        self.hash.digest(S::LABELS.params, &[&self.encode()])
    }
}

pub(crate) fn check(holds: bool, reason: &'static str) -> Result<(), &'static str> {
    if holds { Ok(()) } else { Err(reason) }
}
