//! Virgo and DeVirgo: a univariate sumcheck over a subgroup, one test of low degree, and the weights' polynomial delegated to the
//! prover. (notes: virgo)
//!
//! After Zhang, Xie, Zhang, Song, "Transparent Polynomial Delegation and Its Applications to Zero Knowledge Proof" (IEEE S&P 2020,
//! eprint 2019/1482), section 3; and for several machines Xie, Zhang, Cheng, Zhang, Zhang, Jia, Boneh, Song, "zkBridge" (CCS 2022). On the
//! same fields, hash, code and proven bits as the other schemes: a baseline that they are measured against, and no scheme of files.
//! What departs from the papers: (notes: virgo-here)
//!
//! ```text
//!  subgroup of R elements            coset, R/ρ positions
//!  +-----------------+   through   +--------------------+
//!  | f_1 .. f_n: the | ----------> | f_1(x) .. f_n(x)   |  root         one leaf = the rows of x and -x
//!  | entries, by rows|             +--------------------+
//!  | q: the weights  |             | h_1(x) .. h_n(x)   |  root         f_k q = s_k/R + X p_k + (X^R - 1) h_k
//!  +-----------------+             +--------------------+
//!       s_k = Σ f_k q                     | a random combination of all f_k, h_k, p_k, X p_k: folded down to a constant
//! ```
//! The value of fragment `k` is the sum of `f_k q` over the subgroup, `R` times the constant of the remainder of `f_k q` by `X^R - 1`. So
//! `s_k` is right if `p_k`, which follows from `f_k`, `h_k` and `q` at each position, has degree below `R - 1`. The verifier needs `q` at
//! the opened positions; the prover sends these values and proves them by sumchecks (`delegation`).

mod delegation;
mod params;
#[cfg(feature = "prover")]
mod prover;
mod security;
#[cfg(feature = "prover")]
mod share;
mod size;
mod verifier;
#[cfg(feature = "prover")]
mod weights;
mod words;

#[cfg(test)]
mod tests;

pub use crate::baseline::Target;
pub use crate::matrix::Commitment;
pub use params::Virgo;
#[cfg(feature = "prover")]
pub use prover::{CommittedFragments, Witness};
#[cfg(feature = "prover")]
pub use share::{Quotients, Share};
#[cfg(feature = "prover")]
pub use weights::RowWeights;
pub use words::{OutsidePoint, WordWeights};

/// Parameters of Virgo.
pub type Params = crate::baseline::Params<Virgo>;
/// Validated parameters of Virgo.
pub type Scheme<B, E> = crate::baseline::Scheme<Virgo, B, E>;
/// A prover of Virgo.
#[cfg(feature = "prover")]
pub type Prover<'a, B, E> = crate::baseline::Prover<'a, Virgo, B, E>;
