//! Witness files: what `commit --keep-witness` leaves for `open --witness`, which then neither reads the data nor commits again.
//! (notes: formats-witness)
//!
//! ```text
//! "TNFW" | version u16 | BLAKE3 of the commitment file 32 | entries | nodes of the tree | BLAKE3 of all this 32
//! ```
//! The parameters in the commitment file give every length. The codeword, a multiple of the entries, is not in it: rows of it are
//! recomputed when they are opened.

use super::ALWAYS;
use crate::args::{CommitArgs, Common};
use crate::data::Digesting;
use crate::exit::{Exit, Failure};
use crate::files::{Kind, Output};
use crate::terminal;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use tenfold::any::{AnyProver, AnyWitness, Kept};

const MAGIC: [u8; 4] = *b"TNFW";
const VERSION: u16 = 1;
/// Bytes before the entries.
const HEAD: usize = 4 + 2 + 32;
const DIGEST: usize = 32;

/// Where the witness of a commitment goes, if it is kept.
///
/// # Errors
/// If the commitment hides, or something would be lost.
pub fn output(
    args: &CommitArgs,
    commitment: &Path,
    hides: bool,
    common: &Common,
) -> Result<Option<Output>, Failure> {
    let Some(name) = &args.keep_witness else { return Ok(None) };
    if hides {
        let message = "a commitment that hides keeps no witness: its openings are counted in its secret";
        return Err(Failure::usage(message, "leave --keep-witness out, and open with the data and --secret"));
    }
    let path = name.clone().unwrap_or_else(|| {
        let mut name = commitment.as_os_str().to_owned();
        name.push(".witness");
        PathBuf::from(name)
    });
    common.files.private(Kind::Witness, &path).map(Some)
}

/// Writes a commitment, and its witness if that is kept. Both are on the disk before one of them gets to its place: a disk that is
/// full leaves what is there.
///
/// # Errors
/// If one cannot be written, or the only witness of another commitment would be lost.
pub fn write(
    commitment: (&Output, &[u8]),
    output: Option<&Output>,
    kept: Option<Body>,
) -> Result<(), Failure> {
    let Some((output, kept)) = output.zip(kept) else { return commitment.0.write(commitment.1) };
    check_replaced(output, commitment)?;
    let witness = kept.finish(commitment.1);
    let witness = output.stage(&witness)?;
    commitment.0.write(commitment.1)?;
    witness.place()
}

/// Refuses to replace the witness of a commitment that is neither this one nor the one that this one replaces, which may have no
/// other, unless `--force` is given.
fn check_replaced(output: &Output, (commitment, bytes): (&Output, &[u8])) -> Result<(), Failure> {
    let path = output.path();
    if output.is_forced() || !path.is_file() {
        return Ok(());
    }
    let mut found = Vec::with_capacity(HEAD);
    let file = File::open(path).map_err(Failure::file("read", path))?;
    file.take(HEAD as u64).read_to_end(&mut found).map_err(Failure::file("read", path))?;
    // What is cut short opens nothing.
    let Some(of) = found.get(HEAD - DIGEST..).filter(|of| found.starts_with(&MAGIC) && of.len() == DIGEST)
    else {
        return Ok(());
    };
    let replaced = || match File::open(commitment.path()) {
        Ok(file) if commitment.path().is_file() => {
            blake3::Hasher::new().update_reader(file).is_ok_and(|hasher| hasher.finalize() == *of)
        }
        _ => false,
    };
    if of == blake3::hash(bytes).as_bytes() || replaced() {
        return Ok(());
    }
    let message =
        format!("{} is the witness of another commitment, and may be the only one", terminal::path(path));
    Err(Failure::usage(message, "give another name with --keep-witness, or replace it with --force"))
}

/// Its name, for JSON.
#[must_use]
pub fn name(output: Option<&Output>) -> Option<String> {
    output.map(|output| output.path().display().to_string())
}

/// Says where a witness is.
pub fn note(output: &Output) {
    let path = terminal::path(output.path());
    note!("  witness in {path}: it opens without the data, which it holds, so that you alone can read it");
}

/// A witness file that does not say yet what it is of.
#[derive(Debug)]
pub struct Body(Vec<u8>);

impl Body {
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

    /// The file's bytes, of the commitment with these.
    #[must_use]
    pub fn finish(self, commitment: &[u8]) -> Vec<u8> {
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

/// Reads the witness of a commitment file, whose parameters give the numbers of entries and nodes. A file of another length is refused
/// unread.
///
/// Memory: entries and nodes.
///
/// # Errors
/// If it cannot be read, is of another commitment, or is not as it was written.
pub fn read(path: &Path, commitment: &[u8], prover: &AnyProver<'_>) -> Result<AnyWitness, Failure> {
    let opened = File::open(path).and_then(|file| file.metadata().map(|metadata| (file, metadata)));
    let (file, metadata) = opened.map_err(Failure::file("read", path))?;
    let Some(kept) = prover.kept_bytes() else { return Err(another(path)) };
    let length = (HEAD + kept + DIGEST) as u64;
    let mut file = Digesting::new(file);
    check_head(&mut file, path, commitment)?;
    if metadata.is_file() && metadata.len() != length {
        return Err(refused(path, if metadata.len() < length { CUT } else { LONG }));
    }
    let failed = |e: io::Error| match e.kind() {
        ErrorKind::UnexpectedEof => refused(path, CUT),
        _ => Failure::file("read", path)(e),
    };
    let entries = prover.canonical(&mut file).map_err(failed)?;
    let entries = entries.map_err(|_| refused(path, "an entry is no element of the field"))?;
    let mut nodes = vec![0; prover.node_bytes()];
    file.read_exact(&mut nodes).map_err(failed)?;
    let digest = file.digest();
    let mut written = [0; DIGEST];
    file.read_exact(&mut written).map_err(failed)?;
    if digest != written {
        return Err(refused(path, "its checksum does not match its content"));
    }
    if file.read(&mut [0]).map_err(failed)? != 0 {
        return Err(refused(path, LONG));
    }
    prover.restore(entries, nodes).map_err(|_| another(path))
}

const CUT: &str = "it is cut short";
const LONG: &str = "there are bytes after its end";

/// Whose witness it is.
fn check_head(file: &mut impl Read, path: &Path, commitment: &[u8]) -> Result<(), Failure> {
    let mut found = Vec::with_capacity(HEAD);
    file.by_ref().take(HEAD as u64).read_to_end(&mut found).map_err(Failure::file("read", path))?;
    let name = terminal::path(path);
    if !found.starts_with(&MAGIC) {
        let hint = "give the witness that `tenfold commit --keep-witness` wrote";
        return Err(Failure::usage(format!("{name} is no witness: it does not start with \"TNFW\""), hint));
    }
    if found.len() < HEAD {
        return Err(refused(path, CUT));
    }
    let expected = head(commitment);
    if found[4..6] != expected[4..6] {
        let version = u16::from_le_bytes([found[4], found[5]]);
        let message = format!("{name} is a witness of version {version}, this build reads version {VERSION}");
        return Err(Failure::usage(message, HINT));
    }
    if found != expected {
        let message = format!("{name} is the witness of another commitment");
        return Err(Failure::usage(message, HINT));
    }
    Ok(())
}

/// Bytes beside an opening by a witness: the command, and the integers if they are summed.
#[must_use]
pub fn memory(log_size: u32, summed: bool) -> u64 {
    ALWAYS + if summed { 16 << log_size } else { 0 }
}

/// A commitment that no witness file belongs to, whatever wrote it.
pub fn check_plain(polynomials: u32, hidden_openings: u32) -> Result<(), Failure> {
    if (polynomials, hidden_openings) == (1, 0) {
        return Ok(());
    }
    let what = if hidden_openings > 0 { "hides" } else { "is to several columns" };
    Err(Failure::usage(
        format!("this commitment {what}: it has no witness file"),
        "leave --witness out, and give the data",
    ))
}

const HINT: &str = "commit again with --keep-witness, or leave --witness out and give the data";

/// A witness that is not as it was written.
#[must_use]
pub fn refused(path: &Path, what: &str) -> Failure {
    Failure::usage(format!("the witness {} is damaged: {what}", terminal::path(path)), HINT)
}

/// A witness that does not give the commitment, or a proof that holds.
#[must_use]
pub fn another(path: &Path) -> Failure {
    refused(path, "it is not what was committed to")
}

/// Why a proof is refused that was just made: it does not hold if its witness, where it was made by one, is of other data. Any
/// other failure stays what it is.
#[must_use]
pub fn blamed(failure: Failure, witness: Option<&Path>) -> Failure {
    match witness {
        Some(path) if failure.exit == Exit::Invalid => another(path),
        _ => failure,
    }
}

#[cfg(test)]
mod tests;
