//! Names by content: BLAKE3 digests of jobs and blobs, written as 64 hexadecimal digits.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use tenfold::text::{from_hex, hex};

/// The BLAKE3 digest that names a job or a blob.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub [u8; 32]);

/// A text that is no name: 64 lowercase hexadecimal digits are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no name of a job or a blob: 64 lowercase hexadecimal digits")]
pub struct NoId;

impl Id {
    /// The name of a blob of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Id {
    type Err = NoId;

    fn from_str(text: &str) -> Result<Self, NoId> {
        let id = Self(from_hex(text).ok_or(NoId)?);
        // One spelling for one name: names are keys of tables and names of files.
        if id.to_string() == text { Ok(id) } else { Err(NoId) }
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_spelling() {
        let id = Id::of(b"data");
        assert_eq!(id.to_string().parse(), Ok(id));
        let digits = id.to_string();
        for other in [&digits.to_uppercase(), &digits[1..], "../../etc/passwd", "", &format!("{digits} ")] {
            assert_eq!(other.parse::<Id>(), Err(NoId), "{other}");
        }
    }
}
