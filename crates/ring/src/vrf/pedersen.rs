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
use curve::embedded::{Embedded, Point, Projective, decode_scalar, encode_point, encode_scalar};
use curve::{AffineRepr, CurveGroup, One, PrimeField};
use sha2::Digest;

use super::form::Form;
use super::hash::{Hash, combine};
use super::suite::Kind;
use super::{Input, Output, Suite};
use crate::Invalid;
use crate::read::{end, take};

const SCHEME: u8 = 0x02;
const DELINEARIZE: u8 = 0x30;
const CHALLENGE: u8 = 0x40;

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
        let Equations { input, output, challenge } = self.equations(suite, pairs, data)?;
        let [s, sb] = self.responses;
        let [r, ok] = self.nonces;
        // V2. The outputs.
        if combine([input, output], [s, -challenge]) != ok {
            return Err(Invalid("the output is not of the blinded key"));
        }
        // V3. The blinded key.
        let points = [suite.generator(), *suite.bases().blinding(), self.blinded];
        if combine(points, [s, sb, -challenge]) != r {
            return Err(Invalid("the blinded key is not known"));
        }
        Ok(())
    }

    /// V1, and what V2 and V3 are about.
    pub(super) fn equations(
        &self,
        suite: &Suite<C>,
        pairs: &[(Input<C>, Output<C>)],
        data: &[u8],
    ) -> Result<Equations<C>, Invalid> {
        if !suite.takes(pairs) {
            return Err(Invalid("this suite has one input and one output"));
        }
        // V1. No identity: 0 G + 0 H is a blinded key that everybody can open, and the identity is every key's output for it.
        if self.blinded.is_zero()
            || pairs.iter().any(|(input, output)| input.0.is_zero() || output.0.is_zero())
        {
            return Err(Invalid("the identity says nothing"));
        }
        let (mut hash, [input, output]) = begin(suite, pairs, data);
        hash.absorb(&suite.encode_point(&self.blinded));
        let challenge = challenge(suite, hash, pairs, data, (&self.blinded, &self.nonces));
        Ok(Equations { input, output, challenge })
    }
}

/// What the two equations of a proof are about: `s I = Ok + c O` and `s G + sb H = R + c Yb`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Equations<C: Embedded> {
    /// `I`: the inputs, made one.
    pub(super) input: Point<C>,
    /// `O`: the outputs, made one.
    pub(super) output: Point<C>,
    /// `c`.
    pub(super) challenge: C::ScalarField,
}

/// A hash of the pairs and the data, and the pairs made one.
pub(super) fn begin<C: Embedded>(
    suite: &Suite<C>,
    pairs: &[(Input<C>, Output<C>)],
    data: &[u8],
) -> (Hash, [Point<C>; 2]) {
    let mut hash = suite.hash();
    hash.absorb(&[SCHEME]);
    hash.absorb_length(pairs.len());
    for (input, output) in pairs {
        hash.absorb(&suite.encode_point(&input.0));
        hash.absorb(&suite.encode_point(&output.0));
    }
    hash.absorb_length(data.len());
    hash.absorb(data);
    if let [(input, output)] = pairs {
        return (hash, [input.0, output.0]);
    }
    let mut factors = vec![0; 16 * pairs.len().saturating_sub(1)];
    let mut stream = hash.clone();
    stream.absorb(&[DELINEARIZE]);
    stream.squeeze(&mut factors);
    let scalars = factors.chunks_exact(16).map(C::ScalarField::from_le_bytes_mod_order);
    let scalars = core::iter::once(C::ScalarField::one()).chain(scalars);
    let [mut inputs, mut outputs] = [Projective::<C>::default(); 2];
    for ((input, output), k) in pairs.iter().zip(scalars) {
        inputs += input.0 * k;
        outputs += output.0 * k;
    }
    (hash, [inputs, outputs].map(|p| p.into_affine()))
}

pub(super) fn challenge<C: Embedded>(
    suite: &Suite<C>,
    mut hash: Hash,
    pairs: &[(Input<C>, Output<C>)],
    data: &[u8],
    (blinded, nonces): (&Point<C>, &[Point<C>; 2]),
) -> C::ScalarField {
    if suite.kind != Kind::Rfc9381 {
        hash.absorb(&[CHALLENGE]);
        nonces.iter().for_each(|p| hash.absorb(&suite.encode_point(p)));
        return hash.scalar::<C, 16>();
    }
    // RFC 9381, 5.4.3: everything at once, 32 bytes big-endian.
    let mut whole = [suite.id(), &[2], &encode_point(blinded)].concat();
    for (input, output) in pairs {
        whole.extend([encode_point(&input.0), encode_point(&output.0)].as_flattened());
    }
    nonces.iter().for_each(|p| whole.extend(encode_point(p)));
    whole.extend(data);
    whole.push(0);
    let digest = <[u8; 64]>::from(sha2::Sha512::digest(whole));
    C::ScalarField::from_be_bytes_mod_order(digest.split_at(32).0)
}
