//! Keys that ranks sign by: `tenfold cluster key`, and lists of those that are expected.

use crate::args::Common;
use crate::args::cluster::KeyArgs;
use crate::commands::{read_file, read_key};
use crate::exit::{Exit, Failure};
use crate::files::Kind;
use crate::output;
use crate::terminal;
use serde_json::json;
use std::path::{Path, PathBuf};
use tenfold::cluster::{Key, PublicKey, Terms, Verdict};

/// `cluster key`.
pub fn generate(args: &KeyArgs, common: &Common) -> Result<Exit, Failure> {
    let file = common.files.secret(Kind::SecretKey, &args.output)?;
    let key = Key::generate();
    file.write(&key.to_file())?;
    let (public, path) = (key.public().to_string(), &args.output);
    if common.json {
        output::json(&json!({ "secret": path.display().to_string(), "key": public }));
    } else {
        output::line(&public);
        if !common.quiet {
            note!("  secret in {}: readable by you alone", terminal::path(path));
        }
    }
    Ok(Exit::Valid)
}

/// Reads the secret keys of ranks.
pub fn secrets(paths: &[PathBuf], common: &Common) -> Result<Vec<Key>, Failure> {
    let hint = "give the secret that `tenfold cluster key` wrote";
    let decode = |bytes: &[u8]| Key::from_file(bytes).map_err(|e| Failure::usage(e.to_string(), hint));
    paths.iter().map(|path| read_key(path, Key::FILE_BYTES + 1, decode, common)).collect()
}

/// Reads a list of public keys; none if no file is named.
pub fn listed(path: Option<&Path>, common: &Common) -> Result<Option<Vec<PublicKey>>, Failure> {
    let Some(path) = path else { return Ok(None) };
    let hint = "give a text file with the public key of each rank, as `tenfold cluster key` prints it, on a line of its own";
    let bytes = read_file(path, common)?;
    let text = str::from_utf8(&bytes).map_err(|_| Failure::usage("it is no text", hint).in_file(path))?;
    let keys = PublicKey::list(text).map_err(|e| Failure::usage(e.to_string(), hint).in_file(path))?;
    Ok(Some(keys))
}

/// Refuses other numbers of keys than of ranks. Under MPI each rank may have its own key alone.
pub fn check(terms: &Terms, ranks: usize, launched: bool) -> Result<(), Failure> {
    let (own, expected) = (terms.keys.len(), terms.expected.len());
    if own != 0 && own != ranks && !(launched && own == 1) {
        let each = if launched { "one that each has on its host, or " } else { "" };
        let hint = format!("give {each}--key FILE for each rank, in their order");
        return Err(Failure::usage(format!("{own} secret keys, and there are {ranks} ranks"), hint));
    }
    if expected != 0 && expected != ranks {
        let message = format!("--keys lists {expected} keys, and there are {ranks} ranks");
        return Err(Failure::usage(message, "list the key of each rank, in their order"));
    }
    Ok(())
}

/// Refuses a report about a key that the list does not have for the rank that it names, among so many.
pub fn check_blamed(verdict: &Verdict, ranks: usize, keys: &[PublicKey]) -> Result<(), Failure> {
    if keys.len() != ranks {
        let message =
            format!("--keys lists {} keys, and the report is about a job of {ranks} ranks", keys.len());
        return Err(Failure::usage(message, "give the list of that job's ranks"));
    }
    if keys.get(verdict.rank) == Some(&verdict.key) {
        return Ok(());
    }
    let rank = verdict.rank;
    let whose = match keys.iter().position(|key| *key == verdict.key) {
        Some(other) => format!("it is listed for rank {other}"),
        None => "it is not in the list: whoever has it, no listed rank is to blame by this report".into(),
    };
    Err(Failure::invalid(format!(
        "rank {rank} signed by another key than the one that is listed for it; {whose}"
    )))
}
