//! The signature file: which ring, what was signed, and the 784 bytes of the signature.
//!
//! ```text
//!  BLAKE3 of the ring's commitment file 32 | context (sized) | message (sized) | signature 784
//! ```
//! with the ring's parameters. The 784 bytes are those that ark-vrf makes for the input `context` and the data `message`. (notes: ring-files)

use std::path::Path;

use super::members::Committed;
use super::params::{HASH, Params};
use super::{digests, file_of, malformed};
use crate::args::ring::MessageArgs;
use crate::commands::read_start;
use crate::exit::Failure;
use iop::hash::Digest;
use pcs::codec::{Reader, Writer};
use pcs::file::{File, Kind, SchemeId};
use ring_proof::Verifier;
use ring_proof::vrf::{Input, Signature};

/// The longest message: it stands in the file.
pub const MAX_MESSAGE: usize = 1 << 16;

/// A signature with what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    /// The ring's parameters.
    pub params: Params,
    /// The digest of the ring's commitment file.
    pub ring: [u8; 32],
    /// What the tag is for.
    pub context: Vec<u8>,
    /// What is signed too.
    pub message: Vec<u8>,
    /// The bytes of the signature, not yet points and scalars.
    pub signature: [u8; Signature::BYTES],
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
            params_digest: self.params.digest(),
            statement: self.statement(),
            body: w.finish().into(),
        };
        file.encode()
    }

    /// Reads the bytes of a file, exactly.
    ///
    /// # Errors
    /// If they are no signature file, or the header does not fit.
    pub fn decode(bytes: &[u8]) -> Result<Self, Failure> {
        let file = file_of(bytes, Kind::Opening)?;
        let params = Params::decode(&file.params).ok_or_else(|| malformed("parameters"))?;
        let mut r = Reader::new(&file.body);
        let read = (|| {
            let ring = r.array()?;
            let [context, message] = [r.sized()?.to_vec(), r.sized()?.to_vec()];
            let signature = r.array()?;
            r.finish()?;
            let short = context.len().max(message.len()) <= MAX_MESSAGE;
            short.then_some(Self { params, ring, context, message, signature })
        })();
        let signed = read.ok_or_else(|| malformed("signature"))?;
        file.check_digests(params.digest(), signed.statement()).map_err(digests)?;
        Ok(signed)
    }

    fn statement(&self) -> Digest {
        HASH.digest("tenfold ring signature v1", &[&self.ring, &self.context, &self.message])
    }

    /// The VRF's input.
    ///
    /// # Errors
    /// If it is the identity, which nobody finds a context for.
    pub fn input(&self) -> Result<Input, Failure> {
        self.params.suite.suite().input(&self.context).map_err(|e| Failure::invalid(e.to_string()))
    }

    /// The signature's points and scalars, if it is about this ring.
    ///
    /// # Errors
    /// If the file names another ring, or they are none.
    pub fn of_ring(&self, committed: &Committed) -> Result<Signature, Failure> {
        if self.params.suite != committed.params.suite {
            let [ours, theirs] = [self.params.suite.name(), committed.params.suite.name()];
            return Err(Failure::invalid(format!("a signature of {ours}, and a ring of {theirs}")));
        }
        if self.params.setup != committed.params.setup {
            return Err(Failure::invalid("the signature is for a ring over another setup"));
        }
        if self.params != committed.params || self.ring != committed.digest() {
            return Err(Failure::invalid(
                "the signature is for another ring, or for this one as it was at another time",
            ));
        }
        Signature::decode(&self.signature)
            .map_err(|e| Failure::invalid(format!("the signature is malformed: {e}")))
    }

    /// Verifies all of it.
    ///
    /// # Errors
    /// [`crate::exit::Exit::Invalid`] if it is not valid.
    pub fn verify(&self, committed: &Committed, verifier: &Verifier) -> Result<Signature, Failure> {
        let signature = self.of_ring(committed)?;
        let suite = self.params.suite.suite();
        let verified = signature.verify(suite, verifier, &self.input()?, &self.message);
        verified.map_err(|e| Failure::invalid(format!("no member signed this: {e}")))?;
        Ok(signature)
    }

    /// Refuses another context or message than those that are expected.
    ///
    /// # Errors
    /// [`crate::exit::Exit::Invalid`].
    pub fn says(&self, context: Option<&str>, message: Option<&[u8]>) -> Result<(), Failure> {
        if context.is_some_and(|context| context.as_bytes() != self.context) {
            return Err(Failure::invalid(format!(
                "the signature is for the context {}",
                shown(&self.context)
            )));
        }
        if message.is_some_and(|message| message != self.message) {
            return Err(Failure::invalid(format!("the signature is on {}", said(&self.message))));
        }
        Ok(())
    }
}

/// The message that the arguments give.
///
/// # Errors
/// If its file cannot be read, or it is too long.
pub fn message(args: &MessageArgs) -> Result<Option<Vec<u8>>, Failure> {
    let from_file = |path: &Path| read_start(path, MAX_MESSAGE as u64 + 1);
    let message = match (&args.message, &args.message_file) {
        (Some(text), _) => Some(text.clone().into_bytes()),
        (None, Some(path)) => Some(from_file(path)?),
        (None, None) => None,
    };
    if message.as_ref().is_some_and(|message| message.len() > MAX_MESSAGE) {
        return Err(Failure::usage("the message is longer than 64 KiB", "sign its digest"));
    }
    Ok(message)
}

/// Bytes for a verdict: text in quotes, escaped; other bytes in hexadecimal.
#[must_use]
pub fn shown(bytes: &[u8]) -> String {
    const MOST: usize = 80;
    match core::str::from_utf8(bytes) {
        Ok(text) if text.chars().count() <= MOST => format!("{text:?}"),
        _ if bytes.len() <= MOST / 2 => format!("0x{}", crate::units::hex(bytes)),
        _ => format!("{} bytes with BLAKE3 {}", bytes.len(), blake3::hash(bytes).to_hex()),
    }
}

/// The message in words.
#[must_use]
pub fn said(message: &[u8]) -> String {
    if message.is_empty() { "no message".into() } else { shown(message) }
}
