//! The zero test: `f(x) g(x) = h(x)` at every place `x` of three multilinear tables, by a sumcheck of
//! `sum_x eq(z, x) (f g - h)(x) = 0` at a random point `z`, lowest variable first. (notes: sumcheck-zero)
//!
//! In round `v` the claim is `c = sum_X eq(z_v, X) t(X)` with `t(X) = sum_y eq(z_(v+1..), y) (f g - h)(r, X, y)` of degree 2. The message is the linear and the
//! quadratic coefficient of `t`; the constant one follows from `(1 - z_v) t(0) + z_v t(1) = c`, so a polynomial that misses the claim cannot be expressed. What is left is
//! `t(r_v)`: the factor `eq(z_v, r_v)`, which both sides know, is divided out.

use crate::error::Invalid;
#[cfg(feature = "prover")]
use crate::poly::TensorForm;
#[cfg(feature = "prover")]
use crate::transcript::ProverTape;
use crate::transcript::{Challenger, VerifierTape};
use alloc::vec::Vec;
use field::Field;
#[cfg(feature = "prover")]
use field::parallel;

const MESSAGE: &str = "zero test round";
const CHALLENGE: &str = "zero test challenge";

/// The claim after a round: `t(r)` from the two sent coefficients and the claim before.
fn evaluate<E: Field>([linear, quadratic]: [E; 2], (claim, z): (E, E), r: E) -> E {
    claim - z * (linear + quadratic) + r * (linear + r * quadratic)
}

/// The verifier's side of [`prove`]: the challenges, and what `f g - h` is claimed to be at their point. `point` was drawn after the tables were bound.
///
/// # Errors
/// If the proof is too short or not canonical.
pub fn verify<E: Field>(tape: &mut VerifierTape<'_>, point: &[E]) -> Result<(Vec<E>, E), Invalid> {
    let (mut challenges, mut claim) = (Vec::with_capacity(point.len()), E::ZERO);
    for &z in point {
        let message = tape.receive::<E>(MESSAGE, 2)?;
        let [linear, quadratic] = message[..] else {
            return Err(Invalid("zero test round message"));
        };
        let r: E = tape.challenge(CHALLENGE);
        claim = evaluate([linear, quadratic], (claim, z), r);
        challenges.push(r);
    }
    Ok((challenges, claim))
}

/// Runs the rounds over tables for which the statement holds; returns the challenges and the values of the three tables at their point.
///
/// Cost: about nine products for each place.
///
/// # Panics
/// If a table has not an entry for each place of `point`'s variables.
#[cfg(feature = "prover")]
pub fn prove<E: Field>(tape: &mut ProverTape, point: &[E], mut tables: [Vec<E>; 3]) -> (Vec<E>, [E; 3]) {
    assert!(tables.iter().all(|table| table.len() == 1 << point.len()), "an entry for each place");
    let (mut challenges, mut claim) = (Vec::with_capacity(point.len()), E::ZERO);
    let mut weights = TensorForm::point(point.get(1..).unwrap_or_default()).expand_parallel();
    for &z in point {
        let [constant, at_one, quadratic] = round(&weights, &tables);
        let linear = at_one - constant - quadratic;
        tape.send(MESSAGE, &[linear, quadratic]);
        let r: E = tape.challenge(CHALLENGE);
        claim = evaluate([linear, quadratic], (claim, z), r);
        tables.iter_mut().for_each(|table| super::bind(table, r));
        weights = weights.chunks_exact(2).map(|pair| pair[0] + pair[1]).collect();
        challenges.push(r);
    }
    (challenges, tables.map(|table| table[0]))
}

/// The values of `t` at 0 and 1, and its quadratic coefficient.
#[cfg(feature = "prover")]
fn round<E: Field>(weights: &[E], [f, g, h]: &[Vec<E>; 3]) -> [E; 3] {
    let chunk = super::prover::PARALLEL / 8;
    let [f, g, h] = [f, g, h].map(|table| table.chunks(2 * chunk));
    let chunks = weights.chunks(chunk).zip(f.zip(g).zip(h));
    let parts = parallel::map(chunks, |(weights, ((f, g), h))| {
        let mut sums = [E::ZERO; 3];
        let pairs = f.chunks_exact(2).zip(g.chunks_exact(2)).zip(h.chunks_exact(2));
        for (&weight, ((f, g), h)) in weights.iter().zip(pairs) {
            sums[0] += weight * (f[0] * g[0] - h[0]);
            sums[1] += weight * (f[1] * g[1] - h[1]);
            sums[2] += weight * ((f[1] - f[0]) * (g[1] - g[0]));
        }
        sums
    });
    let add = |sum: [E; 3], part: [E; 3]| core::array::from_fn(|i| sum[i] + part[i]);
    parts.into_iter().fold([E::ZERO; 3], add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::Hash;
    use crate::transcript::{Bound, Domain};
    use field::{Bn254, Goldilocks2};

    fn bound() -> Bound {
        Domain::new(Hash::Blake3, "zero test", &[0; 32]).statement(&[1; 32])
    }

    fn table<E: Field>(log: usize, seed: u64) -> Vec<E> {
        (0..1 << log).map(|i| E::from_u64(i * i + seed).pow(11)).collect()
    }

    /// Whether what is left of the claim is what the tables are at the challenges; `spoil` changes `h` first.
    fn holds<E: Field>(log: usize, spoil: impl FnOnce(&mut Vec<E>)) -> bool {
        let (f, g): (Vec<E>, Vec<E>) = (table(log, 3), table(log, 5));
        let mut h: Vec<E> = f.iter().zip(&g).map(|(&f, &g)| f * g).collect();
        spoil(&mut h);
        let point: Vec<E> = bound().prover().challenges("point", log);
        let mut tape = bound().prover();
        let (r, values) = prove(&mut tape, &point, [f.clone(), g.clone(), h.clone()]);
        let at = TensorForm::point(&r);
        assert_eq!(values, [f, g, h].map(|table| at.apply(&table)));
        let proof = tape.finish();
        assert_eq!(proof.len(), 2 * log * E::BYTES);
        let mut tape = bound().verifier(&proof);
        let (drawn, left) = verify(&mut tape, &point).unwrap();
        tape.finish().unwrap();
        assert_eq!(drawn, r);
        left == values[0] * values[1] - values[2]
    }

    #[test]
    fn products_pass_at_every_length_and_one_wrong_place_does_not() {
        for log in [0, 1, 5, 13] {
            assert!(holds::<Goldilocks2>(log, |_| ()), "2^{log}");
            for place in [0, (1 << log) - 1] {
                assert!(!holds::<Goldilocks2>(log, |h| h[place] += Goldilocks2::ONE), "2^{log}, {place}");
            }
        }
        assert!(holds::<Bn254>(6, |_| ()));
        // Errors that cancel in the plain sum.
        let cancel = |h: &mut Vec<Bn254>| {
            h[4] += Bn254::ONE;
            h[5] -= Bn254::ONE;
        };
        assert!(!holds::<Bn254>(6, cancel));
    }

    /// A prover that knew a challenge before its message would choose the message for it.
    #[test]
    fn challenges_follow_from_the_messages_before() {
        let (point, length) = (table::<Bn254>(2, 7)[..3].to_vec(), 2 * Bn254::BYTES);
        let drawn = |proof: &[u8]| verify(&mut bound().verifier(proof), &point).unwrap().0;
        let honest = drawn(&[0; 6 * Bn254::BYTES]);
        for byte in (0..3 * length).step_by(Bn254::BYTES) {
            let mut proof = [0; 6 * Bn254::BYTES];
            proof[byte] = 1;
            for (round, (one, other)) in drawn(&proof).iter().zip(&honest).enumerate() {
                assert_eq!(one == other, round < byte / length, "byte {byte}, round {round}");
            }
        }
    }

    #[test]
    fn a_cut_proof_is_refused() {
        let point = table::<Goldilocks2>(1, 7);
        let mut tape = bound().verifier(&[0; 31]);
        assert_eq!(verify(&mut tape, &point), Err(Invalid("proof is too short")));
    }
}
