//! Groth16: proofs of three points for rank-1 constraint systems. (notes: groth16-statement, groth16-keys)
//!
//! ```text
//!   key        alpha, beta, gamma, delta, tau: secrets that nobody may know      u_i, v_i, w_i: columns of A, B, C as polynomials at tau
//!   proof      A = alpha + sum z_i u_i + r delta      B = beta + sum z_i v_i + s delta
//!              C = (sum_witness z_i (beta u_i + alpha v_i + w_i) + h Z) / delta + s A + r B - r s delta
//!   check      e(A, B) = e(alpha, beta) e(sum_public z_i (beta u_i + alpha v_i + w_i) / gamma, gamma) e(C, delta)
//! ```
//! Source: Groth, "On the size of pairing-based non-interactive arguments" (2016), section 3.2; the constraints that bind public inputs are
//! those of Ben-Sasson et al. (2014): `z_i * 0 = 0` for the constant and every public input, so that their `u_i` are independent.
//!
//! # Committed cells
//! Of a circuit with committed cells (`r1cs::Builder::committed`) the key has one secret more, eta, and a proof one point more, the commitment, which is made
//! first: challenges that are public inputs can be drawn from it. (notes: groth16-commitment)
//!
//! ```text
//!   commitment D = sum_committed z_i (beta u_i + alpha v_i + w_i) / eta + t delta         C is without these cells, and less t eta
//!   check      e(A, B) = ... e(C, delta) e(D, eta)
//! ```
//! **Whoever verifies computes these public inputs**, by a hash of the other public inputs (or of what they are made from) and [`Proof::commitment`]. A verifier that
//! takes them from a prover has bound nothing.
//!
//! # What is assumed
//! That nobody knows the secrets of the key, and the hardness of problems on the curve: about 100 bits for BN254 and 120 for BLS12-381 by the best known
//! attacks. Nothing of this is proven, and soundness is in the algebraic or generic group model. **[`setup_local`] knows the secrets.**
//!
//! # What a proof binds
//! The statement: the key and the public inputs. Not its own bytes: whoever has a proof makes others of the same statement from it,
//! `(x A, B / x, C)` or `(A, B + y delta, C + y A)`. An application that must not see a statement twice keeps the public inputs, not proofs.
//!
//! # What is secret
//! The witness. Each proof is blinded by two scalars from the caller's generator; there is no way to leave them out. What a prover leaves
//! in memory is overwritten. **Its time depends on the witness** ([`curve::msm`]): do not prove beside somebody who can measure that.

mod bytes;
pub mod ceremony;
mod key;
mod prover;
mod setup;
#[cfg(test)]
mod tests;
mod verifier;
mod words;

use curve::pairing::PairingCurve;
use curve::{Affine, AffineRepr, PrimeField};
pub use rand_core::CryptoRng;
use zeroize::Zeroizing;

pub use curve::Invalid;
pub use key::{Provenance, ProvingKey, VerifyingKey};
pub use prover::{Committed, ProveError};
pub use setup::{ParamError, setup_local};
pub use verifier::verify_batch;
pub use words::{KeyWords, Word, word};

/// A point of the first group.
pub(crate) type G1<E> = Affine<<E as PairingCurve>::G1>;
/// A point of the second group.
pub(crate) type G2<E> = Affine<<E as PairingCurve>::G2>;

/// A proof: two points of the first group and one of the second, and the commitment if the circuit has committed cells. None is the identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof<E: PairingCurve> {
    pub(crate) a: G1<E>,
    pub(crate) b: G2<E>,
    pub(crate) c: G1<E>,
    pub(crate) commitment: Option<Commitment<E>>,
}

/// A commitment to the committed cells of a circuit: a point of the first group, not the identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commitment<E: PairingCurve>(pub(crate) G1<E>);

impl<E: PairingCurve> Proof<E> {
    /// The length of [`Self::to_bytes`] without a commitment: 128 on BN254, 192 on BLS12-381.
    pub const BYTES: usize = 2 * E::G1_BYTES + E::G2_BYTES;

    /// The length of [`Self::to_bytes`] with a commitment: 160 on BN254, 240 on BLS12-381.
    pub const COMMITTED_BYTES: usize = Self::BYTES + E::G1_BYTES;

    /// The commitment, if there is one: what challenges are drawn from.
    #[must_use]
    pub fn commitment(&self) -> Option<&Commitment<E>> {
        self.commitment.as_ref()
    }

    /// `A`, `B`, `C`, and the commitment if there is one, compressed.
    #[must_use]
    pub fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(Self::COMMITTED_BYTES);
        bytes::compress(&self.a, &mut bytes);
        bytes::compress(&self.b, &mut bytes);
        bytes::compress(&self.c, &mut bytes);
        if let Some(Commitment(point)) = &self.commitment {
            bytes::compress(point, &mut bytes);
        }
        bytes
    }

    /// The proof of some bytes. Cost: a square root for each point and a check of the subgroup.
    ///
    /// # Errors
    /// If the bytes are neither [`Self::BYTES`] nor [`Self::COMMITTED_BYTES`] many, or not the one encoding of points of the subgroups of which none is the identity.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Invalid> {
        let length = Invalid("a proof of another length");
        if bytes.len() != Self::BYTES && bytes.len() != Self::COMMITTED_BYTES {
            return Err(length);
        }
        let (a, rest) = bytes.split_at_checked(E::G1_BYTES).ok_or(length)?;
        let (b, rest) = rest.split_at_checked(E::G2_BYTES).ok_or(length)?;
        let (c, rest) = rest.split_at_checked(E::G1_BYTES).ok_or(length)?;
        let commitment = if rest.is_empty() { None } else { Some(Commitment(E::decode_g1(rest)?)) };
        let proof = Self { a: E::decode_g1(a)?, b: E::decode_g2(b)?, c: E::decode_g1(c)?, commitment };
        proof.check_not_identity()?;
        Ok(proof)
    }

    /// An honest prover makes the identity once in `2^250` proofs.
    pub(crate) fn check_not_identity(&self) -> Result<(), Invalid> {
        let commitment = self.commitment.is_some_and(|Commitment(point)| point.is_zero());
        if self.a.is_zero() || self.b.is_zero() || self.c.is_zero() || commitment {
            return Err(Invalid("a proof with the identity"));
        }
        Ok(())
    }
}

/// A uniform scalar, not 0: 512 bits modulo the order.
pub(crate) fn random_scalar<F: PrimeField>(rng: &mut impl CryptoRng) -> F {
    let mut bytes = Zeroizing::new([0; 64]);
    loop {
        rng.fill_bytes(&mut *bytes);
        let scalar = F::from_le_bytes_mod_order(&*bytes);
        if !scalar.is_zero() {
            return scalar;
        }
    }
}
