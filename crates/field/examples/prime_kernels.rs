//! Times of the slice kernels of the prime fields on one thread, in nanoseconds per element of the base field.
//!
//! `TENFOLD_CPU` forces a tier; two builds are compared by running them in turn.

use std::hint::black_box;
use std::time::{Duration, Instant};

use field::{
    ExtensionOf, Field, Goldilocks, Goldilocks2, Goldilocks3, KoalaBear, KoalaBear4, KoalaBear5, KoalaBear8,
    TwoAdic,
};

/// The shortest of many runs, per element.
fn shortest(elements: usize, mut work: impl FnMut()) -> f64 {
    let (start, mut best) = (Instant::now(), Duration::MAX);
    while start.elapsed() < Duration::from_millis(150) {
        let now = Instant::now();
        work();
        best = best.min(now.elapsed());
    }
    best.as_secs_f64() * 1e9 / elements as f64
}

fn print(name: &str, kernel: &str, ns: f64) {
    println!("{name:<14} {kernel:<24} {ns:>8.3} ns");
}

fn elements<B: Field>(count: usize) -> Vec<B> {
    let mut x = B::from_u64(3);
    let mut next = || {
        x = x * x + B::ONE;
        x
    };
    (0..count).map(|_| next()).collect()
}

fn challenges<B: Field, E: ExtensionOf<B>>(count: usize) -> Vec<E> {
    elements::<B>(count * E::DEGREE).chunks(E::DEGREE).map(E::from_coefficients).collect()
}

fn base<B: TwoAdic>() {
    let message: Vec<B> = elements(1 << 18);
    let mut out = vec![B::ZERO; 1 << 18];
    for width in [1, 4, 64] {
        let ns = shortest(out.len(), || {
            B::ntt_rows(black_box(&message), width, B::GENERATOR, &mut out);
        });
        print(B::NAME, &format!("ntt_rows width {width}"), ns);
    }
    let mut bytes = vec![0; B::BYTES * message.len()];
    let ns = shortest(message.len(), || B::write_slice(black_box(&message), black_box(&mut bytes)));
    print(B::NAME, "write_slice", ns);
}

fn extension<B: TwoAdic, E: ExtensionOf<B>>() {
    let (matrix, n) = (elements::<B>(1 << 16), 1 << 16);
    let weights = challenges::<B, E>(256);
    let mut out = vec![E::ZERO; 256];
    let ns = shortest(n, || E::combine_columns(black_box(&matrix), &weights, &mut out));
    print(E::NAME, "combine_columns", ns);
    let ns = shortest(n, || E::combine_rows(black_box(&matrix), &weights, &mut out));
    print(E::NAME, "combine_rows", ns);
    let ns = shortest(n, || E::accumulate_powers(black_box(&matrix[..256]), &weights, &mut out));
    print(E::NAME, "accumulate_powers", ns);
    let (a, b) = (challenges::<B, E>(1 << 12), challenges::<B, E>(1 << 12));
    let ns = shortest(a.len(), || _ = black_box(E::product_round(black_box(&a), &b)));
    print(E::NAME, "product_round", ns);
    let mut table = a.clone();
    let ns = shortest(a.len(), || {
        table.clear();
        table.extend_from_slice(black_box(&a));
        E::bind_low(&mut table, b[0]);
    });
    print(E::NAME, "bind_low", ns);
    let ns = shortest(a.len(), || _ = black_box(E::inner_product(black_box(&a), &b)));
    print(E::NAME, "inner_product", ns);
    let mut sums = a.clone();
    let ns = shortest(a.len(), || E::add_scaled(black_box(&a), b[0], &mut sums));
    print(E::NAME, "add_scaled", ns);
    let ns = shortest(a.len(), || E::scale_slice(black_box(&mut sums), b[0]));
    print(E::NAME, "scale_slice", ns);
    let mut half = vec![E::ZERO; a.len() / 2];
    let ns = shortest(a.len(), || E::fold_pairs(black_box(&a), &matrix[..half.len()], b[0], b[1], &mut half));
    print(E::NAME, "fold_pairs", ns);
    let mut products = a.clone();
    let ns = shortest(a.len(), || products.iter_mut().zip(black_box(&b)).for_each(|(x, &y)| *x *= y));
    print(E::NAME, "multiply", ns);
    let mut scaled = a.clone();
    let ns =
        shortest(a.len(), || scaled.iter_mut().zip(black_box(&matrix)).for_each(|(x, &y)| *x = x.scale(y)));
    print(E::NAME, "scale", ns);
    let ns = shortest(a.len(), || _ = black_box(a.iter().fold(E::ONE, |x, &y| x * y)));
    print(E::NAME, "multiply, chained", ns);
}

fn main() {
    base::<KoalaBear>();
    base::<Goldilocks>();
    extension::<KoalaBear, KoalaBear4>();
    extension::<KoalaBear, KoalaBear5>();
    extension::<KoalaBear, KoalaBear8>();
    extension::<Goldilocks, Goldilocks2>();
    extension::<Goldilocks, Goldilocks3>();
}
