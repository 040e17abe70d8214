//! Ring switching: claims about many small entries packed into each entry of the alphabet. (notes: ligerito-ring)
//!
//! After Diamond and Posen, "Polylogarithmic Proofs for Multilinears over Binary Towers" (eprint 2024/504).
//!
//! ```text
//!   t: entries of K, 2^κ of them packed as the K-coordinates of each entry P(x)        bytes as they are
//!
//!   ⟨t, low ⊗ high⟩ = s      s_v = Σ_x t(v,x) high(x), all v: sent, Σ_v low_v s_v = s checked
//!        │  coordinates of high(x) and of s_v over K, on the other side
//!        ▼
//!   σ_u = Σ_x P(x) high_u(x), all coordinates u of the challenge field over K
//!        │  batched by ⊗(1 - ρ, ρ)
//!        ▼
//!   Σ_x P(x) w(x) = Σ_u ρ_u σ_u        a sumcheck leaves P(r) w(r); the verifier computes w(r)
//! ```

#[cfg(feature = "prover")]
mod check;
mod coordinates;
#[cfg(feature = "prover")]
mod pack;
#[cfg(feature = "prover")]
mod prover;
mod unpack;
mod verifier;

#[cfg(feature = "prover")]
pub use check::sums_agree;
pub use coordinates::Entries;
pub(crate) use coordinates::{Batch, Coordinates};
#[cfg(feature = "prover")]
pub(crate) use pack::Switched;
#[cfg(feature = "prover")]
pub use pack::bit_sums;
#[cfg(feature = "prover")]
pub(crate) use prover::{Combine, prove};
#[cfg(test)]
pub(crate) use prover::{reduce, send_point};
pub use unpack::{unpack, unpack_bytes, unpacked};
pub(crate) use verifier::verify;
