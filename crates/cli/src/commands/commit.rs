//! `tenfold commit`: a file of rows becomes a commitment file.

use super::committed::Committed;
use super::secret::{self, SecretFile, store};
use super::subject::Subject;
use super::verified::root;
use super::{BYTES_PER_ROW, blob, load, scheme, write_file};
use crate::args::{CommitArgs, Common, SchemeChoice};
use crate::data::{Base, Column, embed};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use crate::units;
use field::{ExtensionOf, TwoAdic};
use pcs::pip::{Prover, Scheme, Secret, Witness};
use pcs::with_fields;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Commits to a column, with its secret if it hides; the prover keeps what opening needs.
pub fn commit<B: TwoAdic, E: ExtensionOf<B>>(
    scheme: &Scheme<B, E>,
    column: &Column,
    secret: Option<Secret>,
) -> Witness<B, E> {
    let entries = embed::elements::<B>(&column.values, 1 << scheme.params().log_size);
    match secret {
        None => Prover::new(scheme).commit(entries),
        Some(secret) => Prover::new(scheme).commit_hiding(&[&entries], secret),
    }
}

/// The command.
pub fn run(args: &CommitArgs, common: &Common) -> Result<Exit, Failure> {
    if args.scheme.scheme == SchemeChoice::Ligerito {
        return blob::commit::run(args, common);
    }
    scheme::refuse_entries(&args.scheme)?;
    let CommitArgs { input, scheme: wanted, hiding, .. } = args;
    let mut progress = Progress::new(common.quiet || common.json);
    let raw_width = wanted.field.base().unwrap_or(Base::Goldilocks).raw_width();
    let column = load(input, common, BYTES_PER_ROW, raw_width, &mut progress)?;
    let base = scheme::base(&column, wanted)?;
    let log_size = scheme::log_size(&column);
    let params = match hiding.hiding {
        None => scheme::params(base, log_size, wanted)?,
        Some(openings) => scheme::padded_hiding_params(base, log_size, wanted, openings)?,
    };
    progress.phase("committing");
    let subject = Subject::of(&column).hiding(hiding.hiding.is_some());
    let secret = hiding.hiding.map(|_| Secret::from_os());
    let (commitment, secret) = with_fields!(params.fields, B, E => {
        let scheme = scheme::validated::<B, E>(&params, wanted.bits.number())?;
        let witness = commit(&scheme, &column, secret);
        (witness.commitment().to_bytes(), witness.into_secret())
    });
    progress.end();
    let bits = params.report().proven_bits();
    let committed = Committed { params, subject, commitment };
    let bytes = committed.encode();
    let path = commitment_path(args);
    let secret = write(&committed, secret, &path, args.secret.as_deref())?;
    let fingerprint = committed.fingerprint();
    let root = root(&committed.commitment);
    if common.json {
        output::line(format_args!(
            "{:#}",
            json!({ "file": path.display().to_string(), "bytes": bytes.len(), "root": root,
                "fingerprint": fingerprint, "rows": column.rows(),
                "field": committed.params.fields.name(), "proven_bits": bits,
                "hidden_openings": committed.params.hidden_openings,
                "secret": secret.map(|path| path.display().to_string()) })
        ));
    } else if !common.quiet {
        let paint = Paint::stderr();
        eprintln!(
            "{} {} rows of {}, {:.1} proven bits over {}\n  fingerprint {fingerprint}\n  written to {}",
            paint.green("committed:"),
            units::count(column.rows() as u64),
            paint.bold(&column.name),
            bits,
            committed.params.fields.name(),
            path.display()
        );
        if let Some(secret) = secret {
            say_hiding(&committed, &secret);
        }
    }
    Ok(Exit::Valid)
}

/// Where the commitment goes.
pub(super) fn commitment_path(args: &CommitArgs) -> PathBuf {
    args.output.output.clone().unwrap_or_else(|| args.input.file.with_extension("commitment"))
}

/// Writes the commitment, after its secret if it hides: a commitment without its secret could never be opened.
fn write(
    committed: &Committed,
    secret: Option<Secret>,
    path: &Path,
    secret_path: Option<&Path>,
) -> Result<Option<PathBuf>, Failure> {
    let Some(secret) = secret else {
        write_file(path, &committed.encode())?;
        return Ok(None);
    };
    let secret_path = secret_path.map_or_else(|| secret::beside(path), Path::to_owned);
    store::create(&secret_path, &SecretFile::of(committed, secret))?;
    let written = if same_file(path, &secret_path) {
        let message = format!("{} cannot be the commitment and its secret at once", path.display());
        Err(Failure::usage(message, "give two names with -o and --secret"))
    } else {
        write_file(path, &committed.encode())
    };
    written.inspect_err(|_| {
        // The secret of a commitment that nobody has seen.
        let _ = std::fs::remove_file(&secret_path);
    })?;
    Ok(Some(secret_path))
}

/// Whether two names, of which the second exists, lead to one file.
fn same_file(path: &Path, existing: &Path) -> bool {
    let canonical = std::fs::canonicalize(path);
    canonical.is_ok_and(|path| std::fs::canonicalize(existing).is_ok_and(|existing| path == existing))
}

fn say_hiding(committed: &Committed, secret: &Path) {
    let openings = committed.params.hidden_openings;
    eprintln!("  {openings} hidden opening(s), by the secret in {}", secret.display());
    eprintln!("  keep it, show it to nobody, and never put back an old copy: it counts the openings");
    if !committed.subject.rows.is_power_of_two() {
        eprintln!("  rows can be proved, their sum cannot, which takes a power of two of rows");
    }
}
