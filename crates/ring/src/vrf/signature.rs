//! Inputs, outputs, signatures.
//!
//! (notes: ring-vrf)

#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use alloc::vec::Vec;

use curve::AffineRepr;
use curve::bandersnatch::Bandersnatch;
use curve::embedded::{Embedded, Point, encode_point};

use super::{Form, Pedersen, Suite};
use crate::read::end;
use crate::{Invalid, Proof, Verifier};

/// A point that a message was hashed to: see [`Suite::input`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input<C: Embedded = Bandersnatch>(pub(crate) Point<C>);

/// The output of a key for an input: a point of the subgroup that is not the identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output<C: Embedded = Bandersnatch>(pub(crate) Point<C>);

impl<C: Embedded> Input<C> {
    /// The point.
    pub fn point(&self) -> &Point<C> {
        &self.0
    }

    /// 32 bytes.
    #[must_use]
    pub fn encode(&self) -> [u8; 32] {
        encode_point(&self.0)
    }

    /// The bytes as `suite` writes them.
    #[must_use]
    pub fn encode_in(&self, suite: &Suite<C>) -> Vec<u8> {
        suite.encode_point(&self.0)
    }

    /// The input of bytes that **the caller encoded, or got from where they were made by [`Suite::input`]**: who chooses an input whose logarithm he knows
    /// computes everybody's tag from the public keys, and proves with tags that are nobody's. Of strangers take the message, and hash it.
    ///
    /// # Errors
    /// If they are not the encoding of a point of the subgroup, or of the identity.
    pub fn decode_trusted(bytes: &[u8; 32]) -> Result<Self, Invalid> {
        Self::read(&mut &bytes[..], Form::EDWARDS)
    }

    /// [`Self::decode_trusted`] of bytes as `suite` writes them.
    ///
    /// # Errors
    /// As [`Self::decode_trusted`], or if there are too many.
    pub fn decode_trusted_in(suite: &Suite<C>, bytes: &[u8]) -> Result<Self, Invalid> {
        let mut rest = bytes;
        let input = Self::read(&mut rest, suite.form)?;
        end(rest)?;
        Ok(input)
    }

    fn read(rest: &mut &[u8], form: Form<C>) -> Result<Self, Invalid> {
        let point = (form.read)(rest)?;
        if point.is_zero() { Err(Invalid("the input is the identity")) } else { Ok(Self(point)) }
    }
}

impl<C: Embedded> Output<C> {
    /// 32 bytes.
    #[must_use]
    pub fn encode(&self) -> [u8; 32] {
        encode_point(&self.0)
    }

    /// The output of these bytes.
    ///
    /// # Errors
    /// If they are not the encoding of a point of the subgroup, or of the identity, which is no key's output.
    pub fn decode(bytes: &[u8; 32]) -> Result<Self, Invalid> {
        Self::read(&mut &bytes[..], Form::EDWARDS)
    }

    /// The bytes as `suite` writes them.
    #[must_use]
    pub fn encode_in(&self, suite: &Suite<C>) -> Vec<u8> {
        suite.encode_point(&self.0)
    }

    /// The output of bytes that `suite` writes.
    ///
    /// # Errors
    /// As [`Self::decode`].
    pub fn decode_in(suite: &Suite<C>, bytes: &[u8]) -> Result<Self, Invalid> {
        let mut rest = bytes;
        let output = Self::read(&mut rest, suite.form)?;
        end(rest)?;
        Ok(output)
    }

    fn read(rest: &mut &[u8], form: Form<C>) -> Result<Self, Invalid> {
        let point = (form.read)(rest)?;
        if point.is_zero() { Err(Invalid("the output is the identity")) } else { Ok(Self(point)) }
    }

    /// The random value that it stands for, the same for everybody who verified it.
    #[must_use]
    pub fn hash(&self, suite: &Suite<C>) -> [u8; 32] {
        suite.hash_output(&self.0)
    }
}

/// A signature of a member of a ring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature<C: Embedded = Bandersnatch> {
    /// The tag: the VRF's output, the same for all that a key signs for one input. `SignatureBatch::repeated` compares the tags of many.
    #[doc(alias = "tag")]
    pub output: Output<C>,
    /// That the output and the blinded key are of one secret.
    pub pedersen: Pedersen<C>,
    /// That the blinded key is of the ring.
    pub ring: Proof,
}

impl Signature {
    /// Bytes of a signature in Edwards form, on whatever curve.
    pub const BYTES: usize = 32 + Pedersen::BYTES + Proof::BYTES;
}

impl<C: Embedded> Signature<C> {
    /// The bytes, points in Edwards form: [`Self::encode_in`] has the form of a suite.
    #[must_use]
    pub fn encode(&self) -> [u8; Signature::BYTES] {
        let mut bytes = [0; Signature::BYTES];
        let (output, rest) = bytes.split_at_mut(32);
        let (pedersen, ring) = rest.split_at_mut(Pedersen::BYTES);
        output.copy_from_slice(&self.output.encode());
        pedersen.copy_from_slice(&self.pedersen.encode());
        ring.copy_from_slice(&self.ring.encode());
        bytes
    }

    /// The signature of these bytes.
    ///
    /// # Errors
    /// If there are more or fewer than [`Self::BYTES`], or they are not the encoding of a signature.
    pub fn decode(bytes: &[u8]) -> Result<Self, Invalid> {
        Self::read(bytes, Form::EDWARDS)
    }

    /// The bytes as `suite` writes them.
    #[must_use]
    pub fn encode_in(&self, suite: &Suite<C>) -> Vec<u8> {
        let mut bytes = self.output.encode_in(suite);
        bytes.extend(self.pedersen.encode_in(suite));
        bytes.extend(self.ring.encode());
        bytes
    }

    /// The signature of bytes that `suite` writes.
    ///
    /// # Errors
    /// If there are too many or too few, or they are not the encoding of a signature.
    pub fn decode_in(suite: &Suite<C>, bytes: &[u8]) -> Result<Self, Invalid> {
        Self::read(bytes, suite.form)
    }

    fn read(bytes: &[u8], form: Form<C>) -> Result<Self, Invalid> {
        let mut rest = bytes;
        let output = Output::read(&mut rest, form)?;
        let pedersen = Pedersen::read(&mut rest, form)?;
        Ok(Self { output, pedersen, ring: Proof::decode(rest)? })
    }

    /// Whether a member of the verifier's ring signed `input` and `data`.
    ///
    /// # Errors
    /// If not.
    pub fn verify(
        &self,
        suite: &Suite<C>,
        verifier: &Verifier<C>,
        input: &Input<C>,
        data: &[u8],
    ) -> Result<(), Invalid> {
        if verifier.params().bases != *suite.bases() {
            return Err(Invalid("a verifier of another suite"));
        }
        self.pedersen.verify(suite, &[(*input, self.output)], data)?;
        verifier.verify(self.pedersen.blinded(), &self.ring)
    }
}
