//! From powers to the values of Lagrange polynomials, in the group.

use ark_ec::CurveGroup;
use ark_poly::{EvaluationDomain, Radix2EvaluationDomain};

use crate::bls12_381::{Fr, G1, G1Projective};

/// `L_i(tau) G` from `tau^j G`, for the Lagrange polynomials of the domain of `powers.len()` points, in its natural order:
/// `L_i(w^i) = 1` with the `w` of arkworks.
///
/// `L_i(x) = 1/n sum_j w^(-ij) x^j`: an inverse transform of the powers.
///
/// # Panics
/// If the number of powers is not a power of two.
#[must_use]
pub fn lagrange(powers: &[G1]) -> Vec<G1> {
    let domain = Radix2EvaluationDomain::<Fr>::new(powers.len()).expect("a power of two");
    assert!(powers.len().is_power_of_two(), "a power of two");
    let mut points: Vec<G1Projective> = powers.iter().map(|p| (*p).into()).collect();
    domain.ifft_in_place(&mut points);
    G1Projective::normalize_batch(&points)
}
