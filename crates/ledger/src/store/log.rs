//! The log: records that are appended, each chained to the one before.
//!
//! ```text
//!  file    "TNFLOG" 1 u16 | record 0 | record 1 | ...
//!  record  length u32 of the body | length, all bits flipped, u32 | body | digest 32
//!  digest  BLAKE3 (own context) of: digest of the record before (zeros for record 0) | number u64 | length u32 | body
//! ```
//! (notes: ledger-log)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

use std::fmt;

use super::{Digest, File, StoreError};
use crate::codec::Reader;

/// The first bytes of a log.
const MAGIC: [u8; 8] = *b"TNFLOG\x01\0";

/// Bytes of a record beside its body: the length twice in front, the digest behind.
const FRAME: u64 = 8 + 32;

/// Bytes that are written again at a time.
const PIECE: u64 = 1 << 20;

/// The longest body, in bytes: 16 MiB.
pub const MAX_RECORD: usize = 1 << 24;

/// A log that is written at its end.
pub struct Log {
    file: File,
    end: u64,
    next: u64,
    last: Digest,
    failed: bool,
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Log").field("records", &self.next).field("bytes", &self.end).finish_non_exhaustive()
    }
}

/// A record that was read and is whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its number; that of the genesis is 0.
    pub number: u64,
    /// Its digest.
    pub digest: Digest,
    /// Its body.
    pub body: Vec<u8>,
}

/// A place between two records of a log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    /// The number of the record behind it.
    pub next: u64,
    end: u64,
    last: Digest,
}

/// Reads records in their order.
pub struct Scan {
    log: Log,
    length: u64,
}

impl fmt::Debug for Scan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.log.fmt(f)
    }
}

/// The digest of a record.
#[must_use]
pub fn digest(before: &Digest, number: u64, body: &[u8]) -> Digest {
    let mut hash = blake3::Hasher::new_derive_key("tenfold ledger v1 record of the log");
    hash.update(before);
    hash.update(&number.to_le_bytes());
    hash.update(&(body.len() as u64).to_le_bytes()[..4]);
    hash.update(body);
    *hash.finalize().as_bytes()
}

impl Scan {
    /// Begins at the start of a file.
    ///
    /// # Errors
    /// If the file cannot be read, is empty, or is no log.
    pub fn new(file: File) -> Result<Self, StoreError> {
        if !Self::begun(&file)? {
            return Err(StoreError::Empty);
        }
        let length = file.len().map_err(StoreError::io("read the log"))?;
        Ok(Self { log: Log::at(file, MAGIC.len() as u64), length })
    }

    /// Tells whether a log was begun in a file: not in one that is empty or has zeros alone, which a crash before the first sync leaves.
    ///
    /// # Errors
    /// If the file cannot be read, or has something else.
    pub fn begun(file: &File) -> Result<bool, StoreError> {
        let mut magic = [0; MAGIC.len()];
        if file.len().map_err(StoreError::io("read the log"))? < magic.len() as u64 {
            return Ok(false);
        }
        file.read(0, &mut magic).map_err(StoreError::io("read the log"))?;
        match magic {
            MAGIC => Ok(true),
            _ if magic == [0; MAGIC.len()] => Ok(false),
            _ => Err(StoreError::Magic),
        }
    }

    /// The next record. `None` at the end, which is that of the file or a record that is not whole.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn next_record(&mut self) -> Result<Option<Record>, StoreError> {
        let rest = self.length - self.log.end;
        let log = &mut self.log;
        let read = |at, out: &mut [u8]| log.file.read(at, out).map_err(StoreError::io("read the log"));
        let mut head = [0; 8];
        if rest < FRAME {
            return Ok(None);
        }
        read(log.end, &mut head)?;
        let mut r = Reader::new(&head);
        let (Some(length), Some(flipped)) = (r.u32(), r.u32()) else { return Ok(None) };
        if length != !flipped || length as usize > MAX_RECORD || u64::from(length) > rest - FRAME {
            return Ok(None);
        }
        let mut body = vec![0; length as usize + 32];
        read(log.end + 8, &mut body)?;
        let found = body.split_off(length as usize);
        let digest = digest(&log.last, log.next, &body);
        if found != digest {
            return Ok(None);
        }
        let record = Record { number: log.next, digest, body };
        log.end += FRAME + u64::from(length);
        log.next += 1;
        log.last = digest;
        Ok(Some(record))
    }

    /// The number of the next record, and where it begins or would begin.
    #[must_use]
    pub fn position(&self) -> (u64, u64) {
        (self.log.next, self.log.end)
    }

    /// The number of bytes behind the last record that was read.
    #[must_use]
    pub fn rest(&self) -> u64 {
        self.length - self.log.end
    }

    /// Begins at the first record again.
    pub fn rewind(&mut self) {
        (self.log.end, self.log.next, self.log.last) = (MAGIC.len() as u64, 0, [0; 32]);
    }

    /// The place behind the last record that was read.
    pub(crate) fn mark(&self) -> Mark {
        Mark { next: self.log.next, end: self.log.end, last: self.log.last }
    }

    /// Goes to a place that this log had before, and returns whether it is still that long.
    pub(crate) fn go_to(&mut self, mark: Mark) -> bool {
        let fits = mark.end <= self.length;
        if fits {
            (self.log.end, self.log.next, self.log.last) = (mark.end, mark.next, mark.last);
        }
        fits
    }

    /// The file, as it is.
    pub(crate) fn into_file(self) -> File {
        self.log.file
    }

    /// The log, to be written behind the last record that was read; what follows it is cut off. What begins at byte `from` is written again, then synced: of a record
    /// whose sync failed, a second sync of the same bytes would say that they are on the disk, and they need not be.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn truncate(self, from: u64) -> Result<Log, StoreError> {
        let log = self.log;
        if self.length > log.end {
            log.file.set_len(log.end).map_err(StoreError::io("cut the torn end off the log"))?;
        }
        let mut at = from;
        while at < log.end {
            let mut piece = vec![0; PIECE.min(log.end - at) as usize];
            log.file.read(at, &mut piece).map_err(StoreError::io("read the log"))?;
            log.file.write(at, &piece).map_err(StoreError::io("write the log"))?;
            at += piece.len() as u64;
        }
        // What was read may have been written by a process that did not come to its sync.
        log.file.sync_data().map_err(StoreError::io("sync the log"))?;
        Ok(log)
    }
}

impl Log {
    fn at(file: File, end: u64) -> Self {
        Self { file, end, next: 0, last: [0; 32], failed: false }
    }

    /// A new log in a file, with its first record, on the disk when this returns. The caller knows that nothing is lost with what the file has.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn create(file: File, genesis: &[u8]) -> Result<Self, StoreError> {
        let write = || {
            file.set_len(0)?;
            file.set_len(MAGIC.len() as u64)?;
            file.write(0, &MAGIC)
        };
        write().map_err(StoreError::io("write the log"))?;
        let mut log = Self::at(file, MAGIC.len() as u64);
        log.append(genesis)?;
        Ok(log)
    }

    /// Appends a record. It is on the disk when this returns.
    ///
    /// # Errors
    /// If the file cannot be written: then the log has the records that it had, or refuses all further ones.
    pub fn append(&mut self, body: &[u8]) -> Result<Digest, StoreError> {
        if self.failed {
            return Err(StoreError::Failed);
        }
        let length = u32::try_from(body.len()).ok().filter(|_| body.len() <= MAX_RECORD);
        let length = length.ok_or(StoreError::TooLong(body.len()))?;
        let digest = digest(&self.last, self.next, body);
        let record = [&length.to_le_bytes()[..], &(!length).to_le_bytes(), body, &digest].concat();
        let end = self.end + record.len() as u64;
        let write = self.file.set_len(end).and_then(|()| self.file.write(self.end, &record));
        if let Err(e) = write {
            // A full disk: the part that was written is taken back. Where that fails too, nothing is known.
            self.failed = self.file.set_len(self.end).is_err();
            return Err(StoreError::io("write the log")(e));
        }
        if let Err(e) = self.file.sync_data() {
            // Some systems drop what they could not write, and report it once: a second sync would lie.
            self.failed = true;
            return Err(StoreError::io("sync the log")(e));
        }
        (self.end, self.next, self.last) = (end, self.next + 1, digest);
        Ok(digest)
    }

    /// The number of records.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.next
    }

    /// The digest of the last record.
    #[must_use]
    pub fn last(&self) -> Digest {
        self.last
    }

    /// Bytes of the file.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.end
    }
}
