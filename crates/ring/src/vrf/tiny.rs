//! The tiny VRF: outputs of a key that is named, in the shortest proofs.
//!
//! ```text
//!   as the thin VRF's proof, with c in the place of R:
//!   check   c = hash(pairs, data, s I - c O)
//! ```
//! (notes: ring-thin)

#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use curve::PrimeField;
use curve::bandersnatch::Bandersnatch;
use curve::embedded::{Embedded, decode_scalar, encode_scalar};

use super::pairs::{self, Pairs};
use super::suite::Purpose;
use super::{Input, Output, Suite};
use crate::read::{end, take};
use crate::{Invalid, Key};

/// Bytes of a challenge.
const CHALLENGE: usize = 16;

/// A proof that outputs are of the secret of a key, in 48 bytes, which are the same in every form. Without a pair it is a signature by that key.
///
/// ```
/// use ring_proof::vrf::{Secret, Suite, Tiny};
///
/// let suite = Suite::jubjub();
/// let secret = Secret::generate(suite)?;
/// let pair = secret.pair(&suite.input(b"round 7")?);
/// let bytes = Tiny::prove(suite, &secret, &[pair], b"data")?.encode();
/// Tiny::decode(&bytes)?.verify(suite, &secret.key(), &[pair], b"data")?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiny<C: Embedded = Bandersnatch> {
    /// `c`
    pub(super) challenge: [u8; CHALLENGE],
    /// `s`
    pub(super) response: C::ScalarField,
}

impl Tiny {
    /// Bytes of a proof, on whatever curve.
    pub const BYTES: usize = CHALLENGE + 32;
}

impl<C: Embedded> Tiny<C> {
    /// `c`, `s`.
    #[must_use]
    pub fn encode(&self) -> [u8; Tiny::BYTES] {
        let mut bytes = [0; Tiny::BYTES];
        let (challenge, response) = bytes.split_at_mut(CHALLENGE);
        challenge.copy_from_slice(&self.challenge);
        response.copy_from_slice(&encode_scalar::<C>(&self.response));
        bytes
    }

    /// The proof of these bytes.
    ///
    /// # Errors
    /// If the response is not a reduced scalar.
    pub fn decode(bytes: &[u8; Tiny::BYTES]) -> Result<Self, Invalid> {
        let mut rest = &bytes[..];
        let challenge = *take(&mut rest)?;
        let response = decode_scalar::<C>(take(&mut rest)?)?;
        end(rest)?;
        Ok(Self { challenge, response })
    }

    /// Verifies that the outputs are of the secret of `key`, whose holder made this for `data`. Cost: as [`Thin::verify`](super::Thin::verify).
    ///
    /// # Errors
    /// If not, or if the suite is [`Suite::jam`], which has no such proofs.
    pub fn verify(
        &self,
        suite: &Suite<C>,
        key: &Key<C>,
        pairs: &[(Input<C>, Output<C>)],
        data: &[u8],
    ) -> Result<(), Invalid> {
        // V1. No identity.
        let pairs = Pairs::of_signer(suite, Purpose::Tiny, key, pairs, data)?;
        // V2. The outputs, and the key, which is the generator's.
        let challenge = C::ScalarField::from_le_bytes_mod_order(&self.challenge);
        let commitment = pairs.commitment(self.response, challenge);
        if pairs::challenge(suite, pairs.hash, &[commitment]) != challenge {
            return Err(Invalid("the outputs are not of the key"));
        }
        Ok(())
    }
}

/// The bytes of a challenge.
#[cfg(feature = "prover")]
pub(super) fn encode_challenge<C: Embedded>(challenge: &C::ScalarField) -> [u8; CHALLENGE] {
    let mut bytes = [0; CHALLENGE];
    bytes.iter_mut().zip(encode_scalar::<C>(challenge)).for_each(|(place, byte)| *place = byte);
    bytes
}
