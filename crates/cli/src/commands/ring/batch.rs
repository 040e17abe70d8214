//! `ring batch-verify`: many signatures, of one ring or several, in one check; the invalid ones are named.

use std::path::{Path, PathBuf};

use super::verify::Trusted;
use super::{refused, unusable};
use crate::args::Common;
use crate::args::ring::BatchArgs;
use crate::commands::read_ours;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use ring_proof::Rejected;
use ring_proof::file::{Signed, Verdict, Verdicts};
use serde_json::{Value, json};

/// The command.
pub fn run(args: &BatchArgs, common: &Common) -> Result<Exit, Failure> {
    let open = |path: &PathBuf| Trusted::open(path, &args.setup, common).map(|trusted| trusted.ring);
    let rings = args.ring.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let Some(mut verdicts) = Verdicts::new(&rings) else { unreachable!("the command line asks for a ring") };
    let read = |path: &PathBuf| Signed::decode(&read_ours(path, common)?).map_err(unusable);
    let context = args.context.as_deref().map(str::as_bytes);
    let mut messages = Vec::new();
    for path in &args.signatures {
        let read = match read(path) {
            Err(failure) if failure.exit == Exit::Io => return Err(failure),
            read => read.map_err(|failure| unnamed(failure, path)),
        };
        // To be printed, and else not kept.
        messages.push(read.as_ref().ok().filter(|_| common.json).map(|signed| signed.message.clone()));
        verdicts.push(read, context);
    }
    let again =
        |at: usize| read(&args.signatures[at]).map_err(|failure| unnamed(failure, &args.signatures[at]));
    let verdicts = verdicts.finish(again, args.distinct).map_err(|error| match error {
        Rejected::Error(error) => refused(error),
        error => Failure::invalid(error.to_string()),
    })?;
    Ok(print(args, &verdicts, &messages, common))
}

/// The message of a refusal without the name of the file, which is printed before it.
fn unnamed(failure: Failure, path: &Path) -> String {
    let named = format!("{}: ", terminal::path(path));
    failure.message.strip_prefix(&named).map_or(failure.message.clone(), str::to_owned)
}

fn print(args: &BatchArgs, verdicts: &[Verdict], messages: &[Option<Vec<u8>>], common: &Common) -> Exit {
    let invalid = verdicts.iter().filter(|verdict| verdict.refused.is_some()).count();
    let name = |at: usize| args.signatures[at].display().to_string();
    // Of one that is refused for it, whose the first one is.
    let reason = |verdict: &Verdict| match (&verdict.refused, verdict.again) {
        (Some(_), Some(first)) => Some(format!("the member who signed {} signed again", name(first))),
        (refused, _) => refused.as_ref().map(ToString::to_string),
    };
    if common.json {
        let files = verdicts.iter().enumerate().map(|(at, verdict)| {
            let (tag, refused) = (verdict.tag.as_ref().map(|(_, tag)| tag), reason(verdict));
            let context = verdict.tag.as_ref().map(|(context, _)| context);
            let text =
                |bytes: Option<&Vec<u8>>| bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            let hex = |bytes: Option<&Vec<u8>>| bytes.map(|bytes| units::hex(bytes));
            let message = messages[at].as_ref();
            json!({ "file": name(at), "valid": refused.is_none(), "reason": refused, "tag": tag,
                "context": text(context), "context_hex": hex(context),
                "message": text(message), "message_hex": hex(message),
                "same_member_as": verdict.again.map(name) })
        });
        let files: Vec<Value> = files.collect();
        output::json(
            &json!({ "valid": invalid == 0, "signatures": verdicts.len(), "invalid": invalid, "files": files }),
        );
    } else if !common.quiet {
        let paint = Paint::stderr();
        for (at, verdict) in verdicts.iter().enumerate() {
            let name = |at: usize| terminal::path(&args.signatures[at]).to_string();
            if let Some(why) = reason(verdict) {
                note!("{} {}: {}", paint.red("invalid:"), name(at), terminal::escape(&why));
            } else if let Some(first) = verdict.again {
                note!("{} {} is by the member who signed {}", paint.bold("note:"), name(at), name(first));
            }
        }
        let (valid, all) = (verdicts.len() - invalid, verdicts.len());
        let label = if invalid == 0 { paint.green("valid:") } else { paint.red("invalid:") };
        note!("{label} {valid} of {all} signature(s) are valid");
    }
    if invalid == 0 { Exit::Valid } else { Exit::Invalid }
}
