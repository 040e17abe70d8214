//! Products of pairings: with fixed points of the second group, what KZG verifiers ask; and of any number, on any of the pairing curves.

#[cfg(feature = "prover")]
mod curves;

use alloc::vec::Vec;

use ark_ec::AffineRepr;

use crate::Invalid;
use crate::bls12_381::{G1, G2};
use crate::ffi::{Lines, product_is_one};
#[cfg(feature = "prover")]
pub use curves::{Bls12381, Bn254, PairingCurve, PreparedBls12381, PreparedBn254, ValueBls12381};

/// Two points of BLS12-381's second group, prepared.
#[derive(Clone, Debug)]
pub struct Pair {
    lines: [Lines; 2],
}

impl Pair {
    /// Prepares `q` and `s`, points of the subgroup.
    ///
    /// # Errors
    /// If one of them is the identity, for which every check would pass.
    pub fn new(q: &G2, s: &G2) -> Result<Self, Invalid> {
        if q.is_zero() || s.is_zero() {
            return Err(Invalid("a pairing with the identity says nothing"));
        }
        Ok(Self { lines: [Lines::new(q), Lines::new(s)] })
    }

    /// Whether `e(a, q) e(b, s) = 1`, for points of the subgroup. Cost: Miller's loop for two pairs, whose squarings are
    /// shared, and a final exponentiation, less than half a millisecond.
    #[must_use]
    pub fn is_one(&self, a: &G1, b: &G1) -> bool {
        let [q, s] = &self.lines;
        product_is_one(&[(a, q), (b, s)])
    }
}

/// Any number of points of BLS12-381's second group, prepared.
#[derive(Clone, Debug)]
pub struct Product {
    lines: Vec<Lines>,
}

impl Product {
    /// Prepares points of the subgroup.
    ///
    /// # Errors
    /// If one of them is the identity.
    pub fn new(points: &[G2]) -> Result<Self, Invalid> {
        if points.iter().any(G2::is_zero) {
            return Err(Invalid("a pairing with the identity says nothing"));
        }
        Ok(Self { lines: points.iter().map(Lines::new).collect() })
    }

    /// Whether the product of the pairings of these points of the first subgroup with the prepared ones is one; never for another number of
    /// points. Cost: Miller's loop with shared squarings, and one final exponentiation.
    #[must_use]
    pub fn is_one(&self, points: &[G1]) -> bool {
        let pairs: Vec<_> = points.iter().zip(&self.lines).collect();
        points.len() == self.lines.len() && product_is_one(&pairs)
    }
}
