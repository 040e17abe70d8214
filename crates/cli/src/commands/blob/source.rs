//! A file, read into the entries that are committed to.

use super::Blob;
use crate::args::{Common, Input};
use crate::data::{DataError, Digesting, Format, fill};
use crate::exit::{Exit, Failure};
use crate::progress::Progress;
use crate::{memory, units};
use field::Field;
use pcs::ligerito::Params;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A file that was opened and not yet read.
pub struct Source {
    file: File,
    path: PathBuf,
    /// Its name, without the folder.
    pub name: String,
    /// Its length in bytes.
    pub length: u64,
}

impl Source {
    /// Opens a file whose length is known.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let cannot = |source| DataError::Open { path: path.to_owned(), source };
        // Asked of the path: to open a pipe is to wait for whoever writes to it.
        let metadata = std::fs::metadata(path).map_err(cannot)?;
        if metadata.is_dir() {
            return Err(cannot(std::io::ErrorKind::IsADirectory.into()).into());
        }
        if !metadata.is_file() {
            let message = format!("{} is no file whose length is known beforehand", path.display());
            return Err(Failure::usage(message, "write what it gives into a file first"));
        }
        let file = File::open(path).map_err(cannot)?;
        let length = file.metadata().map_err(cannot)?.len();
        if length == 0 {
            return Err(Failure::usage("the file is empty", "a commitment needs at least one byte"));
        }
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Ok(Self { file, path: path.to_owned(), name, length })
    }

    /// Refuses a file that cannot be the committed one, before it is read.
    pub fn check(&self, blob: &Blob, commitment: &Path) -> Result<(), Failure> {
        let (file, commitment) = (self.path.display(), commitment.display());
        if self.length != blob.length {
            let message = format!(
                "{file} has {} bytes, the file of {commitment} had {}",
                units::count(self.length),
                units::count(blob.length)
            );
            return Err(Failure::usage(message, "give the file that was committed"));
        }
        if self.name != blob.name {
            let message = format!("{file} has another name than the file of {commitment}, {}", blob.shown());
            return Err(Failure::usage(message, "give it the name that was committed, or commit again"));
        }
        Ok(())
    }

    /// Reads the bytes into entries, padded with zeros to what the parameters hold, and their BLAKE3 digest.
    ///
    /// Memory: the entries and a buffer.
    pub fn read<B: Field>(
        self,
        params: &Params,
        progress: &mut Progress,
    ) -> Result<(Vec<B>, [u8; 32]), Failure> {
        let reading = |e| Failure::from(DataError::Read(e));
        let size = 1usize << params.log_size;
        let mut entries = Vec::with_capacity(size);
        // A byte more than there should be, to see that the file has grown.
        let mut source = Digesting::new(progress.reading(self.file, self.length).take(self.length + 1));
        let mut buffer = vec![0u8; B::BYTES << 12];
        let mut length = 0u64;
        loop {
            let filled = fill(&mut source, &mut buffer).map_err(reading)?;
            length += filled as u64;
            if filled == 0 || length > self.length {
                break;
            }
            // The last entry is padded as well.
            buffer[filled..].fill(0);
            let chunks = buffer[..filled.next_multiple_of(B::BYTES)].chunks_exact(B::BYTES);
            entries.extend(chunks.map(|bytes| B::from_bytes(bytes).expect("any bytes are an entry")));
        }
        let digest = source.digest();
        progress.end();
        if length != self.length {
            let message = format!("{} changed while it was read", self.path.display());
            return Err(Failure::usage(message, "wait until nobody writes to it"));
        }
        entries.resize(size, B::ZERO);
        Ok((entries, digest))
    }
}

/// Refuses what does not fit the memory: a commitment, or with it an opening.
pub fn check_memory(params: &Params, opens: bool, common: &Common) -> Result<(), Failure> {
    within_memory(params.prover_memory(opens), common, "raise `--max-memory`, or split the file")
}

/// Refuses a job that needs more bytes than there may be.
pub fn within_memory(need: u64, common: &Common, hint: &str) -> Result<(), Failure> {
    let limit = common.max_memory.unwrap_or_else(memory::default_limit);
    if need <= limit {
        return Ok(());
    }
    let message =
        format!("this needs about {}, more than the limit of {}", units::bytes(need), units::bytes(limit));
    Err(Failure { exit: Exit::Io, message, hint: Some(hint.into()) })
}

/// Refuses options that read a file as something else than bytes.
pub fn check_input(input: &Input) -> Result<(), Failure> {
    let named = [(input.column.is_some(), "--column"), (input.scale.is_some(), "--scale")];
    let format = (!matches!(input.format, Format::Auto | Format::Raw), "--format");
    match named.into_iter().chain([format]).find(|(given, _)| *given) {
        None => Ok(()),
        Some((_, option)) => Err(Failure::usage(
            format!("{option} is about columns of numbers, and a file of bytes has none"),
            "leave it out, or commit with the default scheme",
        )),
    }
}
