//! Places, evaluations and proofs of circuits drawn at random, against the matrices entry by entry.

use super::*;
use crate::spartan::layout::Layout;
use crate::spartan::sparse::Sparse;

/// A generator of small numbers.
#[derive(Clone)]
struct Draws(u64);

impl Draws {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % end as u64) as usize
    }

    fn often(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the cells, or a number; rarely a sum of several.
    fn combination(&mut self, cells: &[LinearCombination<Fr>]) -> LinearCombination<Fr> {
        let mut sum = LinearCombination::constant(Fr::from(self.below(3) as u64));
        for _ in 0..1 + self.below(3) {
            if !cells.is_empty() {
                let cell = &cells[self.below(cells.len())];
                sum.add_scaled(Fr::from(1 + self.below(4) as u64), cell);
            }
        }
        sum
    }

    /// Cells of all kinds, and constraints that hold over them and those before.
    fn piece(
        &mut self,
        builder: &mut Builder<Fr>,
        before: &[LinearCombination<Fr>],
    ) -> Vec<LinearCombination<Fr>> {
        let mut own = vec![];
        for _ in 0..self.below(4) {
            let value = Fr::from(self.below(1000) as u64);
            own.push(match self.below(8) {
                0 => builder.public(|| value),
                1..=3 => builder.committed(|| value),
                _ => builder.witness(|| value),
            });
        }
        for _ in 0..self.below(4) {
            let all = [before, &own].concat();
            let (a, b) = (self.combination(&all), self.combination(&own));
            own.push(builder.multiply("product", &a, &b));
        }
        if self.often(20) {
            let x = self.combination(before);
            builder.enforce_equal("same", &x, &x);
        }
        own
    }
}

/// Pieces apart and in parts, of which few or all are alike, and parts of parts.
struct Random(u64);

impl Random {
    const PARTS: [usize; 16] = [0, 1, 2, 2, 3, 3, 4, 5, 7, 8, 9, 16, 17, 33, 64, 100];

    fn part(
        (mut draws, alike, nested): (Draws, bool, bool),
        builder: &mut Builder<Fr>,
        i: usize,
        before: &[LinearCombination<Fr>],
    ) -> Vec<LinearCombination<Fr>> {
        let mut own = draws.piece(builder, before);
        if nested {
            let of_nested =
                builder.repeat(2 + draws.below(3), |builder, _| draws.clone().piece(builder, before));
            own.extend(of_nested.into_iter().flatten());
        }
        if !alike && i % 3 == 1 {
            own.extend(Draws(i as u64).piece(builder, before));
        }
        // What only some parts have in a constraint that all have.
        let mut sum = draws.combination(&own);
        if draws.often(50) && i % 2 == 1 {
            sum += &Draws(i as u64).combination(before);
        }
        own.push(builder.multiply("of the part", &sum, &LinearCombination::constant(Fr::from(7u64))));
        own
    }
}

impl Circuit<Fr> for Random {
    fn synthesize(&self, builder: &mut Builder<Fr>) {
        let mut draws = Draws(self.0);
        let counts = [(); 2].map(|()| Self::PARTS[draws.below(Self::PARTS.len())]);
        let mut parts: Vec<Vec<Vec<LinearCombination<Fr>>>> = vec![];
        let mut all = draws.piece(builder, &[]);
        if draws.often(20) {
            all.extend((0..17 + draws.below(40)).map(|i| builder.public(|| Fr::from(i as u64))));
        }
        for _ in 0..1 + draws.below(4) {
            let how = (draws.clone(), draws.often(80), draws.often(20));
            let (count, with) = (counts[draws.below(2)], draws.below(4));
            // Those before: of the same part of other repeats, or of any part.
            let before = |i: usize, last: &[LinearCombination<Fr>]| match (with, parts.last()) {
                (0, Some(of)) if i < of.len() => of[i].clone(),
                (1, Some(of)) if i < of.len() => of[of.len() - 1 - i].clone(),
                (2, _) => last.to_vec(),
                _ => all[..all.len().min(3)].to_vec(),
            };
            let made = if draws.often(50) {
                let items: Vec<usize> = (0..count).collect();
                builder.for_each(&items, |builder, i, _| Self::part(how.clone(), builder, i, &before(i, &[])))
            } else {
                let mut last = vec![];
                builder.repeat(count, |builder, i| {
                    last = Self::part(how.clone(), builder, i, &before(i, &last));
                    last.clone()
                })
            };
            all.extend(made.iter().flatten().cloned());
            parts.push(made);
            all.extend(draws.piece(builder, &all));
        }
    }
}

impl Random {
    /// Of two circuits one takes its committed cells as others.
    fn system(&self) -> R1cs<Fr> {
        let system = R1cs::of(self);
        if self.0.is_multiple_of(2) { system } else { system.without_commitment() }
    }
}

#[test]
fn matrices_of_random_circuits_are_those_of_their_entries() {
    let (mut common, mut repeats) = (0, 0);
    for seed in 0..300 {
        let system = Random(seed).system();
        let layout = Layout::of(&system).unwrap();
        let sparse = Sparse::of(&system, &layout);
        common += usize::from(sparse.entries()[0] > 0);
        repeats += system.repeats().len();
        let element_of = |i: usize| Bn254::from_u64(i as u64 + seed + 3).pow(77);
        let rows: Vec<Bn254> = (0..layout.row_variables()).map(element_of).collect();
        let weights = [1, 5, 25].map(Bn254::from_u64);
        let of_row = TensorForm::point(&rows).expand();
        let mut table = vec![Bn254::ZERO; 1 << layout.column_variables()];
        for (matrix, weight) in system.matrices().into_iter().zip(weights) {
            for row in 0..system.constraints() {
                for (column, x) in system.row(matrix, row) {
                    let value = weight * element(&x) * of_row[layout.rows.of[row] as usize];
                    table[layout.column(column)] += value;
                }
            }
        }
        let bound = sparse.bind_rows(&rows, weights);
        assert!(bound.table(1 << layout.column_variables()) == table, "circuit {seed}");
        let columns: Vec<Bn254> = (100..100 + layout.column_variables()).map(element_of).collect();
        assert_eq!(bound.at(&columns), TensorForm::point(&columns).apply(&table), "circuit {seed}");
        check_places(&system, &layout);
    }
    assert!(common > 150 && repeats > 300, "{common} {repeats}");
}

fn check_places(system: &R1cs<Fr>, layout: &Layout) {
    let rows: std::collections::HashSet<_> = layout.rows.of.iter().collect();
    assert_eq!(rows.len(), system.constraints());
    assert!(layout.rows.of.iter().all(|&place| (place as usize) < 1 << layout.row_variables()));
    let places: Vec<usize> = (0..system.columns()).map(|column| layout.column(column)).collect();
    assert_eq!(places.iter().collect::<std::collections::HashSet<_>>().len(), places.len());
    let kinds = [1 + system.public(), system.committed(), system.witness()];
    let (mut column, mut first) = (0, 0);
    for (count, polynomials) in kinds.into_iter().zip(layout.polynomials) {
        let range = first << layout.log_polynomial..(first + polynomials) << layout.log_polynomial;
        assert!(places[column..column + count].iter().all(|place| range.contains(place)));
        (column, first) = (column + count, first + polynomials);
    }
    assert!(first << layout.log_polynomial <= 1 << layout.column_variables());
}

#[test]
fn random_circuits_are_proven_for_their_cells_alone() {
    for seed in 1000..1024 {
        let (system, assignment) = (Random(seed).system(), Assignment::of(&Random(seed)));
        let scheme = Scheme::new(&system, &POLICY, Profile::Fast).unwrap();
        let proof = prove(&scheme, &assignment).unwrap();
        assert_eq!(scheme.verify(&assignment.public, &proof), Ok(()), "circuit {seed}");
        assert!(proof.len() <= scheme.max_bytes());
        let (mut wrong, mut refused) = (assignment.clone(), false);
        for cell in 0..wrong.witness.len() {
            wrong.witness[cell] += Fr::ONE;
            refused = system.is_satisfied(&wrong).is_err();
            if refused {
                break;
            }
        }
        if refused {
            let proof = prove(&scheme, &wrong).unwrap();
            assert_eq!(scheme.verify(&wrong.public, &proof), Err(MATRICES), "circuit {seed}");
        }
        for i in 0..assignment.public.len().min(2) {
            let mut public = assignment.public.clone();
            let last = public.len() - 1 - i;
            public[last] += Fr::ONE;
            assert!(scheme.verify(&public, &proof).is_err(), "circuit {seed}");
        }
    }
}

/// Loops one after another: what is kept of each is as much as it has entries, however far behind its places are.
#[test]
fn many_short_loops_are_as_long_as_their_entries() {
    struct Many(usize);
    impl Circuit<Fr> for Many {
        fn synthesize(&self, builder: &mut Builder<Fr>) {
            let mut x = builder.public(|| Fr::from(3u64));
            for _ in 0..self.0 {
                builder.repeat(2, |builder, _| x = builder.multiply("square", &x, &x));
            }
        }
    }
    let (loops, system) = (4000, R1cs::of(&Many(4000)));
    assert_eq!(system.repeats().len(), loops);
    let scheme = Scheme::new(&system, &POLICY, Profile::Fast).unwrap();
    // The cell of a product; the factors are of the part before.
    assert_eq!(scheme.matrix_entries(), [loops, 4 * loops]);
    let point = |variables: usize| vec![Bn254::from_u64(9); variables];
    let bound = scheme.sparse.bind_rows(&point(scheme.layout.row_variables()), [Bn254::ONE; 3]);
    assert_eq!(bound.entries(), [loops, 4 * loops]);
    let assignment = Assignment::of(&Many(loops));
    let proof = scheme.prove(&assignment).unwrap();
    assert_eq!(scheme.verify(&assignment.public, &proof), Ok(()));
}
