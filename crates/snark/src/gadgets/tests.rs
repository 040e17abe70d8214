use curve::bn254::Fr;
use curve::grumpkin::{Fr as Scalar, Point as Affine};
use curve::{AdditiveGroup, AffineRepr, BigInteger, Field, PrimeField};

use super::boolean::*;
use super::memory::{Access, Memory, factor};
use super::points::*;
use crate::r1cs::{Assignment, Builder, LinearCombination};
use crate::testing::{Circuits, affine, allocate, audited, publish, scalars, stopped_by};

type Lc = LinearCombination<Fr>;

fn public(builder: &mut Builder<Fr>, label: &'static str, lc: &Lc, value: u64) {
    let cell = builder.public(|| Fr::from(value));
    builder.enforce_equal(label, lc, &cell);
}

#[test]
fn booleans_are_0_and_1() {
    let circuit = |x: Fr| {
        move |builder: &mut Builder<Fr>| {
            let cell = builder.public(|| x);
            enforce_boolean(builder, "bit", &cell);
        }
    };
    let satisfied = |x: Fr| Assignment::of(&Circuits(circuit(x))).violated.is_none();
    assert!(satisfied(Fr::ZERO) && satisfied(Fr::ONE));
    let half = Fr::from(2u64).inverse().unwrap();
    for x in [Fr::from(2u64), -Fr::ONE, half] {
        assert_eq!(stopped_by(circuit(x)), "bit", "{x}");
    }
}

#[test]
fn numbers_are_in_their_range() {
    let circuit = |x: Fr| {
        move |builder: &mut Builder<Fr>| {
            let cell = builder.public(|| x);
            enforce_range(builder, "range", &cell, 8);
        }
    };
    for x in [0u64, 1, 127, 128, 254, 255] {
        assert_eq!(audited(circuit(Fr::from(x))), Ok(8), "{x}");
    }
    let half = Fr::from(2u64).inverse().unwrap();
    for x in [Fr::from(256u64), Fr::from(257u64), Fr::from(1u64 << 40), -Fr::ONE, half, -half] {
        assert_eq!(stopped_by(circuit(x)), "range", "{x}");
    }
    let number = |x: u64| {
        move |builder: &mut Builder<Fr>| {
            let (number, bits) = number(builder, "number", 8, || Fr::from(x));
            assert_eq!(bits.len(), 8);
            public(builder, "value", &number, x & 0xff);
        }
    };
    assert_eq!((audited(number(0)), audited(number(0xa5)), audited(number(0x1a5))), (Ok(9), Ok(9), Ok(9)));
}

#[test]
fn choices_and_tests_for_zero() {
    let chosen = |bit: bool, value: u64| {
        move |builder: &mut Builder<Fr>| {
            let bit = boolean(builder, "bit", || bit);
            let [yes, no] = [7u64, 9].map(|x| builder.public(|| Fr::from(x)));
            let choice = select(builder, "choice", &bit, [&yes, &no]);
            public(builder, "value", &choice, value);
        }
    };
    assert_eq!((audited(chosen(true, 7)), audited(chosen(false, 9))), (Ok(3), Ok(3)));
    assert_eq!(stopped_by(chosen(true, 9)), "value");
    let zero = |x: u64, value: u64| {
        move |builder: &mut Builder<Fr>| {
            let x = builder.public(|| Fr::from(x));
            let zero = is_zero(builder, "zero", &x);
            public(builder, "value", &zero, value);
        }
    };
    assert_eq!((audited(zero(0, 1)), audited(zero(5, 0))), (Ok(4), Ok(4)));
    assert_eq!((stopped_by(zero(0, 0)), stopped_by(zero(5, 1))), ("value", "value"));
    let nonzero = |x: u64| {
        move |builder: &mut Builder<Fr>| {
            let x = builder.public(|| Fr::from(x));
            enforce_nonzero(builder, "nonzero", &x);
        }
    };
    assert_eq!(stopped_by(nonzero(0)), "nonzero");
}

#[test]
fn additions_are_those_of_the_curve() {
    let [p, q] = [3u64, 5].map(|k| affine(Affine::generator() * Scalar::from(k)));
    let sums = [affine(p + q), affine(p + p + q)];
    let circuit = |sums: [Affine; 2]| {
        move |builder: &mut Builder<Fr>| {
            let (p, q) = (Point::constant(&p), allocate(builder, &q));
            enforce_on_curve(builder, &q);
            distinct(builder, "distinct", &p, &q);
            let sum = add(builder, &p, &q);
            publish(builder, &sum, &sums[0]);
            let sum = double_and_add(builder, &p, &q.negate().negate());
            publish(builder, &sum, &sums[1]);
        }
    };
    assert_eq!(audited(circuit(sums)), Ok(3 + 1 + 3 + 5 + 4));
    assert_eq!(stopped_by(circuit([sums[1], sums[0]])), "public x");
    let off = |builder: &mut Builder<Fr>| {
        let point = Point { x: builder.public(|| p.x), y: builder.public(|| q.y) };
        enforce_on_curve(builder, &point);
    };
    assert_eq!(stopped_by(off), "point: on the curve");
    let same = |builder: &mut Builder<Fr>| {
        let cells = allocate(builder, &p);
        distinct(builder, "distinct", &Point::constant(&p), &cells);
    };
    assert_eq!(stopped_by(same), "distinct");
}

fn multiple(scalar: Scalar) -> impl Fn(&mut Builder<Fr>) {
    move |builder: &mut Builder<Fr>| {
        let point = multiply_generator(builder, || scalar);
        let value =
            if scalar == Scalar::ZERO { Affine::generator() } else { affine(Affine::generator() * scalar) };
        publish(builder, &point, &value);
    }
}

#[test]
fn multiples_of_the_generator() {
    let top = Scalar::from(2u64).pow([252u64]);
    let half = Scalar::from(2u64).inverse().unwrap();
    let named = [
        Scalar::ONE,
        -Scalar::ONE,
        half,
        -half,
        top,
        -top,
        top * Scalar::from(3u64),
        -top * Scalar::from(3u64),
    ];
    for scalar in named.into_iter().chain(scalars(1).take(3)) {
        assert_eq!(audited(multiple(scalar)), Ok(676 + 2), "{scalar}");
    }
    assert_eq!(stopped_by(multiple(Scalar::ZERO)), "fixed base: last addition");
}

/// Of the digits of `-3 · 2²⁵²` below the order the last addition is one of equal points: there any slope would satisfy the addition, and the
/// sum would be any point.
#[test]
fn digits_that_meet_equal_points_are_stopped_by_the_check_alone() {
    let order = Scalar::MODULUS;
    let mut number = order;
    number.div2();
    let mut top = <Scalar as PrimeField>::BigInt::from(1u64);
    top <<= 252;
    number.sub_with_borrow(&top);
    let digits = digits_of(&number);
    // The first 84 digits have the sum of the last: `n - 3 · 2^252 = -3 · 2^252` modulo the order.
    assert_eq!(digits[WINDOWS], -3);
    let label = stopped_by(|builder| {
        multiply_generator_by(builder, || digits.clone());
    });
    assert_eq!(label, "fixed base: last addition");
}

/// A memory of cells with a name and a value. Accesses: name, value found, what is added, time found.
#[derive(Clone)]
struct Accesses {
    list: Vec<(u64, u64, u64, u64)>,
    before: Vec<(u64, u64)>,
    after: Vec<(u64, u64, u64)>,
}

const CHALLENGES: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9];

impl Accesses {
    fn honest() -> Self {
        Self {
            list: vec![(7, 10, 5, 0), (9, 20, 1, 0), (7, 15, 3, 1), (7, 18, 0, 3)],
            before: vec![(7, 10), (9, 20)],
            after: vec![(7, 18, 4), (9, 21, 2)],
        }
    }

    fn factor((name, value, time): (u64, u64, u64)) -> Fr {
        factor(CHALLENGES.map(Fr::from), &[name, value].map(Fr::from), Fr::from(time))
    }

    fn ends(&self) -> [Fr; 2] {
        let before = self.before.iter().map(|&(name, value)| Self::factor((name, value, 0))).product();
        [before, self.after.iter().map(|&cell| Self::factor(cell)).product()]
    }

    /// Are the multisets equal, whatever the times?
    fn balanced(&self) -> bool {
        let [mut put, mut taken] = self.ends();
        for (&(name, value, change, time), now) in self.list.iter().zip(1..) {
            taken *= Self::factor((name, value, time));
            put *= Self::factor((name, value + change, now));
        }
        put == taken
    }

    fn circuit(&self) -> impl Fn(&mut Builder<Fr>) {
        |builder: &mut Builder<Fr>| {
            let [alpha, gamma] = CHALLENGES.map(|x| builder.public(|| Fr::from(x)));
            let ends = self.ends().map(|product| builder.public(|| product));
            let mut memory = Memory::new(builder, [&alpha, &gamma], ends, 2);
            for (&(name, value, change, found), time) in self.list.iter().zip(1..) {
                let lanes = [name, value].map(|x| builder.witness(|| Fr::from(x)));
                let change = builder.witness(|| Fr::from(change));
                let access = Access { lanes: &lanes, changes: &[(1, &change)], time };
                let (_, factors) = memory.access(builder, access, 2, || Fr::from(found));
                memory.multiply(builder, &factors);
            }
            memory.finish(builder);
        }
    }
}

#[test]
fn a_memory_returns_what_was_written_last() {
    let honest = Accesses::honest();
    assert!(honest.balanced());
    assert_eq!(audited(honest.circuit()), Ok(1 + 4 * (3 + 2 + 2) + 1));
    let mut stale = honest.clone();
    stale.list[2] = (7, 10, 3, 0);
    let mut other_cell = honest.clone();
    other_cell.list[2] = (9, 21, 3, 2);
    let mut unknown = honest.clone();
    unknown.list[1] = (8, 20, 1, 0);
    let mut forgotten = honest.clone();
    forgotten.after[0] = (7, 15, 1);
    let mut made_up = honest.clone();
    made_up.list[3] = (7, 19, 0, 3);
    for wrong in [stale, other_cell, unknown, forgotten, made_up] {
        assert_eq!(stopped_by(wrong.circuit()), "memory: products", "{:?}", wrong.list);
    }
}

/// The first access finds what the third one puts, and the third what was there before. The multisets are equal; only the order of times is wrong.
#[test]
fn an_access_does_not_find_what_is_written_later() {
    let list = vec![(7, 13, 5, 3), (9, 20, 1, 0), (7, 10, 3, 0), (7, 18, 0, 1)];
    let wrong = Accesses { list, ..Accesses::honest() };
    assert!(wrong.balanced());
    assert_eq!(stopped_by(wrong.circuit()), "memory: products");
    // A cell that nobody had before, in a circle of one access that finds what it puts itself.
    let mut list = Accesses::honest().list;
    list.push((5, 77, 0, 5));
    let circle = Accesses { list, ..Accesses::honest() };
    assert!(circle.balanced());
    assert_eq!(stopped_by(circle.circuit()), "memory: products");
}

/// The honest accesses, in a circuit that knows the cells itself, and two that may be there.
fn known_cells(after: [u64; 2], spare: [(u64, bool); 2]) -> impl Fn(&mut Builder<Fr>) {
    move |builder: &mut Builder<Fr>| {
        let [alpha, gamma] = CHALLENGES.map(|x| builder.public(|| Fr::from(x)));
        let ends = [Lc::one(), Lc::one()];
        let mut memory = Memory::new(builder, [&alpha, &gamma], ends, 2);
        let cell = |builder: &mut Builder<Fr>, memory: &Memory<Fr>, name: u64, value: u64, time: u64| {
            let value = builder.public(|| Fr::from(value));
            let name = memory.lane(builder, 0, &Lc::constant(Fr::from(name)));
            let sum = &name + &memory.lane(builder, 1, &value);
            &sum + &Lc::constant(Fr::from(time))
        };
        for (name, before, after, time) in [(7, 10, after[0], 4), (9, 20, after[1], 2)] {
            let ends = [cell(builder, &memory, name, before, 0), cell(builder, &memory, name, after, time)];
            memory.include(builder, [&ends[0], &ends[1]], &Lc::one());
        }
        for (name, (change, present)) in [30, 31].into_iter().zip(spare) {
            let present = builder.public(|| Fr::from(present));
            let ends = [cell(builder, &memory, name, 5, 0), cell(builder, &memory, name, 5 + change, 0)];
            memory.include(builder, [&ends[0], &ends[1]], &present);
        }
        for (&(name, value, change, found), time) in Accesses::honest().list.iter().zip(1..) {
            let lanes = [name, value].map(|x| builder.witness(|| Fr::from(x)));
            let change = builder.witness(|| Fr::from(change));
            let access = Access { lanes: &lanes, changes: &[(1, &change)], time };
            let (_, factors) = memory.access(builder, access, 2, || Fr::from(found));
            memory.multiply(builder, &factors);
        }
        memory.finish(builder);
    }
}

/// A cell that is not there may say anything; one that is there stays as it is if nothing accesses it.
#[test]
fn a_memory_of_known_cells_is_that_of_their_products() {
    let accesses = 1 + 4 * (3 + 2 + 2) + 1;
    for spare in [[(0, true), (1, false)], [(0, false), (0, true)]] {
        assert_eq!(audited(known_cells([18, 21], spare)), Ok(accesses + 4 * 2 + 4 * 2 + 2 * 2));
    }
    let absent = [(0, false); 2];
    let products = "memory: products";
    assert_eq!(stopped_by(known_cells([17, 21], absent)), products);
    assert_eq!(stopped_by(known_cells([21, 18], absent)), products);
    assert_eq!(stopped_by(known_cells([18, 21], [(1, true), (0, false)])), products);
}
