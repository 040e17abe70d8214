//! The signature file: which ring, what was signed, and the bytes of the signature.
//!
//! ```text
//!  BLAKE3 of the ring's commitment file 32 | context (sized) | message (sized) | signature 784, or 788 in Weierstrass form
//! ```
//! with the ring's parameters. The signature is the one that ark-vrf makes for the input `context` and the data `message`. (notes: ring-files)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic, clippy::as_conversions)]

use alloc::string::String;
use alloc::vec::Vec;

use super::suite::on_curve;
use super::{Committed, FileError, HASH, Params, RingVerifier, container};
use crate::vrf::{Input, Signature, Suite};
use crate::{Domain, Error, Invalid, Params as Shared, Verifier, kzg};
use curve::bandersnatch::Bandersnatch;
use curve::embedded::Embedded;
use pcs::codec::{Reader, Writer};
use pcs::file::{File, Kind, SchemeId};
use pcs::iop::hash::Digest;
use pcs::iop::text::hex;

/// The longest context and the longest message: both stand in the file.
pub const MAX_MESSAGE: usize = 1 << 16;

/// A signature with what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    /// The ring's parameters.
    pub params: Params,
    /// The digest of the ring's commitment file.
    pub ring: [u8; 32],
    /// The context that the tag is for.
    pub context: Vec<u8>,
    /// The message that is signed too.
    pub message: Vec<u8>,
    /// The bytes of the signature as the suite writes it, not yet points and scalars.
    pub signature: Vec<u8>,
}

/// The reason that a signature is not valid for a ring.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// A ring of another suite.
    #[error("a signature of {signature}, and a ring of {ring}")]
    Suite {
        /// The signature's.
        signature: &'static str,
        /// The ring's.
        ring: &'static str,
    },
    /// A ring over another setup.
    #[error("the signature is for a ring over another setup")]
    Setup,
    /// Another ring.
    #[error("the signature is for another ring, or for this one as it was at another time")]
    Ring,
    /// None of the rings that it may be for.
    #[error("the signature is for none of these rings")]
    NoRing,
    /// It does not go into a batch.
    #[error(transparent)]
    Batch(Error),
    /// Bytes that are no points and scalars.
    #[error("the signature is malformed: {0}")]
    Malformed(Invalid),
    /// The context is no input of the VRF.
    #[error("{0}")]
    Context(Invalid),
    /// The signature does not verify.
    #[error("no member signed this: {0}")]
    Rejected(Invalid),
    /// A context other than the one that is expected.
    #[error("the signature is for the context {0}")]
    OtherContext(String),
    /// A message other than the one that is expected.
    #[error("the signature is on {0}")]
    OtherMessage(String),
}

impl Signed {
    /// The file's bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::new();
        w.bytes(&self.ring);
        w.sized(&self.context);
        w.sized(&self.message);
        w.bytes(&self.signature);
        let file = File {
            kind: Kind::Opening,
            scheme: SchemeId::Ring,
            params: self.params.encode(),
            params_digest: self.params.digest().head(),
            statement: self.statement().head(),
            body: w.finish().into(),
        };
        file.encode()
    }

    /// Reads the bytes of a file, exactly.
    ///
    /// # Errors
    /// If they are no signature file, or the header does not fit.
    pub fn decode(bytes: &[u8]) -> Result<Self, FileError> {
        let file = container(bytes, Kind::Opening)?;
        let params = Params::decode(&file.params)?;
        let signed = Self::read(params, &file.body).ok_or(FileError::Malformed("signature"))?;
        file.check_digests(params.digest(), signed.statement()).map_err(FileError::Digest)?;
        Ok(signed)
    }

    fn read(params: Params, body: &[u8]) -> Option<Self> {
        let mut r = Reader::new(body);
        let ring = r.array()?;
        let [context, message] = [r.sized()?, r.sized()?];
        let signature = r.bytes(params.suite.signature_bytes())?.to_vec();
        r.finish()?;
        let short = context.len().max(message.len()) <= MAX_MESSAGE;
        short.then(|| Self { params, ring, context: context.to_vec(), message: message.to_vec(), signature })
    }

    fn statement(&self) -> Digest {
        HASH.digest("tenfold ring signature v1", &[&self.ring, &self.context, &self.message])
    }

    /// The tag, with which a signature begins: not yet a point.
    #[must_use]
    pub fn tag(&self) -> &[u8] {
        self.signature.get(..self.params.suite.point_bytes()).unwrap_or_default()
    }

    /// Refuses a file that names another ring than this one.
    pub(super) fn check_ring(&self, ring: &Committed) -> Result<(), SignatureError> {
        if self.params.suite != ring.params.suite {
            let [signature, ring] = [self.params.suite, ring.params.suite].map(|suite| suite.name());
            return Err(SignatureError::Suite { signature, ring });
        }
        if self.params.setup != ring.params.setup {
            return Err(SignatureError::Setup);
        }
        if self.params != ring.params || self.ring != ring.digest() {
            return Err(SignatureError::Ring);
        }
        Ok(())
    }

    /// Refuses a signature on another context or message than those that are expected.
    ///
    /// # Errors
    /// If one is another; they say nothing about the signature.
    pub fn check_expected(
        &self,
        context: Option<&[u8]>,
        message: Option<&[u8]>,
    ) -> Result<(), SignatureError> {
        if context.is_some_and(|context| context != self.context) {
            return Err(SignatureError::OtherContext(shown(&self.context)));
        }
        if message.is_some_and(|message| message != self.message) {
            return Err(SignatureError::OtherMessage(self.message_shown()));
        }
        Ok(())
    }

    /// The message as [`shown`], or `no message`.
    #[must_use]
    pub fn message_shown(&self) -> String {
        if self.message.is_empty() { "no message".into() } else { shown(&self.message) }
    }

    /// Verifies the whole file: it is about this ring, whose verifier accepts its signature.
    ///
    /// # Errors
    /// If it is not valid.
    pub fn verify(&self, ring: &RingVerifier) -> Result<Verified, SignatureError> {
        self.check_ring(ring.committed())?;
        on_curve!(&ring.verifier, verifier => verifier.verify(self))
    }
}

/// What a valid signature says of the member who made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The tag, a point as the suite writes it: the same for all that the member signs in the context.
    pub tag: Vec<u8>,
    /// The random value that the tag stands for.
    pub vrf_output: [u8; 32],
}

/// The verifier of a ring, with its suite.
#[derive(Clone, Debug)]
pub(super) struct SuiteVerifier<C: Embedded = Bandersnatch> {
    pub(super) suite: &'static Suite<C>,
    pub(super) verifier: Verifier<C>,
}

impl<C: Embedded> SuiteVerifier<C> {
    pub(super) fn new(
        suite: &'static Suite<C>,
        committed: &Committed,
        kzg: &kzg::Key,
    ) -> Result<Self, FileError> {
        let domain = committed.params.domain;
        if Domain::on::<C>(domain.size()) != Ok(domain) {
            return Err(FileError::Ring(Error::Mismatch("a domain for keys on another curve")));
        }
        let shared = Shared { bases: suite.bases().clone(), domain };
        Ok(Self { suite, verifier: Verifier::new(&shared, kzg, &committed.points()?) })
    }

    /// The VRF's input. It is the identity for no context that anybody will find.
    pub(super) fn input(&self, context: &[u8]) -> Result<Input<C>, SignatureError> {
        self.suite.input(context).map_err(SignatureError::Context)
    }

    /// The points and scalars of a signature.
    pub(super) fn decode(&self, signed: &Signed) -> Result<Signature<C>, SignatureError> {
        Signature::decode_in(self.suite, &signed.signature).map_err(SignatureError::Malformed)
    }

    /// Verifies the signature of a file that is about this ring.
    fn verify(&self, signed: &Signed) -> Result<Verified, SignatureError> {
        let Self { suite, verifier } = self;
        let signature = self.decode(signed)?;
        let verified = signature.verify(suite, verifier, &self.input(&signed.context)?, &signed.message);
        verified.map_err(SignatureError::Rejected)?;
        let output = &signature.output;
        Ok(Verified { tag: output.encode_in(suite), vrf_output: output.hash(suite) })
    }
}

/// Shows bytes in a sentence: text in quotes, escaped; other bytes in hexadecimal; long ones by their length and digest.
#[must_use]
pub fn shown(bytes: &[u8]) -> String {
    const MAX: usize = 80;
    match core::str::from_utf8(bytes) {
        Ok(text) if text.chars().count() <= MAX => format!("{text:?}"),
        _ if bytes.len() <= MAX / 2 => format!("0x{}", hex(bytes)),
        _ => format!("{} bytes with BLAKE3 {}", bytes.len(), blake3::hash(bytes).to_hex()),
    }
}
