//! `tenfold tour`: commit to a column or to the bytes of a file, prove an entry (of numbers the sum too), verify, and compare
//! the schemes.

use super::blob::{self, BytesDescription};
use super::commit::commit;
use super::committed::Committed;
use super::compare::{self, Data};
use super::forms::forms;
use super::verified::fingerprint;
use super::verify::describe;
use super::{COMPARED_BYTES_PER_ROW, Opened, scheme};
use crate::args::{Bits, Common, SchemeArgs, SchemeChoice, TourArgs, What};
use crate::data::{Base, Column};
use crate::exit::{Exit, Failure};
use crate::files::{Kind, Output};
use crate::output;
use crate::page::comparison_table;
use crate::progress::Progress;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use iop::security::{Policy, Report, Shown};
use serde_json::json;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tenfold::any::{AnyProver, AnyWitness, Form};

/// A commitment and a proof, as their files have them.
struct Proven {
    commitment: Vec<u8>,
    proof: Vec<u8>,
    /// What was committed to, in words.
    data: String,
    /// To commit, and to prove.
    times: [Duration; 2],
}

/// The command.
pub fn run(args: &TourArgs, common: &Common) -> Result<Exit, Failure> {
    let directory = args.directory.clone().unwrap_or_else(|| "target/tour".into());
    std::fs::create_dir_all(&directory).map_err(Failure::file("create", &directory))?;
    let mut progress = Progress::new(common.quiet || common.json);
    let data = load(args, common, &mut progress)?;
    progress.end();
    let outputs = outputs(&directory, &data, common)?;
    let bits = match &data {
        Data::Numbers(_) => args.scheme.bits(),
        Data::Bytes(..) => Bits::of(blob::params::bits(&args.scheme)?),
    };
    let args = TourArgs { scheme: SchemeArgs { bits: Some(bits), ..args.scheme.clone() }, ..args.clone() };
    let policy = args.scheme.policy();
    let proven = match &data {
        Data::Numbers(column) => of_column(column, &args, &policy)?,
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
    (directory, [commitment_file, proof_file, page_file]): (&Path, [Output; 3]),
    mut progress: Progress,
) -> Result<Exit, Failure> {
    let (paint, Proven { commitment, proof, times, .. }) = (Paint::stdout(), proven);
    let say = |line: std::fmt::Arguments| {
        if !common.json {
            output::line(line);
        }
    };
    let ms = |d: Duration| units::millis(d.as_secs_f64() * 1e3);
    let fingerprint = fingerprint(commitment);
    let fingerprint = fingerprint.get(..16).unwrap_or_default();
    say(format_args!("{}  {}", paint.bold("data  "), proven.data));
    say(format_args!("{}  fingerprint {fingerprint}… in {}", paint.bold("commit"), ms(times[0])));
    say(format_args!("{}  {} in {}", paint.bold("prove "), units::bytes(proof.len() as u64), ms(times[1])));
    let start = Instant::now();
    let verified = describe(proof, &args.scheme.policy())?;
    let verifying = start.elapsed();
    for claim in &verified.claims {
        say(format_args!("{}  {} {claim}", paint.bold("verify"), paint.green("valid:")));
    }
    say(format_args!("        in {}", ms(verifying)));
    commitment_file.write(commitment)?;
    proof_file.write(proof)?;
    let bits = args.scheme.bits().number();
    let these = if matches!(data, Data::Numbers(_)) { "this column" } else { "these bytes" };
    say(format_args!("\nEvery scheme on {these} at {bits} or more proven bits:\n"));
    let filter = compare::Filter::all(&args.scheme);
    let measured = compare::measure(data, &filter, &AtomicBool::new(false), None, &mut progress)?;
    say(format_args!("{}\n", comparison_table(&measured.rows, paint).trim_end()));
    say(format_args!("{}", compare::counted(&measured.rows)));
    let page = compare::page(&args.input, data, &measured, bits);
    page_file.write(page.as_bytes())?;
    say(format_args!("\ncommitment, proof and comparison page are in {}", terminal::path(directory)));
    if common.json {
        output::line(format_args!(
            "{:#}",
            json!({ "valid": true, "claims": verified.claims, "proven_bits": verified.report.proven_bits(),
                "proof_bytes": proof.len(), "directory": directory.display().to_string(), "compare": measured.rows })
        ));
    }
    Ok(Exit::Valid)
}

/// Commitment, proof and page.
fn outputs(directory: &Path, data: &Data, common: &Common) -> Result<[Output; 3], Failure> {
    let [commitment, proof] = match data {
        Data::Numbers(_) => ["column.commitment", "column.proof"],
        Data::Bytes(..) => ["file.commitment", "file.proof"],
    };
    let output = |kind, name| common.files.result(kind, &directory.join(name));
    Ok([
        output(Kind::Commitment, commitment)?,
        output(Kind::Proof, proof)?,
        output(Kind::Page, "compare.html")?,
    ])
}

/// The data and the bits in words.
fn data_line(amount: &str, name: &str, report: &Report, field: &str) -> String {
    let bits = Shown(report.proven_bits());
    format!("{amount} of `{}`, {bits:.1} proven bits over {field}", terminal::escape(name))
}

/// Commitment and proof of an entry and the sum of a column, by PIP_FRI.
fn of_column(column: &Column, args: &TourArgs, policy: &Policy) -> Result<Proven, Failure> {
    let base = scheme::base(column, &args.scheme)?;
    let params = scheme::params(base, scheme::log_size(column), &args.scheme)?;
    let rows = column.rows() as u64;
    let what = What { row: vec![args.row.unwrap_or(rows / 2)], sum: true, ..What::default() };
    let subject = column.describe();
    let amount = format!("{} rows", units::count(rows));
    let data = data_line(&amount, &column.name, &params.report(), params.fields.name());
    let scheme = scheme::validated(&params, policy)?;
    let forms = forms(&what, rows, &scheme)?;
    let mut prover = scheme.prover();
    let start = Instant::now();
    let witness = commit(&mut prover, column, None)?;
    let committing = start.elapsed();
    let (commitment, proof, proving) = prove((&prover, witness), &forms, &subject.encode())?;
    let commitment = Committed { params, subject, commitment }.encode();
    Ok(Proven { commitment, proof, data, times: [committing, proving] })
}

/// The bytes of the commitment, the file of the proof, and the time that it took.
fn prove(
    (prover, mut witness): (&AnyProver<'_>, AnyWitness),
    forms: &[Form],
    context: &[u8],
) -> Result<(Vec<u8>, Vec<u8>, Duration), Failure> {
    let start = Instant::now();
    let opened = prover.open(&mut witness, forms, context).map_err(scheme::unproven)?;
    let proof = opened.file.encode();
    Ok((witness.commitment().to_vec(), proof, start.elapsed()))
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
    let unit = blob::Unit::of(&params);
    let rows = unit.count(length);
    let what = What { row: vec![args.row.unwrap_or(rows / 2)], ..What::default() };
    let blob = BytesDescription { name: name.to_owned(), length, source: *blake3::hash(bytes).as_bytes() };
    let data = data_line(&blob::several(unit, rows), name, &params.report(), params.fields.name());
    let scheme = blob::params::validated(&params, policy)?;
    let forms = forms(&what, rows, &scheme)?;
    let mut prover = scheme.prover();
    let start = Instant::now();
    let entries = blob::source::entries(&prover, bytes)?;
    let witness = prover.commit(entries);
    let committing = start.elapsed();
    let (commitment, proof, proving) = prove((&prover, witness), &forms, &blob.encode())?;
    let commitment = blob::Committed { params, blob, commitment }.encode();
    Ok(Proven { commitment, proof, data, times: [committing, proving] })
}
