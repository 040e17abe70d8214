//! Multilinear KZG over fragments: Papamanthou, Shi and Tamassia's commitment (TCC 2013) over BLS12-381, with a setup as long as one fragment.
//!
//! ```text
//!   polynomial   2^(k+n) values, cut into m = 2^k fragments f_c of n variables: the low bits of an index are c
//!   commitment   C_c = f_c(tau) G1 for every fragment                             m points, a setup of 2^n
//!   form         weights w_c of the fragments, and a point u:  g = sum w_c f_c,  value g(u)
//!   opening      D_i, commitments to the quotients: g - g(u) = sum_i (X_i - u_i) q_i
//!   check        e(sum w_c C_c + sum u_i D_i - g(u) G1, G2) = prod_i e(D_i, tau_i G2)
//! ```
//! This is what the PIP_FRI paper ("Shred-to-Shine", USENIX Security 2026) says of pairings in its abstract: a setup shorter by the number of
//! fragments and an opening about one of them. With `k = 0` it is plain multilinear KZG.
//!
//! ```
//! use pcs::iop::{poly::TensorForm, security::Policy};
//! use pcs::kzg::multilinear::{Key, MultilinearSrs, Params, Prover, Scalar, Scheme};
//! use pcs::{field::Field, scheme::MultilinearPcs};
//!
//! // Four fragments of eight entries. Whoever makes a setup like this one can forge: use a ceremony's file.
//! let tau = [3, 5, 7].map(|t| Scalar::from_u64(t).0);
//! let srs = MultilinearSrs::insecure_from_point(&tau);
//! let params = Params { key: Key::new(&srs).unwrap(), log_fragments: 2, polynomials: 1, max_forms: 1 };
//! let scheme = Scheme::new(params, &Policy::at_least(0)).unwrap();
//! let prover = Prover::new(&scheme, &srs).unwrap();
//! let witness = prover.commit(&[(0..32).map(Scalar::from_u64).collect()]).unwrap();
//! let (claims, proof) = prover.open(&witness, vec![TensorForm::index(9, 5)], b"an example");
//! assert_eq!((claims.values[0][0], proof.len()), (Scalar::from_u64(9), 3 * 48 + 16));
//! scheme.verify(witness.commitment(), &claims, &proof).unwrap();
//! ```
//! What was said of [KZG](super) holds here too: the security is assumed and no bits are proven, and it does not hide. A form with
//! a factor `(a, -a)` in a variable of the fragments is no multiple of an evaluation and is refused.
//!
//! (notes: kzg-shred, kzg-shred-security)

mod params;
mod prover;
mod scalar;
#[cfg(test)]
mod tests;
mod verifier;

pub use curve::srs::MultilinearSrs;
pub use params::{Commitment, Key, MAX_LOG_FRAGMENTS, Params};
pub use prover::{HeldFragments, Prover, Witness, add_multiple, divide_lowest, open_held};
pub use scalar::Scalar;
pub use verifier::Scheme;
