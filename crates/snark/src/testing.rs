//! Circuits of the tests.

use curve::bn254::Fr;
use curve::grumpkin::{Fr as Scalar, Point as Affine};
use curve::{CurveGroup, PrimeField};

use crate::gadgets::points::Point;
use crate::r1cs::{Assignment, Builder, Circuit, R1cs, Unsatisfied};

/// A circuit that is a closure.
pub(crate) struct Circuits<T>(pub T);

impl<F: PrimeField, T: Fn(&mut Builder<F>)> Circuit<F> for Circuits<T> {
    fn synthesize(&self, builder: &mut Builder<F>) {
        (self.0)(builder);
    }
}

/// The number of constraints if the circuit is satisfied and has no free cell.
///
/// # Panics
/// If a cell is free, or if builder and matrices disagree.
pub(crate) fn audited(circuit: impl Fn(&mut Builder<Fr>)) -> Result<usize, Unsatisfied> {
    let circuit = Circuits(circuit);
    let (system, assignment) = (R1cs::of(&circuit), Assignment::of(&circuit));
    let verdict = system.is_satisfied(&assignment);
    assert_eq!(assignment.violated, verdict.err(), "builder and matrices disagree");
    verdict?;
    assert_eq!(system.free_cells(&assignment, Fr::from(0x1234_5678u64)), [], "free cells");
    Ok(system.constraints())
}

/// The label of the constraint that stops a circuit.
pub(crate) fn stopped_by(circuit: impl Fn(&mut Builder<Fr>)) -> &'static str {
    audited(circuit).expect_err("the circuit is satisfied").label
}

/// Enforces that a point is a public one: two constraints.
pub(crate) fn publish(builder: &mut Builder<Fr>, point: &Point, value: &Affine) {
    let (x, y) = (builder.public(|| value.x), builder.public(|| value.y));
    builder.enforce_equal("public x", &point.x, &x);
    builder.enforce_equal("public y", &point.y, &y);
}

/// A point in two cells.
pub(crate) fn allocate(builder: &mut Builder<Fr>, value: &Affine) -> Point {
    Point { x: builder.witness(|| value.x), y: builder.witness(|| value.y) }
}

/// Scalars that a seed determines.
pub(crate) fn scalars(seed: u64) -> impl Iterator<Item = Scalar> {
    (0u64..).map(move |i| {
        let mut hash = blake3::Hasher::new();
        hash.update(&seed.to_le_bytes()).update(&i.to_le_bytes());
        Scalar::from_le_bytes_mod_order(hash.finalize().as_bytes())
    })
}

pub(crate) fn affine(p: impl CurveGroup<Affine = Affine>) -> Affine {
    assert!(!p.is_zero(), "the identity has no coordinates");
    p.into_affine()
}
