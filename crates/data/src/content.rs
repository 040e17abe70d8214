//! Bytes that are read into the entries of a scheme.

use crate::{DataError, Digesting, Source, fill};
use std::io::{self, Read};
use tenfold::any::{AnyEntries, AnyProver};
use tenfold::dataset::Bytes;
use tenfold::statement::BytesDescription;

/// Bytes that were opened and not yet read, and how many there are.
pub struct Content {
    source: Source,
    length: u64,
    /// The most bytes that [`Content::read`] holds.
    memory: u64,
}

impl Content {
    /// The bytes of a source as they stand. Those whose length is not known beforehand are held in memory.
    ///
    /// # Errors
    /// If they are longer than `memory` then.
    pub fn of(source: Source, memory: u64) -> Result<Self, DataError> {
        let source = source.in_memory(memory)?;
        let length = source.size.unwrap_or_default();
        Ok(Self { source, length, memory })
    }

    /// The name of the file; none of standard input, which has none of its own.
    #[must_use]
    pub fn own_name(&self) -> Option<&str> {
        (!self.source.is_stdin).then_some(&self.source.name)
    }

    /// The name of the file without its folder, or `stdin`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.source.name
    }

    /// The same by another name: standard input has none of its own.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        name.clone_into(&mut self.source.name);
        self
    }

    /// The number of bytes.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The description of the bytes, which are read and forgotten.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn describe(self) -> Result<BytesDescription, DataError> {
        let length = self.length;
        let described = describe(self.source, &mut |_| Ok(()))?;
        if described.length == length { Ok(described) } else { Err(DataError::Changed) }
    }

    /// All bytes.
    ///
    /// # Errors
    /// If they cannot be read, become more or fewer, or are more than the memory that [`Content::of`] was given.
    pub fn read(self) -> Result<Bytes, DataError> {
        if self.length > self.memory {
            return Err(DataError::TooLong { limit: self.memory });
        }
        let (name, mut content) = (self.source.name.clone(), Vec::new());
        self.source.into_reader().take(self.length + 1).read_to_end(&mut content)?;
        if content.len() as u64 == self.length {
            Ok(Bytes { name, content })
        } else {
            Err(DataError::Changed)
        }
    }

    /// Reads the bytes into entries, and describes them.
    ///
    /// Memory: the entries and a buffer.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn entries(self, prover: &AnyProver<'_>) -> Result<(AnyEntries, BytesDescription), DataError> {
        let (name, length) = (self.source.name.clone(), self.length);
        // A byte more than there should be, to see that the file has grown.
        let mut source = Digesting::new(self.source.into_reader().take(length + 1));
        let entries = prover.bytes(&mut source)?;
        if source.count() != length {
            return Err(DataError::Changed);
        }
        let entries = entries.map_err(|_| DataError::Changed)?;
        Ok((entries, BytesDescription { name, length, source: source.digest() }))
    }
}

/// The description of bytes that go by.
pub(crate) fn describe(
    source: Source,
    each: &mut dyn FnMut(&[u8]) -> io::Result<()>,
) -> Result<BytesDescription, DataError> {
    let (name, mut buffer) = (source.name.clone(), vec![0; 1 << 16]);
    let mut source = Digesting::new(source.into_reader());
    loop {
        let filled = fill(&mut source, &mut buffer)?;
        if filled == 0 {
            return Ok(BytesDescription { name, length: source.count(), source: source.digest() });
        }
        each(&buffer[..filled])?;
    }
}
