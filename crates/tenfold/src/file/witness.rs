//! Witness files: what is kept of a commitment to open it later, without the data and without committing again.
//! (notes: formats-witness)
//!
//! ```text
//! "TNFW" | version u16 | BLAKE3 of the commitment file 32 | entries | nodes of the tree | BLAKE3 of all this 32
//! ```
//! The parameters in the commitment file give every length. The codeword, a multiple of the entries, is not in it: rows of it are
//! recomputed when they are opened.

use crate::any::{AnyProver, AnyWitness, Kept};
use crate::read::Digesting;
use alloc::vec::Vec;
use std::io::{self, ErrorKind, Read};

const MAGIC: [u8; 4] = *b"TNFW";
const VERSION: u16 = 1;
/// Bytes before the entries.
const HEAD: usize = 4 + 2 + 32;
const DIGEST: usize = 32;

/// Why bytes are no witness of a commitment.
#[derive(Debug, thiserror::Error)]
pub enum WitnessError {
    /// They cannot be read.
    #[error(transparent)]
    Read(io::Error),
    /// They are another file.
    #[error("it does not start with \"TNFW\"")]
    Magic,
    /// They are of another version.
    #[error("it is of version {0}, this build reads version {VERSION}")]
    Version(u16),
    /// They are the witness of another commitment file.
    #[error("it is the witness of another commitment")]
    Other,
    /// They are not as they were written.
    #[error("{0}")]
    Damaged(&'static str),
}

const CUT: WitnessError = WitnessError::Damaged("it is cut short");
const LONG: WitnessError = WitnessError::Damaged("there are bytes after its end");
const ANOTHER: WitnessError = WitnessError::Damaged("it is not what was committed to");

impl From<io::Error> for WitnessError {
    fn from(error: io::Error) -> Self {
        if error.kind() == ErrorKind::UnexpectedEof { CUT } else { Self::Read(error) }
    }
}

/// A witness file that does not say yet of what commitment it is.
#[derive(Debug)]
pub struct WitnessFile(Vec<u8>);

impl WitnessFile {
    /// Entries and nodes.
    ///
    /// Memory: their canonical bytes.
    #[must_use]
    pub fn new(Kept { entries, nodes }: Kept) -> Self {
        let mut bytes = entries;
        bytes.reserve_exact(HEAD + nodes.len() + DIGEST);
        bytes.splice(..0, [0; HEAD]);
        bytes.extend_from_slice(&nodes);
        Self(bytes)
    }

    /// The file's bytes, of the commitment file with these.
    #[must_use]
    pub fn into_bytes(self, commitment: &[u8]) -> Vec<u8> {
        let Self(mut bytes) = self;
        bytes[..HEAD].copy_from_slice(&head(commitment));
        let digest = blake3::hash(&bytes);
        bytes.extend_from_slice(digest.as_bytes());
        bytes
    }
}

fn head(commitment: &[u8]) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    head[..4].copy_from_slice(&MAGIC);
    head[4..6].copy_from_slice(&VERSION.to_le_bytes());
    head[6..].copy_from_slice(blake3::hash(commitment).as_bytes());
    head
}

impl WitnessFile {
    /// Bytes before the entries.
    pub const HEAD: usize = HEAD;

    /// The digest of the commitment file that a witness is of which begins with these bytes; none if they are cut short.
    #[must_use]
    pub fn commitment(head: &[u8]) -> Option<&[u8; 32]> {
        head.first_chunk::<HEAD>().filter(|head| head.starts_with(&MAGIC))?.last_chunk()
    }

    /// Reads the witness of a commitment file, whose parameters give the numbers of entries and nodes. A file of another length is
    /// refused unread, if it has one.
    ///
    /// Memory: entries and nodes.
    ///
    /// # Errors
    /// If it cannot be read, is of another commitment, or is not as it was written.
    pub fn read(
        source: impl Read,
        length: Option<u64>,
        commitment: &[u8],
        prover: &AnyProver<'_>,
    ) -> Result<AnyWitness, WitnessError> {
        let kept = prover.kept_bytes().ok_or(ANOTHER)?;
        let expected = (HEAD + kept + DIGEST) as u64;
        let mut file = Digesting::new(source);
        check_head(&mut file, commitment)?;
        if let Some(length) = length.filter(|&length| length != expected) {
            return Err(if length < expected { CUT } else { LONG });
        }
        let entries = prover.canonical(&mut file)?;
        let entries = entries.map_err(|_| WitnessError::Damaged("an entry is no element of the field"))?;
        let mut nodes = vec![0; prover.node_bytes()];
        file.read_exact(&mut nodes)?;
        let (digest, mut written) = (file.digest(), [0; DIGEST]);
        file.read_exact(&mut written)?;
        if digest != written {
            return Err(WitnessError::Damaged("its checksum does not match its content"));
        }
        if file.read(&mut [0])? != 0 {
            return Err(LONG);
        }
        prover.restore(entries, nodes).map_err(|_| ANOTHER)
    }
}

/// Refuses a file that is not of this commitment.
fn check_head(file: &mut impl Read, commitment: &[u8]) -> Result<(), WitnessError> {
    let mut found = Vec::with_capacity(HEAD);
    file.by_ref().take(HEAD as u64).read_to_end(&mut found)?;
    if !found.starts_with(&MAGIC) {
        return Err(WitnessError::Magic);
    }
    if found.len() < HEAD {
        return Err(CUT);
    }
    let expected = head(commitment);
    if found[4..6] != expected[4..6] {
        return Err(WitnessError::Version(u16::from_le_bytes([found[4], found[5]])));
    }
    if found == expected { Ok(()) } else { Err(WitnessError::Other) }
}
