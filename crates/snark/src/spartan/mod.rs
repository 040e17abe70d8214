//! Proofs of rank-1 constraint systems over BN254's scalar field **without a setup**: Spartan over PIP_FRI. (notes: spartan)
//!
//! Source: Setty, "Spartan: Efficient and general-purpose zkSNARKs without trusted setup" (CRYPTO 2020), section 4, without its zero knowledge, and with public matrices in place of its
//! commitments to them: whoever verifies evaluates these, which for circuits of many parts alike takes about as long as for one part.
//!
//! ```text
//!  z = (1, public inputs | committed cells | witness cells)        polynomials of 2^p entries each
//!      │
//!      ▼  a commitment to the committed cells, one to the witness cells            (PIP_FRI; challenges of the circuit are drawn between)
//!  Az ∘ Bz = Cz
//!      │
//!      ▼  zero test at a random point of the rows: a degree-2 message a row variable
//!  a·b - c = left, a = (Az)(r), b = (Bz)(r), c = (Cz)(r)
//!      │
//!      ▼  sumcheck of (A + ρB + ρ²C)(r, y)·z(y) = a + ρb + ρ²c
//!  M(r, s)·z(s) = left         M(r, s) by the verifier, from the matrices
//!      │
//!      ▼  the values of all polynomials at s; one opening of both commitments
//! ```
//!
//! A proof **does not hide the witness**. Its proven bits are those of [`Scheme::report`], term by term; nothing else is assumed of the system but the hash.
//! **Challenges that a circuit draws itself** from its committed cells are no part of that report: the caller knows what they are worth, for each member of the list around the commitment.
//!
//! ```
//! use curve::bn254::Fr;
//! use pcs::iop::security::Policy;
//! use snark::r1cs::{Assignment, Builder, Circuit, R1cs};
//! use snark::spartan::{Profile, Scheme};
//!
//! /// Knowledge of a number whose square, squared so often, is a public number.
//! struct Squares(Fr, usize);
//!
//! impl Circuit<Fr> for Squares {
//!     fn synthesize(&self, builder: &mut Builder<Fr>) {
//!         let mut x = builder.witness(|| self.0);
//!         builder.repeat(self.1, |builder, _| x = builder.multiply("square", &x, &x));
//!         let result = builder.public(|| x.value());
//!         builder.enforce_equal("result", &x, &result);
//!     }
//! }
//!
//! let circuit = Squares(Fr::from(3u64), 100);
//! let scheme = Scheme::new(&R1cs::of(&circuit), &Policy::at_least(128), Profile::Fast)?;
//! let assignment = Assignment::of(&circuit);
//! let proof = scheme.prove(&assignment)?;
//! scheme.verify(&assignment.public, &proof)?;
//! assert!(scheme.verify(&[Fr::from(81u64)], &proof).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod layout;
mod prover;
mod sparse;
#[cfg(test)]
mod tests;
mod verifier;

pub use pcs::iop::error::{Invalid, ParamError};
pub use pcs::iop::security::{Policy, Report};
pub use pcs::pip::Params;
pub use pcs::pip::search::Profile;
pub use prover::Committed;
pub use verifier::Scheme;

pub use crate::groth16::ProveError;

use curve::bn254::Fr;
use pcs::field::Bn254;
use pcs::file::SchemeId;

/// Reads parameters as [`Params::encode`] writes them, exactly. Not yet validated: [`Scheme::with_params`] does that.
#[must_use]
pub fn read_params(bytes: &[u8]) -> Option<Params> {
    Params::decode(SchemeId::Pip, bytes)
}

/// An element as the commitment scheme has it.
fn element(x: &Fr) -> Bn254 {
    Bn254::from_montgomery(x.0.0).expect("one modulus")
}

/// A system with `2^32` places or more.
#[derive(Debug)]
struct TooLarge;

impl From<TooLarge> for ParamError {
    fn from(TooLarge: TooLarge) -> Self {
        Self::OutOfRange("a system of 2^32 rows or columns, or more".into())
    }
}
