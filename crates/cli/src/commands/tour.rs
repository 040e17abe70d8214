//! `tenfold tour`: commit to a column or to the bytes of a file; of numbers prove the sum and a weighted sum, of bytes an entry;
//! verify, and compare the schemes.

use super::compare::{self, baselines, baselines_json};
use super::failure::{failure, unfound};
use super::verify::{describe, describe_with};
use super::{COMPARED_BYTES_PER_ROW, open_data, read_data, weights};
use crate::args::{Common, TourArgs};
use crate::exit::{Exit, Failure};
use crate::files::{Kind, Output, TOUR_WEIGHTS};
use crate::output;
use crate::page::comparison_table;
use crate::progress::Progress;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use iop::security::{Policy, Shown};
use pcs::file::SchemeId;
use serde_json::json;
use std::path::Path;
use std::time::{Duration, Instant};
use tenfold::any::Mode;
use tenfold::compare::Filter;
use tenfold::dataset::{Base, Column, Layout, Values};
use tenfold::describe::Verified;
use tenfold::prove::check_weighted_sum;
use tenfold::search::{self, AUTOMATIC, Options};
use tenfold::verify::Limits;
use tenfold::{AnyParams, Claim, CommitmentFile, Dataset, Error, Setup, Witness};

/// The weights of the weighted mean go from 1 for the first part of the rows to so many for the last.
const WEIGHTS: usize = 8;

/// A commitment and its proofs, as their files have them.
struct Proven {
    commitment: CommitmentFile,
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
    let mut reading = args.input.options(common, COMPARED_BYTES_PER_ROW, Base::Goldilocks);
    let (opened, of_bytes) = open_data(&args.input, args.scheme.scheme, &mut reading, &mut progress)?;
    if !of_bytes {
        search::check_column_options(&args.scheme.options()).map_err(failure)?;
    }
    let data = read_data(opened, of_bytes, reading)?;
    progress.end();
    let outputs = Outputs::new(&directory, (&data, args), common)?;
    let policy = search::policy(&args.scheme.options(), of_bytes).map_err(failure)?;
    let mut args = args.clone();
    args.scheme.bits = Some(policy.min_bits);
    let options = args.scheme.options();
    let proven = match &data {
        Dataset::Column(column) => {
            let given = weights::load(&args.weights, SchemeId::Pip, common, &mut progress)?;
            of_column((&data, column), given, (&args, &options), &policy)?
        }
        Dataset::Bytes(_) if args.weights.weights.is_some() => {
            let message = "the tour of a file of bytes proves single entries";
            return Err(Failure::usage(
                message,
                "leave --weights out, or prove an inner product by `open --weights`",
            ));
        }
        Dataset::Bytes(_) => of_entry(&data, (&args, &options), &policy, common)?,
    };
    finish(&proven, &data, (&args, common), (&directory, outputs), progress)
}

/// Tells what was proven, verifies it, compares, and writes the files.
fn finish(
    proven: &Proven,
    data: &Dataset,
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
    let fingerprint = units::hex(&commitment.fingerprint()[..8]);
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
    let baselines = baselines(data)?;
    say(format_args!("\n{}", baselines.text()));
    let bits = args.scheme.bits();
    let these = if matches!(data, Dataset::Column(_)) { "this column" } else { "these bytes" };
    say(format_args!("\nEvery scheme on {these} at {bits} or more proven bits:\n"));
    let (hash, theorems) = (args.scheme.hash, args.scheme.theorems.set());
    let filter = Filter { bits, hash, theorems, schemes: Vec::new(), fields: Vec::new() };
    let measured = compare::measure(data, &filter, &compare::Stop::default(), None, &mut progress)?;
    say(format_args!("{}\n", comparison_table(&measured.rows, paint).trim_end()));
    say(format_args!("{}", compare::counted(&measured.rows)));
    outputs.write(proven)?;
    outputs.page.write(compare::page(&args.input, data, &measured, bits).as_bytes())?;
    say(format_args!("\ncommitment, proofs and comparison page are in {}", terminal::path(directory)));
    if common.json {
        let least = verified
            .iter()
            .map(|verified| verified.verdict.report().proven_bits())
            .fold(f64::INFINITY, f64::min);
        output::line(format_args!(
            "{:#}",
            json!({ "valid": true, "claims": claims, "proven_bits": least,
                "proof_bytes": proof.len(), "weighted_proof_bytes": weighted.as_ref().map(|(proof, _)| proof.len()),
                "directory": directory.display().to_string(), "baselines": baselines_json(&baselines), "compare": measured.rows })
        ));
    }
    Ok(Exit::Valid)
}

impl Outputs {
    fn new(directory: &Path, (data, args): (&Dataset, &TourArgs), common: &Common) -> Result<Self, Failure> {
        let numbers = matches!(data, Dataset::Column(_));
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
        self.commitment.write(&proven.commitment.to_bytes())?;
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
fn data_line(amount: &str, name: &str, params: &AnyParams) -> String {
    let (bits, field) = (Shown(params.report().proven_bits()), params.fields_name());
    format!("{amount} of `{}`, {bits:.1} proven bits over {field}", terminal::escape(name))
}

/// A commitment to data, and its time.
fn commit(data: &Dataset, params: AnyParams, policy: &Policy) -> Result<(Witness, Duration), Failure> {
    let start = Instant::now();
    let witness = Witness::commit(data, params, Setup::new(policy, Mode::Whole)).map_err(failure)?;
    Ok((witness, start.elapsed()))
}

/// The bytes of a proof file.
fn prove(witness: &mut Witness, claims: &[Claim<'_>]) -> Result<Vec<u8>, Failure> {
    witness.open(claims).map(|proof| proof.to_bytes()).map_err(failure)
}

/// Commitment to a column, a proof of its sum, with an entry if one is named, and one of a weighted sum, by PIP_FRI.
fn of_column(
    (data, column): (&Dataset, &Column),
    given: Option<Dataset>,
    (args, options): (&TourArgs, &Options),
    policy: &Policy,
) -> Result<Proven, Failure> {
    let (needed, rows) = (given.is_some(), data.rows());
    let weights = given.unwrap_or_else(|| Dataset::Column(recency(column.rows())));
    if weights.rows() != rows {
        return Err(weights::other_count(&weights, weights.rows(), rows));
    }
    let base = base(column, &weights, options)?;
    let fits = check_sums(column, &weights, base);
    if needed {
        fits.clone().map_err(failure)?;
    }
    let params =
        search::rows(base, search::log_size(column), options).map_err(|e| unfound(e, options, false))?;
    let line = data_line(&format!("{} rows", units::count(rows)), &column.name, &params);
    let (mut witness, committing) = commit(data, params, policy)?;
    let start = Instant::now();
    let claims: Vec<Claim<'_>> = args.row.map(Claim::Row).into_iter().chain([Claim::Sum]).collect();
    let proof = prove(&mut witness, &claims)?;
    let weighted = match fits {
        Ok(()) => Some((prove(&mut witness, &[Claim::Weighted(&weights)])?, weights)),
        Err(_) => None,
    };
    let times = [committing, start.elapsed()];
    Ok(Proven { commitment: witness.commitment().clone(), proof, weighted, data: line, times })
}

/// Refuses weights and weighted sums that a field does not hold.
fn check_sums(column: &Column, weights: &Dataset, base: Base) -> Result<(), Error> {
    match weights {
        Dataset::Column(weights) => check_weighted_sum(column, weights, base, true),
        Dataset::Bytes(_) => Err(Error::WeightsKind("a column are numbers")),
    }
}

/// The data field: the one asked for, or the smallest that holds the rows, their sum, and the weighted sum.
fn base(column: &Column, weights: &Dataset, options: &Options) -> Result<Base, Failure> {
    let base = search::base(column, options).map_err(failure)?;
    let holds = |base: &Base| check_sums(column, weights, *base).is_ok();
    let wider = AUTOMATIC.into_iter().skip_while(|automatic| *automatic != base).find(holds);
    Ok(if options.field.is_none() { wider.unwrap_or(base) } else { base })
}

/// Weights that grow with the row: later rows count more.
fn recency(rows: usize) -> Column {
    let name = TOUR_WEIGHTS.trim_end().to_owned();
    let values = Values::Narrow((0..rows).map(|row| 1 + (row * WEIGHTS / rows) as i64).collect());
    Column { name, values, scale: 0, layout: Layout::Numbers, source_digest: [0; 32] }
}

/// Commitment and proof of an entry of a file's bytes, by Ligerito.
fn of_entry(
    data: &Dataset,
    (args, options): (&TourArgs, &Options),
    policy: &Policy,
    common: &Common,
) -> Result<Proven, Failure> {
    let params = search::bytes(data.rows(), options).map_err(|e| unfound(e, options, true))?;
    common.within_memory(params.prover_memory(true), "raise `--max-memory`, or split the file")?;
    let rows = params.unit().map_or(0, |unit| unit.count(data.rows()));
    let amount = params.unit().map(|unit| unit.several(rows)).unwrap_or_default();
    let line = data_line(&amount, data.name(), &params);
    let (mut witness, committing) = commit(data, params, policy)?;
    let start = Instant::now();
    let proof = prove(&mut witness, &[Claim::Row(args.row.unwrap_or(rows / 2))])?;
    let times = [committing, start.elapsed()];
    Ok(Proven { commitment: witness.commitment().clone(), proof, weighted: None, data: line, times })
}
