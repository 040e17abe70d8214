use ark_ff::UniformRand;
use ark_std::rand::SeedableRng;
use ark_std::rand::rngs::StdRng;

use super::*;
use crate::{AdditiveGroup, FftField, Field};

/// Both forms, where the machine has both.
fn forms() -> Vec<Form> {
    if Form::best() == Form::Single {
        println!("skipped: no AVX-512 IFMA");
    }
    if Form::best() == Form::Single { vec![Form::Single] } else { vec![Form::Single, Form::Vector] }
}

/// Random elements, and among them those at the ends.
fn elements(count: usize, seed: u64) -> Vec<Fr> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut all: Vec<Fr> = (0..count).map(|_| Fr::rand(&mut rng)).collect();
    let ends = [Fr::ZERO, Fr::ONE, -Fr::ONE, Fr::ONE.double(), -Fr::ONE.double(), Fr::ZERO, -Fr::ONE];
    for (x, end) in all.iter_mut().step_by(3).zip(ends) {
        *x = end;
    }
    all
}

fn evaluated(coefficients: &[Fr], x: Fr) -> Fr {
    coefficients.iter().rev().fold(Fr::ZERO, |sum, c| sum * x + c)
}

#[test]
fn elements_come_out_as_they_went_in() {
    for form in forms() {
        for count in [0, 1, 7, 8, 9, 64, 1001] {
            let values = elements(count, 1);
            let column = Column::new(&values, form);
            assert_eq!((column.len(), column.is_empty()), (count, count == 0));
            assert_eq!(*column.values(), values);
        }
    }
}

#[test]
fn products_and_sums_are_those_of_arkworks() {
    let (a, b) = (elements(45, 2), elements(45, 3));
    let [k, l] = [a[10], -Fr::ONE];
    for form in forms() {
        let [x, y, short] = [&a[..], &b, &b[..9]].map(|values| Column::new(values, form));
        let products: Vec<Fr> = a.iter().zip(&b).map(|(a, b)| *a * b).collect();
        assert_eq!(*x.times(&y).values(), products);
        let expected =
            |i: usize| k * a[i] + l * b[i] + b.get(i).filter(|_| i < 9).copied().unwrap_or_default();
        let sum = Column::sum([(k, &x), (l, &y), (Fr::ONE, &short)]);
        assert_eq!(*sum.values(), (0..45).map(expected).collect::<Vec<_>>());
        assert_eq!(*Column::sum([(Fr::ONE, &short), (Fr::ONE, &x)]).values(), {
            (0..45).map(|i| a[i] + if i < 9 { b[i] } else { Fr::ZERO }).collect::<Vec<_>>()
        });
        // Sums of sums, again and again: numbers that are not reduced stay small.
        let mut many = Column::new(&a, form);
        let mut plain = a.clone();
        for i in 0..50_u64 {
            let k = if i % 2 == 0 { -Fr::ONE } else { Fr::from(i) };
            many = Column::sum([(k, &many), (k, &many), (-k, &x)]);
            plain.iter_mut().zip(&a).for_each(|(p, a)| *p = k * *p + k * *p - k * a);
        }
        assert_eq!(*many.values(), plain);
    }
}

#[test]
fn values_and_quotients_are_those_of_horner() {
    for count in [1, 2, 8, 9, 63, 64, 65, 193] {
        let p = elements(count, 4);
        for z in [Fr::ZERO, Fr::ONE, -Fr::ONE, elements(20, 5)[19]] {
            let mut sums: Vec<Fr> = (0..count).map(|i| evaluated(&p[i..], z)).collect();
            let value = sums.remove(0);
            for form in forms() {
                let column = Column::new(&p, form);
                assert_eq!(column.evaluate(z), value);
                let (quotient, rest) = column.divide(z);
                assert_eq!((&*quotient.values(), rest), (&sums, value), "{count} coefficients");
            }
        }
    }
}

/// What a division leaves is a column like others, of 65 coefficients too, of which the last has a block of its own.
#[test]
fn quotients_are_columns() {
    let (p, b) = (elements(65, 14), elements(24, 15));
    for form in forms() {
        let (quotient, _) = Column::new(&p, form).divide(p[20]);
        let values = quotient.values().to_vec();
        let again = Column::new(&values, form);
        let other = Column::new(&b, form);
        let [both, expected] = [&quotient, &again].map(|x| Column::concat([x, &other], 88));
        assert_eq!(*both.values(), *expected.values());
        assert_eq!(*quotient.times(&again).values(), *again.times(&again).values());
        let [next, expected] = [&quotient, &again].map(|x| Column::map::<Sum, 2, 1>([x, &again], &[p[1]]));
        assert_eq!(*next.values(), *expected.values());
    }
}

#[test]
fn columns_one_behind_another() {
    let [a, b] = [elements(64, 6), elements(24, 7)];
    for form in forms() {
        let [x, y] = [&a, &b].map(|values| Column::new(values, form));
        for len in [64, 65, 72, 75, 88] {
            let both = Column::concat([&x, &y], len);
            assert_eq!(*both.values(), [&a[..], &b[..len - 64]].concat());
            // Nothing is left behind the end.
            let longer = Column::sum([(Fr::ZERO, &Column::new(&elements(96, 8), form)), (Fr::ONE, &both)]);
            assert!(longer.values()[len..].iter().all(Zero::is_zero), "{len} entries");
        }
    }
}

#[test]
fn the_transform_gives_values_and_takes_them_back() {
    for n in [64, 128, 512, 2048] {
        let coefficients = elements(n, 9);
        let root = Fr::get_root_of_unity(n as u64).unwrap();
        for form in forms() {
            let transform = Transform::new(n, form);
            let values = transform.values(&Column::new(&coefficients, form));
            let step = if n > 128 { 37 } else { 1 };
            for (i, value) in values.values().iter().enumerate().step_by(step) {
                assert_eq!(*value, evaluated(&coefficients, root.pow([i as u64])), "value {i} of {n}");
            }
            assert_eq!(*transform.coefficients(&values).values(), coefficients);
        }
    }
}

struct Sum;

impl Formula<2, 1> for Sum {
    #[inline(always)]
    fn value<F: Number>(here: &[F; 2], next: &[F; 2], [k]: &[F; 1]) -> F {
        here[0] * next[1] - next[0] * here[1] + *k - here[0] - here[0]
    }
}

#[test]
fn formulas_see_the_next_place() {
    for n in [8, 64] {
        let (a, b, k) = (elements(n, 10), elements(n, 11), elements(8, 12)[7]);
        let expected: Vec<Fr> = (0..n)
            .map(|i| (i, (i + 1) % n))
            .map(|(i, next)| a[i] * b[next] - a[next] * b[i] + k - a[i].double())
            .collect();
        for form in forms() {
            let [x, y] = [&a, &b].map(|values| Column::new(values, form));
            assert_eq!(*Column::map::<Sum, 2, 1>([&x, &y], &[k]).values(), expected);
        }
    }
}

#[test]
#[should_panic(expected = "columns of one form")]
fn forms_do_not_mix() {
    let [a, b] = [Form::Single, Form::best()].map(|form| Column::new(&elements(8, 13), form));
    // Where there is one form alone, nothing can be mixed.
    assert!(Form::best() == Form::Vector, "columns of one form");
    let _ = a.times(&b);
}
