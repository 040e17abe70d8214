//! The Pedersen VRF: outputs of a key that is blinded.
//!
//! ```text
//!   Yb = sk G + t H          R = k G + kb H          Ok = k I
//!   c  = hash(inputs, outputs, data, Yb, R, Ok)      s = k + c sk      sb = kb + c t
//!   check   s I = Ok + c O   and   s G + sb H = R + c Yb
//! ```
//! Several inputs become one by random factors. Source: Burdges, Ciobotaru, Lavasani and Stewart, ePrint 2023/002, section 4.
//!
//! (notes: ring-pedersen)

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
use curve::{AffineRepr, PrimeField};
use sha2::Digest;

use super::combine::combine;
use super::pairs::{self, Equation, Pairs};
use super::suite::Purpose;
use super::{Form, Input, Output, Suite};
use crate::Invalid;
use crate::read::{end, take};

/// A blinded key, and that outputs are of its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pedersen<C: Embedded = Bandersnatch> {
    pub(super) blinded: Point<C>,
    /// `R`, `Ok`.
    pub(super) nonces: [Point<C>; 2],
    /// `s`, `sb`.
    pub(super) responses: [C::ScalarField; 2],
}

impl Pedersen {
    /// Bytes of a proof in Edwards form, on whatever curve.
    pub const BYTES: usize = 160;
}

impl<C: Embedded> Pedersen<C> {
    /// `Yb`, `R`, `Ok`, `s`, `sb`.
    #[must_use]
    pub fn encode(&self) -> [u8; Pedersen::BYTES] {
        let [r, ok] = &self.nonces;
        let [s, sb] = &self.responses;
        let parts = [
            encode_point(&self.blinded),
            encode_point(r),
            encode_point(ok),
            encode_scalar::<C>(s),
            encode_scalar::<C>(sb),
        ];
        let mut bytes = [0; Pedersen::BYTES];
        bytes.copy_from_slice(parts.as_flattened());
        bytes
    }

    /// The proof of these bytes.
    ///
    /// # Errors
    /// If they are not the encodings of points of the subgroup and reduced scalars.
    pub fn decode(bytes: &[u8; Pedersen::BYTES]) -> Result<Self, Invalid> {
        Self::read(&mut &bytes[..], Form::EDWARDS)
    }

    /// The bytes as `suite` writes them.
    #[must_use]
    pub fn encode_in(&self, suite: &Suite<C>) -> Vec<u8> {
        let [r, ok] = &self.nonces;
        let mut bytes = [&self.blinded, r, ok].map(|p| suite.encode_point(p)).concat();
        bytes.extend(self.responses.map(|s| encode_scalar::<C>(&s)).as_flattened());
        bytes
    }

    /// The proof of bytes that `suite` writes.
    ///
    /// # Errors
    /// If there are too many or too few, or as [`Self::decode`].
    pub fn decode_in(suite: &Suite<C>, bytes: &[u8]) -> Result<Self, Invalid> {
        let mut rest = bytes;
        let proof = Self::read(&mut rest, suite.form)?;
        end(rest)?;
        Ok(proof)
    }

    pub(super) fn read(rest: &mut &[u8], form: Form<C>) -> Result<Self, Invalid> {
        let blinded = (form.read)(rest)?;
        let nonces = [(form.read)(rest)?, (form.read)(rest)?];
        let responses = [decode_scalar::<C>(take(rest)?)?, decode_scalar::<C>(take(rest)?)?];
        Ok(Self { blinded, nonces, responses })
    }

    /// `Yb`.
    pub fn blinded(&self) -> &Point<C> {
        &self.blinded
    }

    /// Whether the outputs are of the secret in the blinded key.
    ///
    /// # Errors
    /// If not, or if the blinded key or an output is the identity, which say nothing of anybody; or if the suite is [`Suite::jam`], whose
    /// challenge does not say how many pairs there are, and there is not one.
    pub fn verify(
        &self,
        suite: &Suite<C>,
        pairs: &[(Input<C>, Output<C>)],
        data: &[u8],
    ) -> Result<(), Invalid> {
        let Equation { pairs, challenge } = self.equations(suite, pairs, data)?;
        let [s, sb] = self.responses;
        let [r, ok] = self.nonces;
        // V2. The outputs.
        if pairs.commitment(s, challenge) != ok {
            return Err(Invalid(
                "not a signature on this message in this context, or not by the key that it hides",
            ));
        }
        // V3. The blinded key.
        let points = [suite.generator(), *suite.bases().blinding(), self.blinded];
        if combine(&points, &[s, sb, -challenge]) != r {
            return Err(Invalid("the blinded key is not known"));
        }
        Ok(())
    }

    /// V1, and what V2 and V3 are about: `s I = Ok + c O` and `s G + sb H = R + c Yb`.
    pub(super) fn equations(
        &self,
        suite: &Suite<C>,
        pairs: &[(Input<C>, Output<C>)],
        data: &[u8],
    ) -> Result<Equation<C>, Invalid> {
        check_number(suite, pairs)?;
        let mut merged = begin(suite, pairs, data);
        // V1. No identity: 0 G + 0 H is a blinded key that everybody can open, and the identity is every key's output for it.
        if self.blinded.is_zero() {
            return Err(Invalid("the identity says nothing"));
        }
        merged.check_identity()?;
        merged.hash.absorb(&suite.encode_point(&self.blinded));
        let challenge = challenge(suite, &merged, data, (&self.blinded, &self.nonces));
        Ok(Equation { pairs: merged, challenge })
    }
}

/// That so many pairs can be proven together.
pub(super) fn check_number<C: Embedded>(
    suite: &Suite<C>,
    pairs: &[(Input<C>, Output<C>)],
) -> Result<(), Invalid> {
    if suite.takes_any_number_of_pairs() || pairs.len() == 1 {
        Ok(())
    } else {
        Err(Invalid("this suite has one input and one output"))
    }
}

/// The pairs of a proof.
pub(super) fn begin<C: Embedded>(suite: &Suite<C>, pairs: &[(Input<C>, Output<C>)], data: &[u8]) -> Pairs<C> {
    Pairs::new(suite, Purpose::Pedersen, pairs::points(pairs), data)
}

/// The challenge of pairs that have absorbed the blinded key too.
pub(super) fn challenge<C: Embedded>(
    suite: &Suite<C>,
    pairs: &Pairs<C>,
    data: &[u8],
    (blinded, nonces): (&Point<C>, &[Point<C>; 2]),
) -> C::ScalarField {
    if suite.takes_any_number_of_pairs() {
        return pairs::challenge(suite, pairs.hash.clone(), nonces);
    }
    // RFC 9381, 5.4.3: everything at once, 32 bytes big-endian.
    let mut whole = [suite.id(), &[2], &encode_point(blinded)].concat();
    for (input, output) in pairs.inputs.iter().zip(&pairs.outputs) {
        whole.extend([encode_point(input), encode_point(output)].as_flattened());
    }
    nonces.iter().for_each(|p| whole.extend(encode_point(p)));
    whole.extend(data);
    whole.push(0);
    let digest = <[u8; 64]>::from(sha2::Sha512::digest(whole));
    C::ScalarField::from_be_bytes_mod_order(digest.split_at(32).0)
}
