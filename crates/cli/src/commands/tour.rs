//! `tenfold tour`: commit to a column, prove an entry and the sum, verify both, and compare the schemes.

use super::commit::commit;
use super::committed::Committed;
use super::forms::forms;
use super::open::prove;
use super::subject::Subject;
use super::verify::describe;
use super::{COMPARED_BYTES_PER_ROW, Opened, compare, scheme};
use crate::args::{Common, SchemeChoice, TourArgs, What};
use crate::data::{Base, Column};
use crate::exit::{Exit, Failure};
use crate::files::{Kind, Output};
use crate::output;
use crate::page::comparison_table;
use crate::progress::Progress;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use iop::security::{Policy, Shown};
use pcs::pip::Params;
use pcs::with_fields;
use serde_json::json;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A commitment, a proof, and how long they took.
type Proven = (Committed, Vec<u8>, [Duration; 2]);

/// The command.
pub fn run(args: &TourArgs, common: &Common) -> Result<Exit, Failure> {
    if args.scheme.scheme == Some(SchemeChoice::Ligerito) {
        return Err(no_sum());
    }
    scheme::refuse_binary(&args.scheme)?;
    let directory = args.directory.clone().unwrap_or_else(|| "target/tour".into());
    std::fs::create_dir_all(&directory).map_err(Failure::file("create", &directory))?;
    let [commitment_file, proof_file, page_file] = outputs(&directory, common)?;
    let mut progress = Progress::new(common.quiet || common.json);
    let opened = Opened::input(&args.input, common, &mut progress)?;
    if opened.is_bytes() && args.scheme.scheme.is_none() {
        return Err(no_sum());
    }
    let paint = Paint::stdout();
    let say = |line: std::fmt::Arguments| {
        if !common.json {
            output::line(line);
        }
    };
    let column =
        opened.column(&args.input, (common, COMPARED_BYTES_PER_ROW), Base::Goldilocks.raw_width(), None)?;
    progress.end();
    let base = scheme::base(&column, &args.scheme)?;
    let params = scheme::params(base, scheme::log_size(&column), &args.scheme)?;
    let bits = args.scheme.bits().number();
    let row = args.row.unwrap_or(column.rows() as u64 / 2);
    say(format_args!("{}  {}", paint.bold("data  "), data_line(&column, &params)));
    let (committed, proof, times) = proven(&column, &params, &args.scheme.policy(), row)?;
    let ms = |d: Duration| units::millis(d.as_secs_f64() * 1e3);
    let fingerprint = committed.fingerprint();
    let fingerprint = fingerprint.get(..16).unwrap_or_default();
    say(format_args!("{}  fingerprint {fingerprint}… in {}", paint.bold("commit"), ms(times[0])));
    say(format_args!("{}  {} in {}", paint.bold("prove "), units::bytes(proof.len() as u64), ms(times[1])));
    let start = Instant::now();
    let verified = describe(&proof, &args.scheme.policy())?;
    let verifying = start.elapsed();
    for claim in &verified.claims {
        say(format_args!("{}  {} {claim}", paint.bold("verify"), paint.green("valid:")));
    }
    say(format_args!("        in {}", ms(verifying)));
    commitment_file.write(&committed.encode())?;
    proof_file.write(&proof)?;
    say(format_args!("\nEvery scheme on this column at {bits} or more proven bits:\n"));
    let (data, filter) = (compare::Data::from(column), compare::Filter::all(&args.scheme));
    let measured = compare::measure(&data, &filter, &AtomicBool::new(false), None, &mut progress)?;
    say(format_args!("{}\n", comparison_table(&measured.rows, paint).trim_end()));
    say(format_args!("{}", compare::counted(&measured.rows)));
    let page = compare::page(&args.input, &data, &measured, bits);
    page_file.write(page.as_bytes())?;
    say(format_args!("\ncommitment, proof and comparison page are in {}", terminal::path(&directory)));
    if common.json {
        output::line(format_args!(
            "{:#}",
            json!({ "valid": true, "claims": verified.claims, "proven_bits": verified.report.proven_bits(),
                "proof_bytes": proof.len(), "directory": directory.display().to_string(), "compare": measured.rows })
        ));
    }
    Ok(Exit::Valid)
}

/// Refuses bytes, which have no sum.
fn no_sum() -> Failure {
    let hint = "use `tenfold commit --scheme ligerito`, or `tenfold compare` for a file of bytes";
    Failure::usage("the tour proves a sum, which files of bytes have none of", hint)
}

/// Commitment, proof and page.
fn outputs(directory: &Path, common: &Common) -> Result<[Output; 3], Failure> {
    let output = |kind, name| common.files.result(kind, &directory.join(name));
    Ok([
        output(Kind::Commitment, "column.commitment")?,
        output(Kind::Proof, "column.proof")?,
        output(Kind::Page, "compare.html")?,
    ])
}

/// The data and the bits in words.
fn data_line(column: &Column, params: &Params) -> String {
    format!(
        "{} rows of `{}`, {:.1} proven bits over {}",
        units::count(column.rows() as u64),
        terminal::escape(&column.name),
        Shown(params.report().proven_bits()),
        params.fields.name()
    )
}

/// Commitment and proof of an entry and the sum, and how long each took.
fn proven(column: &Column, params: &Params, policy: &Policy, row: u64) -> Result<Proven, Failure> {
    let what = What { row: vec![row], sum: true, ..What::default() };
    let subject = Subject::of(column);
    Ok(with_fields!(params.fields, B, E => {
        let scheme = super::scheme::validated::<B, E>(params, policy)?;
        let start = Instant::now();
        let mut witness = commit(&scheme, column, None);
        let committing = start.elapsed();
        let commitment = witness.commitment().to_bytes();
        let forms = forms::<E>(&what, column.rows() as u64, params.log_size)?;
        let start = Instant::now();
        let proof = prove(&scheme, &mut witness, &subject, forms);
        (Committed { params: params.clone(), subject: subject.clone(), commitment }, proof, [committing, start.elapsed()])
    }))
}
