//! The prover's side: rounds over tables, on all threads.

use super::{Rounds, evaluate};
use crate::transcript::{Challenger, ProverTape};
use field::parallel;
use field::{ExtensionOf, Field};

/// Tables shorter than this are handled by one thread: to wake another costs about as much as so many products.
pub(super) const PARALLEL: usize = 1 << 15;

/// Runs the rounds; both tables are bound to the challenges, which are returned with the final claim.
pub fn prove<E: Field>(
    tape: &mut ProverTape,
    rounds: Rounds,
    f: &mut Vec<E>,
    w: &mut Vec<E>,
    mut claim: E,
) -> (Vec<E>, E) {
    let mut challenges = Vec::with_capacity(rounds.count);
    for _ in 0..rounds.count {
        let r = send_round(tape, rounds.grinding, product_round(f, w), &mut claim);
        bind(f, r);
        bind(w, r);
        challenges.push(r);
    }
    (challenges, claim)
}

/// What [`prove`] does on the lifted tables, with the first round over the base field: tables over the challenge field
/// are half as long. Returns the challenges, the claim that is left, and the bound `f`.
///
/// # Panics
/// If the tables differ in length, or there are more rounds than they have variables.
pub fn prove_base<B: Field, E: ExtensionOf<B>>(
    tape: &mut ProverTape,
    rounds: Rounds,
    f: &[B],
    w: &[B],
    mut claim: E,
) -> (Vec<E>, E, Vec<E>) {
    assert!(
        f.len() == w.len() && f.len() >> rounds.count > 0,
        "two tables of one length, a variable a round"
    );
    let Some(left) = rounds.count.checked_sub(1) else {
        return (Vec::new(), claim, f.iter().map(|&x| E::lift(x)).collect());
    };
    let (constant, quadratic) = product_round(f, w);
    let r = send_round(tape, rounds.grinding, (E::lift(constant), E::lift(quadratic)), &mut claim);
    let (mut f, mut w) = (lift_bound(f, r), lift_bound(w, r));
    let (others, claim) = prove(tape, Rounds { count: left, ..rounds }, &mut f, &mut w, claim);
    (core::iter::once(r).chain(others).collect(), claim, f)
}

/// Sends a round's coefficients, draws its challenge, and moves the claim on.
pub fn send_round<E: Field>(
    tape: &mut ProverTape,
    grinding: u32,
    (constant, quadratic): (E, E),
    claim: &mut E,
) -> E {
    tape.send("sumcheck round", &[constant, quadratic]);
    tape.grind("fold grinding", grinding);
    let r: E = tape.challenge("sumcheck challenge");
    *claim = evaluate(constant, quadratic, *claim, r);
    r
}

/// The message of a round: the constant and the quadratic coefficient of `sum_x f(X, x) w(X, x)`.
pub fn product_round<E: Field>(f: &[E], w: &[E]) -> (E, E) {
    if f.len() < PARALLEL {
        return E::product_round(f, w);
    }
    let chunk = PARALLEL / 4;
    let parts = parallel::map(f.chunks(chunk).zip(w.chunks(chunk)), |(f, w)| E::product_round(f, w));
    parts.into_iter().fold((E::ZERO, E::ZERO), |a, b| (a.0 + b.0, a.1 + b.1))
}

/// Binds the lowest variable of a table to `r`.
pub fn bind<E: Field>(table: &mut Vec<E>, r: E) {
    if table.len() < PARALLEL || parallel::threads() == 1 {
        return E::bind_low(table, r);
    }
    let mut bound = vec![E::ZERO; table.len() / 2];
    let parts = bound.chunks_mut(BOUND_AT_ONCE).zip(table.chunks(2 * BOUND_AT_ONCE));
    parallel::for_each(parts, |(bound, table)| {
        let mut part = table.to_vec();
        E::bind_low(&mut part, r);
        bound.copy_from_slice(&part);
    });
    *table = bound;
}

/// Values that one task binds to.
const BOUND_AT_ONCE: usize = 1 << 12;

/// A base-field table with its lowest variable bound to `r`.
pub fn lift_bound<B: Field, E: ExtensionOf<B>>(table: &[B], r: E) -> Vec<E> {
    let mut bound = vec![E::ZERO; table.len() / 2];
    let parts = bound.chunks_mut(BOUND_AT_ONCE).zip(table.chunks(2 * BOUND_AT_ONCE));
    parallel::for_each(parts, |(bound, table)| {
        let pairs = bound.iter_mut().zip(table.chunks_exact(2));
        pairs.for_each(|(bound, pair)| *bound = E::lift(pair[0]) + r.scale(pair[1] - pair[0]));
    });
    bound
}
