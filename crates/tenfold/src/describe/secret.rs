//! What the secret of a hiding commitment may show: how many openings are left, and of which commitment.

use super::Described;
use crate::file::{SecretFile, Stamp};
use crate::text::hex;
use alloc::borrow::ToOwned;
use serde_json::json;

/// The openings of a secret file that was found as this file. Nothing that it keeps secret is in the words.
#[must_use]
pub fn secret(file: &SecretFile, found: Option<Stamp>) -> Described {
    let (left, openings, print) = (file.left(), file.openings, hex(&file.commitment));
    let copy = file.is_copy(found);
    let mut lines = vec![("fingerprint", print.clone()), ("openings left:", format!("{left} of {openings}"))];
    if copy {
        let danger = "of another file, which may have been opened with since: `open` refuses this one";
        lines.push(("a copy", danger.to_owned()));
    }
    let value = json!({ "kind": "secret", "fingerprint": print, "openings_left": left,
        "hidden_openings": openings, "copy": copy });
    Described { name: "the secret of a hiding commitment".to_owned(), lines, value }
}
