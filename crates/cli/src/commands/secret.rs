//! The secret file of a hiding commitment: the seed, and how many openings it has used up. (notes: formats-secret)
//!
//! ```text
//! "TNFS" | version u16 | BLAKE3 of the commitment file 32 | seed 32 | openings u32 | used u32 | BLAKE3 of all this 32
//! ```
//! The last digest is there because a flipped bit in the count would use a mask twice.

pub mod store;

use super::committed::Committed;
use crate::exit::Failure;
use pcs::codec::{Reader, Writer};
use pcs::pip::Secret;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

const MAGIC: [u8; 4] = *b"TNFS";
const VERSION: u16 = 1;
/// Bytes of a secret file.
pub const LENGTH: usize = 110;

/// What a secret file holds.
#[derive(Debug)]
pub struct SecretFile {
    /// BLAKE3 of the commitment file.
    pub commitment: [u8; 32],
    /// Openings that the commitment was made for.
    pub openings: u32,
    /// The seed and the openings used.
    pub secret: Secret,
}

impl SecretFile {
    /// The secret of a commitment.
    #[must_use]
    pub fn of(committed: &Committed, secret: Secret) -> Self {
        let commitment = *blake3::hash(&committed.encode()).as_bytes();
        Self { commitment, openings: committed.params.hidden_openings, secret }
    }

    /// The file's bytes.
    #[must_use]
    pub fn encode(&self) -> Zeroizing<Vec<u8>> {
        let mut w = Writer::with_capacity(LENGTH);
        w.bytes(&MAGIC);
        w.bytes(&VERSION.to_le_bytes());
        w.bytes(&self.commitment);
        w.bytes(self.secret.seed());
        w.u32(self.openings);
        w.u32(self.secret.used());
        let mut bytes = Zeroizing::new(w.finish());
        let digest = blake3::hash(&bytes);
        bytes.extend_from_slice(digest.as_bytes());
        bytes
    }

    /// Reads a secret file, exactly.
    ///
    /// # Errors
    /// [`crate::exit::Exit::Usage`] for any other bytes than [`SecretFile::encode`] writes.
    pub fn decode(bytes: &[u8]) -> Result<Self, Failure> {
        let damaged = |what: &str| {
            let hint = "do not put back an older copy: it would use a mask twice, and so show the data";
            Failure::usage(format!("the secret file is damaged: {what}"), hint)
        };
        let mut r = Reader::new(bytes);
        if r.array() != Some(MAGIC) {
            let hint = "give the secret that `tenfold commit --hiding` wrote";
            return Err(Failure::usage("this is no secret file: it does not start with \"TNFS\"", hint));
        }
        let version = r.array().map(u16::from_le_bytes).ok_or_else(|| damaged("it is cut short"))?;
        if version != VERSION {
            let message = format!("secret file version {version}, this build reads version {VERSION}");
            return Err(Failure::usage(message, "use the release that wrote it"));
        }
        if bytes.len() != LENGTH {
            return Err(damaged(if bytes.len() < LENGTH {
                "it is cut short"
            } else {
                "there are bytes after its end"
            }));
        }
        let read = (|| {
            let commitment = r.array()?;
            let seed = <&[u8; 32]>::try_from(r.bytes(32)?).ok()?;
            let (openings, used) = (r.u32()?, r.u32()?);
            (used <= openings).then(|| Self { commitment, openings, secret: Secret::from_seed(seed, used) })
        })();
        let file = read.ok_or_else(|| damaged("more openings are used than there are"))?;
        if *file.encode() != bytes {
            return Err(damaged("its checksum does not match its content"));
        }
        Ok(file)
    }
}

/// The default name of a commitment's secret.
#[must_use]
pub fn beside(commitment: &Path) -> PathBuf {
    let mut name = commitment.as_os_str().to_owned();
    name.push(".secret");
    name.into()
}

/// Takes hold of the secret for one opening of a commitment, if it hides: no other process can open it meanwhile.
///
/// # Errors
/// If the secret is missing, of another commitment, used up, or held by another process.
pub fn for_opening(
    secret: Option<&Path>,
    committed: &Committed,
    commitment: &Path,
) -> Result<Option<(store::Held, Secret)>, Failure> {
    let hides = committed.params.hidden_openings > 0;
    let name = commitment.display();
    let path = match (secret, hides) {
        (None, false) => return Ok(None),
        (Some(_), false) => {
            return Err(Failure::usage(
                format!("{name} does not hide: it has no secret"),
                "leave --secret out",
            ));
        }
        (None, true) => {
            let hint = format!(
                "pass --secret {}, if that is where `tenfold commit --hiding` wrote it; it uses up one opening",
                beside(commitment).display()
            );
            return Err(Failure::usage(format!("{name} hides: opening it needs its secret"), hint));
        }
        (Some(path), true) => path,
    };
    let held = store::hold(path)?;
    let SecretFile { commitment: of, openings, secret } = held.read()?;
    let ours = SecretFile::of(committed, Secret::from_seed(&[0; 32], 0));
    if (of, openings) != (ours.commitment, ours.openings) {
        let message = format!("{} is the secret of another commitment than {name}", path.display());
        return Err(Failure::usage(message, "give the secret that was written with the commitment"));
    }
    if secret.used() >= openings {
        let message = format!("no opening is left: all {openings} of {name} are used up");
        return Err(Failure::usage(message, "commit again, with --hiding for as many openings as you need"));
    }
    Ok(Some((held, secret)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> SecretFile {
        SecretFile { commitment: [3; 32], openings: 2, secret: Secret::from_seed(&[9; 32], 1) }
    }

    #[test]
    fn the_encoding_is_exact() {
        let bytes = file().encode();
        assert_eq!(bytes.len(), LENGTH);
        let read = SecretFile::decode(&bytes).unwrap();
        assert_eq!((read.commitment, read.openings), ([3; 32], 2));
        assert_eq!((read.secret.seed(), read.secret.used()), (&[9; 32], 1));
        assert!((0..LENGTH).all(|n| SecretFile::decode(&bytes[..n]).is_err()));
        assert!(SecretFile::decode(&[&bytes[..], &[0]].concat()).is_err());
        for at in 0..LENGTH {
            for bit in 0..8 {
                let mut flipped = bytes.to_vec();
                flipped[at] ^= 1 << bit;
                assert!(SecretFile::decode(&flipped).is_err(), "bit {bit} of byte {at}");
            }
        }
    }

    /// With a checksum that fits, so that only the count can be at fault.
    #[test]
    fn more_openings_than_there_are_is_no_count() {
        let over = SecretFile { secret: Secret::from_seed(&[9; 32], 3), ..file() };
        assert!(SecretFile::decode(&over.encode()).unwrap_err().message.contains("more openings are used"));
        let all = SecretFile { secret: Secret::from_seed(&[9; 32], 2), ..file() };
        assert!(SecretFile::decode(&all.encode()).is_ok());
    }

    #[test]
    fn the_seed_is_not_printed() {
        let text = format!("{:?}", file());
        assert!(!text.contains("9, 9"), "{text}");
    }
}
