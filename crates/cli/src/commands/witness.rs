//! Witness files: what `commit --keep-witness` leaves for `open --witness`, which then neither reads the data nor commits again.

use super::{ALWAYS, with_ending};
use crate::args::{CommitArgs, Common};
use crate::exit::{Exit, Failure};
use crate::files::{Kind, Output};
use crate::terminal;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use tenfold::any::{AnyProver, AnyWitness};
use tenfold::file::{WitnessError, WitnessFile};

/// Where the witness of a commitment goes, if it is kept.
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
    if name.is_none() && commitment.as_os_str() == "-" {
        let message = "a commitment on standard output gives its witness no name";
        return Err(Failure::usage(message, "name the witness with --keep-witness"));
    }
    let path = name.clone().unwrap_or_else(|| with_ending(commitment, ".witness"));
    common.files.private(Kind::Witness, &path).map(Some)
}

/// Writes a commitment, and its witness if that is kept. Both are on the disk before one of them gets to its place: a disk that is
/// full leaves what is there.
pub fn write(
    commitment: (&Output, &[u8]),
    output: Option<&Output>,
    kept: Option<WitnessFile>,
) -> Result<(), Failure> {
    let Some((output, kept)) = output.zip(kept) else {
        check_orphaned(commitment)?;
        return commitment.0.write(commitment.1);
    };
    check_replaced(output, commitment)?;
    let witness = kept.into_bytes(commitment.1);
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
    let mut found = Vec::with_capacity(WitnessFile::HEAD);
    let file = File::open(path).map_err(Failure::file("read", path))?;
    file.take(WitnessFile::HEAD as u64).read_to_end(&mut found).map_err(Failure::file("read", path))?;
    // What is cut short opens nothing.
    let Some(of) = WitnessFile::commitment(&found) else { return Ok(()) };
    let replaced = || commitment.path().is_file() && hash_of(commitment.path()).is_ok_and(|hash| hash == *of);
    if of == blake3::hash(bytes).as_bytes() || replaced() {
        return Ok(());
    }
    let message =
        format!("{} is the witness of another commitment, and may be the only one", terminal::path(path));
    Err(Failure::usage(message, "give another name with --keep-witness, or replace it with --force"))
}

/// Refuses to replace a commitment by another where its witness stands beside it, which would open nothing any more, unless
/// `--force` is given.
fn check_orphaned((output, bytes): (&Output, &[u8])) -> Result<(), Failure> {
    let path = output.path();
    let beside = with_ending(path, ".witness");
    if output.is_forced() || !path.is_file() || !beside.is_file() {
        return Ok(());
    }
    let mut found = Vec::with_capacity(WitnessFile::HEAD);
    let file = File::open(&beside).map_err(Failure::file("read", &beside))?;
    file.take(WitnessFile::HEAD as u64).read_to_end(&mut found).map_err(Failure::file("read", &beside))?;
    let there = hash_of(path).map_err(Failure::file("read", path))?;
    if there == blake3::hash(bytes)
        || WitnessFile::commitment(&found).is_none_or(|of| *of != *there.as_bytes())
    {
        return Ok(());
    }
    let message = format!(
        "{} is the commitment of the witness {}, which opens nothing without it",
        terminal::path(path),
        terminal::path(&beside)
    );
    Err(Failure::usage(message, "give another name with -o, or replace it with --force"))
}

fn hash_of(path: &Path) -> io::Result<blake3::Hash> {
    blake3::Hasher::new().update_reader(File::open(path)?).map(|hasher| hasher.finalize())
}

/// Says where a witness is.
pub fn note(output: &Output) {
    let path = terminal::path(output.path());
    note!("  witness in {path}: it opens without the data, which it holds, so that you alone can read it");
}

/// Reads the witness of a commitment file.
pub fn read(path: &Path, commitment: &[u8], prover: &AnyProver<'_>) -> Result<AnyWitness, Failure> {
    let opened = File::open(path).and_then(|file| file.metadata().map(|metadata| (file, metadata)));
    let (file, metadata) = opened.map_err(Failure::file("read", path))?;
    let length = metadata.is_file().then_some(metadata.len());
    WitnessFile::read(file, length, commitment, prover).map_err(|error| {
        let name = terminal::path(path);
        match error {
            WitnessError::Read(e) => Failure::file("read", path)(e),
            WitnessError::Magic => {
                let hint = "give the witness that `tenfold commit --keep-witness` wrote";
                Failure::usage(format!("{name} is no witness: {error}"), hint)
            }
            WitnessError::Damaged(what) => damaged(path, what),
            WitnessError::Version(_) | WitnessError::Other => {
                Failure::usage(format!("{name}: {error}"), HINT)
            }
        }
    })
}

/// Bytes beside an opening by a witness: the command, and the integers if they are summed.
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
fn damaged(path: &Path, what: &str) -> Failure {
    Failure::usage(format!("the witness {} is damaged: {what}", terminal::path(path)), HINT)
}

/// A witness that does not give the commitment, or a proof that holds.
pub fn another(path: &Path) -> Failure {
    damaged(path, "it is not what was committed to")
}

/// Why a proof is refused that was just made: it does not hold if its witness, where it was made by one, is of other data. Any
/// other failure stays what it is.
pub fn blamed(failure: Failure, witness: Option<&Path>) -> Failure {
    match witness {
        Some(path) if failure.exit == Exit::Invalid => another(path),
        _ => failure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A proof that does not hold is its witness's fault; a disk, a limit and an argument are nobody's.
    #[test]
    fn a_witness_is_blamed_for_what_does_not_hold_alone() {
        let path = Path::new("w");
        for failure in [Failure::io("no memory"), Failure::usage("a name", "another")] {
            assert_eq!(blamed(failure.clone(), Some(path)), failure);
        }
        let invalid = Failure::invalid("it does not hold");
        assert_eq!(blamed(invalid.clone(), Some(path)), another(path));
        assert_eq!(blamed(invalid.clone(), None), invalid);
    }
}
