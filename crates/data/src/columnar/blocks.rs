//! The bytes of a file, read anywhere.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::time::SystemTime;

use bytes::Bytes;

use crate::DataError;

/// The bytes of a file, read anywhere.
pub struct Blocks {
    place: Place,
    length: u64,
}

enum Place {
    File { file: File, modified: Option<SystemTime> },
    Memory(Bytes),
}

impl Blocks {
    /// A file on a disk, of which nothing is held.
    pub fn from_file(file: File) -> Result<Self, DataError> {
        let metadata = file.metadata()?;
        let (length, modified) = (metadata.len(), metadata.modified().ok());
        Ok(Self { place: Place::File { file, modified }, length })
    }

    /// Bytes in memory.
    pub fn of_bytes(bytes: Vec<u8>) -> Self {
        Self { length: bytes.len() as u64, place: Place::Memory(bytes.into()) }
    }

    /// The number of bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The bytes that are held in memory.
    pub fn held(&self) -> u64 {
        if matches!(self.place, Place::Memory(_)) { self.length } else { 0 }
    }

    /// Reads so many bytes; `None` where the file does not have them. The caller has admitted the length.
    pub fn read(&self, at: u64, length: usize) -> Result<Option<Bytes>, DataError> {
        if at.checked_add(length as u64).is_none_or(|end| end > self.length) {
            return Ok(None);
        }
        match &self.place {
            Place::Memory(bytes) => Ok(Some(bytes.slice(at as usize..at as usize + length))),
            Place::File { file, .. } => {
                let mut file: &File = file;
                file.seek(SeekFrom::Start(at))?;
                let mut bytes = vec![0; length];
                file.read_exact(&mut bytes).map_err(|_| DataError::Changed)?;
                Ok(Some(bytes.into()))
            }
        }
    }

    /// Refuses a file that was written to since it was opened, whose digest may be that of other bytes.
    pub fn check_unchanged(&self) -> Result<(), DataError> {
        let Place::File { file, modified } = &self.place else { return Ok(()) };
        let now = file.metadata()?;
        let same = now.len() == self.length && now.modified().ok() == *modified;
        if same { Ok(()) } else { Err(DataError::Changed) }
    }
}
