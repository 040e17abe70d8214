//! PIP_FRI and DEPIP_FRI beside Virgo and DeVirgo, and DeepFold, at the same proven bits: CPU time of each step on one thread, bytes, and the
//! critical path of several ranks. (notes: virgo-measured)
//!
//! ```text
//! cargo run --release -p tenfold-cluster --example devirgo -- 16,18,20 5
//! RAYON_NUM_THREADS=1 mpirun -n 2 target/release/examples/devirgo mpi 16,18,20 5              ranks that are processes (feature `mpi`)
//! ```
//! The numbers are log2 of the entries and the counted rounds, in which the schemes alternate; one round before them is not counted. CPU
//! times are of the thread, medians, the lowest and the highest behind them. Under MPI there are the jobs of the ranks alone, by as many as were started: one, two or four.

use cluster::comm::{Comm, threads};
use cluster::meter::{Cost, Meters, Phase};
use cluster::{Deadlines, Error, Member};
use field::{Field, KoalaBear, KoalaBear5};
use iop::hash::Hash;
use iop::poly::TensorForm;
use iop::security::{Policy, Report};
use pcs::fields::Fields;
use pcs::matrix::InnerKind;
use pcs::pip::search::{Profile, SearchTarget, find};
use pcs::scheme::{Params as _, Prove, Prover as _, Witness as _};
use pcs::{deepfold, matrix, pip, virgo};
use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

type Pip = pip::Scheme<KoalaBear, KoalaBear5>;
type DeepFold = deepfold::Scheme<KoalaBear, KoalaBear5>;
type Virgo = virgo::Scheme<KoalaBear, KoalaBear5>;

const FIELDS: Fields = Fields::KoalaBear5;
const BITS: u32 = 100;
/// Work before the positions of the baselines: as much as the search gives PIP_FRI.
const GRINDING: u32 = 15;
/// Rate 1/8, as the papers have it.
const LOG_INV_RATE: u32 = 3;
/// log2 of the columns of DEPIP_FRI, of DeepFold's fragments, and of DeVirgo's, one for each of four ranks.
const LOG_COLUMNS: u32 = 6;
const LOG_FRAGMENTS: u32 = 2;

/// CPU time of this thread, in milliseconds.
fn cpu() -> f64 {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("a time").as_secs_f64() * 1e3
}

fn entries(log_size: u32) -> Vec<KoalaBear> {
    (0..1u64 << log_size).map(|i| KoalaBear::from_u64(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 34)).collect()
}

/// A point that no scheme has a shortcut for.
fn form(log_size: u32) -> TensorForm<KoalaBear5> {
    let z = |i: u64| KoalaBear5::from_uniform(&[(i * 37 + 11) as u8; KoalaBear5::UNIFORM_BYTES]);
    TensorForm::point(&(0..u64::from(log_size)).map(z).collect::<Vec<_>>())
}

fn pip_params(log_size: u32, log_parts: u32) -> matrix::Params {
    let target = SearchTarget {
        max_forms: 1,
        inner: InnerKind::Recursion,
        ..SearchTarget::new(FIELDS, log_size, BITS, Profile::Fast)
    };
    matrix::Params { log_parts, ..find(&target).expect("parameters for these bits") }
}

fn baseline(log_size: u32, log_columns: u32) -> deepfold::Target {
    let target = deepfold::Target::new(FIELDS, [log_size, log_columns, LOG_INV_RATE], f64::from(BITS));
    deepfold::Target { grinding: GRINDING, hash: Hash::Blake3, ..target }
}

fn virgo_scheme(log_size: u32, log_columns: u32) -> Virgo {
    let params =
        virgo::Params::for_target(&baseline(log_size, log_columns)).expect("parameters for these bits");
    Virgo::new(params, &Policy::at_least(BITS)).expect("proven bits")
}

/// Milliseconds of commit, open and verify, and bytes of the proof.
type Sample = ([f64; 3], usize);

/// One commitment, opening and verification. The context differs from round to round: work before the positions is luck.
fn sample<S>(scheme: &S, round: u64) -> Sample
where
    S: Prove<Base = KoalaBear, Challenge = KoalaBear5>,
{
    let log_size = scheme.params().summary().log_size;
    let (entries, form) = (entries(log_size), form(log_size));
    let mut prover = scheme.prover();
    let start = cpu();
    let mut witness = prover.commit(entries);
    let committed = cpu();
    let (claims, proof) = prover.open(&mut witness, vec![form], &round.to_le_bytes());
    let opened = cpu();
    scheme.verify(witness.commitment(), &claims, &proof).expect("an honest proof");
    ([committed - start, opened - committed, cpu() - opened], proof.len())
}

/// A measured scheme, with its types hidden.
struct Case {
    name: String,
    bits: f64,
    run: Box<dyn Fn(u64) -> Sample + Sync + Send>,
}

impl Case {
    fn new<S>(name: &str, scheme: S) -> Self
    where
        S: Prove<Base = KoalaBear, Challenge = KoalaBear5>,
    {
        let report: &Report = scheme.report();
        let bits = report.proven_bits();
        Self { name: name.to_owned(), bits, run: Box::new(move |round| sample(&scheme, round)) }
    }
}

fn median(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    [values[values.len() / 2], values[0], values[values.len() - 1]]
}

/// The table of one machine at one size.
fn singles(log_size: u32, rounds: u64) {
    let deepfold = |log_columns| {
        let params = deepfold::Params::for_target(&baseline(log_size, log_columns))
            .expect("parameters for these bits");
        DeepFold::new(params, &Policy::at_least(BITS)).expect("proven bits")
    };
    let pip = Pip::new(pip_params(log_size, 0), &Policy::at_least(BITS)).expect("proven bits");
    let cases = [
        Case::new("pip, fast", pip),
        Case::new("deepfold, 64 fragments", deepfold(LOG_COLUMNS)),
        Case::new("deepfold, whole", deepfold(0)),
        Case::new("virgo", virgo_scheme(log_size, 0)),
        Case::new("virgo, 4 fragments", virgo_scheme(log_size, LOG_FRAGMENTS)),
    ];
    let mut samples: Vec<Vec<Sample>> = cases.iter().map(|_| Vec::new()).collect();
    for round in 0..=rounds {
        for (case, samples) in cases.iter().zip(&mut samples) {
            let sample = (case.run)(round);
            if round > 0 {
                samples.push(sample);
            }
        }
    }
    let mut first = None;
    for (case, samples) in cases.iter().zip(&samples) {
        let [commit, open, verify] =
            [0, 1, 2].map(|step| median(samples.iter().map(|(times, _)| times[step]).collect()));
        let bytes = samples.iter().map(|(_, bytes)| bytes).max().expect("a round");
        let times = open[0] / *first.get_or_insert(open[0]);
        println!(
            "2^{log_size} {:<23} {:>6.1} bits  commit {:>8.2} [{:.2}, {:.2}]  open {:>8.2} [{:.2}, {:.2}] ({times:.1} times)  verify {:>6.2}  proof {bytes}",
            case.name, case.bits, commit[0], commit[1], commit[2], open[0], open[1], open[2], verify[0]
        );
    }
}

/// What a rank ends with: at the coordinator the costs of all, and the proof.
type Ended = Result<Option<(Meters, Vec<u8>)>, Error>;

/// The program of every rank of DEPIP_FRI.
fn depip(scheme: &Pip, comm: Box<dyn Comm + '_>) -> Ended {
    let log_size = scheme.params().log_size;
    let rank = Member::join(scheme, comm, Deadlines::default())?;
    let (own, width) = (rank.ownership().columns(rank.rank()), rank.ownership().spec().width);
    let all = entries(log_size);
    let columns = all.chunks_exact(width).flat_map(|row| &row[own.clone()]).copied().collect();
    if !rank.coordinates() {
        return rank.serve(columns).map(|_| None);
    }
    let mut coordinator = rank.coordinate(columns)?;
    let (_, proof) = coordinator.open(vec![form(log_size)], b"ranks")?;
    Ok(Some((coordinator.finish()?, proof)))
}

/// The program of every rank of DeVirgo.
fn devirgo(scheme: &Virgo, comm: Box<dyn Comm + '_>) -> Ended {
    let log_size = scheme.params().log_size;
    let rank = cluster::virgo::Member::join(scheme, comm, Deadlines::default())?;
    let columns = rank.columns_of(&entries(log_size));
    let opened = rank.run(columns, &form(log_size), b"ranks")?;
    Ok(opened.map(|opened| (opened.meters, opened.proof)))
}

/// One machine's proof of what the ranks prove.
fn whole<S>(scheme: &S) -> Vec<u8>
where
    S: Prove<Base = KoalaBear, Challenge = KoalaBear5>,
{
    let log_size = scheme.params().summary().log_size;
    let mut prover = scheme.prover();
    let mut witness = prover.commit(entries(log_size));
    prover.open(&mut witness, vec![form(log_size)], b"ranks").1
}

/// Prints what a job took, where the coordinator is: the critical path of the whole, and the most bytes that a rank sent.
fn job(name: &str, ranks: usize, results: Vec<Ended>, whole: &[u8]) -> Option<f64> {
    let results: Result<Vec<_>, Error> = results.into_iter().collect();
    let (meters, proof) = results.expect("honest ranks").into_iter().flatten().next()?;
    assert!(proof == whole, "other bytes than those of one machine");
    let most = |of: fn(&Cost) -> u64| meters.0.iter().map(|meter| of(&meter.total())).max().unwrap_or(0);
    let digests = meters.most(Phase::Digests, |cost| cost.sent);
    let critical = meters.critical_cpu() as f64 / 1e6;
    println!(
        "{name} {ranks} ranks: critical path {critical:>8.2} ms of CPU; a rank sends {} bytes at most, receives {}; {digests} of codeword or digests; proof {}",
        most(|cost| cost.sent),
        most(|cost| cost.received),
        proof.len()
    );
    Some(critical)
}

/// The program of every rank.
type Program<'a> = &'a (dyn Fn(Box<dyn Comm + '_>) -> Ended + Sync);

/// Runs a program by so many ranks, or as the one that this process is.
type Run<'a> = &'a dyn Fn(usize, Program<'_>) -> Vec<Ended>;

fn by_threads(ranks: usize, program: Program<'_>) -> Vec<Ended> {
    threads::run(ranks, |comm| program(Box::new(comm)))
}

/// The tables of several ranks at one size.
fn jobs((log_size, rounds): (u32, u64), counts: &[usize], run: Run<'_>) {
    let virgo = virgo_scheme(log_size, LOG_FRAGMENTS);
    let whole_virgo = whole(&virgo);
    for &ranks in counts {
        // As many parts of a leaf as ranks, as the fastest are.
        let log_parts = usize::ilog2(ranks);
        let pip = Pip::new(pip_params(log_size, log_parts), &Policy::at_least(BITS)).expect("proven bits");
        let (whole_pip, mut critical) = (whole(&pip), [Vec::new(), Vec::new()]);
        for _ in 0..rounds {
            let results = run(ranks, &|comm| depip(&pip, comm));
            critical[0].extend(job(&format!("2^{log_size} depip   "), ranks, results, &whole_pip));
            let results = run(ranks, &|comm| devirgo(&virgo, comm));
            critical[1].extend(job(&format!("2^{log_size} devirgo "), ranks, results, &whole_virgo));
        }
        if critical[0].is_empty() {
            continue;
        }
        let [depip, devirgo] = critical.map(median);
        println!(
            "2^{log_size} {ranks} ranks, median critical path: depip {:.2} ms, devirgo {:.2} ms ({:.1} times)",
            depip[0],
            devirgo[0],
            devirgo[0] / depip[0]
        );
    }
}

/// The ranks' tables by the processes of a launcher.
#[cfg(feature = "mpi")]
fn by_mpi(sizes: &[u32], rounds: u64) {
    use cluster::comm::mpi::{Mpi, check_world};
    let universe = mpi::initialize().expect("MPI, for the first time");
    let world = universe.world();
    check_world(&world).expect("the launcher of this program's MPI");
    let ranks = Comm::size(&Mpi::new(&world));
    assert!([1, 2, 4].contains(&ranks), "one, two or four ranks");
    let run = |_: usize, program: Program<'_>| vec![program(Box::new(Mpi::new(&world)))];
    sizes.iter().for_each(|&log_size| jobs((log_size, rounds), &[ranks], &run));
}

#[cfg(not(feature = "mpi"))]
fn by_mpi(_: &[u32], _: u64) {
    eprintln!("this program was built without MPI: add --features mpi");
    std::process::exit(2);
}

fn main() {
    let mut arguments = std::env::args().skip(1).peekable();
    let processes = arguments.next_if(|first| first == "mpi").is_some();
    let sizes = arguments.next().unwrap_or_else(|| "16,18,20".into());
    let rounds: u64 = arguments.next().map_or(5, |n| n.parse().expect("a number of rounds"));
    assert!(rounds > 0, "a round at least");
    let sizes: Vec<u32> = sizes.split(',').map(|n| n.parse().expect("log2 of the entries")).collect();
    assert!(sizes.iter().all(|size| (12..=24).contains(size)), "between 2^12 and 2^24 entries");
    if processes {
        return by_mpi(&sizes, rounds);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    for &log_size in &sizes {
        pool.install(|| singles(log_size, rounds));
        jobs((log_size, rounds), &[1, 2, 4], &by_threads);
    }
}
