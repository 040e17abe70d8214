//! The plan of `compare`: for each case its parameters, and the options with which `commit` takes the same ones.

use super::{Data, Filter};
use crate::args::{
    ComparedScheme, EntriesChoice, FieldChoice, HashChoice, InnerChoice, OverChoice, Profile, SchemeArgs,
    SchemeChoice,
};
use crate::commands::blob;
use crate::commands::scheme::{self, fields, hash};
use crate::data::Base;
use clap::ValueEnum;
use pcs::deepfold;
use pcs::fields::Fields;
use tenfold::AnyParams;

/// DeepFold as its authors batch it, and whole: log2 of the number of fragments.
const DEEPFOLD_COLUMNS: [u32; 2] = [6, 0];
/// DeepFold's rate, 1/8 as in its paper.
const DEEPFOLD_RATE: u32 = 3;
/// Work before DeepFold's queries: as much as the search gives PIP_FRI.
const GRINDING: u32 = 15;

/// The named profiles of Ligerito, with what is not their own field.
const NAMED: [(Profile, Option<OverChoice>); 5] = [
    (Profile::Fast, None),
    (Profile::Balanced, None),
    (Profile::Small, None),
    (Profile::Secure128, None),
    (Profile::Secure128, Some(OverChoice::Gf256)),
];

/// A case that was not measured yet.
pub struct Planned {
    /// The parameters.
    pub params: AnyParams,
    /// Profile, or number of fragments.
    pub profile: String,
    /// Data and challenge field.
    pub field: String,
    /// The options with which `commit` makes this commitment; none if it cannot.
    pub commit: Option<String>,
    /// Nanoseconds for each entry, to commit and open on one core; coarse, to tell cases apart.
    nanos: f64,
}

impl Planned {
    /// Milliseconds to commit and open, roughly.
    pub fn predicted(&self) -> f64 {
        self.nanos * (1u64 << self.params.log_size().min(40)) as f64 / 1e6
    }

    /// The case in words.
    pub fn name(&self) -> String {
        format!("{} over {}, {}", self.params.scheme().name(), self.field, self.profile)
    }
}

/// Every case that applies and that the filter keeps, cheapest first.
pub fn plan(data: &Data, filter: &Filter) -> Vec<Planned> {
    let mut planned: Vec<Planned> = Vec::new();
    for base in Base::ALL.into_iter().filter(|&base| filter.keeps_field(base) && data.fits(base)) {
        planned.extend(prime(data, base, filter));
    }
    if filter.keeps(ComparedScheme::Ligerito) && (filter.fields.is_empty() || !filter.schemes.is_empty()) {
        planned.extend(binary(data, filter));
    }
    planned.sort_by(|a, b| a.predicted().total_cmp(&b.predicted()));
    planned
}

/// Every scheme over a prime field, each with the challenge field that suits it best.
fn prime(data: &Data, base: Base, filter: &Filter) -> Vec<Planned> {
    let log_size = data.log_size(base);
    let mut planned = Vec::new();
    for profile in [Profile::Fast, Profile::Small] {
        let args = args(SchemeChoice::Pip, profile, filter);
        let args = SchemeArgs { field: field_choice(base), ..args };
        let Some(params) =
            scheme::params(base, log_size, &args).ok().filter(|_| filter.keeps(ComparedScheme::Pip))
        else {
            continue;
        };
        planned.push(Planned {
            field: challenge_name(params.fields),
            profile: name(profile),
            commit: Some(options(&args)),
            nanos: nanos(base, if profile == Profile::Fast { Kind::Fast } else { Kind::Small }),
            params: AnyParams::Matrix(params),
        });
    }
    if filter.keeps(ComparedScheme::DeepFold) {
        planned.extend(deepfold(base, log_size, filter));
    }
    planned
}

/// DeepFold, which is here to compare with.
fn deepfold(base: Base, log_size: u32, filter: &Filter) -> Vec<Planned> {
    let shapes = DEEPFOLD_COLUMNS.into_iter().filter(|&c| c <= log_size / 2);
    let found = shapes.filter_map(|log_columns| {
        let params = |&fields: &Fields| {
            let shape = [log_size, log_columns, DEEPFOLD_RATE];
            let target = deepfold::Target::new(fields, shape, f64::from(filter.bits.number()));
            let hash = hash(filter.hash);
            let theorems = filter.theorems.set();
            let target = deepfold::Target { hash, theorems, grinding: GRINDING, ..target };
            deepfold::Params::for_target(&target).ok()
        };
        // A larger field allows the Johnson regime, which needs fewer queries.
        let params = fields(base).iter().filter_map(params).min_by_key(|params| params.queries)?;
        let whole = params.log_columns == 0;
        Some(Planned {
            field: challenge_name(params.fields),
            profile: if whole { "whole".into() } else { format!("x{}", 1u32 << params.log_columns) },
            commit: None,
            nanos: nanos(base, if whole { Kind::Whole } else { Kind::Fragments }),
            params: AnyParams::DeepFold(params),
        })
    });
    found.collect()
}

/// Ligerito: of a file its bytes, of numbers the words that hold them, which `commit` would not take from their file.
fn binary(data: &Data, filter: &Filter) -> Vec<Planned> {
    let Some((packed, entries)) = data.packed() else { return Vec::new() };
    let found = NAMED.into_iter().filter_map(|(profile, over)| {
        let args = SchemeArgs { over, ..args(SchemeChoice::Ligerito, profile, filter) };
        let chosen = SchemeArgs { entries: Some(entries), ..args.clone() };
        // Those that prove other bits are refused.
        let params = blob::params::choose(packed.len() as u64, &chosen).ok()?;
        let nanos = 3.0 * params.fields.base_bytes() as f64;
        Some(Planned {
            field: format!("{} / {}", blob::Unit::of(&params).field(), params.fields.name()),
            profile: name(profile),
            commit: (entries == EntriesChoice::Bytes).then(|| options(&args)),
            nanos,
            params: AnyParams::Matrix(params),
        })
    });
    found.collect()
}

fn args(scheme: SchemeChoice, profile: Profile, filter: &Filter) -> SchemeArgs {
    SchemeArgs {
        scheme: Some(scheme),
        entries: None,
        field: FieldChoice::Auto,
        bits: Some(filter.bits),
        profile: Some(profile),
        over: None,
        hash: filter.hash,
        inner: InnerChoice::Recursion,
        theorems: filter.theorems.clone(),
    }
}

/// The command line of scheme options.
fn options(args: &SchemeArgs) -> String {
    let mut words = Vec::new();
    let mut option = |name: &str, value: Option<String>| {
        words.extend(value.map(|value| format!("--{name} {value}")));
    };
    option("scheme", args.scheme.map(name));
    option("field", (args.field != FieldChoice::Auto).then(|| name(args.field)));
    option("profile", args.profile.map(name));
    option("over", args.over.map(name));
    option("bits", args.bits.map(name));
    option("hash", (args.hash != HashChoice::default()).then(|| name(args.hash)));
    words.join(" ")
}

fn name(choice: impl ValueEnum) -> String {
    choice.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

fn field_choice(base: Base) -> FieldChoice {
    match base {
        Base::KoalaBear => FieldChoice::KoalaBear,
        Base::Goldilocks => FieldChoice::Goldilocks,
        Base::Mersenne61 => FieldChoice::Mersenne61,
        Base::Bn254 => FieldChoice::Bn254,
    }
}

fn challenge_name(pair: Fields) -> String {
    let (base, challenges) = (Base::from_data(pair.base_name()).map_or("binary", Base::name), pair.name());
    if base == challenges { base.to_owned() } else { format!("{base} / {challenges}") }
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
