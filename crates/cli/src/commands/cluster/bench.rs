//! `tenfold cluster bench`: what a proof costs 1 to 16 ranks, measured one rank's thread at a time, and modelled on networks.

use super::super::failure::unfound;
use super::refused;
use crate::args::Common;
use crate::args::cluster::BenchArgs;
use crate::exit::{Exit, Failure};
use crate::files::Kind;
use crate::machine;
use crate::output;
use crate::page::{ClusterRow, Meta, cluster_page, cluster_table};
use crate::table::Paint;
use crate::units;
use serde_json::{Value, json};
use tenfold::Columns;
use tenfold::cluster::Proved;
use tenfold::cluster::bench::{self, Comparison, Measured, Single};
use tenfold::cluster::meter::{Cost, Link};

/// The networks of the models: 10 and 1 Gbit/s, with the latency of TCP between two hosts.
const LINKS: [Link; 2] =
    [Link { latency: 100e-6, bytes_per_second: 1.25e9 }, Link { latency: 100e-6, bytes_per_second: 1.25e8 }];

/// The command.
pub fn run(args: &BenchArgs, common: &Common) -> Result<Exit, Failure> {
    let page = args.html.as_ref().map(|path| common.files.result(Kind::Page, path)).transpose()?;
    let options = args.scheme.options().columns(args.scheme.columns.unwrap_or(Columns::ForRanks));
    let measured = bench::measure(args.log_size, &args.ranks, &options);
    let measured = measured.map_err(|e| unfound(e, &options, false))?.map_err(|failed| refused(&failed))?;
    let rows: Vec<ClusterRow> = measured.ranks.iter().map(|of| row(of, &measured)).collect();
    if common.json {
        json(args, &measured, &rows);
    } else {
        report(&measured, &rows);
    }
    if let Some(page) = page {
        page.write(cluster_page(&rows, &meta(args, &measured)).as_bytes())?;
    }
    Ok(Exit::Valid)
}

fn row(of: &Measured, Comparison { same, cheapest, .. }: &Comparison) -> ClusterRow {
    let Measured { ranks, proved: Proved { meters, proof, .. }, .. } = of;
    let of_ranks =
        |of: &dyn Fn(&Cost) -> u64| meters.0.iter().map(|meter| of(&meter.total())).max().unwrap_or(0);
    ClusterRow {
        ranks: *ranks,
        cpu_ms: meters.critical_cpu() as f64 / 1e6,
        one_ms: same.cpu_ms(),
        cheapest_ms: cheapest.cpu_ms(),
        proof_bytes: proof.to_bytes().len() as u64,
        sent_bytes: of_ranks(&|cost| cost.sent),
        calls: of_ranks(&|cost| cost.collectives),
        modelled_ms: LINKS.map(|link| meters.modelled(&link) * 1e3),
    }
}

fn json(args: &BenchArgs, Comparison { same, cheapest, ranks }: &Comparison, rows: &[ClusterRow]) {
    let row = |(of, row): (&Measured, &ClusterRow)| {
        json!({ "ranks": row.ranks, "critical_cpu_ms": row.cpu_ms, "sent_bytes": row.sent_bytes, "calls": row.calls,
            "proof_bytes": row.proof_bytes,
            "modelled_ms": { "10gbit": row.modelled_ms[0], "1gbit": row.modelled_ms[1] },
            "wall_ms": of.model_error().map(|error| error[0]), "model_error_percent": of.model_error().map(|error| error[2]),
            "phases": of.phases() })
    };
    let rows: Vec<Value> = ranks.iter().zip(rows).map(row).collect();
    output::json(&json!({ "log_size": args.log_size, "one_machine_cpu_ms": same.cpu_ms(),
        "same_parameters": same.json(), "cheapest_parameters": cheapest.json(), "cases": rows }));
}

fn report(measured: &Comparison, rows: &[ClusterRow]) {
    let Comparison { same, cheapest, ranks } = measured;
    output::line(format_args!("parameters: {}", matrix(same)));
    same.params.outline().iter().for_each(|line| output::line(format_args!("  {line}")));
    ranks.iter().for_each(|of| output::line(format_args!("\n{}", of.proved.meters)));
    output::text(cluster_table(rows, Paint::stdout()));
    output::line("one machine, one thread, whole leaves:");
    output::line(format_args!("  these parameters: {}", took(same)));
    output::line(format_args!("  the cheapest, {}: {}", matrix(cheapest), took(cheapest)));
    for [wall, modelled, percent] in ranks.iter().filter_map(Measured::model_error) {
        let [wall, modelled] = [wall, modelled].map(units::millis);
        output::line(format_args!(
            "two ranks, measured: {wall} of wall time; modelled by the link between them: {modelled} ({percent:+.0} %)"
        ));
    }
}

/// Columns and inner argument in words.
fn matrix(of: &Single) -> String {
    format!("{} columns, {}", of.columns(), of.inner().name())
}

/// Time and bytes of one machine in words.
fn took(of: &Single) -> String {
    format!("{} of CPU, a proof of {}", units::millis(of.cpu_ms()), units::bytes(of.took.proof_bytes))
}

fn meta(args: &BenchArgs, Comparison { same, cheapest, ranks }: &Comparison) -> Meta {
    let of_one = |of: &Single| format!("{}: {}", matrix(of), took(of));
    let mut facts = vec![
        ("Rows".to_owned(), format!("2^{}", args.log_size)),
        ("One machine, these parameters".to_owned(), of_one(same)),
        ("One machine, its cheapest parameters".to_owned(), of_one(cheapest)),
    ];
    facts.extend(machine::processor().map(|name| ("Processor".to_owned(), name)));
    facts.extend(ranks.iter().filter_map(Measured::model_error).map(|[wall, modelled, percent]| {
        let text = format!(
            "{} measured, {} modelled ({percent:+.0} %)",
            units::millis(wall),
            units::millis(modelled)
        );
        ("Wall time of two ranks".to_owned(), text)
    }));
    Meta {
        title: "One proof by several ranks".into(),
        subtitle: format!("A commitment to 2^{} rows and one opening", args.log_size),
        command: format!("tenfold cluster bench --log-size {}", args.log_size),
        facts,
        notes: vec![
            "CPU is that of the slowest rank in each phase, each on one thread and with its caches to itself, measured: the median of five jobs. Wall times are modelled: that CPU, the bytes one way, and 100 µs for each call.".into(),
            "Speed-up is against one machine on one thread by the same parameters, with leaves that are hashed as a whole. Beside it stands that against one machine by the parameters that are the cheapest for it, whose proof is shorter. What other programs did meanwhile is in the numbers.".into(),
        ],
    }
}
