//! Keccak-256 and SHA3-256: one sponge, two paddings.
//!
//! Batches run one message per 64-bit lane of a vector; a last message runs alone.

use super::{Digest, Role};
use ::sha3::{Digest as _, Keccak256, Sha3_256};
use field::keccak::{LANES, permute};

/// Bytes absorbed per permutation: 200 less twice the digest.
const RATE: usize = 136;

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

    /// The digests of messages of `length > 0` bytes each, end to end: as many sponges at once as there are lanes.
    pub(super) fn batch(self, role: Role, messages: &[u8], length: usize, out: &mut [Digest]) {
        for (group, out) in messages.chunks(length.saturating_mul(LANES)).zip(out.chunks_mut(LANES)) {
            match out {
                [o] => *o = self.one(role, &[group]),
                _ => self.vector(role, group, length, out),
            }
        }
    }

    /// One message per lane.
    fn vector(self, role: Role, group: &[u8], length: usize, out: &mut [Digest]) {
        let mut states = [[0; LANES]; 25];
        for start in (0..=1 + length).step_by(RATE) {
            for (lane, message) in group.chunks_exact(length).enumerate() {
                let block = self.block(role, message, start);
                let (words, _) = block.as_chunks::<8>();
                for (word, bytes) in states.iter_mut().zip(words) {
                    word[lane] ^= u64::from_le_bytes(*bytes);
                }
            }
            permute(&mut states, out.len());
        }
        for (lane, digest) in out.iter_mut().enumerate() {
            for (bytes, word) in digest.as_chunks_mut::<8>().0.iter_mut().zip(&states) {
                *bytes = word[lane].to_le_bytes();
            }
        }
    }

    /// Bytes `start..start + RATE` of the padded input `role ‖ message ‖ suffix ‖ 0.. ‖ 0x80`.
    fn block(self, role: Role, message: &[u8], start: usize) -> [u8; RATE] {
        let mut block = [0; RATE];
        // Byte i of the message is byte i + 1 of the input.
        let space = if start == 0 {
            block[0] = role as u8;
            &mut block[1..]
        } else {
            &mut block[..]
        };
        let rest = &message[start.saturating_sub(1)..];
        let taken = rest.len().min(space.len());
        space[..taken].copy_from_slice(&rest[..taken]);
        if taken < space.len() {
            space[taken] ^= match self {
                Self::Keccak => 0x01,
                Self::Sha3 => 0x06,
            };
            block[RATE - 1] ^= 0x80;
        }
        block
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
