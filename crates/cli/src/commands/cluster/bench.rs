//! `tenfold cluster bench`: what a proof costs 1 to 16 ranks, threads of which one computes at a time or processes under MPI, and modelled on networks.

use super::super::failure::unfound;
use super::{check_launched, refused};
use crate::args::Common;
use crate::args::cluster::BenchArgs;
use crate::exit::{Exit, Failure};
use crate::files::{Kind, Output};
use crate::machine;
use crate::output;
use crate::page::{ClusterRow, Meta, cluster_page, cluster_table};
use crate::table::Paint;
use crate::units;
use serde_json::{Value, json};
use tenfold::Columns;
#[cfg(feature = "cluster-mpi")]
use tenfold::Options;
use tenfold::cluster::Proved;
use tenfold::cluster::bench::{self, Comparison, Measured, Single};
use tenfold::cluster::meter::{Cost, Link};
#[cfg(feature = "cluster-mpi")]
use tenfold::cluster::{Comm, Deadlines, mpi};

/// The networks of the models: 10 and 1 Gbit/s, with the latency of TCP between two hosts.
const LINKS: [Link; 2] =
    [Link { latency: 100e-6, bytes_per_second: 1.25e9 }, Link { latency: 100e-6, bytes_per_second: 1.25e8 }];

/// The command.
pub fn run(args: &BenchArgs, common: &Common) -> Result<Exit, Failure> {
    let options = args.scheme.options().columns(args.scheme.columns.unwrap_or(Columns::ForRanks));
    if check_launched(None)? {
        #[cfg(feature = "cluster-mpi")]
        return super::by_mpi((Deadlines::default().step, common), |comm| {
            as_rank(args, &options, comm, common)
        });
        #[cfg(not(feature = "cluster-mpi"))]
        return Err(super::without_mpi(super::LAUNCHED));
    }
    let page = page(args, common)?;
    let measured = bench::measure(args.log_size, &args.ranks, &options);
    let measured = measured.map_err(|e| unfound(e, &options, false))?.map_err(|failed| refused(&failed))?;
    show(args, &measured, page, common)
}

/// One rank under MPI: the first shows what all have measured.
#[cfg(feature = "cluster-mpi")]
fn as_rank(
    args: &BenchArgs,
    options: &Options,
    mut comm: mpi::Mpi<'_>,
    common: &Common,
) -> Result<Exit, Failure> {
    let page = if Comm::rank(&comm) == 0 { page(args, common)? } else { None };
    let started = comm.size();
    if args.ranks.iter().all(|&log| started >> log == 0) {
        let message = format!("the launcher started {started} rank(s), and no number of --ranks is as small");
        return Err(Failure::usage(message, "start more ranks, or name fewer by --ranks"));
    }
    // One thread for each rank, as threads have it, unless `--threads` says more.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(1).build_global();
    let measured = bench::measure_processes(args.log_size, &args.ranks, options, &mut comm);
    let measured = measured.map_err(|e| unfound(e, options, false))?.map_err(|failed| refused(&failed))?;
    measured.map_or(Ok(Exit::Valid), |measured| show(args, &measured, page, common))
}

fn page(args: &BenchArgs, common: &Common) -> Result<Option<Output>, Failure> {
    args.html.as_ref().map(|path| common.files.result(Kind::Page, path)).transpose()
}

fn show(
    args: &BenchArgs,
    measured: &Comparison,
    page: Option<Output>,
    common: &Common,
) -> Result<Exit, Failure> {
    let rows: Vec<ClusterRow> = measured.ranks.iter().map(|of| row(of, measured)).collect();
    if common.json {
        json(args, measured, &rows);
    } else {
        report(measured, &rows);
    }
    if let Some(page) = page {
        page.write(cluster_page(&rows, &meta(args, measured)).as_bytes())?;
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

fn json(args: &BenchArgs, Comparison { same, cheapest, ranks, processes }: &Comparison, rows: &[ClusterRow]) {
    let row = |(of, row): (&Measured, &ClusterRow)| {
        json!({ "ranks": row.ranks, "critical_cpu_ms": row.cpu_ms, "sent_bytes": row.sent_bytes, "calls": row.calls,
            "proof_bytes": row.proof_bytes,
            "modelled_ms": { "10gbit": row.modelled_ms[0], "1gbit": row.modelled_ms[1] },
            "wall_ms": of.model_error().map(|error| error[0]), "model_error_percent": of.model_error().map(|error| error[2]),
            "phases": of.phases() })
    };
    let rows: Vec<Value> = ranks.iter().zip(rows).map(row).collect();
    output::json(
        &json!({ "log_size": args.log_size, "processes": processes, "one_machine_cpu_ms": same.cpu_ms(),
        "same_parameters": same.json(), "cheapest_parameters": cheapest.json(), "cases": rows }),
    );
}

fn report(measured: &Comparison, rows: &[ClusterRow]) {
    let Comparison { same, cheapest, ranks, processes } = measured;
    if *processes {
        output::line("ranks: processes that compute at once, on one thread each");
    }
    output::line(format_args!("parameters: {}", matrix(same)));
    same.params.outline().iter().for_each(|line| output::line(format_args!("  {line}")));
    ranks.iter().for_each(|of| output::line(format_args!("\n{}", of.proved.meters)));
    output::text(cluster_table(rows, Paint::stdout()));
    output::line("one machine, one thread, whole leaves:");
    output::line(format_args!("  these parameters: {}", took(same)));
    output::line(format_args!("  the cheapest, {}: {}", matrix(cheapest), took(cheapest)));
    for (of, [wall, modelled, percent]) in walls(ranks) {
        let [wall, modelled] = [wall, modelled].map(units::millis);
        output::line(format_args!(
            "{of} ranks, measured: {wall} of wall time; modelled by the link between them: {modelled} ({percent:+.0} %)"
        ));
    }
}

/// The wall times that were measured, each with its number of ranks.
fn walls(ranks: &[Measured]) -> impl Iterator<Item = (u32, [f64; 3])> {
    ranks.iter().filter_map(|of| Some((of.ranks, of.model_error()?)))
}

/// Columns and inner argument in words.
fn matrix(of: &Single) -> String {
    format!("{} columns, {}", of.columns(), of.inner().name())
}

/// Time and bytes of one machine in words.
fn took(of: &Single) -> String {
    format!("{} of CPU, a proof of {}", units::millis(of.cpu_ms()), units::bytes(of.took.proof_bytes))
}

fn meta(args: &BenchArgs, Comparison { same, cheapest, ranks, processes }: &Comparison) -> Meta {
    let of_one = |of: &Single| format!("{}: {}", matrix(of), took(of));
    let mut facts = vec![
        ("Rows".to_owned(), format!("2^{}", args.log_size)),
        ("One machine, these parameters".to_owned(), of_one(same)),
        ("One machine, its cheapest parameters".to_owned(), of_one(cheapest)),
    ];
    facts.extend(machine::processor().map(|name| ("Processor".to_owned(), name)));
    facts.extend(walls(ranks).map(|(of, [wall, modelled, percent])| {
        let text = format!(
            "{} measured, {} modelled ({percent:+.0} %)",
            units::millis(wall),
            units::millis(modelled)
        );
        (format!("Wall time of {of} ranks"), text)
    }));
    let measured = if *processes {
        "CPU is that of the slowest rank in each phase, of processes that compute at once, each on one thread, measured: the median of five jobs."
    } else {
        "CPU is that of the slowest rank in each phase, each on one thread and with its caches to itself, measured: the median of five jobs."
    };
    Meta {
        title: "One proof by several ranks".into(),
        subtitle: format!("A commitment to 2^{} rows and one opening", args.log_size),
        command: format!("tenfold cluster bench --log-size {}", args.log_size),
        facts,
        notes: vec![
            format!("{measured} Wall times are modelled: that CPU, the bytes one way, and 100 µs for each call."),
            "Speed-up is against one machine on one thread by the same parameters, with leaves that are hashed as a whole. Beside it stands that against one machine by the parameters that are the cheapest for it, whose proof is shorter. What other programs did meanwhile is in the numbers.".into(),
        ],
    }
}
