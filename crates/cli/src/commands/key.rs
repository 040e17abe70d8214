//! Reading secret keys.

use std::fs::Metadata;
use std::io::Read;
use std::path::Path;

use zeroize::Zeroizing;

use crate::args::Common;
use crate::exit::Failure;
use crate::table::Paint;
use crate::terminal;

/// Reads the key in a secret file, of which no more than `most` bytes are looked at, and warns on stderr if others can read it too.
pub fn read_key<K>(
    path: &Path,
    most: usize,
    decode: impl FnOnce(&[u8]) -> Result<K, Failure>,
    common: &Common,
) -> Result<K, Failure> {
    // With room for all of it: a vector that grows leaves copies behind.
    let mut bytes = Zeroizing::new(Vec::with_capacity(most));
    let file = std::fs::File::open(path).map_err(Failure::file("read", path))?;
    let metadata = file.metadata();
    file.take(most as u64).read_to_end(&mut bytes).map_err(Failure::file("read", path))?;
    let key = decode(&bytes).map_err(|failure| failure.in_file(path))?;
    if !common.quiet && metadata.is_ok_and(|of| others_read(&of)) {
        let name = terminal::path(path);
        note!("{} {name} can be read by others: chmod 600 {name}", Paint::stderr().red("warning:"));
    }
    Ok(key)
}

#[cfg(unix)]
fn others_read(of: &Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&of.permissions()) & 0o077 != 0
}

/// Not known where files have no mode.
#[cfg(not(unix))]
fn others_read(_: &Metadata) -> bool {
    false
}
