//! The commands that commit, prove, verify and compare.
//!
//! ```text
//! file ── data ──► Dataset ── tenfold: search, commit / open ──► file of ours ── verify ──► verdict
//! ```

pub mod bench;
#[cfg(feature = "cluster")]
pub mod cluster;
pub mod commit;
pub mod compare;
pub mod describe;
mod failure;
#[cfg(feature = "fleet")]
pub mod fleet;
pub mod inspect;
#[cfg(any(feature = "ring", feature = "ledger", feature = "cluster"))]
mod key;
#[cfg(feature = "ledger")]
pub mod ledger;
pub mod open;
pub mod params;
mod read;
#[cfg(feature = "ring")]
pub mod ring;
pub mod search;
pub mod secret;
mod table;
pub mod tour;
pub mod verify;
pub mod weights;
pub mod witness;

#[cfg(any(feature = "ring", feature = "ledger", feature = "cluster"))]
pub use key::read_key;
#[cfg(feature = "ledger")]
pub use read::read_exactly;
#[cfg(feature = "ring")]
pub use read::read_start;
pub use read::{named, read_commitment, read_file, read_ours};

use crate::args::Input;
use crate::exit::Failure;
use crate::progress::Progress;
use data::{Opened, Options, STDIN, Source};
use failure::unreadable;
use pcs::file::SchemeId;
use std::path::{Path, PathBuf};
use tenfold::Dataset;
use tenfold::dataset::{Column, Values};

/// What a command takes whatever it does.
const ALWAYS: u64 = 1 << 20;

/// Bytes of a column's integers, and of the command itself.
fn held(column: &Column) -> u64 {
    let integer = if matches!(column.values, Values::Narrow(_)) { 8 } else { 16 };
    // Room for rows doubles as they are read.
    integer * column.padded_rows() as u64 + ALWAYS
}

/// Opens a file, or standard input for `-`, with progress.
fn open_source(path: &Path, progress: &mut Progress) -> Result<Source, Failure> {
    Source::open(path, |file, size| progress.reading(file, size)).map_err(unreadable)
}

/// Opens data to commit to, and says whether they are committed to as bytes: where the scheme or their content says so. Refuses several columns.
fn open_data(
    input: &Input,
    scheme: Option<SchemeId>,
    options: &mut Options,
    progress: &mut Progress,
) -> Result<(Opened, bool), Failure> {
    table::refuse(input)?;
    open_any(input, scheme, options, progress)
}

/// [`open_data`] of one column, or of the first of several.
fn open_any(
    input: &Input,
    scheme: Option<SchemeId>,
    options: &mut Options,
    progress: &mut Progress,
) -> Result<(Opened, bool), Failure> {
    let given = scheme.is_some_and(SchemeId::is_of_bytes);
    if given {
        input.check_bytes()?;
        options.format = data::Format::Raw;
    }
    let opened = Opened::of(open_source(&input.file, progress)?, options).map_err(unreadable)?;
    let of_bytes = given || scheme.is_none() && opened.is_bytes();
    if of_bytes {
        input.check_bytes()?;
    }
    Ok((opened, of_bytes))
}

/// Reads data that were opened.
fn read_data(opened: Opened, of_bytes: bool, options: Options) -> Result<Dataset, Failure> {
    if of_bytes {
        let read = opened.bytes(&options).and_then(data::Content::read);
        read.map(Dataset::Bytes).map_err(unreadable)
    } else {
        opened.column(options).map(Dataset::Column).map_err(unreadable)
    }
}

/// Where the result of a command goes that is not told: beside its input, or for standard input here.
pub fn beside(input: &Path, extension: &str) -> PathBuf {
    if input.as_os_str() == STDIN {
        Path::new("stdin").with_extension(extension)
    } else {
        input.with_extension(extension)
    }
}

/// The name of a file that belongs to another: its name, and an ending behind it.
fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// The failure of a command that this build does not have.
#[cfg(not(all(feature = "ring", feature = "fleet", feature = "cluster", feature = "ledger")))]
pub fn absent(command: &str, feature: &str) -> Failure {
    Failure::usage(
        format!("this build has no `tenfold {command}`: it lacks the feature `{feature}`"),
        format!(
            "build it with `cargo build --release -p tenfold-cli --features {feature}`, or take a released binary"
        ),
    )
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
