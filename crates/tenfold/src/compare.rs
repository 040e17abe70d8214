//! Every scheme over every field that applies to data, at equal proven bits: to choose among, and to measure.

mod measure;

pub use measure::{Measurement, RUNS};

use crate::dataset::{Base, Bytes, Column, Dataset};
use crate::params::AnyParams;
use crate::search::{self, EntrySize, Options};
use crate::statement::Unit;
use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use iop::hash::Hash;
use iop::security::{Policy, Regimes};
use pcs::deepfold;
use pcs::fields::Fields;
use pcs::file::SchemeId;
use pcs::ligerito::Preset;

/// DeepFold as its authors batch it, and whole: log2 of the number of fragments.
const DEEPFOLD_COLUMNS: [u32; 2] = [6, 0];
/// DeepFold's rate, 1/8 as in its paper.
const DEEPFOLD_RATE: u32 = 3;
/// Work before DeepFold's queries: as much as the search gives PIP_FRI.
const GRINDING: u32 = 15;

/// The named profiles of Ligerito, with what is not their own field.
const NAMED: [(Preset, Option<Fields>); 5] = [
    (Preset::Fast, None),
    (Preset::Balanced, None),
    (Preset::Small, None),
    (Preset::Secure128, None),
    (Preset::Secure128, Some(Fields::Gf256)),
];

/// The choice among the cases that apply.
#[derive(Clone, Debug)]
pub struct Filter {
    /// The policy that every case meets: proven bits, with work and without, regimes and theorems.
    pub policy: Policy,
    /// The hash of trees and transcript: the fastest whose digests are as wide as the bits ask.
    pub hash: Option<Hash>,
    /// The schemes; empty for all.
    pub schemes: Vec<SchemeId>,
    /// Prime fields, none for each of them; empty for all, and binary ones.
    pub fields: Vec<Option<Base>>,
}

impl Filter {
    fn keeps(&self, scheme: SchemeId) -> bool {
        self.schemes.is_empty() || self.schemes.contains(&scheme)
    }

    fn keeps_field(&self, base: Base) -> bool {
        self.fields.is_empty() || self.fields.iter().any(|field| field.is_none_or(|named| named == base))
    }

    fn options(&self, profile: Preset) -> Options {
        let Policy { min_bits, regimes, theorems, interactive_bits } = self.policy;
        Options {
            bits: Some(min_bits),
            regimes,
            theorems,
            interactive_bits,
            hash: self.hash,
            profile: Some(profile),
            ..Options::default()
        }
    }
}

/// Parameters that apply to data.
#[derive(Clone, Debug)]
pub struct Case {
    /// The parameters.
    pub params: AnyParams,
    /// Profile, or number of fragments.
    pub profile: String,
    /// Data and challenge field.
    pub field: String,
    /// The options by which a commitment to the data has these parameters; none if it cannot.
    pub options: Option<Options>,
    /// Nanoseconds for each entry, to commit and open on one core; coarse, to tell cases apart.
    nanos: f64,
}

impl Case {
    /// Milliseconds to commit and open, roughly.
    #[must_use]
    pub fn predicted(&self) -> f64 {
        let columns = self.options.as_ref().and_then(|options| options.polynomials).unwrap_or(1);
        self.nanos * f64::from(columns) * (1u64 << self.params.log_size().min(40)) as f64 / 1e6
    }

    /// Bytes of memory that a measurement takes, with the data, roughly.
    #[must_use]
    pub fn memory(&self, data: &Dataset) -> u64 {
        let width = |bytes: u64| if bytes < 8 { 8 } else { 16 };
        // What is committed to in another form is there in both.
        let converted = match (data, Base::from_data(self.params.summary().fields[0])) {
            (Dataset::Column(_) | Dataset::Table(_), Some(_))
            | (Dataset::Bytes(_) | Dataset::Table(_), None) => 0,
            (Dataset::Bytes(_), Some(base)) => width(base.raw_width() as u64) << self.params.log_size(),
            (Dataset::Column(column), None) => 8 * column.rows() as u64,
        };
        data.memory() + converted + self.params.prover_memory(true)
    }

    /// The name of the scheme.
    #[must_use]
    pub fn scheme(&self) -> &'static str {
        self.params.scheme().name()
    }

    /// The case in words.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{} over {}, {}", self.scheme(), self.field, self.profile)
    }
}

/// Every case that applies and that the filter keeps, cheapest first.
#[must_use]
pub fn cases(data: &Dataset, filter: &Filter) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for base in Base::ALL.into_iter().filter(|&base| filter.keeps_field(base) && fits(data, base)) {
        cases.extend(prime(data, base, filter));
    }
    let binary_too = filter.fields.is_empty() || !filter.schemes.is_empty();
    if filter.keeps(SchemeId::Ligerito) && binary_too {
        cases.extend(binary(data, filter));
    }
    if filter.keeps(SchemeId::Air) && binary_too {
        cases.extend(air(data, filter));
    }
    cases.sort_by(|a, b| a.predicted().total_cmp(&b.predicted()));
    cases
}

/// Returns true if a field holds every row.
fn fits(data: &Dataset, base: Base) -> bool {
    match data {
        Dataset::Column(column) => column.values.check(base, 0).is_ok(),
        Dataset::Table(table) => table.columns().iter().all(|column| column.values.check(base, 0).is_ok()),
        Dataset::Bytes(_) => true,
    }
}

/// Every scheme over a prime field, each with the challenge field that suits it best.
fn prime(data: &Dataset, base: Base, filter: &Filter) -> Vec<Case> {
    let rows = match data {
        Dataset::Column(column) => column.rows(),
        Dataset::Table(table) => table.rows(),
        Dataset::Bytes(bytes) => bytes.content.len().div_ceil(base.raw_width()),
    };
    let log_size = rows.next_power_of_two().trailing_zeros();
    let mut cases = Vec::new();
    for (profile, kind) in [(Preset::Fast, Kind::Fast), (Preset::Small, Kind::Small)] {
        let mut options = filter.options(profile).field(base);
        if let Dataset::Table(table) = data {
            options = options.polynomials(table.describe().count());
        }
        if let Ok(params) = search::rows(base, log_size, &options)
            && filter.keeps(SchemeId::Pip)
        {
            cases.push(Case {
                field: field_name(&params),
                profile: profile.name().into(),
                options: Some(options),
                nanos: nanos(base, kind),
                params,
            });
        }
    }
    // Of one column alone.
    if filter.keeps(SchemeId::DeepFold) && data.columns() == 1 {
        cases.extend(deepfold(base, log_size, filter));
    }
    cases
}

/// DeepFold, which is here to compare with.
fn deepfold(base: Base, log_size: u32, filter: &Filter) -> Vec<Case> {
    let shapes = DEEPFOLD_COLUMNS.into_iter().filter(|&c| c <= log_size / 2);
    let found = shapes.filter_map(|log_columns| {
        let params = |&fields: &Fields| {
            let Policy { min_bits, interactive_bits, theorems, regimes } = filter.policy;
            // No work counts for more bits without it.
            let (bits, grinding) = match interactive_bits > min_bits.saturating_sub(GRINDING) {
                true => (min_bits.max(interactive_bits), 0),
                false => (min_bits, GRINDING),
            };
            let target =
                deepfold::Target::new(fields, [log_size, log_columns, DEEPFOLD_RATE], f64::from(bits));
            let hash = filter.options(Preset::Fast).hash_for(min_bits);
            let unique_decoding = (regimes == Regimes::UniqueDecoding).then_some(true);
            let target = deepfold::Target { hash, theorems, grinding, unique_decoding, ..target };
            let params = deepfold::Params::for_target(&target).ok()?;
            params.validate(&filter.policy).is_ok().then_some(params)
        };
        // A larger field allows the Johnson regime, which needs fewer queries.
        let fields = search::challenge_fields(base).iter();
        let params = fields.filter_map(params).min_by_key(|params| params.queries)?;
        let whole = params.log_columns == 0;
        let profile = if whole { "whole".into() } else { format!("x{}", 1u32 << params.log_columns) };
        let params = AnyParams::DeepFold(params);
        Some(Case {
            field: field_name(&params),
            profile,
            options: None,
            nanos: nanos(base, if whole { Kind::Whole } else { Kind::Fragments }),
            params,
        })
    });
    found.collect()
}

/// Ligerito: of a file its bytes, of numbers the words that hold them, which a commitment would not take from their file. In every named profile that
/// meets the policy; where none does, as the search finds it.
fn binary(data: &Dataset, filter: &Filter) -> Vec<Case> {
    let Some((packed, entries)) = packed(data) else { return Vec::new() };
    let named = NAMED.into_iter().filter_map(|(profile, over)| {
        let options = Options { over, ..filter.options(profile) };
        // Those that prove other bits are refused.
        of_bytes((&packed, entries), (profile.name(), 3.0), options)
    });
    let named: Vec<Case> = named.collect();
    if named.is_empty() {
        let scheme = Some(SchemeId::Ligerito);
        let options = Options { scheme, profile: None, ..filter.options(Preset::Fast) };
        return of_bytes((&packed, entries), ("searched", 3.0), options).into_iter().collect();
    }
    named
}

/// Air-FRI: of a file its bytes.
fn air(data: &Dataset, filter: &Filter) -> Option<Case> {
    let Dataset::Bytes(bytes) = data else { return None };
    let options = Options { scheme: Some(SchemeId::Air), profile: None, ..filter.options(Preset::Fast) };
    of_bytes((bytes, EntrySize::Bytes), ("chain", 12.0), options)
}

/// A case over a binary field, with nanoseconds for each byte.
fn of_bytes(
    (packed, entries): (&Bytes, EntrySize),
    (profile, nanos): (&str, f64),
    options: Options,
) -> Option<Case> {
    let params = search::bytes(packed.content.len() as u64, &options.clone().entries(entries)).ok()?;
    Some(Case {
        field: format!("{} / {}", params.unit().map(Unit::field).unwrap_or_default(), params.fields_name()),
        profile: profile.into(),
        options: (entries == EntrySize::Bytes).then_some(options),
        nanos: nanos * params.summary().bytes[0] as f64,
        params,
    })
}

/// The bytes that Ligerito commits to, and what an entry is: of numbers the smallest word that holds every one of them
/// in two's complement. Numbers that no word of 64 bits holds are left out.
fn packed(data: &Dataset) -> Option<(Cow<'_, Bytes>, EntrySize)> {
    let column = match data {
        Dataset::Bytes(bytes) => return Some((Cow::Borrowed(bytes), EntrySize::Bytes)),
        Dataset::Column(column) => column,
        Dataset::Table(_) => return None,
    };
    let (low, high) = column.values.range()?;
    let holds = |bits: u32| low >= -(1 << (bits - 1)) && high < 1 << (bits - 1);
    let (width, entries) = match (holds(32), holds(64)) {
        (true, _) => (4, EntrySize::Words32),
        (false, true) => (8, EntrySize::Words64),
        (false, false) => return None,
    };
    let content = column.values.iter().flat_map(|x| x.to_le_bytes().into_iter().take(width)).collect();
    Some((Cow::Owned(Bytes { name: column.name.clone(), content }), entries))
}

/// The data as the parameters commit to them.
fn committed<'a>(data: &'a Dataset, params: &AnyParams) -> Option<Cow<'a, Dataset>> {
    let base = Base::from_data(params.summary().fields[0]);
    match (data, base) {
        (Dataset::Column(_) | Dataset::Table(_), Some(_)) | (Dataset::Bytes(_), None) => {
            Some(Cow::Borrowed(data))
        }
        (Dataset::Table(_), None) => None,
        (Dataset::Bytes(bytes), Some(base)) => {
            Some(Cow::Owned(Dataset::Column(Column::packed(bytes, base.raw_width()))))
        }
        (Dataset::Column(_), None) => Some(Cow::Owned(Dataset::Bytes(packed(data)?.0.into_owned()))),
    }
}

/// Both fields by name.
fn field_name(params: &AnyParams) -> String {
    let (base, challenges) = (params.summary().fields[0], params.fields_name());
    let base = Base::from_data(base).map_or(base, Base::name);
    if base == challenges { base.to_string() } else { format!("{base} / {challenges}") }
}

#[derive(Clone, Copy)]
enum Kind {
    Fast,
    Small,
    Fragments,
    Whole,
}

/// Nanoseconds for each entry, to commit and open at 2^16 to 2^20 entries on one core of a Zen 5.
fn nanos(base: Base, kind: Kind) -> f64 {
    let of_kinds = match base {
        Base::KoalaBear => [14.0, 38.0, 24.0, 350.0],
        Base::Goldilocks => [29.0, 79.0, 53.0, 420.0],
        Base::Mersenne61 => [60.0, 160.0, 100.0, 800.0],
        Base::Bn254 => [680.0, 1700.0, 770.0, 1900.0],
    };
    of_kinds[kind as usize]
}
