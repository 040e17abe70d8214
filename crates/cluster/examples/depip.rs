//! One PIP_FRI proof by several ranks, compared with one machine's; prints what each phase took.
//!
//! ```text
//! cargo run --release -p tenfold-cluster --example depip -- 4 20                      four threads, 2^20 entries
//! mpirun -n 4 target/release/examples/depip mpi 20                                    four processes (feature `mpi`)
//! ```
//! A third number is log2 of the parts of a leaf, four if there is none: as many ranks as parts are the fastest. A fourth one is log2 of the columns, six if
//! there is none: the more there are, the less the coordinator does alone, and the longer is the proof. The costs come as JSON too. Everything is done a number
//! of times, a fifth number or once, and what is printed is the median of these by its critical path. Threads compute one at a time, as if each had a core with its
//! caches to itself.
//! With `doctor` as the second argument the ranks prove nothing and measure what is between them.

use cluster::comm::{Comm, CommError, MAX_CHUNK, threads};
use cluster::doctor::examine;
use cluster::meter::{Link, Meters};
use cluster::{Deadlines, Error, Member};
use field::{Goldilocks, Goldilocks2};
use iop::hash::Hash;
use iop::poly::TensorForm;
use iop::security::{Policy, Regime};
use pcs::fields::Fields;
use pcs::matrix::{Inner, Params, Prover, RoundParams};
use pcs::pip::Scheme;
use pcs::ring_switching::Entries;
use rustix::time::{ClockId, clock_gettime};
use std::time::{Duration, Instant};

type Pip = Scheme<Goldilocks, Goldilocks2>;

/// Seconds of a call between two hosts, as measured over TCP between network namespaces.
const LATENCY: f64 = 100e-6;

fn params(log_size: u32, log_parts: u32, log_columns: u32) -> Params {
    Params {
        fields: Fields::Goldilocks2,
        hash: Hash::Blake3,
        regime: Regime::Johnson { multiplicity: 8 },
        entries: Entries::Whole,
        log_size,
        polynomials: 1,
        max_forms: 1,
        hidden_openings: 0,
        log_parts,
        log_leaf_fibres: 0,
        level: RoundParams { log_columns, log_inv_rate: 3, queries: 70, grinding: 0, fold_grinding: 0 },
        inner: Inner::Chain(vec![2; (log_size - log_columns - 4) as usize / 2]),
    }
}

fn entry(i: u64) -> Goldilocks {
    Goldilocks::new(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 1)
}

fn form(log_size: u32) -> TensorForm<Goldilocks2> {
    TensorForm::powers(field::ExtensionOf::lift(entry(77)), log_size as usize)
}

/// A proof by all ranks.
struct Made {
    proof: Vec<u8>,
    meters: Meters,
    /// From the columns to the proof, at the coordinator.
    wall: Duration,
}

/// The program of every rank; the coordinator returns the proof and the costs.
fn rank(scheme: &Pip, comm: Box<dyn Comm + '_>) -> Result<Option<Made>, Error> {
    let log_size = scheme.params().log_size;
    let rank = Member::join(scheme, comm, Deadlines::default())?;
    // Each rank has its own columns from the start.
    let (own, width) = (rank.ownership().columns(rank.rank()), rank.ownership().spec().width);
    let rows = 0..rank.ownership().rows();
    let columns = rows.flat_map(|row| own.clone().map(move |column| entry((row * width + column) as u64)));
    let columns = columns.collect();
    if !rank.coordinates() {
        return rank.serve(columns).map(|_| None);
    }
    let start = Instant::now();
    let mut coordinator = rank.coordinate(columns)?;
    let (_, proof) = coordinator.open(vec![form(log_size)], b"")?;
    let wall = start.elapsed();
    Ok(Some(Made { proof, meters: coordinator.finish()?, wall }))
}

/// CPU time of this thread.
fn cpu() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("a time")
}

/// CPU time of one machine on one thread.
struct Single {
    /// CPU time to commit.
    commit: Duration,
    /// CPU time in all.
    all: Duration,
    wall: Duration,
    proof: Vec<u8>,
}

fn single(scheme: &Pip, rounds: usize) -> Single {
    let log_size = scheme.params().log_size;
    let run = || {
        let entries: Vec<Goldilocks> = (0..1 << log_size).map(entry).collect();
        let mut prover = Prover::new(scheme);
        let (start, clock) = (cpu(), Instant::now());
        let mut witness = prover.commit(entries);
        let commit = cpu() - start;
        let (_, proof) = prover.open(&mut witness, vec![form(log_size)], b"");
        Single { commit, all: cpu() - start, wall: clock.elapsed(), proof }
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    median((0..rounds).map(|_| pool.install(run)).collect(), |single| single.all)
}

/// The one in the middle.
fn median<T, K: Ord>(mut all: Vec<T>, key: impl FnMut(&T) -> K) -> T {
    all.sort_by_key(key);
    all.swap_remove(all.len() / 2)
}

/// Prints the costs, and those of one machine, whose proof must be the same; it is faster with leaves that are hashed as a whole.
fn report(scheme: &Pip, made: Vec<Made>) {
    let rounds = made.len();
    let Made { proof, meters, wall } = median(made, |made| made.meters.critical_cpu());
    print!("{meters}");
    println!("{}", serde_json::to_string(&meters).expect("numbers"));
    let critical = meters.critical_cpu() as f64 / 1e6;
    let bits = scheme.report().proven_bits();
    println!(
        "critical path, measured: {critical:.2} ms of CPU, {} bytes of proof, {bits:.1} bits",
        proof.len()
    );
    for (name, bytes_per_second) in [("10 Gbit", 1.25e9), ("1 Gbit", 1.25e8)] {
        let wall = meters.modelled(&Link { latency: LATENCY, bytes_per_second }) * 1e3;
        println!("wall time at {name}, modelled: {wall:.2} ms");
    }
    println!("wall time, measured: {:.2} ms", wall.as_secs_f64() * 1e3);
    let whole = Params { log_parts: 0, ..scheme.params().clone() };
    let whole = Pip::new(whole, &Policy::at_least(0)).expect("parameters in range");
    for (leaves, scheme) in [("the same", scheme), ("whole", &whole)] {
        let Single { commit, all, wall, proof: bytes } = single(scheme, rounds);
        assert!(leaves == "whole" || bytes == proof, "other bytes than those of one machine");
        let [commit, all, wall] = [commit, all, wall].map(|time| time.as_secs_f64() * 1e3);
        let (times, bytes) = (all / critical, bytes.len());
        println!(
            "one machine, one thread, {leaves} leaves: commit {commit:.2} ms, with opening {all:.2} ms ({times:.2} times), {wall:.2} ms of wall time, {bytes} bytes"
        );
    }
}

/// Prints the coordinator's findings about a deployment; returns the program's success.
fn doctor(comm: &mut dyn Comm) -> Result<bool, CommError> {
    let found = examine(comm, Duration::from_secs(30))?;
    found.iter().for_each(|deployment| print!("{deployment}"));
    Ok(found.is_none_or(|deployment| deployment.problems().is_empty()))
}

/// All ranks, or the end of a process whose launcher is of another MPI.
#[cfg(feature = "mpi")]
fn world(universe: &mpi::environment::Universe) -> mpi::topology::SimpleCommunicator {
    let world = universe.world();
    cluster::comm::mpi::check_world(&world).unwrap_or_else(|e| {
        eprintln!("{e}");
        std::process::exit(2)
    });
    world
}

#[cfg(feature = "mpi")]
fn doctor_by_mpi() -> bool {
    use cluster::comm::mpi::Mpi;
    let universe = mpi::initialize().expect("MPI, for the first time");
    let world = world(&universe);
    doctor(&mut Mpi::new(&world)).unwrap_or_else(|error| Mpi::new(&world).abort(&error, 1))
}

#[cfg(feature = "mpi")]
fn by_mpi(scheme: &Pip, rounds: usize) {
    use cluster::comm::mpi::Mpi;
    let universe = mpi::initialize().expect("MPI, for the first time");
    let world = world(&universe);
    let made = (0..rounds).map(|_| rank(scheme, Box::new(Mpi::new(&world))));
    // All rounds, of ranks that have no proof too.
    match made.collect::<Result<Vec<Option<Made>>, Error>>().map(|made| made.into_iter().collect()) {
        Ok(Some(made)) => report(scheme, made),
        Ok(None) => {}
        Err(error) => Mpi::new(&world).abort(&error, 1),
    }
}

#[cfg(not(feature = "mpi"))]
fn by_mpi(_: &Pip, _: usize) {
    doctor_by_mpi();
}

#[cfg(not(feature = "mpi"))]
fn doctor_by_mpi() -> bool {
    eprintln!("this program was built without MPI: add --features mpi");
    std::process::exit(2);
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let ranks = arguments.next().unwrap_or_else(|| "4".into());
    let size = arguments.next();
    if size.as_deref() == Some("doctor") {
        let by_threads = |ranks| {
            let results = threads::run(ranks, |mut comm| doctor(&mut comm));
            results.into_iter().all(|result| result.inspect_err(|e| eprintln!("{e}")).unwrap_or(false))
        };
        let well = ranks.parse().map_or_else(|_| doctor_by_mpi(), by_threads);
        std::process::exit(i32::from(!well));
    }
    let log_size: u32 = size.map_or(20, |n| n.parse().expect("log2 of the entries"));
    assert!((12..=28).contains(&log_size), "between 2^12 and 2^28 entries");
    let log_parts: u32 = arguments.next().map_or(4, |n| n.parse().expect("log2 of the parts of a leaf"));
    let log_columns: u32 = arguments.next().map_or(6, |n| n.parse().expect("log2 of the columns"));
    assert!((4..=10).contains(&log_columns) && log_columns + 6 <= log_size, "between 2^4 columns and 2^10");
    let scheme = Pip::new(params(log_size, log_parts, log_columns), &Policy::at_least(0));
    let scheme = scheme.expect("parameters in range");
    let rounds: usize = arguments.next().map_or(1, |n| n.parse().expect("a number of rounds"));
    let Ok(ranks) = ranks.parse::<usize>() else { return by_mpi(&scheme, rounds) };
    let round = |_| {
        let comms = threads::in_turns(threads::connect(ranks, MAX_CHUNK));
        let results = threads::run_on(comms, |comm| rank(&scheme, Box::new(comm)));
        let failed: Vec<&Error> = results.iter().filter_map(|result| result.as_ref().err()).collect();
        failed.iter().for_each(|error| eprintln!("{error}"));
        results.into_iter().next()?.ok()?
    };
    match (0..rounds).map(round).collect() {
        Some(made) => report(&scheme, made),
        None => std::process::exit(1),
    }
}
