//! Witness files: what `commit --keep-witness` leaves for `open --witness`, which then neither reads the data nor commits again.

use super::{ALWAYS, with_ending};
use crate::args::{CommitArgs, Common};
use crate::exit::{Exit, Failure};
use crate::files::{Kind, Lock, Output, whole};
use crate::terminal;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use tenfold::CommitmentFile;
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
    if args.input.column.len() > 1 {
        let message = "a commitment to several columns keeps no witness";
        return Err(Failure::usage(message, "leave --keep-witness out, and open with the data"));
    }
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
/// full leaves what is there. The witness gets there first: whoever is killed in between leaves the witness of the commitment that is
/// missing, which the same command then makes good.
pub fn write(
    (commitment, file): (&Output, &CommitmentFile),
    output: Option<&Output>,
    kept: Option<WitnessFile>,
    common: &Common,
) -> Result<usize, Failure> {
    let bytes = file.to_bytes();
    let Some((output, kept)) = output.zip(kept) else {
        commitment.write(&bytes)?;
        return Ok(bytes.len());
    };
    let _locks = lock_pair([commitment, output], common)?;
    check_replaced(output, commitment, &New { file, hash: *blake3::hash(&bytes).as_bytes() })?;
    let is_new = output.existing().is_none();
    let witness = kept.into_bytes(&bytes);
    let commitment = commitment.together_with(output);
    let (commitment, witness) = (commitment.stage(&bytes)?, output.stage(&witness)?);
    commitment.check()?;
    if is_new {
        commitment.place_after(witness)?;
    } else {
        let _both = whole();
        witness.place()?;
        commitment.place()?;
    }
    Ok(bytes.len())
}

/// Keeps other processes from a commitment, if it is a plain file.
pub fn lock(output: &Output, common: &Common) -> Result<Option<Lock>, Failure> {
    output.lock(|| waits_for(output, common))
}

/// Keeps other processes from a commitment and its witness.
fn lock_pair(pair: [&Output; 2], common: &Common) -> Result<[Option<Lock>; 2], Failure> {
    let places = pair.map(Output::resolved);
    let [one, two] = &places;
    let locks = Lock::pair([one.as_deref(), two.as_deref()], |which| waits_for(pair[which], common))?;
    locks.iter().flatten().for_each(Lock::sweep);
    Ok(locks)
}

fn waits_for(output: &Output, common: &Common) {
    if !common.quiet {
        note!("waiting for another process that writes {}", terminal::path(output.path()));
    }
}

/// The commitment that is to be written.
struct New<'a> {
    file: &'a CommitmentFile,
    hash: [u8; 32],
}

impl New<'_> {
    /// Returns true for the file of the same commitment, or of one to the same data by other parameters.
    fn is_of_data_of(&self, bytes: &[u8]) -> bool {
        blake3::hash(bytes) == self.hash
            || CommitmentFile::from_bytes(bytes).is_ok_and(|file| file.description == self.file.description)
    }
}

/// Refuses to replace a witness, unless it is that of the new commitment, or of one to the same data that is replaced with it, or
/// `--force` is given: it may be all that is left of other data.
fn check_replaced(output: &Output, commitment: &Output, new: &New<'_>) -> Result<(), Failure> {
    let Some(existing) = output.existing().filter(|_| !output.is_forced()) else { return Ok(()) };
    // What is cut short opens nothing.
    let Some(of) = commitment_of(&existing)? else { return Ok(()) };
    let replaced = || {
        let found = commitment.existing().and_then(|path| start_of(&path, LONGEST).ok());
        found.is_some_and(|found| *blake3::hash(&found).as_bytes() == of && new.is_of_data_of(&found))
    };
    if of == new.hash || replaced() {
        return Ok(());
    }
    let message = format!(
        "{} is the witness of another commitment, and may be the only one",
        terminal::path(output.path())
    );
    Err(Failure::usage(message, "give another name with --keep-witness, or replace it with --force"))
}

/// Refuses to replace a commitment by another, whatever command makes it, where its witness stands beside it, which would open
/// nothing any more, unless that is replaced too.
pub fn keep_paired(output: &Output, existing: &Path, bytes: Option<&[u8]>) -> Result<(), Failure> {
    // What hides is another commitment before its bytes are known.
    let is_same = match (output.kind(), bytes) {
        (Kind::Commitment, Some(bytes)) => hash_of(existing).map(|there| there == blake3::hash(bytes)),
        (Kind::HidingCommitment, _) => Ok(false),
        _ => return Ok(()),
    };
    if is_same.map_err(Failure::file("read", output.path()))? {
        return Ok(());
    }
    // A name that is a link has the witness beside it, or beside what it leads to.
    for name in [output.path(), existing] {
        let beside = with_ending(name, ".witness");
        if !beside.is_file() || output.takes(&beside) {
            continue;
        }
        let hint = format!("give another name with {}, or replace it with --force", output.option());
        let there = hash_of(existing).map_err(Failure::file("read", output.path()))?;
        // One that is closed to this user may be the commitment's.
        let of = commitment_of(&beside).map_err(|failure| Failure { hint: Some(hint.clone()), ..failure })?;
        if of.is_none_or(|of| there != of) {
            continue;
        }
        let message = format!(
            "{} is the commitment of the witness {}, which opens nothing without it",
            terminal::path(output.path()),
            terminal::path(&beside)
        );
        return Err(Failure::usage(message, hint));
    }
    Ok(())
}

/// The commitment that a witness is of, unless it is cut short.
fn commitment_of(witness: &Path) -> Result<Option<[u8; 32]>, Failure> {
    let head = start_of(witness, WitnessFile::HEAD as u64).map_err(Failure::file("read", witness))?;
    Ok(WitnessFile::commitment(&head).copied())
}

/// More than any commitment has.
const LONGEST: u64 = 1 << 20;

/// The first bytes of a file.
fn start_of(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
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
