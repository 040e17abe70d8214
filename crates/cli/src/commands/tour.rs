//! `tenfold tour`: commit to a column or to the bytes of a file; of numbers prove the sum and a weighted sum, of bytes an entry;
//! verify, and compare the schemes.

use super::compare::{self, baselines, baselines_json};
use super::failure::{failure, unfound};
use super::verify::{describe, describe_with};
use super::{open_data, read_data, weights};
use crate::args::{Common, TourArgs};
use crate::exit::{Exit, Failure};
use crate::files::{Kind, Output, TOUR_WEIGHTS, in_folder};
use crate::output;
use crate::page::{ComparisonRow, comparison_table};
use crate::progress::Progress;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use iop::security::{Policy, Shown};
use pcs::file::SchemeId;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};
use tenfold::Dataset;
use tenfold::compare::Filter;
use tenfold::dataset::Base;
use tenfold::describe::Verified;
use tenfold::search::{self, Options};
use tenfold::tour::{Tour, recency};
use tenfold::verify::Limits;

/// Verifies the proofs.
fn verify(tour: &Tour, policy: &Policy) -> Result<Vec<Verified>, Failure> {
    let mut verified = vec![describe(&tour.proof, policy)?];
    if let Some((proof, weights)) = &tour.weighted {
        let limits = Limits { policy: *policy, max_memory: u64::MAX };
        verified.push(describe_with(proof, &limits, Some(weights))?);
    }
    Ok(verified)
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
    in_folder(&directory, || run_in(&directory, args, common))
}

/// [`run`] in a folder that is there.
fn run_in(directory: &Path, args: &TourArgs, common: &Common) -> Result<Exit, Failure> {
    let mut progress = Progress::new(common.quiet || common.json);
    let mut reading = args.input.options(common, Base::Goldilocks);
    let (opened, of_bytes) = open_data(&args.input, args.scheme.scheme, &mut reading, &mut progress)?;
    if !of_bytes {
        search::check_column_options(&args.scheme.options()).map_err(failure)?;
    }
    let data = read_data(opened, of_bytes, reading)?;
    progress.end();
    let outputs = Outputs::new(directory, (&data, args), common)?;
    let policy = search::policy(&args.scheme.options(), of_bytes).map_err(failure)?;
    let mut args = args.clone();
    args.scheme.bits = Some(policy.min_bits);
    let options = args.scheme.options().max_memory(common.max_memory());
    let proven = match &data {
        // Of tables there is no tour, and none was read.
        Dataset::Column(_) | Dataset::Table(_) => {
            let given = weights::load(&args.weights, SchemeId::Pip, common, &mut progress)?;
            of_column(&data, given, (&args, &options), &policy)?
        }
        Dataset::Bytes(_) if args.weights.weights.is_some() => {
            let message = "the tour of a file of bytes proves single entries";
            return Err(Failure::usage(
                message,
                "leave --weights out, or prove an inner product by `open --weights`",
            ));
        }
        Dataset::Bytes(_) => of_file(&data, (&args, &options), &policy, common)?,
    };
    let verified = tell(&proven, &data, &args, common)?;
    // The comparison takes longer than all before it, and whoever ends it keeps what was proven.
    outputs.write(&proven)?;
    let proof_bytes = proven.proof.len();
    let weighted_bytes = proven.weighted.as_ref().map(|(proof, _)| proof.len());
    // It has all of the memory: proofs and weights are in their files.
    drop(proven);
    let compared = (&args, common, outputs.page);
    let (baselines, rows) = compare_schemes(&data, compared, &mut progress)?;
    if common.json {
        let claims: Vec<&String> = verified.iter().flat_map(|verified| &verified.claims).collect();
        let bits = verified.iter().map(|verified| verified.verdict.report().proven_bits());
        output::json(
            &json!({ "valid": true, "claims": claims, "proven_bits": bits.fold(f64::INFINITY, f64::min),
                "proof_bytes": proof_bytes, "weighted_proof_bytes": weighted_bytes,
                "directory": directory.display().to_string(), "baselines": baselines, "cases": rows }),
        );
    } else {
        output::line(format_args!(
            "\ncommitment, proofs and comparison page are in {}",
            terminal::path(directory)
        ));
    }
    Ok(Exit::Valid)
}

/// Prints a line, unless JSON is all that is printed.
fn say(common: &Common, line: std::fmt::Arguments) {
    if !common.json {
        output::line(line);
    }
}

/// Tells what was proven, and verifies it.
fn tell(proven: &Tour, data: &Dataset, args: &TourArgs, common: &Common) -> Result<Vec<Verified>, Failure> {
    let (paint, Tour { commitment, proof, weighted, amount, .. }) = (Paint::stdout(), proven);
    let say = |line: std::fmt::Arguments| say(common, line);
    let ms = |d: Duration| units::millis(d.as_secs_f64() * 1e3);
    let size = |proof: &[u8]| units::bytes(proof.len() as u64);
    let fingerprint = units::hex(&commitment.fingerprint()[..8]);
    let (params, name) = (&commitment.params, terminal::escape(data.name()));
    let (bits, field) = (Shown(params.report().proven_bits()), params.fields_name());
    let line = format!("{amount} of `{name}`, {bits:.1} proven bits over {field}");
    say(format_args!("{}  {line}", paint.bold("data  ")));
    say(format_args!("{}  fingerprint {fingerprint}… in {}", paint.bold("commit"), ms(proven.committing)));
    let second = weighted.as_ref().map(|(proof, _)| format!(" and {}", size(proof))).unwrap_or_default();
    say(format_args!("{}  {}{second} in {}", paint.bold("prove "), size(proof), ms(proven.proving)));
    let start = Instant::now();
    let verified = verify(proven, &args.scheme.policy())?;
    let verifying = start.elapsed();
    let claims: Vec<&String> = verified.iter().flat_map(|verified| &verified.claims).collect();
    for claim in &claims {
        say(format_args!("{}  {} {claim}", paint.bold("verify"), paint.green("valid:")));
    }
    say(format_args!("        in {}", ms(verifying)));
    Ok(verified)
}

/// Compares the schemes and writes the page; the lengths without a proof and the rows, for JSON.
fn compare_schemes(
    data: &Dataset,
    (args, common, page): (&TourArgs, &Common, Output),
    progress: &mut Progress,
) -> Result<(Value, Vec<ComparisonRow>), Failure> {
    let say = |line: std::fmt::Arguments| say(common, line);
    let baselines = baselines(data)?;
    say(format_args!("\n{}", baselines.text()));
    let bits = args.scheme.bits();
    let these = if matches!(data, Dataset::Column(_)) { "this column" } else { "these bytes" };
    say(format_args!("\nEvery scheme on {these} at {bits} or more proven bits:\n"));
    let policy = args.scheme.policy();
    let filter = Filter { policy, hash: args.scheme.hash, schemes: Vec::new(), fields: Vec::new() };
    let measured = compare::measure(data, &filter, &compare::Stop::at_memory(common), None, progress)?;
    say(format_args!("{}\n", comparison_table(&measured.rows, Paint::stdout()).trim_end()));
    say(format_args!("{}", compare::counted(policy.theorems)));
    page.write(compare::page(&args.input, data, &measured, &filter).as_bytes())?;
    Ok((baselines_json(&baselines), measured.rows))
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
    fn write(&self, proven: &Tour) -> Result<(), Failure> {
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

/// The tour of a column of numbers.
fn of_column(
    data: &Dataset,
    given: Option<Dataset>,
    (args, options): (&TourArgs, &Options),
    policy: &Policy,
) -> Result<Tour, Failure> {
    let needed = given.is_some();
    let made_up = || Dataset::Column(recency(data.rows() as usize, TOUR_WEIGHTS.trim_end()));
    let weights = given.unwrap_or_else(made_up);
    let tour = Tour::of_column(data, (weights, needed), args.row, (options, policy));
    tour.map_err(|e| unfound(e, options, false))
}

/// The tour of a file's bytes.
fn of_file(
    data: &Dataset,
    (args, options): (&TourArgs, &Options),
    policy: &Policy,
    common: &Common,
) -> Result<Tour, Failure> {
    let params = search::bytes(data.rows(), options).map_err(|e| unfound(e, options, true))?;
    let need = params.prover_memory(true).saturating_add(data.memory());
    common.within_memory(need, "raise `--max-memory`, or split the file")?;
    Tour::of_bytes(data, params, args.row, policy).map_err(failure)
}
