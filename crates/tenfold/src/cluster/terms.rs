//! How ranks take part in a job, and who they are.

use super::{Deadlines, Identity, Key, PublicKey, RankError};
use alloc::format;
use alloc::vec::Vec;

/// How ranks take part.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    /// How long they wait for each other.
    pub deadlines: Deadlines,
    /// The name of the job, the same at all ranks.
    pub job: Vec<u8>,
    /// Runs a job again without a rank that an error names, on as many of the others as are a power of two.
    pub retry: bool,
    /// Secret keys: of a process that is a rank its own, of ranks that are threads one for each, by rank; without any each rank draws one for this job.
    pub keys: Vec<Key>,
    /// The public keys that ranks must have, by rank; any if there are none. Ranks that a retry leaves out are left out here.
    pub expected: Vec<PublicKey>,
}

impl Terms {
    /// The identity of the rank with a number, on machines that were given keys by their numbers.
    pub(super) fn identity(&self, machines: &[usize], rank: usize) -> Result<Identity, RankError> {
        let machine = machines.get(rank).copied().unwrap_or(rank);
        let key = match &self.keys[..] {
            [] => Some(Key::generate()),
            [one] if machines.is_empty() => Some(one.clone()),
            keys => keys.get(machine).cloned(),
        };
        let none =
            || RankError::Unsupported(format!("{} keys, and none for rank {machine}", self.keys.len()));
        let identity = Identity::new(key.ok_or_else(none)?, &self.job);
        let all = self.expected.len();
        let of = |&machine: &usize| self.expected.get(machine).copied();
        let few = || RankError::Unsupported(format!("a list of {all} keys, and there are more ranks"));
        Ok(match (all, machines) {
            (0, _) => identity,
            (_, []) => identity.expecting(self.expected.clone()),
            _ => identity.expecting(machines.iter().map(of).collect::<Option<_>>().ok_or_else(few)?),
        })
    }
}
