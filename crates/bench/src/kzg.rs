//! Multilinear KZG: plain beside fragments under a setup shorter by their number, alternated in one run on one thread; and the same by several
//! ranks, each a thread; with the feature `mpi` and under its launcher the lines of the ranks alone, each a process.
//!
//! Times are CPU times of the thread, medians: other load on the machine is in none of them.
//!
//! (notes: kzg-shred-measured)

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::{Result, anyhow};
use clap::Args;
use cluster::comm::threads;
use cluster::kzg::Member;
use cluster::meter::Meters;
use cluster::{Deadlines, Error};
use curve::srs::MultilinearSrs;
use iop::poly::TensorForm;
use iop::security::Policy;
use pcs::field::Field;
use pcs::kzg::multilinear::{Key, Params, Prover, Scalar, Scheme, Witness};
use pcs::scheme::MultilinearPcs;
use rustix::time::{ClockId, clock_gettime};
use tenfold_report::exit::Failure;

use crate::stats::Spread;

/// Options.
#[derive(Args)]
pub struct KzgArgs {
    /// log2 of the number of entries
    #[arg(long, value_delimiter = ',', default_value = "14,15,16,17,18")]
    pub log_size: Vec<u32>,
    /// log2 of the number of fragments
    #[arg(long, default_value_t = 4)]
    pub log_fragments: u32,
    /// Counted rounds; one before them is not counted
    #[arg(long, default_value_t = 5, value_parser = crate::rounds())]
    pub rounds: usize,
    /// Numbers of ranks: powers of two, at most as many as fragments
    #[arg(long, value_delimiter = ',', default_value = "1,2,4,8")]
    pub ranks: Vec<usize>,
}

/// The tables, as text.
///
/// # Errors
/// If sizes are out of range, or a proof does not hold.
pub fn tables(args: &KzgArgs) -> Result<String> {
    let fits = |n: &u32| (args.log_fragments + 1..24).contains(n);
    if !args.log_size.iter().all(fits) {
        let hint = "pass a --log-size above --log-fragments and below 24";
        return Err(
            Failure::usage("a size has more entries than fragments, and fewer than 2^24", hint).into()
        );
    }
    #[cfg(feature = "mpi")]
    if cluster::comm::is_launched() {
        return by_processes(args);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut text = format!(
        "{:>4} {:>9} {:>12} {:>10} {:>10} {:>10} {:>10} {:>7}   CPU ms, one thread\n",
        "size", "fragments", "setup B", "commit", "open", "verify", "commitm. B", "proof B"
    );
    let mut ranks = String::new();
    for &log_size in &args.log_size {
        let cases = [0, args.log_fragments].map(|log_fragments| Case::new(log_size, log_fragments));
        let cases: Vec<Case> = cases.into_iter().collect::<Result<_>>()?;
        pool.install(|| measure(&cases, args.rounds, &mut text))?;
        let [_, shredded] = &cases[..] else { unreachable!("two cases") };
        for &count in &args.ranks {
            writeln!(ranks, "2^{log_size}, {}", shredded.distributed(count)?)?;
        }
    }
    Ok(text + "\n" + &ranks)
}

/// The lines of the ranks that a launcher started, at the coordinator.
#[cfg(feature = "mpi")]
fn by_processes(args: &KzgArgs) -> Result<String> {
    use cluster::comm::{Comm, mpi::Mpi};
    let universe = mpi::initialize().ok_or_else(|| anyhow!("MPI cannot be initialized"))?;
    let world = universe.world();
    cluster::comm::mpi::check_world(&world)?;
    let mut lines = String::new();
    for &log_size in &args.log_size {
        let (case, comm) = (Case::new(log_size, args.log_fragments)?, Mpi::new(&world));
        let count = Comm::size(&comm);
        // A rank that fails ends the others.
        let meters = case.rank(Box::new(comm)).unwrap_or_else(|e| Mpi::new(&world).abort(&e, 1));
        if let Some(meters) = meters {
            writeln!(lines, "2^{log_size}, {}", line(count, &meters))?;
        }
    }
    Ok(lines)
}

/// A scheme with its setup and the polynomial.
struct Case {
    scheme: Scheme,
    srs: MultilinearSrs,
    entries: Vec<Vec<Scalar>>,
    form: TensorForm<Scalar>,
}

/// The measurements of a case: milliseconds of commit, open and verify in each round, bytes of commitment and proof.
#[derive(Default)]
struct Measured {
    times: [Vec<f64>; 3],
    bytes: [usize; 2],
}

impl Case {
    fn new(log_size: u32, log_fragments: u32) -> Result<Self> {
        let element = |i: u64| Scalar::from_u64(i + 3).pow(65) + Scalar::from_u64(i);
        let tau: Vec<_> = (0..u64::from(log_size - log_fragments)).map(|i| element(i).0).collect();
        let srs = MultilinearSrs::insecure_from_point(&tau);
        let key = Key::new(&srs).map_err(|e| anyhow!("{e}"))?;
        let params = Params { key, log_fragments, polynomials: 1, max_forms: 1 };
        let entries = vec![(0..1 << log_size).map(|i| element(i + 1000)).collect()];
        let z: Vec<Scalar> = (0..u64::from(log_size)).map(|i| element(i + 77)).collect();
        let scheme = Scheme::new(params, &Policy::at_least(0))?;
        Ok(Self { scheme, srs, entries, form: TensorForm::point(&z) })
    }

    fn round(&self, prover: &Prover<'_>, into: Option<&mut Measured>) -> Result<()> {
        let (commit, witness) = timed(|| prover.commit(&self.entries));
        let witness: Witness = witness?;
        let (open, (claims, proof)) = timed(|| prover.open(&witness, vec![self.form.clone()], b"bench"));
        let (verify, holds) = timed(|| self.scheme.verify(witness.commitment(), &claims, &proof));
        holds?;
        if let Some(measured) = into {
            let times = [commit, open, verify];
            measured.times.iter_mut().zip(times).for_each(|(all, time)| all.push(time));
            measured.bytes = [witness.commitment().to_bytes().len(), proof.len()];
        }
        Ok(())
    }

    /// The critical path and the most bytes of a rank.
    fn distributed(&self, ranks: usize) -> Result<String> {
        let results = threads::run(ranks, |comm| self.rank(Box::new(comm)));
        let results: Result<Vec<Option<Meters>>, Error> = results.into_iter().collect();
        let meters = results?.into_iter().flatten().next().ok_or_else(|| anyhow!("no coordinator"))?;
        Ok(line(ranks, &meters))
    }

    fn rank(&self, comm: Box<dyn cluster::comm::Comm + '_>) -> Result<Option<Meters>, Error> {
        let rank = Member::join(&self.scheme, &self.srs, comm, Deadlines::default())?;
        let fragments = rank.fragments_of(&self.entries)?;
        if !rank.coordinates() {
            return rank.serve(&fragments).map(|_| None);
        }
        let mut coordinator = rank.coordinate(fragments)?;
        coordinator.open(vec![self.form.clone()], b"bench")?;
        coordinator.finish().map(Some)
    }
}

/// The critical path and the most bytes of a rank that does not coordinate.
fn line(ranks: usize, meters: &Meters) -> String {
    let most = |of: fn(&cluster::meter::Cost) -> u64| {
        meters.0.iter().skip(1).map(|meter| of(&meter.total())).max().unwrap_or(0)
    };
    format!(
        "{ranks} ranks: critical path {:.1} ms; a rank sends {} and receives {} bytes",
        meters.critical_cpu() as f64 / 1e6,
        most(|cost| cost.sent),
        most(|cost| cost.received)
    )
}

/// Runs the cases one after another in every round and appends a line for each.
fn measure(cases: &[Case], rounds: usize, text: &mut String) -> Result<()> {
    let provers = cases.iter().map(|case| Prover::new(&case.scheme, &case.srs));
    let provers: Vec<Prover<'_>> = provers.collect::<Result<_, _>>()?;
    let mut all: Vec<Measured> = cases.iter().map(|_| Measured::default()).collect();
    for round in 0..=rounds {
        for ((case, prover), measured) in cases.iter().zip(&provers).zip(&mut all) {
            case.round(prover, (round > 0).then_some(measured))?;
        }
    }
    for (case, Measured { times, bytes: [commitment, proof] }) in cases.iter().zip(&all) {
        let params = case.scheme.params();
        let [commit, open, verify] = times.each_ref().map(|times| Spread::of(times.iter().copied()).median);
        let setup = case.srs.write().len();
        writeln!(
            text,
            "2^{:<2} {:>9} {setup:>12} {commit:>10.2} {open:>10.2} {verify:>10.2} {commitment:>10} {proof:>7}",
            params.variables(),
            params.fragments()
        )?;
    }
    Ok(())
}

/// CPU milliseconds of this thread, and the result.
fn timed<T>(run: impl FnOnce() -> T) -> (f64, T) {
    let now = || Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default();
    let start = now();
    let result = run();
    ((now() - start).as_secs_f64() * 1e3, result)
}
