//! The secret file of a hiding commitment: the seed, how many openings it has used up, and which file it is.
//! (notes: formats-secret)
//!
//! ```text
//! "TNFS" | version u16 | BLAKE3 of the commitment file 32 | seed 32 | openings u32 | used u32 | stamp 25 | BLAKE3 of all this 32
//! ```
//! The last digest is there because a flipped bit in the count would use a mask twice, the stamp because an older copy would:
//! it is of the file that these bytes were written as, and a copy is another one. Version 1 has no stamp.

pub mod store;

use crate::args::OpenArgs;
use crate::exit::Failure;
use crate::files::Stamp;
use crate::terminal;
use pcs::codec::{Reader, Writer};
use pcs::pip::Secret;
use std::path::{Path, PathBuf};
use tenfold::CommitmentFile;
use zeroize::Zeroizing;

const MAGIC: [u8; 4] = *b"TNFS";
const VERSION: u16 = 2;
/// Bytes of a secret file.
pub const LENGTH: usize = 135;
/// Bytes of one of version 1.
const LENGTH_1: usize = 110;

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

    /// Reads a secret file of version 1 or 2, exactly.
    ///
    /// # Errors
    /// [`crate::exit::Exit::Usage`] for any other bytes than [`SecretFile::encode`] writes, or wrote.
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
        let length = match version {
            1 => LENGTH_1,
            VERSION => LENGTH,
            _ => {
                let message =
                    format!("secret file version {version}, this build reads versions 1 and {VERSION}");
                return Err(Failure::usage(message, "use the release that wrote it"));
            }
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

    /// Refuses the secret if it is read from another file than it was written as.
    fn refuse_copy(&self, found: Option<Stamp>, path: &Path) -> Result<(), Failure> {
        let Some((written, found)) = self.stamp.zip(found).filter(|(written, found)| !written.is(found))
        else {
            return Ok(());
        };
        let [then, now] = [written, found].map(|stamp| format!("inode {}", stamp.inode));
        let now = if then == now { "another file with that number".to_owned() } else { now };
        let message = format!(
            "{} is a copy: it was written as {then} and is {now}. A copy does not count the openings made with others: \
             from an older one a mask is used again, and a few openings with one mask show the whole column",
            terminal::path(path)
        );
        let hint = "give the secret file itself; if it was moved or restored, and no opening was made since with any other copy, \
                    pass --moved-secret";
        Err(Failure::usage(message, hint))
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
/// If the secret is missing, of another commitment, a copy, used up, or held by another process.
pub fn for_opening(args: &OpenArgs, file: &CommitmentFile) -> Result<Option<(store::Held, Secret)>, Failure> {
    let hides = file.params.summary().hidden_openings > 0;
    let (commitment, name) = (&args.commitment, terminal::path(&args.commitment));
    let path = match (args.secret.as_deref(), hides) {
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
    let (kept, found) = held.read()?;
    if !args.moved_secret {
        kept.refuse_copy(found, path)?;
    }
    let SecretFile { commitment: of, openings, secret, .. } = kept;
    let ours = SecretFile::of(file, Secret::from_seed(&[0; 32], 0));
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
mod tests;
