//! Reading data: what every reader of them needs.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Hashes what passes, by BLAKE3.
pub struct Digesting<R> {
    source: R,
    hasher: blake3::Hasher,
}

impl<R> Digesting<R> {
    /// A source of which nothing has passed.
    pub fn new(source: R) -> Self {
        Self { source, hasher: blake3::Hasher::new() }
    }

    /// The digest of all bytes that have passed.
    pub fn digest(&self) -> [u8; 32] {
        *self.hasher.finalize().as_bytes()
    }

    /// The number of all bytes that have passed.
    pub fn count(&self) -> u64 {
        self.hasher.count()
    }
}

impl<R: Read> Read for Digesting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.source.read(buffer)?;
        self.hasher.update(&buffer[..n]);
        Ok(n)
    }
}

/// Opens a plain file, by a link too. Opening a pipe would wait for whoever writes into it, and it has its content once.
///
/// # Errors
/// If it cannot be opened, or is a folder, a pipe or a device.
pub fn open_plain(path: &Path) -> io::Result<File> {
    match fs::metadata(path)?.is_file() {
        true => File::open(path),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no plain file")),
    }
}

/// Reads until the buffer is full or the source has ended: the number of bytes read.
///
/// # Errors
/// If the source cannot be read.
pub fn fill(source: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(filled)
}
