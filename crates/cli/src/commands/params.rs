//! `tenfold params`: the parameters for a size, and the security report term by term.

use super::params_file::ParamsFile;
use super::{blob, scheme, search};
use crate::args::{Common, ParamsArgs, ParamsCommand, SchemeChoice};
use crate::data::Base;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::theorems::ByTheorem;
use crate::units;
use iop::security::{Report, Term};
use pcs::pip::{Inner, Params, RoundParams};
use serde_json::{Value, json};
use tenfold::AnyParams;
use tenfold::search::column_params;
use tenfold::statement::{BytesDescription, Unit};

/// The command.
pub fn run(args: &ParamsArgs, common: &Common) -> Result<Exit, Failure> {
    if let Some(ParamsCommand::Search(args)) = &args.command {
        return search::run(args, common);
    }
    let params = if args.scheme.scheme == Some(SchemeChoice::Ligerito) {
        let params = tenfold::search::bytes_params(1 << args.log_size, &args.hiding.options(&args.scheme));
        params.map_err(blob::params::unfound)?
    } else {
        let (base, options) = (args.scheme.field.base(), args.hiding.options(&args.scheme));
        let params = column_params(base.unwrap_or(Base::Goldilocks), args.log_size, &options);
        params.map_err(|e| scheme::unfound(e, &options))?
    };
    let params = AnyParams::Matrix(params);
    let report = params.report().under(args.scheme.theorems.set());
    let (title, value) = describe(&params, &report, args);
    show((&title, value), &layout(&params), &report, common);
    ParamsFile::from(&params).write(&args.output, common)?;
    Ok(Exit::Valid)
}

/// Parameters as a title and as JSON.
fn describe(params: &AnyParams, report: &Report, args: &ParamsArgs) -> (String, Value) {
    let (summary, name, regime) = (params.summary(), params.fields_name(), report.regime);
    let hash = summary.hash.name();
    let mut value = json!({ "field": name, "log_size": summary.log_size,
        "hidden_openings": summary.hidden_openings, "regime": regime.to_string(),
        "layout": layout(params), "digest": crate::units::hex(&params.digest()) });
    if let Some(params) = params.of_bytes() {
        let (unit, capacity) = (Unit::of(params).name(), BytesDescription::capacity(params));
        let profile = args.scheme.profile.map(|profile| profile.preset().name());
        value["scheme"] = json!("ligerito");
        value["profile"] = json!(profile);
        value["entries"] = json!(unit);
        value["bytes"] = json!(capacity);
        let profile = profile.map_or(String::new(), |profile| format!("{profile} · "));
        let bytes = units::bytes(capacity);
        return (
            format!("ligerito · {profile}{name} · {bytes}, a row is a {unit} · {regime} · {hash}"),
            value,
        );
    }
    value["scheme"] = json!("pip");
    (format!("pip · {name} · 2^{} entries · {regime} · {hash}", summary.log_size), value)
}

/// Prints parameters, as a title or as JSON, and their report term by term.
fn show((title, mut value): (&str, Value), layout: &[String], report: &Report, common: &Common) {
    if common.json {
        let term = |t: &Term| json!({ "label": t.label, "bits": t.bits, "grinding": t.grinding, "formula": t.formula, "source": t.source });
        let bits = [
            ("theorems", json!(report.theorems.to_string())),
            ("proven_bits", json!(report.proven_bits())),
            ("interactive_bits", json!(report.interactive_bits())),
            ("collision_bits", json!(report.collision_bits())),
            ("combined_bits", json!(report.combined_bits())),
            ("row_union_bits", json!(report.row_union_bits())),
            ("by_theorem", json!(ByTheorem::from(report))),
            ("round_by_round_bits", json!(report.round_by_round())),
            ("terms", report.terms.iter().map(term).collect()),
        ];
        if let Value::Object(object) = &mut value {
            object.extend(bits.map(|(name, value)| (name.to_owned(), value)));
        }
        output::line(format_args!("{value:#}"));
        return;
    }
    output::line(title);
    for line in layout {
        output::line(format_args!("  {line}"));
    }
    output::line(format_args!("\n{report}"));
}

/// A committed matrix in words.
fn matrix(what: &str, level: &RoundParams, rows: u32) -> String {
    format!(
        "{what}: 2^{rows} rows x {} columns, rate 1/{}, {} queries, {} bits of grinding, {} before each fold",
        1u64 << level.log_columns,
        1u64 << level.log_inv_rate,
        level.queries,
        level.grinding,
        level.fold_grinding
    )
}

/// The matrices of a recursion in words, and the number of variables that they leave of the fragments' `rows`.
fn recursion(levels: &[RoundParams], mut rows: u32) -> (Vec<String>, u32) {
    let mut lines = Vec::new();
    for (i, level) in levels.iter().enumerate() {
        rows -= level.log_columns;
        lines.push(matrix(&format!("level {}", i + 1), level, rows));
    }
    (lines, rows)
}

/// The last message in words.
fn in_clear(rows: u32) -> String {
    format!("final message: 2^{rows} elements in clear")
}

/// One line per committed matrix or fold.
#[must_use]
pub fn layout(params: &AnyParams) -> Vec<String> {
    match params {
        AnyParams::Matrix(params) => layout_of_matrix(params),
        AnyParams::DeepFold(_) => Vec::new(),
    }
}

fn layout_of_matrix(params: &Params) -> Vec<String> {
    let mut rows = params.log_rows();
    let mut lines = vec![matrix("commitment", &params.level, rows)];
    if params.hidden_openings > 0 {
        let (tail, openings) = (params.tail(), params.hidden_openings);
        let masks = params.fields.degree() * openings as usize;
        lines.push(format!(
            "hiding: {tail} random rows, {masks} random columns, {openings} hidden opening(s)"
        ));
    }
    match &params.inner {
        Inner::Recursion(levels) => {
            let (of_levels, left) = recursion(levels, rows);
            lines.extend(of_levels);
            rows = left;
        }
        Inner::Chain(steps) => {
            for (i, step) in steps.iter().enumerate() {
                let before = if i == 0 { "combined fragment".to_owned() } else { format!("word {i}") };
                rows -= step;
                lines.push(format!("{before}: folded by {} into 2^{rows} entries", 1u64 << step));
            }
        }
        Inner::TwoChains => {
            lines.push(format!("two chains of {rows} folds by 2, for the value and for proximity"));
            rows = 0;
        }
    }
    lines.push(in_clear(rows));
    lines
}
