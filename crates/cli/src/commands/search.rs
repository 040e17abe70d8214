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
use serde_json::{Value, json};
use tenfold::search::{self, Costs, Layout};

/// The command. Nothing is shown and written if no layout keeps the limits.
pub fn run(args: &SearchArgs, common: &Common) -> Result<Exit, Failure> {
    let Target { log_size, polynomials, scheme } = &args.target;
    let (log_size, options) = (*log_size, args.leaves.options(scheme).polynomials(*polynomials));
    let of_bytes = options.is_of_bytes();
    let found = search::layouts(log_size, &options).map_err(|e| unfound(e, &options, of_bytes))?;
    let rows = search::limit(found, args.max_size, args.max_time).map_err(beyond)?;
    if let Some(row) = rows.iter().find(|row| row.chosen) {
        params::write(&row.params, &args.output, common)?;
    }
    if common.json {
        let bits = search::policy(&options, of_bytes).map_err(failure)?.min_bits;
        let name = scheme.scheme.unwrap_or(SchemeId::Pip).name();
        let rows: Vec<Value> = rows.iter().map(Layout::json).collect();
        output::json(&json!({ "scheme": name, "log_size": log_size, "bits": bits, "candidates": rows }));
    } else {
        show(&rows);
    }
    Ok(Exit::Valid)
}

/// The failure where no layout keeps the limits, with those that come nearest.
fn beyond(nearest: Option<[Costs; 2]>) -> Failure {
    let costs = |of: Costs| format!("{} in {}", units::bytes_up(of.most), units::millis(of.millis));
    let nearest = nearest.map_or_else(String::new, |of| {
        let [smallest, fastest] = of.map(costs);
        format!(": the smallest proof has up to {smallest}, the fastest layout up to {fastest}")
    });
    let hint = "raise --max-size or --max-time, or ask for fewer --bits";
    Failure::usage(format!("no layout keeps these limits{nearest}"), hint)
}

fn show(rows: &[Layout]) {
    let aligned = |(i, name)| (name, if i < 7 { Align::Left } else { Align::Right });
    let mut table = Table::new(&Layout::COLUMNS.into_iter().enumerate().map(aligned).collect::<Vec<_>>());
    rows.iter().for_each(|row| table.row(row.cells(units::millis).into()));
    output::text(table.render(Paint::stdout()));
    if let Some(row) = rows.iter().find(|row| row.chosen) {
        output::line(format_args!("\n* {:.1} proven bits", Shown(row.report.proven_bits())));
        row.params.outline().iter().for_each(|line| output::line(format_args!("  {line}")));
    }
    output::line(
        "\nbytes: expected length of a proof of one value, without the 1 to 2 KB of the file around it; time: predicted, to commit and open on one core, the verifier's counted four times",
    );
}
