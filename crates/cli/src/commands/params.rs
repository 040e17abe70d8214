//! `tenfold params`: the parameters for a size, and the security report term by term.

use super::params_file::ParamsFile;
use super::{blob, scheme, search};
use crate::args::{Common, ParamsArgs, ParamsCommand, SchemeChoice};
use crate::data::Base;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::theorems::ByTheorem;
use iop::security::{COLLISION_BITS, Report, Term};
use pcs::pip::{Inner, Params, RoundParams};
use serde_json::{Value, json};

/// The command.
pub fn run(args: &ParamsArgs, common: &Common) -> Result<Exit, Failure> {
    if let Some(ParamsCommand::Search(args)) = &args.command {
        return search::run(args, common);
    }
    if args.scheme.scheme == Some(SchemeChoice::Ligerito) {
        return blob::params::run(args, common);
    }
    scheme::refuse_binary(&args.scheme)?;
    let base = args.scheme.field.base().unwrap_or(Base::Goldilocks);
    let params = match args.hiding.hiding {
        None => scheme::params(base, args.log_size, &args.scheme)?,
        Some(openings) => scheme::hiding_params(base, args.log_size, &args.scheme, openings)?,
    };
    let value = json!({
        "scheme": "pip", "field": params.fields.name(), "log_size": params.log_size,
        "hidden_openings": params.hidden_openings, "regime": params.regime.to_string(),
        "layout": layout(&params), "digest": crate::units::hex(&params.digest()),
    });
    let name = params.fields.name();
    let title =
        format!("pip · {name} · 2^{} entries · {} · {}", params.log_size, params.regime, params.hash.name());
    show((&title, value), &layout(&params), &params.report().under(args.scheme.theorems.set()), common);
    ParamsFile::from(&params).write(&args.output, common)?;
    Ok(Exit::Valid)
}

/// Prints parameters, as a title or as JSON, and their report term by term.
pub(super) fn show((title, mut value): (&str, Value), layout: &[String], report: &Report, common: &Common) {
    if common.json {
        let term = |t: &Term| json!({ "label": t.label, "bits": t.bits, "grinding": t.grinding, "formula": t.formula, "source": t.source });
        let bits = [
            ("theorems", json!(report.theorems.to_string())),
            ("proven_bits", json!(report.proven_bits())),
            ("interactive_bits", json!(report.interactive_bits())),
            ("collision_bits", json!(COLLISION_BITS)),
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
pub(super) fn matrix(what: &str, level: &RoundParams, rows: u32) -> String {
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
pub(super) fn recursion(levels: &[RoundParams], mut rows: u32) -> (Vec<String>, u32) {
    let mut lines = Vec::new();
    for (i, level) in levels.iter().enumerate() {
        rows -= level.log_columns;
        lines.push(matrix(&format!("level {}", i + 1), level, rows));
    }
    (lines, rows)
}

/// The last message in words.
pub(super) fn in_clear(rows: u32) -> String {
    format!("final message: 2^{rows} elements in clear")
}

/// One line per committed matrix or fold.
#[must_use]
pub fn layout(params: &Params) -> Vec<String> {
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
