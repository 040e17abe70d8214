//! The thin VRF: outputs of a key that is named, in proofs that are verified many at once.
//!
//! ```text
//!   pairs   (G, Y), (I_1, O_1), ..., of which a random combination is (I, O)
//!   R = k I         c = hash(pairs, data, R)        s = k + c sk
//!   check   s I = R + c O
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

use alloc::vec::Vec;

use curve::bandersnatch::Bandersnatch;
use curve::embedded::{Embedded, Point, decode_scalar, encode_point, encode_scalar};

use super::pairs::{self, Pairs};
use super::suite::Purpose;
use super::{Form, Input, Output, Suite};
use crate::read::{end, take};
use crate::{Invalid, Key};

/// A proof that outputs are of the secret of a key, in 64 bytes. Without a pair it is a signature by that key.
///
/// It says whose outputs they are: for members of a ring who do not say so there is [`Signature`](super::Signature). [`Tiny`](super::Tiny) is shorter, and
/// verified one by one.
///
/// ```
/// use ring_proof::vrf::{Secret, Suite, Thin, ThinBatch, ThinStatement};
///
/// let suite = Suite::v1();
/// let secret = Secret::generate(suite)?;
/// let pairs = [secret.pair(&suite.input(b"round 7")?), secret.pair(&suite.input(b"round 8")?)];
/// let proof = Thin::prove(suite, &secret, &pairs, b"data")?;
/// let bytes = proof.encode();
///
/// // A verifier: hashes the messages to inputs, and decodes key, outputs and proof.
/// let key = secret.key();
/// let proof = Thin::decode(&bytes)?;
/// proof.verify(suite, &key, &pairs, b"data")?;
/// let random: [u8; 32] = pairs[0].1.hash(suite);
///
/// // Many at once.
/// let mut batch = ThinBatch::new();
/// batch.push(&ThinStatement { suite, key, pairs: &pairs, data: b"data" }, &proof)?;
/// batch.verify()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thin<C: Embedded = Bandersnatch> {
    /// `R`
    pub(super) commitment: Point<C>,
    /// `s`
    pub(super) response: C::ScalarField,
}

impl Thin {
    /// Bytes of a proof in Edwards form, on whatever curve.
    pub const BYTES: usize = 64;
}

impl<C: Embedded> Thin<C> {
    /// `R`, `s`.
    #[must_use]
    pub fn encode(&self) -> [u8; Thin::BYTES] {
        let mut bytes = [0; Thin::BYTES];
        let parts = [encode_point(&self.commitment), encode_scalar::<C>(&self.response)];
        bytes.copy_from_slice(parts.as_flattened());
        bytes
    }

    /// The proof of these bytes.
    ///
    /// # Errors
    /// If they are not the encodings of a point of the subgroup and a reduced scalar.
    pub fn decode(bytes: &[u8; Thin::BYTES]) -> Result<Self, Invalid> {
        Self::read(bytes, &Form::EDWARDS)
    }

    /// The bytes as `suite` writes them.
    #[must_use]
    pub fn encode_in(&self, suite: &Suite<C>) -> Vec<u8> {
        let mut bytes = suite.encode_point(&self.commitment);
        bytes.extend(encode_scalar::<C>(&self.response));
        bytes
    }

    /// The proof of bytes that `suite` writes.
    ///
    /// # Errors
    /// If there are too many or too few, or as [`Self::decode`].
    pub fn decode_in(suite: &Suite<C>, bytes: &[u8]) -> Result<Self, Invalid> {
        Self::read(bytes, &suite.form)
    }

    fn read(bytes: &[u8], form: &Form<C>) -> Result<Self, Invalid> {
        let mut rest = bytes;
        let commitment = (form.read)(&mut rest)?;
        let response = decode_scalar::<C>(take(&mut rest)?)?;
        end(rest)?;
        Ok(Self { commitment, response })
    }

    /// Verifies that the outputs are of the secret of `key`, whose holder made this for `data`. That holds for inputs by [`Suite::input`] alone: of one whose logarithm the signer knows every
    /// point is an output. Cost: for `n` pairs 256 doublings and some 125 `(n + 1)` additions.
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
        let Equation { pairs, challenge } = self.equation(suite, key, pairs, data)?;
        // V2. The outputs, and the key, which is the generator's.
        if pairs.commitment(self.response, challenge) != self.commitment {
            return Err(Invalid("the outputs are not of the key"));
        }
        Ok(())
    }

    /// V1, no identity, and what V2 is about.
    pub(super) fn equation(
        &self,
        suite: &Suite<C>,
        key: &Key<C>,
        pairs: &[(Input<C>, Output<C>)],
        data: &[u8],
    ) -> Result<Equation<C>, Invalid> {
        let pairs = Pairs::of_signer(suite, Purpose::Thin, key, pairs, data)?;
        let challenge = pairs::challenge(suite, pairs.hash.clone(), &[self.commitment]);
        Ok(Equation { pairs, challenge })
    }
}

/// What the equation of a proof is about: `s I = R + c O`.
#[derive(Clone, Debug)]
pub(super) struct Equation<C: Embedded> {
    /// `I` and `O`, of which the first pair is generator and key.
    pub(super) pairs: Pairs<C>,
    /// `c`
    pub(super) challenge: C::ScalarField,
}
