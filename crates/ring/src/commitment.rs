//! What a verifier needs of a ring: 144 bytes, or 384 with the setup's key.

use alloc::vec::Vec;

use crate::Invalid;
use crate::kzg;
use crate::read::{end, take};
use curve::bls12_381::{self, G1};

/// Commitments to the fixed columns: the coordinates of keys, padding and `2^j H`, and the selector of the keys.
///
/// **A commitment stands for a ring only if you made it or trust who did**: a false one has members that nobody sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commitment {
    /// `px`, `py`, `s`.
    pub(crate) columns: [G1; 3],
}

impl Commitment {
    /// Bytes of a commitment.
    pub const BYTES: usize = 144;

    /// `px`, `py` and the selector, compressed.
    #[must_use]
    pub fn encode(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        for (place, column) in bytes.chunks_exact_mut(48).zip(&self.columns) {
            place.copy_from_slice(&bls12_381::encode_g1(column));
        }
        bytes
    }

    /// The commitment of these bytes.
    ///
    /// # Errors
    /// If there are more or fewer than [`Self::BYTES`], or they are not the encodings of points of the subgroup.
    pub fn decode(bytes: &[u8]) -> Result<Self, Invalid> {
        let mut rest = bytes;
        let [px, py, s] = [take(&mut rest)?, take(&mut rest)?, take(&mut rest)?];
        end(rest)?;
        let [px, py, s] = bls12_381::decode_g1_each([px, py, s]);
        Ok(Self { columns: [px?, py?, s?] })
    }
}

/// A ring's commitment and the key of the setup that it was made with: what verifiers of w3f-ring-proof are given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifierKey {
    /// The key of the setup.
    pub kzg: kzg::Key,
    /// The ring.
    pub commitment: Commitment,
}

impl VerifierKey {
    /// Bytes of a key.
    pub const BYTES: usize = kzg::Key::BYTES + Commitment::BYTES;

    /// The setup's key and the commitment, compressed.
    #[must_use]
    pub fn encode(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let (kzg, commitment) = bytes.split_at_mut(kzg::Key::BYTES);
        kzg.copy_from_slice(&self.kzg.encode());
        commitment.copy_from_slice(&self.commitment.encode());
        bytes
    }

    /// The key of these bytes. What they say of the setup is worth as much as who gave them: see [`kzg::Key::decode`].
    ///
    /// # Errors
    /// If there are more or fewer than [`Self::BYTES`], or they are not the encoding of a key.
    pub fn decode(bytes: &[u8]) -> Result<Self, Invalid> {
        let mut rest = bytes;
        let kzg = kzg::Key::decode(take(&mut rest)?)?;
        Ok(Self { kzg, commitment: Commitment::decode(rest)? })
    }

    /// As it enters a transcript: 768 bytes.
    pub(crate) fn transcript(&self) -> Vec<u8> {
        let mut bytes = self.kzg.transcript();
        self.commitment.columns.iter().for_each(|c| bytes.extend(bls12_381::encode_g1_uncompressed(c)));
        bytes
    }
}
