//! The file of a rank's secret key, which its owner alone reads, and lists of public keys.
//!
//! ```text
//!  "TNFK" | version u16 | 0x81 u8 | secret 32 | BLAKE3 of all this 32
//! ```
//! The third part tells the key from those of rings and ledgers, whose files begin alike.

use crate::identity::{DIGEST, Key, PublicKey};
use zeroize::Zeroizing;

const MAGIC: [u8; 4] = *b"TNFK";
const VERSION: u16 = 1;
const SUITE: u8 = 0x81;

/// Keys of a list at most: each is compared with all others.
const MAX_KEYS: usize = 1024;

/// Bytes before the secret.
const HEAD: usize = 7;

/// The reason that bytes are no secret key of a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyFileError {
    /// The first four bytes.
    #[error("this is no secret key: it does not start with \"TNFK\"")]
    Magic,
    /// The version.
    #[error("secret key version {0}, this build reads version {VERSION}")]
    Version(u16),
    /// The number of bytes.
    #[error("the secret key is cut short, or bytes follow it")]
    Length,
    /// Another kind of key.
    #[error("the secret key is not one of a rank: it may be a ring's or a ledger's")]
    Suite,
    /// The checksum.
    #[error("the secret key is damaged: its checksum does not fit")]
    Checksum,
}

/// The reason that a text is no list of public keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyListError {
    /// A line, from 1, that is no key.
    #[error("line {line} is no public key of a rank, which has {} hexadecimal digits", 2 * DIGEST)]
    Line {
        /// The line.
        line: usize,
    },
    /// More keys than a job has ranks.
    #[error("there are more than {} keys: a line for each rank is expected", MAX_KEYS)]
    Long,
    /// Two ranks with one key.
    #[error("lines {first} and {second} are the same key: each rank has one of its own")]
    Twice {
        /// The first line with it, from 1.
        first: usize,
        /// The second.
        second: usize,
    },
    /// No keys.
    #[error("there are no keys: a line for each rank, in their order, is expected")]
    Empty,
}

impl Key {
    /// Bytes of a secret key file.
    pub const FILE_BYTES: usize = HEAD + DIGEST + DIGEST;

    /// The bytes of a secret key file.
    #[must_use]
    pub fn to_file(&self) -> Zeroizing<Vec<u8>> {
        // With room for all of it: a vector that grows leaves copies behind.
        let mut bytes = Zeroizing::new(Vec::with_capacity(Self::FILE_BYTES));
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.push(SUITE);
        bytes.extend(self.secret());
        let digest = blake3::hash(&bytes);
        bytes.extend(digest.as_bytes());
        bytes
    }

    /// Reads the bytes of a secret key file, exactly.
    ///
    /// # Errors
    /// For any other bytes than [`Key::to_file`] writes.
    pub fn from_file(bytes: &[u8]) -> Result<Self, KeyFileError> {
        let rest = bytes.strip_prefix(&MAGIC).ok_or(KeyFileError::Magic)?;
        let (version, rest) = rest.split_first_chunk().ok_or(KeyFileError::Length)?;
        let version = u16::from_le_bytes(*version);
        if version != VERSION {
            return Err(KeyFileError::Version(version));
        }
        if bytes.len() != Self::FILE_BYTES {
            return Err(KeyFileError::Length);
        }
        let secret = rest.strip_prefix(&[SUITE]).ok_or(KeyFileError::Suite)?;
        // By reference: no copy of the secret stays on the stack.
        let key = Self::from_bytes(secret.first_chunk().ok_or(KeyFileError::Length)?);
        if *key.to_file() == bytes { Ok(key) } else { Err(KeyFileError::Checksum) }
    }
}

impl PublicKey {
    /// The key of 64 hexadecimal digits; none if they are of no point that signatures are verified by.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Self> {
        // Without the prefix that numbers may have.
        let digits = text.len() == 2 * DIGEST;
        iop::text::from_hex(text).filter(|_| digits).map(Self).filter(Self::is_sound)
    }

    /// Reads the keys of a job's ranks, a line for each in their order.
    ///
    /// # Errors
    /// If a line is no key, or two are one.
    pub fn list(text: &str) -> Result<Vec<Self>, KeyListError> {
        let mut keys: Vec<Self> = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            if keys.len() == MAX_KEYS {
                return Err(KeyListError::Long);
            }
            let key = Self::from_hex(text.trim()).ok_or(KeyListError::Line { line })?;
            if let Some(first) = keys.iter().position(|other| *other == key) {
                return Err(KeyListError::Twice { first: first + 1, second: line });
            }
            keys.push(key);
        }
        if keys.is_empty() { Err(KeyListError::Empty) } else { Ok(keys) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_from_its_file_alone() {
        let key = Key::from_bytes(&[7; 32]);
        let file = key.to_file();
        assert_eq!(Key::from_file(&file).unwrap().public(), key.public());
        for cut in 0..file.len() {
            assert!(Key::from_file(&file[..cut]).is_err(), "{cut}");
        }
        assert_eq!(Key::from_file(&[&file[..], b"x"].concat()).unwrap_err(), KeyFileError::Length);
        for (at, error) in [
            (0, KeyFileError::Magic),
            (4, KeyFileError::Version(0)),
            (6, KeyFileError::Suite),
            (7, KeyFileError::Checksum),
            (70, KeyFileError::Checksum),
        ] {
            let mut other = file.to_vec();
            other[at] ^= 1;
            assert_eq!(Key::from_file(&other).unwrap_err(), error, "{at}");
        }
    }

    #[test]
    fn lists_have_a_key_on_each_line() {
        let [one, two] = [1, 2].map(|seed| Key::from_bytes(&[seed; 32]).public());
        let keys = PublicKey::list(&format!("{one}\r\n {two} \n")).unwrap();
        assert!(keys == [one, two]);
        let refused = |text: &str| PublicKey::list(text).unwrap_err();
        assert_eq!(refused(""), KeyListError::Empty);
        assert_eq!(refused(&format!("{one}\n{two}\n{one}")), KeyListError::Twice { first: 1, second: 3 });
        let many: String = (0..=1024)
            .map(|i| {
                format!(
                    "{}\n",
                    Key::from_bytes(&[[i as u8, (i >> 8) as u8]; 16].concat().try_into().unwrap()).public()
                )
            })
            .collect();
        assert_eq!(refused(&many), KeyListError::Long);
        assert_eq!(
            PublicKey::list(many.rsplit_once('\n').unwrap().0.rsplit_once('\n').unwrap().0).unwrap().len(),
            1024
        );
        let small = "01".to_owned() + &"00".repeat(31);
        let one = one.to_string();
        for text in
            ["", "# k", "zz", &one[1..], &format!("{one}0"), &format!("0x{one}"), &format!("{one} a"), &small]
        {
            assert_eq!(refused(&format!("{two}\n{text}\n{two}")), KeyListError::Line { line: 2 }, "{text}");
        }
    }
}
