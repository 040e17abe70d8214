//! Hashes to the curve: from byte strings to points of the subgroup whose logarithms nobody knows.
//!
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
use core::fmt::{self, Debug, Formatter};

use sha2::{Digest, Sha512};
use shake::Shake128;
use shake::digest::{ExtendableOutput, Update, XofReader};

use curve::bandersnatch::{self, Bandersnatch};
use curve::bls12_381::Fr as Base;
use curve::embedded::{Embedded, Point};
use curve::{AffineRepr, PrimeField};

use super::Form;
use super::hash::Hash;

/// Bytes for two elements of the base field, 48 for each.
const EXPANDED: usize = 96;
/// The same number, in two bytes.
const EXPANDED_BYTES: [u8; 2] = [0, 96];

/// The way in which a suite hashes to the curve.
#[derive(Clone, Copy)]
pub struct HashToCurve<C: Embedded = Bandersnatch> {
    name: &'static str,
    /// Zeros in front of what `expand_message_xmd` hashes.
    zeros: usize,
    /// From uniform bytes to the curve; `None`: try and increment.
    map: Option<fn([u8; EXPANDED]) -> Point<C>>,
}

impl HashToCurve {
    /// Elligator 2 on the output of RFC 9380's `expand_message_xmd` with SHA-512, or of `expand_message_xof` with SHAKE128, by the hash of the suite. The number of steps
    /// does not depend on the message.
    pub const ELLIGATOR2: Self = Self { name: "ELLIGATOR2", zeros: 128, map: Some(elligator) };

    /// The same, where the block of zeros has 48 bytes for 128: arkworks' deviation.
    pub(super) const ELLIGATOR2_SHORT: Self =
        Self { name: "ELLIGATOR2_SHORT", zeros: 48, ..Self::ELLIGATOR2 };
}

impl<C: Embedded> HashToCurve<C> {
    /// Try and increment, after RFC 9381, 5.4.1.1: the first point that the hash of tag, message and a counter names. The time depends on the message.
    pub const TRY_AND_INCREMENT: Self = Self { name: "TRY_AND_INCREMENT", zeros: 0, map: None };

    /// The point of a message, under a domain separation tag of less than 256 bytes. `empty` is a hash of the suite that has absorbed nothing.
    pub(super) fn point(&self, empty: &Hash, form: &Form<C>, message: &[u8], tag: &[u8]) -> Point<C> {
        match (self.map, empty) {
            (None, _) => increment(empty, form, message, tag),
            (Some(map), Hash::Sha512(_)) => map(xmd(self.zeros, message, tag)),
            (Some(map), Hash::Shake128(_)) => map(xof(message, tag)),
        }
    }
}

impl<C: Embedded> Debug for HashToCurve<C> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl<C: Embedded> PartialEq for HashToCurve<C> {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl<C: Embedded> Eq for HashToCurve<C> {}

fn elligator(bytes: [u8; EXPANDED]) -> bandersnatch::Point {
    let (first, second) = bytes.split_at(EXPANDED / 2);
    bandersnatch::map_to_curve([first, second].map(Base::from_be_bytes_mod_order))
}

/// The point that `form` reads in the hash of tag, message and the first counter that names one; the identity if none does, for one message in 2^256.
fn increment<C: Embedded>(empty: &Hash, form: &Form<C>, message: &[u8], tag: &[u8]) -> Point<C> {
    let mut hash = empty.clone();
    hash.absorb(tag);
    hash.absorb_length(message.len());
    hash.absorb(message);
    let point = |counter: u8| {
        let (mut hash, mut bytes) = (hash.clone(), [0; 32]);
        hash.absorb(&[counter]);
        hash.squeeze(&mut bytes);
        (form.candidate)(&bytes).filter(|point| !point.is_zero())
    };
    (0..=u8::MAX).find_map(point).unwrap_or_else(Point::zero)
}

/// The tag and its length.
fn suffix(tag: &[u8]) -> Vec<u8> {
    assert!(tag.len() < 256);
    let [length, ..] = tag.len().to_le_bytes();
    [tag, &[length]].concat()
}

/// RFC 9380, 5.3.1: `expand_message_xmd`, two blocks of it.
fn xmd(zeros: usize, message: &[u8], tag: &[u8]) -> [u8; EXPANDED] {
    let tag = suffix(tag);
    let block = |parts: &[&[u8]]| <[u8; 64]>::from(Sha512::digest(parts.concat()));
    let seed = block(&[&vec![0; zeros], message, &EXPANDED_BYTES, &[0], &tag]);
    let first = block(&[&seed, &[1], &tag]);
    let mut mixed = seed;
    mixed.iter_mut().zip(first).for_each(|(a, b)| *a ^= b);
    let second = block(&[&mixed, &[2], &tag]);
    let mut bytes = [0; EXPANDED];
    bytes.iter_mut().zip(first.into_iter().chain(second)).for_each(|(place, byte)| *place = byte);
    bytes
}

/// RFC 9380, 5.3.2: `expand_message_xof`.
fn xof(message: &[u8], tag: &[u8]) -> [u8; EXPANDED] {
    let mut hash = Shake128::default();
    for part in [message, &EXPANDED_BYTES, &suffix(tag)] {
        hash.update(part);
    }
    let mut bytes = [0; EXPANDED];
    hash.finalize_xof().read(&mut bytes);
    bytes
}
