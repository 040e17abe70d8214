use core::arch::x86_64::__m256d;

use ark_bls12_381::{Fq, g1::Config};
use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, Field, UniformRand};
use ark_std::rand::{Rng, SeedableRng, rngs::StdRng};

use super::lanes::{self, Lanes, STREAMS};
use super::{Avx2, prime};
use crate::msm::tests::rounds_of_additions;
use crate::msm::{Adder, Single};
use field::cpu::Features;

type Words = [f64; 8];

/// A machine without the instructions has nothing to compare; one with them must not skip the comparison.
fn skip() -> bool {
    let available = Avx2::available();
    assert_eq!(available, field::cpu::has(Features::AVX2 | Features::FMA));
    !available
}

fn points(n: usize) -> Vec<Affine<Config>> {
    let mut rng = StdRng::seed_from_u64(1);
    (0..n).map(|_| Projective::<Config>::rand(&mut rng).into_affine()).collect()
}

fn lanes_of(words: [Words; 4]) -> Lanes {
    core::array::from_fn(|j| {
        // SAFETY: both types are four doubles.
        unsafe { core::mem::transmute::<[f64; 4], __m256d>(core::array::from_fn(|i| words[i][j])) }
    })
}

fn words_of(lanes: &Lanes) -> [Words; 4] {
    // SAFETY: both types are 32 doubles.
    let all = unsafe { core::mem::transmute::<Lanes, [[f64; 4]; 8]>(*lanes) };
    core::array::from_fn(|i| core::array::from_fn(|j| all[j][i]))
}

/// A word in its own unit.
fn units(words: &Words, j: usize) -> f64 {
    words[j] * 2_f64.powi(-48 * j as i32)
}

/// The number of words, as a multiple of p.
fn size(words: &Words) -> f64 {
    let p = prime::split(&-Fq::ONE).iter().sum::<f64>() + prime::split(&Fq::ONE).iter().sum::<f64>();
    words.iter().sum::<f64>() / p
}

/// Whether words are whole numbers of their units, and carried.
fn carried(words: &Words) -> bool {
    let bound = 2_f64.powi(47) + 32.0;
    (0..8).all(|j| units(words, j).abs() <= bound && units(words, j).fract() == 0.0)
}

/// Elements whose words are as large as they become, or small, and random ones.
fn elements() -> Vec<Fq> {
    let mut rng = StdRng::seed_from_u64(5);
    let two = Fq::ONE.double();
    let mut all = vec![Fq::ZERO, Fq::ONE, -Fq::ONE, two, -two, two.inverse().expect("not zero")];
    // In the words' form: 1, and words near half of 2^48 with either sign.
    for pattern in [1_u64, (1 << 47) - 1, 1 << 47, (1 << 47) + 1, (1 << 48) - 1] {
        for places in [0b1, 0b100_0000, 0b101_0101, 0b111_1111] {
            let words: Words = core::array::from_fn(|j| {
                f64::from(places >> j & 1) * pattern as f64 * 2_f64.powi(48 * j as i32)
            });
            all.push(prime::join(&words));
        }
    }
    all.extend((0..40).map(|_| Fq::rand(&mut rng)));
    all
}

/// The words of an element and some multiples of p, carried or wide.
fn forms(x: &Fq) -> [Words; 5] {
    let (own, minus) = (prime::split(x), prime::split(&-*x));
    let add = |a: &Words, b: &Words, sign: f64| core::array::from_fn(|j| a[j] + sign * b[j]);
    let negated = add(&[0.0; 8], &minus, -1.0);
    let shifted = |y: Fq| add(&prime::split(&(*x + y)), &prime::split(&y), -1.0);
    [own, negated, shifted(Fq::ONE), shifted(-Fq::ONE), shifted(*x)]
}

fn products(a: &[Words; 16], b: &[Words; 16]) -> [Words; 16] {
    let streams = |x: &[Words; 16]| -> [Lanes; STREAMS] {
        core::array::from_fn(|s| lanes_of(core::array::from_fn(|i| x[4 * s + i])))
    };
    let (a, b) = (streams(a), streams(b));
    // SAFETY: who calls this has asked for the instructions.
    let c = unsafe { lanes::products(a.each_ref(), b.each_ref()) };
    core::array::from_fn(|i| words_of(&c[i / 4])[i % 4])
}

#[test]
fn numbers_there_and_back() {
    for x in elements() {
        for words in forms(&x) {
            assert_eq!(prime::join(&words), x);
        }
        assert!(carried(&prime::split(&x)));
    }
    let zero = Avx2::import(&[Affine::zero()]);
    assert_eq!((zero[0].x, zero[0].y), ([0.0; 8], [0.0; 8]));
    assert!(Avx2::export(&zero[0]).is_zero());
    let points = points(20);
    assert_eq!(Avx2::import(&points).iter().map(Avx2::export).collect::<Vec<_>>(), points);
}

/// Products are arkworks', carried, and within their bound, a factor as it is split and the other in every form.
#[test]
fn products_are_those_of_the_field() {
    if skip() {
        return;
    }
    let all = elements();
    let pairs: Vec<(Words, Words, Fq)> = all
        .iter()
        .flat_map(|a| all.iter().map(move |b| (a, b)))
        .enumerate()
        .flat_map(|(i, (a, b))| {
            let own = forms(a)[i % 2];
            forms(b).map(|form| (own, form, *a * b))
        })
        .collect();
    for some in pairs.chunks(16) {
        let at = |i: usize| some[i % some.len()];
        let (a, b) = (core::array::from_fn(|i| at(i).0), core::array::from_fn(|i| at(i).1));
        for (i, c) in products(&a, &b).iter().enumerate() {
            let bound = 0.501 + size(&a[i]).abs() * size(&b[i]).abs() / 9.85;
            assert_eq!(prime::join(c), at(i).2);
            assert!(carried(c) && size(c).abs() <= bound, "{} p", size(c));
        }
    }
}

/// The largest words that a product may meet: all at the bounds of a carried and a wide number, with either sign.
#[test]
fn products_of_the_largest_words() {
    if skip() {
        return;
    }
    let mut rng = StdRng::seed_from_u64(6);
    let (small, large) = (2_f64.powi(47) + 32.0, 2_f64.powi(48) + 64.0);
    for round in 0..2000 {
        let mut words = |bound: f64, top: f64| -> Words {
            core::array::from_fn(|j| {
                let most = if j == 7 { top } else { bound };
                let sign = if round == 0 || rng.r#gen::<bool>() { 1.0 } else { -1.0 };
                sign * (most - f64::from(rng.r#gen::<u8>() % 2)) * 2_f64.powi(48 * j as i32)
            })
        };
        // The highest words of 1 p and 2 p.
        let a: [Words; 16] = core::array::from_fn(|_| words(small, 28_000_000_000_000.0));
        let b: [Words; 16] = core::array::from_fn(|_| words(large, 56_000_000_000_000.0));
        for (i, c) in products(&a, &b).iter().enumerate() {
            assert_eq!(prime::join(c), prime::join(&a[i]) * prime::join(&b[i]), "round {round}");
            assert!(carried(c) && size(c).abs() < 0.71);
        }
    }
}

/// What comes out of a reduction is the same modulo p, carried, and within 0.51 p.
#[test]
fn reductions() {
    if skip() {
        return;
    }
    let all = elements();
    for (i, a) in all.iter().enumerate() {
        for (j, b) in all.iter().enumerate() {
            let c = all[(i + 7 * j) % all.len()];
            let [x, y, z] = [forms(a)[j % 5], forms(b)[i % 5], prime::split(&c)];
            // Up to five words of 2^47, and 3 p.
            let wide: Words = core::array::from_fn(|k| x[k] - y[k] - z[k]);
            if size(&wide).abs() > 3.0 {
                continue;
            }
            // SAFETY: the instructions are there.
            let reduced = words_of(&unsafe { lanes::reduce(lanes_of([wide; 4])) })[i % 4];
            assert_eq!(prime::join(&reduced), *a - b - c);
            assert!(carried(&reduced) && size(&reduced).abs() < 0.51, "{} p", size(&reduced));
        }
    }
}

#[test]
fn inverses() {
    let mut rng = StdRng::seed_from_u64(7);
    let numbers: [Fq; 16] = core::array::from_fn(|_| Fq::rand(&mut rng));
    let streams = |numbers: &[Fq; 16]| -> [Lanes; STREAMS] {
        core::array::from_fn(|s| lanes_of(core::array::from_fn(|i| prime::split(&numbers[4 * s + i]))))
    };
    let inverses = prime::invert(&streams(&numbers)).expect("none is zero");
    for (i, x) in numbers.iter().enumerate() {
        assert_eq!(prime::join(&words_of(&inverses[i / 4])[i % 4]) * x, Fq::ONE);
    }
    for i in [0, 5, 15] {
        let mut numbers = numbers;
        numbers[i] = Fq::ZERO;
        assert!(prime::invert(&streams(&numbers)).is_none());
    }
}

/// With words and sizes that stay where the bounds of the next addition want them.
#[test]
fn additions_are_those_of_a_single_lane() {
    if skip() {
        return;
    }
    for n in [1, 2, 15, 16, 17, 100] {
        rounds_of_additions::<Avx2>(&points(2 * n), |sums| {
            assert!(sums.iter().flat_map(|p| [p.x, p.y]).all(|w| carried(&w) && size(&w).abs() <= 1.0));
        });
    }
}

#[test]
fn the_rest_goes_by_a_single_lane() {
    if skip() {
        return;
    }
    let (points, mut rng) = (points(11), StdRng::seed_from_u64(2));
    for twice in [false, true] {
        let size = points.len() * 29 * (1 + usize::from(twice));
        let mut vector = vec![Avx2::import(&points)[0]; size];
        let mut single = vec![points[0]; size];
        Avx2::multiples(&points, 9, 29, &mut vector);
        Single::<Config>::multiples(&points, 9, 29, &mut single);
        assert_eq!(vector.iter().map(Avx2::export).collect::<Vec<_>>(), single);
    }
    let scalars: Vec<_> = points.iter().map(|_| ark_bls12_381::Fr::rand(&mut rng)).collect();
    assert_eq!(Avx2::scale(&points, &scalars), Single::<Config>::scale(&points, &scalars));
    let mut bytes = Vec::new();
    Avx2::write(&Avx2::import(&points), &mut bytes);
    assert_eq!(Avx2::read(&bytes, 11, 1, false), Some(Avx2::import(&points)));
    assert_eq!(Avx2::read(&bytes, 10, 1, false), None);
}
