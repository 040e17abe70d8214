//! A file or standard input, opened, with its first bytes looked at.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::Format;
use crate::compressed::Compression;
use crate::detect::detect;
use crate::error::DataError;

/// Bytes of a file that are looked at before reading it.
const SAMPLE: u64 = 1 << 16;

/// Name of standard input where a file name is expected.
pub const STDIN: &str = "-";

/// Takes standard input, which a command can read once.
///
/// # Errors
/// If it was taken before.
pub fn stdin() -> Result<io::Stdin, DataError> {
    static TAKEN: AtomicBool = AtomicBool::new(false);
    if TAKEN.swap(true, Ordering::Relaxed) {
        return Err(DataError::StdinTwice);
    }
    Ok(io::stdin())
}

/// Data that can be read once, from the front.
pub struct Source {
    /// The first bytes, which were read already.
    start: Vec<u8>,
    rest: Box<dyn Read>,
    /// The file itself, if this is one as it stands.
    #[cfg_attr(not(feature = "columnar"), expect(dead_code, reason = "read by columnar formats alone"))]
    file: Option<File>,
    /// Length in bytes, where it is known.
    pub size: Option<u64>,
    /// Name of the file without its folder, or `stdin`.
    pub name: String,
    /// Whether this is standard input, which has no name of its own.
    pub is_stdin: bool,
}

impl Source {
    /// Opens a file, or standard input for `-`. `wrap` sees every byte on its way (a progress bar).
    ///
    /// # Errors
    /// If it cannot be read, or is empty.
    pub fn open<R: Read + 'static>(
        path: &Path,
        wrap: impl FnOnce(Box<dyn Read>, u64) -> R,
    ) -> Result<Self, DataError> {
        if path.as_os_str() == STDIN {
            let rest = Box::new(wrap(Box::new(stdin()?), 0));
            let name = "stdin".to_owned();
            return Self { start: Vec::new(), rest, file: None, size: None, name, is_stdin: true }.sampled();
        }
        let file = File::open(path).map_err(|source| DataError::Open { path: path.to_owned(), source })?;
        Self::of_file(file, path, wrap)
    }

    /// The same of a file that is open, at its start: the path names it and is not looked at.
    ///
    /// # Errors
    /// If it cannot be read, or is empty.
    pub fn of_file<R: Read + 'static>(
        file: File,
        path: &Path,
        wrap: impl FnOnce(Box<dyn Read>, u64) -> R,
    ) -> Result<Self, DataError> {
        let cannot = |source| DataError::Open { path: path.to_owned(), source };
        let metadata = file.metadata().map_err(cannot)?;
        if metadata.is_dir() {
            return Err(cannot(io::ErrorKind::IsADirectory.into()));
        }
        let itself = metadata.is_file().then(|| file.try_clone()).transpose().map_err(cannot)?;
        // Files of the kernel say 0, whatever they hold.
        let size = metadata.is_file().then_some(metadata.len()).filter(|&size| size > 0);
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let rest = Box::new(wrap(Box::new(file), size.unwrap_or(0)));
        Self { start: Vec::new(), rest, file: itself, size, name, is_stdin: false }.sampled()
    }

    /// The file itself, to be read anywhere after the source was read, if this is one as it stands and says how long it is.
    #[cfg(feature = "columnar")]
    pub fn take_file(&mut self) -> Option<File> {
        self.size.and(self.file.take())
    }

    fn sampled(mut self) -> Result<Self, DataError> {
        Read::by_ref(&mut self.rest).take(SAMPLE).read_to_end(&mut self.start)?;
        if self.start.is_empty() {
            return Err(DataError::EmptyFile);
        }
        Ok(self)
    }

    /// The name of the content: of what is inside, if this is compressed.
    #[must_use]
    pub fn content_name(&self) -> &str {
        if Compression::of(&self.start).is_some() { Compression::inner_name(&self.name) } else { &self.name }
    }

    /// What is inside, if this is compressed by gzip or zstd, else itself. `memory` bounds the decoder's window.
    ///
    /// # Errors
    /// If the compressed data are damaged at their start, or nothing is inside.
    pub fn decompressed(self, memory: u64) -> Result<Self, DataError> {
        let Some(compression) = Compression::of(&self.start) else { return Ok(self) };
        let Self { start, rest, name, is_stdin, .. } = self;
        let compressed = BufReader::with_capacity(1 << 16, Cursor::new(start).chain(rest));
        let rest = compression.decode(compressed, memory);
        let name = Compression::inner_name(&name).to_owned();
        Self { start: Vec::new(), rest, file: None, size: None, name, is_stdin }.sampled()
    }

    /// The content of `length` bytes: itself if it has as many or is not compressed, else what is inside.
    ///
    /// # Errors
    /// As for [`Source::decompressed`]; if standard input is compressed and longer than `memory`.
    pub fn of_length(self, length: u64, memory: u64) -> Result<Self, DataError> {
        if !self.is_compressed() {
            return Ok(self);
        }
        let source = if self.size.is_some() { self } else { self.in_memory(memory)? };
        if source.size == Some(length) { Ok(source) } else { source.decompressed(memory) }
    }

    /// The same with a length that is known: read into memory if it was not.
    ///
    /// # Errors
    /// If it is longer than `memory`.
    pub fn in_memory(mut self, memory: u64) -> Result<Self, DataError> {
        if self.size.is_some() {
            return Ok(self);
        }
        let room = memory.saturating_sub(self.start.len() as u64);
        self.rest.by_ref().take(room).read_to_end(&mut self.start)?;
        let mut more = Vec::new();
        if self.rest.by_ref().take(1).read_to_end(&mut more)? > 0 {
            return Err(DataError::TooLong { limit: memory });
        }
        self.size = Some(self.start.len() as u64);
        Ok(self)
    }

    /// Whether this is compressed in a way that [`Source::decompressed`] undoes.
    #[must_use]
    pub fn is_compressed(&self) -> bool {
        Compression::of(&self.start).is_some()
    }

    /// How it is to be read: as told, or by its content and its name.
    ///
    /// # Errors
    /// If it is something that would be read as what nobody meant.
    pub fn format(&self, given: Format, column_named: bool) -> Result<Format, DataError> {
        match given {
            Format::Auto => detect(&self.start, &self.name, column_named),
            given => Ok(given),
        }
    }

    /// The first bytes.
    #[must_use]
    pub fn start(&self) -> &[u8] {
        &self.start
    }

    /// All bytes of a source in memory.
    ///
    /// # Errors
    /// If it cannot be read.
    #[cfg(feature = "columnar")]
    pub fn into_bytes(mut self) -> Result<Vec<u8>, DataError> {
        self.rest.read_to_end(&mut self.start)?;
        Ok(self.start)
    }

    /// All bytes, from the first one on.
    pub fn into_reader(self) -> impl Read {
        Cursor::new(self.start).chain(self.rest)
    }
}
