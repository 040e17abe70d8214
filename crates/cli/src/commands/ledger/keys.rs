//! `ledger keygen`.

use std::path::Path;

use serde_json::json;

use crate::args::Common;
use crate::args::ledger::KeygenArgs;
use crate::commands::{read_file, read_key, with_ending};
use crate::exit::{Exit, Failure};
use crate::files::Kind;
use crate::output;
use crate::terminal;
use crate::units;
use ledger::codec::Canonical;
use ledger::signature::{PublicKey, Secret, decode_key, encode_key};

/// Longer than any secret key file.
const MOST: usize = 128;

/// Reads a secret key file.
pub fn read_secret(path: &Path, common: &Common) -> Result<Secret, Failure> {
    let hint = "give the secret that `tenfold ledger keygen` wrote";
    let decode = |bytes: &[u8]| decode_key(bytes).map_err(|e| Failure::usage(e.to_string(), hint));
    read_key(path, MOST, decode, common)
}

/// The key in a public key file, or of 128 digits.
pub fn public_key(name: &str, folder: &Path, common: &Common) -> Result<PublicKey, Failure> {
    let hint = "give the public key that `tenfold ledger keygen` wrote, or its 128 hexadecimal digits";
    let bytes: [u8; 64] = match units::from_hex(name) {
        Some(bytes) => bytes,
        None => {
            let path = folder.join(name);
            let text = read_file(&path, common)?;
            let text = std::str::from_utf8(&text).ok().map(str::trim).and_then(units::from_hex);
            text.ok_or_else(|| Failure::usage("this is no public key of a ledger", hint).in_file(&path))?
        }
    };
    PublicKey::from_bytes(&bytes).map_err(|e| Failure::usage(format!("no public key: {e}"), hint))
}

/// `ledger keygen`.
pub fn generate(args: &KeygenArgs, common: &Common) -> Result<Exit, Failure> {
    let path = with_ending(&args.output, ".pub");
    let public_file = common.files.once(Kind::PublicKey, &path)?;
    let secret_file = common.files.secret(Kind::SecretKey, &args.output)?;
    let secret = Secret::generate().map_err(|e| Failure::io(format!("no random bytes: {e}")))?;
    let hex = units::hex(&secret.public().to_bytes());
    let line = format!("{hex}\n");
    let staged = public_file.stage(line.as_bytes())?;
    let encoded = encode_key(&secret);
    staged.place_after(secret_file.stage(&encoded)?)?;
    if common.json {
        let [secret, path] = [args.output.display().to_string(), path.display().to_string()];
        output::json(&json!({ "secret": secret, "public": path, "key": hex }));
    } else {
        output::line(&hex);
        if !common.quiet {
            let [secret, path] = [&args.output, &path].map(|path| terminal::path(path).to_string());
            note!("  secret in {secret}: readable by you alone; public in {path}");
        }
    }
    Ok(Exit::Valid)
}
