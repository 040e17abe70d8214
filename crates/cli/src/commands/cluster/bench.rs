//! `tenfold cluster bench`: what a proof costs 1 to 16 ranks, measured one rank's thread at a time, and modelled on networks.

use super::super::failure::failure;
use super::refused;
use crate::args::Common;
use crate::args::cluster::BenchArgs;
use crate::exit::{Exit, Failure};
use crate::files::Kind;
use crate::machine;
use crate::output;
use crate::page::{ClusterRow, Meta, cluster_page};
use crate::table::{Align, Paint, Table};
use crate::units;
use serde_json::{Value, json};
use std::time::Duration;
use tenfold::cluster::meter::{Link, Meters, PHASES};
use tenfold::cluster::{self, Entries, Failed, Proved, RankError, Task, Terms, doctor, one_machine, threads};
use tenfold::{Claim, Dataset, search};

/// The networks of the models: 10 and 1 Gbit/s, with the latency of TCP between two hosts.
const LINKS: [Link; 2] =
    [Link { latency: 100e-6, bytes_per_second: 1.25e9 }, Link { latency: 100e-6, bytes_per_second: 1.25e8 }];

/// A proof by some ranks.
struct Measured {
    ranks: u32,
    proved: Proved,
    /// For two ranks.
    wall: Option<Wall>,
}

/// Wall time of two ranks at once.
struct Wall {
    measured: Duration,
    /// By the model of the link between them, in seconds.
    modelled: f64,
}

/// How often everything is done; the median is shown.
const ROUNDS: usize = 5;

/// The command.
pub fn run(args: &BenchArgs, common: &Common) -> Result<Exit, Failure> {
    let page = args.html.as_ref().map(|path| common.files.result(Kind::Page, path)).transpose()?;
    let values = (0..1u64 << args.log_size).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 34);
    let data = Dataset::from_u64s(values.collect());
    let claims = [Claim::Row(77)];
    let one = one(args, &data, &claims)?;
    let mut measured = Vec::new();
    for &log_ranks in &args.ranks {
        let ranks = 1u32 << log_ranks;
        let options = args.scheme.options().log_parts(log_ranks);
        let params = search::choose(&data, &options).map_err(failure)?;
        let policy = search::policy(&options, false).map_err(failure)?;
        let (task, entries) = Task::new(&data, params, &policy).map_err(failure)?;
        let of = (&task, Entries::Memory(&entries), &claims[..]);
        let proved = median(|| proved(of, ranks, threads::in_turns), |proved| proved.meters.critical_cpu())?;
        // Two ranks compute at once where there are two cores, and their wall time can be measured.
        let wall = (ranks == 2).then(|| median(|| modelled(of), |wall| wall.measured)).transpose()?;
        measured.push(Measured { ranks, proved, wall });
    }
    let rows: Vec<ClusterRow> = measured.iter().map(|of| row(of, one)).collect();
    report(args, (&measured, &rows), one, common);
    if let Some(page) = page {
        page.write(cluster_page(&rows, &meta(args, &measured)).as_bytes())?;
    }
    Ok(Exit::Valid)
}

/// The task, where its entries are, and what is claimed.
type Job<'a> = (&'a Task, Entries<'a>, &'a [Claim<'a>]);

/// A proof by ranks that are threads, connected in some way.
fn proved(
    (task, entries, claims): Job<'_>,
    ranks: u32,
    connect: impl Fn(Vec<threads::Threads>) -> Vec<threads::Threads>,
) -> Result<Proved, Failure> {
    let (terms, connect) = (Terms::default(), |size| connect(threads::connect(size, cluster::MAX_CHUNK)));
    let made = cluster::prove_on(task, (entries, claims), ranks as usize, (&terms, &connect));
    made.map_err(failure)?.map_err(|failed| refused(&failed))
}

/// The wall time of two ranks, and what the model says of it by the link between their threads.
fn modelled(of: Job<'_>) -> Result<Wall, Failure> {
    let proved = proved(of, 2, |ranks| ranks)?;
    Ok(Wall { measured: proved.wall, modelled: proved.meters.modelled(&link(2)?) })
}

/// The median of [`ROUNDS`] measurements.
fn median<T, K: Ord>(
    measure: impl Fn() -> Result<T, Failure>,
    key: impl FnMut(&T) -> K,
) -> Result<T, Failure> {
    let mut all = (0..ROUNDS).map(|_| measure()).collect::<Result<Vec<T>, Failure>>()?;
    all.sort_by_key(key);
    Ok(all.swap_remove(ROUNDS / 2))
}

/// CPU of one machine on one thread, with leaves that are hashed as a whole.
fn one(args: &BenchArgs, data: &Dataset, claims: &[Claim<'_>]) -> Result<Duration, Failure> {
    let options = args.scheme.options();
    let params = search::choose(data, &options).map_err(failure)?;
    let policy = search::policy(&options, false).map_err(failure)?;
    median(|| one_machine(data, params.clone(), (&policy, claims)).map_err(failure), |time| *time)
}

/// The link between threads of this process, as the examination of a deployment finds it.
fn link(ranks: usize) -> Result<Link, Failure> {
    let within = Duration::from_secs(60);
    let found = threads::run(ranks, |mut comm| doctor::examine(&mut comm, within));
    let found = found.into_iter().next().unwrap_or(Ok(None));
    let found = found.map_err(|e| refused(&Failed::from(RankError::from(e))))?;
    let none = || Failure::io("the coordinator examined nothing");
    let doctor::Deployment { ranks, bytes_per_second } = found.ok_or_else(none)?;
    let latency = ranks.get(1).map_or(0.0, |rank| rank.round_trip / 2.0);
    Ok(Link { latency, bytes_per_second })
}

fn row(Measured { ranks, proved: Proved { meters, .. }, .. }: &Measured, one: Duration) -> ClusterRow {
    let of_ranks = |of: &dyn Fn(&cluster::meter::Cost) -> u64| {
        meters.0.iter().map(|meter| of(&meter.total())).max().unwrap_or(0)
    };
    ClusterRow {
        ranks: *ranks,
        cpu_ms: meters.critical_cpu() as f64 / 1e6,
        one_ms: one.as_secs_f64() * 1e3,
        sent_bytes: of_ranks(&|cost| cost.sent),
        calls: of_ranks(&|cost| cost.collectives),
        modelled_ms: LINKS.map(|link| meters.modelled(&link) * 1e3),
    }
}

/// The wall time of two ranks, what the model says of it, and how far that is off, in percent.
fn error(of: &Measured) -> Option<[f64; 3]> {
    let Wall { measured, modelled } = of.wall.as_ref()?;
    let wall = measured.as_secs_f64();
    Some([wall * 1e3, modelled * 1e3, 100.0 * (modelled / wall - 1.0)])
}

fn report(args: &BenchArgs, (measured, rows): (&[Measured], &[ClusterRow]), one: Duration, common: &Common) {
    if common.json {
        let row = |(of, row): (&Measured, &ClusterRow)| {
            json!({ "ranks": row.ranks, "critical_cpu_ms": row.cpu_ms, "sent_bytes": row.sent_bytes, "calls": row.calls,
                "modelled_ms": { "10gbit": row.modelled_ms[0], "1gbit": row.modelled_ms[1] },
                "wall_ms": error(of).map(|error| error[0]), "model_error_percent": error(of).map(|error| error[2]),
                "phases": phases(&of.proved.meters) })
        };
        let rows: Vec<Value> = measured.iter().zip(rows).map(row).collect();
        let value =
            json!({ "log_size": args.log_size, "one_machine_cpu_ms": one.as_secs_f64() * 1e3, "rows": rows });
        output::line(format_args!("{value:#}"));
        return;
    }
    measured.iter().for_each(|of| output::line(&of.proved.meters));
    let headings =
        ["ranks", "CPU, measured", "speed-up", "sent", "calls", "10 Gbit, modelled", "1 Gbit, modelled"];
    let mut table = Table::new(&headings.map(|heading| (heading, Align::Right)));
    for row in rows {
        let [fast, slow] = row.modelled_ms.map(units::millis);
        let (times, sent) = (format!("{:.2}x", row.one_ms / row.cpu_ms), units::bytes(row.sent_bytes));
        table.row(vec![
            row.ranks.to_string(),
            units::millis(row.cpu_ms),
            times,
            sent,
            row.calls.to_string(),
            fast,
            slow,
        ]);
    }
    output::text(table.render(Paint::stdout()));
    output::line(format_args!(
        "one machine, one thread, whole leaves: {} of CPU",
        units::millis(one.as_secs_f64() * 1e3)
    ));
    for [wall, modelled, percent] in measured.iter().filter_map(error) {
        let [wall, modelled] = [wall, modelled].map(units::millis);
        output::line(format_args!(
            "two ranks, measured: {wall} of wall time; modelled by the link between them: {modelled} ({percent:+.0} %)"
        ));
    }
}

/// The costs of the rank that took most, phase by phase.
fn phases(meters: &Meters) -> Value {
    let of = |phase| {
        json!({ "cpu_ms": meters.most(phase, |cost| cost.cpu) as f64 / 1e6, "sent": meters.most(phase, |cost| cost.sent),
            "received": meters.most(phase, |cost| cost.received), "calls": meters.most(phase, |cost| cost.collectives),
            "artifact_bytes": meters.most(phase, tenfold::cluster::meter::Cost::artifact_bytes) })
    };
    PHASES
        .iter()
        .map(|&phase| (format!("{phase:?}").to_lowercase(), of(phase)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn meta(args: &BenchArgs, measured: &[Measured]) -> Meta {
    let mut facts = vec![("Rows".to_owned(), format!("2^{}", args.log_size))];
    facts.extend(machine::processor().map(|name| ("Processor".to_owned(), name)));
    facts.extend(measured.iter().filter_map(error).map(|[wall, modelled, percent]| {
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
