//! `tenfold compare`: every scheme and field that applies to the data, at equal proven bits, cheapest first. Rows are
//! printed as they come; Ctrl-C ends after the row that is being measured, and keeps those before it.

use super::failure::{failure, refused_file};
use super::{open_data, quoted, read_data, table};
use crate::args::{Common, CompareArgs, Input, choices, name_of};
use crate::exit::{Exit, Failure};
use crate::files::Kind;
use crate::interrupts;
use crate::machine::Host;
use crate::output;
use crate::page::{ComparisonRow, Meta, comparison_columns, comparison_page};
use crate::progress::Progress;
use crate::table::Paint;
use crate::theorems::ByTheorem;
use crate::{memory, terminal, units};
use data::{Baselines, Format};
use iop::hash::Hash;
use iop::security::{Policy, Regimes, Theorem, Theorems};
use pcs::file::SchemeId;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tenfold::compare::{Case, Filter, Measurement, RUNS, cases};
use tenfold::dataset::Base;
use tenfold::{Dataset, Error, describe};

/// The measured rows, and the cases left out.
pub struct Measured {
    /// The rows, in the order of the measurement.
    pub rows: Vec<ComparisonRow>,
    /// The cases left out, with the reason.
    skipped: Vec<String>,
    /// Milliseconds to commit and open, beyond which cases were left out.
    max_time: Option<f64>,
    interrupted: bool,
}

/// The command.
pub fn run(args: &CompareArgs, common: &Common) -> Result<Exit, Failure> {
    let output = args.output.output.as_ref().map(|path| common.files.result(Kind::Page, path)).transpose()?;
    let of_prime_fields = args.scheme.is_empty() || args.scheme.iter().any(|scheme| !scheme.is_of_bytes());
    if args.field.iter().any(Option::is_some) && !of_prime_fields {
        let message = "--field is about schemes over prime fields, and none of those is asked for";
        return Err(Failure::usage(message, "leave it out, or name another --scheme, such as pip"));
    }
    let mut progress = Progress::new(common.quiet || common.json);
    let mut options = args.input.options(common, Base::Goldilocks);
    let data = if args.input.column.len() > 1 {
        Dataset::Table(table::read_named(&args.input, &options, &mut progress)?)
    } else {
        let (opened, of_bytes) = open_data(&args.input, None, &mut options, &mut progress)?;
        read_data(opened, of_bytes, options)?
    };
    progress.end();
    let filter = Filter {
        policy: args.policy(),
        hash: args.hash,
        schemes: args.scheme.clone(),
        fields: args.field.clone(),
    };
    let stop = Stop { interrupted: interruption(), max_time: args.max_time, ..Stop::at_memory(common) };
    let measured = measure(&data, &filter, &stop, (!common.json).then_some(Paint::stdout()), &mut progress)?;
    let baselines = baselines(&data)?;
    let command = commit_command(&args.input);
    if let Some(output) = &output {
        output.write(page(&args.input, &data, &measured, &filter).as_bytes())?;
    }
    if common.json {
        let mut shown = request_json(&args.input, &data, &measured, &filter);
        shown["cases"] = json!(measured.rows);
        shown["baselines"] = baselines_json(&baselines);
        output::line(format_args!("{shown:#}"));
    } else {
        output::line(format_args!("\n{}\n{}", baselines.text(), counted(filter.policy.theorems)));
        output::line(format_args!("commit with the options of a row:  {} ...", terminal::escape(&command)));
    }
    if !common.quiet {
        measured.skipped.iter().for_each(|line| note!("skipped: {line}"));
        if let Some(path) = &args.output.output {
            note!("page written to {}", terminal::path(path));
        }
    }
    Ok(if measured.interrupted { Exit::Interrupted } else { Exit::Valid })
}

/// The lengths of the data without a proof.
pub fn baselines(data: &Dataset) -> Result<Baselines, Failure> {
    Baselines::of(data).map_err(|e| Failure::io(format!("cannot compress: {e}")))
}

/// The same for JSON.
pub fn baselines_json(of: &Baselines) -> Value {
    json!({ "gzip_bytes": of.gzip_bytes, "merkle_leaves": of.leaves, "merkle_path_bytes": of.path_bytes })
}

/// The request, the data and the machine: what the numbers of a comparison are quoted with.
fn request_json(input: &Input, data: &Dataset, measured: &Measured, filter: &Filter) -> Value {
    let described = match data {
        Dataset::Column(column) => describe::column(column),
        Dataset::Table(table) => describe::table(table),
        Dataset::Bytes(bytes) => describe::bytes(bytes.describe()),
    };
    json!({ "command": compare_command(input, measured.max_time, filter), "bits": filter.policy.min_bits,
        "interactive_bits": filter.policy.interactive_bits, "unique_decoding": filter.policy.regimes == Regimes::UniqueDecoding,
        "theorems": filter.policy.theorems.to_string(), "runs": RUNS, "data": described.value, "machine": Host::here(),
        "skipped": measured.skipped, "interrupted": measured.interrupted })
}

/// What ends or shortens a comparison.
pub struct Stop {
    /// Set by Ctrl-C.
    interrupted: Arc<AtomicBool>,
    /// Milliseconds to commit and open.
    max_time: Option<f64>,
    /// Bytes of memory.
    max_memory: u64,
}

impl Stop {
    /// At the memory that the command may take.
    pub fn at_memory(common: &Common) -> Self {
        Self { interrupted: Arc::default(), max_time: None, max_memory: common.max_memory() }
    }
}

/// Explains the bits of the table.
pub fn counted(theorems: Theorems) -> String {
    format!(
        "bits: the least under {theorems}, with proof of work and without; under each theorem alone with --json, and on the page"
    )
}

/// A flag that Ctrl-C sets; the second time it ends the process.
fn interruption() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    interrupts::take(&[interrupts::SIGINT], &flag);
    flag
}

/// Measures every case that applies, cheapest first, printing rows as they come if there is a `paint`.
pub fn measure(
    data: &Dataset,
    filter: &Filter,
    stop: &Stop,
    paint: Option<Paint>,
    progress: &mut Progress,
) -> Result<Measured, Failure> {
    let planned = cases(data, filter);
    check_planned(&planned, data, filter, stop)?;
    let blanks: Vec<ComparisonRow> = planned.iter().map(blank).collect();
    let table = comparison_columns(&blanks);
    let print = |progress: &Progress, text: String| progress.suspended(|| output::text(text));
    if let Some(paint) = paint {
        output::text(table.head(paint));
    }
    progress.steps("measuring", planned.len() as u64);
    let max_time = stop.max_time;
    let mut measured = Measured { rows: Vec::new(), skipped: Vec::new(), max_time, interrupted: false };
    // How much slower this machine and build are than what predictions are made of.
    let mut slower = 1.0;
    for planned in planned {
        progress.step(&planned.name());
        let predicted = planned.predicted() * slower;
        if let Some(limit) = stop.max_time.filter(|&limit| predicted > limit) {
            let (about, limit) = (units::millis(predicted), units::millis(limit));
            measured.skipped.push(format!("{}: about {about}, more than {limit}", planned.name()));
            continue;
        }
        let need = planned.memory(data);
        if need > stop.max_memory {
            let [need, limit] = [need, stop.max_memory].map(units::bytes);
            measured.skipped.push(format!("{}: about {need} of memory, more than {limit}", planned.name()));
            continue;
        }
        if stop.interrupted.load(Ordering::Relaxed) {
            measured.interrupted = true;
            measured.skipped.push(format!("{}: interrupted", planned.name()));
            continue;
        }
        let row = row(&planned, planned.measure(data, &filter.policy).map_err(unmeasured)?);
        slower = ((row.commit_ms + row.open_ms) / planned.predicted()).max(0.01);
        if paint.is_some() {
            print(progress, table.line(&row.cells()));
        }
        measured.rows.push(row);
    }
    progress.end();
    Ok(measured)
}

/// Refuses what nothing can be measured of: no case, or none within the limits.
fn check_planned(planned: &[Case], data: &Dataset, filter: &Filter, stop: &Stop) -> Result<(), Failure> {
    let bits = filter.policy.min_bits;
    if planned.is_empty() {
        if matches!(data, Dataset::Column(_)) && filter.schemes == [SchemeId::Air] {
            let message = "Air-FRI is compared on bytes, and these data are a column of numbers";
            return Err(Failure::usage(message, "leave --scheme out"));
        }
        let Policy { interactive_bits, regimes, .. } = filter.policy;
        let mut asked = format!("nothing of what is asked for proves {bits} bits");
        let mut fewer = vec![(bits > 100).then_some("--bits")];
        if interactive_bits > 0 {
            asked += &format!(", {interactive_bits} of them without work,");
            fewer.push(Some("--interactive-bits"));
        }
        if regimes == Regimes::UniqueDecoding {
            asked += " within unique decoding";
        }
        let fewer: Vec<&str> = fewer.into_iter().flatten().collect();
        let hint = match &fewer[..] {
            [] => "ask for other schemes and fields".to_owned(),
            fewer => format!("ask for fewer {}, or for other schemes and fields", fewer.join(" or ")),
        };
        return Err(Failure::usage(format!("{asked} for this data"), hint));
    }
    let fastest = planned.iter().map(Case::predicted).fold(f64::INFINITY, f64::min);
    if let Some(limit) = stop.max_time.filter(|&limit| fastest > limit) {
        return Err(Failure::usage(
            format!("nothing of what is asked for takes at most {}", units::millis(limit)),
            format!("the fastest takes about {}: allow more by --max-time", units::millis(fastest)),
        ));
    }
    let least = planned.iter().map(|case| case.memory(data)).min().unwrap_or(0);
    memory::within(least, stop.max_memory, "raise `--max-memory`")
}

/// The failure of a measurement.
fn unmeasured(error: Error) -> Failure {
    match error {
        Error::Params(e) => Failure::usage(e.reason(), "report this: the search found these parameters"),
        Error::Refused(e) => {
            let refused = refused_file(e);
            Failure { message: format!("our own proof is refused: {}", refused.message), ..refused }
        }
        error => failure(error),
    }
}

/// A row without measurements, as wide as one that has them.
fn blank(case: &Case) -> ComparisonRow {
    const WIDE: f64 = 555.0;
    let (summary, commit) = (case.params.summary(), commit_options(case));
    ComparisonRow {
        scheme: case.scheme().into(),
        field: case.field.clone(),
        profile: case.profile.clone(),
        proven_bits: 128.0,
        interactive_bits: 128.0,
        theorems: String::new(),
        by_theorem: ByTheorem::default(),
        regime: case.params.report().regime.to_string(),
        terms: Value::Null,
        layout: case.params.outline(),
        commit_ms: WIDE,
        open_ms: WIDE,
        verify_ms: WIDE,
        commitment_bytes: 999 << 10,
        proof_bytes: 999 << 10,
        peak_bytes: 999 << 10,
        setup: "none".into(),
        assumptions: format!("{} as a random oracle", summary.hash.name()),
        parameters_digest: commit.as_ref().map(|_| units::hex(&case.params.digest())),
        commit,
    }
}

/// A row of a case that was measured.
fn row(case: &Case, measured: Measurement) -> ComparisonRow {
    let Measurement { report, millis: [commit_ms, open_ms, verify_ms], .. } = measured;
    ComparisonRow {
        proven_bits: report.proven_bits(),
        interactive_bits: report.interactive_bits(),
        theorems: report.theorems.to_string(),
        by_theorem: ByTheorem::from(&report),
        regime: report.regime.to_string(),
        terms: describe::terms(&report),
        commit_ms,
        open_ms,
        verify_ms,
        commitment_bytes: measured.commitment_bytes,
        proof_bytes: measured.proof_bytes,
        peak_bytes: measured.held_bytes,
        ..blank(case)
    }
}

/// The options of `commit` by which a case is committed to, if it is.
fn commit_options(case: &Case) -> Option<String> {
    let options = case.options.as_ref()?;
    let mut words = vec![format!("--scheme {}", case.scheme())];
    let mut option = |name: &str, value: Option<&str>| {
        words.extend(value.map(|value| format!("--{name} {value}")));
    };
    option("field", options.field.map(|field| name_of(choices::FIELDS, &Some(field))));
    option("profile", options.profile.map(|profile| name_of(choices::PROFILES, &profile)));
    option("over", options.over.map(|over| name_of(choices::OVERS, &over)));
    option("bits", options.bits.map(|bits| name_of(choices::BITS, &bits)));
    let hash = options.hash.filter(|&hash| hash != Hash::Blake3);
    option("hash", hash.map(|hash| name_of(choices::HASHES, &hash)));
    let theorems: Vec<&str> = options.theorems.iter().map(Theorem::name).collect();
    let theorems = theorems.join(",");
    option("theorems", (options.theorems != Theorems::DEFAULT).then_some(&theorems[..]));
    let without_work = Some(options.interactive_bits).filter(|&bits| bits > 0);
    words.extend(without_work.map(|bits| format!("--interactive-bits {bits}")));
    words.extend((options.regimes == Regimes::UniqueDecoding).then(|| "--unique-decoding".to_owned()));
    Some(words.join(" "))
}

/// `tenfold commit` with the options that say how the file is read.
fn commit_command(input: &Input) -> String {
    format!("tenfold commit {}", read_as(input))
}

/// `tenfold compare` with the options that this comparison is of.
fn compare_command(input: &Input, max_time: Option<f64>, filter: &Filter) -> String {
    let Policy { min_bits, interactive_bits, regimes, theorems } = filter.policy;
    let mut words = vec![format!("tenfold compare {} --bits {min_bits}", read_as(input))];
    words.extend((interactive_bits > 0).then(|| format!("--interactive-bits {interactive_bits}")));
    words.extend((regimes == Regimes::UniqueDecoding).then(|| "--unique-decoding".to_owned()));
    let mut option = |name: &str, values: Vec<&str>| {
        words.extend((!values.is_empty()).then(|| format!("--{name} {}", values.join(","))));
    };
    let named = |theorems: Theorems| theorems.iter().map(Theorem::name).collect();
    option("theorems", if theorems == Theorems::DEFAULT { Vec::new() } else { named(theorems) });
    option("hash", filter.hash.iter().map(|hash| name_of(choices::HASHES, hash)).collect());
    option("scheme", filter.schemes.iter().map(|scheme| scheme.name()).collect());
    option("field", filter.fields.iter().map(|field| name_of(choices::FIELDS, field)).collect());
    words.extend(max_time.map(|millis| format!("--max-time {millis}ms")));
    words.join(" ")
}

/// The file and how it is read, for a shell.
fn read_as(input: &Input) -> String {
    let mut words = vec![quoted(&input.file.to_string_lossy())];
    words.extend(input.column.iter().map(|column| format!("--column {}", quoted(column))));
    if let Some(scale) = input.scale {
        words.push(format!("--scale {scale}"));
    }
    if let Some(delimiter) = input.delimiter {
        words.push(format!("--delimiter {}", quoted(&char::from(delimiter).to_string())));
    }
    words.extend(input.no_header.then(|| "--no-header".to_owned()));
    words.extend(input.raw_bytes.then(|| "--raw-bytes".to_owned()));
    if input.format != Format::Auto {
        words.push(format!("--format {}", name_of(choices::FORMATS, &input.format)));
    }
    words.join(" ")
}

/// The self-contained page.
pub fn page(input: &Input, data: &Dataset, measured: &Measured, filter: &Filter) -> String {
    let (host, bits) = (Host::here(), filter.policy.min_bits);
    let mut notes = vec![
        format!("Medians of {} runs in one process.", RUNS),
        "Ligerito commits to numbers as words of 32 or 64 bits and proves single ones; in characteristic two a sum is an XOR.".into(),
        "Memory is what the prover holds from commit to open: message, codeword and tree.".into(),
        "Proven bits are the union over every error term, computed by the library, by the least of the theorems named below; no conjecture is used.".into(),
        format!("Commit with the options of a row: {} ...", commit_command(input)),
    ];
    notes.extend(measured.skipped.iter().map(|skipped| format!("Not measured: {skipped}.")));
    let meta = Meta {
        title: format!("Commitments to {}", data.name()),
        subtitle: format!("{}; every scheme at {bits} or more proven bits", size(data)),
        command: compare_command(input, measured.max_time, filter),
        facts: vec![
            ("processor".into(), host.processor()),
            ("kernels".into(), format!("{}, {}", host.kernels(), host.build())),
            ("threads".into(), host.threads_used.to_string()),
            ("source (BLAKE3)".into(), units::hex(&data.digest())),
        ],
        notes,
    };
    comparison_page(&measured.rows, &meta)
}

/// The size of data in words.
fn size(data: &Dataset) -> String {
    match data {
        Dataset::Column(column) => {
            let rows = units::several(data.rows(), "row");
            format!("{rows}, padded to {}", units::count(column.padded_rows() as u64))
        }
        Dataset::Table(table) => {
            let rows = units::several(data.rows(), "row");
            format!("{rows} of {} columns", table.columns().len())
        }
        Dataset::Bytes(_) => units::several(data.rows(), "byte"),
    }
}
