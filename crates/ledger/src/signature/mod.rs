//! Schnorr signatures over Grumpkin in `(c, s)` form.
//!
//! ```text
//!  sign    R = k B,  c = low 128 bits of H(R.x, A.x, message),  s = k + c a  modulo the order
//!  verify  R = s B - c A,  R is not the identity,  c = low 128 bits of H(R.x, A.x, message)
//! ```
//! `H` is Poseidon over BN254's scalar field, width 6: lane 0 of the permuted state `(domain, R.x, A.x, w0, w1, w2)`, with the chain's domain in the
//! capacity. Of a right signature nobody without the secret makes another one of the same message. (notes: ledger-signature)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

mod key;
mod secret;
#[cfg(test)]
mod tests;

pub use key::{KeyFileError, decode_key, encode_key};
pub use secret::Secret;

use crate::Invalid;
use crate::codec::{Canonical, Malformed, Reader, SHORT, Writer};
use crate::machine::Domain;
use curve::grumpkin::{self, Fq, Fr, Point};
use curve::{AffineRepr, CurveGroup};

/// Three signed words. What they mean is a machine's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message(pub [Fq; 3]);

/// A public key: a point of the curve other than the identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey(Point);

impl PublicKey {
    /// A key from a point.
    ///
    /// # Errors
    /// If it is the identity, or not on the curve.
    pub fn from_point(point: Point) -> Result<Self, Invalid> {
        if point.is_zero() {
            return Err(Invalid("the key is the identity"));
        }
        grumpkin::from_coordinates(point.x, point.y).map(Self)
    }

    /// The point.
    pub fn point(&self) -> &Point {
        &self.0
    }

    /// The first coordinate.
    #[must_use]
    pub fn x(&self) -> Fq {
        self.0.x
    }

    /// The second coordinate.
    #[must_use]
    pub fn y(&self) -> Fq {
        self.0.y
    }
}

/// The low 128 bits of the hash of the first coordinates of nonce point and key, and of the message.
#[must_use]
pub fn challenge(domain: &Domain, nonce: &Fq, key: &Fq, message: &Message) -> u128 {
    let [w0, w1, w2] = message.0;
    grumpkin::low_bits(&snark::poseidon::hash(domain.element(), &[*nonce, *key, w0, w1, w2]))
}

impl PublicKey {
    /// Checks a signature of a message on a chain. Not constant time: everything here is public.
    ///
    /// # Errors
    /// If it is not one of this key.
    pub fn verify(&self, domain: &Domain, message: &Message, signature: &Signature) -> Result<(), Invalid> {
        let Signature { challenge: c, response: s } = signature;
        let nonce = grumpkin::ct::times_generator(s) - self.0 * Fr::from(*c);
        let nonce = nonce.into_affine();
        if nonce.is_zero() {
            return Err(Invalid("the nonce of the signature is the identity"));
        }
        if challenge(domain, &nonce.x, &self.0.x, message) != *c {
            return Err(Invalid("the signature is not of this message by this key on this chain"));
        }
        Ok(())
    }
}

/// 64 bytes: both coordinates.
impl Canonical for PublicKey {
    fn write(&self, w: &mut Writer) {
        w.bytes(&grumpkin::encode_fq(&self.0.x));
        w.bytes(&grumpkin::encode_fq(&self.0.y));
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        let [x, y] = [r.array().ok_or(SHORT)?, r.array().ok_or(SHORT)?]
            .map(|bytes| grumpkin::decode_fq(&bytes).map_err(|e| Malformed(e.0)));
        grumpkin::from_coordinates(x?, y?).map(Self).map_err(|e| Malformed(e.0))
    }
}

/// A signature: the challenge, and the response, which is below the order of the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The challenge `c`.
    pub challenge: u128,
    /// The response `s`.
    pub response: Fr,
}

/// 48 bytes: `c` and `s`, little-endian.
impl Canonical for Signature {
    fn write(&self, w: &mut Writer) {
        w.bytes(&self.challenge.to_le_bytes());
        w.bytes(&grumpkin::encode_fr(&self.response));
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        let challenge = u128::from_le_bytes(r.array().ok_or(SHORT)?);
        let response = grumpkin::decode_fr(&r.array().ok_or(SHORT)?).map_err(|e| Malformed(e.0))?;
        Ok(Self { challenge, response })
    }
}
