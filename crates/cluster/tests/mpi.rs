//! Jobs under MPI: this program starts itself by `mpirun` with two and with four ranks. Without `mpirun` it says so, and fails if
//! `TENFOLD_MPI=required`.

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
use pcs::matrix::{Binary, Inner, Params, Prime, Prover, RoundParams, Scheme, Steps};
use pcs::ring_switching::Entries;
use std::process::{Command, ExitCode, Output};

/// Names the job that a rank takes part in.
const JOB: &str = "TENFOLD_MPI_JOB";

fn main() -> ExitCode {
    if let Ok(job) = std::env::var(JOB) {
        let universe = mpi::initialize().expect("MPI");
        return rank(&job, &universe.world());
    }
    if Command::new("mpirun").arg("--version").output().is_err() {
        println!("\n  SKIPPED: no `mpirun` here, so nothing ran under MPI\n");
        return if std::env::var("TENFOLD_MPI").is_ok_and(|value| value == "required") {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        };
    }
    for ranks in [2, 4] {
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
    let output = start(2, "length");
    assert!(output.status.success(), "{}", text(&output));
    println!("test a message that is too short is an error under MPI ... ok");
    ExitCode::SUCCESS
}

fn text(output: &Output) -> String {
    [&output.stdout[..], &output.stderr[..]].map(String::from_utf8_lossy).concat()
}

fn start(ranks: usize, job: &str) -> Output {
    let mut command = Command::new("mpirun");
    // More ranks than cores, as root in a container: what Open MPI asks for. Other launchers know other variables.
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    command.env("OMPI_MCA_rmaps_base_oversubscribe", "1").env("OMPI_MCA_hwloc_base_binding_policy", "none");
    command.env("OMPI_MCA_mpi_yield_when_idle", "1").env("RAYON_NUM_THREADS", "1").env(JOB, job);
    let program = std::env::current_exe().expect("this program");
    command.args(["-n", &ranks.to_string()]).arg(program).output().expect("mpirun")
}

fn rank(job: &str, world: &SimpleCommunicator) -> ExitCode {
    let mut comm = Mpi::with_chunk(world, 1000);
    match job {
        "proofs" => {
            let params = |fields| params(fields);
            let prime = proof::<Prime, Goldilocks, Goldilocks2>(&params(Fields::Goldilocks2), world);
            let binary = proof::<Binary, Tower128, Gf128>(&params(Fields::Gf128), world);
            if let Err(error) = prime.and(binary) {
                comm.abort(&error, 1);
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
        "length" if comm.rank() == 0 => {
            let result = comm.gather(0, &[1; 500], Duration::from_secs(20));
            assert_eq!(result, Err(CommError::Length { rank: 1, expected: 500, found: 499 }));
        }
        _ => {
            let sent = comm.gather(0, &[1; 499], Duration::from_secs(20));
            assert_eq!(sent, Ok(Vec::new()));
        }
    }
    ExitCode::SUCCESS
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
    let mut coordinator = rank.coordinate(columns)?;
    let opened = coordinator.open(forms(), b"context")?;
    let mut prover = Prover::new(&scheme);
    let mut witness = prover.commit(entries);
    assert_eq!(coordinator.commitment(), witness.commitment());
    assert!(
        opened == prover.open(&mut witness, forms(), b"context"),
        "other bytes than those of one machine"
    );
    coordinator.finish().map(drop)
}
