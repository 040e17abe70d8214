//! Secrets of hiding commitments: which file it is, and that it is no copy.

pub mod store;

use super::with_ending;
use crate::args::OpenArgs;
use crate::exit::Failure;
use crate::terminal;
use pcs::pip::Secret;
use std::path::Path;
use tenfold::CommitmentFile;
use tenfold::file::{SecretError, SecretFile, Stamp};

/// The failure for bytes that are no secret file.
fn unusable(error: SecretError) -> Failure {
    let hint = match error {
        SecretError::Magic => "give the secret that `tenfold commit --hiding` wrote",
        SecretError::Version(_) => "use the release that wrote it",
        SecretError::Damaged(_) => {
            "do not put back an older copy: it would use a mask twice, and so show the data"
        }
    };
    Failure::usage(error.to_string(), hint)
}

/// Refuses a secret that is read from another file than it was written as.
fn refuse_copy(secret: &SecretFile, found: Option<Stamp>, path: &Path) -> Result<(), Failure> {
    let Some((written, found)) = secret.stamp.zip(found).filter(|_| secret.is_copy(found)) else {
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

/// Takes hold of the secret for one opening of a commitment, if it hides: no other process can open it meanwhile.
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
                with_ending(commitment, ".secret").display()
            );
            return Err(Failure::usage(format!("{name} hides: opening it needs its secret"), hint));
        }
        (Some(path), true) => path,
    };
    let held = store::hold(path)?;
    let (kept, found) = held.read()?;
    if !args.moved_secret {
        refuse_copy(&kept, found, path)?;
    }
    let left = kept.left();
    let SecretFile { commitment: of, openings, secret, .. } = kept;
    let ours = SecretFile::of(file, Secret::from_seed(&[0; 32], 0));
    if (of, openings) != (ours.commitment, ours.openings) {
        let message = format!("{} is the secret of another commitment than {name}", path.display());
        return Err(Failure::usage(message, "give the secret that was written with the commitment"));
    }
    if left == 0 {
        let message = format!("no opening is left: all {openings} of {name} are used up");
        return Err(Failure::usage(message, "commit again, with --hiding for as many openings as you need"));
    }
    Ok(Some((held, secret)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAMP: Stamp = Stamp { device: 7, inode: 1 << 40, born: Some(5) };

    fn file() -> SecretFile {
        SecretFile { commitment: [3; 32], openings: 2, secret: Secret::from_seed(&[9; 32], 1), stamp: None }
    }

    #[test]
    fn a_copy_is_named_with_its_danger() {
        let written = SecretFile { stamp: Some(STAMP), ..file() };
        let said = |found| refuse_copy(&written, found, Path::new("x")).map_err(|failure| failure.message);
        assert_eq!(said(Some(STAMP)), Ok(()));
        assert_eq!(said(None), Ok(()), "nothing to compare");
        let copy = said(Some(Stamp { inode: 8, ..STAMP })).unwrap_err();
        assert!(copy.contains("is inode 8") && copy.contains("a mask is used again"), "{copy}");
        let later = said(Some(Stamp { born: Some(6), ..STAMP })).unwrap_err();
        assert!(later.contains("another file with that number"), "{later}");
        assert_eq!(
            refuse_copy(&file(), Some(STAMP), Path::new("x")).map_err(|failure| failure.message),
            Ok(())
        );
    }
}
