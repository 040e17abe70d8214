//! `ledger demo` and `ledger bench`: words around what the library runs and measures.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{insecure, refused};
use crate::args::Common;
use crate::args::ledger::{BenchArgs, DemoArgs};
use crate::exit::{Exit, Failure};
use crate::memory;
use crate::output;
use crate::progress::Progress;
use crate::table::{Align, Paint, Table};
use crate::terminal;
use crate::units;
use ledger::node::{
    Baseline, Demo, Event, Measured, Outcome, Role, Scratch, ed25519, measure, proving_memory,
    transparent_memory,
};

/// How names of folders begin that are removed at the end.
const SCRATCH: &str = "tenfold-ledger";

fn millis(time: Duration) -> String {
    units::millis(time.as_secs_f64() * 1e3)
}

fn micros(time: Duration) -> String {
    format!("{:.1} µs", time.as_secs_f64() * 1e6)
}

fn replicas(crossover: Option<f64>) -> String {
    crossover.map_or_else(|| "never".to_owned(), |n| units::count(n.ceil() as u64))
}

/// The rows about each baseline.
fn crossings(baselines: &[Baseline], crossover: impl Fn(&Baseline) -> Option<f64>) -> Vec<[String; 2]> {
    let row = |baseline: &Baseline| {
        let name = format!("replicas from which it pays: {} ({})", baseline.name, micros(baseline.time));
        [name, replicas(crossover(baseline))]
    };
    baselines.iter().map(row).collect()
}

/// `ledger demo`.
pub fn run(args: &DemoArgs, common: &Common) -> Result<Exit, Failure> {
    let slots = args.size.batch.slots();
    let need = 2 * proving_memory(slots);
    common.within_memory(need, "raise `--max-memory`, or take a smaller --batch")?;
    if let Some(directory) = args.directory.as_deref().filter(|directory| directory.exists()) {
        return Err(Failure::usage(
            format!("{} is there already, and is not overwritten", terminal::path(directory)),
            "name a directory that is not there",
        ));
    }
    let scratch = args.directory.is_none().then(|| Scratch::new(SCRATCH)).transpose().map_err(refused)?;
    let directory =
        args.directory.clone().or_else(|| scratch.as_ref().map(|scratch| scratch.path().join("demo")));
    let directory = directory.unwrap_or_default();
    if !common.quiet {
        insecure();
        note!("two provers take about {} of memory together", units::bytes(need));
    }
    let keys = args.keys.clone().unwrap_or_else(|| directory.join("keys"));
    let program =
        std::env::current_exe().map_err(|e| Failure::io(format!("cannot find this program: {e}")))?;
    let command = |role: &Role| child(&program, role, slots);
    let mut progress = Progress::new(common.quiet || common.json);
    let mut shown = Shown { progress: &mut progress, json: common.json };
    let demo = Demo {
        directory: directory.clone(),
        keys,
        transactions: args.transactions as usize,
        size: args.size.batch,
        command: &command,
        report: &mut |event| shown.event(event),
    };
    let start = Instant::now();
    let outcome = demo.run().map_err(refused)?;
    let time = start.elapsed();
    progress.end();
    let [strict, batch] = ed25519().map_err(refused)?;
    let execution =
        Baseline { name: "plain execution, signatures one by one", time: outcome.each(outcome.execute) };
    print(&outcome, &[execution, strict, batch], time, common);
    if let (None, false) = (&scratch, common.quiet || common.json) {
        note!(
            "everything is in {}; its blocks in `blocks` fit any replica of its genesis",
            terminal::path(&directory)
        );
    }
    Ok(Exit::Valid)
}

/// A node's process: this program, on half of the threads.
fn child(program: &Path, role: &Role, slots: usize) -> Command {
    let threads = std::thread::available_parallelism().map_or(1, |n| (n.get() / 2).max(1));
    let mut command = Command::new(program);
    command.args(["ledger", "serve"]).arg(&role.directory).arg("--insecure-local");
    command.arg("--keys").arg(&role.keys).args(["--threads", &threads.to_string()]);
    command.arg("--circuit").arg(format!("{slots}:{}", units::hex(&role.circuit)));
    if let Some(secret) = &role.secret {
        command.arg("--key").arg(secret);
    }
    command
}

/// What is on the screen while it runs.
struct Shown<'a> {
    progress: &'a mut Progress,
    json: bool,
}

impl Shown<'_> {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Begins(what) => self.progress.phase(what),
            Event::Done(done, all) => self.progress.reached("transactions", done as u64, all as u64),
            Event::Line(name, text, time) => {
                let time = time.map(|time| format!(" ({})", millis(time))).unwrap_or_default();
                let paint = Paint::stdout();
                let line = format!(
                    "{} {}{}",
                    paint.bold(&format!("{name:<9}")),
                    terminal::escape(text),
                    paint.dim(&time)
                );
                if !self.json {
                    self.progress.suspended(|| output::line(line));
                }
            }
        }
    }
}

fn print(outcome: &Outcome, baselines: &[Baseline], time: Duration, common: &Common) {
    let bytes = outcome.bytes as f64 / outcome.proven.max(1) as f64;
    if common.json {
        let mut value = outcome.json(baselines);
        value["wall_ms"] = (time.as_secs_f64() * 1e3).into();
        output::json(&value);
        return;
    }
    let mut table = Table::new(&[("for each transaction", Align::Left), ("", Align::Right)]);
    let gas = outcome.gas();
    let each = |gas: u64| units::count(gas / (outcome.proven as u64).max(1));
    let rows = [
        ["prover, CPU time", &millis(outcome.each(outcome.prove.cpu))],
        ["replica: check, CPU time", &micros(outcome.each(outcome.verify.cpu))],
        ["replica: check and disk", &micros(outcome.each(outcome.apply))],
        ["bytes of the block", &format!("{bytes:.1}")],
        ["gas of calldata, as calls of the exported contract", &each(gas.calldata)],
        ["gas of such calls in all, execution as measured", &each(gas.all)],
    ];
    rows.iter().for_each(|row| table.row(row.map(str::to_owned).to_vec()));
    crossings(baselines, |baseline| outcome.crossover(baseline))
        .into_iter()
        .for_each(|row| table.row(row.to_vec()));
    output::text(table.render(Paint::stdout()));
    output::line(format_args!(
        "{} transactions, {} of them in {} batches ({} proven beside another), height {}, all replicas at root {}…, {}",
        units::count(outcome.transactions as u64),
        units::count(outcome.proven as u64),
        outcome.batches,
        outcome.side_by_side,
        outcome.height,
        &units::hex(&outcome.root)[..16],
        millis(time)
    ));
    if !common.quiet {
        say_gas(outcome);
    }
}

/// The gas of each batch on an EVM chain.
fn say_gas(outcome: &Outcome) {
    for (number, (count, gas)) in outcome.gas.iter().enumerate() {
        note!(
            "  batch {}: {count} transactions, {} gas as a call of the exported contract, {} of them calldata",
            number + 1,
            units::count(gas.all),
            units::count(gas.calldata)
        );
    }
}

/// `ledger bench`.
pub fn bench(args: &BenchArgs, common: &Common) -> Result<Exit, Failure> {
    let memory_of = |size: &ledger::statement::BatchSize| match args.transparent {
        true => transparent_memory(*size),
        false => proving_memory(size.slots()),
    };
    let most = args.batch.iter().map(memory_of).max().unwrap_or(0);
    common.within_memory(most, "raise `--max-memory`, or take a smaller --batch")?;
    let scratch = Scratch::new(SCRATCH).map_err(refused)?;
    let mut progress = Progress::new(common.quiet || common.json);
    let [strict, batch] = ed25519().map_err(refused)?;
    let mut all = Vec::new();
    for size in &args.batch {
        let steps = &mut |what| progress.phase(what);
        all.push(
            measure(
                &scratch.path().join("node"),
                (size.slots(), args.transparent),
                args.rounds as usize,
                steps,
            )
            .map_err(refused)?,
        );
    }
    progress.end();
    let others = [strict, batch];
    if common.json {
        output::json(&object(&all, others, !args.transparent));
        return Ok(Exit::Valid);
    }
    for found in &all {
        output::text(table_of(found, &baselines(found, others)));
    }
    let peak = memory::peak().map(units::bytes).unwrap_or_default();
    output::line(format_args!("CPU time of all threads, medians of {}; peak memory {peak}", args.rounds));
    Ok(Exit::Valid)
}

/// The baselines of a batch: plain execution as measured, and others.
fn baselines(found: &Measured, [strict, batch]: [Baseline; 2]) -> [Baseline; 3] {
    let own =
        Baseline { name: "plain execution, signatures one by one", time: found.each(found.execute.cpu) };
    [own, strict, batch]
}

fn object(all: &[Measured], others: [Baseline; 2], insecure: bool) -> Value {
    let batches: Vec<Value> = all.iter().map(|found| found.json(&baselines(found, others))).collect();
    json!({ "insecure": insecure, "batches": batches })
}

fn table_of(found: &Measured, baselines: &[Baseline]) -> String {
    let head = format!("batches of {}, {} constraints", found.slots, units::count(found.constraints as u64));
    let mut table = Table::new(&[
        (&head, Align::Left),
        ("for each transaction", Align::Right),
        ("for a batch", Align::Right),
    ]);
    let mut time = |name: &str, time: Duration| {
        table.row(vec![name.to_owned(), micros(found.each(time)), millis(time)]);
    };
    time("prove", found.prove.cpu);
    time("prove, wall clock", found.prove.wall);
    time("verify", found.verify.cpu);
    time("apply: log and index, wall clock", found.commit.wall);
    time("plain execution with signatures", found.execute.cpu);
    time("signatures alone (Schnorr on Grumpkin)", found.signatures.cpu);
    for (name, bytes) in [
        ("bytes of the effect", found.effect),
        ("bytes of the proof", found.proof),
        ("bytes of the block", found.block),
    ] {
        table.row(vec![
            name.to_owned(),
            format!("{:.1}", bytes as f64 / found.slots as f64),
            units::count(bytes as u64),
        ]);
    }
    for [name, count] in crossings(baselines, |baseline| found.crossover(baseline)) {
        table.row(vec![name, count, String::new()]);
    }
    let once = [
        ("local setup (INSECURE), once", found.setup.cpu),
        ("key read from its file and checked", found.load.cpu),
        ("key read, wall clock", found.load.wall),
    ];
    // Without a setup there is no key.
    let made = [("made from the circuit, once", found.setup.cpu)];
    for &(name, time) in if found.key == 0 { &made[..] } else { &once } {
        table.row(vec![name.to_owned(), String::new(), millis(time)]);
    }
    table.render(Paint::stdout()) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json_page::check;

    /// Of batches that take minutes to measure: what is printed is what the page has.
    #[test]
    fn the_object_is_that_of_the_page() {
        let second = Duration::from_secs(1);
        let others = ["one", "two"].map(|name| Baseline { name, time: second });
        let found = Measured { slots: 64, ..Measured::default() };
        let value = object(&[found], others, true);
        check("ledger bench", &value);
        assert_eq!(value["batches"][0]["crossover"][1]["time_ms"], 1000.0);
    }
}
