//! Proofs of possession: that somebody knows the secret of a key that he wants in a ring.
//!
//! A Schnorr proof. Without one a key can be chosen as a function of other members' keys, or of the points of the suite.
//! It is this crate's own, other implementations do not read it.
//!
//! (notes: ring-possession)

#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use curve::AffineRepr;
use curve::bandersnatch::Bandersnatch;
use curve::embedded::{Embedded, Point, decode_point, decode_scalar, encode_point, encode_scalar};

use super::Suite;
use super::combine::combine;
use super::hash::Hash;
use super::suite::Purpose;
use crate::read::take;
use crate::{Invalid, Key};

const CHALLENGE: u8 = 0x40;

/// A proof of possession of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Possession<C: Embedded = Bandersnatch> {
    pub(super) nonce: Point<C>,
    pub(super) response: C::ScalarField,
}

impl Possession {
    /// Bytes of a proof, on whatever curve.
    pub const BYTES: usize = 64;
}

impl<C: Embedded> Possession<C> {
    /// Whether who made the proof knew the secret of `key`.
    ///
    /// # Errors
    /// If not, or if the key cannot be in a ring.
    pub fn verify(&self, suite: &Suite<C>, key: &Key<C>, context: &[u8]) -> Result<(), Invalid> {
        suite.bases().check_key(key).map_err(|_| Invalid("no key of a ring"))?;
        let c = challenge(begin(suite, key.point(), context), &self.nonce);
        if combine(&[suite.generator(), *key.point()], &[self.response, -c]) == self.nonce {
            Ok(())
        } else {
            Err(Invalid("the secret of the key is not known"))
        }
    }

    /// The bytes.
    #[must_use]
    pub fn encode(&self) -> [u8; Possession::BYTES] {
        let mut bytes = [0; Possession::BYTES];
        bytes.copy_from_slice([encode_point(&self.nonce), encode_scalar::<C>(&self.response)].as_flattened());
        bytes
    }

    /// The proof of these bytes.
    ///
    /// # Errors
    /// If they are not the encoding of one.
    pub fn decode(bytes: &[u8; Possession::BYTES]) -> Result<Self, Invalid> {
        let mut rest = &bytes[..];
        let nonce = decode_point(take(&mut rest)?)?;
        Ok(Self { nonce, response: decode_scalar::<C>(take(&mut rest)?)? })
    }
}

pub(super) fn begin<C: Embedded>(suite: &Suite<C>, key: &Point<C>, context: &[u8]) -> Hash {
    assert!(!key.is_zero());
    let mut hash = suite.hash_for(Purpose::Possession);
    hash.absorb(&encode_point(key));
    hash.absorb_length(context.len());
    hash.absorb(context);
    hash
}

pub(super) fn challenge<C: Embedded>(mut hash: Hash, nonce: &Point<C>) -> C::ScalarField {
    hash.absorb(&[CHALLENGE]);
    hash.absorb(&encode_point(nonce));
    hash.scalar::<C, 32>()
}
