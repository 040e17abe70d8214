//! Keccak-256 and SHA3-256: one sponge, two paddings.

use super::{Digest, Role};
use ::sha3::{Digest as _, Keccak256, Sha3_256};

/// A sponge of rate 136 bytes and its padding.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sponge {
    Keccak,
    Sha3,
}

pub(super) const KECCAK: Sponge = Sponge::Keccak;
pub(super) const SHA3: Sponge = Sponge::Sha3;

impl Sponge {
    /// The digest of one message, given in parts, behind its role byte.
    pub(super) fn one(self, role: Role, parts: &[&[u8]]) -> Digest {
        match self {
            Self::Keccak => absorb(Keccak256::new(), role, parts),
            Self::Sha3 => absorb(Sha3_256::new(), role, parts),
        }
    }

    /// The digests of messages of `length > 0` bytes each, end to end.
    pub(super) fn batch(self, role: Role, messages: &[u8], length: usize, out: &mut [Digest]) {
        for (message, o) in messages.chunks_exact(length).zip(out) {
            *o = self.one(role, &[message]);
        }
    }
}

fn absorb<D: ::sha3::digest::Digest>(mut hasher: D, role: Role, parts: &[&[u8]]) -> Digest
where
    Digest: From<::sha3::digest::Output<D>>,
{
    hasher.update([role as u8]);
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}
