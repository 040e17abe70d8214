//! Jobs under MPI: this program starts itself by `mpirun` with two and with four ranks. Without `mpirun` it says so, and fails if
//! `TENFOLD_MPI=required`. All jobs together have two minutes: the one that is not over then is ended.

use cluster::comm::mpi::{DEADLINE_EXIT, Mpi};
use cluster::comm::{Comm, CommError};
use cluster::{Deadlines, Error, Member};
use core::time::Duration;
use field::{ExtensionOf, FoldFibres, Gf128, Goldilocks, Goldilocks2, Tower128};
use iop::hash::Hash;
use iop::poly::TensorForm;
use iop::security::{Policy, Regime};
use mpi::topology::SimpleCommunicator;
use pcs::fields::Fields;
use pcs::matrix::{Binary, Inner, Params, Prime, Prover, RoundParams, Scheme, Secret, Steps};
use pcs::ring_switching::Entries;
use peakmem_alloc::{PeakMemAlloc, PeakMemAllocTrait};
use std::alloc::System;
use std::process::{ExitCode, Output};
use std::time::Instant;

#[path = "../src/comm/battery.rs"]
mod battery;
mod launcher;

use battery::battery;
use launcher::Job;

#[global_allocator]
static HEAP: PeakMemAlloc<System> = PeakMemAlloc::system();

/// The time of all jobs.
const ALL: Duration = Duration::from_secs(120);

/// Names the job that a rank takes part in.
const JOB: &str = "TENFOLD_MPI_JOB";

fn main() -> ExitCode {
    if let Ok(job) = std::env::var(JOB) {
        let universe = mpi::initialize().expect("MPI");
        return rank(&job, &universe.world());
    }
    if !launcher::is_there() {
        return ExitCode::SUCCESS;
    }
    a_job_without_end_is_ended();
    let begun = Instant::now();
    let start = |ranks, job| start(ranks, job).end(ALL.saturating_sub(begun.elapsed()));
    for ranks in counts() {
        let output = start(ranks, "proofs");
        assert!(output.status.success(), "{ranks} ranks: {}", text(&output));
        assert!(
            text(&output).contains(&format!("{ranks} ranks: the bytes of one machine")),
            "{}",
            text(&output)
        );
        println!("test proofs of {ranks} ranks under MPI have the bytes of one machine ... ok");
    }
    let output = start(2, "silence");
    assert_eq!(output.status.code(), Some(DEADLINE_EXIT), "{}", text(&output));
    assert!(
        text(&output).contains("rank 0 ends the job: rank 1 did not answer within 300ms"),
        "{}",
        text(&output)
    );
    println!("test a deadline that is missed under MPI ends the job ... ok");
    let output = start(3, "comm");
    assert!(output.status.success(), "{}", text(&output));
    println!("test the battery of communication, and messages too short and too long, under MPI ... ok");
    let output = start(2, "stop");
    assert!(
        output.status.success() && text(&output).contains("rank 1: the coordinator has ended the job"),
        "{}",
        text(&output)
    );
    println!("test a coordinator that ends under MPI says so, before and after the commitment ... ok");
    for ranks in [2, 4] {
        let output = start(ranks, "memory");
        assert!(output.status.success(), "{ranks} ranks: {}", text(&output));
        print!("{}", String::from_utf8_lossy(&output.stdout));
        println!("test memory of each of {ranks} ranks under MPI ... ok");
    }
    ExitCode::SUCCESS
}

/// The numbers of ranks whose proofs are compared: two and four, or those of `TENFOLD_MPI_RANKS`, such as `1,2,4,8,16`.
fn counts() -> Vec<usize> {
    let counts = std::env::var("TENFOLD_MPI_RANKS").unwrap_or_else(|_| "2,4".into());
    counts.split(',').map(|count| count.parse().expect("a number of ranks in TENFOLD_MPI_RANKS")).collect()
}

fn text(output: &Output) -> String {
    [&output.stdout[..], &output.stderr].map(String::from_utf8_lossy).concat()
}

/// Starts this program as the ranks of a job.
fn start(ranks: usize, job: &str) -> Job {
    let mut command = launcher::ranks(ranks);
    command.env(JOB, job).arg(std::env::current_exe().expect("this program"));
    Job::start(command)
}

/// The tests wait for no job without limit, and leave none of its ranks.
fn a_job_without_end_is_ended() {
    let limit = Duration::from_secs(2);
    let job = start(2, "forever");
    std::panic::set_hook(Box::new(|_| {}));
    let ended = std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| job.end(limit)));
    let _ = std::panic::take_hook();
    let said = ended.expect_err("it does not end by itself");
    let said = said.downcast_ref::<String>().expect("a text");
    assert!(
        said.contains("was not over within 2s, and was ended") && said.contains("rank 1 waits"),
        "{said}"
    );
    println!("test a job without end is ended ... ok");
}

fn rank(job: &str, world: &SimpleCommunicator) -> ExitCode {
    let mut comm = Mpi::with_chunk(world, 1000);
    match job {
        "proofs" => {
            let clear = params;
            let hiding =
                |fields| Params { hidden_openings: 1, regime: Regime::UniqueDecoding, ..params(fields) };
            for params in [clear, hiding] {
                let prime = proof::<Prime, Goldilocks, Goldilocks2>(&params(Fields::Goldilocks2), world);
                let binary = proof::<Binary, Tower128, Gf128>(&params(Fields::Gf128), world);
                if let Err(error) = prime.and(binary) {
                    comm.abort(&error, 1);
                }
            }
            if comm.rank() == 0 {
                println!("{} ranks: the bytes of one machine", comm.size());
            }
        }
        "silence" if comm.rank() == 0 => {
            let _ = comm.gather(0, &[1; 5000], Duration::from_millis(300));
            return ExitCode::FAILURE;
        }
        "silence" => std::thread::sleep(Duration::from_secs(60)),
        "forever" => {
            println!("rank {} waits", comm.rank());
            std::thread::sleep(2 * ALL);
        }
        "comm" => {
            // Chunks that are longer than every message, and shorter.
            for chunk in [1000, 3] {
                battery(&mut Mpi::with_chunk(world, chunk));
            }
            lengths(&mut comm);
        }
        "stop" => stop(world),
        _ => memory(world),
    }
    ExitCode::SUCCESS
}

/// Messages that are shorter or longer than expected, by less than a chunk and by several; the next message is read as it is.
fn lengths(comm: &mut Mpi<'_>) {
    const TIME: Duration = Duration::from_secs(20);
    for found in [499, 0, 501, 1000, 5000] {
        let others = comm.size() - 1;
        if comm.rank() == 0 {
            let result = comm.gather(0, &[1; 500], TIME);
            assert_eq!(result, Err(CommError::Length { rank: 1, expected: 500, found }));
            assert_eq!(comm.gather(0, &[2; 7], TIME), Ok(vec![2; 7 * (others + 1)]));
        } else {
            let length = if comm.rank() == 1 { found } else { 500 };
            assert_eq!(comm.gather(0, &vec![1; length], TIME), Ok(Vec::new()));
            assert_eq!(comm.gather(0, &[2; 7], TIME), Ok(Vec::new()));
        }
    }
}

/// A coordinator that fails before the commitment, and one that is dropped after it.
fn stop(world: &SimpleCommunicator) {
    let params = params(Fields::Goldilocks2);
    let scheme =
        Scheme::<Prime, Goldilocks, Goldilocks2>::new(params, &Policy::at_least(0)).expect("parameters");
    let deadlines = Deadlines { step: Duration::from_secs(30), idle: Duration::from_secs(300) };
    let entries: Vec<Goldilocks> = (0..1 << 10).map(Goldilocks::new).collect();
    for commits in [false, true] {
        let rank =
            Member::join(&scheme, Box::new(Mpi::with_chunk(world, 1000)), deadlines).expect("two ranks");
        if rank.coordinates() && !commits {
            assert!(matches!(rank.read_columns(&[][..]), Err(Error::Input(_))));
            continue;
        }
        let columns = rank.columns_of(&[&entries]).expect("columns");
        if rank.coordinates() {
            drop(rank.coordinate(columns).expect("a commitment"));
            continue;
        }
        let error = rank.serve(columns).expect_err("no end");
        assert!(matches!(error, Error::Stopped { culprit: None, .. }), "{error}");
        println!("rank 1: {error}");
    }
}

/// Bytes that a rank may take beyond its part: threads, buffers of messages, the transcript.
const CONSTANT: usize = 1 << 17;

/// The bytes of heap at this moment, from which on the most is counted.
fn held() -> usize {
    HEAP.reset_peak_memory();
    HEAP.get_peak_memory()
}

/// The most heap that each rank has at once, against that of one machine.
fn memory(world: &SimpleCommunicator) {
    const LOG_SIZE: u32 = 18;
    let level = RoundParams { log_columns: 6, log_inv_rate: 3, queries: 30, grinding: 0, fold_grinding: 0 };
    let inner = Inner::Chain(vec![2, 2]);
    let params = Params { log_size: LOG_SIZE, log_parts: 2, level, inner, ..params(Fields::Goldilocks2) };
    let scheme =
        Scheme::<Prime, Goldilocks, Goldilocks2>::new(params, &Policy::at_least(0)).expect("parameters");
    let entry = |i: usize| Goldilocks::new(i as u64 * 0x9e37_79b9);
    let forms = || vec![TensorForm::sum(LOG_SIZE as usize)];
    let before = held();
    let deadlines = Deadlines { step: Duration::from_secs(30), idle: Duration::from_secs(300) };
    let mut comm = Mpi::new(world);
    let member = Member::join(&scheme, Box::new(Mpi::new(world)), deadlines).expect("the same parameters");
    let (own, width) = (member.ownership().columns(member.rank()), member.ownership().spec().width);
    let rows = 0..member.ownership().rows();
    let columns = rows.flat_map(|row| own.clone().map(move |column| entry(row * width + column)));
    let columns: Vec<Goldilocks> = columns.collect();
    if member.coordinates() {
        let mut coordinator = member.coordinate(columns).expect("honest ranks");
        coordinator.open(forms(), b"").expect("honest ranks");
        coordinator.finish().expect("honest ranks");
    } else {
        member.serve(columns).expect("an honest coordinator");
    }
    let peak = HEAP.get_peak_memory() - before;
    let all = comm.gather(0, &(peak as u64).to_le_bytes(), Duration::from_secs(30)).expect("honest ranks");
    if comm.rank() > 0 {
        return;
    }
    let before = held();
    let mut prover = Prover::new(&scheme);
    let mut witness = prover.commit((0..1 << LOG_SIZE).map(entry).collect());
    prover.open(&mut witness, forms(), b"");
    let one = HEAP.get_peak_memory() - before;
    let allowed = one * 12 / (10 * comm.size()) + CONSTANT;
    for (rank, peak) in all.as_chunks::<8>().0.iter().enumerate() {
        let peak = u64::from_le_bytes(*peak) as usize;
        println!("rank {rank} of {}: {peak} bytes at most, one machine {one}", comm.size());
        assert!(peak <= allowed, "rank {rank}: {peak} bytes of {allowed}");
    }
}

fn params(fields: Fields) -> Params {
    let level = RoundParams { log_columns: 2, log_inv_rate: 3, queries: 6, grinding: 0, fold_grinding: 0 };
    Params {
        fields,
        hash: Hash::Blake3,
        regime: Regime::Johnson { multiplicity: 8 },
        entries: Entries::Whole,
        log_size: 10,
        polynomials: 1,
        max_forms: 1,
        hidden_openings: 0,
        log_parts: 4,
        log_leaf_fibres: 0,
        level: RoundParams { log_columns: 4, queries: 12, ..level },
        inner: Inner::Recursion(vec![level]),
    }
}

/// Proves with the other ranks, and at the coordinator once more alone.
fn proof<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    params: &Params,
    world: &SimpleCommunicator,
) -> Result<(), Error> {
    let scheme = Scheme::<F, B, E>::new(params.clone(), &Policy::at_least(0)).expect("parameters in range");
    let entries: Vec<B> = (0..1 << params.log_size).map(|i| B::from_u64(i + 3).pow(29)).collect();
    let deadlines = Deadlines { step: Duration::from_secs(30), idle: Duration::from_secs(300) };
    let mut rank = Member::join(&scheme, Box::new(Mpi::with_chunk(world, 1000)), deadlines)?;
    let columns = rank.scatter(&[&entries])?;
    if !rank.coordinates() {
        return rank.serve(columns).map(drop);
    }
    let forms = || vec![TensorForm::sum(params.variables())];
    // The secret of those that hide is always the same.
    let secret = || Secret::from_seed(&[9; 32], 0);
    let hides = params.hidden_openings > 0;
    let mut coordinator =
        if hides { rank.coordinate_hiding(columns, secret())? } else { rank.coordinate(columns)? };
    let opened = coordinator.open(forms(), b"context")?;
    let mut prover = Prover::new(&scheme);
    let mut witness =
        if hides { prover.commit_hiding(&[&entries], secret()) } else { prover.commit(entries) };
    assert_eq!(coordinator.commitment(), witness.commitment());
    assert!(
        opened == prover.open(&mut witness, forms(), b"context"),
        "other bytes than those of one machine"
    );
    coordinator.finish().map(drop)
}
