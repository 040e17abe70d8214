//! The commands that commit, prove, verify and compare.
//!
//! ```text
//! file ── data ──► Column ── scheme::choose ──► Params ── commit / open ──► file of ours ── verify ──► verdict
//! ```

pub mod bench;
pub mod commit;
pub mod committed;
pub mod compare;
mod contender;
pub mod context;
pub mod forms;
pub mod inspect;
pub mod open;
pub mod params;
pub mod scheme;
pub mod subject;
pub mod tour;
pub mod verify;
pub mod weighted;
pub mod weights;

use crate::args::{Common, Input};
use crate::data::{self, Column, Limits, Options};
use crate::exit::Failure;
use crate::memory;
use crate::progress::Progress;
use std::path::Path;

/// Memory of a job per padded row: the column as integers and as elements, codeword at the lowest rate, tree.
pub const BYTES_PER_ROW: u64 = 320;

/// Reads the column of a command.
pub fn load(
    input: &Input,
    common: &Common,
    bytes_per_row: u64,
    raw_width: usize,
    progress: &mut Progress,
) -> Result<Column, Failure> {
    let max_bytes = common.max_memory.unwrap_or_else(memory::default_limit);
    let options = Options {
        column: input.column.clone(),
        scale: input.scale,
        delimiter: input.delimiter,
        header: !input.no_header,
        raw_width,
        limits: Limits { max_bytes, bytes_per_row },
        ..Options::default()
    };
    let column = data::load(&input.file, input.format, options, |f, size| progress.reading(f, size))?;
    progress.end();
    Ok(column)
}

/// Reads a file of ours, bounded by the memory limit.
pub fn read_file(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(Failure::file("read", path))
}

/// Writes a result.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, bytes).map_err(Failure::file("write", path))
}
