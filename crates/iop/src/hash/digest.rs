//! Digests of whatever width their hash gives.
#![forbid(unsafe_code)]

use super::MAX_BYTES;
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Deref, DerefMut};

/// The output of a hash: [`super::Hash::bytes`] of them, 32, 48 or 64.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest {
    /// Zeros behind the digest.
    bytes: [u8; MAX_BYTES],
    length: u8,
}

impl Digest {
    /// The digest with these bytes; none unless they are 32, 48 or 64.
    pub fn from_slice(digest: &[u8]) -> Option<Self> {
        let length = u8::try_from(digest.len()).ok().filter(|length| matches!(length, 32 | 48 | 64))?;
        let mut bytes = [0; MAX_BYTES];
        bytes.iter_mut().zip(digest).for_each(|(to, &from)| *to = from);
        Some(Self { bytes, length })
    }

    /// Zeros of so many bytes, to be written over.
    pub(crate) fn zeros(length: usize) -> Self {
        Self { bytes: [0; MAX_BYTES], length: length.min(MAX_BYTES) as u8 }
    }

    /// The first 32 bytes: all of a digest of that width.
    pub fn head(&self) -> [u8; 32] {
        let (head, _) = self.bytes.as_chunks::<32>();
        head.first().copied().unwrap_or_default()
    }
}

impl Deref for Digest {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.length)).unwrap_or_default()
    }
}

impl DerefMut for Digest {
    fn deref_mut(&mut self) -> &mut [u8] {
        self.bytes.get_mut(..usize::from(self.length)).unwrap_or_default()
    }
}

impl AsRef<[u8]> for Digest {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl From<[u8; 32]> for Digest {
    fn from(digest: [u8; 32]) -> Self {
        let mut this = Self::zeros(32);
        this.copy_from_slice(&digest);
        this
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Digests end to end.
pub fn concat(digests: &[Digest]) -> Vec<u8> {
    digests.iter().flat_map(|digest| digest.iter()).copied().collect()
}
