//! Deviations of malicious provers in tests: each is honest but for one, and consistent with its own transcript afterwards. And constraints that both sides
//! forgive, which shows that a witness breaks no other one. Compiled for tests only.

use core::cell::Cell;

use curve::bls12_381::{Fr, G1};
use curve::{AffineRepr, CurveGroup, One, Zero};

/// One deviation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deviation {
    /// The quotient that is committed to is off by a constant.
    Quotient,
    /// The value of this column at `zeta` is off by one.
    Value(usize),
    /// The value of the linear part at `zeta w` is off by one.
    Shifted,
    /// The opening at `zeta` is another point.
    Opening,
    /// The opening at `zeta w` is another point.
    ShiftedOpening,
    /// The combination leaves out this constraint, on both sides.
    Forgiven(usize),
}

thread_local! {
    static CHOSEN: Cell<Option<Deviation>> = const { Cell::new(None) };
    static ANYWHERE: Cell<bool> = const { Cell::new(false) };
}

/// Whether the verifier takes a blinded key outside of the subgroup.
pub(crate) fn anywhere() -> bool {
    ANYWHERE.get()
}

/// Runs `f` with a verifier that takes a blinded key outside of the subgroup: many deviations end there, and are to be refused for themselves.
pub(crate) fn ending_anywhere<T>(f: impl FnOnce() -> T) -> T {
    ANYWHERE.set(true);
    let value = f();
    ANYWHERE.set(false);
    value
}

/// 1 if the prover deviates so, 0 if not.
pub(crate) fn deviates(deviation: Deviation) -> Fr {
    if CHOSEN.get() == Some(deviation) { Fr::one() } else { Fr::zero() }
}

/// A point, or another one if the prover deviates so.
pub(crate) fn moved(deviation: Deviation, point: G1) -> G1 {
    (point + G1::generator() * deviates(deviation)).into_affine()
}

/// The factors of the constraints, without the one that is forgiven.
pub(crate) fn forgive(mut alphas: [Fr; 7]) -> [Fr; 7] {
    for (i, alpha) in alphas.iter_mut().enumerate() {
        *alpha *= Fr::one() - deviates(Deviation::Forgiven(i));
    }
    alphas
}

/// Runs `f` with the deviation.
pub(crate) fn with_deviation<T>(deviation: Deviation, f: impl FnOnce() -> T) -> T {
    CHOSEN.set(Some(deviation));
    let value = f();
    CHOSEN.set(None);
    value
}
