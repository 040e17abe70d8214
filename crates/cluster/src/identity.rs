//! Who a rank is: its key, its job, and what it keeps for third parties. (notes: cluster-signatures)

use crate::host::{self, Hosts};
use crate::report::{Receipt, Report};
use core::fmt;
use ed25519_dalek::{Signature, SigningKey, VerifyingKey};
use iop::hash::Hash;
use std::cell::RefCell;
use std::rc::Rc;

/// Bytes of a signature.
pub(crate) const SIGNATURE: usize = 64;

/// Bytes of keys, nonces and the digests that are signed.
pub(crate) const DIGEST: usize = 32;

/// The 32-byte BLAKE3 digest of labelled parts.
pub(crate) fn digest(label: &str, parts: &[&[u8]]) -> [u8; DIGEST] {
    Hash::Blake3.digest(label, parts).head()
}

/// The signing key of a rank (Ed25519). It is erased when dropped.
#[derive(Clone)]
pub struct Key(SigningKey);

impl Key {
    /// A fresh key.
    ///
    /// # Panics
    /// If the system has no randomness.
    pub fn generate() -> Self {
        Self(SigningKey::from_bytes(&random()))
    }

    /// The key of 32 secret bytes.
    pub fn from_bytes(secret: &[u8; DIGEST]) -> Self {
        Self(SigningKey::from_bytes(secret))
    }

    /// The key by which others verify.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key().to_bytes())
    }

    pub(crate) fn secret(&self) -> &[u8; DIGEST] {
        self.0.as_bytes()
    }

    pub(crate) fn sign(&self, message: &[u8]) -> [u8; SIGNATURE] {
        use ed25519_dalek::ed25519::signature::Signer;
        self.0.sign(message).to_bytes()
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({:?})", self.public())
    }
}

/// The key by which a rank's signatures are verified.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PublicKey(pub [u8; DIGEST]);

impl PublicKey {
    /// True for a point that any signature is verified by.
    pub(crate) fn is_sound(&self) -> bool {
        VerifyingKey::from_bytes(&self.0).is_ok_and(|key| !key.is_weak())
    }

    /// True if the signature is one of this key; keys of small order and second encodings are refused.
    pub(crate) fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        let (Ok(key), Ok(signature)) = (VerifyingKey::from_bytes(&self.0), Signature::from_slice(signature))
        else {
            return false;
        };
        key.verify_strict(message, &signature).is_ok()
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&iop::text::hex(&self.0))
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// Fresh random bytes.
pub(crate) fn random() -> [u8; DIGEST] {
    let mut bytes = [0; DIGEST];
    getrandom::fill(&mut bytes).expect("randomness of the system");
    bytes
}

/// The records that a rank keeps for third parties; clones share them.
#[derive(Debug, Clone, Default)]
pub struct Records(pub(crate) Rc<RefCell<Kept>>);

#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub hosts: Hosts,
    pub report: Option<Report>,
    pub receipt: Option<Receipt>,
}

impl Records {
    /// The blame report of a failed job: none while no deviation was found, or if it cannot be shown to a third party.
    pub fn report(&self) -> Option<Report> {
        self.0.borrow().report.clone()
    }

    /// The names of the ranks' hosts, as each said its own: none before the hello. Nothing checks them.
    pub fn hosts(&self) -> Hosts {
        self.0.borrow().hosts.clone()
    }

    /// The coordinator's signature about all its questions to this rank; none at the coordinator, and before its first question.
    pub fn receipt(&self) -> Option<Receipt> {
        self.0.borrow().receipt.clone()
    }
}

/// A rank's key with the name of its job.
pub struct Identity {
    pub(crate) key: Key,
    /// The digest of the job's name.
    pub(crate) job: [u8; DIGEST],
    pub(crate) data: [u8; DIGEST],
    pub(crate) nonce: [u8; DIGEST],
    pub(crate) expected: Option<Vec<PublicKey>>,
    pub(crate) host: String,
    pub(crate) records: Records,
}

impl Identity {
    /// A rank with a key in a job whose ranks all give the same name: that of the launcher, say. One name is for one job.
    pub fn new(key: Key, job: &[u8]) -> Self {
        Self {
            key,
            job: digest("tenfold cluster job name v1", &[job]),
            data: [0; DIGEST],
            nonce: random(),
            expected: None,
            host: host::own(),
            records: Records::default(),
        }
    }

    /// Takes part only with ranks that have parts of the data with this digest.
    #[must_use]
    pub fn with_data(self, data: [u8; DIGEST]) -> Self {
        Self { data, ..self }
    }

    /// Takes part only with ranks that have these keys, by rank: as many as there are ranks.
    #[must_use]
    pub fn expecting(self, keys: Vec<PublicKey>) -> Self {
        Self { expected: Some(keys), ..self }
    }

    /// Says that the rank's host has this name, of which 56 printable characters without spaces are sent, in place of the one that the system gives it.
    #[must_use]
    pub fn on_host(self, host: &str) -> Self {
        Self { host: host.to_owned(), ..self }
    }

    /// The records of the job: a report or a receipt, once there is one.
    pub fn records(&self) -> Records {
        self.records.clone()
    }
}

impl Default for Identity {
    /// A fresh key in a job without a name: what such a rank signed is attributed to a key that the coordinator alone vouches for.
    fn default() -> Self {
        Self::new(Key::generate(), b"")
    }
}
