//! What challenges, openings and digests depend on, and provers that gain by what they would not depend on.

use curve::PrimeField as _;
use pcs::iop::poly::{dot, to_bytes};
use pcs::iop::sumcheck::{self, zero};
use pcs::iop::transcript::Challenger as _;
use pcs::weighted::Points as _;

use super::*;

/// A proof by a prover that sends of `A z`, `B z` and `C z` at the point of the rows what `products` makes of the values there and of the claim that is left; with the point of the
/// columns.
fn prove_with(
    case: &Case,
    assignment: &Assignment<Fr>,
    products: impl Fn([Bn254; 3], Bn254) -> [Bn254; 3],
) -> (Vec<u8>, Vec<Bn254>) {
    let (scheme, layout) = (&case.scheme, &case.scheme.layout);
    let public: Vec<Bn254> = assignment.public.iter().map(element).collect();
    let statement = scheme.statement(&public);
    let [of_public, of_committed, of_witness] = layout.polynomials;
    let log = layout.log_polynomial;
    let kinds = [
        (&assignment.committed, of_public, of_committed),
        (&assignment.witness, of_public + of_committed, of_witness),
    ];
    let entries: Vec<Vec<Bn254>> = kinds
        .into_iter()
        .zip(&layout.cells)
        .map(|((cells, first, count), places)| scheme.polynomials(places, cells, (first, count)))
        .collect();
    let filled = entries.iter().filter(|entries| !entries.is_empty());
    let witnesses: Vec<_> = filled
        .zip(scheme.joint.parts())
        .map(|(entries, part)| scheme.commit_polynomials(part, entries))
        .collect();
    let mut tape = scheme.bind(&statement).prover();
    witnesses
        .iter()
        .for_each(|witness| tape.send_bytes(labels::COMMITMENT, &witness.commitment().to_bytes()));
    let point: Vec<Bn254> = tape.challenges(labels::POINT, layout.row_variables());
    let (rows, [a, b, c]) = zero::prove(&mut tape, &point, scheme.products(assignment));
    let mut z = [&[Bn254::ONE][..], &public].concat();
    z.resize(of_public << log, Bn254::ZERO);
    entries.iter().for_each(|entries| z.extend_from_slice(entries));
    z.resize(1 << layout.column_variables(), Bn254::ZERO);
    let side = |number: usize| {
        let mut weights = [Bn254::ZERO; 3];
        weights[number] = Bn254::ONE;
        dot(&scheme.sparse.bind_rows(&rows, weights).table(1 << layout.column_variables()), &z)
    };
    let products = products([side(0), side(1), side(2)], a * b - c);
    tape.send(labels::PRODUCTS, &products);
    let rho: Bn254 = tape.challenge(labels::COMBINATION);
    let weights = [Bn254::ONE, rho, rho * rho];
    let mut matrices = scheme.sparse.bind_rows(&rows, weights).table(1 << layout.column_variables());
    let claim = dot(&weights, &products);
    let (columns, _) = sumcheck::prove(&mut tape, scheme.rounds(), &mut z, &mut matrices, claim);
    let form = TensorForm::point(scheme.split(&columns).0);
    let weights = form.expand();
    let cells: Vec<Bn254> = entries.iter().flatten().copied().collect();
    tape.send(
        labels::CELLS,
        &cells.chunks(1 << log).map(|entries| dot(entries, &weights)).collect::<Vec<_>>(),
    );
    let mut proof = tape.finish();
    let context = scheme.context(&statement, &proof);
    proof.extend(open(case, &witnesses, &columns, &context));
    (proof, columns)
}

fn open(
    case: &Case,
    witnesses: &[pcs::pip::Witness<Bn254, Bn254>],
    columns: &[Bn254],
    context: &[u8],
) -> Vec<u8> {
    let form = TensorForm::point(case.scheme.split(columns).0);
    let forms = witnesses.iter().map(|_| vec![form.clone()]).collect();
    case.scheme.joint.open(&witnesses.iter().collect::<Vec<_>>(), forms, context).1
}

/// What the honest prover commits to.
fn witnesses(case: &Case) -> Vec<pcs::pip::Witness<Bn254, Bn254>> {
    let Scheme { layout, joint, .. } = &case.scheme;
    let [public, committed, witness] = layout.polynomials;
    let [of_committed, of_witness] = &layout.cells;
    let first = case.scheme.polynomials(of_committed, &case.assignment.committed, (public, committed));
    let second = case.scheme.polynomials(of_witness, &case.assignment.witness, (public + committed, witness));
    let filled = [first, second].into_iter().filter(|entries| !entries.is_empty());
    filled.zip(joint.parts()).map(|(entries, part)| case.scheme.commit_polynomials(part, &entries)).collect()
}

/// V3: errors of two of the three values that would cancel if a combination gave both the same weight, from an assignment that violates a constraint.
#[test]
fn errors_that_cancel_in_a_fixed_combination_are_refused() {
    for case in [&*COMMITTED, &*PLAIN] {
        let (honest, _) = prove_with(case, &case.assignment, |products, _| products);
        assert_eq!(honest, case.proof, "the prover of this test is the other one");
        let mut wrong = case.assignment.clone();
        wrong.witness[1] += Fr::ONE;
        let over = |numerator: Bn254, by: Bn254| numerator * by.inverse().unwrap();
        // Each makes a·b - c what is left: e of one, -e of the other.
        let cancel: [&dyn Fn([Bn254; 3], Bn254) -> [Bn254; 3]; 2] = [
            &|[a, b, c], left| {
                let e = over(left - (a * b - c), a + Bn254::ONE);
                [a, b + e, c - e]
            },
            &|[a, b, c], left| {
                let e = over(left - (a * b - c), b + Bn254::ONE);
                [a + e, b, c - e]
            },
        ];
        for products in cancel {
            let (proof, _) = prove_with(case, &wrong, products);
            assert_eq!(case.verify(&proof), Err(MATRICES));
        }
    }
}

/// Public inputs that a prover picks in view of the point of the columns: with those it gives `z` the same value there.
#[test]
fn public_inputs_are_fixed_before_any_challenge() {
    for case in [&*COMMITTED, &*PLAIN] {
        let (proof, columns) = prove_with(case, &case.assignment, |products, _| products);
        let eq = Eq::new(&columns);
        let mut public: Vec<Bn254> = case.assignment.public.iter().map(element).collect();
        public[0] += eq.at(2);
        public[1] -= eq.at(1);
        let chosen: Vec<Fr> = public.iter().map(|x| Fr::from_le_bytes_mod_order(&to_bytes(&[*x]))).collect();
        // As it is, and with an opening for these inputs.
        let head = proof[..bytes_of(case, labels::CELLS).end].to_vec();
        let context = case.scheme.context(&case.scheme.statement(&public), &head);
        let again = [head, open(case, &witnesses(case), &columns, &context)].concat();
        for proof in [proof, again] {
            assert!(case.scheme.verify(&chosen, &proof).is_err());
        }
    }
}

/// V5: an opening of the same claims belongs to the system, the public inputs and the messages that it was made for.
#[test]
fn openings_of_other_runs_are_refused() {
    let case = &*PLAIN;
    let (proof, columns) = prove_with(case, &case.assignment, |products, _| products);
    let head = &proof[..bytes_of(case, labels::CELLS).end];
    let public: Vec<Bn254> = case.assignment.public.iter().map(element).collect();
    let statement = case.scheme.statement(&public);
    let other = Scheme::new(&case.system, &POLICY, Profile::Small).unwrap();
    let spliced = |context: &[u8]| [head, &open(case, &witnesses(case), &columns, context)].concat();
    assert_eq!(case.verify(&spliced(&case.scheme.context(&statement, head))), Ok(()));
    for context in [
        other.context(&statement, head),
        case.scheme.context(&case.scheme.statement(&public[1..]), head),
        case.scheme.context(&statement, &head[1..]),
    ] {
        assert!(case.verify(&spliced(&context)).is_err());
    }
}

#[test]
fn challenges_depend_on_system_and_public_inputs() {
    let first = |scheme: &Scheme, public: &[Bn254]| -> Bn254 {
        scheme.bind(&scheme.statement(public)).prover().challenge(labels::POINT)
    };
    let small = Scheme::new(&PLAIN.system, &POLICY, Profile::Small).unwrap();
    let scheme = &PLAIN.scheme;
    let drawn = [
        first(scheme, &[Bn254::ONE, Bn254::ZERO]),
        first(scheme, &[Bn254::ONE, Bn254::ONE]),
        first(&COMMITTED.scheme, &[Bn254::ONE, Bn254::ZERO]),
        first(&small, &[Bn254::ONE, Bn254::ZERO]),
    ];
    for (i, one) in drawn.iter().enumerate() {
        assert!(drawn[..i].iter().all(|other| other != one), "{i}");
    }
}

/// The same matrices with places by a loop and without: a system by its digest, not a scheme.
#[test]
fn digests_are_of_places_and_parameters_too() {
    struct Loop(bool);
    impl Circuit<Fr> for Loop {
        fn synthesize(&self, builder: &mut Builder<Fr>) {
            let mut x = builder.public(|| Fr::from(3u64));
            let mut part = |builder: &mut Builder<Fr>, _| {
                x = builder.multiply("first", &x, &x);
                x = builder.multiply("second", &x, &x);
            };
            match self.0 {
                true => drop(builder.repeat(8, part)),
                false => (0..8).for_each(|i| part(builder, i)),
            }
        }
    }
    let systems = [Loop(true), Loop(false)].map(|circuit| R1cs::of(&circuit));
    assert_eq!(systems[0].digest(), systems[1].digest());
    let [one, other] = systems.each_ref().map(|system| Scheme::new(system, &POLICY, Profile::Fast).unwrap());
    assert_eq!(one.params().encode(), other.params().encode());
    assert_ne!(one.digest(), other.digest());
    let fewer = Scheme::new(&systems[0], &Policy::at_least(100), Profile::Fast).unwrap();
    assert_ne!(one.digest(), fewer.digest());
}

/// Each term has the list of the commitments' code, and the degree of its challenges.
#[test]
fn terms_have_the_degrees_of_their_challenges() {
    for Case { scheme, .. } in [&*COMMITTED, &*PLAIN] {
        let (report, code) = (scheme.report(), scheme.joint.parts().last().unwrap().facts().code);
        let [rows, columns] =
            [scheme.layout.row_variables(), scheme.layout.column_variables()].map(|n| n as u64);
        for (label, degree) in [
            ("zero test point", rows),
            ("zero test rounds", 2 * rows),
            ("combination of the matrices", 2),
            ("sumcheck of the columns", 2 * columns),
        ] {
            let found = report.terms.iter().find(|term| term.label == label).expect(label).bits;
            assert_eq!(found, report.regime.claim_bits(&code, report.field_bits, degree), "{label}");
        }
        let others = report.terms.len() - scheme.joint.report().terms.len();
        assert_eq!(others, 4);
    }
}

/// Wider digests, and the most bits that the terms around the opening leave.
#[test]
fn systems_are_proven_to_more_bits_until_there_is_no_room() {
    let Case { system, assignment, .. } = &*PLAIN;
    for bits in [160, 200] {
        let scheme = Scheme::new(system, &Policy::at_least(bits), Profile::Fast).unwrap();
        assert_eq!(scheme.digest().len(), if bits > 192 { 64 } else { 48 });
        let proof = prove(&scheme, assignment).unwrap();
        assert_eq!(scheme.verify(&assignment.public, &proof), Ok(()));
        assert!(scheme.report().proven_bits() >= f64::from(bits));
    }
    let refused = (200..256).find_map(|bits| {
        let refused = Scheme::new(system, &Policy::at_least(bits), Profile::Fast).err()?;
        Some(refused.to_string()).filter(|refused| refused.contains("no room for the proof around"))
    });
    assert!(refused.is_some(), "the opening's own terms are the larger ones at every number of bits");
}

/// Two schemes of one circuit: a commitment is of the one that made it.
#[test]
fn commitments_of_other_schemes_are_refused() {
    let case = &*COMMITTED;
    let other = Scheme::new(&case.system, &POLICY, Profile::Small).unwrap();
    let committed = other.commit(&case.assignment.committed).unwrap();
    assert_eq!(case.scheme.prove_committed(committed, &case.assignment), Err(ProveError::OtherCircuit));
}
