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
/// If it cannot be opened; [`io::ErrorKind::InvalidInput`] if it is a folder, a pipe or a device.
pub fn open_plain(path: &Path) -> io::Result<File> {
    opened(path, Links::Followed)
}

/// Opens a plain file that has this name itself: [`open_plain`] without links.
///
/// # Errors
/// As there; [`io::ErrorKind::InvalidInput`] of a link, too.
pub fn open_unlinked(path: &Path) -> io::Result<File> {
    opened(path, Links::Refused)
}

/// Whether a link is followed to the file that it leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    Followed,
    Refused,
}

fn opened(path: &Path, links: Links) -> io::Result<File> {
    let look = || if links == Links::Refused { fs::symlink_metadata(path) } else { fs::metadata(path) };
    let refused = || io::Error::new(io::ErrorKind::InvalidInput, "it is no plain file");
    // Opening some devices does something: what is seen to be none of ours is left alone.
    if !look()?.is_file() {
        return Err(refused());
    }
    let opened = guarded(links).open(path);
    let file = opened.map_err(|e| if look().is_ok_and(|there| !there.is_file()) { refused() } else { e })?;
    // Something else may have taken its place since.
    if file.metadata()?.is_file() { Ok(file) } else { Err(refused()) }
}

/// Options by which what takes a file's place before it is opened is not followed, and holds nobody up.
#[cfg(unix)]
fn guarded(links: Links) -> fs::OpenOptions {
    use rustix::fs::OFlags;
    let flags = if links == Links::Refused { OFlags::NOFOLLOW } else { OFlags::empty() };
    let flags = (flags | OFlags::NONBLOCK).bits().cast_signed();
    let mut options = File::options();
    std::os::unix::fs::OpenOptionsExt::custom_flags(options.read(true), flags);
    options
}

#[cfg(not(unix))]
fn guarded(_: Links) -> fs::OpenOptions {
    File::options().read(true).clone()
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
