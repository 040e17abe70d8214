//! Secret keys.

use subtle::ConstantTimeEq;
use zeroize::{Zeroize, Zeroizing};

use curve::bandersnatch::Bandersnatch;
use curve::embedded::{Embedded, Point, Projective, decode_scalar, encode_scalar};
use curve::{PrimeField, Zero, ct};

use super::hash::Hash;
use super::{Input, Output, Suite};
use crate::{Error, Invalid, Key};

/// A secret key. Overwritten when it is dropped.
#[derive(Clone)]
pub struct Secret<C: Embedded = Bandersnatch> {
    scalar: C::ScalarField,
    public: Point<C>,
}

impl<C: Embedded> core::fmt::Debug for Secret<C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Secret").field("public", &self.public).finish_non_exhaustive()
    }
}

impl<C: Embedded> Drop for Secret<C> {
    fn drop(&mut self) {
        self.scalar.zeroize();
    }
}

impl<C: Embedded> PartialEq for Secret<C> {
    fn eq(&self, other: &Self) -> bool {
        self.scalar.into_bigint().0.ct_eq(&other.scalar.into_bigint().0).into()
    }
}

impl<C: Embedded> Eq for Secret<C> {}

impl<C: Embedded> Secret<C> {
    /// A new key from the system's random bytes.
    ///
    /// # Errors
    /// If the system gives none.
    pub fn generate(suite: &Suite<C>) -> Result<Self, Error> {
        let mut seed = Zeroizing::new([0; 32]);
        getrandom::fill(&mut *seed).map_err(Error::Random)?;
        Ok(Self::from_seed(suite, &seed))
    }

    /// The key of a seed, the same as ark-vrf 0.6.1's. The seed is as secret as the key.
    ///
    /// For [`Suite::jam`] it is another key than that of ark-vrf 0.1, where the secret is SHA-512 of the seed: bring such a secret with
    /// [`Self::decode`].
    #[must_use]
    pub fn from_seed(suite: &Suite<C>, seed: &[u8; 32]) -> Self {
        let first = Zeroizing::new(C::reduce(seed));
        let mut scalar = C::ScalarField::zero();
        let mut count = 0_u8;
        // A scalar of 0 will not be seen: the loop is as long for all seeds.
        while scalar.is_zero() {
            let mut hash = suite.hash();
            hash.absorb(seed);
            if count > 0 {
                hash.absorb(&[count]);
            }
            scalar = nonce::<C>(&first, &hash);
            count = count.wrapping_add(1);
        }
        Self::from_scalar(scalar)
    }

    /// The key of 32 bytes, little-endian.
    ///
    /// # Errors
    /// If the number is 0 or not below the order of the group.
    pub fn decode(bytes: &[u8; 32]) -> Result<Self, Invalid> {
        let scalar = decode_scalar::<C>(bytes)?;
        if scalar.is_zero() { Err(Invalid("the secret is 0")) } else { Ok(Self::from_scalar(scalar)) }
    }

    fn from_scalar(scalar: C::ScalarField) -> Self {
        let public = times(&<Point<C> as curve::AffineRepr>::generator(), &scalar);
        Self { scalar, public }
    }

    /// The 32 bytes.
    #[must_use]
    pub fn encode(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(encode_scalar::<C>(&self.scalar))
    }

    /// The key that a ring holds, as a point.
    pub fn public(&self) -> &Point<C> {
        &self.public
    }

    /// The key that a ring holds.
    #[must_use]
    pub fn key(&self) -> Key<C> {
        Key::new(self.public).expect("a multiple of the generator that is not 0")
    }

    /// `sk I`.
    #[must_use]
    pub fn output(&self, input: &Input<C>) -> Output<C> {
        Output(times(&input.0, &self.scalar))
    }

    /// The input and its output: what proofs are about.
    #[must_use]
    pub fn pair(&self, input: &Input<C>) -> (Input<C>, Output<C>) {
        (*input, self.output(input))
    }

    pub(crate) fn scalar(&self) -> &C::ScalarField {
        &self.scalar
    }
}

/// `k P`, in a time that does not depend on `k`.
pub(crate) fn times<C: Embedded>(point: &Point<C>, k: &C::ScalarField) -> Point<C> {
    affine(&ct::times(&Projective::from(*point), k))
}

/// The affine form of a point of the subgroup.
pub(crate) fn affine<C: Embedded>(point: &Projective<C>) -> Point<C> {
    ct::affine(&[*point])[0]
}

/// A nonce that depends on a secret and on all that was absorbed, as RFC 8032 has it.
pub(crate) fn nonce<C: Embedded>(secret: &C::ScalarField, hash: &Hash) -> C::ScalarField {
    const EXPAND: u8 = 0x10;
    const NONCE: u8 = 0x11;
    let mut expand = hash.clone();
    expand.absorb(&[EXPAND]);
    expand.absorb(&*Zeroizing::new(encode_scalar::<C>(secret)));
    let mut expanded = Zeroizing::new([0; 64]);
    expand.squeeze(&mut *expanded);
    let mut hash = hash.clone();
    hash.absorb(&[NONCE]);
    hash.absorb(&*expanded);
    hash.scalar::<C, 48>()
}

#[cfg(test)]
impl<C: Embedded> Secret<C> {
    /// The secret 0, which no constructor gives.
    pub(crate) fn zeroed(self) -> Self {
        Self { scalar: C::ScalarField::zero(), public: Point::default() }
    }

    /// The secret, whose public key a fault has changed into that of another.
    pub(crate) fn faulty(self, other: &Self) -> Self {
        Self { scalar: self.scalar, public: other.public }
    }
}
