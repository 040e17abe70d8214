//! `tenfold tour`: commit to a column or to the bytes of a file; of numbers prove the sum and a weighted sum, of bytes an entry;
//! verify, and compare the schemes.

use super::blob;
use super::compare::{self, Baselines, Data};
use super::failure::failure;
use super::verified::{Verified, fingerprint};
use super::verify::{describe, describe_with};
use super::{COMPARED_BYTES_PER_ROW, Opened, commit, scheme, weights};
use crate::args::{Bits, Common, SchemeArgs, SchemeChoice, TourArgs};
use crate::data::{Base, Column, Layout, Values};
use crate::exit::{Exit, Failure};
use crate::files::{Kind, Output, TOUR_WEIGHTS};
use crate::output;
use crate::page::comparison_table;
use crate::progress::Progress;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use iop::security::{Policy, Report, Shown};
use pcs::file::SchemeId;
use serde_json::json;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tenfold::any::Mode;
use tenfold::prove::check_weighted_sum;
use tenfold::search::AUTOMATIC;
use tenfold::statement::{BytesDescription, Description, Unit};
use tenfold::verify::Limits;
use tenfold::{AnyParams, Claim, Dataset, Error, Witness};

/// The weights of the weighted mean go from 1 for the first part of the rows to so many for the last.
const WEIGHTS: usize = 8;

/// A commitment and its proofs, as their files have them.
struct Proven {
    commitment: Vec<u8>,
    /// Of entries and the sum.
    proof: Vec<u8>,
    /// Of the weighted sum, with its weights.
    weighted: Option<(Vec<u8>, Dataset)>,
    /// What was committed to, in words.
    data: String,
    /// To commit, and to prove.
    times: [Duration; 2],
}

impl Proven {
    /// Verifies the proofs.
    fn verify(&self, policy: &Policy) -> Result<Vec<Verified>, Failure> {
        let mut verified = vec![describe(&self.proof, policy)?];
        if let Some((proof, weights)) = &self.weighted {
            let limits = Limits { policy: *policy, max_memory: u64::MAX };
            verified.push(describe_with(proof, &limits, Some(weights))?);
        }
        Ok(verified)
    }
}

/// Where the results go.
struct Outputs {
    commitment: Output,
    proof: Output,
    weighted: Option<Output>,
    /// If they are made up.
    weights: Option<Output>,
    page: Output,
}

/// The command.
pub fn run(args: &TourArgs, common: &Common) -> Result<Exit, Failure> {
    let directory = args.directory.clone().unwrap_or_else(|| "target/tour".into());
    std::fs::create_dir_all(&directory).map_err(Failure::file("create", &directory))?;
    let mut progress = Progress::new(common.quiet || common.json);
    let data = load(args, common, &mut progress)?;
    progress.end();
    let outputs = Outputs::new(&directory, (&data, args), common)?;
    let bits = match &data {
        Data::Numbers(_) => args.scheme.bits(),
        Data::Bytes(..) => Bits::of(blob::params::bits(&args.scheme)?),
    };
    let args = TourArgs { scheme: SchemeArgs { bits: Some(bits), ..args.scheme.clone() }, ..args.clone() };
    let policy = args.scheme.policy();
    let proven = match &data {
        Data::Numbers(column) => {
            let given = weights::load(&args.weights, SchemeId::Pip, common, &mut progress)?;
            of_column(column, given, &args, &policy)?
        }
        Data::Bytes(..) if args.weights.weights.is_some() => {
            let message = "the tour of a file of bytes proves single entries";
            return Err(Failure::usage(
                message,
                "leave --weights out, or prove an inner product by `open --weights`",
            ));
        }
        Data::Bytes(name, bytes) => of_bytes((name, bytes), &args, &policy, common)?,
    };
    finish(&proven, &data, (&args, common), (&directory, outputs), progress)
}

/// The data: bytes where `commit` would take them as such, else a column.
fn load(args: &TourArgs, common: &Common, progress: &mut Progress) -> Result<Data, Failure> {
    if args.scheme.scheme == Some(SchemeChoice::Ligerito) {
        blob::source::check_input(&args.input)?;
        let source = blob::source::Source::open(&args.input, common, progress)?;
        return Ok(Data::Bytes(source.name.clone(), source.bytes()?));
    }
    let opened = Opened::input(&args.input, common, progress)?;
    if opened.is_bytes() && args.scheme.scheme.is_none() {
        let source = blob::source::Source::of(opened.source, common)?;
        return Ok(Data::Bytes(source.name.clone(), source.bytes()?));
    }
    scheme::refuse_binary(&args.scheme)?;
    let width = Base::Goldilocks.raw_width();
    Ok(Data::Numbers(opened.column(&args.input, (common, COMPARED_BYTES_PER_ROW), width, None)?))
}

/// Tells what was proven, verifies it, compares, and writes the files.
fn finish(
    proven: &Proven,
    data: &Data,
    (args, common): (&TourArgs, &Common),
    (directory, outputs): (&Path, Outputs),
    mut progress: Progress,
) -> Result<Exit, Failure> {
    let (paint, Proven { commitment, proof, weighted, times, .. }) = (Paint::stdout(), proven);
    let say = |line: std::fmt::Arguments| {
        if !common.json {
            output::line(line);
        }
    };
    let ms = |d: Duration| units::millis(d.as_secs_f64() * 1e3);
    let size = |proof: &[u8]| units::bytes(proof.len() as u64);
    let fingerprint = fingerprint(commitment);
    let fingerprint = fingerprint.get(..16).unwrap_or_default();
    say(format_args!("{}  {}", paint.bold("data  "), proven.data));
    say(format_args!("{}  fingerprint {fingerprint}… in {}", paint.bold("commit"), ms(times[0])));
    let second = weighted.as_ref().map(|(proof, _)| format!(" and {}", size(proof))).unwrap_or_default();
    say(format_args!("{}  {}{second} in {}", paint.bold("prove "), size(proof), ms(times[1])));
    let start = Instant::now();
    let verified = proven.verify(&args.scheme.policy())?;
    let verifying = start.elapsed();
    let claims: Vec<&String> = verified.iter().flat_map(|verified| &verified.claims).collect();
    for claim in &claims {
        say(format_args!("{}  {} {claim}", paint.bold("verify"), paint.green("valid:")));
    }
    say(format_args!("        in {}", ms(verifying)));
    outputs.write(proven)?;
    let baselines = Baselines::of(data)?;
    say(format_args!("\n{}", baselines.text()));
    let bits = args.scheme.bits().number();
    let these = if matches!(data, Data::Numbers(_)) { "this column" } else { "these bytes" };
    say(format_args!("\nEvery scheme on {these} at {bits} or more proven bits:\n"));
    let filter = compare::Filter::all(&args.scheme);
    let measured = compare::measure(data, &filter, &AtomicBool::new(false), None, &mut progress)?;
    say(format_args!("{}\n", comparison_table(&measured.rows, paint).trim_end()));
    say(format_args!("{}", compare::counted(&measured.rows)));
    outputs.page.write(compare::page(&args.input, data, &measured, bits).as_bytes())?;
    say(format_args!("\ncommitment, proofs and comparison page are in {}", terminal::path(directory)));
    if common.json {
        let least =
            verified.iter().map(|verified| verified.report.proven_bits()).fold(f64::INFINITY, f64::min);
        output::line(format_args!(
            "{:#}",
            json!({ "valid": true, "claims": claims, "proven_bits": least,
                "proof_bytes": proof.len(), "weighted_proof_bytes": weighted.as_ref().map(|(proof, _)| proof.len()),
                "directory": directory.display().to_string(), "baselines": baselines.json(), "compare": measured.rows })
        ));
    }
    Ok(Exit::Valid)
}

impl Outputs {
    fn new(directory: &Path, (data, args): (&Data, &TourArgs), common: &Common) -> Result<Self, Failure> {
        let numbers = matches!(data, Data::Numbers(_));
        let name = if numbers { "column" } else { "file" };
        let output = |kind, name: String| common.files.result(kind, &directory.join(name));
        let weighted = || output(Kind::Proof, format!("{name}.weighted.proof"));
        let weights = || output(Kind::Weights, "weights.csv".into());
        let made_up = numbers && args.weights.weights.is_none();
        Ok(Self {
            commitment: output(Kind::Commitment, format!("{name}.commitment"))?,
            proof: output(Kind::Proof, format!("{name}.proof"))?,
            weighted: numbers.then(weighted).transpose()?,
            weights: made_up.then(weights).transpose()?,
            page: output(Kind::Page, "compare.html".into())?,
        })
    }

    /// Writes all but the page.
    fn write(&self, proven: &Proven) -> Result<(), Failure> {
        self.commitment.write(&proven.commitment)?;
        self.proof.write(&proven.proof)?;
        let Some((proof, weights)) = &proven.weighted else { return Ok(()) };
        if let Some(file) = &self.weighted {
            file.write(proof)?;
        }
        if let (Some(file), Dataset::Column(weights)) = (&self.weights, weights) {
            let rows: String = weights.values.iter().map(|weight| format!("{weight}\n")).collect();
            file.write(format!("{TOUR_WEIGHTS}{rows}").as_bytes())?;
        }
        Ok(())
    }
}

/// The data and the bits in words.
fn data_line(amount: &str, name: &str, report: &Report, field: &str) -> String {
    let bits = Shown(report.proven_bits());
    format!("{amount} of `{}`, {bits:.1} proven bits over {field}", terminal::escape(name))
}

/// Commitment to a column, a proof of its sum, with an entry if one is named, and one of a weighted sum, by PIP_FRI.
fn of_column(
    column: &Column,
    given: Option<Dataset>,
    args: &TourArgs,
    policy: &Policy,
) -> Result<Proven, Failure> {
    let (needed, rows) = (given.is_some(), column.rows() as u64);
    let weights = given.unwrap_or_else(|| Dataset::Column(recency(column.rows())));
    if weights.rows() != rows {
        return Err(weights::other_count(&weights, weights.rows(), rows));
    }
    let base = base(column, &weights, &args.scheme)?;
    let fits = check_sums(column, &weights, base);
    if needed {
        fits.clone().map_err(failure)?;
    }
    let params = scheme::params(base, scheme::log_size(column), &args.scheme)?;
    let amount = format!("{} rows", units::count(rows));
    let data = data_line(&amount, &column.name, &params.report(), params.fields.name());
    let scheme = scheme::validated(&params, policy)?;
    let (params, description) = (AnyParams::Matrix(params), Description::Column(column.describe()));
    let start = Instant::now();
    let entries = commit::entries(&scheme.prover(), column)?;
    let witness = Witness::from_entries((scheme, params), description, entries, (policy, Mode::Whole));
    let mut witness = witness.map_err(failure)?;
    let committing = start.elapsed();
    let start = Instant::now();
    let claims: Vec<Claim<'_>> = args.row.map(Claim::Row).into_iter().chain([Claim::Sum]).collect();
    let proof = prove(&mut witness, &claims)?;
    let weighted = match fits {
        Ok(()) => Some((prove(&mut witness, &[Claim::Weighted(&weights)])?, weights)),
        Err(_) => None,
    };
    let times = [committing, start.elapsed()];
    Ok(Proven { commitment: witness.commitment().to_bytes(), proof, weighted, data, times })
}

/// Refuses weights and weighted sums that a field does not hold.
fn check_sums(column: &Column, weights: &Dataset, base: Base) -> Result<(), Error> {
    match weights {
        Dataset::Column(weights) => check_weighted_sum(column, weights, base, true),
        Dataset::Bytes(_) => Err(Error::WeightsKind("a column are numbers")),
    }
}

/// The data field: the one asked for, or the smallest that holds the rows, their sum, and the weighted sum.
fn base(column: &Column, weights: &Dataset, args: &SchemeArgs) -> Result<Base, Failure> {
    let base = scheme::base(column, args)?;
    let holds = |base: &Base| check_sums(column, weights, *base).is_ok();
    let wider = AUTOMATIC.into_iter().skip_while(|automatic| *automatic != base).find(holds);
    Ok(if args.field.base().is_none() { wider.unwrap_or(base) } else { base })
}

/// Weights that grow with the row: later rows count more.
fn recency(rows: usize) -> Column {
    let name = TOUR_WEIGHTS.trim_end().to_owned();
    let values = Values::Narrow((0..rows).map(|row| 1 + (row * WEIGHTS / rows) as i64).collect());
    Column { name, values, scale: 0, layout: Layout::Numbers, source_digest: [0; 32] }
}

/// The bytes of a proof file.
fn prove(witness: &mut Witness, claims: &[Claim<'_>]) -> Result<Vec<u8>, Failure> {
    witness.open(claims).map(|proof| proof.to_bytes()).map_err(failure)
}

/// Commitment and proof of an entry of a file's bytes, by Ligerito.
fn of_bytes(
    (name, bytes): (&str, &[u8]),
    args: &TourArgs,
    policy: &Policy,
    common: &Common,
) -> Result<Proven, Failure> {
    let length = bytes.len() as u64;
    let params = blob::params::choose(length, &args.scheme)?;
    blob::source::check_memory(&params, true, common)?;
    let unit = Unit::of(&params);
    let rows = unit.count(length);
    let description = BytesDescription { name: name.into(), length, source: *blake3::hash(bytes).as_bytes() };
    let data = data_line(&unit.several(rows), name, &params.report(), params.fields.name());
    let scheme = scheme::validated(&params, policy)?;
    let (params, description) = (AnyParams::Matrix(params), Description::Bytes(description));
    let start = Instant::now();
    let entries = blob::source::entries(&scheme.prover(), bytes)?;
    let witness = Witness::from_entries((scheme, params), description, entries, (policy, Mode::Whole));
    let mut witness = witness.map_err(failure)?;
    let committing = start.elapsed();
    let start = Instant::now();
    let proof = prove(&mut witness, &[Claim::Row(args.row.unwrap_or(rows / 2))])?;
    let times = [committing, start.elapsed()];
    Ok(Proven { commitment: witness.commitment().to_bytes(), proof, weighted: None, data, times })
}
