//! The hash functions of commitments and transcripts.
//!
//! Every call states its role, and no two roles share an input: BLAKE3 runs in keyed mode with one
//! fixed key per role, the others put one role byte in front of the message. So a leaf is never a node,
//! and neither is ever a transcript state. (notes: merkle-nodes)
//!
//! | hash | leaf of `row` | node of `l, r` | SIMD |
//! |---|---|---|---|
//! | [`Hash::Blake3`] | `keyed_hash(LEAF, row)` | `keyed_hash(NODE, l ‖ r)` | up to 32 messages at once |
//! | [`Hash::Sha256`] | `H(0 ‖ row)` | `H(1 ‖ l ‖ r)` | SHA instructions, one message |
//! | [`Hash::Keccak256`] | `H(0 ‖ row)` | `H(1 ‖ l ‖ r)` | up to 8 messages at once |
//! | [`Hash::Sha3_256`], [`Hash::Sha3_384`], [`Hash::Sha3_512`] | `H(0 ‖ row)` | `H(1 ‖ l ‖ r)` | up to 8 messages at once |
//!
//! All bind the length of the message by their padding. Digests have 32 bytes, those of SHA3-384 and SHA3-512 their 48 and 64; many of them
//! stand end to end.

use alloc::vec::Vec;

mod blake3;
mod digest;
mod sha3;

#[cfg(test)]
pub(crate) mod tests;

use ::sha2::Sha256;
use ::sha3::{Keccak256, Sha3_256, Sha3_384, Sha3_512};
#[cfg(feature = "prover")]
use field::blake3::Trials;
#[cfg(feature = "prover")]
use field::parallel;

pub use digest::{Digest, concat};

/// The most bytes that a hash gives.
pub(crate) const MAX_BYTES: usize = 64;

/// A hash function, chosen by the parameters of a scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hash {
    /// BLAKE3 in keyed mode: the fastest here.
    Blake3,
    /// SHA-256 (FIPS 180-4).
    Sha256,
    /// Keccak-256 with the padding of Ethereum.
    Keccak256,
    /// SHA3-256 (FIPS 202).
    Sha3_256,
    /// SHA3-384 (FIPS 202): digests of 48 bytes.
    Sha3_384,
    /// SHA3-512 (FIPS 202): digests of 64 bytes.
    Sha3_512,
}

/// What a hash call is for: the key of BLAKE3, the first byte of the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Role {
    /// A row of a committed matrix.
    Leaf = 0,
    /// Two children of a Merkle tree.
    Node = 1,
    /// The chain of a transcript.
    Transcript = 2,
    /// Parameters, statements and other labelled data.
    Digest = 3,
    /// Challenge bytes drawn from a transcript state.
    Squeeze = 4,
    /// A trial of a proof of work.
    Grind = 5,
}

/// Messages of one batch handed to one task, in bytes.
#[cfg(feature = "prover")]
const TASK_BYTES: usize = 1 << 17;

impl Hash {
    /// All hash functions.
    pub const ALL: [Self; 6] =
        [Self::Blake3, Self::Sha256, Self::Keccak256, Self::Sha3_256, Self::Sha3_384, Self::Sha3_512];

    /// The fastest whose digests are as wide as so many proven bits ask.
    pub const fn for_bits(bits: u32) -> Self {
        match bits {
            0..=128 => Self::Blake3,
            129..=192 => Self::Sha3_384,
            _ => Self::Sha3_512,
        }
    }

    /// Name in reports and files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Blake3 => "blake3",
            Self::Sha256 => "sha256",
            Self::Keccak256 => "keccak256",
            Self::Sha3_256 => "sha3-256",
            Self::Sha3_384 => "sha3-384",
            Self::Sha3_512 => "sha3-512",
        }
    }

    /// Number in encoded parameters; never reused.
    pub const fn id(self) -> u8 {
        match self {
            Self::Blake3 => 1,
            Self::Sha256 => 2,
            Self::Keccak256 => 3,
            Self::Sha3_256 => 4,
            Self::Sha3_384 => 5,
            Self::Sha3_512 => 6,
        }
    }

    /// Bytes of a digest.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Blake3 | Self::Sha256 | Self::Keccak256 | Self::Sha3_256 => 32,
            Self::Sha3_384 => 48,
            Self::Sha3_512 => 64,
        }
    }

    /// The inverse of [`Hash::id`].
    pub fn from_id(id: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|h| h.id() == id)
    }

    /// The inverse of [`Hash::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|h| h.name() == name)
    }

    /// Leaf digests of rows of equal length, which stand end to end in `rows`, end to end: as many as `out` has room for.
    ///
    /// Batches above 128 KiB are spread over the current rayon pool. With BLAKE3, row lengths that are
    /// multiples of 64 bytes are the fastest: the last partial block of a row is hashed alone.
    ///
    /// # Panics
    /// If `out` is not a whole number of digests, or `rows` no multiple of that number.
    pub fn leaves(self, rows: &[u8], out: &mut [u8]) {
        self.many(Role::Leaf, rows, out);
    }

    /// The keys under which BLAKE3 hashes the leaves and the nodes of a tree, for kernels on other devices.
    #[cfg(feature = "prover")]
    pub fn blake3_merkle_keys() -> [[u8; 32]; 2] {
        [Role::Leaf, Role::Node].map(|role| *blake3::key(role))
    }

    /// The leaf digest of one row.
    pub fn leaf(self, row: &[u8]) -> Digest {
        self.one(Role::Leaf, &[row])
    }

    /// Merkle nodes, end to end: the parents of pairs of neighbours among `children`.
    ///
    /// # Panics
    /// If `children` is not twice as long as `out`, or `out` is not a whole number of digests.
    pub fn nodes(self, children: &[u8], out: &mut [u8]) {
        assert!(children.len() == 2 * out.len(), "two children per node");
        self.many(Role::Node, children, out);
    }

    /// A digest of labelled data: `label` and every part enter with their lengths.
    pub fn digest(self, label: &str, parts: &[&[u8]]) -> Digest {
        let mut digest = Digest::zeros(self.bytes());
        self.write_labelled(label, parts, &mut digest);
        digest
    }

    /// [`Hash::digest`] in a place as long as a digest.
    pub(crate) fn write_labelled(self, label: &str, parts: &[&[u8]], out: &mut [u8]) {
        let lengths: Vec<[u8; 8]> = parts.iter().map(|p| le64(p.len())).collect();
        let label_length = le64(label.len());
        let mut message: Vec<&[u8]> = vec![&label_length, label.as_bytes()];
        for (length, part) in lengths.iter().zip(parts) {
            message.extend([&length[..], part]);
        }
        self.write(Role::Digest, &message, out);
    }

    /// The digest of one message, given in parts.
    pub(crate) fn one(self, role: Role, parts: &[&[u8]]) -> Digest {
        let mut digest = Digest::zeros(self.bytes());
        self.write(role, parts, &mut digest);
        digest
    }

    /// [`Hash::one`] in a place as long as a digest.
    pub(crate) fn write(self, role: Role, parts: &[&[u8]], out: &mut [u8]) {
        assert!(out.len() == self.bytes(), "digests of {} have {} bytes", self.name(), self.bytes());
        match self {
            Self::Blake3 => out.copy_from_slice(&blake3::one(role, parts)),
            Self::Sha256 => absorb::<Sha256>(role, parts, out),
            Self::Keccak256 => absorb::<Keccak256>(role, parts, out),
            Self::Sha3_256 => absorb::<Sha3_256>(role, parts, out),
            Self::Sha3_384 => absorb::<Sha3_384>(role, parts, out),
            Self::Sha3_512 => absorb::<Sha3_512>(role, parts, out),
        }
    }

    /// Trials of a proof of work in the lanes of vectors, if there is a kernel for them.
    #[cfg(feature = "prover")]
    pub(crate) fn trials(self, state: &[u8]) -> Option<Trials> {
        if self == Self::Blake3 { blake3::trials(state.try_into().ok()?) } else { None }
    }

    /// The digests of messages of equal length, end to end as they are; as many as `out` has room for.
    pub(crate) fn many(self, role: Role, messages: &[u8], out: &mut [u8]) {
        let (bytes, count) = (self.bytes(), out.len() / self.bytes());
        let Some(length) = messages.len().checked_div(count) else {
            assert!(messages.is_empty(), "messages without a place");
            assert!(out.is_empty(), "a place as long as a digest");
            return;
        };
        assert!(
            length * count == messages.len() && bytes * count == out.len(),
            "messages of one length, and as many digests"
        );
        if length == 0 {
            return out.chunks_exact_mut(bytes).for_each(|out| self.write(role, &[], out));
        }
        #[cfg(feature = "prover")]
        if messages.len() > TASK_BYTES && parallel::threads() > 1 {
            // So that only the last task has a partly filled vector.
            let per_task = (TASK_BYTES / length).next_multiple_of(blake3::LANES).max(blake3::LANES);
            let tasks = messages.chunks(per_task * length).zip(out.chunks_mut(per_task * bytes));
            return parallel::for_each(tasks, |(messages, out)| self.batch(role, messages, length, out));
        }
        self.batch(role, messages, length, out);
    }

    /// One task of [`Hash::many`]; `length` is positive.
    fn batch(self, role: Role, messages: &[u8], length: usize, out: &mut [u8]) {
        match self {
            Self::Blake3 => blake3::batch(role, messages, length, out.as_chunks_mut().0),
            Self::Sha256 => {
                let places = out.chunks_exact_mut(self.bytes());
                messages.chunks_exact(length).zip(places).for_each(|(m, out)| self.write(role, &[m], out));
            }
            Self::Keccak256 | Self::Sha3_256 => sha3::batch::<17>(self, role, (messages, length), out),
            Self::Sha3_384 => sha3::batch::<13>(self, role, (messages, length), out),
            Self::Sha3_512 => sha3::batch::<9>(self, role, (messages, length), out),
        }
    }
}

/// The digest of one message, given in parts, behind its role byte.
fn absorb<D: ::sha3::digest::Digest>(role: Role, parts: &[&[u8]], out: &mut [u8]) {
    let mut hasher = D::new();
    hasher.update([role as u8]);
    for part in parts {
        hasher.update(part);
    }
    out.copy_from_slice(&hasher.finalize());
}

/// A length as eight little-endian bytes.
pub(crate) fn le64(length: usize) -> [u8; 8] {
    // usize has at most 64 bits on every supported target.
    (length as u64).to_le_bytes()
}
