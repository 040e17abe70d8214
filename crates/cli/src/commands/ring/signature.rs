//! Contexts and messages: from arguments, and in words.

use std::path::Path;

use crate::args::ring::MessageArgs;
use crate::commands::read_start;
use crate::exit::Failure;
use ring_proof::file::{MAX_MESSAGE, Signed};

/// Refuses a signature on another context or message than those that are expected.
///
/// # Errors
/// [`crate::exit::Exit::Invalid`].
pub fn expect(signed: &Signed, context: Option<&str>, message: Option<&[u8]>) -> Result<(), Failure> {
    if context.is_some_and(|context| context.as_bytes() != signed.context) {
        let found = shown(&signed.context);
        return Err(Failure::invalid(format!("the signature is for the context {found}")));
    }
    if message.is_some_and(|message| message != signed.message) {
        let found = shown_message(&signed.message);
        return Err(Failure::invalid(format!("the signature is on {found}")));
    }
    Ok(())
}

/// Reads the message that the arguments give.
///
/// # Errors
/// If its file cannot be read, or it is too long.
pub fn message(args: &MessageArgs) -> Result<Option<Vec<u8>>, Failure> {
    let from_file = |path: &Path| read_start(path, MAX_MESSAGE as u64 + 1);
    let message = match (&args.message, &args.message_file) {
        (Some(text), _) => Some(text.clone().into_bytes()),
        (None, Some(path)) => Some(from_file(path)?),
        (None, None) => None,
    };
    if message.as_ref().is_some_and(|message| message.len() > MAX_MESSAGE) {
        return Err(Failure::usage("the message is longer than 64 KiB", "sign its digest"));
    }
    Ok(message)
}

/// Shows bytes in a verdict: text in quotes, escaped; other bytes in hexadecimal.
#[must_use]
pub fn shown(bytes: &[u8]) -> String {
    const MAX: usize = 80;
    match core::str::from_utf8(bytes) {
        Ok(text) if text.chars().count() <= MAX => format!("{text:?}"),
        _ if bytes.len() <= MAX / 2 => format!("0x{}", crate::units::hex(bytes)),
        _ => format!("{} bytes with BLAKE3 {}", bytes.len(), blake3::hash(bytes).to_hex()),
    }
}

/// Shows a message in a verdict.
#[must_use]
pub fn shown_message(message: &[u8]) -> String {
    if message.is_empty() { "no message".into() } else { shown(message) }
}
