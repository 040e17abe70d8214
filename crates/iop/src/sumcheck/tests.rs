//! Sums that hold and sums that do not, on tables short and long enough for several threads.

use super::prover::PARALLEL;
use super::*;
use crate::hash::Hash;
use crate::poly::{TensorForm, dot};
use crate::transcript::Domain;
use field::{ExtensionOf, Field, Goldilocks as B, Goldilocks2 as E};

fn table(n: usize, seed: u64) -> Vec<E> {
    (0..n as u64).map(|i| E::from_u64(i * i + seed).pow(11)).collect()
}

fn bound() -> crate::transcript::Bound {
    Domain::new(Hash::Blake3, "sumcheck test", &[0; 32]).statement(&[1; 32])
}

/// What is left of a claim after `count` rounds, on both sides; the verifier's must be about the bound tables.
fn run(n: usize, rounds: Rounds, off: E) -> (E, E) {
    let (f, w) = (table(n, 3), table(n, 5));
    let (mut bound_f, mut bound_w) = (f.clone(), w.clone());
    let claim = dot(&f, &w) + off;
    let mut tape = bound().prover();
    let (r, left) = prove(&mut tape, rounds, &mut bound_f, &mut bound_w, claim);
    let proof = tape.finish();
    let mut tape = bound().verifier(&proof);
    let (drawn, accepted) = verify(&mut tape, rounds, claim).unwrap();
    tape.finish().unwrap();
    assert_eq!((drawn, accepted), (r.clone(), left), "both sides say the same");
    for (table, bound) in [(&f, &bound_f), (&w, &bound_w)] {
        for (i, &value) in bound.iter().enumerate() {
            let chunk = &table[i << rounds.count..][..1 << rounds.count];
            assert_eq!(value, TensorForm::point(&r).apply(chunk), "entry {i} is bound to the challenges");
        }
    }
    (left, dot(&bound_f, &bound_w))
}

#[test]
fn a_true_sum_stays_true_at_every_length() {
    for (log, count) in [(0, 0), (1, 1), (3, 2), (5, 5), (14, 3)] {
        for grinding in [0, 3] {
            let (left, true_value) = run(1 << log, Rounds { count, grinding }, E::ZERO);
            assert_eq!(left, true_value, "2^{log}, {count} rounds");
        }
    }
}

#[test]
fn a_false_sum_stays_false() {
    for log in [1, 5, 14] {
        let (left, true_value) = run(1 << log, Rounds { count: 1, grinding: 0 }, E::ONE);
        assert_ne!(left, true_value, "2^{log}");
    }
}

/// The parallel forms on long tables against the scalar meaning.
#[test]
fn long_tables_give_what_short_ones_do() {
    let (f, w) = (table(1 << 14, 1), table(1 << 14, 2));
    assert_eq!(product_round(&f, &w), E::product_round(&f, &w));
    let r = E::from_u64(77).pow(9);
    let (mut long, mut short) = (f.clone(), f);
    bind(&mut long, r);
    E::bind_low(&mut short, r);
    assert_eq!(long, short);
}

/// The first round over the base field says what it says on the lifted tables.
#[test]
fn base_tables_prove_what_lifted_ones_do() {
    let base = |n: usize, seed: u64| -> Vec<B> { (0..n as u64).map(|i| B::from_u64(i * i + seed)).collect() };
    for (log, count) in [(0, 0), (1, 1), (5, 5), (6, 4), (15, 15)] {
        for grinding in [0, 2] {
            let (f, w) = (base(1 << log, 7), base(1 << log, 9));
            let lift = |table: &[B]| -> Vec<E> { table.iter().map(|&x| E::lift(x)).collect() };
            let (mut lifted_f, mut lifted_w) = (lift(&f), lift(&w));
            let (claim, rounds) = (dot(&lifted_f, &lifted_w), Rounds { count, grinding });
            let (mut fast, mut slow) = (bound().prover(), bound().prover());
            let (r, left, bound_f) = prove_base(&mut fast, rounds, &f, &w, claim);
            let said = prove(&mut slow, rounds, &mut lifted_f, &mut lifted_w, claim);
            assert_eq!(((r, left), bound_f), (said, lifted_f), "2^{log}, {count} rounds");
            assert_eq!(fast.finish(), slow.finish());
        }
    }
}

/// Long tables are bound in pieces on several threads, and at once on one.
#[test]
fn long_tables_bind_as_short_ones() {
    let long = table(4 * PARALLEL + 6, 7);
    let r = E::from_u64(0x1234_5678_9abc).pow(3);
    let expected: Vec<E> = long.chunks_exact(2).map(|p| p[0] + r * (p[1] - p[0])).collect();
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut bound = long.clone();
        pool.install(|| bind(&mut bound, r));
        assert_eq!(bound, expected, "{threads} threads");
    }
}
