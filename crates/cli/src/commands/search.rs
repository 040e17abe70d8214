//! `tenfold params search`: the layouts that are worth a choice, with what they prove and cost.

use super::failure::{failure, unfound};
use super::params;
use crate::args::{Common, SearchArgs, Target};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::table::{Align, Paint, Table};
use crate::units;
use iop::security::Shown;
use pcs::file::SchemeId;
use pcs::pip::{InnerKind, RoundParams};
use serde_json::{Value, json};
use tenfold::search::{self, Layout, Options};

/// The command. Exit code 1 if no layout keeps the limits: nothing is written then.
pub fn run(args: &SearchArgs, common: &Common) -> Result<Exit, Failure> {
    let Target { log_size, scheme } = &args.target;
    let (log_size, options) = (*log_size, scheme.options());
    let of_bytes = scheme.scheme.is_some_and(SchemeId::is_of_bytes);
    if !of_bytes {
        check(&options)?;
    }
    let mut rows = search::layouts(log_size, &options).map_err(|e| unfound(e, &options, of_bytes))?;
    let bits = search::policy(&options, of_bytes).map_err(failure)?.min_bits;
    let name = scheme.scheme.unwrap_or(SchemeId::Pip).name();
    let nearest = limit(&mut rows, args);
    if let Some(row) = rows.iter().find(|row| row.chosen) {
        params::write(&row.params, &args.output, common)?;
    }
    if common.json {
        let rows: Vec<Value> = rows.iter().map(Layout::json).collect();
        output::json(&json!({ "scheme": name, "log_size": log_size, "bits": bits, "candidates": rows,
            "nearest": nearest }));
    } else {
        show(&rows);
    }
    let Some(nearest) = nearest else { return Ok(Exit::Valid) };
    if !common.quiet {
        note!("{} no layout keeps these limits: {nearest}", Paint::stderr().bold("none:"));
    }
    Ok(Exit::Invalid)
}

fn check(options: &Options) -> Result<(), Failure> {
    search::check_column_options(options).map_err(failure)?;
    if options.inner.is_none_or(|inner| inner == InnerKind::Recursion) {
        return Ok(());
    }
    let message =
        "the search compares layouts of the recursion, the inner argument that is smallest and fastest";
    Err(Failure::usage(message, "leave --inner out; `tenfold params` shows the others"))
}

/// With limits another one may be taken: the best by the profile of those that keep them. If none does, none is, and what
/// comes nearest is said.
fn limit(rows: &mut [Layout], args: &SearchArgs) -> Option<String> {
    if args.max_size.is_none() && args.max_time.is_none() {
        return None;
    }
    let costs = |row: &Layout| format!("{} in {}", units::bytes_up(row.most), units::millis(row.millis));
    let [smallest, fastest] = search::limit(rows, args.max_size, args.max_time).err()??;
    Some(format!(
        "the smallest proof has up to {}, the fastest layout up to {}",
        costs(smallest),
        costs(fastest)
    ))
}

/// Numbers of the matrices, outermost first.
fn joined(row: &Layout, of: impl Fn(&RoundParams) -> u32) -> String {
    row.levels.iter().map(|level| of(level).to_string()).collect::<Vec<_>>().join(" ")
}

fn show(rows: &[Layout]) {
    let texts = ["", "field", "regime", "1/rate", "columns", "queries", "grinding"].map(|h| (h, Align::Left));
    let numbers = ["bytes", "at most", "time", "bits", "no work", "rbr"].map(|h| (h, Align::Right));
    let mut table = Table::new(&[&texts[..], &numbers].concat());
    for row in rows {
        table.row(vec![
            if row.chosen { "*" } else { "" }.into(),
            row.params.fields_name().into(),
            row.report.regime.to_string(),
            joined(row, |level| 1 << level.log_inv_rate),
            joined(row, |level| 1 << level.log_columns),
            joined(row, |level| level.queries),
            joined(row, |level| level.grinding),
            units::count(row.expected.round() as u64),
            units::count(row.most),
            units::millis(row.millis),
            format!("{:.1}", Shown(row.report.proven_bits())),
            format!("{:.1}", Shown(row.report.interactive_bits())),
            format!("{:.1}", Shown(row.report.round_by_round())),
        ]);
    }
    output::text(table.render(Paint::stdout()));
    if let Some(row) = rows.iter().find(|row| row.chosen) {
        output::line(format_args!("\n* {:.1} proven bits", Shown(row.report.proven_bits())));
        row.params.outline().iter().for_each(|line| output::line(format_args!("  {line}")));
    }
    output::line(
        "\nbytes: expected length of a proof of one value; time: predicted, to commit and open on one core, the verifier's counted four times",
    );
}
