//! `ring inspect`: the content of a file about rings, byte by byte.

use super::keys::secret_key;
use super::place::warn_of_stale;
use super::unusable;
use crate::args::{Common, InspectArgs};
use crate::commands::inspect::show;
use crate::commands::read_ours;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::units;
use pcs::file::File;
use ring_proof::file::{Members, SecretKey, describe, parts};
use serde_json::json;

/// `ring inspect`. Of a secret key no more is shown than its public one.
pub fn run(args: &InspectArgs, common: &Common) -> Result<Exit, Failure> {
    let bytes = read_ours(&args.file, common)?;
    if bytes.starts_with(&SecretKey::MAGIC) {
        let bytes = zeroize::Zeroizing::new(bytes);
        let key = secret_key(&bytes)?;
        let (suite, public) = (key.suite().name(), units::hex(&key.key()));
        if common.json {
            output::json(&json!({ "kind": "secret key", "suite": suite, "key": public }));
        } else {
            let length = SecretKey::BYTES;
            output::line(format_args!("a secret key of {suite}, {length} bytes; its public key is {public}"));
        }
        return Ok(Exit::Valid);
    }
    let exit = content(&bytes, common)?;
    if let Ok(ring) = Members::decode(&bytes) {
        warn_of_stale(&args.file, &ring.committed(), common);
    }
    Ok(exit)
}

/// Shows the content of a file about rings. Signatures are not verified: that takes their ring.
pub fn content(bytes: &[u8], common: &Common) -> Result<Exit, Failure> {
    let file =
        File::decode(bytes).map_err(|e| Failure::usage(e.to_string(), "give a file that tenfold wrote"))?;
    let (facts, value) = describe(&file, bytes).map_err(unusable)?;
    show(&file, parts(&file).map_err(unusable)?, &facts, value, common);
    Ok(Exit::Valid)
}
