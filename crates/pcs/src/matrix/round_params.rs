//! Parameters of one committed matrix, and the limits that keep every count of a decoded parameter set small enough to
//! compute with.

use super::round::Round;
use crate::codec::{Reader, Writer};
use alloc::vec::Vec;
use iop::code::ReedSolomon;
use iop::hash::Hash;
use iop::oracle::OracleSpec;
use iop::security::Regime;
use iop::sumcheck::Rounds;

/// log2 of the most entries of a polynomial.
pub(crate) const MAX_LOG_SIZE: u32 = 40;
/// The most polynomials of a commitment.
pub(crate) const MAX_POLYNOMIALS: u32 = 1 << 16;
/// The most linear forms of an opening.
pub(crate) const MAX_FORMS: u32 = 1 << 12;
pub(crate) const MAX_QUERIES: u32 = 1 << 12;
const MAX_GRINDING: u32 = 32;
const MAX_LEVELS: usize = 16;
/// The most openings that a hiding commitment is made for.
pub const MAX_OPENINGS: u32 = 16;
/// log2 of the columns of a deeper matrix; the limit on opened rows admits no more.
const MAX_LOG_WIDTH: u32 = 26;
/// log2 of the longest message in clear.
pub(crate) const MAX_LOG_FINAL: u32 = 16;
/// The most base elements in all opened rows together: each is read, hashed and weighted.
pub(crate) const MAX_OPENED: u64 = 1 << 26;
/// The most products on the final message: every claim and every opened row weights each of its entries.
pub(crate) const MAX_FINAL_WORK: u64 = 1 << 26;

/// One committed matrix: how a message is laid out, encoded and queried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoundParams {
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

impl RoundParams {
    /// Five numbers.
    pub(crate) fn write(&self, w: &mut Writer) {
        let Self { log_columns, log_inv_rate, queries, grinding, fold_grinding } = *self;
        [log_columns, log_inv_rate, queries, grinding, fold_grinding].iter().for_each(|&x| w.u32(x));
    }

    /// The inverse of [`RoundParams::write`].
    pub(crate) fn read(r: &mut Reader<'_>) -> Option<Self> {
        let (log_columns, log_inv_rate, queries) = (r.u32()?, r.u32()?, r.u32()?);
        Some(Self { log_columns, log_inv_rate, queries, grinding: r.u32()?, fold_grinding: r.u32()? })
    }

    fn check(&self) -> Result<(), &'static str> {
        check((1..=16).contains(&self.log_inv_rate), "the rate must lie between 1/2 and 2^-16")?;
        check((1..=MAX_QUERIES).contains(&self.queries), "the number of queries")?;
        let grinding = self.grinding.max(self.fold_grinding);
        check(grinding <= MAX_GRINDING, "more than 32 bits of grinding")
    }
}

/// What the committed matrices have in common, and how the first one differs.
pub(crate) struct Matrices {
    pub hash: Hash,
    /// Of the challenge field over the data field.
    pub degree: usize,
    /// Fragments in the first matrix.
    pub fragments: usize,
    /// Columns that each of them takes.
    pub entry_columns: usize,
    pub hidden_openings: usize,
    /// log2 of the rows in a leaf of the first matrix.
    pub log_fibre: usize,
    /// log2 of the parts of a leaf of the first matrix.
    pub log_parts: usize,
    /// log2 of the data rows of the first matrix.
    pub log_rows: usize,
    /// Random rows below them.
    pub tail: usize,
}

impl Matrices {
    /// The first matrix, and one for each level of a recursion.
    pub fn stages(&self, first: &RoundParams, levels: &[RoundParams]) -> Vec<Round> {
        let code = ReedSolomon {
            log_rows: self.log_rows,
            extra: self.tail,
            log_inv_rate: first.log_inv_rate as usize,
        };
        let width = self.fragments * self.entry_columns + self.degree * self.hidden_openings;
        let mut committed = self.stage(code, width, ceil_log2(self.fragments), first);
        committed.shape.log_fibre = self.log_fibre;
        committed.shape.log_parts = self.log_parts;
        let mut stages = vec![committed];
        let mut log_rows = self.log_rows;
        for level in levels {
            log_rows -= level.log_columns as usize;
            let code = ReedSolomon::new(log_rows, level.log_inv_rate as usize);
            let width = self.degree << level.log_columns;
            stages.push(self.stage(code, width, level.log_columns as usize, level));
        }
        stages
    }

    fn stage(&self, code: ReedSolomon, width: usize, variables: usize, level: &RoundParams) -> Round {
        let shape = OracleSpec { code, width, log_fibre: 0, log_parts: 0, hash: self.hash };
        let rounds = Rounds { count: variables, grinding: level.fold_grinding };
        Round { shape, queries: level.queries as usize, grinding: level.grinding, rounds }
    }
}

/// Checks the counts of the first matrix.
pub(crate) fn check_counts(
    log_size: u32,
    polynomials: u32,
    max_forms: u32,
    level: &RoundParams,
) -> Result<(), &'static str> {
    check(log_size <= MAX_LOG_SIZE, "the polynomial is too large")?;
    check((1..=MAX_POLYNOMIALS).contains(&polynomials), "the number of polynomials")?;
    check((1..=MAX_FORMS).contains(&max_forms), "the number of linear forms per opening")?;
    check(level.log_columns <= log_size, "more columns than entries")?;
    // In 64 bits whatever the machine: shifts of counts that were not checked yet.
    check(u64::from(polynomials) << level.log_columns <= 1 << 24, "more than 2^24 columns")?;
    level.check()
}

/// Checks the levels of a recursion over fragments of `2^log_rows` entries.
pub(crate) fn check_recursion(log_rows: u32, levels: &[RoundParams]) -> Result<(), &'static str> {
    check(levels.len() <= MAX_LEVELS, "too many levels")?;
    let mut left = log_rows;
    for level in levels {
        level.check()?;
        check(level.log_columns >= 1, "a recursion level must fold at least one variable")?;
        check(level.log_columns <= MAX_LOG_WIDTH, "more than 2^26 columns")?;
        left = left.checked_sub(level.log_columns).ok_or("the levels fold more variables than there are")?;
    }
    check(left <= MAX_LOG_FINAL, "the final message is longer than 2^16")
}

/// Bounds what parameters can make a verifier do, to seconds: `opened` base elements in all opened rows, and `claims`
/// about a final message of `length` entries. The hashes of paths need no limit of their own: there
/// are fewer than 2^23 for any numbers in range. Nor do the parts of leaves: there are at most 2^20.
/// (notes: formats-params)
pub(crate) fn check_work(opened: u64, claims: u64, length: u64) -> Result<(), &'static str> {
    check(opened <= MAX_OPENED, "the opened rows have more than 2^26 elements")?;
    check(claims * length <= MAX_FINAL_WORK, "claims times entries of the final message exceed 2^26")
}

/// Refuses codes with more positions than an index holds: on machines of 32 bits, other codes would be meant than those that
/// the report is about.
pub(crate) fn check_indices(log_domain: usize) -> Result<(), &'static str> {
    check(log_domain < usize::BITS as usize, "the code has more positions than this machine has addresses")
}

/// The base elements in the opened rows of stages.
pub(crate) fn opened(stages: &[Round]) -> u64 {
    stages.iter().map(|s| s.queries as u64 * s.shape.width as u64).sum()
}

/// Checks what hiding asks of the parameters; `row_bits` is the entropy of one row of uniform data. (notes: zk-rows)
pub(crate) fn check_hiding(
    hidden_openings: u32,
    regime: Regime,
    (hash, row_bits): (Hash, f64),
) -> Result<(), &'static str> {
    if hidden_openings == 0 {
        return Ok(());
    }
    check(hidden_openings <= MAX_OPENINGS, "too many hidden openings")?;
    let unique = regime == Regime::UniqueDecoding;
    check(unique, "hiding needs unique decoding: an out-of-domain value leaks")?;
    // An unopened leaf tests a guess of the data: guessing its row must be as hard as the hash's level, and 192 bits at least.
    check(row_bits >= 192.0, "hiding needs rows of at least 192 bits: take more columns")?;
    let level = (4 * hash.bytes()) as f64;
    check(row_bits >= level, "hiding needs rows of as many bits as the hash's level: take more columns")
}

/// The regime's number in encoded parameters: 0 for unique decoding, else the multiplicity.
pub(crate) fn regime_number(regime: Regime) -> u32 {
    match regime {
        Regime::UniqueDecoding => 0,
        Regime::Johnson { multiplicity } => multiplicity,
    }
}

/// The inverse of [`regime_number`].
pub(crate) fn regime_of(number: u32) -> Regime {
    match number {
        0 => Regime::UniqueDecoding,
        multiplicity => Regime::Johnson { multiplicity },
    }
}

/// The smallest `k` with `2^k >= n` (0 for 0 and 1).
pub(crate) fn ceil_log2(n: usize) -> usize {
    n.next_power_of_two().trailing_zeros() as usize
}

pub(crate) fn check(holds: bool, reason: &'static str) -> Result<(), &'static str> {
    if holds { Ok(()) } else { Err(reason) }
}
