//! Little-endian integers and byte strings, read exactly: the codec of headers, parameters and blocks.
//!
//! A reader never allocates by a length it has not checked against the bytes that are there.

use alloc::vec::Vec;

use crate::hash::{Digest, Hash};

/// Appends fixed-width values.
#[derive(Debug, Default)]
pub struct Writer(Vec<u8>);

impl Writer {
    /// An empty writer.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty writer that moves nothing before `capacity` bytes are written.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        Self(Vec::with_capacity(capacity))
    }

    /// One byte.
    pub fn u8(&mut self, x: u8) {
        self.0.push(x);
    }

    /// Four bytes.
    pub fn u32(&mut self, x: u32) {
        self.0.extend_from_slice(&x.to_le_bytes());
    }

    /// Eight bytes.
    pub fn u64(&mut self, x: u64) {
        self.0.extend_from_slice(&x.to_le_bytes());
    }

    /// Bytes whose number the reader knows.
    pub fn bytes(&mut self, x: &[u8]) {
        self.0.extend_from_slice(x);
    }

    /// Bytes with their number in front (eight bytes).
    pub fn sized(&mut self, x: &[u8]) {
        self.u64(x.len() as u64);
        self.bytes(x);
    }

    /// What was written.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// Reads fixed-width values; every method returns `None` when the bytes run out.
#[derive(Debug)]
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// Reads from the start of `bytes`.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The next `n` bytes.
    pub fn bytes(&mut self, n: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(head)
    }

    /// The next `N` bytes.
    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }

    /// The next digest of a hash.
    pub fn digest(&mut self, hash: Hash) -> Option<Digest> {
        Digest::from_slice(self.bytes(hash.bytes())?)
    }

    /// One byte.
    pub fn u8(&mut self) -> Option<u8> {
        Some(u8::from_le_bytes(self.array()?))
    }

    /// Four bytes.
    pub fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.array()?))
    }

    /// Eight bytes.
    pub fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.array()?))
    }

    /// Bytes with their number in front.
    pub fn sized(&mut self) -> Option<&'a [u8]> {
        let n = usize::try_from(self.u64()?).ok()?;
        self.bytes(n)
    }

    /// The number of bytes left.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.0.len()
    }

    /// `Some` if nothing is left.
    #[must_use]
    pub fn finish(self) -> Option<()> {
        self.0.is_empty().then_some(())
    }
}
