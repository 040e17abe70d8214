//! What a prover takes of memory.

use crate::{HEAP, alone};
use field::{
    Bn254, ExtensionOf, Field, FoldFibres, Goldilocks, Goldilocks3, KoalaBear, KoalaBear5, Mersenne61x2,
    TwoAdic,
};
use iop::poly::TensorForm;
use iop::security::Policy;
use pcs::fields::Fields as PrimeFields;
use pcs::ligerito::search::{Profile, SearchTarget, find};
use pcs::ligerito::{Entries, Fields, Params, Prover, Scheme};
use pcs::pip::{Inner, InnerKind};
use pcs::{deepfold, pip, weighted, with_binary_fields};
use peakmem_alloc::PeakMemAllocTrait;

/// What was measured of a prover, and what its parameters say: of a commitment alone, of one that is opened, of one about
/// which a weighted sum is proved, and of an opening whose witness was kept without the codeword.
struct Peaks {
    name: String,
    measured: [usize; 4],
    estimated: [u64; 4],
}

impl Peaks {
    /// Holds the estimates to within a fifth of what was measured.
    fn check(&self) {
        let Self { name, measured, estimated } = self;
        // What was not measured is zero.
        let ratio = |i: usize| if measured[i] == 0 { 1.0 } else { estimated[i] as f64 / measured[i] as f64 };
        let ratios = [0, 1, 2, 3].map(ratio);
        println!("{name}: {measured:?} {ratios:.3?}");
        assert!(ratios.iter().all(|r| (0.83..=1.2).contains(r)), "{name}: {measured:?} {estimated:?}");
    }
}

/// Entries, in the memory that they need.
fn entries<B: Field>(count: usize) -> Vec<B> {
    let mut entries = Vec::with_capacity(count);
    entries.extend((0..count as u64).map(|i| B::from_u64(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 35)));
    entries
}

/// The most bytes held at once while something is made, with what was held before.
fn peak<T>(make: impl FnOnce() -> T) -> (T, usize) {
    HEAP.reset_peak_memory();
    let made = make();
    (made, HEAP.get_peak_memory())
}

/// The most of some runs: where each thread has memory of its own, one run may have had a thread after the other.
fn most(make: impl Fn()) -> usize {
    (0..6).map(|_| peak(&make).1).max().expect("some runs")
}

/// The bytes of nodes that are kept for the next run.
fn kept(nodes: &[u8]) -> usize {
    nodes.len()
}

fn of_ligerito<B: FoldFibres, E: ExtensionOf<B>>(params: &Params) -> [usize; 4] {
    let scheme = Scheme::<B, E>::new(params.clone(), &Policy::at_least(100)).unwrap();
    let size = 1 << params.log_size;
    let (alone, committed) = peak(|| Prover::new(&scheme).commit_only(entries(size)));
    let form = TensorForm::index(77, params.variables());
    let (witness, opened) = peak(|| {
        let mut witness = Prover::new(&scheme).commit(entries(size));
        let (claims, proof) = Prover::new(&scheme).open(&mut witness, vec![form], b"");
        assert_eq!(scheme.verify(witness.commitment(), &claims, &proof), Ok(()));
        witness.commitment().clone()
    });
    assert_eq!(alone, witness, "a commitment without a witness is the same");
    let nodes = Prover::new(&scheme).commit_lean(entries(size)).nodes().to_vec();
    let lean = most(|| {
        let mut witness = Prover::new(&scheme).restore(entries(size), nodes.clone()).unwrap();
        Prover::new(&scheme).open(&mut witness, vec![TensorForm::index(77, params.variables())], b"");
    });
    if params.log_size > 19 {
        return [committed, opened, 0, lean - kept(&nodes)];
    }
    let sums = weighted::Scheme::<Scheme<B, E>>::new(params.clone(), &Policy::at_least(100)).unwrap();
    let (_, weighed) = peak(|| {
        let mut witness = Prover::new(&scheme).commit(entries(size));
        weighted::Prover::new(&sums).open(&mut witness, entries(1 << params.variables()), b"")
    });
    [committed, opened, weighed, lean - kept(&nodes)]
}

fn of_pip<B: TwoAdic, E: ExtensionOf<B>>(params: &pip::Params) -> [usize; 4] {
    let scheme = pip::Scheme::<B, E>::new(params.clone(), &Policy::at_least(100)).unwrap();
    let size = 1 << params.log_size;
    let (alone, committed) = peak(|| pip::Prover::new(&scheme).commit_only(entries(size)));
    let form = TensorForm::index(77, params.variables());
    let (witness, opened) = peak(|| {
        let mut witness = pip::Prover::new(&scheme).commit(entries(size));
        let (claims, proof) = pip::Prover::new(&scheme).open(&mut witness, vec![form], b"");
        assert_eq!(scheme.verify(witness.commitment(), &claims, &proof), Ok(()));
        witness.commitment().clone()
    });
    assert_eq!(alone, witness, "a commitment without a witness is the same");
    let nodes = pip::Prover::new(&scheme).commit_lean(entries(size)).nodes().to_vec();
    let lean = most(|| {
        let mut witness = pip::Prover::new(&scheme).restore(entries(size), nodes.clone()).unwrap();
        pip::Prover::new(&scheme).open(&mut witness, vec![TensorForm::index(77, params.variables())], b"");
    });
    if matches!(params.inner, Inner::TwoChains) {
        return [committed, opened, 0, lean - kept(&nodes)];
    }
    let sums = weighted::Scheme::<pip::Scheme<B, E>>::new(params.clone(), &Policy::at_least(100)).unwrap();
    let (_, weighed) = peak(|| {
        let mut witness = pip::Prover::new(&scheme).commit(entries(size));
        weighted::Prover::new(&sums).open(&mut witness, entries(size), b"")
    });
    [committed, opened, weighed, lean - kept(&nodes)]
}

fn of_deepfold<B: TwoAdic, E: ExtensionOf<B>>(params: &deepfold::Params) -> [usize; 2] {
    let scheme = deepfold::Scheme::<B, E>::new(params.clone(), &Policy::at_least(100)).unwrap();
    let size = 1 << params.log_size;
    let (_, committed) = peak(|| deepfold::Prover::new(&scheme).commit(entries(size)));
    let (_, opened) = peak(|| {
        let prover = &mut deepfold::Prover::new(&scheme);
        let witness = prover.commit(entries(size));
        prover.open(&witness, vec![TensorForm::index(77, params.variables())], b"")
    });
    [committed, opened]
}

/// What parameters of a scheme say.
macro_rules! estimated {
    ($params:expr) => {
        [
            $params.prover_memory(false),
            $params.prover_memory(true),
            $params.weighted_memory(),
            $params.lean_memory(),
        ]
    };
}

fn binary() -> Vec<Peaks> {
    let of = |(fields, log_size, bits)| {
        [Profile::Fast, Profile::Small].map(|profile| SearchTarget::new(fields, log_size, bits, profile))
    };
    let sizes = [
        (Fields::Gf128, 18, 100),
        (Fields::Gf128, 20, 100),
        (Fields::Gf192, 21, 128),
        (Fields::Gf256, 20, 128),
    ];
    let whole = sizes.into_iter().flat_map(of);
    let rate = |log_inv_rate| SearchTarget {
        entries: Entries::Bytes,
        log_inv_rate: Some(log_inv_rate),
        unique_decoding: Some(log_inv_rate == 1),
        ..SearchTarget::new(Fields::Gf128, 17, 100, Profile::Small)
    };
    // At rate 1/2 a codeword is short beside what does not shrink with it.
    let half = SearchTarget {
        unique_decoding: Some(true),
        log_inv_rate: Some(1),
        ..SearchTarget::new(Fields::Gf128, 18, 100, Profile::Fast)
    };
    let wanted = whole.chain([half]).chain([1, 2].map(rate));
    let one = |wanted: SearchTarget| {
        let params = find(&wanted).unwrap();
        let measured = with_binary_fields!(params.fields, B, E => of_ligerito::<B, E>(&params));
        let estimated = estimated!(params);
        let data = params.fields.base_bytes() << params.log_size;
        assert!(measured[0] as f64 <= 2.6 * data as f64, "a commitment alone: {measured:?} for {data}");
        let codeword = data << params.level.log_inv_rate;
        // Ring switching has tables beside it.
        let packed = wanted.entries == Entries::Bytes;
        assert!(
            packed || measured[1] * 100 / codeword <= 125,
            "a codeword and a quarter: {measured:?} for {codeword}"
        );
        Peaks { name: format!("{params:?}"), measured, estimated }
    };
    wanted.map(one).collect()
}

fn of_prime<B: TwoAdic, E: ExtensionOf<B>>(
    (fields, log_size, inner): (PrimeFields, u32, InnerKind),
) -> Peaks {
    let wanted = pip::search::SearchTarget::new(fields, log_size, 100, pip::search::Profile::Fast);
    let forms = if inner == InnerKind::TwoChains { 1 } else { 16 };
    let params = pip::search::find(&pip::search::SearchTarget { inner, max_forms: forms, ..wanted }).unwrap();
    let measured = of_pip::<B, E>(&params);
    let estimated = estimated!(params);
    Peaks { name: format!("{params:?}"), measured, estimated }
}

fn prime() -> Vec<Peaks> {
    let recursion = InnerKind::Recursion;
    vec![
        of_prime::<KoalaBear, KoalaBear5>((PrimeFields::KoalaBear5, 19, recursion)),
        of_prime::<Goldilocks, Goldilocks3>((PrimeFields::Goldilocks3, 18, recursion)),
        of_prime::<Mersenne61x2, Mersenne61x2>((PrimeFields::Mersenne61x2, 15, recursion)),
        of_prime::<Bn254, Bn254>((PrimeFields::Bn254, 15, recursion)),
        of_prime::<KoalaBear, KoalaBear5>((PrimeFields::KoalaBear5, 18, InnerKind::Chain)),
        of_prime::<Goldilocks, Goldilocks3>((PrimeFields::Goldilocks3, 17, InnerKind::TwoChains)),
    ]
}

/// Several columns, whose entries are copied into one matrix.
fn tables() -> Vec<Peaks> {
    let of = |polynomials: u32| {
        let wanted = pip::search::SearchTarget {
            polynomials,
            ..pip::search::SearchTarget::new(PrimeFields::Goldilocks3, 16, 100, pip::search::Profile::Fast)
        };
        let params = pip::search::find(&wanted).unwrap();
        let policy = Policy::at_least(100);
        let scheme = pip::Scheme::<Goldilocks, Goldilocks3>::new(params.clone(), &policy).unwrap();
        let commit = || {
            let all = entries((polynomials as usize) << params.log_size);
            let columns: Vec<&[Goldilocks]> = all.chunks_exact(1 << params.log_size).collect();
            pip::Prover::new(&scheme).commit_batch(&columns)
        };
        let (_, committed) = peak(commit);
        let (_, opened) = peak(|| {
            let form = TensorForm::index(77, params.variables());
            pip::Prover::new(&scheme).open(&mut commit(), vec![form], b"")
        });
        let sums =
            weighted::Scheme::<pip::Scheme<Goldilocks, Goldilocks3>>::new(params.clone(), &policy).unwrap();
        let (_, weighed) =
            peak(|| weighted::Prover::new(&sums).open(&mut commit(), entries(1 << params.log_size), b""));
        let estimated =
            [params.prover_memory(false), params.prover_memory(true), params.weighted_memory(), 0];
        Peaks { name: format!("{params:?}"), measured: [committed, opened, weighed, 0], estimated }
    };
    [2, 5].map(of).into()
}

fn deep() -> Vec<Peaks> {
    let of = |log_columns: u32| {
        let target = deepfold::Target::new(PrimeFields::Goldilocks3, [16, log_columns, 2], 100.0);
        let target = deepfold::Target { grinding: 10, ..target };
        let params = deepfold::Params::for_target(&target).unwrap();
        let [a, b] = of_deepfold::<Goldilocks, Goldilocks3>(&params);
        let estimated = [params.prover_memory(false), params.prover_memory(true), 0, 0];
        Peaks { name: format!("{params:?}"), measured: [a, b, 0, 0], estimated }
    };
    [0, 4].map(of).into()
}

/// What the command line refuses jobs by is what they take, for each scheme over each field; and a commitment alone takes the
/// data and a block of the codeword.
#[test]
fn estimates_are_within_a_fifth() {
    let _alone = alone();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let all: Vec<Peaks> =
        pool.install(|| [binary(), prime(), tables(), deep()].into_iter().flatten().collect());
    all.iter().for_each(Peaks::check);
}
