//! Ring proofs beside w3f-ring-proof 0.0.11 and ark-vrf 0.6.1: the same keys, the same setup, alternated in one run.
//!
//! An operation is measured for each implementation that has it, one after another in every round, so that other load on the
//! machine is spread over all alike. Ratios are against w3f-ring-proof, or ark-vrf where that is a signature's. The peers are built without their
//! feature `parallel`: they have one thread.

mod ours;
mod peers;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::{Deserialize, Serialize};
use tenfold_report::files::Files;
use tenfold_report::output;

use crate::machine::{self, Machine, Pages};
use crate::outputs;
use crate::stats::Spread;

/// Options of the measurement of ring proofs.
#[derive(clap::Args)]
pub struct RingArgs {
    /// Rows of the domains: powers of two, 512 to 2048
    #[arg(long, value_delimiter = ',', default_value = "512,1024")]
    pub rows: Vec<usize>,
    /// Counted rounds; one before them is not counted
    #[arg(long, default_value_t = 7, value_parser = crate::rounds())]
    pub rounds: usize,
    /// Leave the peers out
    #[arg(long)]
    pub ours_only: bool,
    /// File for the JSON [default: `ring.json` in crates/bench/results below the current directory, if there is one]
    #[arg(long = "out", value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write no JSON
    #[arg(long, conflicts_with = "output")]
    pub no_save: bool,
}

/// Measures, prints the table and writes `ring.json`.
///
/// # Errors
/// As [`run`], or if the file cannot be written.
pub fn main(args: &RingArgs, files: &Files) -> Result<()> {
    Pages::Kept.settle()?;
    let results = match args.no_save {
        true => None,
        false => outputs::results(files, args.output.as_deref(), "ring.json")?,
    };
    if !args.ours_only {
        machine::warn_of_portable_peers();
    }
    let report = run(args, |step| output::status(step))?;
    output::status("");
    output::text(report.table());
    results.map_or(Ok(()), |results| outputs::save(&results, &report))
}

/// Something that is timed.
struct Job {
    operation: &'static str,
    who: &'static str,
    threads: usize,
    /// The threads that it runs on, if not the caller's.
    pool: Option<ThreadPool>,
    run: Box<dyn FnMut() -> Result<()> + Send>,
    /// Runs in a sample; the sample is their mean.
    times: u32,
}

impl Job {
    fn new(
        operation: &'static str,
        who: &'static str,
        run: impl FnMut() -> Result<()> + Send + 'static,
    ) -> Self {
        Self { operation, who, threads: 1, pool: None, run: Box::new(run), times: 1 }
    }

    /// An operation that is too short for a clock alone.
    fn times(self, times: u32) -> Self {
        Self { times, ..self }
    }

    /// On so many threads.
    fn on(self, threads: usize) -> Result<Self> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
        Ok(Self { threads, pool: Some(pool), ..self })
    }

    /// The clock runs in the pool: handing over to it is no part of an operation.
    fn sample(&mut self) -> Result<f64> {
        let Self { operation, who, run, times, .. } = self;
        let mut clock = || {
            let start = Instant::now();
            for _ in 0..*times {
                run().with_context(|| format!("{operation}, {who}"))?;
            }
            Ok(start.elapsed().as_secs_f64() * 1e3 / f64::from(*times))
        };
        match &self.pool {
            Some(pool) => pool.install(clock),
            None => clock(),
        }
    }
}

/// Drops the value of an operation, which the compiler must not leave out.
fn done<T>(value: T) -> Result<()> {
    std::hint::black_box(value);
    Ok(())
}

/// Times of one operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Rows of the domain.
    pub rows: usize,
    /// Members of the ring.
    pub members: usize,
    /// The operation.
    pub operation: String,
    /// The implementation.
    pub who: String,
    /// Threads.
    pub threads: usize,
    /// Milliseconds.
    pub ms: Spread,
    /// All samples, in milliseconds.
    pub samples: Vec<f64>,
}

/// Bytes of something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Rows of the domain.
    pub rows: usize,
    /// The thing measured.
    pub what: String,
    /// Bytes.
    pub bytes: usize,
}

/// A run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Machine, compiler and source.
    pub machine: Machine,
    /// The command line.
    pub command: String,
    /// Times, domain by domain.
    pub measured: Vec<Measured>,
    /// Sizes.
    pub sizes: Vec<Size>,
}

/// Measures; `progress` is told what comes next.
///
/// # Errors
/// If something fails, or somebody refuses what another one made.
pub fn run(plan: &RingArgs, mut progress: impl FnMut(&str)) -> Result<Report> {
    let machine = Machine::here();
    let command = std::env::args().skip(1).fold("tenfold bench".to_owned(), |line, arg| line + " " + &arg);
    let mut report = Report { machine, command, measured: Vec::new(), sizes: Vec::new() };
    for &rows in &plan.rows {
        progress(&format!("{rows} rows: preparing"));
        let (mut jobs, scene) = ours::jobs(rows)?;
        if !plan.ours_only {
            jobs.extend(peers::jobs(&scene)?);
        }
        report.sizes.extend(scene.sizes());
        // One operation after another, and within it everybody in turn.
        let mut operations: Vec<&'static str> = Vec::new();
        jobs.iter().for_each(|job| {
            if !operations.contains(&job.operation) {
                operations.push(job.operation);
            }
        });
        for operation in operations {
            progress(&format!("{rows} rows: {operation}"));
            let mut these: Vec<&mut Job> = jobs.iter_mut().filter(|job| job.operation == operation).collect();
            let mut samples = vec![Vec::new(); these.len()];
            for round in 0..=plan.rounds {
                for (job, samples) in these.iter_mut().zip(&mut samples) {
                    let sample = job.sample()?;
                    if round > 0 {
                        samples.push(sample);
                    }
                }
            }
            report.measured.extend(these.iter().zip(samples).map(|(job, samples)| Measured {
                rows,
                members: scene.members(),
                operation: operation.into(),
                who: job.who.into(),
                threads: job.threads,
                ms: Spread::of(samples.iter().copied()),
                samples,
            }));
        }
    }
    Ok(report)
}

impl Report {
    /// One line for each operation and everybody who has it: the median with its range, in brackets how many times less it takes than the
    /// peer, and of several threads what they gain.
    #[must_use]
    pub fn table(&self) -> String {
        let mut out = self.machine.header();
        let _ = writeln!(out, "{:>5} {:28} {:24} {:>2} {:>32}", "rows", "operation", "who", "t", "ms");
        for case in &self.measured {
            let Spread { median, min, max } = case.ms;
            let digits = if median < 10.0 { 3 } else { 1 };
            let ratio = self.peer(case).map_or_else(String::new, |peer| format!(" [{:.2}]", peer / median));
            let gain = self.gain(case).map_or_else(String::new, |gain| format!(" {gain:.2}x"));
            let time = format!("{median:.digits$} ({min:.digits$}-{max:.digits$}){ratio}{gain}");
            let Measured { rows, operation, who, threads, .. } = case;
            let _ = writeln!(out, "{rows:>5} {operation:28} {who:24} {threads:>2} {time:>32}");
        }
        for Size { rows, what, bytes } in &self.sizes {
            let _ = writeln!(out, "{rows:>5} {what}: {bytes} bytes");
        }
        out
    }

    /// The median of the peer that a case is held against.
    fn peer(&self, case: &Measured) -> Option<f64> {
        let same = |other: &&Measured| {
            other.rows == case.rows
                && other.operation == case.operation
                && peers::NAMES.contains(&&*other.who)
        };
        self.measured.iter().find(same).map(|peer| peer.ms.median)
    }

    /// The speed-up on several threads, the median over the rounds: in a round one comes soon after the other, so that
    /// a clock that changes between rounds changes both.
    fn gain(&self, case: &Measured) -> Option<f64> {
        let alone = |other: &&Measured| {
            other.threads == 1
                && (other.rows, &other.operation, &other.who) == (case.rows, &case.operation, &case.who)
        };
        let one = self.measured.iter().find(alone).filter(|_| case.threads > 1)?;
        Some(Spread::of(one.samples.iter().zip(&case.samples).map(|(one, several)| one / several)).median)
    }
}

#[cfg(test)]
mod tests {
    use super::{RingArgs, run};

    /// Everybody accepts what everybody made, and ratios are against the peer of the same operation.
    #[test]
    fn a_short_run() {
        let plan = RingArgs { rows: vec![512], rounds: 1, ours_only: false, output: None, no_save: true };
        let report = run(&plan, |_| ()).unwrap();
        for operation in ["setup and tables", "index", "prove", "verify", "batch of 32", "sign"] {
            let those: Vec<_> = report.measured.iter().filter(|m| m.operation == operation).collect();
            assert!(those.len() >= 2, "{operation}");
            let peer = those.iter().find(|m| super::peers::NAMES.contains(&&*m.who)).unwrap();
            assert_eq!(report.peer(those[0]), Some(peer.ms.median));
        }
        let [one, two] = [1, 2].map(|threads| {
            let own = |m: &&super::Measured| (&*m.operation, m.threads) == ("prove", threads);
            report.measured.iter().find(own).unwrap()
        });
        assert_eq!(report.gain(one), None);
        assert_eq!(report.gain(two), Some(one.samples[0] / two.samples[0]));
        assert!(report.measured.iter().all(|m| m.samples.len() == 1 && m.ms.median > 0.0));
        assert!(report.table().lines().count() > report.measured.len());
        assert!(report.sizes.iter().all(|s| s.bytes > 0));
    }
}
