//! Hashes of the suites: byte strings in, byte strings and points of the curve out.
//!
//! ```text
//!   SHA-512    seed = H(all that was absorbed), output = H(seed || 0) || H(seed || 1) || ...    counters of 8 bytes, little-endian
//!   SHAKE128   its output
//! ```
//! (notes: ring-vrf-hash)

#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use alloc::vec::Vec;

use sha2::{Digest, Sha512};
use shake::Shake128;
use shake::digest::{ExtendableOutput, Update, XofReader};
use zeroize::Zeroizing;

use curve::bandersnatch;
use curve::bls12_381::Fr as Base;
use curve::embedded::{Embedded, Point, Projective, scalar_bits};
use curve::{AdditiveGroup, AffineRepr, CurveGroup, PrimeField};

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

    /// Absorbs a length in eight bytes, little-endian.
    pub(crate) fn absorb_length(&mut self, length: usize) {
        self.absorb(&u64::try_from(length).unwrap_or(u64::MAX).to_le_bytes());
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
    pub(crate) fn scalar<C: Embedded, const N: usize>(self) -> C::ScalarField {
        let mut bytes = Zeroizing::new([0; N]);
        self.squeeze(&mut *bytes);
        C::reduce(&*bytes)
    }
}

/// How a suite hashes to the curve: the point of a message, under a domain separation tag of less than 256 bytes.
pub(crate) type ToCurve<C> = fn(&[u8], &[u8]) -> Point<C>;

/// Bytes for two elements of the base field, 48 for each.
const EXPANDED: usize = 96;
/// The same number, in two bytes.
const EXPANDED_BYTES: [u8; 2] = [0, 96];

/// RFC 9380, 5.3.1 with SHA-512, and Elligator 2.
pub(crate) fn elligator_xmd(message: &[u8], tag: &[u8]) -> bandersnatch::Point {
    elligator(xmd(&[0; 128], message, tag))
}

/// The same, where the block of zeros has 48 bytes for 128: arkworks' deviation.
pub(crate) fn elligator_xmd_short(message: &[u8], tag: &[u8]) -> bandersnatch::Point {
    elligator(xmd(&[0; 48], message, tag))
}

/// RFC 9380, 5.3.2 with SHAKE128, and Elligator 2.
pub(crate) fn elligator_xof(message: &[u8], tag: &[u8]) -> bandersnatch::Point {
    elligator(xof(message, tag))
}

fn elligator(bytes: [u8; EXPANDED]) -> bandersnatch::Point {
    let (first, second) = bytes.split_at(EXPANDED / 2);
    bandersnatch::map_to_curve([first, second].map(Base::from_be_bytes_mod_order))
}

/// Try and increment, after RFC 9381, 5.4.1.1: the first point that the hash of tag, message and a counter names, where `candidate` says what point that
/// is; the identity if none does, for one message in 2^256. The time depends on the message.
pub(crate) fn increment<C: Embedded>(
    message: &[u8],
    tag: &[u8],
    candidate: fn(&[u8; 32]) -> Option<Point<C>>,
) -> Point<C> {
    let mut hash = Hash::Sha512(Sha512::default());
    hash.absorb(tag);
    hash.absorb_length(message.len());
    hash.absorb(message);
    let point = |counter: u8| {
        let (mut hash, mut bytes) = (hash.clone(), [0; 32]);
        hash.absorb(&[counter]);
        hash.squeeze(&mut bytes);
        candidate(&bytes).filter(|point| !point.is_zero())
    };
    (0..=u8::MAX).find_map(point).unwrap_or_else(Point::zero)
}

/// The tag and its length.
fn suffix(tag: &[u8]) -> Vec<u8> {
    assert!(tag.len() < 256);
    let [length, ..] = tag.len().to_le_bytes();
    [tag, &[length]].concat()
}

/// `expand_message_xmd`, two blocks of it.
fn xmd(zeros: &[u8], message: &[u8], tag: &[u8]) -> [u8; EXPANDED] {
    let tag = suffix(tag);
    let block = |parts: &[&[u8]]| <[u8; 64]>::from(Sha512::digest(parts.concat()));
    let seed = block(&[zeros, message, &EXPANDED_BYTES, &[0], &tag]);
    let first = block(&[&seed, &[1], &tag]);
    let mut mixed = seed;
    mixed.iter_mut().zip(first).for_each(|(a, b)| *a ^= b);
    let second = block(&[&mixed, &[2], &tag]);
    let mut bytes = [0; EXPANDED];
    bytes.iter_mut().zip(first.into_iter().chain(second)).for_each(|(place, byte)| *place = byte);
    bytes
}

/// `expand_message_xof`.
fn xof(message: &[u8], tag: &[u8]) -> [u8; EXPANDED] {
    let mut hash = Shake128::default();
    for part in [message, &EXPANDED_BYTES, &suffix(tag)] {
        hash.update(part);
    }
    let mut bytes = [0; EXPANDED];
    hash.finalize_xof().read(&mut bytes);
    bytes
}

/// Points that are public, combined: `sum k_i P_i` for at most four. Time depends on the scalars.
pub(crate) fn combine<C: Embedded, const N: usize>(
    points: [Point<C>; N],
    scalars: [C::ScalarField; N],
) -> Point<C> {
    const { assert!(N <= 4) };
    // Entry `i` is the sum of the points whose bits are in `i`.
    let mut table = vec![Projective::<C>::default()];
    for point in points {
        let with: Vec<Projective<C>> = table.iter().map(|sum| *sum + point).collect();
        table.extend(with);
    }
    let words = scalars.map(|k| k.into_bigint().0);
    let mut sum = Projective::<C>::default();
    for bit in (0..scalar_bits::<C>()).rev() {
        sum.double_in_place();
        let has = |words: &[u64; 4]| words.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1);
        let index = words.iter().rev().fold(0, |index, words| index << 1 | usize::from(has(words)));
        if index != 0 {
            sum += table.get(index).unwrap_or(&Projective::ZERO);
        }
    }
    sum.into_affine()
}
