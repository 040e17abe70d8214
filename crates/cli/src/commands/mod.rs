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
mod contender;
pub mod context;
pub mod forms;
pub mod inspect;
pub mod open;
pub mod params;
pub mod params_file;
pub mod ring;
pub mod scheme;
pub mod search;
pub mod secret;
pub mod subject;
pub mod tour;
pub mod verified;
pub mod verify;
pub mod weighted;
pub mod weights;
mod words;

use crate::args::{Common, Input};
use crate::data::{self, Column, Limits, Options};
use crate::exit::Failure;
use crate::memory;
use crate::progress::Progress;
use std::fs::File;
use std::io::Read;
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

/// The longest file of ours: a proof of the largest parameters that anybody uses is a hundred times smaller.
const MAX_FILE: u64 = 1 << 30;

/// Reads a file of ours, and no more than [`MAX_FILE`] of whatever else is given.
pub fn read_file(path: &Path) -> Result<Vec<u8>, Failure> {
    let file = File::open(path).map_err(Failure::file("read", path))?;
    let mut bytes = Vec::new();
    // A pipe or a device has no length to ask for.
    let announced = file.metadata().map_err(Failure::file("read", path))?.len();
    if announced <= MAX_FILE {
        file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(Failure::file("read", path))?;
    }
    if announced.max(bytes.len() as u64) > MAX_FILE {
        let message = format!("{} is longer than 1 GiB, as no file of ours is", path.display());
        return Err(Failure::usage(message, "give a file that tenfold wrote"));
    }
    Ok(bytes)
}
