//! `tenfold compare`: every scheme and field that applies to the data, at equal proven bits, cheapest first. Rows are
//! printed as they come; Ctrl-C ends after the row that is being measured, and keeps those before it.

mod baseline;
mod data;
mod measure;
mod plan;

use crate::args::{
    Bits, Common, CompareArgs, ComparedScheme, FieldChoice, HashChoice, Input, SchemeArgs, TheoremArgs,
};
use crate::data::Base;
use crate::doctor;
use crate::exit::{Exit, Failure};
use crate::files::Kind;
use crate::output;
use crate::page::{ComparisonRow, Meta, comparison_columns, comparison_page};
use crate::progress::Progress;
use crate::table::Paint;
use crate::{terminal, units};
pub use baseline::Baselines;
pub use data::Data;
use iop::security::Policy;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The choice among the cases that apply.
pub struct Filter {
    bits: Bits,
    hash: HashChoice,
    theorems: TheoremArgs,
    /// Empty for all.
    schemes: Vec<ComparedScheme>,
    /// Empty for all.
    fields: Vec<FieldChoice>,
    /// Milliseconds to commit and open.
    max_time: Option<f64>,
}

impl Filter {
    /// Everything, at the bits and with the hash of other arguments.
    #[must_use]
    pub fn all(args: &SchemeArgs) -> Self {
        let (hash, theorems) = (args.hash, args.theorems.clone());
        Self { bits: args.bits(), hash, theorems, schemes: vec![], fields: vec![], max_time: None }
    }

    /// The policy that every measured case meets.
    fn policy(&self) -> Policy {
        Policy { theorems: self.theorems.set(), ..Policy::at_least(self.bits.number()) }
    }

    fn keeps(&self, scheme: ComparedScheme) -> bool {
        self.schemes.is_empty() || self.schemes.contains(&scheme)
    }

    fn keeps_field(&self, base: Base) -> bool {
        self.fields.is_empty()
            || self.fields.iter().any(|field| field.base().is_none_or(|named| named == base))
    }
}

/// The measured rows, and the cases left out.
pub struct Measured {
    /// The rows, in the order of the measurement.
    pub rows: Vec<ComparisonRow>,
    /// The cases left out, with the reason.
    skipped: Vec<String>,
    interrupted: bool,
}

/// The command.
pub fn run(args: &CompareArgs, common: &Common) -> Result<Exit, Failure> {
    let output = args.output.output.as_ref().map(|path| common.files.result(Kind::Page, path)).transpose()?;
    let mut progress = Progress::new(common.quiet || common.json);
    let data = Data::load(&args.input, common, &mut progress)?;
    let filter = Filter {
        bits: args.bits,
        hash: args.hash,
        theorems: args.theorems.clone(),
        schemes: args.scheme.clone(),
        fields: args.field.clone(),
        max_time: args.max_time,
    };
    let stop = interruption();
    let measured = measure(&data, &filter, &stop, (!common.json).then_some(Paint::stdout()), &mut progress)?;
    let baselines = Baselines::of(&data)?;
    let command = commit_command(&args.input, data.name());
    if let Some(output) = &output {
        output.write(page(&args.input, &data, &measured, args.bits.number()).as_bytes())?;
    }
    if common.json {
        let shown = json!({ "rows": measured.rows, "baselines": baselines.json() });
        output::line(format_args!("{shown:#}"));
    } else {
        output::line(format_args!("\n{}\n{}", baselines.text(), counted(&measured.rows)));
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

/// Explains the bits of the table.
#[must_use]
pub fn counted(rows: &[ComparisonRow]) -> String {
    let theorems = rows.first().map_or("", |row| &row.theorems);
    format!(
        "bits: the least under {theorems}, with proof of work and without; under each theorem alone with --json, and on the page"
    )
}

/// A flag that Ctrl-C sets; the second time it ends the process.
fn interruption() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let interrupt = signal_hook::consts::SIGINT;
    // Where signals cannot be caught, the process ends as it always did.
    let _ = signal_hook::flag::register_conditional_shutdown(
        interrupt,
        Exit::Interrupted as i32,
        Arc::clone(&flag),
    );
    let _ = signal_hook::flag::register(interrupt, Arc::clone(&flag));
    flag
}

/// Measures every case that applies, cheapest first, printing rows as they come if there is a `paint`.
pub fn measure(
    data: &Data,
    filter: &Filter,
    stop: &AtomicBool,
    paint: Option<Paint>,
    progress: &mut Progress,
) -> Result<Measured, Failure> {
    let bits = filter.bits.number();
    let planned = plan::plan(data, filter);
    if planned.is_empty() {
        return Err(Failure::usage(
            format!("nothing of what is asked for proves {bits} bits for this data"),
            "ask for 100 --bits, or for other schemes and fields",
        ));
    }
    let blanks: Vec<ComparisonRow> = planned.iter().map(measure::blank).collect();
    let table = comparison_columns(&blanks);
    let print = |progress: &Progress, text: String| progress.suspended(|| output::text(text));
    if let Some(paint) = paint {
        output::text(table.head(paint));
    }
    progress.steps("measuring", planned.len() as u64);
    let mut measured = Measured { rows: Vec::new(), skipped: Vec::new(), interrupted: false };
    // How much slower this machine and build are than what predictions are made of.
    let mut slower = 1.0;
    for planned in planned {
        progress.step(&planned.name());
        let predicted = planned.predicted() * slower;
        if let Some(limit) = filter.max_time.filter(|&limit| predicted > limit) {
            let (about, limit) = (units::millis(predicted), units::millis(limit));
            measured.skipped.push(format!("{}: about {about}, more than {limit}", planned.name()));
            continue;
        }
        if stop.load(Ordering::Relaxed) {
            measured.interrupted = true;
            measured.skipped.push(format!("{}: interrupted", planned.name()));
            continue;
        }
        let row = measure::measure(&planned, data, &filter.policy())?;
        slower = ((row.commit_ms + row.open_ms) / planned.predicted()).max(0.01);
        if paint.is_some() {
            print(progress, table.line(&row.cells()));
        }
        measured.rows.push(row);
    }
    progress.end();
    Ok(measured)
}

/// `tenfold commit` with the options that say how the file is read.
fn commit_command(input: &Input, column: &str) -> String {
    format!("tenfold commit {}", read_as(input, column))
}

/// The file and how it is read, for a shell.
fn read_as(input: &Input, column: &str) -> String {
    let mut words = vec![quoted(&input.file.to_string_lossy())];
    if input.column.is_some() {
        words.push(format!("--column {}", quoted(column)));
    }
    if let Some(scale) = input.scale {
        words.push(format!("--scale {scale}"));
    }
    if input.delimiter != b',' {
        words.push(format!("--delimiter {}", quoted(&char::from(input.delimiter).to_string())));
    }
    words.extend(input.no_header.then(|| "--no-header".to_owned()));
    words.extend(input.raw_bytes.then(|| "--raw-bytes".to_owned()));
    if let Some(format) = clap::ValueEnum::to_possible_value(&input.format)
        && input.format != crate::data::Format::Auto
    {
        words.push(format!("--format {}", format.get_name()));
    }
    words.join(" ")
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// The self-contained page.
#[must_use]
pub fn page(input: &Input, data: &Data, measured: &Measured, bits: u32) -> String {
    let mut notes = vec![
        format!("Medians of {} runs in one process.", measure::RUNS),
        "Ligerito commits to numbers as words of 32 or 64 bits and proves single ones; in characteristic two a sum is an XOR.".into(),
        "Memory is what the prover holds from commit to open: message, codeword and tree.".into(),
        "Proven bits are the union over every error term, computed by the library, by the least of the theorems named below; no conjecture is used.".into(),
        format!("Commit with the options of a row: {} ...", commit_command(input, data.name())),
    ];
    notes.extend(measured.skipped.iter().map(|skipped| format!("Not measured: {skipped}.")));
    let meta = Meta {
        title: format!("Commitments to {}", data.name()),
        subtitle: format!("{}; every scheme at {bits} or more proven bits", data.size()),
        command: format!("tenfold compare {} --bits {bits}", read_as(input, data.name())),
        facts: vec![
            ("processor".into(), doctor::processor().unwrap_or_else(|| "unknown".into())),
            ("source (BLAKE3)".into(), units::hex(&data.digest())),
            ("threads".into(), rayon::current_num_threads().to_string()),
        ],
        notes,
    };
    comparison_page(&measured.rows, &meta)
}
