//! Speeds of the binary fields on one thread: median and best of runs over 2^20 elements.
//!
//! `cargo run --release --example binary_fields -p tenfold-field`

use std::hint::black_box;
use std::time::Instant;

use field::{ExtensionOf, Field, Gf64, Gf128, Gf192, Gf256, Gf320, Tower64, Tower128};

const N: usize = 1 << 20;
const RUNS: usize = 31;

/// Prints the median time of a run over `count` elements.
fn time(what: &str, count: usize, mut run: impl FnMut()) {
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let median = times[RUNS / 2];
    let [median_ms, best_ms] = [median, times[0]].map(|time| 1e3 * time);
    println!("{what:<44} {median_ms:8.3} ms {:8.3} G/s (best {best_ms:.3} ms)", count as f64 / median / 1e9);
}

/// Elements that look random.
fn elements<F: Field>(count: usize) -> Vec<F> {
    let mut state = 1_u64;
    let mut byte = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 56) as u8
    };
    let mut bytes = vec![0; F::UNIFORM_BYTES];
    let mut next = || {
        bytes.fill_with(&mut byte);
        F::from_uniform(&bytes)
    };
    (0..count).map(|_| next()).collect()
}

fn arithmetic<F: Field>() {
    let (a, b) = (elements::<F>(N), elements::<F>(N));
    let small = N / 256;
    time(&format!("{} products", F::NAME), N, || {
        for _ in 0..256 {
            let sum: F = a[..small].iter().zip(&b[..small]).map(|(&a, &b)| a * b).sum();
            black_box(sum);
        }
    });
    time(&format!("{} inverses (2^12)", F::NAME), small, || {
        black_box(a[..small].iter().filter_map(|x| x.inverse()).sum::<F>());
    });
    time(&format!("{} product_round, in cache", F::NAME), N, || {
        for _ in 0..256 {
            black_box(F::product_round(&a[..small], &b[..small]));
        }
    });
    let mut products = a[..small].to_vec();
    time(&format!("{} multiply_slice, in cache", F::NAME), N, || {
        (0..256).for_each(|_| F::multiply_slice(&mut products, &b[..small]));
    });
    time(&format!("{} scale_slice, in cache", F::NAME), N, || {
        (0..256).for_each(|_| F::scale_slice(&mut products, b[0]));
    });
    time(&format!("{} inner_product, in cache", F::NAME), N, || {
        for _ in 0..256 {
            black_box(F::inner_product(&products, &b[..small]));
        }
    });
    time(&format!("{} product_round", F::NAME), N, || {
        black_box(F::product_round(&a, &b));
    });
    let mut tables: Vec<Vec<F>> = (0..RUNS).map(|_| a.clone()).collect();
    time(&format!("{} bind_low", F::NAME), N, || {
        let mut table = tables.pop().expect("a table for each run");
        F::bind_low(&mut table, b[0]);
        black_box(&table);
        std::mem::forget(table);
    });
}

fn combinations<B: Field, E: ExtensionOf<B>>() {
    let matrix = elements::<B>(N);
    for log_width in [3, 4, 6, 14] {
        let (rows, width) = (N >> log_width, 1 << log_width);
        let (down, across) = (elements::<E>(rows), elements::<E>(width));
        let mut out = down.clone();
        time(&format!("{} over {} combine_columns of {width}", E::NAME, B::NAME), N, || {
            E::combine_columns(&matrix, &across, &mut out);
        });
        let mut out = across.clone();
        time(&format!("{} over {} combine_rows of {width}", E::NAME, B::NAME), N, || {
            E::combine_rows(&matrix, &down, &mut out);
        });
    }
}

fn main() {
    arithmetic::<Gf64>();
    arithmetic::<Gf128>();
    arithmetic::<Gf192>();
    arithmetic::<Gf256>();
    arithmetic::<Gf320>();
    let (tower, mut poly) = (elements::<Tower64>(N), vec![Gf64::ZERO; N]);
    time("tower64 to gf64", N, || Gf64::from_tower(&tower, &mut poly));
    let (mut tower, mut poly) = (elements::<Tower128>(N), vec![Gf128::ZERO; N]);
    time("tower128 to gf128", N, || Gf128::from_tower(&tower, &mut poly));
    time("gf128 to tower128", N, || Gf128::to_tower(&poly, &mut tower));
    time("tower128 to gf128, in cache", N, || {
        for _ in 0..1024 {
            Gf128::from_tower(&tower[..1024], &mut poly[..1024]);
        }
    });
    combinations::<Gf128, Gf128>();
    combinations::<Tower128, Gf128>();
    combinations::<Tower128, Gf256>();
    combinations::<Tower64, Gf192>();
    combinations::<Tower64, Gf320>();
}
