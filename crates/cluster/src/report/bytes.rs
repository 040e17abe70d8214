//! Bytes in JSON, read in the memory of their text.

use core::fmt;
use core::marker::PhantomData;
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::io;

/// Bytes whose digits are written at a time.
const AT_ONCE: usize = 1 << 12;

/// Bytes that JSON has as lower-case hexadecimal digits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hex(pub Vec<u8>);

impl Hex {
    /// The bytes, if there are as many.
    pub fn array<const N: usize>(&self) -> Option<[u8; N]> {
        self.0[..].try_into().ok()
    }
}

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chunks(AT_ONCE).try_for_each(|bytes| f.write_str(&iop::text::hex(bytes)))
    }
}

struct Digits;

impl Visitor<'_> for Digits {
    type Value = Hex;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("pairs of lower-case hexadecimal digits")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Hex, E> {
        let digit = |digit: u8| match digit {
            b'0'..=b'9' => Some(digit - b'0'),
            b'a'..=b'f' => Some(digit - b'a' + 10),
            _ => None,
        };
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let mut bytes = Vec::with_capacity(pairs.len());
        bytes.extend(pairs.iter().map_while(|&[high, low]| Some(16 * digit(high)? + digit(low)?)));
        if bytes.len() == pairs.len() && rest.is_empty() {
            Ok(Hex(bytes))
        } else {
            Err(E::invalid_value(de::Unexpected::Str("other text"), &self))
        }
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Digits)
    }
}

/// Reads a list of at most so many, whatever the text has: an empty element takes several times the memory of its text.
pub(super) fn at_most<'de, const MOST: usize, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    struct List<T, const MOST: usize>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for List<T, MOST> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a list of at most {MOST}")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
            let mut all = Vec::new();
            while let Some(element) = list.next_element()? {
                if all.len() == MOST {
                    return Err(de::Error::invalid_length(MOST + 1, &self));
                }
                all.push(element);
            }
            Ok(all)
        }
    }

    deserializer.deserialize_seq(List::<T, MOST>(PhantomData))
}

/// The bytes that are left of those that a value is compared with while it is written.
pub(super) struct Expected<'a>(pub &'a [u8]);

impl io::Write for Expected<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.strip_prefix(bytes).ok_or(io::ErrorKind::InvalidData)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
