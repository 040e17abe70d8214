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
//! | [`Hash::Sha3_256`] | `H(0 ‖ row)` | `H(1 ‖ l ‖ r)` | up to 8 messages at once |
//!
//! All four bind the length of the message by their padding.

use alloc::vec::Vec;

mod blake3;
mod sha2;
mod sha3;

#[cfg(test)]
mod tests;

#[cfg(feature = "prover")]
use field::blake3::Trials;
#[cfg(feature = "prover")]
use field::parallel;

/// The output of every hash: 32 bytes.
pub type Digest = [u8; 32];

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
    pub const ALL: [Self; 4] = [Self::Blake3, Self::Sha256, Self::Keccak256, Self::Sha3_256];

    /// Name in reports and files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Blake3 => "blake3",
            Self::Sha256 => "sha256",
            Self::Keccak256 => "keccak256",
            Self::Sha3_256 => "sha3-256",
        }
    }

    /// Number in encoded parameters; never reused.
    pub const fn id(self) -> u8 {
        match self {
            Self::Blake3 => 1,
            Self::Sha256 => 2,
            Self::Keccak256 => 3,
            Self::Sha3_256 => 4,
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

    /// Leaf digests of `out.len()` rows of equal length, which stand end to end in `rows`.
    ///
    /// Batches above 128 KiB are spread over the current rayon pool. With BLAKE3, row lengths that are
    /// multiples of 64 bytes are the fastest: the last partial block of a row is hashed alone.
    ///
    /// # Panics
    /// If `rows.len()` is not a multiple of `out.len()`.
    pub fn leaves(self, rows: &[u8], out: &mut [Digest]) {
        self.many(Role::Leaf, rows, out);
    }

    /// The keys under which BLAKE3 hashes the leaves and the nodes of a tree, for kernels on other devices.
    #[cfg(feature = "prover")]
    pub fn blake3_merkle_keys() -> [Digest; 2] {
        [Role::Leaf, Role::Node].map(|role| *blake3::key(role))
    }

    /// The leaf digest of one row.
    pub fn leaf(self, row: &[u8]) -> Digest {
        self.one(Role::Leaf, &[row])
    }

    /// Merkle nodes: `out[i]` is the parent of `children[2i]` and `children[2i + 1]`.
    ///
    /// # Panics
    /// If `children.len() != 2 * out.len()`.
    pub fn nodes(self, children: &[Digest], out: &mut [Digest]) {
        assert!(children.len() == 2 * out.len(), "two children per node");
        self.many(Role::Node, children.as_flattened(), out);
    }

    /// A digest of labelled data: `label` and every part enter with their lengths.
    pub fn digest(self, label: &str, parts: &[&[u8]]) -> Digest {
        let lengths: Vec<[u8; 8]> = parts.iter().map(|p| le64(p.len())).collect();
        let label_length = le64(label.len());
        let mut message: Vec<&[u8]> = vec![&label_length, label.as_bytes()];
        for (length, part) in lengths.iter().zip(parts) {
            message.extend([&length[..], part]);
        }
        self.one(Role::Digest, &message)
    }

    /// The digest of one message, given in parts.
    pub(crate) fn one(self, role: Role, parts: &[&[u8]]) -> Digest {
        match self {
            Self::Blake3 => blake3::one(role, parts),
            Self::Sha256 => sha2::one(role, parts),
            Self::Keccak256 => sha3::KECCAK.one(role, parts),
            Self::Sha3_256 => sha3::SHA3.one(role, parts),
        }
    }

    /// Trials of a proof of work in the lanes of vectors, if there is a kernel for them.
    #[cfg(feature = "prover")]
    pub(crate) fn trials(self, state: &Digest) -> Option<Trials> {
        if self == Self::Blake3 { blake3::trials(state) } else { None }
    }

    /// The digests of `out.len()` messages of equal length, end to end.
    pub(crate) fn many(self, role: Role, messages: &[u8], out: &mut [Digest]) {
        let Some(length) = messages.len().checked_div(out.len()) else {
            assert!(messages.is_empty(), "messages without a place");
            return;
        };
        assert!(length * out.len() == messages.len(), "messages of one length");
        if length == 0 {
            out.fill(self.one(role, &[]));
            return;
        }
        #[cfg(feature = "prover")]
        if messages.len() > TASK_BYTES && parallel::threads() > 1 {
            // So that only the last task has a partly filled vector.
            let per_task = (TASK_BYTES / length).next_multiple_of(blake3::LANES).max(blake3::LANES);
            let tasks = messages.chunks(per_task * length).zip(out.chunks_mut(per_task));
            return parallel::for_each(tasks, |(messages, out)| self.batch(role, messages, length, out));
        }
        self.batch(role, messages, length, out);
    }

    /// One task of [`Hash::many`]; `length` is positive.
    fn batch(self, role: Role, messages: &[u8], length: usize, out: &mut [Digest]) {
        match self {
            Self::Blake3 => blake3::batch(role, messages, length, out),
            Self::Sha256 => {
                for (message, o) in messages.chunks_exact(length).zip(out) {
                    *o = sha2::one(role, &[message]);
                }
            }
            Self::Keccak256 => sha3::KECCAK.batch(role, messages, length, out),
            Self::Sha3_256 => sha3::SHA3.batch(role, messages, length, out),
        }
    }
}

/// A length as eight little-endian bytes.
pub(crate) fn le64(length: usize) -> [u8; 8] {
    // usize has at most 64 bits on every supported target.
    (length as u64).to_le_bytes()
}
