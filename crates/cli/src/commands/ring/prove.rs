//! `ring prove`: a signature of a member.

use super::change::no_member;
use super::keys::read_secret_key;
use super::members::Opened;
use super::place::warn_of_stale;
use super::setup::Source;
use super::verify::message;
use super::{invalid, refused, unusable};
use crate::args::Common;
use crate::args::ring::ProveArgs;
use crate::exit::{Exit, Failure};
use crate::files::Kind;
use crate::output;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use ring_proof::file::{MAX_MESSAGE, SignError, Signer, shown};
use serde_json::json;

/// The failure for what is not signed.
pub fn unsigned(error: SignError) -> Failure {
    match error {
        SignError::Suite { .. } => Failure::usage(
            error.to_string(),
            "keys are of one suite: make one of the ring's with `tenfold ring keygen --suite`",
        ),
        SignError::NoMember(key) => no_member(&units::hex(&key)),
        SignError::Ring(error) => refused(error),
        SignError::Signature(error) => invalid(error),
    }
}

/// The command.
pub fn run(args: &ProveArgs, common: &Common) -> Result<Exit, Failure> {
    let message = message(&args.message)?.unwrap_or_default();
    if args.context.len() > MAX_MESSAGE {
        return Err(Failure::usage(
            "the context is longer than 64 KiB",
            "give a short one: it stands in the file",
        ));
    }
    let path = args.output.output.clone().unwrap_or_else(|| args.ring.with_extension("signature"));
    let output = common.files.result(Kind::Signature, &path)?;
    let key = read_secret_key(&args.key, common)?;
    let Opened { ring, .. } = Opened::open(&args.ring, &Source::read(&args.setup, common)?, common)?;
    let signer = Signer::new(&ring).map_err(unusable)?;
    let committed = signer.committed();
    warn_of_stale(&args.ring, committed, common);
    let signed = signer.sign(&key, args.context.as_bytes(), &message).map_err(unsigned)?;
    let bytes = signed.encode();
    output.write(&bytes)?;
    let tag = units::hex(signed.tag());
    if common.json {
        output::json(&json!({ "file": path.display().to_string(), "bytes": bytes.len(), "tag": tag,
            "context": args.context, "context_hex": units::hex(&signed.context),
            "message": String::from_utf8_lossy(&signed.message), "message_hex": units::hex(&signed.message),
            "fingerprint": units::hex(&committed.digest()), "members": committed.members }));
    } else if !common.quiet {
        note!(
            "{} in the context {}, as one of {}\n  tag {tag}: yours in this context, in every ring\n  {}, written to {}",
            Paint::stderr().green("signed:"),
            shown(&signed.context),
            committed,
            units::bytes(bytes.len() as u64),
            terminal::path(&path)
        );
    }
    Ok(Exit::Valid)
}
