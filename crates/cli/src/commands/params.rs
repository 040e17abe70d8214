//! `tenfold params`: the parameters for a size, and the security report term by term.

use super::scheme;
use crate::args::{Common, ParamsArgs};
use crate::data::Base;
use crate::exit::{Exit, Failure};
use crate::output;
use iop::security::COLLISION_BITS;
use pcs::pip::{Inner, Params};
use serde_json::json;

/// The command.
pub fn run(args: &ParamsArgs, common: &Common) -> Result<Exit, Failure> {
    let base = args.scheme.field.base().unwrap_or(Base::Goldilocks);
    let params = match args.hiding.hiding {
        None => scheme::params(base, args.log_size, &args.scheme)?,
        Some(openings) => scheme::hiding_params(base, args.log_size, &args.scheme, openings)?,
    };
    let report = params.report();
    if common.json {
        let terms: Vec<_> = report
            .terms
            .iter()
            .map(|t| json!({ "label": t.label, "bits": t.bits, "grinding": t.grinding, "formula": t.formula, "source": t.source }))
            .collect();
        let value = json!({
            "scheme": "pip", "field": params.fields.name(), "log_size": params.log_size,
            "hidden_openings": params.hidden_openings, "regime": params.regime.to_string(),
            "layout": layout(&params), "digest": crate::units::hex(&params.digest()),
            "proven_bits": report.proven_bits(), "union_bits": report.union(), "collision_bits": COLLISION_BITS,
            "round_by_round_bits": report.round_by_round(), "terms": terms,
        });
        output::line(format_args!("{value:#}"));
    } else {
        output::line(format_args!(
            "pip · {} · 2^{} entries · {} · {}",
            params.fields.name(),
            params.log_size,
            params.regime,
            params.hash.name()
        ));
        for line in layout(&params) {
            output::line(format_args!("  {line}"));
        }
        output::line(format_args!("\n{report}"));
    }
    Ok(Exit::Valid)
}

/// One line per committed matrix or fold.
#[must_use]
pub fn layout(params: &Params) -> Vec<String> {
    let mut rows = params.log_rows();
    let line = |what: &str, level: &pcs::pip::Level, rows: u32| {
        format!(
            "{what}: 2^{rows} rows x {} columns, rate 1/{}, {} queries, {} bits of grinding, {} before each fold",
            1u64 << level.log_columns,
            1u64 << level.log_inv_rate,
            level.queries,
            level.grinding,
            level.fold_grinding
        )
    };
    let mut lines = vec![line("commitment", &params.level, rows)];
    if params.hidden_openings > 0 {
        let (tail, openings) = (params.tail(), params.hidden_openings);
        let masks = params.fields.degree() * openings as usize;
        lines.push(format!(
            "hiding: {tail} random rows, {masks} random columns, {openings} hidden opening(s)"
        ));
    }
    match &params.inner {
        Inner::Recursion(levels) => {
            for (i, level) in levels.iter().enumerate() {
                rows -= level.log_columns;
                lines.push(line(&format!("level {}", i + 1), level, rows));
            }
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
    lines.push(format!("final message: 2^{rows} elements in clear"));
    lines
}
