//! Parquet and Arrow IPC: columns of typed values behind an index at the end of the file.
//!
//! ```text
//! file ── digest of all bytes ──► index ── column, kind of its values ──► pages or batches, one at a time ──► Builder
//! ```
//!
//! The decoders are those of the crates `parquet` and `arrow-ipc`. Every length that they would allocate by is checked
//! against the memory limit before they see it, and a panic of theirs is an error of the file.

mod arrow;
mod blocks;
mod codec;
mod pages;
mod parquet;
mod schema;
mod thrift;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use self::blocks::Blocks;
use crate::{DataError, Digesting, Format, Limits, Options, Source};
use tenfold::dataset::Column;

/// Reads a column of a Parquet or an Arrow IPC file; the digest covers every byte of the file.
///
/// Memory: the column, at most three quarters of the limit; what is compressed, or comes from a pipe, is held beside it.
///
/// # Errors
/// See [`DataError`].
pub fn load(mut source: Source, options: &Options) -> Result<Column, DataError> {
    let limits = options.limits;
    let (blocks, digest) = match source.take_file() {
        Some(file) => {
            let blocks = Blocks::from_file(file)?;
            let mut digesting = Digesting::new(source.into_reader());
            let read = std::io::copy(&mut digesting, &mut std::io::sink())?;
            if read != blocks.length() {
                return Err(DataError::Changed);
            }
            (blocks, digesting.digest())
        }
        None => {
            let bytes = source.in_memory(limits.max_bytes / 4)?.into_bytes()?;
            let digest = *blake3::hash(&bytes).as_bytes();
            (Blocks::of_bytes(bytes), digest)
        }
    };
    let held = blocks.held();
    let limits = Limits { max_bytes: limits.max_bytes.saturating_sub(held) };
    let blocks = Arc::new(blocks);
    let column = decoded(&blocks, &Options { limits, ..options.clone() })?;
    blocks.check_unchanged()?;
    Ok(Column { source_digest: digest, ..column })
}

/// Decodes a column; where the decoder panics, the file is damaged.
fn decoded(blocks: &Arc<Blocks>, options: &Options) -> Result<Column, DataError> {
    let read = || match options.format {
        Format::Arrow => arrow::read(blocks, options),
        _ => parquet::read(blocks, options),
    };
    let name = if options.format == Format::Arrow { arrow::FORMAT } else { parquet::FORMAT };
    // Nothing of what the decoder has held is used after a panic.
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
        Err(DataError::Columnar { format: name, reason: "its decoder gave up on it".to_owned() })
    })
}

/// Bytes of one part of a file, of so many that may be held at once, before and after decoding.
#[derive(Clone, Copy, Debug)]
struct Part {
    what: &'static str,
    limit: u64,
}

impl Part {
    /// A length that a file states, if there is room for it.
    fn admit(self, stated: u64) -> Result<usize, DataError> {
        match usize::try_from(stated) {
            Ok(length) if stated <= self.limit => Ok(length),
            _ => Err(DataError::PartOverMemory { what: self.what, need: stated, limit: self.limit }),
        }
    }
}

#[cfg(test)]
mod tests;
