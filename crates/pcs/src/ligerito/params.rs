//! Parameters of the scheme: one value, whose digest separates the domain of every challenge.

use super::fields::Fields;
use super::ring_switching::{Coordinates, Entries};
use crate::codec::{Reader, Writer};
use crate::matrix::round_params::{self, check};
use crate::matrix::{Layout, Matrices, ProverStorage, Round, RoundParams, Size};
use alloc::string::ToString;
use alloc::vec::Vec;
use iop::error::ParamError;
use iop::hash::{Digest, Hash};
use iop::security::{Policy, Regime, Report};

/// The most sums that ring switching may ask of a verifier.
const MAX_SWITCH_WORK: u64 = 1 << 26;

/// Parameters of Ligerito.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Params {
    /// The field of the entries and the challenge field.
    pub fields: Fields,
    /// The hash of trees and transcript.
    pub hash: Hash,
    /// The decoding regime of the analysis.
    pub regime: Regime,
    /// What the entries of the data are; small ones are packed into entries of the alphabet, byte by byte as they come.
    pub entries: Entries,
    /// log2 of the number of entries of the alphabet in each polynomial.
    pub log_size: u32,
    /// The number of polynomials committed together.
    pub polynomials: u32,
    /// The most linear forms that one opening may prove.
    pub max_forms: u32,
    /// The number of openings that reveal nothing beyond their claims; 0 commits without hiding.
    pub hidden_openings: u32,
    /// The committed matrix.
    pub level: RoundParams,
    /// The matrices of the recursion, at lower and lower rates; the last message is sent in clear.
    pub levels: Vec<RoundParams>,
}

impl Params {
    /// log2 of the entries of the data packed into one of the alphabet.
    pub fn log_packed(&self) -> u32 {
        let log_bits = 3 + self.fields.base_bytes().trailing_zeros();
        self.entries.log_bits().map_or(0, |bits| log_bits.saturating_sub(bits))
    }

    /// The variables of a linear form: log2 of the number of entries of the data.
    pub fn variables(&self) -> usize {
        (self.log_size + self.log_packed()) as usize
    }

    /// The coordinates over the field of packed entries.
    pub(super) fn coordinates(&self) -> Option<Coordinates> {
        self.entries.log_bits().map(Coordinates::new)
    }

    /// The number of data columns of the committed matrix: all lanes of all polynomials.
    pub fn columns(&self) -> usize {
        (self.polynomials as usize) << self.level.log_columns
    }

    /// log2 of the number of rows: the length of one lane.
    pub fn log_rows(&self) -> u32 {
        self.log_size - self.level.log_columns
    }

    /// Random rows below the data: one more than the rows that all hidden openings reveal. (notes: zk-tail, zk-rows)
    pub fn tail(&self) -> usize {
        let opened = self.level.queries as usize;
        if self.hidden_openings == 0 { 0 } else { self.hidden_openings as usize * opened + 1 }
    }

    /// The committed matrices, outermost first.
    fn stages(&self) -> Vec<Round> {
        let matrices = Matrices {
            hash: self.hash,
            degree: self.fields.degree(),
            columns: self.columns(),
            hidden_openings: self.hidden_openings as usize,
            log_rows: self.log_rows() as usize,
            tail: self.tail(),
        };
        matrices.stages(&self.level, &self.levels)
    }

    /// What prover and verifier derive from parameters whose ranges were checked.
    pub(super) fn layout(&self) -> Layout {
        let stages = self.stages();
        Layout {
            scheme: "ligerito",
            digest: self.digest(),
            hash: self.hash,
            log_size: self.log_size as usize,
            variables: self.variables(),
            polynomials: self.polynomials as usize,
            max_forms: self.max_forms as usize,
            hidden_openings: self.hidden_openings,
            log_rows: self.log_rows() as usize,
            out_of_domain: self.out_of_domain(),
            kept: match self.entries {
                // What hides would have to be wiped wherever it is made again.
                _ if self.hidden_openings > 0 => ProverStorage::Both,
                Entries::Whole => ProverStorage::Codeword,
                // Ring switching is about the data's bits, which no block tells.
                _ => ProverStorage::Message,
            },
            first: stages[0],
            stages,
        }
    }

    /// The length of the proof of an opening of so many forms.
    pub fn size(&self, forms: usize) -> Size {
        let (base, extension) = (self.fields.base_bytes(), self.fields.bytes());
        let switch = self.coordinates().map_or(0, |coordinates| {
            // The parts of each claim, the rounds, the value at the point.
            extension * (coordinates.count(base) * forms + 2 * self.log_size as usize + 1)
        });
        self.layout().size([base, extension], switch as u64)
    }

    /// Whether commitments carry out-of-domain values (outside unique decoding).
    pub fn out_of_domain(&self) -> bool {
        self.regime != Regime::UniqueDecoding
    }

    /// Bytes that a prover takes at once, data included, for large data: for a commitment alone, or for one that is opened.
    /// [`Params::validate`] first.
    #[cfg(feature = "prover")]
    pub fn prover_memory(&self, opens: bool) -> u64 {
        let (layout, [base, extension]) = (self.layout(), [self.fields.base_bytes(), self.fields.bytes()]);
        if !opens {
            return layout.commitment_memory(base as u64);
        }
        let need = layout.opening_memory([base as u64, extension as u64]);
        if self.entries == Entries::Whole {
            return need;
        }
        // Ring switching has tables for each sixty-four entries.
        need + ((4 * extension as u64) << self.log_size) / 64
    }

    /// Bytes that an opening takes whose witness was kept without a codeword, data included. [`Params::validate`] first.
    #[cfg(feature = "prover")]
    pub fn lean_memory(&self) -> u64 {
        self.prover_memory(true) - self.layout().spared(self.fields.base_bytes() as u64, 1)
    }

    /// Bytes that the proof of a weighted sum takes, with commitment, data and weights.
    #[cfg(feature = "prover")]
    pub fn weighted_memory(&self) -> u64 {
        let bytes = [self.fields.base_bytes() as u64, self.fields.bytes() as u64];
        // Entries are unpacked, or made again where the codeword has their place.
        self.layout().weighted_memory(bytes, true)
    }

    /// Checks ranges and that the proven bits satisfy the policy.
    pub fn validate(&self, policy: &Policy) -> Result<Report, ParamError> {
        self.check_ranges().map_err(|reason| ParamError(reason.to_string()))?;
        self.regime.validate().map_err(ParamError)?;
        policy.check(&self.report()).map_err(ParamError)
    }

    fn check_ranges(&self) -> Result<(), &'static str> {
        round_params::check_counts(self.log_size, self.polynomials, self.max_forms, &self.level)?;
        let row_bits = self.columns() as f64 * self.fields.base_bits();
        round_params::check_hiding(self.hidden_openings, self.regime, row_bits)?;
        self.check_entries()?;
        // The transform takes the coefficients above a lane into one more factor.
        let short = self.tail() as u64 <= 1u64 << self.log_rows();
        check(short, "hiding needs more random rows than there are data rows: take fewer columns")?;
        round_params::check_recursion(self.log_rows(), &self.levels)?;
        let stages = self.stages();
        let fits = |s: &Round| s.shape.code.log_domain() <= self.fields.max_log_domain();
        check(stages.iter().all(fits), "the code is longer than 2^31")?;
        stages.iter().try_for_each(|s| round_params::check_indices(s.shape.code.log_domain()))?;
        let claims = self.max_forms as usize + stages.iter().map(|s| s.queries + 1).sum::<usize>();
        let length = stages.last().map_or(0, |s| 1u64 << s.shape.code.log_rows);
        round_params::check_work(round_params::opened(&stages), claims as u64, length)
    }

    fn check_entries(&self) -> Result<(), &'static str> {
        if self.entries == Entries::Whole {
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

    /// The canonical encoding. (notes: formats-params)
    pub fn encode(&self) -> Vec<u8> {
        let Self {
            fields,
            hash,
            regime,
            entries,
            log_size,
            polynomials,
            max_forms,
            hidden_openings,
            level,
            levels,
        } = self;
        let mut w = Writer::new();
        w.u8(fields.id());
        w.u8(entries.id());
        w.u8(hash.id());
        w.u32(round_params::regime_number(*regime));
        [*log_size, *polynomials, *max_forms, *hidden_openings].iter().for_each(|&x| w.u32(x));
        level.write(&mut w);
        w.u8(levels.len() as u8);
        levels.iter().for_each(|level| level.write(&mut w));
        w.finish()
    }

    /// Reads an encoding; `None` unless it is exactly what [`Params::encode`] writes. Not yet validated.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut r = Reader::new(bytes);
        let fields = Fields::from_id(r.u8()?)?;
        let entries = Entries::from_id(r.u8()?)?;
        let hash = Hash::from_id(r.u8()?)?;
        let regime = round_params::regime_of(r.u32()?);
        let (log_size, polynomials, max_forms, hidden_openings) = (r.u32()?, r.u32()?, r.u32()?, r.u32()?);
        let level = RoundParams::read(&mut r)?;
        let count = usize::from(r.u8()?);
        let levels = (0..count).map(|_| RoundParams::read(&mut r)).collect::<Option<_>>()?;
        r.finish()?;
        Some(Self {
            fields,
            hash,
            regime,
            entries,
            log_size,
            polynomials,
            max_forms,
            hidden_openings,
            level,
            levels,
        })
    }

    /// The digest that every transcript starts from.
    pub fn digest(&self) -> Digest {
        self.hash.digest("tenfold ligerito params v1", &[&self.encode()])
    }
}
