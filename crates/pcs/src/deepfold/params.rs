//! Parameters of the scheme: one value, whose digest separates the domain of every challenge.

use super::search::{self, Target};
use crate::codec::{Reader, Writer};
use crate::fields::{Family, Fields};
use crate::matrix::round_params::{self, MAX_FINAL_WORK, MAX_OPENED};
use alloc::string::ToString;
use alloc::vec::Vec;
use iop::code::ReedSolomon;
use iop::error::ParamError;
use iop::hash::{Digest, Hash};
use iop::oracle::OracleSpec;
use iop::security::{Policy, Regime, Report};

/// Limits that keep every count of a decoded parameter set small enough to compute with.
const MAX_LOG_SIZE: u32 = 40;
const MAX_LOG_COLUMNS: u32 = 24;
const MAX_LOG_FINAL: u32 = 16;
const MAX_QUERIES: u32 = 1 << 12;
const MAX_GRINDING: u32 = 32;
const MAX_FORMS: u32 = 1 << 8;

/// Parameters of DeepFold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Params {
    /// The base field of the data and the challenge field.
    pub fields: Fields,
    /// The hash of trees and transcript.
    pub hash: Hash,
    /// The decoding regime of the analysis.
    pub regime: Regime,
    /// log2 of the number of entries of the polynomial.
    pub log_size: u32,
    /// log2 of the number of fragments (columns); 0 is the scheme of the paper's main part.
    pub log_columns: u32,
    /// log2 of the inverse rate of the code.
    pub log_inv_rate: u32,
    /// Number of positions drawn (with replacement).
    pub queries: u32,
    /// Bits of proof of work before the positions are drawn.
    pub grinding: u32,
    /// The most linear forms that one opening may prove.
    pub max_forms: u32,
    /// Whether each folded word comes with a value at a random point, as in the paper. The security report does
    /// not rely on it: mutual correlated agreement, proven after the paper, follows every member of a list.
    // notes: deepfold-deep
    pub deep: bool,
    /// log2 of the length of the message sent in clear; 0, a constant, is the paper's.
    pub log_final: u32,
}

impl Params {
    /// The variables of a linear form: log2 of the number of entries.
    pub fn variables(&self) -> usize {
        self.log_size as usize
    }

    /// The scheme as the paper has it (a constant at the end; in the Johnson regime, a value outside of the domain
    /// for each word) with the fewest queries that prove the wanted bits, and the multiplicity that needs them.
    ///
    /// # Errors
    /// If no multiplicity and no number of queries prove that many bits, or the sizes are out of range.
    pub fn for_target(target: &Target) -> Result<Self, ParamError> {
        search::fewest_queries(target)
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

    /// The code of word `round`; word 0 is the committed matrix.
    pub(super) fn code(&self, round: usize) -> ReedSolomon {
        ReedSolomon::new(self.log_rows() as usize - round, self.log_inv_rate as usize)
    }

    /// The tree over word `round < rounds`: a leaf holds the rows at `x` and `-x`. Word 0 is over the base field,
    /// the others, of one column, over the challenge field.
    pub(super) fn tree(&self, round: usize) -> OracleSpec {
        let width = if round == 0 { self.columns() } else { 1 };
        OracleSpec {
            code: self.code(round + 1),
            width: 2 * width,
            log_fibre: 0,
            log_parts: 0,
            hash: self.hash,
        }
    }

    /// Checks ranges and that the proven bits satisfy the policy.
    ///
    /// # Errors
    /// Names the first parameter that is out of range, or the bound that the report misses.
    pub fn validate(&self, policy: &Policy) -> Result<Report, ParamError> {
        self.check_ranges().map_err(|reason| ParamError(reason.to_string()))?;
        self.regime.validate().map_err(ParamError)?;
        policy.check(&self.report()).map_err(ParamError)
    }

    pub(super) fn check_ranges(&self) -> Result<(), &'static str> {
        check(self.fields.family() == Family::Prime, "words are folded over prime fields")?;
        check(self.log_size <= MAX_LOG_SIZE, "the polynomial is too large")?;
        check(self.log_columns <= MAX_LOG_COLUMNS, "too many fragments")?;
        check(self.log_columns < self.log_size, "a fragment must have at least two entries")?;
        check((1..=16).contains(&self.log_inv_rate), "the rate must lie between 1/2 and 2^-16")?;
        check((1..=MAX_QUERIES).contains(&self.queries), "the number of queries")?;
        check(self.grinding <= MAX_GRINDING, "more than 32 bits of grinding")?;
        check((1..=MAX_FORMS).contains(&self.max_forms), "the number of linear forms per opening")?;
        check(self.log_final <= MAX_LOG_FINAL, "the final message is longer than 2^16")?;
        check(self.log_final < self.log_rows(), "the final message must be shorter than a fragment")?;
        let fits = self.code(0).log_domain() <= self.fields.max_log_domain();
        check(fits, "the code is longer than the field's largest two-power subgroup")?;
        round_params::check_indices(self.code(0).log_domain())?;
        self.check_work()
    }

    /// Bounds what the parameters can make a verifier do, as those of PIP_FRI. (notes: formats-params)
    fn check_work(&self) -> Result<(), &'static str> {
        let (queries, rounds) = (u64::from(self.queries), self.rounds() as u64);
        let opened = queries * 2 * (self.columns() as u64 + rounds * self.fields.degree() as u64);
        check(opened <= MAX_OPENED, "the opened rows have more than 2^26 elements")?;
        let claims = u64::from(self.max_forms) + 1 + rounds + queries;
        check(
            claims << self.log_final <= MAX_FINAL_WORK,
            "claims times entries of the final message exceed 2^26",
        )
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
            max_forms,
            deep,
            log_final,
        } = self;
        let mut w = Writer::new();
        w.u8(fields.id());
        w.u8(hash.id());
        w.u8(u8::from(*deep));
        w.u32(match regime {
            Regime::UniqueDecoding => 0,
            Regime::Johnson { multiplicity } => *multiplicity,
        });
        let numbers = [*log_size, *log_columns, *log_inv_rate, *queries, *grinding, *max_forms, *log_final];
        numbers.iter().for_each(|&x| w.u32(x));
        w.finish()
    }

    /// Reads an encoding; `None` unless it is exactly what [`Params::encode`] writes. Not yet validated.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut r = Reader::new(bytes);
        let fields = Fields::from_id(Family::Prime, r.u8()?)?;
        let hash = Hash::from_id(r.u8()?)?;
        let deep = match r.u8()? {
            0 => false,
            1 => true,
            _ => return None,
        };
        let regime = match r.u32()? {
            0 => Regime::UniqueDecoding,
            multiplicity => Regime::Johnson { multiplicity },
        };
        let (log_size, log_columns, log_inv_rate) = (r.u32()?, r.u32()?, r.u32()?);
        let (queries, grinding, max_forms, log_final) = (r.u32()?, r.u32()?, r.u32()?, r.u32()?);
        r.finish()?;
        Some(Self {
            fields,
            hash,
            regime,
            log_size,
            log_columns,
            log_inv_rate,
            queries,
            grinding,
            max_forms,
            deep,
            log_final,
        })
    }

    /// The digest that every transcript starts from.
    pub fn digest(&self) -> Digest {
        self.hash.digest("tenfold deepfold params v1", &[&self.encode()])
    }
}

fn check(holds: bool, reason: &'static str) -> Result<(), &'static str> {
    if holds { Ok(()) } else { Err(reason) }
}
