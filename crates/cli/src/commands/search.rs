//! `tenfold params search`: the layouts that are worth a choice, with what they prove and cost.

use super::failure::{failure, unfound};
use super::params;
use crate::args::{Common, SearchArgs, Target};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::table::{Align, Paint, Table};
use crate::units;
use iop::security::{Report, Shown};
use pcs::file::SchemeId;
use pcs::pip::search::{Candidate, Profile};
use pcs::pip::{InnerKind, RoundParams};
use serde_json::{Value, json};
use tenfold::AnyParams;
use tenfold::dataset::Base;
use tenfold::search::{self, Options};

/// A candidate, and what is shown of it.
struct Row {
    params: AnyParams,
    /// The committed matrix, then those of the recursion.
    levels: Vec<RoundParams>,
    expected: f64,
    most: u64,
    millis: f64,
    /// Proven bits, those without work, the worst round, and the score by which the best one is taken.
    report: Report,
    score: f64,
    chosen: bool,
}

/// The command. Exit code 1 if no layout keeps the limits: nothing is written then.
pub fn run(args: &SearchArgs, common: &Common) -> Result<Exit, Failure> {
    let Target { log_size, scheme } = &args.target;
    let (log_size, options) = (*log_size, scheme.options());
    let of_bytes = scheme.scheme.is_some_and(SchemeId::is_of_bytes);
    let found = if of_bytes { of_files(log_size, &options) } else { of_columns(log_size, &options) };
    let bits = search::policy(&options, of_bytes).map_err(failure)?.min_bits;
    let mut rows = found?;
    let name = scheme.scheme.unwrap_or(SchemeId::Pip).name();
    let nearest = limit(&mut rows, args);
    if let Some(row) = rows.iter().find(|row| row.chosen) {
        params::write(&row.params, &args.output, common)?;
    }
    if common.json {
        let rows: Vec<Value> = rows.iter().map(Row::json).collect();
        let value = json!({ "scheme": name, "log_size": log_size, "bits": bits, "candidates": rows,
            "nearest": nearest });
        output::line(format_args!("{value:#}"));
    } else {
        show(&rows);
    }
    let Some(nearest) = nearest else { return Ok(Exit::Valid) };
    if !common.quiet {
        note!("{} no layout keeps these limits: {nearest}", Paint::stderr().bold("none:"));
    }
    Ok(Exit::Invalid)
}

fn of_files(log_size: u32, options: &Options) -> Result<Vec<Row>, Failure> {
    let chosen = search::bytes(1 << log_size, options).map_err(|e| unfound(e, options, true))?;
    let (profile, candidates) = search::bytes_candidates(1 << log_size, options).map_err(failure)?;
    Ok(candidates.into_iter().map(|candidate| Row::of(candidate, profile, &chosen)).collect())
}

fn of_columns(log_size: u32, options: &Options) -> Result<Vec<Row>, Failure> {
    search::check_column_options(options).map_err(failure)?;
    if options.inner.is_some_and(|inner| inner != InnerKind::Recursion) {
        let message =
            "the search compares layouts of the recursion, the inner argument that is smallest and fastest";
        return Err(Failure::usage(message, "leave --inner out; `tenfold params` shows the others"));
    }
    let base = options.field.unwrap_or(Base::Goldilocks);
    let chosen = search::rows(base, log_size, options).map_err(|e| unfound(e, options, false))?;
    let (profile, candidates) =
        (search::column_profile(options), search::column_candidates(base, log_size, options));
    let candidates = candidates.map_err(failure)?;
    Ok(candidates.into_iter().map(|candidate| Row::of(candidate, profile, &chosen)).collect())
}

/// With limits another one may be taken: the best by the profile of those that keep them. If none does, none is, and what
/// comes nearest is said.
fn limit(rows: &mut [Row], args: &SearchArgs) -> Option<String> {
    if args.max_size.is_none() && args.max_time.is_none() {
        return None;
    }
    let keeps = |row: &Row| {
        args.max_size.is_none_or(|most| row.most <= most) && args.max_time.is_none_or(|ms| row.millis <= ms)
    };
    let kept = rows.iter().enumerate().filter(|(_, row)| keeps(row));
    let best = kept.min_by(|a, b| a.1.score.total_cmp(&b.1.score)).map(|(i, _)| i);
    rows.iter_mut().enumerate().for_each(|(i, row)| row.chosen = Some(i) == best);
    if best.is_some() {
        return None;
    }
    let (smallest, fastest) =
        (rows.iter().min_by_key(|row| row.most)?, rows.iter().min_by(|a, b| a.millis.total_cmp(&b.millis))?);
    let costs = |row: &Row| format!("{} in {}", units::bytes_up(row.most), units::millis(row.millis));
    Some(format!(
        "the smallest proof has up to {}, the fastest layout up to {}",
        costs(smallest),
        costs(fastest)
    ))
}

impl Row {
    fn of(candidate: Candidate, profile: Profile, chosen: &AnyParams) -> Self {
        let score = candidate.score(profile);
        let Candidate { params, report, size, millis, .. } = candidate;
        let levels = core::iter::once(params.level).chain(params.levels().iter().copied()).collect();
        let params = AnyParams::from(params);
        let (expected, most, chosen) = (size.expected(), size.most(), params == *chosen);
        Self { params, levels, expected, most, millis, report, score, chosen }
    }

    fn json(&self) -> Value {
        let level = |level: &RoundParams| {
            json!({ "log_columns": level.log_columns, "log_inv_rate": level.log_inv_rate,
                "queries": level.queries, "grinding": level.grinding, "fold_grinding": level.fold_grinding })
        };
        let Self { params, report, .. } = self;
        json!({ "chosen": self.chosen, "field": params.fields_name(), "regime": report.regime.to_string(),
            "levels": self.levels.iter().map(level).collect::<Vec<_>>(), "layout": params.outline(),
            "expected_bytes": self.expected, "most_bytes": self.most, "predicted_ms": self.millis,
            "proven_bits": report.proven_bits(), "interactive_bits": report.interactive_bits(),
            "round_by_round_bits": report.round_by_round(), "digest": units::hex(&params.digest()) })
    }

    /// Numbers of the matrices, outermost first.
    fn joined(&self, of: impl Fn(&RoundParams) -> u32) -> String {
        self.levels.iter().map(|level| of(level).to_string()).collect::<Vec<_>>().join(" ")
    }
}

fn show(rows: &[Row]) {
    let texts = ["", "field", "regime", "1/rate", "columns", "queries", "grinding"].map(|h| (h, Align::Left));
    let numbers = ["bytes", "at most", "time", "bits", "no work", "rbr"].map(|h| (h, Align::Right));
    let mut table = Table::new(&[&texts[..], &numbers].concat());
    for row in rows {
        table.row(vec![
            if row.chosen { "*" } else { "" }.into(),
            row.params.fields_name().into(),
            row.report.regime.to_string(),
            row.joined(|level| 1 << level.log_inv_rate),
            row.joined(|level| 1 << level.log_columns),
            row.joined(|level| level.queries),
            row.joined(|level| level.grinding),
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
