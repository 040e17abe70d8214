//! `ring verify`: checks that a member of a ring signed, and shows what.

use std::path::Path;

use super::members::Opened;
use super::setup::{Powers, Source};
use super::{invalid, unusable};
use crate::args::ring::{MessageArgs, RingVerifyArgs, SetupArgs};
use crate::args::{Common, VerifyArgs};
use crate::commands::{quoted, read_ours, read_start};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use pcs::file::{File, Kind};
use ring_proof::file::{
    Committed, FileError, GROUND, MAX_MESSAGE, Members, RingVerifier, Signed, Verified, shown,
};
use serde_json::json;

/// A ring's commitment, with the verifier over a setup that the user trusts.
pub struct Trusted {
    /// The ring.
    pub ring: RingVerifier,
    /// The name of the setup.
    pub setup_name: String,
}

impl Trusted {
    /// The commitment in a commitment file, or the one of a ring file, whose members are checked then.
    pub fn open(path: &Path, args: &SetupArgs, common: &Common) -> Result<Self, Failure> {
        let bytes = read_ours(path, common)?;
        if File::decode(&bytes).is_ok_and(|file| file.kind == Kind::Members) {
            let file = Members::decode(&bytes).map_err(unusable);
            let opened = file
                .and_then(|file| Opened::from_file(file, &Source::read(args, common)?, common))
                .map_err(|e| e.in_file(path))?;
            return Ok(Self {
                ring: opened.ring.verifier().map_err(unusable)?,
                setup_name: opened.setup_name,
            });
        }
        Self::from_commitment(&bytes, args, common).map_err(|e| e.in_file(path))
    }

    fn from_commitment(bytes: &[u8], args: &SetupArgs, common: &Common) -> Result<Self, Failure> {
        let committed = Committed::decode(bytes).map_err(unusable)?;
        let powers = Powers::for_verifying(&Source::read(args, common)?)?;
        powers.check(&committed.params)?;
        let ring = RingVerifier::new(committed, &powers.key()?).map_err(unusable)?;
        Ok(Self { ring, setup_name: powers.name })
    }
}

/// The parts that were compared with what the verifier expects.
#[derive(Clone, Default)]
struct Compared {
    context: bool,
    message: bool,
    /// The command that compares both, if this one cannot.
    command: Option<String>,
}

/// Reads the message that the arguments give.
pub fn message(args: &MessageArgs) -> Result<Option<Vec<u8>>, Failure> {
    let message = match (&args.message, &args.message_file) {
        (Some(text), _) => Some(text.clone().into_bytes()),
        (None, Some(path)) => Some(read_start(path, MAX_MESSAGE as u64 + 1)?),
        (None, None) => None,
    };
    if message.as_ref().is_some_and(|message| message.len() > MAX_MESSAGE) {
        return Err(Failure::usage("the message is longer than 64 KiB", "sign its digest"));
    }
    Ok(message)
}

/// `ring verify`.
pub fn run(args: &RingVerifyArgs, common: &Common) -> Result<Exit, Failure> {
    let signed = Signed::decode(&read_ours(&args.signature, common)?).map_err(unusable)?;
    let trusted = Trusted::open(&args.ring, &args.setup, common)?;
    let message = message(&args.message)?;
    let verified = signed.verify(&trusted.ring).map_err(invalid)?;
    let context = args.context.as_deref().map(str::as_bytes);
    signed.check_expected(context, message.as_deref()).map_err(invalid)?;
    let compared = Compared { context: args.context.is_some(), message: message.is_some(), command: None };
    print(&signed, &verified, (&trusted, &compared), common);
    Ok(Exit::Valid)
}

/// `tenfold verify` on a file about a ring: the same verdict, with the commitment that it was given and the setup that ships.
pub fn from_any_front_door(bytes: &[u8], args: &VerifyArgs, common: &Common) -> Result<Exit, Failure> {
    let signed = Signed::decode(bytes);
    if let Err(error @ (FileError::Container { .. } | FileError::NotRing { .. } | FileError::Kind { .. })) =
        signed
    {
        return Err(unusable(error));
    }
    let name = args.proof.display();
    let Some(path) = &args.commitment else {
        let hint = format!(
            "use `tenfold ring verify {} --ring COMMITMENT --context TEXT --message TEXT`, or pass --commitment with the ring's commitment",
            quoted(&terminal::path(&args.proof).to_string())
        );
        return Err(Failure::usage(
            format!("{name} is a ring signature, which is about a ring's commitment"),
            hint,
        ));
    };
    if args.weights.weights.is_some() {
        return Err(Failure::usage("a ring signature has no weights", "verify it without --weights"));
    }
    if !args.expect.is_empty() {
        let hint = "name message and context with `tenfold ring verify`";
        return Err(Failure::usage("a ring signature makes no claims about data", hint));
    }
    if let Some(option) = args.policy.given() {
        let message = format!(
            "a ring signature has no proven bits, which {option} is about: it rests on pairings and a setup"
        );
        return Err(Failure::usage(message, format!("verify it without {option}")));
    }
    let signed = signed.map_err(unusable)?;
    let trusted = Trusted::open(path, &SetupArgs::default(), common)?;
    let found = units::hex(&trusted.ring.committed().digest());
    if args.fingerprint.is_some_and(|expected| units::hex(&expected) != found) {
        let message = format!("the ring's commitment is another one, whose fingerprint is {found}");
        return Err(Failure::invalid(message));
    }
    let verified = signed.verify(&trusted.ring).map_err(invalid)?;
    let [name, ring] = [&args.proof, path].map(|path| quoted(&terminal::path(path).to_string()));
    let command = format!("tenfold ring verify {name} --ring {ring} --context TEXT --message TEXT");
    let compared = Compared { command: Some(command), ..Compared::default() };
    print(&signed, &verified, (&trusted, &compared), common);
    Ok(Exit::Valid)
}

fn print(signed: &Signed, verified: &Verified, (trusted, compared): (&Trusted, &Compared), common: &Common) {
    let Trusted { ring, setup_name } = trusted;
    let committed = ring.committed();
    let params = &committed.params;
    let (tag, name) = (units::hex(&verified.tag), params.suite.name());
    let (rows, fingerprint) = (params.domain.size(), units::hex(&committed.digest()));
    if common.json {
        output::json(&json!({ "valid": true, "tag": tag, "vrf_output": units::hex(&verified.vrf_output),
            "context": String::from_utf8_lossy(&signed.context), "context_hex": units::hex(&signed.context),
            "context_compared": compared.context,
            "message": String::from_utf8_lossy(&signed.message), "message_hex": units::hex(&signed.message),
            "message_compared": compared.message,
            "fingerprint": fingerprint, "suite": name, "rows": rows, "setup_sha256": units::hex(&params.setup),
            "proven_bits": null, "stated": { "members": committed.members, "slots": committed.slots } }));
    } else if !common.quiet {
        let paint = Paint::stderr();
        let (context, message) = (shown(&signed.context), signed.message_shown());
        note!("{} a member of the ring signed {message} in the context {context}", paint.green("valid:"));
        note!("  tag {tag}: the same for all that this member signs in this context");
        note!("  ring of {}, fingerprint {fingerprint}", committed);
        note!("  {name}, {} rows, {setup_name}", units::count(rows as u64));
        note!("  {GROUND}");
        if !(compared.context && compared.message) {
            match &compared.command {
                Some(command) => {
                    note!("  compare context and message with what you expect, or let this command do it:");
                    note!("    {command}");
                }
                None => {
                    note!(
                        "  compare context and message with what you expect, or pass --context and --message"
                    );
                }
            }
        }
    }
}
