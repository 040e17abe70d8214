//! Parameters for bytes.

use super::{Columns, EntrySize, LOG_SIZE_FOR_HIDING, Options};
use crate::error::Error;
use crate::statement::BytesDescription;
use crate::text::count;
use iop::security::Regimes;
use pcs::file::SchemeId;
use pcs::ligerito::search::{self, Candidate, SearchTarget, find_among, pareto};
use pcs::ligerito::{Entries, Fields, Params, Preset};
use pcs::pip::InnerKind;

/// Statements of one proof. For each the prover goes through the file.
const MAX_FORMS: u32 = 16;

/// The cheapest parameters for so many bytes; of a named profile those that are as its name says.
///
/// # Errors
/// If an option is for columns or against the profile, nothing proves the bits, more columns than elements are asked for, or there are fewer than parts.
pub fn choose(length: u64, options: &Options) -> Result<Params, Error> {
    let mut targets = targets(length, options)?;
    let mut found = find_among(&targets);
    // A short file that hides is padded until the random rows fit in.
    while options.hidden_openings > 0 && found.is_err() && targets[0].log_size < LOG_SIZE_FOR_HIDING {
        targets.iter_mut().for_each(|target| target.log_size += 1);
        found = find_among(&targets);
    }
    let params = found.map_err(Error::Search)?;
    if let Some(preset) = options.profile {
        preset.check(&params, options.theorems).map_err(Error::Search)?;
    }
    options.with_parts(params)
}

/// Every layout for so many bytes that is worth a choice, fastest first, and the trade that the best one is chosen by.
///
/// # Errors
/// As [`choose`], but for the bits.
pub fn candidates(length: u64, options: &Options) -> Result<(search::Profile, Vec<Candidate>), Error> {
    let targets = targets(length, options)?;
    Ok((targets[0].profile, pareto(&targets)))
}

/// The proven bits asked for: those of the profile, if there is one.
///
/// # Errors
/// If others are asked for too.
pub fn proven_bits(options: &Options) -> Result<u32, Error> {
    match options.profile {
        None => Ok(options.bits.unwrap_or(128)),
        Some(preset) if options.bits.is_none_or(|bits| bits == preset.bits()) => Ok(preset.bits()),
        Some(preset) => Err(Error::ProfileBits { name: preset.name(), bits: preset.bits() }),
    }
}

/// Refuses parameters that are not for a file of so many bytes.
pub(super) fn check(params: &Params, length: u64) -> Result<(), Error> {
    let capacity = BytesDescription::capacity(params);
    if length > capacity {
        let [length, capacity] = [length, capacity].map(count);
        return Err(Error::OtherParams(format!(
            "the parameters are for {capacity} bytes, the file has {length}"
        )));
    }
    if params.polynomials != 1 {
        return Err(Error::OtherParams("the parameters are for several files".into()));
    }
    Ok(())
}

/// Refuses what is for columns alone.
///
/// # Errors
/// If an option is.
pub fn check_options(options: &Options) -> Result<(), Error> {
    options.check_numbers()?;
    let of_columns = |option| Error::Option { option, data: "bytes" };
    if options.field.is_some() {
        return Err(of_columns("field"));
    }
    if options.inner.is_some() {
        return Err(of_columns("inner"));
    }
    if options.polynomials.is_some_and(|columns| columns != 1) {
        return Err(of_columns("polynomials"));
    }
    match (options.scheme, options.profile) {
        (None | Some(SchemeId::Ligerito), _) | (Some(SchemeId::Air), None) => {}
        (Some(SchemeId::Air), Some(preset)) => return Err(Error::ProfileOfAir(preset.name())),
        (Some(other), _) => return Err(Error::SchemeOfBytes(other.name())),
    }
    match (options.hidden_openings, options.scheme) {
        (0, _) => Ok(()),
        (_, Some(SchemeId::Air)) => check_hiding(options),
        _ => Err(Error::HiddenBytes),
    }
}

/// Refuses to hide entries that are packed: the parts of a claim about one show sums over others. (notes: zk-mask)
fn check_hiding(options: &Options) -> Result<(), Error> {
    let whole = options.entries.is_none_or(|entries| entries == EntrySize::Words64);
    let fits = options.over.is_none_or(|fields| fields.base_bytes() == 8);
    if whole && fits { Ok(()) } else { Err(Error::HiddenEntries) }
}

/// What to search for: a target for each challenge field, at least one.
fn targets(length: u64, options: &Options) -> Result<Vec<SearchTarget>, Error> {
    check_options(options)?;
    let (bits, hides) = (proven_bits(options)?, options.hidden_openings > 0);
    if let Some(preset) = options.profile
        && options.regimes == Regimes::UniqueDecoding
        && !preset.unique_decoding()
    {
        return Err(Error::ProfileRegime(preset.name()));
    }
    let mut fields = match (options.over, options.profile) {
        (Some(over), Some(preset)) if !preset.fields().contains(&over) => {
            return Err(Error::ProfileField { name: preset.name(), field: over.name() });
        }
        (Some(over), _) => vec![over],
        // The first field of a profile is its own, the others are its alternatives.
        (None, Some(preset)) => preset.fields()[..1].to_vec(),
        // Hidden entries are whole elements, of 64 bits.
        (None, None) if hides && bits <= 128 => vec![Fields::Gf192, Fields::Gf320],
        (None, None) if hides => vec![Fields::Gf320],
        (None, None) if bits <= 100 => vec![Fields::Gf128],
        (None, None) if bits <= 128 => vec![Fields::Gf192, Fields::Gf256],
        (None, None) if bits <= 192 => vec![Fields::Gf256, Fields::Gf320],
        (None, None) => vec![Fields::Gf320],
    };
    if options.over.is_none() && options.profile.is_none() && options.interactive_bits > bits {
        // No work counts for these bits, and a larger field may prove them.
        let largest = fields.iter().map(|fields| fields.bits()).fold(0.0, f64::max);
        let larger = [Fields::Gf192, Fields::Gf256, Fields::Gf320].into_iter();
        fields.extend(larger.filter(|fields| fields.bits() > largest));
    }
    let targets: Vec<SearchTarget> =
        fields.into_iter().map(|fields| target(fields, (length, bits), options)).collect();
    targets.iter().try_for_each(|target| options.check_columns(target.log_size))?;
    let log_columns = match options.columns {
        Columns::Log2(columns) => Some(columns),
        Columns::ForRanks if options.log_parts > 0 => {
            search::for_ranks(&targets, options.log_parts).map(|division| division.log_columns)
        }
        Columns::ForRanks | Columns::Cheapest => None,
    };
    Ok(targets.into_iter().map(|target| SearchTarget { log_columns, ..target }).collect())
}

fn target(fields: Fields, (length, bits): (u64, u32), options: &Options) -> SearchTarget {
    let hides = options.hidden_openings > 0;
    let size = if hides { EntrySize::Words64 } else { options.entries.unwrap_or_default() };
    let entries = match size {
        EntrySize::Bytes => Entries::Bytes,
        EntrySize::Bits => Entries::Bits,
        EntrySize::Words32 => Entries::Words32,
        // Words as wide as the alphabet are its elements.
        EntrySize::Words64 if fields.base_bytes() == 8 => Entries::Whole,
        EntrySize::Words64 => Entries::Words64,
    };
    let elements = length.div_ceil(fields.base_bytes() as u64);
    let log_size = u64::BITS - elements.saturating_sub(1).leading_zeros();
    let plain = || SearchTarget::new(fields, log_size, bits, search::Profile::Fast);
    let target = options.profile.map_or_else(plain, |preset: Preset| preset.wanted(fields, log_size));
    SearchTarget {
        unique_decoding: options.unique_decoding(target.unique_decoding),
        hash: options.hash_for(bits),
        inner: if options.scheme == Some(SchemeId::Air) { InnerKind::Chain } else { InnerKind::Recursion },
        entries,
        max_forms: if hides { 1 } else { MAX_FORMS },
        hidden_openings: options.hidden_openings,
        theorems: options.theorems,
        interactive_bits: options.interactive_bits,
        ..target
    }
}
