//! The commands that commit, prove, verify and compare.
//!
//! ```text
//! file ── data ──► Column ── scheme::choose ──► Params ── commit / open ──► file of ours ── verify ──► verdict
//! ```

pub mod bench;
pub mod blob;
pub mod commit;
pub mod committed;
pub mod compare;
pub mod describe;
mod failure;
pub mod inspect;
pub mod open;
pub mod params;
pub mod params_file;
mod read;
pub mod ring;
pub mod scheme;
pub mod search;
pub mod secret;
pub mod tour;
pub mod verified;
pub mod verify;
pub mod weights;
pub mod witness;

pub use read::{read_file, read_ours, read_start};

use crate::args::{Common, Input};
use crate::data::{self, Column, Format, Limits, Options, STDIN, Source, Values};
use crate::exit::Failure;
use crate::memory;
use crate::progress::Progress;
use std::path::Path;

/// Memory of a column per padded row while it is read: its integers, and once more while they are moved.
pub const BYTES_PER_ROW: u64 = 24;
/// The same where every scheme over every field is run: the integers, their elements, a codeword at the lowest rate, its tree.
pub const COMPARED_BYTES_PER_ROW: u64 = 320;

/// What a command takes whatever it does.
const ALWAYS: u64 = 1 << 20;

/// Bytes of a column's integers, and of the command itself.
fn held(column: &Column) -> u64 {
    let integer = if matches!(column.values, Values::Narrow(_)) { 8 } else { 16 };
    // Room for rows doubles as they are read.
    integer * column.padded_rows() as u64 + ALWAYS
}

/// The memory that a command may take.
#[must_use]
pub fn max_memory(common: &Common) -> u64 {
    common.max_memory.unwrap_or_else(memory::default_limit)
}

/// Data that was opened, and how it is to be read.
pub struct Opened {
    /// What to read: inside a compressed file, its content.
    pub source: Source,
    /// By the arguments, or by content and name: never [`Format::Auto`].
    pub format: Format,
}

impl Opened {
    /// Opens the data of a command.
    ///
    /// # Errors
    /// If it cannot be read, or is something that would be read as what nobody meant.
    pub fn input(input: &Input, common: &Common, progress: &mut Progress) -> Result<Self, Failure> {
        let source = open_source(&input.file, progress)?;
        let format = input.format();
        if format == Format::Raw {
            return Ok(Self { source, format });
        }
        let source = source.decompressed(max_memory(common) / 2)?;
        let format = source.format(format, input.column.is_some())?;
        Ok(Self { source, format })
    }

    /// Opens the bytes that were committed to: the file as it stands if it has this length, else what is inside.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn bytes(
        path: &Path,
        length: u64,
        common: &Common,
        progress: &mut Progress,
    ) -> Result<Self, Failure> {
        let source = open_source(path, progress)?.of_length(length, max_memory(common) / 2)?;
        Ok(Self { source, format: Format::Raw })
    }

    /// Whether this is a file of bytes.
    #[must_use]
    pub fn is_bytes(&self) -> bool {
        self.format == Format::Raw
    }

    /// Reads the column; bytes are packed, `raw_width` of them in each number.
    ///
    /// # Errors
    /// See [`data::DataError`].
    pub fn column(
        self,
        input: &Input,
        (common, bytes_per_row): (&Common, u64),
        raw_width: usize,
        name: Option<&str>,
    ) -> Result<Column, Failure> {
        let options = Options {
            column: input.column.clone(),
            scale: input.scale,
            delimiter: input.delimiter,
            header: !input.no_header,
            raw_width,
            limits: Limits { max_bytes: max_memory(common), bytes_per_row },
            // For standard input, which has no name of its own.
            name: name.unwrap_or("stdin").to_owned(),
            ..Options::default()
        };
        Ok(data::load(self.source, self.format, options)?)
    }
}

/// Opens a file, or standard input for `-`, with progress.
fn open_source(path: &Path, progress: &mut Progress) -> Result<Source, Failure> {
    Ok(Source::open(path, |file, size| progress.reading(file, size))?)
}

/// Where the result of a command goes that is not told: beside its input, or for standard input here.
#[must_use]
pub fn beside(input: &Path, extension: &str) -> std::path::PathBuf {
    if input.as_os_str() == STDIN {
        Path::new("stdin").with_extension(extension)
    } else {
        input.with_extension(extension)
    }
}
