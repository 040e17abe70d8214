//! Provers that are honest but for one thing.

use super::*;
use crate::kzg::multilinear::verifier::{SplitForm, seal};
use crate::kzg::verifier::factors;
use curve::bls12_381::{G1Projective, encode_g1};
use curve::{One, Zero};
use field::Gf128;

/// What a prover says in place of the truth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Deviation {
    Nothing,
    /// The value of this form on this polynomial is off by one.
    Value(usize, usize),
    /// The first value is too large by one, and this one too small.
    Cancelling(usize, usize),
    /// The quotient of this form and variable is another point.
    Quotient(usize, usize),
    /// It is the identity.
    NoQuotient(usize, usize),
    /// It is the one of the next variable, and the other way round.
    SwappedQuotients(usize, usize),
    /// The quotients of this form are those at another point.
    Elsewhere(usize),
    /// The commitment to this fragment is to another one.
    Fragment(usize),
    /// It is the identity.
    NoFragment(usize),
    /// Two fragments are in each other's place.
    SwappedFragments(usize, usize),
    /// All fragments have the weight one.
    Weights,
    /// All polynomials have the factor one.
    Factors,
    /// Commitments and quotients are under another setup.
    OtherSetup,
    /// The seal is another one.
    Seal,
}

fn plus_one(point: &mut G1) {
    *point = (*point + G1::generator()).into_affine();
}

/// The prover of the scheme, line by line, with a deviation in it.
fn deviating(scheme: &Scheme, deviation: Deviation) -> (Commitment, Claims<Scalar>, Vec<u8>) {
    let params = scheme.params();
    let mut tau = secret();
    if deviation == Deviation::OtherSetup {
        tau[1] += Fr::one();
    }
    let srs = MultilinearSrs::insecure_from_point(&tau);
    let own = Scheme::new(Params { key: Key::new(&srs).unwrap(), ..params.clone() }, &NONE).unwrap();
    let prover = Prover::new(&own, &srs).unwrap();
    let entries = polynomials(params);
    let mut points = prover.commit(&entries).unwrap().commitment().points().to_vec();
    match deviation {
        Deviation::Fragment(c) => plus_one(&mut points[c]),
        Deviation::NoFragment(c) => points[c] = G1::zero(),
        Deviation::SwappedFragments(a, b) => points.swap(a, b),
        _ => {}
    }
    let commitment = Commitment::from_points(params, points).unwrap();
    let forms = forms(params.variables());
    let mut values: Vec<Vec<Scalar>> =
        forms.iter().map(|form| entries.iter().map(|p| form.apply(p)).collect()).collect();
    if let Deviation::Value(j, p) = deviation {
        values[j][p] += Scalar::ONE;
    }
    if let Deviation::Cancelling(j, p) = deviation {
        values[0][0] += Scalar::ONE;
        values[j][p] += -Scalar::ONE;
    }
    let claims = Claims { forms, values, context: b"context".to_vec() };
    let mut tape = scheme.bound(&commitment, &claims).prover();
    let mut factors = factors(&mut tape, entries.len());
    if deviation == Deviation::Factors {
        factors.fill(Fr::one());
    }
    for (j, form) in claims.forms.iter().enumerate() {
        let SplitForm { mut weights, mut point } = SplitForm::new(params, form).unwrap();
        if deviation == Deviation::Weights {
            weights.fill(Scalar::ONE);
        }
        if deviation == Deviation::Elsewhere(j) {
            point[1] += Scalar::ONE;
        }
        let mut combined = vec![Fr::zero(); 1 << OWN];
        for (polynomial, factor) in entries.iter().zip(&factors) {
            for (i, entry) in polynomial.iter().enumerate() {
                combined[i / weights.len()] += weights[i % weights.len()].0 * factor * entry.0;
            }
        }
        let sums = prover.part_of_quotients(&combined, (0, 0), &point);
        let mut quotients = G1Projective::normalize_batch(&sums);
        match deviation {
            Deviation::Quotient(of, i) if of == j => plus_one(&mut quotients[i]),
            Deviation::NoQuotient(of, i) if of == j => quotients[i] = G1::zero(),
            Deviation::SwappedQuotients(of, i) if of == j => quotients.swap(i, i + 1),
            _ => {}
        }
        quotients.iter().for_each(|quotient| tape.send_bytes("quotient", &encode_g1(quotient)));
    }
    let own = if deviation == Deviation::Seal { Gf128::ONE } else { seal(&mut tape) };
    tape.send("seal", &[own]);
    (commitment, claims, tape.finish())
}

#[test]
fn the_prover_is_honest_without_a_deviation() {
    let (scheme, srs) = (scheme(1, 2), srs());
    let prover = Prover::new(&scheme, &srs).unwrap();
    let witness = prover.commit(&polynomials(scheme.params())).unwrap();
    let (claims, proof) = prover.open(&witness, forms(OWN + 1), b"context");
    let (commitment, theirs, bytes) = deviating(&scheme, Deviation::Nothing);
    assert_eq!((&commitment, theirs, bytes), (witness.commitment(), claims, proof));
}

/// One for each term of the equation.
#[test]
fn malicious_provers_are_refused() {
    let scheme = scheme(1, 2);
    let mut deviations = vec![Deviation::Weights, Deviation::Factors, Deviation::OtherSetup];
    deviations.extend([Deviation::Cancelling(1, 0), Deviation::Cancelling(0, 1)]);
    for c in 0..4 {
        deviations.extend([Deviation::Fragment(c), Deviation::NoFragment(c)]);
    }
    // Of one polynomial, and of two.
    deviations.extend([Deviation::SwappedFragments(2, 3), Deviation::SwappedFragments(1, 3)]);
    for j in 0..3 {
        deviations.push(Deviation::Elsewhere(j));
        deviations.extend((0..2).map(|p| Deviation::Value(j, p)));
        deviations.extend((0..OWN).flat_map(|i| [Deviation::Quotient(j, i), Deviation::NoQuotient(j, i)]));
        deviations.extend((0..OWN - 1).map(|i| Deviation::SwappedQuotients(j, i)));
    }
    for deviation in deviations {
        let (commitment, claims, proof) = deviating(&scheme, deviation);
        let refused = scheme.verify(&commitment, &claims, &proof).unwrap_err();
        assert_eq!(refused.0, "an opening is false", "{deviation:?}");
    }
}

/// The seal of another transcript is refused. But it is no secret: of one polynomial and one form anybody restates an opening elsewhere.
#[test]
fn seals_are_of_their_statement_and_anybody_makes_them() {
    let scheme = scheme(1, 2);
    let (commitment, claims, proof) = deviating(&scheme, Deviation::Seal);
    assert_eq!(scheme.verify(&commitment, &claims, &proof).unwrap_err().0, "a proof of another statement");
    let (scheme, srs) = (super::scheme(2, 1), srs());
    let prover = Prover::new(&scheme, &srs).unwrap();
    let witness = prover.commit(&polynomials(scheme.params())).unwrap();
    let (claims, proof) = prover.open(&witness, forms(OWN + 2)[..1].to_vec(), b"here");
    let elsewhere = Claims { context: b"elsewhere".to_vec(), ..claims };
    let refused = scheme.verify(witness.commitment(), &elsewhere, &proof).unwrap_err();
    assert_eq!(refused.0, "a proof of another statement");
    let mut tape = scheme.bound(witness.commitment(), &elsewhere).prover();
    let _ = factors(&mut tape, 1);
    proof.chunks_exact(48).for_each(|quotient| tape.send_bytes("quotient", quotient));
    let own = seal(&mut tape);
    tape.send("seal", &[own]);
    scheme.verify(witness.commitment(), &elsewhere, &tape.finish()).unwrap();
}

/// Errors of two forms that cancel if their weights are equal, and of two polynomials if their factors are.
#[test]
fn forms_and_polynomials_have_weights_of_their_own() {
    let (scheme, ones) = (scheme(1, 2), vec![Fr::one(); 3]);
    for (deviation, other) in [(Deviation::Nothing, [1, 0]), (Deviation::Factors, [0, 1])] {
        let (commitment, mut claims, proof) = deviating(&scheme, deviation);
        claims.values[0][0] += Scalar::ONE;
        claims.values[other[0]][other[1]] += -Scalar::ONE;
        // As a verifier without weights would read it: the values are said after the challenges.
        let (mut opened, _) = scheme.opened(&commitment, &claims, &proof).unwrap();
        let drawn =
            factors(&mut scheme.bound(&commitment, &deviating(&scheme, Deviation::Nothing).1).prover(), 2);
        let factors = if deviation == Deviation::Factors { &ones[..2] } else { &drawn };
        for (opening, values) in opened.openings.iter_mut().zip(&claims.values) {
            opening.value = values.iter().zip(factors).map(|(value, factor)| value.0 * factor).sum();
        }
        assert!(scheme.holds(&commitment, (factors, &opened.openings), &ones), "{deviation:?}");
        let weights = [1_u64, 2, 3].map(Fr::from);
        assert_eq!(scheme.holds(&commitment, (factors, &opened.openings), &weights), other[0] == 0);
    }
}

/// Statements of another shape, each with the honest proof for what is left of it.
#[test]
fn other_shapes_are_refused() {
    let scheme = scheme(1, 2);
    let (commitment, claims, proof) = deviating(&scheme, Deviation::Nothing);
    let shape = "another number of forms, polynomials or values";
    type Edit = fn(&mut Claims<Scalar>);
    let refused = |commitment: &Commitment, edit: &dyn Fn(&mut Claims<Scalar>)| {
        let mut claims = claims.clone();
        edit(&mut claims);
        scheme.verify(commitment, &claims, &proof).unwrap_err().0
    };
    let edits: [Edit; 7] = [
        |c| c.values.truncate(2),
        |c| c.values[1].truncate(1),
        |c| c.values[1].push(Scalar::ZERO),
        |c| c.forms.truncate(2),
        |c| c.forms[0] = TensorForm::sum(OWN),
        |c| c.forms[0] = TensorForm::sum(OWN + 2),
        |c| {
            c.forms.push(TensorForm::sum(OWN + 1));
            c.values.push(vec![Scalar::ZERO; 2]);
        },
    ];
    for (i, edit) in edits.into_iter().enumerate() {
        assert_eq!(refused(&commitment, &edit), shape, "{i}");
    }
    for count in [0, 3] {
        let fewer = Commitment { points: commitment.points()[..count].to_vec() };
        assert_eq!(refused(&fewer, &|_| ()), shape);
    }
    let more = Commitment { points: [commitment.points(), &[G1::zero()]].concat() };
    assert_eq!(refused(&more, &|_| ()), shape);
    // A factor (a, -a) is an evaluation nowhere; among the weights of the fragments it is one like others.
    let slope = |v: usize| {
        let mut factors = forms(OWN + 1)[0].factors().to_vec();
        factors[v] = [Scalar::ONE, -Scalar::ONE];
        TensorForm::new(factors)
    };
    assert_eq!(
        refused(&commitment, &|c| c.forms[0] = slope(2)),
        "a form that is no multiple of an evaluation"
    );
    let srs = srs();
    let prover = Prover::new(&scheme, &srs).unwrap();
    let witness = prover.commit(&polynomials(scheme.params())).unwrap();
    let (claims, proof) = prover.open(&witness, vec![slope(0)], b"");
    assert_eq!(scheme.verify(witness.commitment(), &claims, &proof), Ok(()));
}

/// Points that are not of the subgroup, in the place of every kind of point.
#[test]
fn points_outside_of_the_subgroup_are_refused() {
    let scheme = scheme(1, 2);
    let (commitment, claims, proof) = deviating(&scheme, Deviation::Nothing);
    // x = 4 is on the curve, outside the subgroup; the flag says compressed. x = 0 has order 3.
    for (x, at) in [(4, 0), (0, 0), (4, 48 * 4), (0, 48 * 8)] {
        let mut bytes = proof.clone();
        bytes[at..at + 48].fill(0);
        bytes[at] = 0x80;
        bytes[at + 47] = x;
        let refused = scheme.verify(&commitment, &claims, &bytes).unwrap_err();
        assert_ne!(refused.0, "an opening is false", "it is not read");
    }
    for at in [0, 48, 144] {
        let mut bytes = commitment.to_bytes();
        bytes[at..at + 48].fill(0);
        bytes[at] = 0x80;
        bytes[at + 47] = 4;
        assert!(scheme.read_commitment(&bytes).is_err());
    }
}

/// Who knows the setup's secrets opens to anything: what the assumption is about.
#[test]
fn who_knows_the_secrets_forges() {
    let scheme = scheme(0, 1);
    let (commitment, mut claims, _) = deviating(&scheme, Deviation::Nothing);
    claims.values = vec![vec![Scalar::from_u64(42)]; 3];
    let mut tape = scheme.bound(&commitment, &claims).prover();
    let _ = factors(&mut tape, 1);
    for form in &claims.forms {
        let point = SplitForm::new(scheme.params(), form).unwrap();
        let scaled = commitment.points()[0] * point.weights[0].0;
        let over = (Scalar(secret()[0]) - point.point[0]).inverse().unwrap();
        let first = (scaled - G1::generator() * Fr::from(42_u64)) * over.0;
        for quotient in [first.into_affine(), G1::zero(), G1::zero()] {
            tape.send_bytes("quotient", &encode_g1(&quotient));
        }
    }
    let own = seal(&mut tape);
    tape.send("seal", &[own]);
    scheme.verify(&commitment, &claims, &tape.finish()).unwrap();
}
