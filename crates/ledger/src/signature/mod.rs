//! Schnorr signatures over Grumpkin in `(c, s)` form.
//!
//! ```text
//!  sign    R = k B,  c = challenge(R.x),  s = k + [c] a  modulo the order, again with another k where there is no challenge
//!  verify  s is not 0,  s B and [c] A differ in x,  R = s B - [c] A,  c = challenge(R.x)
//! ```
//! The challenge is the low 128 bits of a Poseidon hash of `R.x`, `A.x` and the message's words, with the chain's domain in the capacity; `[c]` is its scalar:
//! [`snark::schnorr`] has both, and the same verification in a circuit. Of a right signature nobody without the secret makes another one of the
//! same message. (notes: ledger-signature)

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
use curve::{AffineRepr, BigInteger, CurveGroup, PrimeField, Zero};
use snark::schnorr::challenge_scalar;

/// Three signed words. What they mean is a machine's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message(pub [Fq; 3]);

/// A public key: a point of the curve other than the identity, whose `y` is even. So `x` determines it, as in BIP 340; of a secret and its negative one has a key.
///
/// It has its encoding with it, which is hashed three times for each cell of a batch.
#[derive(Clone, Copy, Debug)]
pub struct PublicKey {
    point: Point,
    bytes: [[u8; 32]; 2],
}

/// Encodings are one for each value.
impl PartialEq for PublicKey {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for PublicKey {}

impl PublicKey {
    /// A key from a point.
    ///
    /// # Errors
    /// If it is the identity, not on the curve, or its `y` is odd.
    pub fn from_point(point: Point) -> Result<Self, Invalid> {
        if point.is_zero() {
            return Err(Invalid("the key is the identity"));
        }
        let point = grumpkin::from_coordinates(point.x, point.y)?;
        if point.y.into_bigint().is_odd() {
            return Err(Invalid("the key has an odd y: its negative is the key with this x"));
        }
        Ok(Self { point, bytes: [point.x, point.y].map(|coordinate| grumpkin::encode_fq(&coordinate)) })
    }

    /// The point.
    pub fn point(&self) -> &Point {
        &self.point
    }

    /// The first coordinate.
    #[must_use]
    pub fn x(&self) -> Fq {
        self.point.x
    }

    /// The second coordinate.
    #[must_use]
    pub fn y(&self) -> Fq {
        self.point.y
    }
}

impl Message {
    /// The words that are hashed: a third word that is 0 is not. Each number of words has a hash function of its own, so that none is taken for another.
    #[must_use]
    pub fn words(&self) -> &[Fq] {
        if self.0[2].is_zero() { &self.0[..2] } else { &self.0 }
    }
}

/// The challenge for the first coordinate of a nonce point; none for one in 123.
#[must_use]
pub fn challenge(domain: &Domain, nonce: &Fq, key: &Fq, message: &Message) -> Option<u128> {
    snark::schnorr::challenge(domain.element(), *nonce, *key, message.words())
}

impl PublicKey {
    /// Checks a signature of a message on a chain. Not constant time: everything here is public.
    ///
    /// # Errors
    /// If it is not one of this key.
    pub fn verify(&self, domain: &Domain, message: &Message, signature: &Signature) -> Result<(), Invalid> {
        let Signature { challenge: c, response: s } = signature;
        let shift = (self.point * challenge_scalar(*c)).into_affine();
        let point = grumpkin::ct::times_generator(s);
        // What the circuit does not prove: R or s B the identity, or R twice s B.
        if s.is_zero() || point.x == shift.x {
            return Err(Invalid("the nonce of the signature is the identity, or the response is degenerate"));
        }
        let nonce = (point - shift).into_affine();
        if challenge(domain, &nonce.x, &self.point.x, message) != Some(*c) {
            return Err(Invalid("the signature is not of this message by this key on this chain"));
        }
        Ok(())
    }
}

/// 64 bytes: both coordinates.
impl Canonical for PublicKey {
    fn write(&self, w: &mut Writer) {
        w.bytes(self.bytes.as_flattened());
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, Malformed> {
        let [x, y] = [r.array().ok_or(SHORT)?, r.array().ok_or(SHORT)?]
            .map(|bytes| grumpkin::decode_fq(&bytes).map_err(|e| Malformed(e.0)));
        let point = grumpkin::from_coordinates(x?, y?).map_err(|e| Malformed(e.0))?;
        Self::from_point(point).map_err(|e| Malformed(e.0))
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
