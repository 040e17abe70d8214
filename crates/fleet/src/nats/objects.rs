//! The entries of objects, changed by compare-and-swap: the client's own calls write over whatever came since they looked.

use super::store::Store;
use super::{answered, engine};
use crate::error::Error;
use crate::id::Id;
use crate::prune::millis;
use async_nats::header::NATS_ROLLUP;
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::object_store::ObjectInfo;
use async_nats::jetstream::stream::RawMessageErrorKind;
use futures_util::StreamExt;
use std::collections::{HashMap, HashSet};
use std::time::SystemTime;

/// An object's entry, as it was at one moment.
pub(super) struct Meta {
    pub info: ObjectInfo,
    /// The number of its message, by which a change is refused that somebody else was faster than.
    revision: u64,
    /// When it was written, in milliseconds since 1970, by the server's clock: its text may say anything.
    pub written: u64,
}

impl Store {
    fn meta_subject(&self, id: Id) -> String {
        format!("$O.{}.M.{}", self.bucket, encoded(&id.to_string()))
    }

    /// The entry of an object; none if there is none, or it says nothing that can be read.
    pub(super) async fn meta(&self, id: Id) -> Result<Option<Meta>, Error> {
        let found = match self.stream.get_last_raw_message_by_subject(&self.meta_subject(id)).await {
            Ok(found) => found,
            Err(e) if e.kind() == RawMessageErrorKind::NoMessageFound => return Ok(None),
            Err(e) => return Err(engine(e)),
        };
        let written = millis(SystemTime::from(found.time));
        let info = serde_json::from_slice(&found.payload).ok();
        Ok(info.map(|info| Meta { info, revision: found.sequence, written }))
    }

    /// Writes what is said of an object, if it is the entry still; returns false if it is not.
    pub(super) async fn swap_meta(&self, id: Id, meta: &Meta, info: &ObjectInfo) -> Result<bool, Error> {
        let text = serde_json::to_vec(info).map_err(engine)?;
        let message = PublishMessage::build().header(NATS_ROLLUP, "sub").payload(text.into());
        let message = message.expected_last_subject_sequence(meta.revision);
        let sent = self.context.send_publish(self.meta_subject(id), message).await.map_err(engine)?;
        match sent.await {
            Ok(_) => Ok(true),
            Err(e) if e.kind() == PublishErrorKind::WrongLastSequence => Ok(false),
            Err(e) => Err(engine(e)),
        }
    }

    /// Removes an object, if this is its entry still; its content unless other entries say that it is theirs (`shared`).
    pub(super) async fn remove_object(
        &self,
        id: Id,
        meta: &Meta,
        shared: &HashSet<String>,
    ) -> Result<bool, Error> {
        let gone = ObjectInfo { deleted: true, size: 0, chunks: 0, ..meta.info.clone() };
        if !self.swap_meta(id, meta, &gone).await? {
            return Ok(false);
        }
        // The number is a part of a subject, in which `*` or `>` would be the content of all objects.
        let nuid = &meta.info.nuid;
        if !nuid.is_empty() && nuid.bytes().all(|c| c.is_ascii_alphanumeric()) && !shared.contains(nuid) {
            let content = format!("$O.{}.C.{nuid}", self.bucket);
            self.stream.purge().filter(content).await.map_err(engine)?;
        }
        Ok(true)
    }

    /// The objects that are there, and the numbers of contents that several entries name.
    pub(super) async fn objects(&self) -> Result<(Vec<Id>, HashSet<String>), Error> {
        let (mut there, mut named) = (Vec::new(), HashMap::<String, u32>::new());
        let mut objects = self.objects.list().await.map_err(engine)?;
        while let Some(info) = answered(objects.next()).await? {
            // One whose entry cannot be read is another program's.
            let Ok(info) = info else { continue };
            *named.entry(info.nuid).or_default() += 1;
            there.extend(info.name.parse::<Id>());
        }
        let shared = named.into_iter().filter(|&(_, entries)| entries > 1).map(|(nuid, _)| nuid);
        Ok((there, shared.collect()))
    }
}

/// A name as subjects of objects have it: URL-safe base64, with padding.
fn encoded(name: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for bytes in name.as_bytes().chunks(3) {
        let word = bytes.iter().fold(0, |word, &byte| word << 8 | u32::from(byte)) << (8 * (3 - bytes.len()));
        for digit in 0..4 {
            let index = word >> (18 - 6 * digit) & 63;
            text.push(if digit <= bytes.len() { char::from(DIGITS[index as usize]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_encoded_as_the_client_does() {
        let cases = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("??>~", "Pz8-fg=="),
            ("\u{7ff}", "378="),
        ];
        cases.into_iter().for_each(|(name, text)| assert_eq!(encoded(name), text));
    }
}
