//! Prove an inner product. Step labels as in `verifier.rs`.

use super::statement::Statement;
use super::verifier::{Scheme, claims, rounds};
use crate::scheme::{Prove, Prover as _, Witness as _};
use crate::weighted::{Points, extension};
use alloc::vec::Vec;
use field::{ExtensionOf as _, parallel};
use iop::poly::dot_parallel;
use iop::sumcheck;
use iop::transcript::Challenger as _;

/// Proves the inner product of two committed columns, by their places, over the first rows; the places behind are zero.
///
/// Cost: about four products for each place in the sumcheck, two for each entry of every column, and an opening; a copy of every column, and two tables over the challenge field, half as long as one.
///
/// # Panics
/// If there are no such columns, or no rows, or more of them than places.
pub fn open<S: Points + Prove>(
    scheme: &Scheme<S>,
    witness: &mut S::Witness,
    (columns, rows): ([u32; 2], u64),
    context: &[u8],
) -> (Statement<S::Base>, Vec<u8>) {
    let (inner, facts) = (scheme.inner(), &scheme.facts);
    let prover = inner.prover();
    let mut entries: Vec<S::Base> = Vec::with_capacity(facts.polynomials << facts.variables);
    prover.each_entry(witness, &mut |entry| entries.push(*entry));
    let all: Vec<&[S::Base]> = entries.chunks_exact(1 << facts.variables).collect();
    let [f, g] = columns.map(|column| all[column as usize]);
    assert!((1..=1 << facts.variables).contains(&rows), "rows that are there");
    let value = dot_parallel(f, g);
    let statement = Statement { columns, rows, value, context: context.to_vec() };
    let bound = statement.digest(facts.hash, &witness.commitment().to_bytes());
    // P1: the sum becomes a product at a random point.
    let mut tape = scheme.bind(&bound).prover();
    let (point, ..) = sumcheck::prove_base(&mut tape, rounds(facts), f, g, S::Challenge::lift(value));
    // P2: what makes it.
    let values: Vec<S::Challenge> = parallel::map(all.iter(), |column| extension(column, &point));
    tape.send("values at the point", &values);
    let padding: Vec<S::Challenge> = tape.challenges("padding", rounds(facts).count);
    let mut proof = tape.finish();
    // P3: the values are the columns', whose padding is zero.
    let context = statement.inner_context(facts.hash, &bound, &proof);
    let claims = claims((&point, values), (rows, &padding), context);
    proof.extend(prover.open(witness, claims.forms, &claims.context).1);
    (statement, proof)
}
