//! `tenfold cluster bench`: what a proof costs 1 to 16 ranks, measured one rank's thread at a time, and modelled on networks.

use super::super::failure::failure;
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
use std::time::Duration;
use tenfold::cluster::Proved;
use tenfold::cluster::bench::{self, Measured};
use tenfold::cluster::meter::{Cost, Link};

/// The networks of the models: 10 and 1 Gbit/s, with the latency of TCP between two hosts.
const LINKS: [Link; 2] =
    [Link { latency: 100e-6, bytes_per_second: 1.25e9 }, Link { latency: 100e-6, bytes_per_second: 1.25e8 }];

/// The command.
pub fn run(args: &BenchArgs, common: &Common) -> Result<Exit, Failure> {
    let page = args.html.as_ref().map(|path| common.files.result(Kind::Page, path)).transpose()?;
    let options = args.scheme.options();
    let measured = bench::measure(args.log_size, &args.ranks, &options).map_err(failure)?;
    let (one, measured) = measured.map_err(|failed| refused(&failed))?;
    let rows: Vec<ClusterRow> = measured.iter().map(|of| row(of, one)).collect();
    report(args, (&measured, &rows), one, common);
    if let Some(page) = page {
        page.write(cluster_page(&rows, &meta(args, &measured)).as_bytes())?;
    }
    Ok(Exit::Valid)
}

fn row(Measured { ranks, proved: Proved { meters, .. }, .. }: &Measured, one: Duration) -> ClusterRow {
    let of_ranks =
        |of: &dyn Fn(&Cost) -> u64| meters.0.iter().map(|meter| of(&meter.total())).max().unwrap_or(0);
    ClusterRow {
        ranks: *ranks,
        cpu_ms: meters.critical_cpu() as f64 / 1e6,
        one_ms: one.as_secs_f64() * 1e3,
        sent_bytes: of_ranks(&|cost| cost.sent),
        calls: of_ranks(&|cost| cost.collectives),
        modelled_ms: LINKS.map(|link| meters.modelled(&link) * 1e3),
    }
}

fn report(args: &BenchArgs, (measured, rows): (&[Measured], &[ClusterRow]), one: Duration, common: &Common) {
    if common.json {
        let row = |(of, row): (&Measured, &ClusterRow)| {
            json!({ "ranks": row.ranks, "critical_cpu_ms": row.cpu_ms, "sent_bytes": row.sent_bytes, "calls": row.calls,
                "modelled_ms": { "10gbit": row.modelled_ms[0], "1gbit": row.modelled_ms[1] },
                "wall_ms": of.model_error().map(|error| error[0]), "model_error_percent": of.model_error().map(|error| error[2]),
                "phases": of.phases() })
        };
        let rows: Vec<Value> = measured.iter().zip(rows).map(row).collect();
        output::json(
            &json!({ "log_size": args.log_size, "one_machine_cpu_ms": one.as_secs_f64() * 1e3, "cases": rows }),
        );
        return;
    }
    measured.iter().for_each(|of| output::line(&of.proved.meters));
    output::text(cluster_table(rows, Paint::stdout()));
    output::line(format_args!(
        "one machine, one thread, whole leaves: {} of CPU",
        units::millis(one.as_secs_f64() * 1e3)
    ));
    for [wall, modelled, percent] in measured.iter().filter_map(Measured::model_error) {
        let [wall, modelled] = [wall, modelled].map(units::millis);
        output::line(format_args!(
            "two ranks, measured: {wall} of wall time; modelled by the link between them: {modelled} ({percent:+.0} %)"
        ));
    }
}

fn meta(args: &BenchArgs, measured: &[Measured]) -> Meta {
    let mut facts = vec![("Rows".to_owned(), format!("2^{}", args.log_size))];
    facts.extend(machine::processor().map(|name| ("Processor".to_owned(), name)));
    facts.extend(measured.iter().filter_map(Measured::model_error).map(|[wall, modelled, percent]| {
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
            "Speed-up is against one machine on one thread with leaves that are hashed as a whole. What other programs did meanwhile is in the numbers.".into(),
        ],
    }
}
