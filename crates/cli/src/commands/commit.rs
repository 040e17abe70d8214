//! `tenfold commit`: a file of rows or bytes becomes a commitment file.

use super::failure::{failure, refused, unfound, unreadable};
use super::{beside, held, open_any, params, table, with_ending, witness};
use crate::args::{CommitArgs, Common, MIN_BITS};
use crate::exit::{Exit, Failure};
use crate::files::{Kind, Output};
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use data::{Content, Opened, Options};
use iop::security::{Policy, Report, Shown, Theorem};
use pcs::pip::Secret;
use serde_json::json;
use std::path::{Path, PathBuf};
use tenfold::any::{AnyEntries, Mode};
use tenfold::dataset::{Base, Column, Table};
use tenfold::file::{SecretFile, Stamp, WitnessFile};
use tenfold::statement::Description;
use tenfold::{AnyParams, AnyScheme, CommitmentFile, Dataset, Device, Setup, Witness, search};

/// Data to commit to: bytes are read as they are committed to.
enum Data {
    Column(Column),
    Table(Table),
    Bytes(Content),
}

impl Data {
    fn read(opened: Opened, of_bytes: bool, options: Options) -> Result<Self, Failure> {
        if of_bytes {
            opened.bytes(&options).map(Self::Bytes).map_err(unreadable)
        } else {
            opened.column(options).map(Self::Column).map_err(unreadable)
        }
    }
}

/// The command.
pub fn run(args: &CommitArgs, common: &Common) -> Result<Exit, Failure> {
    table::check_source(&args.input, args.input.column.len())?;
    table::check_names(&args.input)?;
    let read = |path: &PathBuf| params::read(path, &args.scheme.policy(), common);
    let mut progress = Progress::new(common.quiet || common.json);
    let given = args.params.as_ref().map(read).transpose()?;
    let openings = given.as_ref().map_or(args.leaves.hiding.unwrap_or(0), |p| p.summary().hidden_openings);
    let named = given.as_ref().and_then(|params| Base::from_data(params.summary().fields[0]));
    let base = named.or(args.scheme.field).unwrap_or(Base::Goldilocks);
    let mut options = args.input.options(common, base);
    let scheme = given.as_ref().map(AnyParams::scheme).or(args.scheme.scheme);
    let (opened, of_bytes) = open_any(&args.input, scheme, &mut options, &mut progress)?;
    check_options(args, of_bytes, openings)?;
    let outputs = Outputs::of(args, openings > 0, common)?;
    let data = if args.input.column.len() > 1 {
        drop(opened);
        Data::Table(table::read_named(&args.input, &options, &mut progress)?)
    } else {
        Data::read(opened, of_bytes, options)?
    };
    let params = choose(given, &data, args)?;
    check_memory(&params, &data, common)?;
    let policy = search::policy(&args.scheme.options(), of_bytes).map_err(failure)?;
    let device = Device::new(args.device.device);
    let made = make((params, &policy), data, &device, &mut progress);
    progress.end();
    common.device_notices(&device);
    let made = made?;
    let file = made.commitment().clone();
    let bytes = outputs.write(made, common)?;
    report((&file, bytes), &policy, &outputs, common);
    Ok(Exit::Valid)
}

/// Refuses options that do not go with the data.
fn check_options(args: &CommitArgs, of_bytes: bool, openings: u32) -> Result<(), Failure> {
    let options = args.leaves.options(&args.scheme);
    search::check_options(&options, of_bytes).map_err(failure)?;
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
    let options = args.leaves.options(&args.scheme);
    match (given, data) {
        (Some(params), Data::Column(column)) => search::check_column(&params, column).map(|()| params),
        (Some(params), Data::Table(table)) => search::check_table(&params, table).map(|()| params),
        (Some(params), Data::Bytes(content)) => {
            search::check_bytes(&params, content.length()).map(|()| params)
        }
        (None, Data::Column(column)) => search::column(column, &options),
        (None, Data::Table(table)) => search::table(table, &options),
        (None, Data::Bytes(content)) => search::bytes(content.length(), &options),
    }
    .map_err(|e| unfound(e, &options, matches!(data, Data::Bytes(_))))
}

fn check_memory(params: &AnyParams, data: &Data, common: &Common) -> Result<(), Failure> {
    let need = params.prover_memory(false);
    match data {
        Data::Column(column) => {
            common.within_memory(held(column) + need, "raise `--max-memory`, or take a higher rate")
        }
        Data::Table(table) => {
            let held: u64 = table.columns().iter().map(held).sum();
            common.within_memory(held + need, "raise `--max-memory`, or commit to fewer columns")
        }
        Data::Bytes(_) => common.within_memory(need, "raise `--max-memory`, or split the file"),
    }
}

fn make(
    (params, policy): (AnyParams, &Policy),
    data: Data,
    device: &Device,
    progress: &mut Progress,
) -> Result<Witness, Failure> {
    let hides = params.summary().hidden_openings > 0;
    let mode = if hides { Mode::Hiding(Secret::from_os()) } else { Mode::Lean };
    let setup = Setup::new(policy, mode).on(device);
    let witness = match data {
        Data::Column(column) => {
            progress.phase("committing");
            Witness::commit(&Dataset::Column(column), params, setup)
        }
        Data::Table(table) => {
            progress.phase("committing");
            Witness::commit(&Dataset::Table(table), params, setup)
        }
        Data::Bytes(content) => {
            let (scheme, description, entries) = read(content, (&params, policy))?;
            progress.phase("committing");
            Witness::from_entries((scheme, params), description, entries, setup)
        }
    };
    witness.map_err(failure)
}

/// Reads bytes into the entries of a scheme, and describes them.
pub(super) fn read(
    content: Content,
    (params, policy): (&AnyParams, &Policy),
) -> Result<(AnyScheme, Description, AnyEntries), Failure> {
    let scheme = params.clone().build(policy).map_err(refused)?;
    let (entries, description) = content.entries(&scheme.prover()).map_err(unreadable)?;
    let description = description.hiding(scheme.summary().hidden_openings > 0);
    Ok((scheme, Description::Bytes(description), entries))
}

/// The places of the commitment, of its secret if it hides, and of its witness if that is kept.
struct Outputs {
    commitment: Output,
    secret: Option<Output>,
    witness: Option<Output>,
}

impl Outputs {
    fn of(args: &CommitArgs, hides: bool, common: &Common) -> Result<Self, Failure> {
        let path = args.output.output.clone().unwrap_or_else(|| beside(&args.input.file, "commitment"));
        let witness = witness::output(args, &path, hides, common)?;
        if !hides {
            let commitment = common.files.result(Kind::Commitment, &path)?;
            return Ok(Self { commitment, secret: None, witness });
        }
        if args.secret.is_none() && path.as_os_str() == "-" {
            let message = "a commitment on standard output gives its secret no name";
            return Err(Failure::usage(message, "name the secret with --secret"));
        }
        let secret = args.secret.clone().unwrap_or_else(|| with_ending(&path, ".secret"));
        let secret = common.files.secret(Kind::HidingSecret, &secret)?;
        let commitment = common.files.result(Kind::HidingCommitment, &path)?;
        Ok(Self { commitment, secret: Some(secret), witness })
    }

    /// Writes the commitment, after its secret if it hides: a commitment without its secret could never be opened. Returns its length.
    fn write(&self, made: Witness, common: &Common) -> Result<usize, Failure> {
        let file = made.commitment().clone();
        let kept = self.witness.as_ref().and_then(|_| made.kept()).map(WitnessFile::new);
        let Some((output, secret)) = self.secret.as_ref().zip(made.into_secret()) else {
            return witness::write((&self.commitment, &file), self.witness.as_ref(), kept, common);
        };
        let bytes = file.to_bytes();
        let _lock = witness::lock(&self.commitment, common)?;
        let commitment = self.commitment.stage(&bytes)?;
        let secret = SecretFile::of(&file, secret);
        let secret = output.stage_with(|file| Ok(secret.encode(Stamp::of(file)?)))?;
        commitment.place_after(secret).map(|()| bytes.len())
    }
}

/// Says what was committed to, and where it is.
fn report((file, bytes): (&CommitmentFile, usize), policy: &Policy, outputs: &Outputs, common: &Common) {
    let summary = file.params.summary();
    let proven = file.params.report().under(policy.theorems).proven_bits();
    let (rows, fingerprint) = (file.description.rows(&file.params), units::hex(&file.fingerprint()));
    let (path, secret) = (outputs.commitment.path(), outputs.secret.as_ref().map(Output::path));
    let (field, unit) = (file.params.fields_name(), file.params.unit());
    if common.json {
        let name = |output: Option<&Output>| output.map(|output| output.path().display().to_string());
        let mut value = json!({ "file": path.display().to_string(), "bytes": bytes,
            "fingerprint": fingerprint, "rows": rows, "field": field, "proven_bits": proven,
            "hidden_openings": summary.hidden_openings, "secret": name(outputs.secret.as_ref()),
            "witness": name(outputs.witness.as_ref()) });
        if let (Description::Bytes(bytes), Some(unit)) = (&file.description, unit) {
            value["entries"] = json!(unit.name());
            value["data_bytes"] = json!(bytes.length);
        }
        if let Description::Table(table) = &file.description {
            value["columns"] = table.columns.iter().map(|column| column.name.as_str()).collect();
        }
        output::json(&value);
    } else if !common.quiet {
        let paint = Paint::stderr();
        let amount = unit.map_or_else(|| units::several(rows, "row"), |unit| unit.several(rows));
        note!(
            "{} {amount} of {}, {:.1} proven bits over {field}\n  fingerprint {fingerprint}\n  written to {}",
            paint.green("committed:"),
            paint.bold(&file.description.shown()),
            Shown(proven),
            terminal::path(path)
        );
        let options = accepting(&file.params.report(), policy);
        if !options.is_empty() {
            note!("  `open` and `verify` accept it with {options}");
        }
        if let Some(secret) = secret {
            note_hiding(summary.hidden_openings, &file.description, secret);
        }
        outputs.witness.iter().for_each(witness::note);
    }
}

/// The options by which a verifier accepts what the policy asks for, where the default does not.
fn accepting(report: &Report, policy: &Policy) -> String {
    let bits = policy.min_bits.min(MIN_BITS);
    let mut options = Vec::new();
    options.extend((bits < MIN_BITS).then(|| format!("--min-bits {bits}")));
    if Policy::at_least(bits).check(report).is_err() {
        let theorems: Vec<&str> = policy.theorems.iter().map(Theorem::name).collect();
        options.push(format!("--theorems {}", theorems.join(",")));
    }
    options.join(" ")
}

/// Says how many openings are left, and by which secret.
pub(super) fn note_hiding(openings: u32, description: &Description, secret: &Path) {
    note!("  {openings} hidden opening(s), by the secret in {}", terminal::path(secret));
    note!("  keep it, show it to nobody, and never put back an old copy: it counts the openings");
    let rows = match description {
        Description::Column(column) => column.rows,
        Description::Table(table) => table.rows(),
        Description::Bytes(_) => return,
    };
    if !rows.is_power_of_two() {
        note!("  rows can be proved, their sum cannot, which takes a power of two of rows");
    }
}
