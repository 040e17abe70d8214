//! Keys whose secrets nobody knows, as long as one contributor of each phase forgot what they chose. (notes: groth16-ceremony)
//!
//! ```text
//!   phase 1, for any circuit   [`Powers::new`]        -> contribute -> .. -> contribute -> verify
//!   phase 2, for one circuit   [`CircuitKey::new`]    -> contribute -> .. -> contribute -> verify -> finalise -> a proving key
//! ```
//! A contribution multiplies the secrets so far by new ones and proves knowledge of these (Schnorr, with a challenge from the hash of all contributions
//! before, so that none can stand at another place). Whoever verifies needs the last state of a phase alone: it has the list of contributions, and pairings
//! tell that its points are what the last contribution says. Sources: Bowe, Gabizon, Miers (2017); Kohlweiss, Maller, Siim, Volkhov (2021).
//!
//! The last contribution of a phase may be that of a [`Beacon`]. A contributor's receipt is the hash of all contributions up to theirs: whoever finds it in the list
//! of the last state knows that nothing before was left out or exchanged, themselves included.
//!
//! gamma is 1, and delta and eta are not: a key of phase 2 without contributions is refused. A contribution multiplies delta and eta by two secrets, so that one honest
//! contributor makes both unknown, and their ratio.

mod beacon;
mod circuit;
mod file;
mod knowledge;
mod powers;

use curve::msm::Curve;
use curve::pairing::PairingCurve;
use curve::{Affine, CurveGroup, PrimeField};
use zeroize::Zeroizing;

pub use beacon::Beacon;
pub use circuit::CircuitKey;
pub use file::{Extent, HEAD};
pub use powers::Powers;

/// `1, x, x^2, ...`, `count` of them. Overwritten when dropped, and never moved before.
fn powers_of<F: PrimeField>(x: F, count: usize) -> Zeroizing<Vec<F>> {
    let mut powers = Zeroizing::new(Vec::with_capacity(count));
    powers.extend(core::iter::successors(Some(F::ONE), |power| Some(*power * x)).take(count));
    powers
}

/// So many weights of 128 bits from the hash of what they weigh.
fn weights<F: PrimeField>(seed: &[u8; 32], count: usize) -> Vec<F> {
    let mut stream = blake3::Hasher::new_keyed(seed).finalize_xof();
    let weight = |_| {
        let mut bytes = [0; 16];
        stream.fill(&mut bytes);
        F::from(u128::from_le_bytes(bytes))
    };
    (0..count).map(weight).collect()
}

/// `sum w_i P_i`
fn combine<C: Curve>(points: &[Affine<C>], weights: &[C::ScalarField]) -> Affine<C> {
    curve::msm::Bases::new(points).sum(&weights[..points.len()]).into_affine()
}

/// Whether `e(a, b) = e(c, d)`.
fn equal_pairings<E: PairingCurve>([a, c]: [Affine<E::G1>; 2], [b, d]: [Affine<E::G2>; 2]) -> bool {
    E::product(&[(a, &E::prepare(&b))]) == E::product(&[(c, &E::prepare(&d))])
}
