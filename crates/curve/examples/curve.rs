//! What the curves cost on this machine: `cargo run --release -p tenfold-curve --example curve`.
//!
//! Medians; one thread, but for the lines that say otherwise.

use std::time::Instant;

use ark_ec::{CurveGroup, VariableBaseMSM};
use ark_std::UniformRand;
use ark_std::rand::{SeedableRng, rngs::StdRng};
use curve::bls12_381::{Fr, G1, G1Projective, decode_g1, encode_g1};
use curve::msm::{self, Curve, FixedBase};
use curve::pairing::Pair;
use curve::srs::Srs;

/// The median time of a run, in microseconds.
fn micros<T>(rounds: usize, mut run: impl FnMut() -> T) -> f64 {
    let mut times: Vec<f64> = (0..rounds)
        .map(|_| {
            let start = Instant::now();
            std::hint::black_box(run());
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[rounds / 2]
}

fn on<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(run)
}

fn fixed<C: Curve>(name: &str, points: &[ark_ec::short_weierstrass::Affine<C>]) {
    let mut rng = StdRng::seed_from_u64(1);
    let scalars: Vec<C::ScalarField> = (0..points.len()).map(|_| C::ScalarField::rand(&mut rng)).collect();
    println!(
        "{name}: points, tables (MB), building (ms), bits, sum (ms), ns for each addition, 2 threads (ms)"
    );
    for n in [256, 512, 768, 1024, 1536, 3072] {
        if n > points.len() {
            continue;
        }
        let mut bases = None;
        let build = on(1, || micros(1, || bases = Some(FixedBase::new(&points[..n]))));
        let bases = bases.expect("just made");
        let one = on(1, || micros(30, || bases.sum(&scalars[..n])));
        let two = on(2, || micros(30, || bases.sum(&scalars[..n])));
        let c = bases.window();
        let additions = n * (255 / c + 1) + (1 << c);
        let each = one * 1e3 / additions as f64;
        println!(
            "{n:6} {:8.2} {:8.2} {c:4} {:8.3} {each:8.1} {:8.3}",
            bases.bytes() as f64 / 1e6,
            build / 1e3,
            one / 1e3,
            two / 1e3
        );
    }
}

fn main() {
    let mut rng = StdRng::seed_from_u64(2);
    println!("setup: {:.2} ms", micros(1, Srs::zcash) / 1e3);
    let srs = Srs::zcash();
    let powers = srs.powers(3072).expect("so many");
    fixed("BLS12-381", powers);
    let points: Vec<_> = (0..1024).map(|_| curve::bn254::G1Projective::rand(&mut rng)).collect();
    fixed("BN254", &curve::bn254::G1Projective::normalize_batch(&points));

    println!("BLS12-381 without vectors: points, sum (ms), 2 threads (ms)");
    let scalars: Vec<Fr> = (0..3072).map(|_| Fr::rand(&mut rng)).collect();
    for n in [256, 1024, 3072] {
        let window = FixedBase::<ark_bls12_381::g1::Config>::best_window(n);
        let bases = FixedBase::portable(&powers[..n], window);
        let time = |threads| on(threads, || micros(5, || bases.sum(&scalars[..n]))) / 1e3;
        println!("{n:6} {:8.3} {:8.3}", time(1), time(2));
    }

    println!("any points: points, sum (ms), arkworks (ms)");
    for n in [2, 12, 16, 32, 64, 128, 256, 1024] {
        let ours = on(1, || micros(20, || msm::sum(&powers[..n], &scalars[..n])));
        let theirs = on(1, || micros(5, || G1Projective::msm_unchecked(&powers[..n], &scalars[..n])));
        println!("{n:6} {:8.3} {:8.3}", ours / 1e3, theirs / 1e3);
    }

    let [g2, tau_g2] = srs.g2();
    let pair = Pair::new(g2, tau_g2).expect("no identity");
    let bytes = encode_g1(&powers[7]);
    println!("two pairings: {:.1} us", micros(20, || pair.is_one(&powers[2], &powers[3])));
    println!("a point decoded: {:.1} us", micros(50, || decode_g1(&bytes)));
    let bases = FixedBase::new(&powers[..512]);
    let terms: [(usize, Fr); 1] = [(77, scalars[0])];
    println!("a multiple from a table: {:.1} us", on(1, || micros(50, || bases.sum_of(&terms))));
    for n in [512, 1024] {
        let points = srs.powers(3 * n + 1).expect("so many");
        let tables = FixedBase::new(points).write();
        let bytes = tables.len() as f64 / 1e6;
        let read = || FixedBase::read(&tables, points).map(|bases| bases.len());
        println!(
            "tables of {} points, {bytes:.2} MB, from bytes: {:.2} ms",
            3 * n + 1,
            micros(5, read) / 1e3
        );
        let lagrange = || -> Vec<G1> { srs.lagrange(n).expect("so many") };
        println!("Lagrange basis of {n}: {:.1} ms", on(1, || micros(1, lagrange)) / 1e3);
    }
}
