//! What is to be done, and on which terms.

use crate::error::Error;
use crate::id::Id;
use serde::{Deserialize, Serialize};

/// Bytes of a payload at most: what is larger travels as a blob.
pub const MAX_PAYLOAD: usize = 64 << 10;
/// Blobs that a job reads at most.
pub const MAX_INPUTS: usize = 64;
/// Attempts that a job may ask for at most.
pub const MAX_ATTEMPTS: u32 = 100;
/// Letters of a kind, and of a worker's name, at most.
const MAX_NAME: usize = 64;

/// A job: everything that its result depends on, and nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// Says what runs it, such as [`crate::prove::KIND`]: lowercase letters, digits and `-`.
    pub kind: String,
    /// Parameters of that kind, at most [`MAX_PAYLOAD`] bytes.
    pub payload: String,
    /// The blobs that it reads, at most [`MAX_INPUTS`].
    pub inputs: Vec<Id>,
}

/// Terms of a job, which its result does not depend on. Those of the first who submits it hold, until it is over without a result and submitted again.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    /// Bytes of memory that the job takes, by estimate: a worker with less left does not claim it, and its runner takes no more.
    pub memory: u64,
    /// Attempts until it has failed, `1..=`[`MAX_ATTEMPTS`].
    pub max_attempts: u32,
    /// Milliseconds since 1970 after which nobody wants the result; none for no deadline.
    pub deadline: Option<u64>,
}

impl Default for Terms {
    /// Three attempts, no deadline, no memory to speak of.
    fn default() -> Self {
        Self { memory: 0, max_attempts: 3, deadline: None }
    }
}

impl Job {
    /// The job's name: the digest of kind, payload and inputs. Equal jobs are one job.
    #[must_use]
    pub fn id(&self) -> Id {
        let mut hasher = blake3::Hasher::new_derive_key("tenfold fleet job v1");
        for text in [&self.kind, &self.payload] {
            hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
        }
        hasher.update(&(self.inputs.len() as u64).to_le_bytes());
        self.inputs.iter().for_each(|input| {
            hasher.update(&input.0);
        });
        Id(*hasher.finalize().as_bytes())
    }

    /// Refuses a job that is too long, or whose kind is no name.
    ///
    /// # Errors
    /// [`Error::Job`].
    pub fn check(&self) -> Result<(), Error> {
        check_name(&self.kind)
            .map_err(|()| refused("its kind is no name: up to 64 lowercase letters, digits and `-`"))?;
        if self.payload.len() > MAX_PAYLOAD {
            return Err(refused("its payload is longer than 64 KiB: what is larger travels as a blob"));
        }
        if self.inputs.len() > MAX_INPUTS {
            return Err(refused("it has more than 64 inputs"));
        }
        Ok(())
    }
}

impl Terms {
    /// Refuses terms out of range.
    ///
    /// # Errors
    /// [`Error::Job`].
    pub fn check(&self) -> Result<(), Error> {
        if (1..=MAX_ATTEMPTS).contains(&self.max_attempts) {
            Ok(())
        } else {
            Err(refused("it may have 1 to 100 attempts"))
        }
    }
}

fn refused(reason: &str) -> Error {
    Error::Job(reason.into())
}

/// Refuses what is no name of a kind.
fn check_name(name: &str) -> Result<(), ()> {
    let plain = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-';
    if (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(plain) { Ok(()) } else { Err(()) }
}

/// The beginning of a text that somebody else wrote, without control characters, in at most `length` bytes.
#[must_use]
pub fn bounded(text: &str, length: usize) -> String {
    let mut kept = String::new();
    for c in text.trim().chars().map(|c| if c.is_control() { ' ' } else { c }) {
        if kept.len() + c.len_utf8() > length {
            break;
        }
        kept.push(c);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> Job {
        Job { kind: "prove".into(), payload: "{}".into(), inputs: vec![Id([1; 32])] }
    }

    #[test]
    fn every_part_of_a_job_is_in_its_name_and_no_two_jobs_share_one() {
        let kinds = Job { kind: "prov".into(), payload: "e{}".into(), ..job() };
        let payload = Job { payload: "[]".into(), ..job() };
        let inputs = Job { inputs: vec![Id([1; 32]), Id([1; 32])], ..job() };
        let ids = [job().id(), kinds.id(), payload.id(), inputs.id()];
        let distinct: std::collections::BTreeSet<_> = ids.iter().collect();
        assert_eq!(distinct.len(), ids.len());
        assert_eq!(job().id(), job().id());
    }

    #[test]
    fn hostile_jobs_are_refused() {
        assert_eq!(job().check(), Ok(()));
        for kind in ["", "../prove", "Prove", "a b", &"a".repeat(65)] {
            assert!(Job { kind: kind.into(), ..job() }.check().is_err(), "{kind}");
        }
        assert!(Job { payload: "x".repeat(MAX_PAYLOAD + 1), ..job() }.check().is_err());
        assert!(Job { inputs: vec![Id([0; 32]); MAX_INPUTS + 1], ..job() }.check().is_err());
        for max_attempts in [0, MAX_ATTEMPTS + 1, u32::MAX] {
            assert!(Terms { max_attempts, ..Terms::default() }.check().is_err());
        }
        let unknown = r#"{"kind":"a","payload":"","inputs":[],"more":1}"#;
        assert!(serde_json::from_str::<Job>(unknown).is_err(), "a member that nobody knows");
    }

    #[test]
    fn texts_are_bounded_without_control_characters() {
        assert_eq!(bounded(" a\n\u{1b}[31mb ", 20), "a  [31mb");
        assert_eq!(bounded("ééé", 5), "éé");
    }
}
