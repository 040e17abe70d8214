//! Rank-1 constraint systems: circuits, gadgets, and what proof systems need of them.
//!
//! | module | what |
//! |---|---|
//! | [`groth16`] | proofs of three points, over BN254 or BLS12-381, with a trusted setup |
//! | [`spartan`] | proofs without a setup, of proven security, over BN254's scalar field: longer, and they do not hide |
//! | [`r1cs`] | the builder of circuits, the matrices, assignments, the audit of free cells |
//! | [`poseidon`] | the hash function Poseidon over BN254, and in circuits |
//! | [`gadgets`] | booleans, ranges, points of Grumpkin |
//! | [`schnorr`] | signatures over Grumpkin: their challenges, and their verification in circuits |
//!
//! A circuit is a type that implements [`r1cs::Circuit`]: one function that allocates cells and enforces constraints. It runs twice, for
//! the matrices ([`r1cs::R1cs::of`]) and for the values ([`r1cs::Assignment::of`]), so that the two cannot differ.
//!
//! ```
//! use curve::bn254::Fr;
//! use snark::r1cs::{Assignment, Builder, Circuit, R1cs};
//!
//! /// Knowledge of a cube root of a public number.
//! struct CubeRoot(Fr);
//!
//! impl Circuit<Fr> for CubeRoot {
//!     fn synthesize(&self, builder: &mut Builder<Fr>) {
//!         let root = builder.witness(|| self.0);
//!         let square = builder.multiply("square", &root, &root);
//!         let cube = builder.public(|| self.0 * self.0 * self.0);
//!         builder.enforce("cube", &square, &root, &cube);
//!     }
//! }
//!
//! let circuit = CubeRoot(Fr::from(3u64));
//! let (system, assignment) = (R1cs::of(&circuit), Assignment::of(&circuit));
//! assert_eq!(assignment.public, [Fr::from(27u64)]);
//! assert!(system.is_satisfied(&assignment).is_ok());
//! ```
#![forbid(unsafe_code)]

pub mod gadgets;
pub mod groth16;
pub mod poseidon;
pub mod r1cs;
pub mod schnorr;
pub mod spartan;
#[cfg(test)]
mod testing;
