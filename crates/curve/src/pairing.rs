//! Products of two pairings, where the points of the second group are fixed: what a KZG verifier asks.

use ark_ec::AffineRepr;

use crate::Invalid;
use crate::bls12_381::{G1, G2};
use crate::ffi::{Lines, product_is_one};

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
