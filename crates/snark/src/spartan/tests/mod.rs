//! Proofs, and what must be refused: by check of the verifier, a prover that deviates in that one thing.

mod binding;
mod random;

use std::sync::LazyLock;

use curve::bn254::Fr;
use curve::{AdditiveGroup as _, Field as _};
use pcs::field::{Bn254, Field as _};
use pcs::iop::poly::TensorForm;
use pcs::iop::security::Policy;
use pcs::iop::transcript::Kind;

use super::sparse::Eq;
use super::verifier::labels;
use super::*;
use crate::r1cs::{Assignment, Builder, Circuit, LinearCombination, R1cs};

const POLICY: Policy = Policy::at_least(128);

/// Chains of squares with bits that are committed cells, of which a challenge checks the sum: parts alike, parts that need the part before, constraints apart.
struct Chains {
    start: u64,
    parts: usize,
    challenge: Fr,
    committed: bool,
}

impl Chains {
    fn new(parts: usize, committed: bool) -> Self {
        Self { start: 3, parts, challenge: Fr::from(77u64), committed }
    }
}

impl Circuit<Fr> for Chains {
    fn synthesize(&self, builder: &mut Builder<Fr>) {
        let challenge = builder.public(|| self.challenge);
        let items: Vec<u64> = (0..self.parts as u64).collect();
        let chains = builder.for_each(&items, |builder, i, item| {
            let bit = |builder: &mut Builder<Fr>| match self.committed {
                true => builder.committed(|| Fr::from(item & 1)),
                false => builder.witness(|| Fr::from(item & 1)),
            };
            let bit = bit(builder);
            builder.enforce("bit", &bit, &(&bit - &LinearCombination::one()), &LinearCombination::zero());
            let own = LinearCombination::constant(Fr::from(self.start + i as u64));
            let x = builder.multiply("own", &(&bit + &own), &challenge);
            let square = builder.multiply("square", &(&x + &bit), &(&x * Fr::from(5u64)));
            (bit, square)
        });
        let mut sum = LinearCombination::one();
        builder.repeat(self.parts, |builder, i| {
            let (bit, square) = &chains[i];
            sum = builder.multiply("chain", &(&sum + square), &(bit + &challenge));
        });
        let result = builder.public(|| sum.value());
        builder.enforce_equal("result", &sum, &result);
    }
}

struct Case {
    system: R1cs<Fr>,
    scheme: Scheme,
    assignment: Assignment<Fr>,
    proof: Vec<u8>,
}

fn prove(scheme: &Scheme, assignment: &Assignment<Fr>) -> Result<Vec<u8>, ProveError> {
    if scheme.joint.parts().len() == 1 {
        return scheme.prove(assignment);
    }
    scheme.prove_committed(scheme.commit(&assignment.committed)?, assignment)
}

impl Case {
    fn new(chains: &Chains) -> Self {
        let (system, assignment) = (R1cs::of(chains), Assignment::of(chains));
        let scheme = Scheme::new(&system, &POLICY, Profile::Fast).expect("parameters");
        let proof = prove(&scheme, &assignment).expect("a true statement");
        Self { system, scheme, assignment, proof }
    }

    fn verify(&self, proof: &[u8]) -> Result<(), Invalid> {
        self.scheme.verify(&self.assignment.public, proof)
    }
}

static COMMITTED: LazyLock<Case> = LazyLock::new(|| Case::new(&Chains::new(50, true)));
static PLAIN: LazyLock<Case> = LazyLock::new(|| Case::new(&Chains::new(21, false)));

#[test]
fn proofs_of_both_kinds_of_circuits_hold_for_their_public_inputs_alone() {
    for case in [&*COMMITTED, &*PLAIN] {
        assert_eq!(case.verify(&case.proof), Ok(()));
        assert!(case.proof.len() <= case.scheme.max_bytes());
        for i in 0..2 {
            let mut public = case.assignment.public.clone();
            public[i] += Fr::ONE;
            assert!(case.scheme.verify(&public, &case.proof).is_err(), "public input {i}");
        }
        let more = [case.assignment.public.clone(), vec![Fr::ZERO]].concat();
        for public in [&more[..1], &more] {
            let refused = Invalid("another number of public inputs than the circuit has");
            assert_eq!(case.scheme.verify(public, &case.proof), Err(refused));
        }
    }
}

/// One constraint, and sizes around powers of two.
#[test]
fn circuits_of_all_sizes_are_proven() {
    for parts in [1, 2, 3, 16, 17, 130] {
        let case = Case::new(&Chains::new(parts, parts % 2 == 0));
        assert_eq!(case.verify(&case.proof), Ok(()), "{parts} parts");
    }
    struct One;
    impl Circuit<Fr> for One {
        fn synthesize(&self, builder: &mut Builder<Fr>) {
            let x = builder.public(|| Fr::from(7u64));
            builder.enforce_equal("one", &x, &LinearCombination::constant(Fr::from(7u64)));
        }
    }
    let scheme = Scheme::new(&R1cs::of(&One), &POLICY, Profile::Fast).unwrap();
    let proof = scheme.prove(&Assignment::of(&One)).unwrap();
    assert_eq!(scheme.verify(&[Fr::from(7u64)], &proof), Ok(()));
    assert!(scheme.verify(&[Fr::from(8u64)], &proof).is_err());
}

/// The evaluation of the matrices against their entries, one by one, and the table against both.
#[test]
fn matrices_bound_to_a_point_are_those_of_the_entries() {
    for case in [&*COMMITTED, &*PLAIN] {
        let Scheme { layout, sparse, .. } = &case.scheme;
        let element_of = |i: u64| Bn254::from_u64(i + 3).pow(77);
        let [rows, columns] = [layout.row_variables(), layout.column_variables()]
            .map(|n| (0..n as u64).map(element_of).collect::<Vec<_>>());
        let weights = [1, 5, 25].map(Bn254::from_u64);
        let bound = sparse.bind_rows(&rows, weights);
        let (of_row, of_column) = (Eq::new(&rows), Eq::new(&columns));
        let mut sum = Bn254::ZERO;
        for (matrix, weight) in case.system.matrices().into_iter().zip(weights) {
            for row in 0..case.system.constraints() {
                for (column, x) in case.system.row(matrix, row) {
                    let place = layout.rows.of[row] as usize;
                    sum += weight * element(&x) * of_row.at(place) * of_column.at(layout.column(column));
                }
            }
        }
        assert_eq!(bound.at(&columns), sum);
        assert_eq!(TensorForm::point(&columns).apply(&bound.table(1 << columns.len())), sum);
    }
    // A part's entries are listed once, and what is of one part alone apart: its own constant, and the part before.
    let [common, single] = COMMITTED.scheme.matrix_entries();
    let all: usize = COMMITTED.system.matrices().map(|matrix| matrix.entries()).iter().sum();
    assert!(common < 20 && single < 3 * 50 && all > 15 * 50, "{common} {single} {all}");
}

#[test]
fn places_are_different_and_within_their_polynomials() {
    for case in [&*COMMITTED, &*PLAIN] {
        let Scheme { layout, .. } = &case.scheme;
        let rows: std::collections::HashSet<_> = layout.rows.of.iter().collect();
        assert_eq!(rows.len(), case.system.constraints());
        assert!(layout.rows.of.iter().all(|&place| (place as usize) < 1 << layout.row_variables()));
        let columns: std::collections::HashSet<_> =
            (0..case.system.columns()).map(|column| layout.column(column)).collect();
        assert_eq!(columns.len(), case.system.columns());
        let [public, committed, witness] = layout.polynomials;
        let polynomial = |column: usize| layout.column(column) >> layout.log_polynomial;
        let kinds = [(layout.public, 0..public), (case.system.committed(), public..public + committed)];
        let mut column = 0;
        for (count, polynomials) in kinds
            .into_iter()
            .chain([(case.system.witness(), public + committed..public + committed + witness)])
        {
            assert!((column..column + count).all(|column| polynomials.contains(&polynomial(column))));
            column += count;
        }
    }
}

#[test]
fn what_is_no_satisfying_assignment_of_the_circuit_is_not_proven() {
    let wrong = Assignment {
        violated: Some(crate::r1cs::Unsatisfied { constraint: 1, label: "own" }),
        ..PLAIN.assignment.clone()
    };
    assert_eq!(PLAIN.scheme.prove(&wrong), Err(wrong.violated.unwrap().into()));
    let other = Assignment::of(&Chains::new(22, false));
    assert_eq!(PLAIN.scheme.prove(&other), Err(ProveError::OtherCircuit));
    assert_eq!(COMMITTED.scheme.prove(&COMMITTED.assignment), Err(ProveError::Commitment));
    assert_eq!(PLAIN.scheme.commit(&[]).err(), Some(ProveError::Commitment));
    assert_eq!(COMMITTED.scheme.commit(&[Fr::ONE]).err(), Some(ProveError::OtherCircuit));
    let others = COMMITTED.scheme.commit(&[Fr::ONE; 50]).unwrap();
    assert_eq!(COMMITTED.scheme.prove_committed(others, &COMMITTED.assignment), Err(ProveError::OtherCells));
}

/// The places of a message in a proof, by its label.
fn bytes_of(case: &Case, label: &str) -> std::ops::Range<usize> {
    let script = case.scheme.script(&case.assignment.public, &case.proof).unwrap();
    let mut at = 0;
    for call in script.iter().filter(|call| matches!(call.kind, Kind::Send | Kind::Hint | Kind::Nonce)) {
        let length = if call.kind == Kind::Nonce { 8 } else { call.length };
        if call.label == label {
            return at..at + length;
        }
        at += length;
    }
    panic!("no message {label}")
}

#[test]
fn every_message_counts_and_every_byte_is_read() {
    for case in [&*COMMITTED, &*PLAIN] {
        let head = bytes_of(case, labels::CELLS).end;
        let spread = (head..case.proof.len()).step_by(997);
        for at in (0..head).step_by(7).chain(spread).chain([case.proof.len() - 1]) {
            let mut proof = case.proof.clone();
            proof[at] ^= 1;
            assert!(case.verify(&proof).is_err(), "byte {at}");
        }
        for cut in [0, 1, 31, 32, head - 1, head, head + 1, case.proof.len() - 1] {
            assert!(case.verify(&case.proof[..cut]).is_err(), "{cut} bytes");
        }
        assert!(case.verify(&[&case.proof[..], &[0]].concat()).is_err());
    }
}

/// V2: three values that do not satisfy the constraints.
#[test]
fn products_that_do_not_satisfy_are_refused() {
    let mut proof = PLAIN.proof.clone();
    let at = bytes_of(&PLAIN, labels::PRODUCTS);
    let mut value = Bn254::from_bytes(&proof[at.start..at.start + 32]).unwrap();
    value += Bn254::ONE;
    value.write(&mut proof[at.start..at.start + 32]);
    let refused = Invalid("the values of A z, B z and C z do not satisfy the constraints");
    assert_eq!(PLAIN.verify(&proof), Err(refused));
}

const MATRICES: Invalid = Invalid("the values of the polynomials do not give those of A z, B z and C z");

/// V3, V4: an assignment that violates one constraint, by a prover that takes `Az` and `Bz` to be what they would have to be.
#[test]
fn an_assignment_that_violates_one_constraint_is_refused() {
    for case in [&*COMMITTED, &*PLAIN] {
        for cell in [0, 1, case.assignment.witness.len() - 1] {
            let mut wrong = case.assignment.clone();
            wrong.witness[cell] += Fr::ONE;
            let proof = prove(&case.scheme, &wrong).expect("what is not checked again");
            assert_eq!(case.verify(&proof), Err(MATRICES), "cell {cell}");
        }
        // A row that is another one's.
        let mut wrong = case.assignment.clone();
        wrong.a.swap(0, 1);
        wrong.b.swap(0, 1);
        assert_eq!(case.verify(&prove(&case.scheme, &wrong).unwrap()), Err(MATRICES));
    }
}

/// V1: committed cells that were committed to, and others in the assignment.
#[test]
fn other_committed_cells_than_those_of_the_commitment_are_refused() {
    let case = &*COMMITTED;
    let mut others = case.assignment.clone();
    others.committed[3] += Fr::ONE;
    let committed = case.scheme.commit(&others.committed).unwrap();
    let bytes = committed.commitment();
    assert_ne!(bytes, case.scheme.commitment(&case.proof).unwrap());
    // The prover goes on with the values of the true assignment.
    let forged = case
        .scheme
        .prove_committed(committed, &Assignment { committed: others.committed, ..case.assignment.clone() })
        .unwrap();
    assert_eq!(case.scheme.commitment(&forged), Ok(&bytes[..]));
    assert_eq!(case.verify(&forged), Err(MATRICES));
    // A commitment to the true cells in the place of the one that the proof is about.
    let mut spliced = forged;
    spliced[..bytes.len()].copy_from_slice(case.scheme.commitment(&case.proof).unwrap());
    assert!(case.verify(&spliced).is_err());
    assert_eq!(PLAIN.scheme.commitment(&PLAIN.proof), Err(Invalid("a circuit without committed cells")));
    assert_eq!(case.scheme.commitment(&case.proof[..31]), Err(Invalid("proof is too short")));
}

/// V5: values of polynomials that give the same `z`, and an opening that belongs to them.
#[test]
fn values_that_are_not_those_of_the_polynomials_are_refused() {
    let case = &*COMMITTED;
    let Scheme { layout, joint, .. } = &case.scheme;
    let at = bytes_of(case, labels::CELLS);
    let head = case.proof[..at.end].to_vec();
    let public: Vec<Bn254> = case.assignment.public.iter().map(element).collect();
    let statement = case.scheme.statement(&public);
    // The point of the columns, as the verifier draws it.
    let mut tape = case.scheme.bind(&statement).verifier(&head);
    let [rows, columns] = [layout.row_variables(), layout.column_variables()];
    let columns = {
        use pcs::iop::sumcheck::{self, zero};
        use pcs::iop::transcript::Challenger as _;
        for part in joint.parts() {
            tape.receive_bytes(labels::COMMITMENT, case.scheme.commitment_bytes(part)).unwrap();
        }
        let point: Vec<Bn254> = tape.challenges(labels::POINT, rows);
        zero::verify(&mut tape, &point).unwrap();
        tape.receive::<Bn254>(labels::PRODUCTS, 3).unwrap();
        let _: Bn254 = tape.challenge(labels::COMBINATION);
        let (drawn, _) = sumcheck::verify(&mut tape, case.scheme.rounds(), Bn254::ZERO).unwrap();
        assert_eq!(drawn.len(), columns);
        drawn
    };
    let weights = Eq::new(case.scheme.split(&columns).1);
    let weight = |polynomial: usize| weights.at(layout.polynomials[0] + polynomial);
    // Two values change, and their weighted sum does not.
    let mut forged = head;
    let mut value = |polynomial: usize, by: Bn254| {
        let bytes = &mut forged[at.start + 32 * polynomial..][..32];
        (Bn254::from_bytes(bytes).unwrap() + by).write(bytes);
    };
    value(0, weight(1));
    value(1, Bn254::ZERO - weight(0));
    let context = case.scheme.context(&statement, &forged);
    // The honest opening, made anew for this context, of the values that the polynomials have.
    let first = case.scheme.commit(&case.assignment.committed).unwrap().witness;
    let [public, committed, witness] = layout.polynomials;
    let entries =
        case.scheme.polynomials(&layout.cells[1], &case.assignment.witness, (public + committed, witness));
    let second = case.scheme.commit_polynomials(joint.part(1), &entries);
    let form = TensorForm::point(case.scheme.split(&columns).0);
    forged.extend(joint.open(&[&first, &second], vec![vec![form.clone()], vec![form]], &context).1);
    let refused = case.verify(&forged).unwrap_err();
    assert!(refused != MATRICES && refused != Invalid("proof is too short"), "{refused}");
}

/// Proofs are of one system, with its places and parameters.
#[test]
fn proofs_of_other_systems_and_parameters_are_refused() {
    let case = &*PLAIN;
    let other =
        Scheme::new(&R1cs::of(&Chains { start: 4, ..Chains::new(21, false) }), &POLICY, Profile::Fast)
            .unwrap();
    assert_ne!(other.digest(), case.scheme.digest());
    assert!(other.verify(&case.assignment.public, &case.proof).is_err());
    let params = case.scheme.params().clone();
    let again = Scheme::with_params(&case.system, params.clone(), &POLICY).unwrap();
    assert_eq!(
        (again.digest(), again.verify(&case.assignment.public, &case.proof)),
        (case.scheme.digest(), Ok(()))
    );
    let small = Scheme::new(&case.system, &POLICY, Profile::Small).unwrap();
    assert!(small.verify(&case.assignment.public, &case.proof).is_err());
    let larger = pcs::pip::Params { log_size: params.log_size + 1, ..params.clone() };
    let refused = Scheme::with_params(&case.system, larger, &POLICY).unwrap_err();
    assert!(refused.to_string().contains("another size"), "{refused}");
    let fewer = pcs::pip::Params { polynomials: params.polynomials - 1, ..params };
    assert!(Scheme::with_params(&case.system, fewer, &POLICY).is_err());
}

/// The bits are those of all terms, and a policy that wants more is not met.
#[test]
fn the_report_has_a_term_for_each_challenge_around_the_opening() {
    let report = COMMITTED.scheme.report();
    for label in
        ["zero test point", "zero test rounds", "combination of the matrices", "sumcheck of the columns"]
    {
        let term = report.terms.iter().find(|term| term.label == label).expect(label);
        assert!((225.0..254.0).contains(&term.bits), "{label}: {}", term.bits);
    }
    assert!(report.proven_bits() >= 128.0 && report.terms.len() > 8);
    let params = COMMITTED.scheme.params().clone();
    assert!(Scheme::with_params(&COMMITTED.system, params, &Policy::at_least(129)).is_err());
}
