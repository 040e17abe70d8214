//! `tenfold params search`: the layouts that are worth a choice, with what they prove and cost.

use super::failure::failure;
use super::params_file::ParamsFile;
use super::{blob, params, scheme};
use crate::args::{Common, InnerChoice, SchemeArgs, SchemeChoice, SearchArgs};
use crate::data::Base;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::table::{Align, Paint, Table};
use crate::units;
use iop::security::Shown;
use pcs::pip::RoundParams;
use pcs::pip::search::{Candidate, Profile};
use serde_json::{Value, json};
use tenfold::AnyParams;

/// What is shown of a candidate.
struct Row {
    field: &'static str,
    regime: String,
    /// The committed matrix, then those of the recursion.
    levels: Vec<RoundParams>,
    layout: Vec<String>,
    digest: String,
    expected: f64,
    most: u64,
    millis: f64,
    /// Proven bits, those without work, the worst round, and the score by which the best one is taken.
    proven: f64,
    interactive: f64,
    round_by_round: f64,
    score: f64,
    chosen: bool,
    file: ParamsFile,
}

/// The command. Exit code 1 if no layout keeps the limits: nothing is written then.
pub fn run(args: &SearchArgs, common: &Common) -> Result<Exit, Failure> {
    let (scheme, log_size) = (&args.scheme, args.log_size);
    let (name, bits, mut rows) = if scheme.scheme == Some(SchemeChoice::Ligerito) {
        ("ligerito", blob::params::bits(scheme)?, of_bytes(log_size, scheme)?)
    } else {
        ("pip", scheme.bits().number(), of_columns(log_size, scheme)?)
    };
    let nearest = limit(&mut rows, args);
    if let Some(row) = rows.iter().find(|row| row.chosen) {
        row.file.write(&args.output, common)?;
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

fn of_bytes(log_size: u32, args: &SchemeArgs) -> Result<Vec<Row>, Failure> {
    let (options, length) = (args.options(), 1 << log_size);
    let chosen = blob::params::choose(length, args)?;
    let (profile, candidates) = tenfold::search::bytes_candidates(length, &options).map_err(failure)?;
    let rows = candidates.into_iter().map(|c| {
        let is_chosen = c.params == chosen;
        Row::of(c, profile, is_chosen)
    });
    Ok(rows.collect())
}

fn of_columns(log_size: u32, args: &SchemeArgs) -> Result<Vec<Row>, Failure> {
    scheme::refuse_binary(args)?;
    if args.inner != InnerChoice::Recursion {
        let message =
            "the search compares layouts of the recursion, the inner argument that is smallest and fastest";
        return Err(Failure::usage(message, "leave --inner out; `tenfold params` shows the others"));
    }
    let (options, base) = (args.options(), args.field.base().unwrap_or(Base::Goldilocks));
    let chosen = scheme::params(base, log_size, args)?;
    let candidates = tenfold::search::column_candidates(base, log_size, &options).map_err(failure)?;
    let profile = tenfold::search::column_profile(&options);
    let rows = candidates.into_iter().map(|c| {
        let is_chosen = c.params == chosen;
        Row::of(c, profile, is_chosen)
    });
    Ok(rows.collect())
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
    fn of(candidate: Candidate, profile: Profile, chosen: bool) -> Self {
        let score = candidate.score(profile);
        let Candidate { params, report, size, millis, .. } = candidate;
        let levels = core::iter::once(params.level).chain(params.levels().iter().copied()).collect();
        let params = AnyParams::Matrix(params);
        Self {
            field: params.fields_name(),
            regime: report.regime.to_string(),
            levels,
            layout: params::layout(&params),
            digest: units::hex(&params.digest()),
            expected: size.expected(),
            most: size.most(),
            millis,
            proven: report.proven_bits(),
            interactive: report.interactive_bits(),
            round_by_round: report.round_by_round(),
            score,
            chosen,
            file: ParamsFile::from(&params),
        }
    }

    fn json(&self) -> Value {
        let level = |level: &RoundParams| {
            json!({ "log_columns": level.log_columns, "log_inv_rate": level.log_inv_rate,
                "queries": level.queries, "grinding": level.grinding, "fold_grinding": level.fold_grinding })
        };
        json!({ "chosen": self.chosen, "field": self.field, "regime": self.regime,
            "levels": self.levels.iter().map(level).collect::<Vec<_>>(), "layout": self.layout,
            "expected_bytes": self.expected, "most_bytes": self.most, "predicted_ms": self.millis,
            "proven_bits": self.proven, "interactive_bits": self.interactive,
            "round_by_round_bits": self.round_by_round, "digest": self.digest })
    }

    /// Numbers of the matrices, outermost first.
    fn joined(&self, of: impl Fn(&RoundParams) -> u32) -> String {
        self.levels.iter().map(|level| of(level).to_string()).collect::<Vec<_>>().join(" ")
    }
}

fn show(rows: &[Row]) {
    let headings = [
        "", "field", "regime", "1/rate", "columns", "queries", "grinding", "bytes", "at most", "time",
        "bits", "no work", "rbr",
    ];
    let numbers = |heading| {
        if ["bytes", "at most", "time", "bits", "no work", "rbr"].contains(&heading) {
            Align::Right
        } else {
            Align::Left
        }
    };
    let mut table = Table::new(&headings.map(|heading| (heading, numbers(heading))));
    for row in rows {
        table.row(vec![
            if row.chosen { "*" } else { "" }.into(),
            row.field.into(),
            row.regime.clone(),
            row.joined(|level| 1 << level.log_inv_rate),
            row.joined(|level| 1 << level.log_columns),
            row.joined(|level| level.queries),
            row.joined(|level| level.grinding),
            units::count(row.expected.round() as u64),
            units::count(row.most),
            units::millis(row.millis),
            format!("{:.1}", Shown(row.proven)),
            format!("{:.1}", Shown(row.interactive)),
            format!("{:.1}", Shown(row.round_by_round)),
        ]);
    }
    output::text(table.render(Paint::stdout()));
    if let Some(row) = rows.iter().find(|row| row.chosen) {
        output::line(format_args!("\n* {:.1} proven bits", Shown(row.proven)));
        row.layout.iter().for_each(|line| output::line(format_args!("  {line}")));
    }
    output::line(
        "\nbytes: expected length of a proof of one value; time: predicted, to commit and open on one core, the verifier's counted four times",
    );
}
