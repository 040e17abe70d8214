//! Parameter files: every parameter by its name, as JSON. (notes: formats-params)
//!
//! What a file says of itself, the digest and the proven bits, is held against what its parameters give; either can be left
//! out where somebody writes the parameters by hand.

use crate::params::AnyParams;
use crate::text::hex;
use iop::hash::Hash;
use iop::security::{Policy, Regime, Shown};
use pcs::fields::{Family, Fields};
use pcs::file::SchemeId;
use pcs::ligerito::Entries;
use pcs::pip::{Inner, Params, RoundParams};
use serde::{Deserialize, Serialize};

const FORMAT: &str = "tenfold parameters v1";
/// The format of every version, up to its number.
const FORMATS: &str = "tenfold parameters v";

/// The most bytes of a file, and several times those of one with the most rounds.
const MAX_BYTES: usize = 1 << 18;

/// Why a text is no file of usable parameters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParamsError {
    /// It has a format, a scheme, a member or a name that this release does not know, and a later one may.
    #[error("{0}")]
    Unknown(String),
    /// It is malformed, its numbers are out of range, or it says other things of itself than are so.
    #[error("{0}")]
    Refused(String),
}

impl From<String> for ParamsError {
    fn from(what: String) -> Self {
        Self::Refused(what)
    }
}

/// Returns true for an error about a member or a variant that the reader does not know, in JSON that may be a later release's.
#[must_use]
pub fn is_unknown(e: &serde_json::Error) -> bool {
    // serde's own words, which no text of the file comes before.
    let words = e.to_string();
    e.is_data() && ["unknown field `", "unknown variant `"].iter().any(|start| words.starts_with(start))
}

/// What a parameter file holds.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ParamsFile {
    format: String,
    scheme: Scheme,
    /// The challenge field, which names the pair.
    field: String,
    hash: String,
    #[serde(with = "RegimeName")]
    regime: Regime,
    /// What is packed; over binary fields alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    entries: Option<String>,
    log_size: u32,
    polynomials: u32,
    max_forms: u32,
    hidden_openings: u32,
    /// Left out where leaves have one part.
    #[serde(default, skip_serializing_if = "is_zero")]
    log_parts: u32,
    /// Left out where leaves have one fibre.
    #[serde(default, skip_serializing_if = "is_zero")]
    log_leaf_fibres: u32,
    commitment: Level,
    inner: InnerName,
    #[serde(skip_serializing_if = "Option::is_none")]
    proven_bits: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Scheme {
    Pip,
    Ligerito,
    Air,
}

/// The library's regime.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", remote = "Regime", deny_unknown_fields)]
enum RegimeName {
    UniqueDecoding,
    Johnson { multiplicity: u32 },
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
enum InnerName {
    Recursion(Vec<Level>),
    Chain(Vec<u32>),
    TwoChains,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Level {
    log_columns: u32,
    log_inv_rate: u32,
    queries: u32,
    grinding: u32,
    fold_grinding: u32,
}

impl From<&RoundParams> for Level {
    fn from(level: &RoundParams) -> Self {
        let RoundParams { log_columns, log_inv_rate, queries, grinding, fold_grinding } = *level;
        Self { log_columns, log_inv_rate, queries, grinding, fold_grinding }
    }
}

impl From<&Level> for RoundParams {
    fn from(level: &Level) -> Self {
        let Level { log_columns, log_inv_rate, queries, grinding, fold_grinding } = *level;
        Self { log_columns, log_inv_rate, queries, grinding, fold_grinding }
    }
}

impl From<&Params> for ParamsFile {
    fn from(params: &Params) -> Self {
        let Params {
            fields,
            hash,
            regime,
            entries,
            log_size,
            polynomials,
            max_forms,
            hidden_openings,
            log_parts,
            log_leaf_fibres,
            level,
            inner,
        } = params;
        let (scheme, entries) = match fields.family() {
            Family::Prime => (Scheme::Pip, None),
            Family::Binary if params.scheme() == SchemeId::Air => (Scheme::Air, Some(entries.name().into())),
            Family::Binary => (Scheme::Ligerito, Some(entries.name().into())),
        };
        let inner = match inner {
            Inner::Recursion(levels) => InnerName::Recursion(levels.iter().map(Level::from).collect()),
            Inner::Chain(steps) => InnerName::Chain(steps.clone()),
            Inner::TwoChains => InnerName::TwoChains,
        };
        Self {
            format: FORMAT.into(),
            scheme,
            field: fields.name().into(),
            hash: hash.name().into(),
            regime: *regime,
            entries,
            log_size: *log_size,
            polynomials: *polynomials,
            max_forms: *max_forms,
            hidden_openings: *hidden_openings,
            log_parts: *log_parts,
            log_leaf_fibres: *log_leaf_fibres,
            commitment: level.into(),
            inner,
            proven_bits: Some(params.report().proven_bits()),
            digest: Some(hex(&params.digest())),
        }
    }
}

impl ParamsFile {
    /// The file of parameters; none of DeepFold's, which have no such files.
    #[must_use]
    pub fn of(params: &AnyParams) -> Option<Self> {
        match params {
            AnyParams::Matrix(params) => Some(params.into()),
            AnyParams::DeepFold(_) => None,
        }
    }

    /// The file's text.
    #[must_use]
    pub fn to_text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Reads a file, whose parameters must be in range; every error term is computed from them.
    ///
    /// # Errors
    /// If it is none, its numbers are out of range, or it says other things of itself than are so: in words.
    pub fn read(bytes: &[u8]) -> Result<AnyParams, ParamsError> {
        // Numbers in lists take more memory than their text.
        if bytes.len() > MAX_BYTES {
            return Err(ParamsError::Refused("it is longer than parameters are".into()));
        }
        let file: Self = serde_json::from_slice(bytes).map_err(|e| match is_unknown(&e) {
            true => ParamsError::Unknown(e.to_string()),
            false => ParamsError::Refused(e.to_string()),
        })?;
        if file.format != FORMAT {
            let other = format!("its format is `{}`, not `{FORMAT}`", file.format);
            let version = file.format.strip_prefix(FORMATS).and_then(|version| version.parse::<u32>().ok());
            return Err(version.map_or(ParamsError::Refused(other.clone()), |_| ParamsError::Unknown(other)));
        }
        let params = AnyParams::from(file.params()?);
        let (report, digest) =
            (params.validate(&Policy::at_least(0)).map_err(|e| e.reason().to_owned())?, params.digest());
        if file.digest.is_some_and(|stated| stated != hex(&digest)) {
            return Err(ParamsError::Refused("its digest is not that of its parameters".into()));
        }
        let proven = report.proven_bits();
        // Files of older releases count with DKT26, and with 128 bits at most.
        let mut counts = report.by_theorem().map(|(_, [bits, _])| bits).chain([proven]);
        let near =
            |stated: f64, bits: f64| [bits, bits.min(128.0)].iter().any(|b| (stated - b).abs() <= 0.01);
        if file.proven_bits.is_some_and(|stated| !counts.any(|bits| near(stated, bits))) {
            let prove = format!("its parameters prove {} bits, and it says something else", Shown(proven));
            return Err(ParamsError::Refused(prove));
        }
        Ok(params)
    }

    fn params(&self) -> Result<Params, ParamsError> {
        let (family, entries) = match (self.scheme, self.entries.as_deref()) {
            (Scheme::Pip, Some(_)) => {
                return Err(ParamsError::Refused("`entries` is for the schemes ligerito and air".into()));
            }
            (Scheme::Pip, None) => (Family::Prime, Entries::Whole),
            (Scheme::Ligerito, _) if !matches!(self.inner, InnerName::Recursion(_)) => {
                return Err(ParamsError::Refused(
                    "ligerito has no other inner argument than recursion".into(),
                ));
            }
            (Scheme::Air, _) if !matches!(self.inner, InnerName::Chain(_)) => {
                return Err(ParamsError::Refused("air has no other inner argument than a chain".into()));
            }
            (Scheme::Ligerito | Scheme::Air, entries) => {
                (Family::Binary, named(entries.unwrap_or("nothing"), &Entries::ALL, Entries::name)?)
            }
        };
        Ok(Params {
            fields: named(&self.field, family.pairs(), Fields::name)?,
            hash: named(&self.hash, &Hash::ALL, Hash::name)?,
            regime: self.regime,
            entries,
            log_size: self.log_size,
            polynomials: self.polynomials,
            max_forms: self.max_forms,
            hidden_openings: self.hidden_openings,
            log_parts: self.log_parts,
            log_leaf_fibres: self.log_leaf_fibres,
            level: (&self.commitment).into(),
            inner: match &self.inner {
                InnerName::Recursion(levels) => Inner::Recursion(levels.iter().map(Into::into).collect()),
                InnerName::Chain(steps) => Inner::Chain(steps.clone()),
                InnerName::TwoChains => Inner::TwoChains,
            },
        })
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as the derived code calls it")]
fn is_zero(x: &u32) -> bool {
    *x == 0
}

/// The value with a name.
fn named<T: Copy>(name: &str, all: &[T], of: impl Fn(T) -> &'static str) -> Result<T, ParamsError> {
    let found = all.iter().copied().find(|&value| of(value) == name);
    found.ok_or_else(|| {
        let all = all.iter().map(|&x| of(x)).collect::<Vec<_>>().join(", ");
        ParamsError::Unknown(format!("`{name}` is none of {all}"))
    })
}
