//! Parameters of the scheme: one value, whose digest separates the domain of every challenge.

use super::chain::Chain;
use super::security;
use super::stage::Stage;
use crate::codec::{Reader, Writer};
use crate::fields::Fields;
use iop::code::ReedSolomon;
use iop::error::ParamError;
use iop::hash::{Digest, Hash};
use iop::oracle::Shape;
use iop::security::{Policy, Regime, Report};
use iop::sumcheck::Rounds;

/// Limits that keep every count of a decoded parameter set small enough to compute with.
pub(super) const MAX_LOG_SIZE: u32 = 40;
const MAX_POLYNOMIALS: u32 = 1 << 16;
const MAX_FORMS: u32 = 1 << 12;
pub(super) const MAX_QUERIES: u32 = 1 << 12;
const MAX_GRINDING: u32 = 32;
const MAX_LEVELS: usize = 16;
const MAX_OPENINGS: u32 = 16;
const MAX_STEPS: usize = 32;
const MAX_LOG_FIBRE: u32 = 8;
/// The most base elements in all opened rows together: each is read, hashed and weighted.
pub(crate) const MAX_OPENED: usize = 1 << 26;
/// The most products on the final message: every claim and every opened row weights each of its entries.
pub(crate) const MAX_FINAL_WORK: usize = 1 << 26;

/// One committed matrix: how a message is laid out, encoded and queried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// log2 of the number of columns (fragments) that the message is shredded into.
    pub log_columns: u32,
    /// log2 of the inverse rate of the code.
    pub log_inv_rate: u32,
    /// Number of positions drawn (with replacement).
    pub queries: u32,
    /// Bits of proof of work before the positions are drawn.
    pub grinding: u32,
    /// Bits of proof of work before each challenge that combines this matrix's columns, or in a chain folds its
    /// words: they let a smaller challenge field prove the same bits. (notes: pip-fold-grinding)
    pub fold_grinding: u32,
}

/// The argument that ties the combined fragment to its claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inner {
    /// Re-commit to the combined fragment at lower and lower rates; an empty list sends it in clear.
    /// (notes: pip-recursion)
    Recursion(Vec<Level>),
    /// Fold the combined fragment's word, so many variables from each word to the next, and send what is left in
    /// clear. The first fold may bind none: then the first committed word is the combined fragment's own.
    /// (notes: pip-chain)
    Chain(Vec<u32>),
    /// The published scheme: one chain of words for the value and one for proximity, down to a constant. One form,
    /// one polynomial, unique decoding. (notes: pip-polyfrim)
    TwoChains,
}

/// The inner arguments, without their shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InnerKind {
    /// [`Inner::Recursion`].
    Recursion,
    /// [`Inner::Chain`].
    Chain,
    /// [`Inner::TwoChains`].
    TwoChains,
}

impl Inner {
    /// Which one it is.
    pub fn kind(&self) -> InnerKind {
        match self {
            Self::Recursion(_) => InnerKind::Recursion,
            Self::Chain(_) => InnerKind::Chain,
            Self::TwoChains => InnerKind::TwoChains,
        }
    }
}

impl InnerKind {
    /// The name in tables and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Recursion => "recursion",
            Self::Chain => "chain",
            Self::TwoChains => "two-chains",
        }
    }
}

/// Parameters of PIP_FRI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Params {
    /// The base field of the data and the challenge field.
    pub fields: Fields,
    /// The hash of trees and transcript.
    pub hash: Hash,
    /// The decoding regime of the analysis.
    pub regime: Regime,
    /// log2 of the number of entries of each polynomial.
    pub log_size: u32,
    /// The number of polynomials committed together.
    pub polynomials: u32,
    /// The most linear forms that one opening may prove.
    pub max_forms: u32,
    /// The number of openings that reveal nothing beyond their claims; 0 commits without hiding.
    pub hidden_openings: u32,
    /// The committed matrix.
    pub level: Level,
    /// The inner argument.
    pub inner: Inner,
}

impl Params {
    /// The number of data columns of the committed matrix: all fragments of all polynomials.
    pub fn columns(&self) -> usize {
        (self.polynomials as usize) << self.level.log_columns
    }

    /// log2 of the number of rows: the length of one fragment.
    pub fn log_rows(&self) -> u32 {
        self.log_size - self.level.log_columns
    }

    /// Random rows below the data: one more than the rows that all hidden openings reveal, so that even an
    /// unopened leaf stays unpredictable to one who knows the data. (notes: zk-tail, zk-rows)
    pub fn tail(&self) -> usize {
        if self.hidden_openings == 0 { 0 } else { self.hidden_openings as usize * self.opened_rows() + 1 }
    }

    /// The most rows of the committed matrix that one opening shows: a chain opens all that fold into a position.
    pub fn opened_rows(&self) -> usize {
        let variables = match &self.inner {
            Inner::Recursion(_) => 0,
            Inner::Chain(steps) => steps.first().copied().unwrap_or(0),
            Inner::TwoChains => 1,
        };
        (self.level.queries as usize) << variables
    }

    /// The words of a chain as inner argument; `None` for the recursion.
    pub(super) fn chain(&self, first: &Stage) -> Option<Chain> {
        match &self.inner {
            Inner::Recursion(_) => None,
            Inner::Chain(steps) => Some(Chain::new(first, steps)),
            Inner::TwoChains => Some(Chain::new(first, &vec![1; self.log_rows() as usize])),
        }
    }

    /// The committed matrices, outermost first.
    pub(crate) fn stages(&self) -> Vec<Stage> {
        let degree = self.fields.degree();
        let mut log_rows = self.log_rows() as usize;
        let code =
            ReedSolomon { log_rows, extra: self.tail(), log_inv_rate: self.level.log_inv_rate as usize };
        let width = self.columns() + degree * self.hidden_openings as usize;
        let variables = ceil_log2(self.columns());
        let mut stages = vec![self.stage(code, width, variables, &self.level)];
        if let Inner::Recursion(levels) = &self.inner {
            for level in levels {
                log_rows -= level.log_columns as usize;
                let code = ReedSolomon::new(log_rows, level.log_inv_rate as usize);
                let width = degree << level.log_columns;
                stages.push(self.stage(code, width, level.log_columns as usize, level));
            }
        }
        stages
    }

    fn stage(&self, code: ReedSolomon, width: usize, variables: usize, level: &Level) -> Stage {
        let shape = Shape { code, width, hash: self.hash };
        let rounds = Rounds { count: variables, grinding: level.fold_grinding };
        Stage { shape, queries: level.queries as usize, grinding: level.grinding, rounds }
    }

    /// Whether commitments carry out-of-domain values (outside unique decoding).
    pub fn out_of_domain(&self) -> bool {
        self.regime != Regime::UniqueDecoding
    }

    /// The security report; [`Params::validate`] first, since it computes with every count.
    pub fn report(&self) -> Report {
        security::report(self)
    }

    /// Checks ranges and that the proven bits satisfy the policy.
    pub fn validate(&self, policy: &Policy) -> Result<Report, ParamError> {
        self.check_ranges().map_err(|reason| ParamError(reason.to_string()))?;
        self.regime.validate().map_err(ParamError)?;
        let report = self.report();
        policy.check(&report).map_err(ParamError)?;
        Ok(report)
    }

    fn check_ranges(&self) -> Result<(), &'static str> {
        check(self.log_size <= MAX_LOG_SIZE, "the polynomial is too large")?;
        check((1..=MAX_POLYNOMIALS).contains(&self.polynomials), "the number of polynomials")?;
        check((1..=MAX_FORMS).contains(&self.max_forms), "the number of linear forms per opening")?;
        check(self.level.log_columns <= self.log_size, "more columns than entries")?;
        check(ceil_log2(self.columns()) <= 24, "more than 2^24 columns")?;
        check_level(&self.level)?;
        self.check_hiding()?;
        match &self.inner {
            Inner::Recursion(levels) => self.check_recursion(levels)?,
            Inner::Chain(steps) => self.check_chain(steps)?,
            Inner::TwoChains => self.check_two_chains()?,
        }
        let fits = |s: &Stage| s.shape.code.log_domain() <= self.fields.two_adicity();
        let stages = self.stages();
        check(stages.iter().all(fits), "the code is longer than the field's largest two-power subgroup")?;
        self.check_work(&stages)
    }

    /// Bounds what the parameters can make a verifier do, to seconds. The hashes of paths need no limit of their own: there
    /// are fewer than 2^23 for any numbers in range. (notes: formats-params)
    fn check_work(&self, stages: &[Stage]) -> Result<(), &'static str> {
        let (first, others) = stages.split_first().ok_or("no stages")?;
        let mut opened = self.opened_rows() * first.shape.width;
        opened += others.iter().map(|s| s.queries * s.shape.width).sum::<usize>();
        let mut length = stages.last().map_or(0, |s| 1 << s.shape.code.log_rows);
        if let Some(chain) = self.chain(first) {
            // Two chains open two words where one opens one.
            let fibres: usize = (1..chain.folds()).map(|i| (2 * first.queries) << chain.step(i)).sum();
            opened += fibres * self.fields.degree();
            length = chain.word(chain.folds()).length();
        }
        check(opened <= MAX_OPENED, "the opened rows have more than 2^26 elements")?;
        let claims = self.max_forms as usize + stages.iter().map(|s| s.queries + 1).sum::<usize>();
        check(claims * length <= MAX_FINAL_WORK, "claims times entries of the final message exceed 2^26")
    }

    fn check_recursion(&self, levels: &[Level]) -> Result<(), &'static str> {
        check(levels.len() <= MAX_LEVELS, "too many levels")?;
        let mut left = self.log_rows();
        for level in levels {
            check_level(level)?;
            check(level.log_columns >= 1, "a recursion level must fold at least one variable")?;
            left =
                left.checked_sub(level.log_columns).ok_or("the levels fold more variables than there are")?;
        }
        check(left <= 16, "the final message is longer than 2^16")
    }

    fn check_chain(&self, steps: &[u32]) -> Result<(), &'static str> {
        check((1..=MAX_STEPS).contains(&steps.len()), "a chain has between 1 and 32 folds")?;
        check(steps.iter().all(|&k| k <= MAX_LOG_FIBRE), "a fold binds at most 8 variables")?;
        check(steps.iter().skip(1).all(|&k| k >= 1), "every fold after the first must bind a variable")?;
        let folded: u32 = steps.iter().sum();
        let left =
            self.log_rows().checked_sub(folded).ok_or("the folds bind more variables than there are")?;
        check(left <= 16, "the final message is longer than 2^16")
    }

    fn check_two_chains(&self) -> Result<(), &'static str> {
        check(self.log_rows() >= 1, "a fragment must have at least two entries")?;
        check(self.regime == Regime::UniqueDecoding, "two chains are proven in unique decoding only")?;
        check(self.polynomials == 1 && self.max_forms == 1, "two chains open one form of one polynomial")?;
        check(self.hidden_openings == 0, "two chains do not hide: the words of the value chain leak")
    }

    fn check_hiding(&self) -> Result<(), &'static str> {
        if self.hidden_openings == 0 {
            return Ok(());
        }
        check(self.hidden_openings <= MAX_OPENINGS, "too many hidden openings")?;
        check(
            self.regime == Regime::UniqueDecoding,
            "hiding needs unique decoding: an out-of-domain value leaks",
        )?;
        let row_bits = self.columns() as f64 * self.fields.base_bits();
        check(row_bits >= 192.0, "hiding needs rows of at least 192 bits: take more columns")
    }

    /// The canonical encoding. (notes: formats-params)
    pub fn encode(&self) -> Vec<u8> {
        let Self { fields, hash, regime, log_size, polynomials, max_forms, hidden_openings, level, inner } =
            self;
        let mut w = Writer::new();
        w.u8(fields.id());
        w.u8(hash.id());
        w.u32(match regime {
            Regime::UniqueDecoding => 0,
            Regime::Johnson { multiplicity } => *multiplicity,
        });
        [*log_size, *polynomials, *max_forms, *hidden_openings].iter().for_each(|&x| w.u32(x));
        write_level(&mut w, level);
        match inner {
            Inner::Recursion(levels) => {
                w.u8(0);
                w.u8(levels.len() as u8);
                levels.iter().for_each(|level| write_level(&mut w, level));
            }
            Inner::Chain(steps) => {
                w.u8(1);
                w.u8(steps.len() as u8);
                steps.iter().for_each(|&k| w.u32(k));
            }
            Inner::TwoChains => w.u8(2),
        }
        w.finish()
    }

    /// Reads an encoding; `None` unless it is exactly what [`Params::encode`] writes. Not yet validated.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut r = Reader::new(bytes);
        let fields = Fields::from_id(r.u8()?)?;
        let hash = Hash::from_id(r.u8()?)?;
        let regime = match r.u32()? {
            0 => Regime::UniqueDecoding,
            multiplicity => Regime::Johnson { multiplicity },
        };
        let (log_size, polynomials, max_forms, hidden_openings) = (r.u32()?, r.u32()?, r.u32()?, r.u32()?);
        let level = read_level(&mut r)?;
        let inner = match r.u8()? {
            0 => {
                let count = usize::from(r.u8()?);
                Inner::Recursion((0..count).map(|_| read_level(&mut r)).collect::<Option<_>>()?)
            }
            1 => {
                let count = usize::from(r.u8()?);
                Inner::Chain((0..count).map(|_| r.u32()).collect::<Option<_>>()?)
            }
            2 => Inner::TwoChains,
            _ => return None,
        };
        r.finish()?;
        Some(Self { fields, hash, regime, log_size, polynomials, max_forms, hidden_openings, level, inner })
    }

    /// The digest that every transcript starts from.
    pub fn digest(&self) -> Digest {
        self.hash.digest("tenfold pip params v1", &[&self.encode()])
    }
}

/// The smallest `k` with `2^k >= n` (0 for 0 and 1).
pub(super) fn ceil_log2(n: usize) -> usize {
    n.next_power_of_two().trailing_zeros() as usize
}

pub(super) fn check(holds: bool, reason: &'static str) -> Result<(), &'static str> {
    if holds { Ok(()) } else { Err(reason) }
}

fn check_level(level: &Level) -> Result<(), &'static str> {
    check((1..=16).contains(&level.log_inv_rate), "the rate must lie between 1/2 and 2^-16")?;
    check((1..=MAX_QUERIES).contains(&level.queries), "the number of queries")?;
    let grinding = level.grinding.max(level.fold_grinding);
    check(grinding <= MAX_GRINDING, "more than 32 bits of grinding")
}

fn write_level(w: &mut Writer, level: &Level) {
    let Level { log_columns, log_inv_rate, queries, grinding, fold_grinding } = *level;
    [log_columns, log_inv_rate, queries, grinding, fold_grinding].iter().for_each(|&x| w.u32(x));
}

fn read_level(r: &mut Reader<'_>) -> Option<Level> {
    let (log_columns, log_inv_rate, queries) = (r.u32()?, r.u32()?, r.u32()?);
    Some(Level { log_columns, log_inv_rate, queries, grinding: r.u32()?, fold_grinding: r.u32()? })
}
