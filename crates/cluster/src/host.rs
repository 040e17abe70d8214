//! The names of the ranks' hosts, by which whoever reads a message finds the machine.

use crate::comm::CommError;
use crate::error::Error;

/// Bytes of a host's name at most.
pub(crate) const HOST: usize = 56;

/// The name of this host; empty if it is not known.
pub(crate) fn own() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = if name.trim().is_empty() { std::env::var("HOSTNAME").unwrap_or_default() } else { name };
    read(name.trim().as_bytes())
}

/// A name as it is sent, with zeros behind it.
pub(crate) fn block(name: &str) -> [u8; HOST] {
    let mut block = [0; HOST];
    block.iter_mut().zip(read(name.as_bytes()).bytes()).for_each(|(to, byte)| *to = byte);
    block
}

/// The printable characters of a name that another rank sent, whatever its bytes are.
pub(crate) fn read(block: &[u8]) -> String {
    let shown = block.iter().filter(|byte| byte.is_ascii_graphic()).take(HOST);
    shown.map(|&byte| char::from(byte)).collect()
}

/// The hosts of all ranks, by rank: none before they are known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hosts(pub Vec<String>);

impl Hosts {
    /// The text of a message with the host behind each number of a rank, such as `rank 3 (node7)`; as it is where all ranks are on one host.
    #[must_use]
    pub fn name(&self, text: &str) -> String {
        let Self(hosts) = self;
        if hosts.iter().all(|host| Some(host) == hosts.first()) {
            return text.to_owned();
        }
        let (mut named, mut after_rank) = (String::new(), false);
        for word in text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
            let bare = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
            let host = bare.parse().ok().and_then(|rank: usize| hosts.get(rank)).filter(|_| after_rank);
            match host.filter(|host| !host.is_empty()) {
                Some(host) => named.extend([bare, " (", host, ")", &word[bare.len()..]]),
                None => named.push_str(word),
            }
            // `ranks 0 and 1` are two.
            after_rank = ["rank", "ranks"].contains(&bare) || after_rank && (bare == "and" || host.is_some());
        }
        named
    }
}

/// The reason why ranks wait for each other, for a back end that ends the job itself at a deadline.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Waiting {
    /// The ranks' hosts.
    pub hosts: Hosts,
    /// True while ranks read their parts of the data.
    pub reading: bool,
}

impl Waiting {
    /// An error, which says that a rank has not read its part where that is waited for.
    #[must_use]
    pub fn error(&self, error: &CommError) -> Error {
        match *error {
            CommError::Deadline { rank, within } if self.reading => Error::Reading { rank, within },
            _ => Error::Comm(error.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::time::Duration;

    fn hosts(names: &[&str]) -> Hosts {
        Hosts(names.iter().map(|&name| name.to_owned()).collect())
    }

    #[test]
    fn hosts_stand_behind_their_ranks() {
        let two = hosts(&["alpha", "beta.example"]);
        for (text, named) in [
            ("rank 1 has ended", "rank 1 (beta.example) has ended"),
            ("rank 0: shard 1 is cut off", "rank 0 (alpha): shard 1 is cut off"),
            (
                "ranks 0 and 1 have parts of different data",
                "ranks 0 (alpha) and 1 (beta.example) have parts of different data",
            ),
            ("it ended (rank 1)", "it ended (rank 1 (beta.example))"),
            (
                "4 ranks: rank 1 sent 1 bytes where 0 were expected",
                "4 ranks: rank 1 (beta.example) sent 1 bytes where 0 were expected",
            ),
            ("rank 7 and 1 shards", "rank 7 and 1 shards"),
        ] {
            assert_eq!(two.name(text), named);
        }
        for one in [hosts(&[]), hosts(&["alpha"; 2]), hosts(&["", ""])] {
            assert_eq!(one.name("rank 1 has ended"), "rank 1 has ended");
        }
        assert_eq!(hosts(&["alpha", ""]).name("rank 1 has ended"), "rank 1 has ended");
        let waiting = Waiting { hosts: two, reading: true };
        let late = CommError::Deadline { rank: 1, within: Duration::from_secs(9) };
        assert_eq!(
            waiting.hosts.name(&waiting.error(&late).to_string()),
            "rank 1 (beta.example) did not finish reading its part of the data within 9s"
        );
    }

    /// Whatever a rank sends, a line of the message stays one.
    #[test]
    fn a_name_has_a_length_and_can_be_shown() {
        assert_eq!(read(&block("node-7.example")), "node-7.example");
        assert_eq!(read(b"a\x1b[31m\n\0b\xff c"), "a[31mbc");
        assert_eq!(read(&block(&"x".repeat(100))).len(), HOST);
        assert_eq!(read(&[b'x'; 1000]).len(), HOST);
        assert!(own().len() <= HOST);
    }
}
