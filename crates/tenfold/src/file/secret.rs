//! The secret file of a hiding commitment: the seed, how many openings it has used up, and which file it is.
//! (notes: formats-secret)
//!
//! ```text
//! "TNFS" | version u16 | BLAKE3 of the commitment file 32 | seed 32 | openings u32 | used u32 | stamp 25 | BLAKE3 of all this 32
//! ```
//! The last digest is there because a flipped bit in the count would use a mask twice, the stamp because an older copy would:
//! it is of the file that these bytes were written as, and a copy is another one. Version 1 has no stamp.

use crate::file::{CommitmentFile, Stamp};
use alloc::vec::Vec;
use pcs::codec::{Reader, Writer};
use pcs::pip::Secret;
use zeroize::Zeroizing;

const MAGIC: [u8; 4] = *b"TNFS";
const VERSION: u16 = 2;
/// Bytes of a secret file.
const LENGTH: usize = 135;
/// Bytes of one of version 1.
const LENGTH_1: usize = 110;

/// Why bytes are no secret file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    /// They are another file.
    #[error("this is no secret file: it does not start with \"TNFS\"")]
    Magic,
    /// They are of another version.
    #[error("secret file version {0}, this build reads versions 1 and {VERSION}")]
    Version(u16),
    /// They are not as they were written.
    #[error("the secret file is damaged: {0}")]
    Damaged(&'static str),
}

/// What a secret file holds.
#[derive(Debug)]
pub struct SecretFile {
    /// BLAKE3 of the commitment file.
    pub commitment: [u8; 32],
    /// Openings that the commitment was made for.
    pub openings: u32,
    /// The seed and the openings used.
    pub secret: Secret,
    /// The file that it was written as; none in files of version 1, and where the system numbers no files.
    pub stamp: Option<Stamp>,
}

impl SecretFile {
    /// Bytes of a secret file.
    pub const LENGTH: usize = LENGTH;

    /// The secret of a commitment, in no file yet.
    #[must_use]
    pub fn of(file: &CommitmentFile, secret: Secret) -> Self {
        let openings = file.params.summary().hidden_openings;
        Self { commitment: file.fingerprint(), openings, secret, stamp: None }
    }

    /// The bytes of the file with this stamp.
    #[must_use]
    pub fn encode(&self, stamp: Option<Stamp>) -> Zeroizing<Vec<u8>> {
        let mut w = Writer::with_capacity(LENGTH);
        w.bytes(&MAGIC);
        w.bytes(&VERSION.to_le_bytes());
        w.bytes(&self.commitment);
        w.bytes(self.secret.seed());
        w.u32(self.openings);
        w.u32(self.secret.used());
        write_stamp(&mut w, stamp);
        let mut bytes = Zeroizing::new(w.finish());
        let digest = blake3::hash(&bytes);
        bytes.extend_from_slice(digest.as_bytes());
        bytes
    }

    /// Openings that are not used up.
    #[must_use]
    pub fn left(&self) -> u32 {
        self.openings.saturating_sub(self.secret.used())
    }

    /// Returns true if the file that this was found in, by its stamp, is another than it was written as.
    #[must_use]
    pub fn is_copy(&self, found: Option<Stamp>) -> bool {
        self.stamp.zip(found).is_some_and(|(written, found)| !written.is(&found))
    }

    /// Reads a secret file of version 1 or 2, exactly.
    ///
    /// # Errors
    /// For any other bytes than [`SecretFile::encode`] writes, or wrote.
    pub fn decode(bytes: &[u8]) -> Result<Self, SecretError> {
        let damaged = SecretError::Damaged;
        let mut r = Reader::new(bytes);
        if r.array() != Some(MAGIC) {
            return Err(SecretError::Magic);
        }
        let version = r.array().map(u16::from_le_bytes).ok_or_else(|| damaged("it is cut short"))?;
        let length = match version {
            1 => LENGTH_1,
            VERSION => LENGTH,
            _ => return Err(SecretError::Version(version)),
        };
        if bytes.len() < length {
            return Err(damaged("it is cut short"));
        }
        if bytes.len() > length {
            return Err(damaged("there are bytes after its end"));
        }
        let read = (|| {
            let commitment = r.array()?;
            let seed = <&[u8; 32]>::try_from(r.bytes(32)?).ok()?;
            let (openings, used) = (r.u32()?, r.u32()?);
            let stamp = if version == 1 { Some(None) } else { read_stamp(&mut r) };
            Some((
                Self { commitment, openings, secret: Secret::from_seed(seed, used), stamp: stamp? },
                r.array()?,
            ))
        })();
        let (file, digest) = read.ok_or_else(|| damaged("its stamp is none"))?;
        if file.secret.used() > file.openings {
            return Err(damaged("more openings are used than there are"));
        }
        if blake3::hash(&bytes[..length - 32]) != blake3::Hash::from_bytes(digest) {
            return Err(damaged("its checksum does not match its content"));
        }
        Ok(file)
    }
}

/// What is known (0: nothing, 1: device and inode, 2: the birth too), and eight bytes for each, zero if not known.
fn write_stamp(w: &mut Writer, stamp: Option<Stamp>) {
    let known = stamp.map_or(0, |stamp| 1 + u8::from(stamp.born.is_some()));
    w.u8(known);
    let Stamp { device, inode, born } = stamp.unwrap_or(Stamp { device: 0, inode: 0, born: None });
    [device, inode, born.unwrap_or(0)].into_iter().for_each(|field| w.u64(field));
}

/// Reads what [`write_stamp`] writes, and nothing else.
fn read_stamp(r: &mut Reader<'_>) -> Option<Option<Stamp>> {
    let (known, device, inode, born) = (r.u8()?, r.u64()?, r.u64()?, r.u64()?);
    match known {
        0 if (device, inode, born) == (0, 0, 0) => Some(None),
        1 if born == 0 => Some(Some(Stamp { device, inode, born: None })),
        2 if born != 0 => Some(Some(Stamp { device, inode, born: Some(born) })),
        _ => None,
    }
}
