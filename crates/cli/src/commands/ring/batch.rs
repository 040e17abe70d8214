//! `ring batch-verify`: many signatures, of one ring or several, in one check; the invalid ones are named.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::verify::Trusted;
use super::{invalid, refused, unusable};
use crate::args::Common;
use crate::args::ring::BatchArgs;
use crate::commands::read_ours;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::table::Paint;
use crate::terminal::escape;
use crate::units;
use ring_proof::Rejected;
use ring_proof::file::{Signed, SignedBatch};
use serde_json::{Value, json};

/// The verdict on one file.
struct Verdict {
    name: String,
    /// Context and tag, if the file could be read.
    tag: Option<(Vec<u8>, String)>,
    /// The reason, if it is invalid.
    refused: Option<String>,
    /// The first file in which the same member signed in the same context.
    again: Option<String>,
}

/// The command.
pub fn run(args: &BatchArgs, common: &Common) -> Result<Exit, Failure> {
    let open = |path: &PathBuf| Trusted::open(path, &args.setup, common).map(|trusted| trusted.ring);
    let rings = args.ring.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let Some(mut batch) = SignedBatch::new(&rings) else { unreachable!("the command line asks for a ring") };
    let mut verdicts = Vec::new();
    // Where each item of the batch is among the verdicts.
    let mut places = Vec::new();
    for path in &args.signatures {
        let (tag, pushed) = match read(path, common) {
            Ok(signed) => {
                let tag = (signed.context.clone(), units::hex(&signed.signature[..32]));
                let expected = signed.check_expected(args.context.as_deref().map(str::as_bytes), None);
                (Some(tag), expected.and_then(|()| batch.push(&signed)).map_err(invalid))
            }
            Err(failure) if failure.exit == Exit::Io => return Err(failure),
            Err(failure) => (None, Err(failure)),
        };
        if pushed.is_ok() {
            places.push(verdicts.len());
        }
        let refused = pushed.err().map(|failure| failure.message);
        verdicts.push(Verdict { name: path.display().to_string(), tag, refused, again: None });
    }
    match batch.verify() {
        Ok(()) => {}
        Err(Rejected::Items(items)) => {
            for place in items.into_iter().map(|item| places[item]) {
                let alone = read(&args.signatures[place], common)
                    .and_then(|signed| batch.verify_alone(&signed).map_err(invalid));
                let reason = alone.err().map_or("no member signed this".into(), |failure| failure.message);
                verdicts[place].refused = Some(reason);
            }
        }
        Err(Rejected::Error(error)) => return Err(refused(error)),
        Err(error @ Rejected::Lengths { .. }) => return Err(Failure::invalid(error.to_string())),
    }
    find_again(&mut verdicts, args.distinct);
    Ok(print(&verdicts, common))
}

fn read(path: &Path, common: &Common) -> Result<Signed, Failure> {
    Signed::decode(&read_ours(path, common)?).map_err(unusable)
}

/// Marks signatures of one member in one context, all but the first; refuses them if they have to be distinct.
fn find_again(verdicts: &mut [Verdict], distinct: bool) {
    let mut seen: BTreeMap<_, String> = BTreeMap::new();
    for verdict in verdicts {
        let (None, Some(tag)) = (&verdict.refused, &verdict.tag) else { continue };
        let Some(first) = seen.get(tag) else {
            seen.insert(tag.clone(), verdict.name.clone());
            continue;
        };
        verdict.again = Some(first.clone());
        if distinct {
            verdict.refused = Some(format!("the member who signed {first} signed again"));
        }
    }
}

fn print(verdicts: &[Verdict], common: &Common) -> Exit {
    let invalid = verdicts.iter().filter(|verdict| verdict.refused.is_some()).count();
    if common.json {
        let files = verdicts.iter().map(|Verdict { name, tag, refused, again }| {
            let tag = tag.as_ref().map(|(_, tag)| tag);
            json!({ "file": name, "valid": refused.is_none(), "reason": refused, "tag": tag, "same_member_as": again })
        });
        let files: Vec<Value> = files.collect();
        let value = json!({ "valid": invalid == 0, "signatures": verdicts.len(), "invalid": invalid, "files": files });
        output::line(format_args!("{value:#}"));
    } else if !common.quiet {
        let paint = Paint::stderr();
        for Verdict { name, refused, again, .. } in verdicts {
            let name = escape(name);
            if let Some(why) = refused {
                note!("{} {name}: {}", paint.red("invalid:"), escape(why));
            } else if let Some(first) = again {
                note!("{} {name} is by the member who signed {}", paint.bold("note:"), escape(first));
            }
        }
        let (valid, all) = (verdicts.len() - invalid, verdicts.len());
        let label = if invalid == 0 { paint.green("valid:") } else { paint.red("invalid:") };
        note!("{label} {valid} of {all} signature(s) are valid");
    }
    if invalid == 0 { Exit::Valid } else { Exit::Invalid }
}
