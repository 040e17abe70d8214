//! From the user's wishes to parameters, and `tenfold params --scheme ligerito`.

use super::{BytesDescription, Unit};
use crate::args::{
    Bits, Common, EntriesChoice, FieldChoice, InnerChoice, OverChoice, ParamsArgs, Profile, SchemeArgs,
};
use crate::commands::params::{in_clear, matrix, recursion, show};
use crate::commands::params_file::ParamsFile;
use crate::commands::scheme::hash;
use crate::exit::{Exit, Failure};
use crate::units;
use iop::error::ParamError;
use iop::security::Policy;
use pcs::ligerito::search::{self, Candidate, SearchTarget, find_among, pareto};
use pcs::ligerito::{Entries, Fields, Params, Preset};
use serde_json::json;
use tenfold::AnyScheme;

/// Statements of one proof. For each the prover goes through the file.
const MAX_FORMS: u32 = 16;

/// The command.
pub fn run(args: &ParamsArgs, common: &Common) -> Result<Exit, Failure> {
    refuse_hiding(args.hiding.hiding)?;
    let params = choose(1 << args.log_size, &args.scheme)?;
    let (name, unit) = (params.fields.name(), Unit::of(&params).name());
    let preset = preset(&args.scheme)?;
    let value = json!({
        "scheme": "ligerito", "profile": preset.map(Preset::name), "field": name, "entries": unit, "bytes": BytesDescription::capacity(&params),
        "log_size": params.log_size, "hidden_openings": params.hidden_openings,
        "regime": params.regime.to_string(), "layout": layout(&params), "digest": units::hex(&params.digest()),
    });
    let (bytes, hash) = (units::bytes(BytesDescription::capacity(&params)), params.hash.name());
    let profile = preset.map_or(String::new(), |preset| format!("{} · ", preset.name()));
    let title =
        format!("ligerito · {profile}{name} · {bytes}, a row is a {unit} · {} · {hash}", params.regime);
    show((&title, value), &layout(&params), &params.report().under(args.scheme.theorems.set()), common);
    ParamsFile::from(&params).write(&args.output, common)?;
    Ok(Exit::Valid)
}

/// The cheapest parameters for so many bytes; of a named profile those that are as its name says.
pub fn choose(length: u64, args: &SchemeArgs) -> Result<Params, Failure> {
    let refused = |e: ParamError| Failure::usage(e.0, "ask for fewer --bits, or split the file");
    let params = find_among(&all_wanted(length, args)?).map_err(refused)?;
    preset(args)?
        .map_or(Ok(()), |preset| preset.check(&params, args.theorems.set()).map(|_| ()))
        .map_err(refused)?;
    Ok(params)
}

/// Every layout for so many bytes that is worth a choice, fastest first, and by what the best one is chosen.
pub fn candidates(length: u64, args: &SchemeArgs) -> Result<(search::Profile, Vec<Candidate>), Failure> {
    let wanted = all_wanted(length, args)?;
    Ok((wanted[0].profile, pareto(&wanted)))
}

/// The named profile, if one is asked for.
fn preset(args: &SchemeArgs) -> Result<Option<Preset>, Failure> {
    let preset = match args.profile {
        None => return Ok(None),
        Some(Profile::Fast) => Preset::Fast,
        Some(Profile::Balanced) => Preset::Balanced,
        Some(Profile::Small) => Preset::Small,
        Some(Profile::Secure128) => Preset::Secure128,
    };
    let (name, bits) = (preset.name(), preset.bits());
    if args.bits.is_some_and(|asked| asked.number() != bits) {
        let message = format!("with --scheme ligerito the profile `{name}` proves {bits} bits");
        return Err(Failure::usage(message, "leave --bits out, or take another --profile, or none"));
    }
    Ok(Some(preset))
}

/// The proven bits asked for: those of the named profile, if there is one.
pub fn bits(args: &SchemeArgs) -> Result<u32, Failure> {
    Ok(preset(args)?.map_or(args.bits().number(), Preset::bits))
}

/// What to search for: one wish for each challenge field, at least one.
fn all_wanted(length: u64, args: &SchemeArgs) -> Result<Vec<SearchTarget>, Failure> {
    refuse_fields(args)?;
    let preset = preset(args)?;
    let over = args.over.map(|over| match over {
        OverChoice::Gf128 => Fields::Gf128,
        OverChoice::Gf192 => Fields::Gf192,
        OverChoice::Gf256 => Fields::Gf256,
    });
    let fields = match (over, preset) {
        (Some(over), Some(preset)) if !preset.fields().contains(&over) => {
            let message = format!("the profile `{}` is not over {}", preset.name(), over.name());
            return Err(Failure::usage(message, "leave --over out, or --profile"));
        }
        (Some(over), _) => vec![over],
        // The first field of a profile is its own, the others are its alternatives.
        (None, Some(preset)) => preset.fields()[..1].to_vec(),
        (None, None) => match args.bits() {
            Bits::B100 => vec![Fields::Gf128],
            Bits::B128 => vec![Fields::Gf192, Fields::Gf256],
        },
    };
    Ok(fields.into_iter().map(|fields| wanted(fields, preset, length, args)).collect())
}

fn wanted(fields: Fields, preset: Option<Preset>, length: u64, args: &SchemeArgs) -> SearchTarget {
    let entries = match args.entries.unwrap_or_default() {
        EntriesChoice::Bytes => Entries::Bytes,
        EntriesChoice::Bits => Entries::Bits,
        EntriesChoice::Words32 => Entries::Words32,
        // Words as wide as the alphabet are its elements.
        EntriesChoice::Words64 if fields.base_bytes() == 8 => Entries::Whole,
        EntriesChoice::Words64 => Entries::Words64,
    };
    let size = length.div_ceil(fields.base_bytes() as u64);
    let log_size = u64::BITS - size.saturating_sub(1).leading_zeros();
    let plain = || SearchTarget::new(fields, log_size, args.bits().number(), search::Profile::Fast);
    let wanted = preset.map_or_else(plain, |preset| preset.wanted(fields, log_size));
    SearchTarget {
        hash: hash(args.hash),
        entries,
        max_forms: MAX_FORMS,
        theorems: args.theorems.set(),
        ..wanted
    }
}

/// Refuses what only columns of numbers have.
fn refuse_fields(args: &SchemeArgs) -> Result<(), Failure> {
    if args.field != FieldChoice::Auto {
        let message = "--field is for columns of numbers: bytes stand in a binary field as they are";
        return Err(Failure::usage(message, "leave it out"));
    }
    if args.inner != InnerChoice::Recursion {
        return Err(Failure::usage(
            "Ligerito has no other inner argument than recursion",
            "leave --inner out",
        ));
    }
    Ok(())
}

/// Refuses hiding.
pub fn refuse_hiding(hiding: Option<u32>) -> Result<(), Failure> {
    match hiding {
        None => Ok(()),
        Some(_) => Err(Failure::usage(
            "with --scheme ligerito nothing hides: a proof about packed entries shows sums over others beside them",
            "take `--scheme pip`, which packs the bytes of any file into numbers",
        )),
    }
}

/// Validated parameters for a prover, or why they are refused.
pub fn validated(params: &Params, policy: &Policy) -> Result<AnyScheme, Failure> {
    AnyScheme::from_ligerito(params.clone(), policy).map_err(crate::commands::scheme::refused)
}

/// One line per committed matrix.
#[must_use]
pub fn layout(params: &Params) -> Vec<String> {
    let mut lines = vec![matrix("commitment", &params.level, params.log_rows())];
    let (levels, left) = recursion(params.levels(), params.log_rows());
    lines.extend(levels);
    lines.push(in_clear(left));
    lines
}
