//! `tenfold ring`: anonymous membership, from keys to verdicts.
//!
//! ```text
//!  secret ─ keygen ─► public key, possession ─ commit, add ─► ring file ─► commitment file (enough to verify)
//!    └──────────────────── prove ◄────────────────────────────────┘               │
//!                            └──► signature file ── verify, batch-verify ◄────────┘
//! ```
//! All but the secret are files of ours, of the scheme `Ring`, whose parameters are suite, rows and setup. (notes: ring-files)

mod batch;
mod change;
mod demo;
mod inspect;
mod keys;
mod members;
mod params;
mod place;
mod prove;
mod setup;
mod signature;
#[cfg(test)]
mod tests;
mod verify;

use crate::args::Common;
use crate::args::ring::{RingArgs, RingCommand};
use crate::exit::{Exit, Failure};
use pcs::file::{File, FileError, Header, Kind, SchemeId};
use ring_proof::Error;

pub use inspect::shown as inspect;
pub use keys::{PublicKey, SecretKey};
pub use members::{Committed, Member, Members};
pub use params::Params;
pub use signature::Signed;
pub use verify::from_any_front_door as verify;

/// Bytes of a file beside members, context and message: points and scalars, lengths.
const MAX_REST: usize = 1 << 12;

/// The command.
pub fn run(args: &RingArgs, common: &Common) -> Result<Exit, Failure> {
    match &args.command {
        RingCommand::Keygen(args) => keys::run(args, common),
        RingCommand::Commit(args) => change::commit(args, common),
        RingCommand::Add(args) => change::add(args, common),
        RingCommand::Replace(args) => change::replace(args, common),
        RingCommand::Remove(args) => change::remove(args, common),
        RingCommand::Prove(args) => prove::run(args, common),
        RingCommand::Verify(args) => verify::run(args, common),
        RingCommand::BatchVerify(args) => batch::run(args, common),
        RingCommand::Inspect(args) => inspect::run(args, common),
        RingCommand::Demo(args) => demo::run(args, common),
    }
}

/// Whether a file is about rings.
#[must_use]
pub fn is_ring(bytes: &[u8]) -> bool {
    File::decode(bytes).is_ok_and(|file| file.scheme == SchemeId::Ring)
}

/// The length that no file about rings exceeds whose header this is; none if its parameters are malformed.
#[must_use]
pub fn longest(header: &Header) -> Option<u64> {
    let body = match header.kind {
        Kind::Members => members::longest(Params::decode(&header.params)?.domain.capacity()),
        _ => 2 * signature::MAX_MESSAGE + MAX_REST,
    };
    Some(header.before_body() + body as u64)
}

/// A file of the scheme, of this kind.
fn file_of(bytes: &[u8], kind: Kind) -> Result<File<'_>, Failure> {
    let hint = format!("give {}", name_of(kind));
    let file = File::decode(bytes).map_err(|e| Failure::usage(e.to_string(), hint.clone()))?;
    if file.scheme != SchemeId::Ring {
        return Err(Failure::usage("this file is not about a ring", hint));
    }
    if file.kind != kind {
        return Err(Failure::usage(format!("this file is {}", name_of(file.kind)), hint));
    }
    Ok(file)
}

/// What a file of the scheme is.
fn name_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Commitment => "the commitment of a ring",
        Kind::Opening => "a ring signature",
        Kind::Members => "a ring file",
        Kind::Key => "a public key",
        Kind::Weighted => "a weighted sum, which rings have none of",
    }
}

/// A file whose content is not what its kind holds.
fn malformed(what: &str) -> Failure {
    Failure::usage(format!("the file's {what} is malformed"), "give a file that `tenfold ring` wrote")
}

/// A header that does not fit its content.
fn digests(error: FileError) -> Failure {
    Failure::invalid(error.to_string())
}

/// What the library refuses, in words of this command.
fn refused(error: Error) -> Failure {
    let message = error.to_string();
    match error {
        Error::Random(_) => Failure::io(message),
        Error::Srs { wanted, present } => Failure::usage(
            format!("this ring takes {wanted} powers of the setup, which has {present}"),
            "pass --srs with a setup of more powers, or make a smaller ring",
        ),
        Error::Capacity { wanted, capacity } => Failure::usage(
            format!("the ring has room for {capacity} members, not for {wanted}"),
            "make it again with `tenfold ring commit` and --capacity",
        ),
        Error::Slot(slot) => {
            Failure::usage(format!("no member in slot {slot}"), "`tenfold ring inspect` shows the slots")
        }
        _ => Failure::usage(message, "see `tenfold ring --help`"),
    }
}
