//! Proofs. Steps `P0` to `P4`.

use curve::pairing::PairingCurve;
use curve::{AdditiveGroup, CurveGroup, Projective};
use rand_core::CryptoRng;
use rayon::prelude::*;
use zeroize::Zeroizing;

use super::key::{ProvingKey, affine};
use super::{Commitment, Proof, random_scalar};
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
    /// The circuit has committed cells and there is no commitment to them, or the other way round.
    #[error("a commitment is needed for a circuit with committed cells, and for no other")]
    Commitment,
    /// The assignment's committed cells are others than those of the commitment.
    #[error("an assignment with other committed cells than the commitment's")]
    OtherCells,
}

/// A commitment to cells, with what its prover has to know. Overwritten when dropped.
pub struct Committed<E: PairingCurve> {
    commitment: Commitment<E>,
    cells: Zeroizing<Vec<E::Scalar>>,
    blinding: Zeroizing<[E::Scalar; 1]>,
}

impl<E: PairingCurve> Committed<E> {
    /// The commitment: what challenges are drawn from.
    #[must_use]
    pub fn commitment(&self) -> &Commitment<E> {
        &self.commitment
    }
}

impl<E: PairingCurve> ProvingKey<E> {
    /// Proves that there is a witness for the public inputs of an assignment of a circuit without committed cells.
    ///
    /// Cost: six transforms over the domain and the sums of five lists of points, on all threads of the current pool. Cells that are 0 cost nothing
    /// and those that are 1 an addition in each list.
    ///
    /// # Errors
    /// If the assignment violates a constraint, or has other counts than the circuit; if the circuit has committed cells.
    pub fn prove(
        &self,
        assignment: &Assignment<E::Scalar>,
        rng: &mut impl CryptoRng,
    ) -> Result<Proof<E>, ProveError> {
        self.check(assignment)?;
        if self.commitment.is_some() {
            return Err(ProveError::Commitment);
        }
        let blinding = Zeroizing::new([random_scalar(rng), random_scalar(rng)]);
        Ok(self.prove_with(assignment, &blinding, None))
    }

    /// Commits to the committed cells of a circuit, in their order. The commitment hides them: it is blinded by a scalar of its own.
    ///
    /// # Errors
    /// If the circuit has another number of committed cells, or none.
    pub fn commit(&self, cells: &[E::Scalar], rng: &mut impl CryptoRng) -> Result<Committed<E>, ProveError> {
        let key = self.commitment.as_ref().ok_or(ProveError::Commitment)?;
        if cells.len() != self.shape.committed {
            return Err(ProveError::OtherCircuit);
        }
        // P0: the commitment.
        let blinding = Zeroizing::new([random_scalar(rng)]);
        let commitment = Commitment((key.cells.sum(cells) + self.delta1 * blinding[0]).into_affine());
        Ok(Committed { commitment, cells: Zeroizing::new(cells.to_vec()), blinding })
    }

    /// As [`Self::prove`], for a circuit with committed cells, whose challenges among the public inputs were drawn from the commitment. A commitment is of one
    /// proof.
    ///
    /// # Errors
    /// As [`Self::prove`]; if the circuit has no committed cells, or those of the assignment are others than the commitment's.
    pub fn prove_committed(
        &self,
        committed: Committed<E>,
        assignment: &Assignment<E::Scalar>,
        rng: &mut impl CryptoRng,
    ) -> Result<Proof<E>, ProveError> {
        self.check(assignment)?;
        let key = self.commitment.as_ref().ok_or(ProveError::Commitment)?;
        if *committed.cells != assignment.committed {
            return Err(ProveError::OtherCells);
        }
        let blinding = Zeroizing::new([random_scalar(rng), random_scalar(rng)]);
        let [t] = *committed.blinding;
        Ok(self.prove_with(assignment, &blinding, Some((committed.commitment, key.eta1 * t))))
    }

    fn check(&self, assignment: &Assignment<E::Scalar>) -> Result<(), ProveError> {
        if let Some(violated) = assignment.violated {
            return Err(violated.into());
        }
        let shape = &self.shape;
        let cells = assignment.committed.len() + assignment.witness.len();
        let counts = [assignment.public.len(), cells, assignment.a.len(), assignment.b.len()];
        if counts != [shape.public, shape.cells(), shape.constraints, shape.constraints] {
            return Err(ProveError::OtherCircuit);
        }
        Ok(())
    }

    /// The proof with these blinding factors `r` and `s`, and a commitment with the multiple of eta that blinds it.
    pub(super) fn prove_with(
        &self,
        assignment: &Assignment<E::Scalar>,
        [r, s]: &[E::Scalar; 2],
        committed: Option<(Commitment<E>, Projective<E::G1>)>,
    ) -> Proof<E> {
        let z = Zeroizing::new(assignment.z());
        let witness = &z[1 + self.shape.public + self.shape.committed..];
        // P1: the quotient's values on the coset. P2: the sums, beside it.
        let ((h, l), (a, (b1, b2))) = rayon::join(
            || {
                let quotient = self.done(14, self.quotient(assignment, &z));
                (self.done(26, self.h.sum(&quotient)), self.done(16, self.l.sum(witness)))
            },
            || {
                let b = || rayon::join(|| self.done(9, self.b1.sum(&z)), || self.done(20, self.b2.sum(&z)));
                rayon::join(|| self.done(14, self.a.sum(&z)), b)
            },
        );
        let [_, _, delta2] = self.verifying.second;
        let beta2 = self.verifying.second[0];
        // P3: A and B, blinded.
        let a = a + self.verifying.alpha + self.delta1 * r;
        let b1 = b1 + self.beta1 + self.delta1 * s;
        let b2 = b2 + beta2 + delta2 * s;
        // P4: C, less what blinds the commitment.
        let mut c = h + l + a * s + b1 * r - self.delta1 * (*r * s);
        if let Some((_, blinding)) = &committed {
            c -= blinding;
        }
        let [a, c] = self.done(1, affine([a, c]));
        Proof { a, b: b2.into_affine(), c, commitment: committed.map(|(commitment, _)| commitment) }
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
