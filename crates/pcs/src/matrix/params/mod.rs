//! Parameters of a scheme over a matrix: one value, whose digest separates the domain of every challenge. The family of its fields says
//! which scheme it is: PIP_FRI over prime fields; over binary ones Ligerito with the recursion, Air-FRI with a chain.

mod encoding;
#[cfg(feature = "prover")]
mod outline;
mod security;
mod size;

use super::chain::Chain;
use super::round_params::{self, MAX_LOG_FINAL, check};
use super::{Layout, Matrices, ProverStorage, Round, RoundParams};
use crate::fields::{Family, Fields};
use crate::file::SchemeId;
use crate::ring_switching::{Coordinates, Entries};
use alloc::string::ToString;
use alloc::vec::Vec;
use iop::error::ParamError;
use iop::hash::Hash;
use iop::oracle::{MAX_LOG_LEAF, MAX_LOG_PARTS};
use iop::security::{Policy, Regime, Report};

const MAX_STEPS: usize = 32;
const MAX_LOG_FIBRE: u32 = 8;
/// The most sums that ring switching may ask of a verifier.
const MAX_SWITCH_WORK: u64 = 1 << 26;

/// The argument that ties the combined fragment to its claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inner {
    /// Re-commit to the combined fragment at lower and lower rates; an empty list sends it in clear.
    /// (notes: pip-recursion)
    Recursion(Vec<RoundParams>),
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

/// Parameters of a scheme over a matrix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Params {
    /// The field of the data and the challenge field.
    pub fields: Fields,
    /// The hash of trees and transcript.
    pub hash: Hash,
    /// The decoding regime of the analysis.
    pub regime: Regime,
    /// What the entries of the data are; over binary fields small ones are packed into elements, byte by byte as they come.
    pub entries: Entries,
    /// log2 of the number of elements of the data's field in each polynomial, or of elements of the challenge field if these are the
    /// entries.
    pub log_size: u32,
    /// The number of polynomials committed together.
    pub polynomials: u32,
    /// The most linear forms that one opening may prove.
    pub max_forms: u32,
    /// The number of openings that reveal nothing beyond their claims; 0 commits without hiding.
    pub hidden_openings: u32,
    /// log2 of the parts that a leaf of the committed matrix is made of, at most four: runs of columns, so that machines that hold some columns each commit
    /// to one tree. Zero hashes a leaf as a whole. (notes: codes-parts)
    pub log_parts: u32,
    /// log2 of the fibres in a leaf, of the committed matrix and of each word of a chain over binary fields; fewer where a word has not as many
    /// in a block. More take fewer permutations of the hash, and longer proofs. (notes: air-leaves)
    pub log_leaf_fibres: u32,
    /// The committed matrix.
    pub level: RoundParams,
    /// The inner argument; over binary fields the recursion or one chain.
    pub inner: Inner,
}

impl Params {
    /// The scheme that the parameters are for.
    pub const fn scheme(&self) -> SchemeId {
        match (self.fields.family(), &self.inner) {
            (Family::Prime, _) => SchemeId::Pip,
            (Family::Binary, Inner::Chain(_)) => SchemeId::Air,
            (Family::Binary, _) => SchemeId::Ligerito,
        }
    }

    /// log2 of the entries of the data packed into one element.
    pub fn log_packed(&self) -> u32 {
        let log_bits = 3 + self.fields.base_bytes().trailing_zeros();
        self.entries.log_bits().map_or(0, |bits| log_bits.saturating_sub(bits))
    }

    /// The variables of a linear form: log2 of the number of entries of the data.
    pub fn variables(&self) -> usize {
        // Also of parameters that no one has validated.
        (self.log_size as usize).saturating_add(self.log_packed() as usize)
    }

    /// The coordinates over the field of packed entries.
    pub(crate) fn coordinates(&self) -> Option<Coordinates> {
        self.entries.log_bits().map(Coordinates::new)
    }

    /// The number of fragments of all polynomials.
    pub fn fragments(&self) -> usize {
        (self.polynomials as usize) << self.level.log_columns
    }

    /// Columns of the committed matrix that hold one entry: the coordinates of an element of the challenge field.
    pub fn entry_columns(&self) -> usize {
        if self.entries == Entries::Extension { self.fields.degree() } else { 1 }
    }

    /// The number of data columns of the committed matrix: those of all fragments.
    pub fn columns(&self) -> usize {
        self.fragments() * self.entry_columns()
    }

    /// log2 of the number of rows: the length of one fragment.
    pub fn log_rows(&self) -> u32 {
        self.log_size - self.level.log_columns
    }

    /// The matrices of the recursion below the first; none for another inner argument.
    pub fn levels(&self) -> &[RoundParams] {
        if let Inner::Recursion(levels) = &self.inner { levels } else { &[] }
    }

    /// Random rows below the data: one more than the rows that all hidden openings reveal, so that even an
    /// unopened leaf stays unpredictable to one who knows the data. (notes: zk-tail, zk-rows)
    pub fn tail(&self) -> usize {
        if self.hidden_openings == 0 { 0 } else { self.hidden_openings as usize * self.opened_rows() + 1 }
    }

    /// The most rows of the committed matrix that one opening shows: a chain opens all that fold into a position, and the leaf that holds them.
    pub fn opened_rows(&self) -> usize {
        let variables = match &self.inner {
            Inner::Recursion(_) => 0,
            Inner::Chain(_) => self.first_fold().max(self.log_fibre()),
            Inner::TwoChains => 1,
        };
        (self.level.queries as usize) << variables
    }

    /// The variables that the first fold of a chain binds.
    fn first_fold(&self) -> usize {
        if let Inner::Chain(steps) = &self.inner { steps.first().map_or(0, |&k| k as usize) } else { 0 }
    }

    /// log2 of the rows that a leaf of the committed matrix holds: those that a chain folds into one position, which are opened together, and over binary
    /// fields some such fibres if the parameters say so. Over prime fields leaves of one part have one row, as ever; those of several have at most sixteen. (notes: codes-parts)
    fn log_fibre(&self) -> usize {
        if !matches!(self.inner, Inner::Chain(_)) {
            return 0;
        }
        let folded = self.first_fold();
        match self.fields.family() {
            Family::Binary => {
                folded.saturating_add(self.log_leaf_fibres as usize).min(self.log_rows() as usize)
            }
            Family::Prime if self.log_parts > 0 => folded.min(MAX_LOG_LEAF),
            Family::Prime => 0,
        }
    }

    /// The words of a chain as inner argument; `None` for the recursion.
    pub(crate) fn chain(&self, first: &Round) -> Option<Chain> {
        match &self.inner {
            Inner::Recursion(_) => None,
            Inner::Chain(steps) => {
                let chain = Chain::new(first, steps, self.fields.degree());
                Some(chain.with_leaf_fibres(self.log_leaf_fibres as usize))
            }
            Inner::TwoChains => Some(Chain::double(first, self.log_rows() as usize, self.fields.degree())),
        }
    }

    /// The committed matrices, outermost first.
    fn stages(&self) -> Vec<Round> {
        let matrices = Matrices {
            hash: self.hash,
            degree: self.fields.degree(),
            fragments: self.fragments(),
            entry_columns: self.entry_columns(),
            hidden_openings: self.hidden_openings as usize,
            log_fibre: self.log_fibre(),
            log_parts: self.log_parts as usize,
            log_rows: self.log_rows() as usize,
            tail: self.tail(),
        };
        matrices.stages(&self.level, self.levels())
    }

    /// What prover and verifier derive from parameters whose ranges were checked.
    pub(crate) fn layout(&self) -> Layout {
        let stages = self.stages();
        Layout {
            scheme: self.scheme().name(),
            digest: self.digest(),
            hash: self.hash,
            log_size: self.log_size as usize,
            variables: self.variables(),
            polynomials: self.polynomials as usize,
            entry_columns: self.entry_columns(),
            of_extension: self.entries == Entries::Extension,
            max_forms: self.max_forms as usize,
            hidden_openings: self.hidden_openings,
            log_rows: self.log_rows() as usize,
            out_of_domain: self.out_of_domain(),
            kept: match (self.fields.family(), self.entries) {
                // Over prime fields no transform makes some rows only.
                (Family::Prime, _) => ProverStorage::Both,
                // What hides would have to be wiped wherever it is made again.
                _ if self.hidden_openings > 0 => ProverStorage::Both,
                (Family::Binary, Entries::Whole | Entries::Extension) => ProverStorage::Codeword,
                // Ring switching is about the data's bits, which no block tells.
                (Family::Binary, _) => ProverStorage::Message,
            },
            first: stages[0],
            stages,
        }
    }

    /// Whether commitments carry out-of-domain values (outside unique decoding).
    pub fn out_of_domain(&self) -> bool {
        self.regime != Regime::UniqueDecoding
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
    /// Which number is out of range, or what is missing of the policy's bits.
    pub fn validate(&self, policy: &Policy) -> Result<Report, ParamError> {
        self.validate_of(1, policy)
    }

    /// [`Params::validate`] for proofs about so many commitments together.
    pub(crate) fn validate_of(&self, commitments: u32, policy: &Policy) -> Result<Report, ParamError> {
        self.check()?;
        let work = self.check_work(&self.stages(), commitments as usize);
        work.map_err(|reason| ParamError::OutOfRange(reason.to_string()))?;
        policy.check(&self.report_of(commitments))
    }

    fn check_ranges(&self) -> Result<(), &'static str> {
        round_params::check_counts(self.log_size, self.polynomials, self.max_forms, &self.level)?;
        check(self.log_parts as usize <= MAX_LOG_PARTS, "a leaf has at most sixteen parts")?;
        check(self.columns() >> self.log_parts > 0, "a leaf has more parts than there are columns")?;
        self.check_leaf_fibres()?;
        let row_bits = self.columns() as f64 * self.fields.base_bits();
        round_params::check_hiding(self.hidden_openings, self.regime, (self.hash, row_bits))?;
        let beyond = match self.fields.family() {
            Family::Prime => {
                check(self.entries == Entries::Whole, "entries of a prime field are not packed")?;
                "the code is longer than the field's largest two-power subgroup"
            }
            Family::Binary => {
                self.check_entries()?;
                check(self.first_fold() <= MAX_LOG_LEAF, "the first fold binds at most four variables")?;
                let double = matches!(self.inner, Inner::TwoChains);
                check(!double, "two chains are an inner argument over prime fields only")?;
                // The transform takes the coefficients above a lane into one more factor.
                let short = self.tail() as u64 <= 1u64 << self.log_rows();
                check(short, "hiding needs more random rows than there are data rows: take fewer columns")?;
                "the code is longer than 2^31"
            }
        };
        match &self.inner {
            Inner::Recursion(levels) => round_params::check_recursion(self.log_rows(), levels)?,
            Inner::Chain(steps) => self.check_chain(steps)?,
            Inner::TwoChains => self.check_two_chains()?,
        }
        let stages = self.stages();
        let longest = self.fields.max_log_domain();
        check(stages.iter().all(|s| s.shape.code.log_domain() <= longest), beyond)?;
        stages.iter().try_for_each(|s| round_params::check_indices(s.shape.code.log_domain()))?;
        self.check_work(&stages, 1)
    }

    /// Bounds what the parameters can make a verifier of so many commitments do, to seconds. (notes: formats-params)
    fn check_work(&self, stages: &[Round], commitments: usize) -> Result<(), &'static str> {
        let (first, others) = stages.split_first().ok_or("no stages")?;
        let mut opened = self.opened_rows() as u64 * first.shape.width as u64 + round_params::opened(others);
        let mut length = stages.last().map_or(0, |s| 1u64 << s.shape.code.log_rows);
        if let Some(chain) = self.chain(first) {
            // Two chains open two words where one opens one.
            let leaves: u64 =
                (1..chain.folds()).map(|i| (2 * first.queries as u64) << chain.log_leaf(i)).sum();
            opened += leaves * self.fields.degree() as u64;
            length = chain.word(chain.folds()).length() as u64;
        }
        // Each commitment has its forms and a sample; of one commitment the first stage's is counted there.
        let forms = (self.max_forms as usize + 1) * commitments - 1;
        let claims = forms + stages.iter().map(|s| s.queries + 1).sum::<usize>();
        round_params::check_work(opened, claims as u64, length)
    }

    fn check_leaf_fibres(&self) -> Result<(), &'static str> {
        if self.log_leaf_fibres == 0 {
            return Ok(());
        }
        let Inner::Chain(steps) = &self.inner else {
            return Err("leaves of several fibres are those of a chain");
        };
        check(
            self.fields.family() == Family::Binary,
            "leaves of several fibres are over binary fields only",
        )?;
        check(
            self.hidden_openings == 0,
            "leaves of several fibres do not hide: each fibre would double the random rows",
        )?;
        check(self.log_parts == 0, "leaves of several fibres have no parts")?;
        let most = MAX_LOG_LEAF.checked_sub(self.log_leaf_fibres as usize);
        let fit = steps.iter().all(|&k| most.is_some_and(|most| k as usize <= most));
        check(fit, "a leaf of several fibres has at most sixteen positions")
    }

    fn check_entries(&self) -> Result<(), &'static str> {
        if self.coordinates().is_none() {
            return Ok(());
        }
        check(self.log_packed() >= 1, "entries as wide as the alphabet are not packed")?;
        // Each form's weight at the point takes a sum for each pair of coordinates and each variable.
        let coordinates = (8 * self.fields.bytes() as u64) >> self.entries.log_bits().unwrap_or(0);
        let work = u64::from(self.max_forms) * u64::from(self.log_size) * coordinates * coordinates;
        check(work <= MAX_SWITCH_WORK, "too many forms: ring switching would take more than 2^26 sums")?;
        check(self.polynomials == 1, "packed entries are committed one polynomial at a time")?;
        check(self.hidden_openings == 0, "packed entries do not hide: the parts of a claim leak")
    }

    fn check_chain(&self, steps: &[u32]) -> Result<(), &'static str> {
        check((1..=MAX_STEPS).contains(&steps.len()), "a chain has between 1 and 32 folds")?;
        check(steps.iter().all(|&k| k <= MAX_LOG_FIBRE), "a fold binds at most 8 variables")?;
        check(steps.iter().skip(1).all(|&k| k >= 1), "every fold after the first must bind a variable")?;
        let folded: u32 = steps.iter().sum();
        let left =
            self.log_rows().checked_sub(folded).ok_or("the folds bind more variables than there are")?;
        check(left <= MAX_LOG_FINAL, "the final message is longer than 2^16")
    }

    fn check_two_chains(&self) -> Result<(), &'static str> {
        check(self.log_rows() >= 1, "a fragment must have at least two entries")?;
        check(self.regime == Regime::UniqueDecoding, "two chains are proven in unique decoding only")?;
        check(self.polynomials == 1 && self.max_forms == 1, "two chains open one form of one polynomial")?;
        check(self.hidden_openings == 0, "two chains do not hide: the words of the value chain leak")
    }
}
