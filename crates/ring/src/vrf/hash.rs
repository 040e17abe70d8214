//! Hashes of the suites: byte strings in, byte strings and points of the curve out.
//!
//! ```text
//!   SHA-512    seed = H(all that was absorbed), output = H(seed || 0) || H(seed || 1) || ...    counters of 8 bytes, little-endian
//!   SHAKE128   its output
//! ```
//! (notes: ring-vrf-hash)

use sha2::{Digest, Sha512};
use shake::Shake128;
use shake::digest::{ExtendableOutput, Update, XofReader};
use zeroize::Zeroizing;

use curve::bandersnatch::{self, Point};
use curve::bls12_381::Fr as Base;
use curve::{CurveGroup, PrimeField, ct};

/// What was absorbed up to now.
#[derive(Clone)]
pub(crate) enum Hash {
    Sha512(Sha512),
    Shake128(Shake128),
}

impl Hash {
    pub(crate) fn absorb(&mut self, bytes: &[u8]) {
        match self {
            Self::Sha512(hash) => Digest::update(hash, bytes),
            Self::Shake128(hash) => hash.update(bytes),
        }
    }

    /// Fills `bytes` from the start of the output.
    pub(crate) fn squeeze(self, bytes: &mut [u8]) {
        match self {
            Self::Shake128(hash) => hash.finalize_xof().read(bytes),
            Self::Sha512(hash) => {
                let seed = Zeroizing::new(<[u8; 64]>::from(hash.finalize()));
                for (counter, block) in (0_u64..).zip(bytes.chunks_mut(64)) {
                    let hash = Sha512::new().chain_update(*seed).chain_update(counter.to_le_bytes());
                    let full = Zeroizing::new(<[u8; 64]>::from(hash.finalize()));
                    let (part, _) = full.split_at(block.len());
                    block.copy_from_slice(part);
                }
            }
        }
    }

    /// A scalar from `N` bytes of output, little-endian.
    pub(crate) fn scalar<const N: usize>(self) -> bandersnatch::Fr {
        let mut bytes = Zeroizing::new([0; N]);
        self.squeeze(&mut *bytes);
        ct::reduce(&*bytes)
    }
}

/// How a suite hashes to the curve. All end in Elligator 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToCurve {
    /// RFC 9380, 5.3.1 with SHA-512.
    Xmd,
    /// The same, where the block of zeros has 48 bytes for 128: arkworks' deviation.
    XmdShort,
    /// RFC 9380, 5.3.2 with SHAKE128.
    Xof,
}

/// Bytes for two elements of the base field, 48 for each.
const EXPANDED: usize = 96;

impl ToCurve {
    /// The point of `message`, under a domain separation tag of less than 256 bytes.
    pub(crate) fn point(self, message: &[u8], tag: &[u8]) -> Point {
        let bytes = match self {
            Self::Xmd => xmd(&[0; 128], message, tag),
            Self::XmdShort => xmd(&[0; 48], message, tag),
            Self::Xof => xof(message, tag),
        };
        let (first, second) = bytes.split_at(EXPANDED / 2);
        bandersnatch::map_to_curve([first, second].map(Base::from_be_bytes_mod_order))
    }
}

/// The tag and its length.
fn suffix(tag: &[u8]) -> Vec<u8> {
    debug_assert!(tag.len() < 256);
    [tag, &(tag.len() as u8).to_le_bytes()].concat()
}

/// `expand_message_xmd`, two blocks of it.
fn xmd(zeros: &[u8], message: &[u8], tag: &[u8]) -> [u8; EXPANDED] {
    let tag = suffix(tag);
    let block = |parts: &[&[u8]]| <[u8; 64]>::from(Sha512::digest(parts.concat()));
    let length = (EXPANDED as u16).to_be_bytes();
    let seed = block(&[zeros, message, &length, &[0], &tag]);
    let first = block(&[&seed, &[1], &tag]);
    let mixed: [u8; 64] = core::array::from_fn(|i| seed[i] ^ first[i]);
    let second = block(&[&mixed, &[2], &tag]);
    let all = [first, second].concat();
    core::array::from_fn(|i| all[i])
}

/// `expand_message_xof`.
fn xof(message: &[u8], tag: &[u8]) -> [u8; EXPANDED] {
    let mut hash = Shake128::default();
    for part in [message, &(EXPANDED as u16).to_be_bytes(), &suffix(tag)] {
        hash.update(part);
    }
    let mut bytes = [0; EXPANDED];
    hash.finalize_xof().read(&mut bytes);
    bytes
}

/// Points that are public, combined: `sum k_i P_i` for at most four. Time depends on the scalars.
pub(crate) fn combine<const N: usize>(points: [Point; N], scalars: [bandersnatch::Fr; N]) -> Point {
    const { assert!(N <= 4) };
    let mut table = vec![bandersnatch::Projective::default(); 1 << N];
    for (i, point) in points.iter().enumerate() {
        for j in 0..1 << i {
            table[1 << i | j] = table[j] + point;
        }
    }
    let words = scalars.map(|k| k.into_bigint().0);
    let mut sum = bandersnatch::Projective::default();
    for bit in (0..crate::SCALAR_BITS).rev() {
        curve::AdditiveGroup::double_in_place(&mut sum);
        let index = words
            .iter()
            .enumerate()
            .fold(0, |index, (i, k)| index | ((k[bit / 64] >> (bit % 64) & 1) as usize) << i);
        if index != 0 {
            sum += &table[index];
        }
    }
    sum.into_affine()
}
