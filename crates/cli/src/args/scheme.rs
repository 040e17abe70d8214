//! Arguments about how to commit and prove.

use super::choices::{self, FieldChoice, one_of};
use super::policy::{TheoremArgs, regimes};
use clap::Args;
use iop::hash::Hash;
use iop::security::Policy;
use pcs::file::SchemeId;
use pcs::ligerito::{Fields, Preset};
use pcs::pip::InnerKind;
use pcs::pip::search::MAX_LOG_COLUMNS;
use tenfold::{Columns, DeviceChoice, EntrySize, Options};

/// Options of a commitment: hiding, and the parts of its leaves.
#[derive(Args, Clone, Debug)]
pub struct LeafArgs {
    /// Openings that show nothing but the value they prove; the first N, 1 to 16, then no more
    #[arg(long, value_name = "N", group = "hides", value_parser = clap::value_parser!(u32).range(1..=16))]
    pub hiding: Option<u32>,
    /// Parts of consecutive columns that a leaf is hashed from: 1, 2, 4, 8 or 16, so that as many machines can commit together
    #[arg(long, value_name = "N", value_parser = one_of(choices::PARTS), default_value = "1", hide_possible_values = true)]
    pub parts: u32,
}

/// How to commit and prove.
#[derive(Args, Clone, Debug)]
pub struct SchemeArgs {
    /// Scheme [default: pip for a column of numbers, ligerito for binary data]
    #[arg(long, value_parser = one_of(choices::SCHEMES))]
    pub scheme: Option<SchemeId>,
    /// Unit that is a row of a file, with `--scheme ligerito` or `air` [default: bytes; with --hiding words64]
    #[arg(long, value_parser = one_of(choices::ENTRIES))]
    pub entries: Option<EntrySize>,
    /// Field of the rows
    #[arg(long, value_parser = one_of(choices::FIELDS), default_value = "auto")]
    pub field: FieldChoice,
    /// Proven bits of security [default: 128, or those of a named profile]
    #[arg(long, value_parser = one_of(choices::BITS))]
    pub bits: Option<u32>,
    /// Proven bits without proof of work, which verifiers may ask for by their --interactive-bits
    #[arg(long, value_name = "BITS", default_value_t = 0)]
    pub interactive_bits: u32,
    /// Parameters within unique decoding alone, which verifiers may ask for by their --unique-decoding
    #[arg(long)]
    pub unique_decoding: bool,
    /// Preference for prover time or for proof bytes; with `--scheme ligerito` a name for bits, regime and rate, with `air` nothing
    /// [default: fast; with `--scheme ligerito` the best of all regimes and rates at the --bits]
    #[arg(long, value_parser = one_of(choices::PROFILES))]
    pub profile: Option<Preset>,
    /// Challenge field of `--scheme ligerito` or `air` [default: the cheapest that proves the bits]
    #[arg(long, value_parser = one_of(choices::OVERS))]
    pub over: Option<Fields>,
    /// Hash function of the tree and the transcript [default: blake3; above 128 bits SHA-3 with digests of twice the bits]
    #[arg(long, value_parser = one_of(choices::HASHES))]
    pub hash: Option<Hash>,
    /// How the combined fragment of a column of numbers is proven [default: recursion]
    #[arg(long, value_parser = one_of(choices::INNERS))]
    pub inner: Option<InnerKind>,
    /// Columns of the matrix, a power of two up to 65536: more divide better among ranks, and make proofs longer. `ranks`: those that are best for as many ranks as
    /// --parts; `cheapest`: for one machine [default: cheapest; of `cluster bench` ranks]
    #[arg(long, value_name = "N|ranks|cheapest", value_parser = parse_columns)]
    pub columns: Option<Columns>,
    #[command(flatten)]
    pub theorems: TheoremArgs,
}

impl SchemeArgs {
    /// The proven bits asked for; a named profile's are its own.
    pub fn bits(&self) -> u32 {
        self.bits.unwrap_or(128)
    }

    /// The options of the library.
    pub fn options(&self) -> Options {
        Options {
            bits: self.bits,
            interactive_bits: self.interactive_bits,
            regimes: regimes(self.unique_decoding),
            theorems: self.theorems.set(),
            scheme: self.scheme,
            hash: self.hash,
            profile: self.profile,
            field: self.field,
            inner: self.inner,
            columns: self.columns.unwrap_or_default(),
            entries: self.entries,
            over: self.over,
            ..Options::default()
        }
    }

    /// The policy of a verifier who wants the proven bits asked for.
    pub fn policy(&self) -> Policy {
        self.options().policy(self.bits())
    }
}

/// The columns of a matrix.
fn parse_columns(text: &str) -> Result<Columns, &'static str> {
    match text {
        "ranks" => return Ok(Columns::ForRanks),
        "cheapest" => return Ok(Columns::Cheapest),
        _ => {}
    }
    let columns = text.parse::<u32>().ok().filter(|n| n.is_power_of_two() && *n <= 1 << MAX_LOG_COLUMNS);
    let columns = columns.ok_or("no power of two up to 65536, nor `ranks` or `cheapest`")?;
    Ok(Columns::Log2(columns.trailing_zeros()))
}

/// The device that holds a matrix.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct DeviceArgs {
    /// Device that holds the matrix: files are the same, byte for byte
    #[arg(long, value_parser = one_of(choices::DEVICES), default_value = "cpu")]
    pub device: DeviceChoice,
}

impl LeafArgs {
    /// The options of the library, with the openings that a commitment is to hide, and the parts of its leaves.
    pub fn options(&self, scheme: &SchemeArgs) -> Options {
        scheme.options().hiding(self.hiding.unwrap_or(0)).log_parts(self.parts)
    }
}
