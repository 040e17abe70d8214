//! Proofs. Steps `P1` to `P4`.

use curve::pairing::PairingCurve;
use curve::{AdditiveGroup, CurveGroup};
use rand_core::CryptoRng;
use rayon::prelude::*;
use zeroize::Zeroizing;

use super::key::{ProvingKey, affine};
use super::{Proof, random_scalar};
use crate::r1cs::{Assignment, Unsatisfied};

/// Why there is no proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProveError {
    /// The values violate a constraint.
    #[error(transparent)]
    Unsatisfied(#[from] Unsatisfied),
    /// The assignment has other counts than the circuit of the key.
    #[error("an assignment of another circuit than the key's")]
    OtherCircuit,
}

impl<E: PairingCurve> ProvingKey<E> {
    /// Proves that there is a witness for the public inputs of an assignment.
    ///
    /// Cost: six transforms over the domain and the sums of five lists of points, on all threads of the current pool. Cells that are 0 cost nothing
    /// and those that are 1 an addition in each list.
    ///
    /// # Errors
    /// If the assignment violates a constraint, or has other counts than the circuit.
    pub fn prove(
        &self,
        assignment: &Assignment<E::Scalar>,
        rng: &mut impl CryptoRng,
    ) -> Result<Proof<E>, ProveError> {
        if let Some(violated) = assignment.violated {
            return Err(violated.into());
        }
        let shape = &self.shape;
        let witness = assignment.committed.len() + assignment.witness.len();
        let counts = [assignment.public.len(), witness, assignment.a.len(), assignment.b.len()];
        if counts != [shape.public, shape.witness, shape.constraints, shape.constraints] {
            return Err(ProveError::OtherCircuit);
        }
        let blinding = Zeroizing::new([random_scalar(rng), random_scalar(rng)]);
        Ok(self.prove_with(assignment, &blinding))
    }

    /// The proof with these blinding factors `r` and `s`.
    pub(super) fn prove_with(&self, assignment: &Assignment<E::Scalar>, [r, s]: &[E::Scalar; 2]) -> Proof<E> {
        let z = Zeroizing::new(assignment.z());
        let witness = &z[1 + self.shape.public..];
        // P1: the quotient's values on the coset. P2: the sums, beside it.
        let ((h, l), (a, (b1, b2))) = rayon::join(
            || (self.h.sum(&self.quotient(assignment, &z)), self.l.sum(witness)),
            || rayon::join(|| self.a.sum(&z), || rayon::join(|| self.b1.sum(&z), || self.b2.sum(&z))),
        );
        let [_, _, delta2] = self.verifying.second;
        let beta2 = self.verifying.second[0];
        // P3: A and B, blinded.
        let a = a + self.verifying.alpha + self.delta1 * r;
        let b1 = b1 + self.beta1 + self.delta1 * s;
        let b2 = b2 + beta2 + delta2 * s;
        // P4: C.
        let c = h + l + a * s + b1 * r - self.delta1 * (*r * s);
        let [a, c] = affine([a, c]);
        Proof { a, b: b2.into_affine(), c }
    }

    /// `a b - c` on the coset, where `a`, `b`, `c` are the polynomials with the values `A z`, `B z`, `C z` on the domain: -2 times the quotient by
    /// `X^n - 1`.
    fn quotient(&self, assignment: &Assignment<E::Scalar>, z: &[E::Scalar]) -> Zeroizing<Vec<E::Scalar>> {
        let on_coset = |values: &[E::Scalar], behind: &[E::Scalar]| {
            let mut all = Zeroizing::new(Vec::with_capacity(self.shape.domain));
            all.extend_from_slice(values);
            all.extend_from_slice(behind);
            all.resize(self.shape.domain, E::Scalar::ZERO);
            self.domain.to_coset(&mut all);
            all
        };
        let product = |a: &[E::Scalar], b: &[E::Scalar]| -> Zeroizing<Vec<E::Scalar>> {
            Zeroizing::new(a.par_iter().zip(b).with_min_len(1 << 12).map(|(a, b)| *a * b).collect())
        };
        let c = on_coset(&product(&assignment.a, &assignment.b), &[]);
        let mut a = on_coset(&assignment.a, &z[..1 + self.shape.public]);
        let b = on_coset(&assignment.b, &[]);
        a.par_iter_mut().zip(&*b).zip(&*c).with_min_len(1 << 12).for_each(|((a, b), c)| *a = *a * b - c);
        a
    }
}
