//! `tenfold commit`: a file of rows or bytes becomes a commitment file.

use super::blob::source::{Source, check_input, within_memory};
use super::failure::{failure, refused};
use super::params_file;
use super::scheme::unfound;
use super::secret::{self, SecretFile};
use super::{BYTES_PER_ROW, Opened, beside, blob, held, witness};
use crate::args::{CommitArgs, Common, SchemeChoice};
use crate::data::{Base, Column};
use crate::exit::{Exit, Failure};
use crate::files::{Kind, Output};
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use iop::security::{Policy, Shown};
use pcs::pip::Secret;
use serde_json::json;
use std::path::{Path, PathBuf};
use tenfold::any::{AnyEntries, AnyProver, Mode};
use tenfold::statement::{BytesDescription, Description, Unit};
use tenfold::{AnyParams, AnyScheme, CommitmentFile, Dataset, Witness, search};

/// The entries of a column, for a prover of parameters that hold its rows.
pub(super) fn entries(prover: &AnyProver<'_>, column: &Column) -> Result<AnyEntries, Failure> {
    let hint = "report this: parameters are chosen for the number of rows";
    prover.integers(&mut column.values.iter()).map_err(|e| Failure::usage(e.to_string(), hint))
}

/// Data that were opened, and of which a column is not read yet.
enum Input {
    Column(Opened),
    Bytes(Source),
}

/// Data to commit to: bytes are read as they are committed to.
pub(super) enum Data {
    Column(Column),
    Bytes(Source),
}

/// The command.
pub fn run(args: &CommitArgs, common: &Common) -> Result<Exit, Failure> {
    let read = |path: &PathBuf| params_file::read(path, &args.scheme.policy(), common);
    let mut progress = Progress::new(common.quiet || common.json);
    let given = args.params.as_ref().map(read).transpose()?;
    let openings = given.as_ref().map_or(args.hiding.hiding.unwrap_or(0), |p| p.summary().hidden_openings);
    let input = open(args, given.as_ref(), common, &mut progress)?;
    check_options(args, &input, openings)?;
    let outputs = Outputs::of(args, openings > 0, common)?;
    let data = match input {
        Input::Bytes(source) => Data::Bytes(source),
        Input::Column(opened) => {
            let named = given.as_ref().and_then(|params| Base::from_data(params.summary().fields[0]));
            let base = named.or(args.scheme.field.base()).unwrap_or(Base::Goldilocks);
            Data::Column(opened.column(&args.input, (common, BYTES_PER_ROW), base.raw_width(), None)?)
        }
    };
    let params = choose(given, &data, args)?;
    check_memory(&params, &data, common)?;
    let policy = policy(args, &data)?;
    let keeps = if outputs.witness.is_some() { Keeps::Witness } else { Keeps::Nothing };
    let made = make((params, &policy), data, keeps, &mut progress)?;
    progress.end();
    let file = made.file.clone();
    let bytes = outputs.write(made)?;
    report((&file, bytes), &policy, &outputs, common);
    Ok(Exit::Valid)
}

/// Opens the input: bytes where the arguments or the content say so, else numbers.
fn open(
    args: &CommitArgs,
    given: Option<&AnyParams>,
    common: &Common,
    progress: &mut Progress,
) -> Result<Input, Failure> {
    let bytes = match given {
        Some(params) => params.of_bytes().is_some(),
        None => args.scheme.scheme == Some(SchemeChoice::Ligerito),
    };
    if bytes {
        check_input(&args.input)?;
        return Source::open(&args.input, common, progress).map(Input::Bytes);
    }
    let opened = Opened::input(&args.input, common, progress)?;
    if opened.is_bytes() && given.is_none() && args.scheme.scheme.is_none() {
        check_input(&args.input)?;
        return Source::of(opened.source, common).map(Input::Bytes);
    }
    Ok(Input::Column(opened))
}

/// Refuses options that do not go with the data.
fn check_options(args: &CommitArgs, input: &Input, openings: u32) -> Result<(), Failure> {
    match input {
        Input::Column(_) => super::scheme::refuse_binary(&args.scheme)?,
        Input::Bytes(_) => {
            let options = args.hiding.options(&args.scheme);
            search::check_bytes_options(&options).map_err(failure)?;
        }
    }
    if args.secret.is_some() && openings == 0 {
        return Err(Failure::usage(
            "these parameters do not hide: the commitment has no secret",
            "leave --secret out, or write parameters with `params --hiding N -o FILE`",
        ));
    }
    Ok(())
}

/// The parameters of a file, if they are for these data, else those that the search finds.
fn choose(given: Option<AnyParams>, data: &Data, args: &CommitArgs) -> Result<AnyParams, Failure> {
    let options = args.hiding.options(&args.scheme);
    match (given, data) {
        (Some(params), Data::Column(column)) => search::check_column(&params, column).map(|()| params),
        (Some(params), Data::Bytes(source)) => search::check_bytes(&params, source.length).map(|()| params),
        (None, Data::Column(column)) => {
            return search::column(column, &options).map_err(|e| unfound(e, &options));
        }
        (None, Data::Bytes(source)) => {
            let params = search::bytes_params(source.length, &options).map(AnyParams::Matrix);
            return params.map_err(blob::params::unfound);
        }
    }
    .map_err(failure)
}

fn check_memory(params: &AnyParams, data: &Data, common: &Common) -> Result<(), Failure> {
    let need = params.prover_memory(false);
    match data {
        Data::Column(column) => {
            within_memory(held(column) + need, common, "raise `--max-memory`, or take a higher rate")
        }
        Data::Bytes(_) => within_memory(need, common, "raise `--max-memory`, or split the file"),
    }
}

/// The policy of a verifier who wants the bits asked for.
fn policy(args: &CommitArgs, data: &Data) -> Result<Policy, Failure> {
    let policy = args.scheme.policy();
    Ok(match data {
        Data::Column(_) => policy,
        Data::Bytes(_) => Policy { min_bits: blob::params::bits(&args.scheme)?, ..policy },
    })
}

/// The files written beside the commitment.
#[derive(Clone, Copy, PartialEq)]
enum Keeps {
    Nothing,
    Witness,
}

/// A commitment, its secret if it hides, and what opening needs if that is kept.
struct Made {
    file: CommitmentFile,
    secret: Option<Secret>,
    witness: Option<witness::Body>,
}

fn make(
    (params, policy): (AnyParams, &Policy),
    data: Data,
    keeps: Keeps,
    progress: &mut Progress,
) -> Result<Made, Failure> {
    let hides = params.summary().hidden_openings > 0;
    let mode = if hides { Mode::Hiding(Secret::from_os()) } else { Mode::Lean };
    let witness = match data {
        Data::Column(column) => {
            progress.phase("committing");
            Witness::commit(&Dataset::Column(column), params, (policy, mode))
        }
        Data::Bytes(source) => {
            let (scheme, description, entries) = read(source, (&params, policy), progress)?;
            progress.phase("committing");
            Witness::from_entries((scheme, params), description, entries, (policy, mode))
        }
    };
    let witness = witness.map_err(failure)?;
    let kept = if keeps == Keeps::Witness { witness.kept().map(witness::Body::new) } else { None };
    Ok(Made { file: witness.commitment().clone(), secret: witness.into_secret(), witness: kept })
}

/// Reads the bytes of a source into the entries of a scheme, and describes them.
pub(super) fn read(
    source: Source,
    (params, policy): (&AnyParams, &Policy),
    progress: &mut Progress,
) -> Result<(AnyScheme, Description, AnyEntries), Failure> {
    let scheme = params.clone().build(policy).map_err(refused)?;
    let (name, length) = (source.name.clone(), source.length);
    let (entries, digest) = source.read(&scheme.prover(), progress)?;
    let description = Description::Bytes(BytesDescription { name, length, source: digest });
    Ok((scheme, description, entries))
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

    /// Writes the commitment, after its secret if it hides: a commitment without its secret could never be opened. Returns its length.
    fn write(&self, made: Made) -> Result<usize, Failure> {
        let bytes = made.file.to_bytes();
        let Some((output, secret)) = self.secret.as_ref().zip(made.secret) else {
            return witness::write((&self.commitment, &bytes), self.witness.as_ref(), made.witness)
                .map(|()| bytes.len());
        };
        let commitment = self.commitment.stage(&bytes)?;
        let secret = output.stage_stamped(|stamp| SecretFile::of(&made.file, secret).encode(stamp))?;
        commitment.place_after(secret).map(|()| bytes.len())
    }
}

/// Says what was committed to, and where it is.
fn report((file, bytes): (&CommitmentFile, usize), policy: &Policy, outputs: &Outputs, common: &Common) {
    let summary = file.params.summary();
    let proven = file.params.report().under(policy.theorems).proven_bits();
    let (rows, fingerprint) = (file.description.rows(&file.params), units::hex(&file.fingerprint()));
    let (path, secret) = (outputs.commitment.path(), outputs.secret.as_ref().map(Output::path));
    let field = file.params.fields_name();
    if common.json {
        let mut value = json!({ "file": path.display().to_string(), "bytes": bytes,
            "fingerprint": fingerprint, "rows": rows, "field": field, "proven_bits": proven,
            "witness": witness::name(outputs.witness.as_ref()) });
        match (&file.description, file.params.of_bytes()) {
            (Description::Bytes(bytes), Some(params)) => {
                value["entries"] = json!(Unit::of(params).name());
                value["length"] = json!(bytes.length);
            }
            _ => {
                value["hidden_openings"] = json!(summary.hidden_openings);
                value["secret"] = json!(secret.map(|path| path.display().to_string()));
            }
        }
        output::line(format_args!("{value:#}"));
    } else if !common.quiet {
        let paint = Paint::stderr();
        let amount = match file.params.of_bytes() {
            Some(params) => Unit::of(params).several(rows),
            None => format!("{} rows", units::count(rows)),
        };
        note!(
            "{} {amount} of {}, {:.1} proven bits over {field}\n  fingerprint {fingerprint}\n  written to {}",
            paint.green("committed:"),
            paint.bold(&file.description.shown()),
            Shown(proven),
            terminal::path(path)
        );
        if let Some(secret) = secret {
            note_hiding(summary.hidden_openings, rows, secret);
        }
        outputs.witness.iter().for_each(witness::note);
    }
}

fn note_hiding(openings: u32, rows: u64, secret: &Path) {
    note!("  {openings} hidden opening(s), by the secret in {}", terminal::path(secret));
    note!("  keep it, show it to nobody, and never put back an old copy: it counts the openings");
    if !rows.is_power_of_two() {
        note!("  rows can be proved, their sum cannot, which takes a power of two of rows");
    }
}
