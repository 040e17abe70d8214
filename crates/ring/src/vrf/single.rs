//! Proofs of one signer, whose key is named: the thin VRF, and the tiny one, which carries the challenge in the commitment's place.
//!
//! ```text
//!   pairs   (G, Y), (I_1, O_1), ..., of which a random combination is (I, O)
//!   R = k I         c = hash(pairs, data, R)        s = k + c sk
//!   thin    R, s    check   R = s I - c O
//!   tiny    c, s    check   c = hash(pairs, data, s I - c O)
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

use curve::PrimeField;
use curve::bandersnatch::Bandersnatch;
use curve::embedded::{Embedded, Point, decode_scalar, encode_point, encode_scalar};

use super::pairs::{self, Equation, Pairs};
use super::suite::Purpose;
use super::{Form, Input, Output, Suite};
use crate::read::{end, take};
use crate::{Invalid, Key};

/// Bytes of a challenge.
const CHALLENGE: usize = 16;

/// A proof that outputs are of the secret of a key: a [`Thin`] or a [`Tiny`] one, by the part of it that is not the response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignerProof<C: Embedded, P> {
    /// `R` or `c`
    pub(super) part: P,
    /// `s`
    pub(super) response: C::ScalarField,
}

/// A proof that outputs are of the secret of a key, in 64 bytes. Without a pair it is a signature by that key.
///
/// It says whose outputs they are: for members of a ring who do not say so there is [`Signature`](super::Signature). [`Tiny`] is shorter, and
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
pub type Thin<C = Bandersnatch> = SignerProof<C, Point<C>>;

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
pub type Tiny<C = Bandersnatch> = SignerProof<C, [u8; CHALLENGE]>;

/// The part of a proof that is not the response.
pub trait Part<C: Embedded>: PartialEq + Sized {
    /// What hashes are for.
    const PURPOSE: Purpose;

    /// The part of a proof with this `R`.
    fn new(suite: &Suite<C>, pairs: &Pairs<C>, commitment: Point<C>) -> Self;

    /// `c`
    fn challenge(&self, suite: &Suite<C>, pairs: &Pairs<C>) -> C::ScalarField;

    /// From the front of bytes.
    fn read(rest: &mut &[u8], form: &Form<C>) -> Result<Self, Invalid>;
}

impl<C: Embedded> Part<C> for Point<C> {
    const PURPOSE: Purpose = Purpose::Thin;

    fn new(_: &Suite<C>, _: &Pairs<C>, commitment: Point<C>) -> Self {
        commitment
    }

    fn challenge(&self, suite: &Suite<C>, pairs: &Pairs<C>) -> C::ScalarField {
        pairs::challenge(suite, pairs.hash.clone(), &[*self])
    }

    fn read(rest: &mut &[u8], form: &Form<C>) -> Result<Self, Invalid> {
        (form.read)(rest)
    }
}

impl<C: Embedded> Part<C> for [u8; CHALLENGE] {
    const PURPOSE: Purpose = Purpose::Tiny;

    fn new(suite: &Suite<C>, pairs: &Pairs<C>, commitment: Point<C>) -> Self {
        encode_challenge::<C>(&commitment.challenge(suite, pairs))
    }

    fn challenge(&self, _: &Suite<C>, _: &Pairs<C>) -> C::ScalarField {
        C::ScalarField::from_le_bytes_mod_order(self)
    }

    fn read(rest: &mut &[u8], _: &Form<C>) -> Result<Self, Invalid> {
        Ok(*take(rest)?)
    }
}

/// The bytes of a challenge.
pub(super) fn encode_challenge<C: Embedded>(challenge: &C::ScalarField) -> [u8; CHALLENGE] {
    let mut bytes = [0; CHALLENGE];
    bytes.iter_mut().zip(encode_scalar::<C>(challenge)).for_each(|(place, byte)| *place = byte);
    bytes
}

impl<C: Embedded, P: Part<C>> SignerProof<C, P> {
    fn read(bytes: &[u8], form: &Form<C>) -> Result<Self, Invalid> {
        let mut rest = bytes;
        let part = P::read(&mut rest, form)?;
        let response = decode_scalar::<C>(take(&mut rest)?)?;
        end(rest)?;
        Ok(Self { part, response })
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
        if P::new(suite, &pairs, pairs.commitment(self.response, challenge)) != self.part {
            return Err(Invalid("not a proof of these outputs with these data, or not by this key"));
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
        let pairs = Pairs::of_signer(suite, P::PURPOSE, key, pairs, data)?;
        let challenge = self.part.challenge(suite, &pairs);
        Ok(Equation { pairs, challenge })
    }
}

impl Thin {
    /// Bytes of a thin proof in Edwards form, on whatever curve.
    pub const BYTES: usize = 64;
}

impl<C: Embedded> Thin<C> {
    /// `R`, `s`.
    #[must_use]
    pub fn encode(&self) -> [u8; Thin::BYTES] {
        let mut bytes = [0; Thin::BYTES];
        let parts = [encode_point(&self.part), encode_scalar::<C>(&self.response)];
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
        let mut bytes = suite.encode_point(&self.part);
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
}

impl Tiny {
    /// Bytes of a tiny proof, on whatever curve.
    pub const BYTES: usize = CHALLENGE + 32;
}

impl<C: Embedded> Tiny<C> {
    /// `c`, `s`.
    #[must_use]
    pub fn encode(&self) -> [u8; Tiny::BYTES] {
        let mut bytes = [0; Tiny::BYTES];
        let (challenge, response) = bytes.split_at_mut(CHALLENGE);
        challenge.copy_from_slice(&self.part);
        response.copy_from_slice(&encode_scalar::<C>(&self.response));
        bytes
    }

    /// The proof of these bytes.
    ///
    /// # Errors
    /// If the response is not a reduced scalar.
    pub fn decode(bytes: &[u8; Tiny::BYTES]) -> Result<Self, Invalid> {
        Self::read(bytes, &Form::EDWARDS)
    }
}
