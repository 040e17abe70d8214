//! `ring verify`: whether a member of a ring signed, and what.

use std::path::Path;

use super::file_of;
use super::members::{Committed, Members, Opened};
use super::setup::Powers;
use super::signature::{Signed, message, said, shown};
use crate::args::ring::{RingVerifyArgs, SetupArgs};
use crate::args::{Common, VerifyArgs};
use crate::commands::read_ours;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use pcs::file::{File, Kind};
use ring_proof::Verifier;
use ring_proof::vrf::Signature;
use serde_json::json;

/// What a verifier holds: a ring's commitment, and a setup that he trusts.
pub struct Held {
    /// The commitment file.
    pub committed: Committed,
    /// Its verifier.
    pub verifier: Verifier,
    /// What the setup is called.
    pub setup_name: String,
}

impl Held {
    /// The commitment in a commitment file, or the one of a ring file, whose members are checked then.
    ///
    /// # Errors
    /// If the file is neither, or of another setup.
    pub fn open(path: &Path, args: &SetupArgs, common: &Common) -> Result<Self, Failure> {
        let bytes = read_ours(path, common)?;
        let named = |e: Failure| Failure { message: format!("{}: {}", path.display(), e.message), ..e };
        if File::decode(&bytes).is_ok_and(|file| file.kind == Kind::Members) {
            let ring =
                Members::decode(&bytes).and_then(|file| Opened::of(file, args, common)).map_err(named)?;
            let verifier = Verifier::new(&ring.params.shared(), ring.setup.key(), &ring.ring.commitment());
            return Ok(Self { committed: ring.file().committed(), verifier, setup_name: ring.setup_name });
        }
        Self::of_committed(&bytes, args, common).map_err(named)
    }

    fn of_committed(bytes: &[u8], args: &SetupArgs, common: &Common) -> Result<Self, Failure> {
        let committed = Committed::decode(bytes)?;
        // G1 and tau G2 are all that verifying takes.
        let powers = Powers::open(args, 2, common)?;
        powers.check(&committed.params)?;
        let verifier = Verifier::new(&committed.params.shared(), &powers.key()?, &committed.points()?);
        Ok(Self { committed, verifier, setup_name: powers.name })
    }
}

/// What was compared with what the verifier expects.
#[derive(Clone, Default)]
struct Compared {
    context: bool,
    message: bool,
    /// The command that compares both, if this one cannot.
    command: Option<String>,
}

/// `ring verify`.
pub fn run(args: &RingVerifyArgs, common: &Common) -> Result<Exit, Failure> {
    let signed = Signed::decode(&read_ours(&args.signature, common)?)?;
    let held = Held::open(&args.ring, &args.setup, common)?;
    let message = message(&args.message)?;
    let signature = signed.verify(&held.committed, &held.verifier)?;
    signed.says(args.context.as_deref(), message.as_deref())?;
    let compared = Compared { context: args.context.is_some(), message: message.is_some(), command: None };
    say(&signed, &signature, (&held, &compared), common);
    Ok(Exit::Valid)
}

/// `tenfold verify` on a file about a ring: the same verdict, with the commitment that it was given and the setup that ships.
///
/// # Errors
/// As `ring verify`; if it has no commitment, or the file is no signature.
pub fn from_any_front_door(bytes: &[u8], args: &VerifyArgs, common: &Common) -> Result<Exit, Failure> {
    file_of(bytes, Kind::Opening)?;
    let name = args.proof.display();
    let Some(path) = &args.commitment else {
        let hint = format!(
            "use `tenfold ring verify {} --ring COMMITMENT --context TEXT --message TEXT`, or pass --commitment with the ring's commitment",
            quoted(&args.proof)
        );
        return Err(Failure::usage(
            format!("{name} is a ring signature, which is about a ring's commitment"),
            hint,
        ));
    };
    if args.weights.weights.is_some() {
        return Err(Failure::usage("a ring signature has no weights", "verify it without --weights"));
    }
    let signed = Signed::decode(bytes)?;
    let held = Held::open(path, &SetupArgs::default(), common)?;
    let found = held.committed.fingerprint();
    if args.fingerprint.is_some_and(|expected| units::hex(&expected) != found) {
        let message = format!("the ring's commitment is another one, whose fingerprint is {found}");
        return Err(Failure::invalid(message));
    }
    let signature = signed.verify(&held.committed, &held.verifier)?;
    let [name, ring] = [&args.proof, path].map(|path| quoted(path));
    let command = format!("tenfold ring verify {name} --ring {ring} --context TEXT --message TEXT");
    let compared = Compared { command: Some(command), ..Compared::default() };
    say(&signed, &signature, (&held, &compared), common);
    Ok(Exit::Valid)
}

/// A path as an argument of a command line.
fn quoted(path: &Path) -> String {
    let text = terminal::path(path).to_string();
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_');
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

/// What all of this rests on: no number of proven bits is known.
pub const GROUND: &str =
    "rests on the setup's secret being unknown, on pairings and on discrete logarithms: no proven bits";

fn say(signed: &Signed, signature: &Signature, (held, compared): (&Held, &Compared), common: &Common) {
    let Held { committed, setup_name, .. } = held;
    let params = &committed.params;
    let suite = params.suite.suite();
    let [tag, name] = [units::hex(&signature.output.encode()), params.suite.name()];
    let (rows, fingerprint) = (params.domain.size(), committed.fingerprint());
    if common.json {
        let value = json!({ "valid": true, "tag": tag, "vrf_output": units::hex(&signature.output.hash(suite)),
            "context": String::from_utf8_lossy(&signed.context), "context_hex": units::hex(&signed.context),
            "context_compared": compared.context,
            "message": String::from_utf8_lossy(&signed.message), "message_hex": units::hex(&signed.message),
            "message_compared": compared.message,
            "fingerprint": fingerprint, "suite": name, "rows": rows, "setup_sha256": units::hex(&params.setup),
            "proven_bits": null, "stated": { "members": committed.members, "slots": committed.slots } });
        output::line(format_args!("{value:#}"));
    } else if !common.quiet {
        let paint = Paint::stderr();
        let (context, message) = (shown(&signed.context), said(&signed.message));
        note!("{} a member of the ring signed {message} in the context {context}", paint.green("valid:"));
        note!("  tag {tag}: the same for all that this member signs in this context");
        note!("  ring of {}, fingerprint {fingerprint}", committed.size());
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
