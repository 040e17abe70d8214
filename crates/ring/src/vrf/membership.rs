//! Membership without a tag.
//!
//! (notes: ring-membership)

#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use alloc::vec::Vec;

use curve::bandersnatch::Bandersnatch;
use curve::embedded::Embedded;

use super::{Form, Pedersen, Suite};
use crate::{Invalid, Proof, Verifier};

/// A proof that somebody knows the secret of a member's key: a ring proof, and a Pedersen proof without an input that opens the blinded key. Nothing links two
/// of them.
///
/// A ring proof alone is none: see [`Verifier::verify`]. The padding of an empty slot can be blinded by everybody, and opened by nobody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership<C: Embedded = Bandersnatch> {
    /// That the secret in the blinded key is known.
    pub pedersen: Pedersen<C>,
    /// That the blinded key is of the ring.
    pub ring: Proof,
}

impl Membership {
    /// Bytes of a proof in Edwards form, on whatever curve.
    pub const BYTES: usize = Pedersen::BYTES + Proof::BYTES;
}

impl<C: Embedded> Membership<C> {
    /// Verifies that somebody who knows the secret of a member's key made this for `data`.
    ///
    /// # Errors
    /// If not.
    pub fn verify(&self, suite: &Suite<C>, verifier: &Verifier<C>, data: &[u8]) -> Result<(), Invalid> {
        if verifier.params().bases != *suite.bases() {
            return Err(Invalid("a verifier of another suite"));
        }
        self.pedersen.verify(suite, &[], data)?;
        verifier.verify(self.pedersen.blinded(), &self.ring)
    }

    /// The Pedersen proof and the ring proof, points in Edwards form: [`Self::encode_in`] has the form of a suite.
    #[must_use]
    pub fn encode(&self) -> [u8; Membership::BYTES] {
        let mut bytes = [0; Membership::BYTES];
        let (pedersen, ring) = bytes.split_at_mut(Pedersen::BYTES);
        pedersen.copy_from_slice(&self.pedersen.encode());
        ring.copy_from_slice(&self.ring.encode());
        bytes
    }

    /// The proof of these bytes.
    ///
    /// # Errors
    /// If there are more or fewer than [`Self::BYTES`](Membership::BYTES), or they are not the encoding of one.
    pub fn decode(bytes: &[u8]) -> Result<Self, Invalid> {
        Self::read(bytes, Form::EDWARDS)
    }

    /// The bytes as `suite` writes them.
    #[must_use]
    pub fn encode_in(&self, suite: &Suite<C>) -> Vec<u8> {
        let mut bytes = self.pedersen.encode_in(suite);
        bytes.extend(self.ring.encode());
        bytes
    }

    /// The proof of bytes that `suite` writes.
    ///
    /// # Errors
    /// If there are too many or too few, or they are not the encoding of one.
    pub fn decode_in(suite: &Suite<C>, bytes: &[u8]) -> Result<Self, Invalid> {
        Self::read(bytes, suite.form)
    }

    fn read(bytes: &[u8], form: Form<C>) -> Result<Self, Invalid> {
        let mut rest = bytes;
        let pedersen = Pedersen::read(&mut rest, form)?;
        Ok(Self { pedersen, ring: Proof::decode(rest)? })
    }
}
