//! Files about rings: keys, rings, their commitments, and signatures, each with one encoding.
//!
//! ```text
//!  PublicKey ──► Members (a ring's keys, commitment) ──► Committed (the commitment: enough to verify)
//!  SecretKey ──────────── signs ──► Signed ── is about ──────┘
//! ```
//! All but the secret key are in the container of [`pcs::file`], of the scheme `Ring`, whose parameters are suite, rows and setup. Reading
//! checks the form: lengths, digests, the end. Keys, points and signatures are checked where they are used. The suite says on which curve keys are, and
//! how points are written; the types here hide both.
//!
//! A verifier has two files, and needs neither the powers of the setup nor, without the feature `prover`, the standard library:
//!
//! ```
//! use ring_proof::file::{Committed, RingVerifier, Signed, ZCASH_SHA256, zcash_key};
//!
//! /// What a member signed in a context, and the tag of that member there.
//! fn vote(signature: &[u8], commitment: &[u8], context: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
//!     let committed = Committed::decode(commitment).ok()?;
//!     if committed.params.setup != ZCASH_SHA256 {
//!         return None;
//!     }
//!     let ring = RingVerifier::new(committed, &zcash_key()).ok()?;
//!     let signed = Signed::decode(signature).ok()?;
//!     signed.check_expected(Some(context), None).ok()?;
//!     let tag = signed.verify(&ring).ok()?.tag;
//!     Some((signed.message, tag))
//! }
//! assert!(vote(b"no signature", b"no commitment", b"vote 7").is_none());
//! ```
//! (notes: ring-files)

#[cfg(feature = "prover")]
mod batch;
mod committed;
#[cfg(feature = "prover")]
mod describe;
mod error;
#[cfg(feature = "prover")]
mod key;
#[cfg(feature = "prover")]
mod members;
#[cfg(feature = "prover")]
mod membership;
mod params;
#[cfg(feature = "prover")]
mod parts;
#[cfg(feature = "prover")]
mod powers;
#[cfg(feature = "prover")]
mod secret;
mod signature;
mod suite;
#[cfg(test)]
mod tests;
mod zcash;

#[cfg(feature = "prover")]
pub use batch::{Refused, SignedBatch, Verdict, Verdicts};
pub use committed::{Committed, RingVerifier};
#[cfg(feature = "prover")]
pub use describe::{GROUND, describe};
pub use error::{FileError, MemberError};
#[cfg(feature = "prover")]
pub use key::PublicKey;
#[cfg(feature = "prover")]
use members::check_slots;
#[cfg(feature = "prover")]
pub use members::{Member, Members};
#[cfg(feature = "prover")]
pub use membership::{Membership, SignError, Signer};
pub use params::Params;
#[cfg(feature = "prover")]
pub use parts::parts;
#[cfg(feature = "prover")]
pub use powers::Powers;
#[cfg(feature = "prover")]
pub use secret::{SecretKey, SecretKeyError};
use signature::SuiteVerifier;
pub use signature::{MAX_MESSAGE, SignatureError, Signed, Verified, shown};
pub use suite::{OnCurve, SuiteId};
pub use zcash::{ZCASH_SHA256, zcash_key};

#[cfg(feature = "prover")]
use pcs::file::Header;
use pcs::file::{File, Kind, SchemeId};
use pcs::iop::hash::Hash;

/// The context that proofs of possession in files are made for: keys of any ring.
pub const POSSESSION_CONTEXT: &[u8] = b"tenfold ring key v1";

/// The hash of the digests in the files' headers.
const HASH: Hash = Hash::Blake3;

/// Bytes of a file beside members, context and message: points and scalars, lengths.
#[cfg(feature = "prover")]
const MAX_REST: usize = 1 << 12;

/// Returns true for a file about rings.
#[must_use]
pub fn is_ring(bytes: &[u8]) -> bool {
    File::decode(bytes).is_ok_and(|file| file.scheme == SchemeId::Ring)
}

/// The length that no file about rings with this header exceeds.
///
/// # Errors
/// If its parameters are malformed, or of a suite that is not known here.
#[cfg(feature = "prover")]
pub fn max_length(header: &Header) -> Result<u64, FileError> {
    let body = match header.kind {
        Kind::Members => members::max_body(&Params::decode(&header.params)?),
        _ => 2 * MAX_MESSAGE + MAX_REST,
    };
    Ok(header.before_body().saturating_add(body as u64))
}

/// Names what a file about rings holds.
#[must_use]
pub fn name_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Commitment => "the commitment of a ring",
        Kind::Opening => "a ring signature",
        Kind::Members => "a ring file",
        Kind::Key => "a public key",
        Kind::Weighted => "a weighted sum, which rings have none of",
        Kind::Product => "an inner product, which rings have none of",
    }
}

/// Reads the container of a file about rings, of this kind.
fn container(bytes: &[u8], kind: Kind) -> Result<File<'_>, FileError> {
    let wanted = name_of(kind);
    let file = File::decode(bytes).map_err(|error| FileError::Container { wanted, error })?;
    if file.scheme != SchemeId::Ring {
        return Err(FileError::NotRing { wanted });
    }
    if file.kind != kind {
        return Err(FileError::Kind { wanted, found: name_of(file.kind) });
    }
    Ok(file)
}
