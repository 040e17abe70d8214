//! Openings of the scheme: true ones, and provers that are honest but for one thing.

use curve::bls12_381::{Fr, G1, encode_g1};
use curve::srs::Srs;
use curve::{AffineRepr, CurveGroup, Zero};
use iop::security::Policy;

use super::super::verifier::factors;
use super::super::*;

const NONE: Policy = Policy::at_least(0);
pub(super) const COEFFICIENTS: usize = 20;

pub(super) fn srs() -> Srs {
    Srs::insecure_from_tau(Fr::from(0x1234_5678_9abc_u64), COEFFICIENTS)
}

pub(super) fn scheme(polynomials: usize) -> Scheme {
    let key = Key::new(&srs()).unwrap();
    Scheme::new(Params { key, polynomials, max_points: 4 }, &NONE).unwrap()
}

pub(super) fn polynomials(count: u64) -> Vec<Vec<Fr>> {
    let one = |p: u64| (0..17 + p).map(|i| Fr::from((p + 1) * 0x9e37_79b9 + i * i)).collect();
    (0..count).map(one).collect()
}

fn points() -> [Fr; 3] {
    [3_u64, 5, 7].map(Fr::from)
}

/// What a prover says in place of the truth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Deviation {
    Nothing,
    /// A value is off by one, and the quotient is made to fit as far as division goes.
    Value(usize, usize),
    /// The opening of this point is another point.
    Opening(usize),
    /// The opening of this point is one at another.
    Elsewhere(usize),
    /// All polynomials have the factor 1.
    Factors,
    /// The commitment to this polynomial is to another one.
    Committed(usize),
}

/// The prover of the scheme, line by line, with a deviation in it.
fn deviating(scheme: &Scheme, deviation: Deviation) -> (Commitment, Evaluations, Vec<u8>) {
    let srs = srs();
    let table = Table::new(srs.powers(COEFFICIENTS).unwrap());
    let polynomials = polynomials(scheme.params().polynomials as u64);
    let mut commitments: Vec<G1> = polynomials.iter().map(|p| commit(&table, p).into_affine()).collect();
    if let Deviation::Committed(p) = deviation {
        commitments[p] = (commitments[p] + G1::generator()).into_affine();
    }
    let commitment = Commitment { points: commitments };
    let mut values: Vec<Vec<Fr>> =
        points().iter().map(|z| polynomials.iter().map(|p| evaluate(p, *z)).collect()).collect();
    if let Deviation::Value(j, p) = deviation {
        values[j][p] += Fr::from(1_u64);
    }
    let stated = Evaluations { points: points().to_vec(), values, context: b"context".to_vec() };
    let mut tape = scheme.bound(&commitment, &stated).prover();
    let mut factors = factors(&mut tape, polynomials.len());
    if deviation == Deviation::Factors {
        factors.fill(Fr::from(1_u64));
    }
    let mut combined = vec![Fr::zero(); COEFFICIENTS];
    for (polynomial, factor) in polynomials.iter().zip(&factors) {
        combined.iter_mut().zip(polynomial).for_each(|(sum, c)| *sum += *factor * c);
    }
    for (j, z) in points().iter().enumerate() {
        let at = if deviation == Deviation::Elsewhere(j) { *z + Fr::from(1_u64) } else { *z };
        let mut opening = commit(&table, &divide(&combined, at).0);
        if deviation == Deviation::Opening(j) {
            opening += G1::generator();
        }
        tape.send_bytes("opening", &encode_g1(&opening.into_affine()));
    }
    (commitment, stated, tape.finish())
}

#[test]
fn openings_at_many_points() {
    for (count, at) in [(1, 1), (1, 3), (3, 1), (3, 3)] {
        let scheme = scheme(count);
        let srs = srs();
        let prover = Prover::new(&scheme, &srs, COEFFICIENTS).unwrap();
        let witness = prover.commit(polynomials(count as u64)).unwrap();
        let (stated, proof) = prover.open(&witness, &points()[..at], b"context");
        assert_eq!(proof.len(), 48 * at);
        assert_eq!(stated.values[0][0], evaluate(&polynomials(1)[0], points()[0]));
        let commitment = scheme.read_commitment(&witness.commitment().to_bytes()).unwrap();
        assert_eq!(commitment, *witness.commitment());
        scheme.verify(&commitment, &stated, &proof).unwrap();
    }
}

#[test]
fn the_prover_is_honest_without_a_deviation() {
    let scheme = scheme(3);
    let srs = srs();
    let prover = Prover::new(&scheme, &srs, COEFFICIENTS).unwrap();
    let witness = prover.commit(polynomials(3)).unwrap();
    let (stated, proof) = prover.open(&witness, &points(), b"context");
    let (commitment, theirs, bytes) = deviating(&scheme, Deviation::Nothing);
    assert_eq!((&commitment, theirs, bytes), (witness.commitment(), stated, proof));
}

/// One for each equation, and for what each depends on.
#[test]
fn malicious_provers_are_refused() {
    let scheme = scheme(3);
    let mut deviations = vec![Deviation::Factors];
    for j in 0..3 {
        deviations.extend([Deviation::Opening(j), Deviation::Elsewhere(j), Deviation::Committed(j)]);
        deviations.extend((0..3).map(|p| Deviation::Value(j, p)));
    }
    for deviation in deviations {
        let (commitment, stated, proof) = deviating(&scheme, deviation);
        let refused = scheme.verify(&commitment, &stated, &proof).unwrap_err();
        assert_eq!(refused.0, "an opening is false", "{deviation:?}");
    }
}

/// Errors at two points that cancel if their weights are equal.
#[test]
fn points_have_weights_of_their_own() {
    let scheme = scheme(1);
    let (commitment, mut stated, proof) = deviating(&scheme, Deviation::Nothing);
    let one = Fr::from(1_u64);
    stated.values[0][0] += one;
    stated.values[1][0] -= one;
    let (opened, _) = scheme.opened(&commitment, &stated, &proof).unwrap();
    let holds = |weights: [u64; 3]| {
        let mut claims = Claims::default();
        opened.add_to(&mut claims, &weights.map(Fr::from));
        claims.hold(&scheme.params().key)
    };
    assert!(holds([1, 1, 1]) && !holds([1, 2, 3]));
    assert!(scheme.verify(&commitment, &stated, &proof).is_err());
}

#[test]
fn what_is_stated_is_bound() {
    let scheme = scheme(2);
    let (commitment, stated, proof) = deviating(&scheme, Deviation::Nothing);
    let refuses = |commitment: &Commitment, stated: &Evaluations, proof: &[u8]| {
        assert!(scheme.verify(commitment, stated, proof).is_err());
    };
    scheme.verify(&commitment, &stated, &proof).unwrap();
    let edited = |edit: &dyn Fn(&mut Evaluations)| {
        let mut other = stated.clone();
        edit(&mut other);
        refuses(&commitment, &other, &proof);
    };
    edited(&|s| s.context.push(0));
    edited(&|s| s.points.swap(0, 1));
    edited(&|s| s.values.swap(0, 1));
    edited(&|s| s.values[0].swap(0, 1));
    // Shapes: fewer and more points, values, polynomials.
    edited(&|s| s.points.truncate(2));
    edited(&|s| s.values.truncate(2));
    edited(&|s| s.values[1].truncate(1));
    edited(&|s| s.values[1].push(Fr::zero()));
    edited(&|s| (s.points, s.values) = (vec![], vec![]));
    edited(&|s| {
        s.points.extend([Fr::from(9_u64), Fr::from(10_u64)]);
        s.values.extend([vec![Fr::zero(); 2], vec![Fr::zero(); 2]]);
    });
    let mut swapped = commitment.clone();
    swapped.points.swap(0, 1);
    refuses(&swapped, &stated, &proof);
    refuses(&Commitment { points: commitment.points[..1].to_vec() }, &stated, &proof);
    // Every byte of the proof, and its length.
    for at in 0..proof.len() {
        let mut other = proof.clone();
        other[at] ^= 1 << (at % 8);
        refuses(&commitment, &stated, &other);
    }
    refuses(&commitment, &stated, &proof[..proof.len() - 1]);
    refuses(&commitment, &stated, &[&proof[..], &[0]].concat());
    refuses(&commitment, &stated, &[&proof[48..96], &proof[..48], &proof[96..]].concat());
    // Other parameters, other challenges: a proof is for one scheme.
    let params = Params { max_points: 5, ..scheme.params().clone() };
    assert!(Scheme::new(params, &NONE).unwrap().verify(&commitment, &stated, &proof).is_err());
}

/// Every parameter is in the digest that a transcript starts with.
#[test]
fn parameters_are_bound() {
    let params = scheme(2).params().clone();
    let key = Key::new(&Srs::insecure_from_tau(Fr::from(99_u64), 2)).unwrap();
    for other in [
        Params { key, ..params.clone() },
        Params { polynomials: 3, ..params.clone() },
        Params { max_points: 5, ..params.clone() },
    ] {
        assert_ne!(other.digest(), params.digest());
    }
}

/// Statements of another shape, each with a proof that is made for it: what has no equation would be stated all the same.
#[test]
fn other_shapes_are_refused() {
    let scheme = scheme(2);
    let srs = srs();
    let table = Table::new(srs.powers(COEFFICIENTS).unwrap());
    let polynomials = polynomials(2);
    let says = |points: u64, edit: &dyn Fn(&mut Commitment, &mut Evaluations)| {
        let points: Vec<Fr> = (2..2 + points).map(Fr::from).collect();
        let values = points.iter().map(|z| polynomials.iter().map(|p| evaluate(p, *z)).collect()).collect();
        let mut stated = Evaluations { points, values, context: vec![] };
        let mut commitment =
            Commitment { points: polynomials.iter().map(|p| commit(&table, p).into_affine()).collect() };
        edit(&mut commitment, &mut stated);
        let mut tape = scheme.bound(&commitment, &stated).prover();
        let factors = factors(&mut tape, 2);
        let mut combined = vec![Fr::zero(); COEFFICIENTS];
        for (polynomial, factor) in polynomials.iter().zip(&factors) {
            combined.iter_mut().zip(polynomial).for_each(|(sum, c)| *sum += *factor * c);
        }
        for (z, _) in stated.points.iter().zip(&stated.values) {
            let opening = commit(&table, &divide(&combined, *z).0).into_affine();
            tape.send_bytes("opening", &encode_g1(&opening));
        }
        scheme.verify(&commitment, &stated, &tape.finish())
    };
    assert_eq!(says(1, &|_, _| ()), Ok(()));
    assert_eq!(says(4, &|_, _| ()), Ok(()));
    let extra = || vec![Fr::from(42_u64); 2];
    let refused = [
        says(0, &|_, _| ()),
        says(5, &|_, _| ()),
        says(2, &|_, s| s.values.truncate(1)),
        says(2, &|_, s| s.values.push(extra())),
        says(2, &|_, s| s.values[1].push(Fr::from(42_u64))),
        says(2, &|_, s| s.values[0].truncate(1)),
        says(2, &|c, _| c.points.push(G1::generator())),
        says(2, &|c, _| c.points.truncate(1)),
    ];
    for (i, refused) in refused.into_iter().enumerate() {
        assert_eq!(refused.unwrap_err().0, "another number of points, polynomials or values", "{i}");
    }
}

#[test]
fn commitments_are_points_of_the_subgroup() {
    let scheme = scheme(2);
    let (commitment, _, _) = deviating(&scheme, Deviation::Nothing);
    let bytes = commitment.to_bytes();
    assert_eq!(scheme.read_commitment(&bytes), Ok(commitment));
    let [more, byte] = [&bytes[..48], &[0]].map(|behind| [&bytes[..], behind].concat());
    for other in [&bytes[..48], &bytes[..95], &more, &byte, &[]] {
        assert!(scheme.read_commitment(other).is_err());
    }
    for at in [0, 48] {
        let mut outside = bytes.clone();
        outside[at..at + 48].fill(0);
        // x = 4 is on the curve, outside the subgroup; the flag says compressed.
        outside[at] = 0x80;
        outside[at + 47] = 4;
        assert!(scheme.read_commitment(&outside).is_err());
    }
}

/// No polynomial is longer than the setup has powers.
#[test]
fn the_setup_limits_the_degree() {
    let (srs, scheme) = (srs(), scheme(1));
    let refused =
        |coefficients: usize| Prover::new(&scheme, &srs, coefficients).err().unwrap().reason().to_owned();
    assert_eq!(refused(COEFFICIENTS + 1), "21 coefficients, and a setup of 20 powers");
    assert_eq!(refused(0), "0 coefficients, and a setup of 20 powers");
    let prover = Prover::new(&scheme, &srs, 10).unwrap();
    let long = prover.commit(vec![vec![Fr::zero(); 11]]).err().unwrap();
    assert_eq!(long.reason(), "a polynomial of 11 coefficients, 10 at most");
    assert!(prover.commit(polynomials(2)).is_err() && prover.commit(vec![]).is_err());
    let other = Srs::insecure_from_tau(Fr::from(99_u64), COEFFICIENTS);
    assert!(Prover::new(&scheme, &other, 10).is_err(), "another setup");
    // Constants, and nothing at all, are polynomials.
    for polynomial in [vec![], vec![Fr::from(5_u64)], vec![Fr::zero(); 10]] {
        let witness = prover.commit(vec![polynomial]).unwrap();
        let (stated, proof) = prover.open(&witness, &points(), b"");
        scheme.verify(witness.commitment(), &stated, &proof).unwrap();
    }
}

/// Honest about what there is not: proven bits, and hiding.
#[test]
fn it_proves_no_bits_and_hides_nothing() {
    let params = scheme(1).params().clone();
    for min_bits in [1, 100] {
        let refused = Scheme::new(params.clone(), &Policy::at_least(min_bits)).err().unwrap();
        assert!(refused.reason().contains("KZG proves no bits"), "{refused}");
    }
    for (polynomials, max_points) in [(0, 1), (1, 0), (4097, 1), (1, 4097)] {
        assert!(Scheme::new(Params { polynomials, max_points, ..params.clone() }, &NONE).is_err());
    }
    // A guess at the polynomial is confirmed by its commitment.
    let (scheme, srs) = (scheme(1), srs());
    let prover = Prover::new(&scheme, &srs, COEFFICIENTS).unwrap();
    let [first, again] = [0, 1].map(|_| prover.commit(polynomials(1)).unwrap().commitment().to_bytes());
    assert_eq!(first, again);
}

/// Who knows the setup's secret opens to anything: what the assumption is about.
#[test]
fn who_knows_the_secret_forges() {
    let tau = Fr::from(0x1234_5678_9abc_u64);
    let scheme = scheme(1);
    let (commitment, mut stated, _) = deviating(&scheme, Deviation::Nothing);
    stated.values = vec![vec![Fr::from(42_u64)]; 3];
    let mut tape = scheme.bound(&commitment, &stated).prover();
    let _ = factors(&mut tape, 1);
    for z in points() {
        use curve::Field;
        let over = (tau - z).inverse().unwrap();
        let opening = (commitment.points[0] - G1::generator() * Fr::from(42_u64)) * over;
        tape.send_bytes("opening", &encode_g1(&opening.into_affine()));
    }
    scheme.verify(&commitment, &stated, &tape.finish()).unwrap();
}

/// The factor is drawn after the statement: another statement, another factor.
#[test]
fn factors_depend_on_the_statement() {
    let scheme = scheme(2);
    let (commitment, stated, _) = deviating(&scheme, Deviation::Nothing);
    let draw = |stated: &Evaluations| factors(&mut scheme.bound(&commitment, stated).prover(), 2)[1];
    let first = draw(&stated);
    let mut other = stated.clone();
    other.values[2][1] += Fr::from(1_u64);
    assert!(first != draw(&other) && first == draw(&stated));
    // And on each other part of it.
    let edits: [fn(&mut Evaluations); 3] =
        [|s| s.points[1] += Fr::from(1_u64), |s| s.context.push(0), |s| s.values.swap(0, 1)];
    for edit in edits {
        let mut other = stated.clone();
        edit(&mut other);
        assert!(first != draw(&other));
    }
    let mut swapped = commitment.clone();
    swapped.points.swap(0, 1);
    assert!(first != factors(&mut scheme.bound(&swapped, &stated).prover(), 2)[1]);
}
