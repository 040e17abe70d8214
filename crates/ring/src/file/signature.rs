//! The signature file: which ring, what was signed, and the 784 bytes of the signature.
//!
//! ```text
//!  BLAKE3 of the ring's commitment file 32 | context (sized) | message (sized) | signature 784
//! ```
//! with the ring's parameters. The 784 bytes are those that ark-vrf makes for the input `context` and the data `message`. (notes: ring-files)

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic, clippy::as_conversions)]

use alloc::string::String;
use alloc::vec::Vec;

use super::{FileError, HASH, Params, RingVerifier, container};
use crate::vrf::{Input, Signature};
use crate::{Error, Invalid};
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
    /// The bytes of the signature, not yet points and scalars.
    pub signature: [u8; Signature::BYTES],
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
        let params = Params::decode(&file.params).ok_or(FileError::Malformed("parameters"))?;
        let signed = Self::read(params, &file.body).ok_or(FileError::Malformed("signature"))?;
        file.check_digests(params.digest(), signed.statement()).map_err(FileError::Digest)?;
        Ok(signed)
    }

    fn read(params: Params, body: &[u8]) -> Option<Self> {
        let mut r = Reader::new(body);
        let ring = r.array()?;
        let [context, message] = [r.sized()?, r.sized()?];
        let signature = r.array()?;
        r.finish()?;
        let short = context.len().max(message.len()) <= MAX_MESSAGE;
        short.then(|| Self { params, ring, context: context.to_vec(), message: message.to_vec(), signature })
    }

    fn statement(&self) -> Digest {
        HASH.digest("tenfold ring signature v1", &[&self.ring, &self.context, &self.message])
    }

    /// The VRF's input.
    ///
    /// # Errors
    /// If it is the identity, which nobody finds a context for.
    pub fn input(&self) -> Result<Input, SignatureError> {
        self.params.suite.suite().input(&self.context).map_err(SignatureError::Context)
    }

    /// The signature's points and scalars, if the file is about this ring.
    ///
    /// # Errors
    /// If the file names another ring, or the bytes are no points and scalars.
    pub fn for_ring(&self, ring: &RingVerifier) -> Result<Signature, SignatureError> {
        let committed = ring.committed();
        let [signature, ring] = [self.params.suite, committed.params.suite].map(|suite| suite.name());
        if signature != ring {
            return Err(SignatureError::Suite { signature, ring });
        }
        if self.params.setup != committed.params.setup {
            return Err(SignatureError::Setup);
        }
        if self.params != committed.params || self.ring != committed.digest() {
            return Err(SignatureError::Ring);
        }
        Signature::decode(&self.signature).map_err(SignatureError::Malformed)
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
    pub fn verify(&self, ring: &RingVerifier) -> Result<Signature, SignatureError> {
        let signature = self.for_ring(ring)?;
        let suite = self.params.suite.suite();
        let verified = signature.verify(suite, ring.verifier(), &self.input()?, &self.message);
        verified.map_err(SignatureError::Rejected)?;
        Ok(signature)
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
