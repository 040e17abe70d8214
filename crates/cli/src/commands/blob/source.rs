//! A file, read into the entries that are committed to.

use super::BytesDescription;
use crate::args::{Common, Input};
use crate::commands::max_memory;
use crate::data::{self, DataError, Digesting, Format};
use crate::exit::{Exit, Failure};
use crate::progress::Progress;
use crate::{terminal, units};
use pcs::ligerito::Params;
use std::io::{self, Read};
use std::path::Path;
use tenfold::any::{AnyEntries, AnyProver};
use tenfold::statement::shown;

/// A file that was opened and not yet read.
pub struct Source {
    data: data::Source,
    /// Its name, without the folder.
    pub name: String,
    /// Its length in bytes.
    pub length: u64,
}

impl Source {
    /// Opens a file as it stands, or standard input for `-`.
    pub fn open(input: &Input, common: &Common, progress: &mut Progress) -> Result<Self, Failure> {
        let source = data::Source::open(&input.file, |file, size| progress.reading(file, size))?;
        Self::of(source, common)
    }

    /// The bytes of opened data. Those whose length is not known beforehand are held in memory, of which a commitment takes
    /// twice as much.
    pub fn of(source: data::Source, common: &Common) -> Result<Self, Failure> {
        let data = source.in_memory(max_memory(common) / 2)?;
        let (name, length) = (data.name.clone(), data.size.unwrap_or_default());
        Ok(Self { data, name, length })
    }

    /// Refuses data that cannot be the committed ones, before they are read. Standard input has no name of its own.
    pub fn check(&self, blob: &BytesDescription, commitment: &Path) -> Result<(), Failure> {
        let (file, commitment) = (shown(&self.name), terminal::path(commitment));
        if self.length != blob.length {
            let message = format!(
                "{file} has {} bytes, the file of {commitment} had {}",
                units::count(self.length),
                units::count(blob.length)
            );
            return Err(Failure::usage(message, "give the file that was committed"));
        }
        if self.name != blob.name && !self.data.is_stdin {
            let message = format!("{file} has another name than the file of {commitment}, {}", blob.shown());
            return Err(Failure::usage(message, "give it the name that was committed, or commit again"));
        }
        Ok(())
    }

    /// The BLAKE3 digest of the bytes, which are read and forgotten.
    pub fn digest(self) -> Result<[u8; 32], Failure> {
        let mut source = Digesting::new(self.data.into_reader());
        std::io::copy(&mut source, &mut std::io::sink()).map_err(DataError::from)?;
        Ok(source.digest())
    }

    /// All bytes.
    pub fn bytes(self) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        let read = self.data.into_reader().take(self.length + 1).read_to_end(&mut bytes);
        read.map_err(DataError::from)?;
        if bytes.len() as u64 == self.length { Ok(bytes) } else { Err(changed(&self.name)) }
    }

    /// Reads the bytes into entries, and their BLAKE3 digest.
    ///
    /// Memory: the entries and a buffer.
    pub fn read(
        self,
        prover: &AnyProver<'_>,
        progress: &mut Progress,
    ) -> Result<(AnyEntries, [u8; 32]), Failure> {
        // A byte more than there should be, to see that the file has grown.
        let mut source = Digesting::new(self.data.into_reader().take(self.length + 1));
        let mut counted = Counted { reader: &mut source, bytes: 0 };
        let entries = prover.bytes(&mut counted).map_err(|e| Failure::from(DataError::from(e)))?;
        let length = counted.bytes;
        let digest = source.digest();
        progress.end();
        if length != self.length {
            return Err(changed(&self.name));
        }
        Ok((entries.map_err(|_| changed(&self.name))?, digest))
    }
}

/// A reader that counts its bytes.
struct Counted<'a, R> {
    reader: &'a mut R,
    bytes: u64,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.bytes += read as u64;
        Ok(read)
    }
}

/// The entries of bytes in memory.
///
/// # Errors
/// If there are more bytes than the parameters hold.
pub fn entries(prover: &AnyProver<'_>, mut bytes: &[u8]) -> Result<AnyEntries, Failure> {
    let entries = prover.bytes(&mut bytes).map_err(|e| Failure::from(DataError::from(e)))?;
    entries.map_err(|e| Failure::usage(e.to_string(), "report this: parameters are chosen for the bytes"))
}

fn changed(name: &str) -> Failure {
    let message = format!("{} changed while it was read", shown(name));
    Failure::usage(message, "wait until nobody writes to it")
}

/// Refuses what does not fit the memory: a commitment, or with it an opening.
pub fn check_memory(params: &Params, opens: bool, common: &Common) -> Result<(), Failure> {
    within_memory(params.prover_memory(opens), common, "raise `--max-memory`, or split the file")
}

/// Refuses a job that needs more bytes than there may be.
pub fn within_memory(need: u64, common: &Common, hint: &str) -> Result<(), Failure> {
    let limit = max_memory(common);
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
