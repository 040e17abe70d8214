//! Secret keys, and signing in constant time.

use curve::grumpkin::{self, Fr, ct};
use curve::{BigInteger, One, PrimeField, Zero};
use snark::schnorr::challenge_scalar;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, Zeroizing};

use super::{Message, PublicKey, Signature, challenge};
use crate::Invalid;
use crate::machine::Domain;

/// A secret key. Overwritten when it is dropped.
pub struct Secret {
    scalar: Fr,
    public: PublicKey,
}

impl core::fmt::Debug for Secret {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Secret").field("public", &self.public).finish_non_exhaustive()
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        self.scalar.zeroize();
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        self.scalar.into_bigint().0.ct_eq(&other.scalar.into_bigint().0).into()
    }
}

impl Eq for Secret {}

impl Secret {
    /// A new key from the system's random bytes.
    ///
    /// # Errors
    /// If the system gives none.
    pub fn generate() -> Result<Self, getrandom::Error> {
        let mut seed = Zeroizing::new([0; 32]);
        getrandom::fill(&mut *seed)?;
        Ok(Self::from_seed(&seed))
    }

    /// The key of a seed, which is as secret as the key.
    #[must_use]
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        let mut count = 0_u8;
        loop {
            let mut hash = blake3::Hasher::new_derive_key("tenfold ledger v1 secret key of a seed");
            hash.update(seed);
            hash.update(&[count]);
            let scalar = wide(&hash);
            let point = ct::times_generator(&scalar);
            // Of a scalar and its negative one has a key, which is public; a scalar of 0 will not be seen.
            let (sign, point) =
                if point.y.into_bigint().is_odd() { (-Fr::one(), -point) } else { (Fr::one(), point) };
            if let Ok(public) = PublicKey::from_point(point) {
                return Self { scalar: ct::multiply_add(&sign, &scalar, &Fr::zero()), public };
            }
            count = count.wrapping_add(1);
        }
    }

    /// The key of 32 bytes, little-endian.
    ///
    /// # Errors
    /// If the number is 0 or not below the order of the group, or if its negative is the one that has a key: see [`PublicKey`].
    pub fn decode(bytes: &[u8; 32]) -> Result<Self, Invalid> {
        Self::from_scalar(grumpkin::decode_fr(bytes)?)
    }

    fn from_scalar(scalar: Fr) -> Result<Self, Invalid> {
        if scalar.is_zero() {
            return Err(Invalid("the secret is 0"));
        }
        let public = PublicKey::from_point(ct::times_generator(&scalar))?;
        Ok(Self { scalar, public })
    }

    /// The 32 bytes.
    #[must_use]
    pub fn encode(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(grumpkin::encode_fr(&self.scalar))
    }

    /// The key that a state holds.
    #[must_use]
    pub fn public(&self) -> PublicKey {
        self.public
    }

    /// Signs a message on a chain. Random bytes of the system go into the nonce; where there are none, secret and message alone
    /// determine it, which is as safe but for attackers who provoke faults.
    #[must_use]
    pub fn sign(&self, domain: &Domain, message: &Message) -> Signature {
        let mut extra = Zeroizing::new([0; 32]);
        let _ = getrandom::fill(&mut *extra);
        self.sign_with(domain, message, &extra)
    }

    /// Signs with the given bytes in the nonce: the same ones give the same signature.
    #[must_use]
    pub fn sign_with(&self, domain: &Domain, message: &Message, extra: &[u8; 32]) -> Signature {
        let mut count = 0_u8;
        loop {
            let k = self.nonce(domain, message, extra, count);
            // A nonce of 0 will not be seen.
            if !k.is_zero() {
                let point = ct::times_generator(&k);
                // The challenge is public, and so is that there was none.
                if let Some(c) = challenge(domain, &point.x, &self.public.x(), message) {
                    let response = ct::multiply_add(&challenge_scalar(c), &self.scalar, &k);
                    return Signature { challenge: c, response };
                }
            }
            count = count.wrapping_add(1);
        }
    }

    fn nonce(&self, domain: &Domain, message: &Message, extra: &[u8; 32], count: u8) -> Zeroizing<Fr> {
        let mut hash = blake3::Hasher::new_derive_key("tenfold ledger v1 nonce of a signature");
        hash.update(&*self.encode());
        hash.update(extra);
        hash.update(&[count]);
        hash.update(&domain.0);
        message.0.iter().for_each(|word| {
            hash.update(&grumpkin::encode_fq(word));
        });
        let k = wide(&hash);
        hash.zeroize();
        k
    }
}

/// A scalar from 64 bytes of a hash: its distance from a uniform one is below `2^-256`.
fn wide(hash: &blake3::Hasher) -> Zeroizing<Fr> {
    let mut bytes = Zeroizing::new([0; 64]);
    hash.finalize_xof().fill(&mut *bytes);
    Zeroizing::new(ct::reduce(&*bytes))
}
