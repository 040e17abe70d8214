//! `tenfold commit`: a file of rows becomes a commitment file.

use super::blob::source::within_memory;
use super::committed::Committed;
use super::params_file::{self, Given};
use super::scheme::base_of;
use super::secret::{self, SecretFile};
use super::{BYTES_PER_ROW, Opened, beside, blob, held, scheme, witness};
use crate::args::{CommitArgs, Common, SchemeChoice};
use crate::data::{Base, Column};
use crate::exit::{Exit, Failure};
use crate::files::{Kind, Output};
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use iop::security::Shown;
use pcs::pip::{Params, Secret};
use serde_json::json;
use std::path::{Path, PathBuf};
use tenfold::AnyScheme;
use tenfold::any::{AnyEntries, AnyProver, AnyWitness};
use tenfold::longest::MAX_CONTEXT;
use tenfold::statement::ColumnDescription;

/// The entries of a column, for a prover of parameters that hold its rows.
pub(super) fn entries(prover: &AnyProver<'_>, column: &Column) -> Result<AnyEntries, Failure> {
    let hint = "report this: parameters are chosen for the number of rows";
    prover.integers(&mut column.values.iter()).map_err(|e| Failure::usage(e.to_string(), hint))
}

/// Commits to a column, with its secret if it hides; the prover keeps what opening needs.
pub(super) fn commit(
    prover: &mut AnyProver<'_>,
    column: &Column,
    secret: Option<Secret>,
) -> Result<AnyWitness, Failure> {
    let entries = entries(prover, column)?;
    Ok(match secret {
        None => prover.commit(entries),
        Some(secret) => prover.commit_hiding(entries, secret),
    })
}

/// The command.
pub fn run(args: &CommitArgs, common: &Common) -> Result<Exit, Failure> {
    let read = |path: &PathBuf| params_file::read(path, &args.scheme.policy(), common);
    let mut progress = Progress::new(common.quiet || common.json);
    match args.params.as_ref().map(read).transpose()? {
        Some(Given::Ligerito(params)) => {
            refuse_secret(args, false)?;
            let source = blob::source::Source::open(&args.input, common, &mut progress)?;
            blob::commit::run(args, (Some(params), source), common, progress)
        }
        Some(Given::Pip(params)) => {
            let opened = Opened::input(&args.input, common, &mut progress)?;
            of_column(args, (Some(params), opened), common, progress)
        }
        None if args.scheme.scheme == Some(SchemeChoice::Ligerito) => {
            blob::commit::check(args)?;
            let source = blob::source::Source::open(&args.input, common, &mut progress)?;
            blob::commit::run(args, (None, source), common, progress)
        }
        None => {
            let opened = Opened::input(&args.input, common, &mut progress)?;
            if opened.is_bytes() && args.scheme.scheme.is_none() {
                let source = blob::source::Source::of(opened.source, common)?;
                blob::commit::run(args, (None, source), common, progress)
            } else {
                of_column(args, (None, opened), common, progress)
            }
        }
    }
}

fn of_column(
    args: &CommitArgs,
    (given, opened): (Option<Params>, Opened),
    common: &Common,
    mut progress: Progress,
) -> Result<Exit, Failure> {
    scheme::refuse_binary(&args.scheme)?;
    let hides = given.as_ref().map_or(args.hiding.hiding.is_some(), |params| params.hidden_openings > 0);
    refuse_secret(args, hides)?;
    let outputs = Outputs::of(args, hides, common)?;
    let base = given.as_ref().map(|params| base_of(params.fields)).or(args.scheme.field.base());
    let raw_width = base.unwrap_or(Base::Goldilocks).raw_width();
    let column = opened.column(&args.input, (common, BYTES_PER_ROW), raw_width, None)?;
    let params = match given {
        Some(params) => fitting(params, &column)?,
        None => found(&column, args)?,
    };
    progress.phase("committing");
    let subject = described(&column, hides)?;
    let secret = hides.then(Secret::from_os);
    let keeps = outputs.witness.is_some();
    let scheme = scheme::validated(&params, &args.scheme.policy())?;
    within_memory(
        held(&column) + params.prover_memory(false),
        common,
        "raise `--max-memory`, or take a higher rate",
    )?;
    let Made { commitment, secret, witness } = make(&scheme, &column, (secret, keeps))?;
    progress.end();
    let proven = params.report().under(args.scheme.theorems.set()).proven_bits();
    let committed = Committed { params, subject, commitment };
    let bytes = committed.encode();
    outputs.write(&committed, secret, witness)?;
    let path = outputs.commitment.path();
    let secret = outputs.secret.as_ref().map(Output::path);
    let fingerprint = committed.fingerprint();
    if common.json {
        output::line(format_args!(
            "{:#}",
            json!({ "file": path.display().to_string(), "bytes": bytes.len(),
                "fingerprint": fingerprint, "rows": column.rows(),
                "field": committed.params.fields.name(), "proven_bits": proven,
                "hidden_openings": committed.params.hidden_openings,
                "secret": secret.map(|path| path.display().to_string()),
                "witness": witness::name(outputs.witness.as_ref()) })
        ));
    } else if !common.quiet {
        let paint = Paint::stderr();
        note!(
            "{} {} rows of {}, {:.1} proven bits over {}\n  fingerprint {fingerprint}\n  written to {}",
            paint.green("committed:"),
            units::count(column.rows() as u64),
            paint.bold(&committed.subject.shown()),
            Shown(proven),
            committed.params.fields.name(),
            terminal::path(path)
        );
        if let Some(secret) = secret {
            say_hiding(&committed, secret);
        }
        outputs.witness.iter().for_each(witness::say);
    }
    Ok(Exit::Valid)
}

/// What is committed to, if a proof about it can be read: names in a file may be of any length.
fn described(column: &Column, hides: bool) -> Result<ColumnDescription, Failure> {
    let subject = column.describe().hiding(hides);
    // With room for what a proof adds to it.
    if subject.encode().len() as u64 + 64 > MAX_CONTEXT {
        return Err(Failure::usage("the name of the column is longer than 1 MiB", "give it a shorter one"));
    }
    Ok(subject)
}

/// A commitment, its secret if it hides, and what opening needs if that is kept.
struct Made {
    commitment: Vec<u8>,
    secret: Option<Secret>,
    witness: Option<witness::Body>,
}

fn make(
    scheme: &AnyScheme,
    column: &Column,
    (secret, keeps): (Option<Secret>, bool),
) -> Result<Made, Failure> {
    let mut prover = scheme.prover();
    if secret.is_some() {
        let witness = commit(&mut prover, column, secret)?;
        let commitment = witness.commitment().to_vec();
        return Ok(Made { commitment, secret: prover.end(witness), witness: None });
    }
    let entries = entries(&prover, column)?;
    let witness = prover.commit_lean(entries);
    let kept = if keeps { prover.kept(&witness).map(witness::Body::new) } else { None };
    Ok(Made { commitment: witness.commitment().to_vec(), secret: None, witness: kept })
}

/// The parameters that the search finds for a column.
fn found(column: &Column, args: &CommitArgs) -> Result<Params, Failure> {
    let (base, log_size) = (scheme::base(column, &args.scheme)?, scheme::log_size(column));
    match args.hiding.hiding {
        None => scheme::params(base, log_size, &args.scheme),
        Some(openings) => scheme::padded_hiding_params(base, log_size, &args.scheme, openings),
    }
}

/// Refuses a name for the secret of a commitment that has none.
fn refuse_secret(args: &CommitArgs, hides: bool) -> Result<(), Failure> {
    match &args.secret {
        Some(_) if !hides => {
            let message = "these parameters do not hide: the commitment has no secret";
            Err(Failure::usage(
                message,
                "leave --secret out, or write parameters with `params --hiding N -o FILE`",
            ))
        }
        _ => Ok(()),
    }
}

/// Parameters of a file, if they are for this column: of its length with its padding, or for one that hides longer.
fn fitting(params: Params, column: &Column) -> Result<Params, Failure> {
    column.values.check(base_of(params.fields), column.scale)?;
    let (rows, log_size) = (units::count(column.rows() as u64), scheme::log_size(column));
    let longest =
        if params.hidden_openings > 0 { log_size.max(scheme::LOG_SIZE_FOR_HIDING) } else { log_size };
    let other =
        |what: String| Failure::usage(what, "write parameters for this column with `tenfold params -o FILE`");
    if !(log_size..=longest).contains(&params.log_size) {
        let message =
            format!("the parameters are for 2^{} rows, and {rows} rows take 2^{log_size}", params.log_size);
        return Err(other(message));
    }
    if params.polynomials != 1 {
        return Err(other("the parameters are for several columns".into()));
    }
    Ok(params)
}

/// Where the commitment goes.
pub(super) fn commitment_path(args: &CommitArgs) -> PathBuf {
    args.output.output.clone().unwrap_or_else(|| beside(&args.input.file, "commitment"))
}

/// The places of the commitment, of its secret if it hides, and of its witness if that is kept.
struct Outputs {
    commitment: Output,
    secret: Option<Output>,
    witness: Option<Output>,
}

impl Outputs {
    fn of(args: &CommitArgs, hides: bool, common: &Common) -> Result<Self, Failure> {
        let path = commitment_path(args);
        let witness = witness::output(args, &path, hides, common)?;
        if !hides {
            let commitment = common.files.result(Kind::Commitment, &path)?;
            return Ok(Self { commitment, secret: None, witness });
        }
        let secret = args.secret.clone().unwrap_or_else(|| secret::beside(&path));
        let secret = common.files.secret(Kind::HidingSecret, &secret)?;
        let commitment = common.files.result(Kind::HidingCommitment, &path)?;
        Ok(Self { commitment, secret: Some(secret), witness })
    }

    /// Writes the commitment, after its secret if it hides: a commitment without its secret could never be opened.
    fn write(
        &self,
        committed: &Committed,
        secret: Option<Secret>,
        kept: Option<witness::Body>,
    ) -> Result<(), Failure> {
        let bytes = committed.encode();
        let Some((output, secret)) = self.secret.as_ref().zip(secret) else {
            return witness::write((&self.commitment, &bytes), self.witness.as_ref(), kept);
        };
        let commitment = self.commitment.stage(&bytes)?;
        let secret = output.stage_stamped(|stamp| SecretFile::of(committed, secret).encode(stamp))?;
        commitment.place_after(secret)
    }
}

fn say_hiding(committed: &Committed, secret: &Path) {
    let openings = committed.params.hidden_openings;
    note!("  {openings} hidden opening(s), by the secret in {}", terminal::path(secret));
    note!("  keep it, show it to nobody, and never put back an old copy: it counts the openings");
    if !committed.subject.rows.is_power_of_two() {
        note!("  rows can be proved, their sum cannot, which takes a power of two of rows");
    }
}
