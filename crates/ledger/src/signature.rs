//! Schnorr signatures over Grumpkin in `(c, s)` form.
//!
//! ```text
//!  sign    R = k B,  c = low 128 bits of H(R.x, A.x, message),  s = k + c a
//!  verify  R = s B - c A,  R is not the identity,  c = low 128 bits of H(R.x, A.x, message)
//! ```
//! `H` is Poseidon over BN254's scalar field, width 6: its state begins as `(domain, R.x, A.x, w0, w1, w2)`, the domain of the chain in the capacity.
//! (notes: ledger-signature)

use crate::Invalid;
use crate::codec::{Canonical, Malformed, Reader, SHORT, Writer};
use curve::AffineRepr;
use curve::grumpkin::{self, Fq, Fr, Point};

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
