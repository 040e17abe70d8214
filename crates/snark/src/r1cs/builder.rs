//! What circuits are written against.

use std::collections::HashMap;

use curve::PrimeField;
use rayon::prelude::*;

use super::linear::{LinearCombination, Variable};
use super::matrix::{R1cs, Repeat, Rows, Unsatisfied};

/// The items that a thread synthesizes at once.
const PARTS: usize = 8;

/// A circuit: one function that makes the matrices and the assignment.
///
/// # Laws
/// Which cells are allocated and which constraints are enforced depends on the shape of `self` (its lengths) alone, never on values.
pub trait Circuit<F: PrimeField> {
    /// Allocates the cells and enforces the constraints.
    fn synthesize(&self, builder: &mut Builder<F>);
}

/// Allocates cells and enforces constraints, for the matrices or for an assignment.
///
/// Closures that compute the values of cells run only while an assignment is made.
#[derive(Debug)]
pub struct Builder<F> {
    mode: Mode<F>,
}

#[derive(Debug)]
enum Mode<F> {
    Shape(Shape<F>),
    Assign(Assignment<F>),
}

#[derive(Debug)]
struct Shape<F> {
    counts: [u32; 3],
    a: Rows,
    b: Rows,
    c: Rows,
    labels: Vec<&'static str>,
    values: Vec<F>,
    numbers: HashMap<F, u32>,
    repeats: Vec<Repeat>,
    /// Within a part: what is within parts of parts is no repeat of its own.
    inside: bool,
}

/// The values of the cells of a circuit, and what the first two matrices make of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment<F> {
    /// The public inputs.
    pub public: Vec<F>,
    /// The committed cells.
    pub committed: Vec<F>,
    /// The witness cells.
    pub witness: Vec<F>,
    /// `A z`, one entry for each constraint.
    pub a: Vec<F>,
    /// `B z`, one entry for each constraint. If the assignment satisfies the system, `C z` is the product of the two entry by entry.
    pub b: Vec<F>,
    /// The first constraint that the values violate.
    pub violated: Option<Unsatisfied>,
}

impl<F: PrimeField> Assignment<F> {
    /// The assignment of a circuit. Time is linear in the number of constraints.
    #[must_use]
    pub fn of(circuit: &impl Circuit<F>) -> Self {
        let mut builder = Builder { mode: Mode::Assign(Self::empty()) };
        circuit.synthesize(&mut builder);
        match builder.mode {
            Mode::Assign(assignment) => assignment,
            Mode::Shape(_) => unreachable!("a builder keeps its mode"),
        }
    }

    /// Appends what a part of the circuit assigned.
    fn append(&mut self, part: Self) {
        let before = self.a.len();
        let violated = part.violated.map(|it| Unsatisfied { constraint: before + it.constraint, ..it });
        self.violated = self.violated.or(violated);
        let lists = [&mut self.public, &mut self.committed, &mut self.witness, &mut self.a, &mut self.b];
        for (list, more) in lists.into_iter().zip([part.public, part.committed, part.witness, part.a, part.b])
        {
            list.extend(more);
        }
    }

    fn empty() -> Self {
        Self { public: vec![], committed: vec![], witness: vec![], a: vec![], b: vec![], violated: None }
    }

    /// The vector `z = (1, public inputs, committed cells, witness cells)`.
    #[must_use]
    pub fn z(&self) -> Vec<F> {
        let cells = self.public.iter().chain(&self.committed).chain(&self.witness);
        core::iter::once(&F::ONE).chain(cells).copied().collect()
    }
}

impl<F: PrimeField> R1cs<F> {
    /// The matrices of a circuit, whose values do not matter.
    ///
    /// # Panics
    /// If a matrix has 2³² entries.
    #[must_use]
    pub fn of(circuit: &impl Circuit<F>) -> Self {
        let shape = Shape {
            counts: [0; 3],
            a: Rows::default(),
            b: Rows::default(),
            c: Rows::default(),
            labels: vec![],
            values: vec![],
            numbers: HashMap::new(),
            repeats: vec![],
            inside: false,
        };
        let mut builder = Builder { mode: Mode::Shape(shape) };
        circuit.synthesize(&mut builder);
        let Mode::Shape(shape) = builder.mode else { unreachable!("a builder keeps its mode") };
        let rows = [shape.a, shape.b, shape.c];
        Self::from_rows(shape.counts, rows, shape.values, shape.labels).with_repeats(shape.repeats)
    }
}

impl<F: PrimeField> Builder<F> {
    /// Allocates a public input.
    pub fn public(&mut self, value: impl FnOnce() -> F) -> LinearCombination<F> {
        self.allocate(0, value)
    }

    /// Allocates a committed cell.
    pub fn committed(&mut self, value: impl FnOnce() -> F) -> LinearCombination<F> {
        self.allocate(1, value)
    }

    /// Allocates a witness cell.
    pub fn witness(&mut self, value: impl FnOnce() -> F) -> LinearCombination<F> {
        self.allocate(2, value)
    }

    fn allocate(&mut self, kind: usize, value: impl FnOnce() -> F) -> LinearCombination<F> {
        match &mut self.mode {
            Mode::Shape(shape) => {
                let number = shape.counts[kind];
                shape.counts[kind] = number.checked_add(1).expect("more than 2^32 cells");
                let variable = [Variable::Public, Variable::Committed, Variable::Witness][kind](number);
                LinearCombination { offset: F::ZERO, terms: vec![(variable, F::ONE)], constant: false }
            }
            Mode::Assign(assignment) => {
                let value = value();
                [&mut assignment.public, &mut assignment.committed, &mut assignment.witness][kind]
                    .push(value);
                LinearCombination { offset: value, terms: vec![], constant: false }
            }
        }
    }

    /// Enforces `a · b = c`. The label names the constraint in errors.
    pub fn enforce(
        &mut self,
        label: &'static str,
        a: &LinearCombination<F>,
        b: &LinearCombination<F>,
        c: &LinearCombination<F>,
    ) {
        match &mut self.mode {
            Mode::Shape(shape) => shape.push(label, [a, b, c]),
            Mode::Assign(assignment) => {
                if a.offset * b.offset != c.offset && assignment.violated.is_none() {
                    assignment.violated = Some(Unsatisfied { constraint: assignment.a.len(), label });
                }
                assignment.a.push(a.offset);
                assignment.b.push(b.offset);
            }
        }
    }

    /// Synthesizes a part of the circuit for each of the items, as one after another; while an assignment is made, several at the same time.
    ///
    /// Cells and constraints are in the order of the items. Returns what each part returns.
    pub fn for_each<T: Sync, R: Send>(
        &mut self,
        items: &[T],
        part: impl Fn(&mut Self, usize, &T) -> R + Sync,
    ) -> Vec<R> {
        let Mode::Assign(all) = &mut self.mode else {
            return self.repeat(items.len(), |builder, i| part(builder, i, &items[i]));
        };
        let chunk = |(at, items): (usize, &[T])| {
            let mut builder = Self { mode: Mode::Assign(Assignment::empty()) };
            let parts = items.iter().zip(at * PARTS..);
            let results: Vec<R> = parts.map(|(item, i)| part(&mut builder, i, item)).collect();
            (builder, results)
        };
        let chunks: Vec<_> = items.par_chunks(PARTS).enumerate().map(chunk).collect();
        let mut all_results = Vec::with_capacity(items.len());
        for (builder, results) in chunks {
            if let Mode::Assign(assignment) = builder.mode {
                all.append(assignment);
            }
            all_results.extend(results);
        }
        all_results
    }

    /// Synthesizes so many parts, one after another, of which each may need those before: as a loop does. Returns what each part returns.
    ///
    /// Parts of the same numbers of cells and constraints, here and in [`Builder::for_each`], are remembered as [repeats](R1cs::repeats).
    pub fn repeat<R>(&mut self, parts: usize, mut part: impl FnMut(&mut Self, usize) -> R) -> Vec<R> {
        let outer = match &mut self.mode {
            Mode::Shape(shape) if !shape.inside && parts > 1 => {
                shape.inside = true;
                Some(shape.sizes())
            }
            _ => None,
        };
        let mut sizes = vec![];
        let results = (0..parts).map(|i| {
            let result = part(self, i);
            if let (Some(_), Mode::Shape(shape)) = (outer, &self.mode) {
                sizes.push(shape.sizes());
            }
            result
        });
        let results = results.collect();
        if let (Some(start), Mode::Shape(shape)) = (outer, &mut self.mode) {
            shape.inside = false;
            shape.repeats.extend(Repeat::of(start, &sizes));
        }
        results
    }

    /// Enforces `a = b`: one constraint.
    pub fn enforce_equal(&mut self, label: &'static str, a: &LinearCombination<F>, b: &LinearCombination<F>) {
        self.enforce(label, &(a - b), &LinearCombination::one(), &LinearCombination::zero());
    }

    /// A new cell that is `a · b`: one constraint.
    pub fn multiply(
        &mut self,
        label: &'static str,
        a: &LinearCombination<F>,
        b: &LinearCombination<F>,
    ) -> LinearCombination<F> {
        let product = self.witness(|| a.value() * b.value());
        self.enforce(label, a, b, &product);
        product
    }
}

impl<F: PrimeField> Shape<F> {
    /// The numbers of rows and of cells of each kind so far.
    fn sizes(&self) -> [usize; 4] {
        let [public, committed, witness] = self.counts.map(|count| count as usize);
        [self.labels.len(), public, committed, witness]
    }

    fn push(&mut self, label: &'static str, sides: [&LinearCombination<F>; 3]) {
        self.labels.push(label);
        let Self { a, b, c, values, numbers, .. } = self;
        for (rows, side) in [a, b, c].into_iter().zip(sides) {
            let mut number = |x: F| {
                *numbers.entry(x).or_insert_with(|| {
                    values.push(x);
                    u32::try_from(values.len() - 1).expect("more than 2^32 coefficients")
                })
            };
            let constant = (!side.offset.is_zero()).then(|| (None, number(side.offset)));
            let terms = side.terms.iter().map(|&(v, x)| (Some(v), number(x)));
            rows.push(constant.into_iter().collect::<Vec<_>>().into_iter().chain(terms));
        }
    }
}
