use curve::bn254::Fr;

use super::*;

/// `y = x³ + k x + 5` for public `k` and `y`; `k` is bound by `y`, and `spare`, if there is one, by nothing.
struct Cubic {
    x: u64,
    k: u64,
    y: u64,
    spare: bool,
}

impl Circuit<Fr> for Cubic {
    fn synthesize(&self, builder: &mut Builder<Fr>) {
        let x = builder.witness(|| Fr::from(self.x));
        let k = builder.public(|| Fr::from(self.k));
        let y = builder.public(|| Fr::from(self.y));
        let square = builder.multiply("square", &x, &x);
        let five = LinearCombination::constant(Fr::from(5u64));
        builder.enforce("cubic", &(&square + &k), &x, &(&y - &five));
        if self.spare {
            builder.committed(|| Fr::from(3u64));
        }
    }
}

const CUBIC: Cubic = Cubic { x: 3, k: 2, y: 38, spare: false };

#[test]
fn one_circuit_gives_matrices_and_an_assignment_that_agree() {
    let (system, assignment) = (R1cs::of(&CUBIC), Assignment::of(&CUBIC));
    assert_eq!((system.constraints(), system.public(), system.committed(), system.witness()), (2, 2, 0, 2));
    assert_eq!(assignment.z(), [1u64, 2, 38, 3, 9].map(Fr::from));
    assert_eq!((system.is_satisfied(&assignment), assignment.violated), (Ok(()), None));
    let z = assignment.z();
    for i in 0..system.constraints() {
        let [a, b, c] = system.matrices().map(|matrix| system.product(matrix, i, &z));
        assert_eq!((a, b, c), (assignment.a[i], assignment.b[i], assignment.a[i] * assignment.b[i]));
    }
}

#[test]
fn the_first_violated_constraint_is_named() {
    let wrong = Assignment::of(&Cubic { y: 39, ..CUBIC });
    let named = Unsatisfied { constraint: 1, label: "cubic" };
    assert_eq!((wrong.violated, R1cs::of(&CUBIC).is_satisfied(&wrong)), (Some(named), Err(named)));
    assert_eq!(named.to_string(), "constraint 1 (cubic) is violated");
}

/// Squares of items, all in one part or each by itself.
struct Squares {
    items: Vec<u64>,
    apart: bool,
    wrong: usize,
}

impl Circuit<Fr> for Squares {
    fn synthesize(&self, builder: &mut Builder<Fr>) {
        let factor = builder.public(|| Fr::from(7u64));
        let part = |builder: &mut Builder<Fr>, i: usize, item: &u64| {
            let x = builder.committed(|| Fr::from(*item));
            let square = builder.multiply("square", &x, &x);
            let claimed = builder.public(|| Fr::from(item * item + u64::from(i >= self.wrong)));
            builder.enforce_equal("claimed", &square, &claimed);
            builder.multiply("scaled", &square, &factor)
        };
        let parts: Vec<_> = if self.apart {
            builder.for_each(&self.items, part)
        } else {
            self.items.iter().enumerate().map(|(i, item)| part(builder, i, item)).collect()
        };
        let sum = parts.iter().fold(LinearCombination::zero(), |sum, part| &sum + part);
        builder.multiply("sum", &sum, &factor);
    }
}

/// More parts than a thread takes at once, and none; also the first of several false ones.
#[test]
fn parts_side_by_side_are_those_one_after_another() {
    for (count, wrong) in [(0, 0), (1, 1), (29, 29), (29, 9), (29, 0)] {
        let circuit = |apart| Squares { items: (5..5 + count as u64).collect(), apart, wrong };
        let [one, other] = [false, true].map(|apart| Assignment::of(&circuit(apart)));
        assert_eq!(one, other, "{count} parts, wrong from {wrong}");
        assert_eq!(one.violated.map(|it| it.constraint), (wrong < count).then_some(3 * wrong + 1));
        let [one, other] = [false, true].map(|apart| R1cs::of(&circuit(apart)));
        assert_eq!((one.digest(), one.matrices()), (other.digest(), other.matrices()));
        let repeats = Repeat { parts: 29, rows: [0, 3], cells: [[2, 1], [31, 1], [60, 2]] };
        let found = (one.repeats(), other.repeats());
        assert_eq!(found, (&[][..], if count == 29 { std::slice::from_ref(&repeats) } else { &[][..] }));
    }
}

/// Parts that differ in their numbers are none, nor are those within parts; of both kinds of loops.
#[test]
fn repeats_are_the_outermost_loops_of_parts_alike() {
    struct Loops;
    impl Circuit<Fr> for Loops {
        fn synthesize(&self, builder: &mut Builder<Fr>) {
            let mut x = builder.witness(|| Fr::from(2u64));
            builder.repeat(3, |builder, _| {
                builder.repeat(2, |builder, _| x = builder.multiply("inner", &x, &x));
            });
            builder.repeat(3, |builder, i| {
                (0..i).for_each(|_| x = builder.multiply("longer", &x, &x));
            });
            builder.repeat(2, |builder, _| x = builder.multiply("last", &x, &x));
            builder.repeat(1, |builder, _| x = builder.multiply("one", &x, &x));
            builder.repeat(5, |_, _| ());
        }
    }
    let repeat = |parts, rows, witness| Repeat { parts, rows, cells: [[1, 0], [1, 0], witness] };
    let system = R1cs::of(&Loops);
    assert_eq!(system.repeats(), [repeat(3, [0, 2], [2, 2]), repeat(2, [9, 1], [11, 1])]);
    assert_eq!(system.is_satisfied(&Assignment::of(&Loops)), Ok(()));
}

#[test]
fn free_cells_are_found() {
    let step = Fr::from(12345u64);
    assert_eq!(R1cs::of(&CUBIC).free_cells(&Assignment::of(&CUBIC), step), []);
    let spare = Cubic { spare: true, ..CUBIC };
    assert_eq!(R1cs::of(&spare).free_cells(&Assignment::of(&spare), step), [3]);
    // Nothing tells the root of a square from its negative.
    struct Square;
    impl Circuit<Fr> for Square {
        fn synthesize(&self, builder: &mut Builder<Fr>) {
            let x = builder.witness(|| Fr::from(3u64));
            let y = builder.public(|| Fr::from(9u64));
            builder.enforce("square", &x, &x, &y);
        }
    }
    assert_eq!(R1cs::of(&Square).free_cells(&Assignment::of(&Square), step), [2]);
}

#[test]
fn the_digest_is_of_the_matrices_and_not_of_values() {
    let digest = R1cs::of(&CUBIC).digest();
    assert_eq!(digest, R1cs::of(&Cubic { x: 4, k: 7, y: 1, spare: false }).digest());
    assert_ne!(digest, R1cs::of(&Cubic { spare: true, ..CUBIC }).digest());
}

#[test]
fn sums_of_terms_are_sorted_and_terms_that_cancel_go() {
    struct Sums;
    impl Circuit<Fr> for Sums {
        fn synthesize(&self, builder: &mut Builder<Fr>) {
            let [x, y] = [2u64, 5].map(|v| builder.witness(|| Fr::from(v)));
            let public = builder.public(|| Fr::from(7u64));
            let sum = &(&(&y + &x) + &public) - &(&y * Fr::from(1u64));
            builder.enforce("sum", &sum, &LinearCombination::one(), &(&public + &x));
            builder.enforce("nothing", &(&sum - &sum), &y, &LinearCombination::zero());
        }
    }
    let (system, assignment) = (R1cs::of(&Sums), Assignment::of(&Sums));
    assert_eq!(system.is_satisfied(&assignment), Ok(()));
    let columns = |i| system.row(system.matrices()[0], i).map(|entry| entry.0).collect::<Vec<_>>();
    assert_eq!((columns(0), columns(1)), (vec![1, 2], vec![]));
}
