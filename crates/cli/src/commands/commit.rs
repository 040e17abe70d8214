//! `tenfold commit`: a file of rows becomes a commitment file.

use super::blob::source::within_memory;
use super::committed::Committed;
use super::params_file::{self, Given};
use super::scheme::base_of;
use super::secret::{self, SecretFile};
use super::subject::Subject;
use super::{BYTES_PER_ROW, Opened, beside, blob, held, scheme, witness};
use crate::args::{CommitArgs, Common, SchemeChoice};
use crate::data::{Base, Column, embed};
use crate::exit::{Exit, Failure};
use crate::files::{Kind, Output};
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use field::{ExtensionOf, TwoAdic};
use iop::security::Shown;
use pcs::longest::MAX_CONTEXT;
use pcs::pip::{Params, Prover, Scheme, Secret, Witness};
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
    let Made { commitment, secret, witness } = with_fields!(params.fields, B, E => {
        let scheme = scheme::validated::<B, E>(&params, &args.scheme.policy())?;
        make(&scheme, &column, (secret, keeps), common)?
    });
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
fn described(column: &Column, hides: bool) -> Result<Subject, Failure> {
    let subject = Subject::of(column).hiding(hides);
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

fn make<B: TwoAdic, E: ExtensionOf<B>>(
    scheme: &Scheme<B, E>,
    column: &Column,
    (secret, keeps): (Option<Secret>, bool),
    common: &Common,
) -> Result<Made, Failure> {
    let need = held(column) + scheme.params().prover_memory(false);
    within_memory(need, common, "raise `--max-memory`, or take a higher rate")?;
    if secret.is_some() {
        let witness = commit(scheme, column, secret);
        let commitment = witness.commitment().to_bytes();
        return Ok(Made { commitment, secret: witness.into_secret(), witness: None });
    }
    let entries = embed::elements::<B>(&column.values, 1 << scheme.params().log_size);
    let witness = Prover::new(scheme).commit_lean(entries);
    let kept = keeps.then(|| witness::Body::new(witness.message(), witness.nodes()));
    Ok(Made { commitment: witness.commitment().to_bytes(), secret: None, witness: kept })
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
    base_of(params.fields).check(&column.values, column.scale)?;
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
