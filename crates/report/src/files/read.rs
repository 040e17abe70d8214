//! Reading files of ours: the header first, which says how long the rest is and how long it may be. (notes: formats-proof)

use std::fs::File;
use std::io::Read;
use std::path::Path;

use pcs::file::{FileError, Header};

use crate::exit::{Exit, Failure};
use crate::{memory, terminal, units};

/// The longest file that is read whose length nothing else bounds: a setup, tables.
const MAX_FILE: u64 = 1 << 30;

/// What reading a file of ours takes beside it: a proof is verified in twice its length and this.
const BESIDE: u64 = 4 << 20;

/// Bytes that are read at a time where nobody says how many will come.
const PIECE: u64 = 1 << 20;

/// A file that was opened and not yet read.
pub struct Input<'a> {
    path: &'a Path,
    source: Box<dyn Read>,
    /// Its length: a pipe or a device has none to ask for.
    announced: Option<u64>,
}

impl<'a> Input<'a> {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(path: &'a Path) -> Result<Self, Failure> {
        let file = File::open(path).map_err(Failure::file("read", path))?;
        let metadata = file.metadata().map_err(Failure::file("read", path))?;
        Ok(Self { path, source: Box::new(file), announced: metadata.is_file().then_some(metadata.len()) })
    }

    /// A stream, whose name is for messages.
    pub fn of(path: &'a Path, source: impl Read + 'static) -> Self {
        Self { path, source: Box::new(source), announced: None }
    }

    /// Reads any file of 1 GiB at most. What is made of it takes as much of the memory as it does.
    ///
    /// # Errors
    /// If it cannot be read, is longer, or takes more memory than there may be.
    pub fn read(self, memory: u64) -> Result<Vec<u8>, Failure> {
        let path = self.path;
        let long = || format!("{} is longer than 1 GiB, as no file of ours is", terminal::path(path));
        self.read_at_most(memory, MAX_FILE, Vec::new(), long)
    }

    /// Reads a file whose first bytes say how long it is: `length` has the number of bytes from the first `head` ones, which it checks, and what is of another length is
    /// refused, a plain file before it is read.
    ///
    /// # Errors
    /// If it cannot be read, is refused, of another length, or takes more memory than there may be.
    pub fn read_exactly(
        mut self,
        memory: u64,
        head: usize,
        length: impl FnOnce(&[u8]) -> Result<u64, Failure>,
    ) -> Result<Vec<u8>, Failure> {
        let (path, mut bytes) = (self.path, Vec::new());
        self.source
            .by_ref()
            .take(head as u64)
            .read_to_end(&mut bytes)
            .map_err(Failure::file("read", path))?;
        let length = length(&bytes)?;
        let other =
            || format!("{} is of another length than the {length} bytes that it says", terminal::path(path));
        let refused = || Failure::usage(other(), "get the file again: it is cut, or not what tenfold wrote");
        if self.announced.is_some_and(|announced| announced != length) {
            return Err(refused());
        }
        let bytes = self.read_at_most(memory, length, bytes, other)?;
        if bytes.len() as u64 == length { Ok(bytes) } else { Err(refused()) }
    }

    /// Reads what follows the bytes that were read, up to a length of `most` in all.
    fn read_at_most(
        self,
        memory: u64,
        most: u64,
        mut bytes: Vec<u8>,
        long: impl FnOnce() -> String,
    ) -> Result<Vec<u8>, Failure> {
        let Self { path, source, announced } = self;
        // A buffer that grows is there once more, twice as large.
        let room = memory / if announced.is_some() { 2 } else { 4 };
        if announced.is_none_or(|length| length <= most.min(room)) {
            let left = (most.min(room) + 1).saturating_sub(bytes.len() as u64);
            bytes
                .reserve_exact(announced.map_or(0, |length| length as usize + 1).saturating_sub(bytes.len()));
            source.take(left).read_to_end(&mut bytes).map_err(Failure::file("read", path))?;
        }
        let length = announced.unwrap_or_default().max(bytes.len() as u64);
        if length > most {
            return Err(Failure::usage(long(), "give a file that tenfold wrote"));
        }
        if length > room {
            let message = format!("{} is longer than {}", terminal::path(path), units::bytes(room));
            let hint = "raise `--max-memory`, of which a file may be a half, and a pipe a quarter";
            return Err(Failure { exit: Exit::Io, message, hint: Some(hint.to_owned()) });
        }
        Ok(bytes)
    }

    /// Reads the first bytes, `most` of them if there are as many.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn read_start(self, most: u64) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        self.source.take(most).read_to_end(&mut bytes).map_err(Failure::file("read", self.path))?;
        Ok(bytes)
    }

    /// Reads a file of ours. Its header is read first: what is longer than it says, or what `check` refuses, is not read.
    /// What is no such file is cut off after the header's length, for the caller to refuse.
    ///
    /// Memory: the file.
    ///
    /// # Errors
    /// If it cannot be read, is refused, is longer than its header says, or takes more memory than there may be.
    pub fn read_ours(
        mut self,
        memory: u64,
        check: impl FnOnce(&Header) -> Result<(), Failure>,
    ) -> Result<Vec<u8>, Failure> {
        let path = self.path;
        let failed = |e| Failure::file("read", path)(e);
        let refused = |reason: &dyn ToString| {
            let message = format!("{}: {}", terminal::path(path), reason.to_string());
            Failure::usage(message, "give a file that tenfold wrote")
        };
        let mut bytes = Vec::new();
        self.source.by_ref().take(Header::MOST).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.is_empty() {
            return Err(refused(&"the file is empty"));
        }
        let header = match Header::decode(&bytes) {
            Ok(header) => header,
            // Foreign bytes: what they are is settled by the first ones.
            Err(FileError::Magic) => return Ok(bytes),
            Err(e) => return Err(refused(&e)),
        };
        check(&header).map_err(|failure| failure.in_file(path))?;
        let length = header.length();
        if let Some(announced) = self.announced.filter(|&announced| announced != length) {
            return Err(refused(&if announced > length { FileError::Trailing } else { FileError::Short }));
        }
        let need = length.saturating_mul(2).saturating_add(BESIDE);
        memory::within(need, memory, "raise `--max-memory`")?;
        if self.announced.is_some() {
            bytes.reserve_exact((length + 1).saturating_sub(bytes.len() as u64) as usize);
        }
        // A byte more than there should be, to see that there are more.
        while bytes.len() as u64 <= length {
            let left = (length + 1 - bytes.len() as u64).min(PIECE);
            if self.source.by_ref().take(left).read_to_end(&mut bytes).map_err(failed)? == 0 {
                break;
            }
        }
        if bytes.len() as u64 > length { Err(refused(&FileError::Trailing)) } else { Ok(bytes) }
    }
}
