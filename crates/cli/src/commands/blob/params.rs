//! From the user's wishes to parameters, and `tenfold params --scheme ligerito`.

use super::{Unit, capacity};
use crate::args::{Bits, Common, EntriesChoice, FieldChoice, InnerChoice, ParamsArgs, SchemeArgs};
use crate::commands::params::{in_clear, matrix, recursion, show};
use crate::commands::scheme::{hash, profile};
use crate::exit::{Exit, Failure};
use crate::units;
use field::{Alphabet, ExtensionOf};
use iop::security::Policy;
use pcs::ligerito::search::{Candidate, Wanted, find_among, pareto};
use pcs::ligerito::{Entries, Fields, Params, Scheme};
use serde_json::json;

/// Statements of one proof. For each the prover goes through the file.
const MAX_FORMS: u32 = 16;

/// The command.
pub fn run(args: &ParamsArgs, common: &Common) -> Result<Exit, Failure> {
    refuse_hiding(args.hiding.hiding)?;
    let params = choose(1 << args.log_size, &args.scheme)?;
    let (name, unit) = (params.fields.name(), Unit::of(&params).name());
    let value = json!({
        "scheme": "ligerito", "field": name, "entries": unit, "bytes": capacity(&params),
        "log_size": params.log_size, "hidden_openings": params.hidden_openings,
        "regime": params.regime.to_string(), "layout": layout(&params), "digest": units::hex(&params.digest()),
    });
    let (bytes, hash) = (units::bytes(capacity(&params)), params.hash.name());
    let title = format!("ligerito · {name} · {bytes}, a row is a {unit} · {} · {hash}", params.regime);
    show((&title, value), &layout(&params), &params.report(), common);
    Ok(Exit::Valid)
}

/// The cheapest parameters for so many bytes.
pub fn choose(length: u64, args: &SchemeArgs) -> Result<Params, Failure> {
    find_among(&all_wanted(length, args)?)
        .map_err(|e| Failure::usage(e.0, "ask for fewer --bits, or split the file"))
}

/// Every layout for so many bytes that is worth a choice, fastest first.
pub fn candidates(length: u64, args: &SchemeArgs) -> Result<Vec<Candidate<Params>>, Failure> {
    Ok(pareto(&all_wanted(length, args)?))
}

fn all_wanted(length: u64, args: &SchemeArgs) -> Result<Vec<Wanted>, Failure> {
    refuse_fields(args)?;
    let fields: &[Fields] = match args.bits {
        Bits::B100 => &[Fields::Gf128],
        Bits::B128 => &[Fields::Gf192, Fields::Gf256],
    };
    Ok(fields.iter().map(|&fields| wanted(fields, length, args)).collect())
}

fn wanted(fields: Fields, length: u64, args: &SchemeArgs) -> Wanted {
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
    let bits = args.bits.number();
    Wanted {
        hash: hash(args.hash),
        entries,
        max_forms: MAX_FORMS,
        ..Wanted::new(fields, log_size, bits, profile(args.profile))
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
            "take the default scheme, which reads any file too",
        )),
    }
}

/// Validated parameters for a prover, or why they are refused.
pub fn validated<B: Alphabet, E: ExtensionOf<B>>(
    params: &Params,
    min_bits: u32,
) -> Result<Scheme<B, E>, Failure> {
    Scheme::new(params.clone(), &Policy { min_bits }).map_err(crate::commands::scheme::refused)
}

/// One line per committed matrix.
#[must_use]
pub fn layout(params: &Params) -> Vec<String> {
    let mut lines = vec![matrix("commitment", &params.level, params.log_rows())];
    let (levels, left) = recursion(&params.levels, params.log_rows());
    lines.extend(levels);
    lines.push(in_clear(left));
    lines
}
