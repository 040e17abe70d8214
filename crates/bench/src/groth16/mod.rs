//! Groth16 over BN254 beside arkworks and gnark: the same matrices and the same assignment, alternated in one run.
//!
//! A round of a scheme is a proof of an assignment that is there, and verifications of it. Nobody's setup and nobody's synthesis of the circuit is in it; gnark's
//! solver has no cell to compute, and checks the constraints. Times are CPU times of the process, medians: other load on the machine is in them as far as it
//! takes caches and the other half of a core. gnark is a program in Go, `go/`, that is built and run if there is a Go compiler.
//!
//! (notes: groth16-measured)

mod arkworks;
mod circuits;
mod gnark;
mod ours;

use std::fmt::Write as _;

use anyhow::Result;
use clap::{Args, ValueEnum};
use curve::bn254::Fr;
use rustix::time::{ClockId, clock_gettime};
use snark::r1cs::{Assignment, R1cs};
use tenfold_report::exit::Failure;

use crate::stats::Spread;

/// A family of circuits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Family {
    /// Products, every cell of which is any element.
    Dense,
    /// Products and booleans by turns.
    Half,
    /// Transfers of the ledger, 64 and 256.
    Ledger,
}

/// Options.
#[derive(Args)]
pub struct Groth16Args {
    /// Circuits
    #[arg(long, value_enum, value_delimiter = ',', default_value = "dense,half,ledger")]
    pub circuit: Vec<Family>,
    /// log2 of the number of constraints of the first two
    #[arg(long, value_delimiter = ',', default_value = "16,18")]
    pub log_size: Vec<u32>,
    /// Transfers of the third
    #[arg(long, value_delimiter = ',', default_value = "64")]
    pub transfers: Vec<u32>,
    /// Thread counts
    #[arg(long, value_delimiter = ',', default_value = "1,2", value_parser = crate::threads())]
    pub threads: Vec<usize>,
    /// Counted rounds; one before them is not counted
    #[arg(long, default_value_t = 3, value_parser = crate::rounds())]
    pub rounds: usize,
    /// No peers
    #[arg(long)]
    pub ours_only: bool,
}

/// A circuit with an assignment.
struct Case {
    name: String,
    system: R1cs<Fr>,
    assignment: Assignment<Fr>,
    /// Transfers, if it has some.
    transfers: Option<u32>,
}

/// CPU seconds of the process and seconds of the clock.
#[derive(Clone, Copy, Debug, Default)]
struct Time {
    cpu: f64,
    clock: f64,
}

impl Time {
    /// Runs a closure, and returns its result and its time.
    fn of<T>(run: impl FnOnce() -> T) -> (Self, T) {
        let seconds = |id| {
            let time = clock_gettime(id);
            time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
        };
        let now = || [seconds(ClockId::ProcessCPUTime), seconds(ClockId::Monotonic)];
        let start = now();
        let result = run();
        let end = now();
        (Self { cpu: end[0] - start[0], clock: end[1] - start[1] }, result)
    }
}

/// A prover and a verifier with the keys of a case.
trait Groth16 {
    fn name(&self) -> &'static str;

    /// The time of a proof on so many threads, and its bytes.
    fn prove(&mut self, threads: usize) -> Result<(Time, usize)>;

    /// The time of a verification of the last proof on one thread.
    fn verify(&mut self) -> Result<Time>;

    /// Other measurements.
    fn remarks(&mut self) -> Result<Option<String>> {
        Ok(None)
    }
}

/// Verifications after each proof.
const VERIFICATIONS: usize = 5;

/// The measurements of a scheme on a number of threads.
#[derive(Default)]
struct Measured {
    prove: Vec<Time>,
    verify: Vec<Time>,
    bytes: usize,
}

/// The tables, as text.
///
/// # Errors
/// If sizes are out of range, or a proof does not hold.
pub fn tables(args: &Groth16Args) -> Result<String> {
    if !args.log_size.iter().all(|log| (8..=20).contains(log)) {
        return Err(Failure::usage("a circuit has 2^8 to 2^20 constraints", "pass --log-size 8 to 20").into());
    }
    let mut text = String::new();
    for &family in &args.circuit {
        let sizes = if family == Family::Ledger { &args.transfers } else { &args.log_size };
        for &size in sizes {
            let case = circuits::case(family, size)?;
            note!("{}: keys", case.name);
            let mut schemes: Vec<Box<dyn Groth16 + '_>> = vec![Box::new(ours::Ours::new(&case)?)];
            if !args.ours_only {
                schemes.push(Box::new(arkworks::Arkworks::new(&case)?));
                match gnark::Gnark::start(&case)? {
                    Some(gnark) => schemes.push(Box::new(gnark)),
                    None => note!("NO GNARK: there is no Go compiler (`go`), so that gnark is left out"),
                }
            }
            table(&case, &mut schemes, args, &mut text)?;
        }
    }
    Ok(text)
}

/// Runs the schemes one after another in every round and appends a line for each.
fn table(
    case: &Case,
    schemes: &mut [Box<dyn Groth16 + '_>],
    args: &Groth16Args,
    text: &mut String,
) -> Result<()> {
    let constraints = case.system.constraints();
    writeln!(text, "{}, {constraints} constraints", case.name)?;
    writeln!(
        text,
        "{:>10} {:>7} {:>15} {:>15} {:>11} {:>7} {:>10} {:>6}",
        "", "threads", "us CPU / constr", "us clock / con.", "CPU ms/trf.", "ratio", "verify ms", "bytes"
    )?;
    for &threads in &args.threads {
        let mut all: Vec<Measured> = schemes.iter().map(|_| Measured::default()).collect();
        for round in 0..=args.rounds {
            for (scheme, measured) in schemes.iter_mut().zip(&mut all) {
                note!("{}: round {round}, {threads} threads, {}", case.name, scheme.name());
                let (time, bytes) = scheme.prove(threads)?;
                let verified = (0..VERIFICATIONS).map(|_| scheme.verify()).collect::<Result<Vec<_>>>()?;
                if round > 0 {
                    measured.prove.push(time);
                    measured.verify.extend(verified);
                    measured.bytes = bytes;
                }
            }
        }
        let cpu = |times: &[Time]| Spread::of(times.iter().map(|time| time.cpu)).median;
        let clock = |times: &[Time]| Spread::of(times.iter().map(|time| time.clock)).median;
        let ours = cpu(&all[0].prove);
        for (scheme, Measured { prove, verify, bytes }) in schemes.iter().zip(&all) {
            let each = |seconds: f64| seconds * 1e6 / constraints as f64;
            let transfer =
                case.transfers.map_or(String::new(), |n| format!("{:.2}", cpu(prove) * 1e3 / f64::from(n)));
            writeln!(
                text,
                "{:>10} {threads:>7} {:>15.2} {:>15.2} {transfer:>11} {:>7.2} {:>10.3} {bytes:>6}",
                scheme.name(),
                each(cpu(prove)),
                each(clock(prove)),
                cpu(prove) / ours,
                cpu(verify) * 1e3,
            )?;
        }
    }
    for scheme in schemes {
        if let Some(remarks) = scheme.remarks()? {
            writeln!(text, "{remarks}")?;
        }
    }
    writeln!(text)?;
    Ok(())
}
