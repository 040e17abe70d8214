//! The selector of the keys: a constant of the domain, and no choice of whoever makes a commitment.

use std::sync::Arc;

use curve::bandersnatch::{Fr as Scalar, Point, doublings};
use curve::bls12_381::Fr;
use curve::jubjub::Jubjub;
use curve::srs::Srs;
use curve::{CurveGroup, Field, One, Zero};
use zeroize::Zeroizing;

use super::{Scene, bases, members, setup};
use crate::kzg::commit;
use crate::prover::{Honest, Secret, Witness};
use crate::setup::Blinds;
use crate::{Batch, Domain, Invalid, Params, Prover, Rejected, Ring, SCALAR_BITS, Setup, Verifier};

const FORGED: Invalid = Invalid("the selector is not that of the domain");

#[test]
fn the_value_of_the_selector_is_that_of_its_polynomial() {
    let domains = [512, 1024].map(|size| Domain::new(size).unwrap());
    for domain in domains.into_iter().chain([Domain::on::<Jubjub>(512).unwrap()]) {
        let tail = domain.tail();
        assert_eq!(tail.len(), domain.size() - domain.capacity());
        assert_eq!(tail[0], domain.omega().pow([domain.capacity() as u64]));
        let z = Fr::from(0x1234_5678_u64).pow([7]);
        // L_i(z) = w^i / N (z^N - 1) / (z - w^i)
        let over_n = (z.pow([domain.size() as u64]) - Fr::one()) / Fr::from(domain.size() as u64);
        let first = (0..domain.capacity() as u64).map(|i| domain.omega().pow([i]));
        let value: Fr = first.map(|w| w * over_n / (z - w)).sum();
        assert!(domain.selects(&tail, z, value));
        for other in [value + Fr::one(), Fr::zero(), Fr::one(), -value] {
            assert!(!domain.selects(&tail, z, other));
        }
    }
    let setup = setup();
    let z = Fr::from(99_u64);
    assert!(setup.domain.selects(&setup.domain.tail(), z, setup.coset.s.evaluate(z)));
}

/// A selector that is 1 in the row of `H` alone: whoever made the commitment proves membership for `t H`, with no key at all.
#[test]
fn a_forged_selector_is_refused() {
    let (honest, mut forged) = (setup(), Setup::new(Srs::zcash(), setup().domain()).unwrap());
    let keys = forged.domain.capacity();
    let mut rows = vec![Fr::zero(); forged.domain.size()];
    rows[keys] = Fr::one();
    forged.coset.s = forged.coset.coefficients(&rows);
    for i in 0..4 {
        forged.coset.quarters[i].s = forged.coset.values(&forged.coset.quarters[i], &forged.coset.s);
    }
    let selector = commit(&forged.powers, &forged.coset.s.values());
    forged.steps[0] = (selector + forged.steps[keys]).into_affine();
    let forged = Arc::new(forged);
    let ring = Ring::with_members(&forged, bases(), &members(3)).unwrap();
    let prover = Prover::new(&forged, &ring).unwrap();

    // Its lowest bit is set, which is what the selector counts.
    let t = Scalar::from(0x1234_5678_9abc_def1_u64);
    let mut points = ring.points();
    points.extend(doublings(bases().blinding(), SCALAR_BITS));
    let blinds: Blinds = core::array::from_fn(|i| core::array::from_fn(|j| Fr::from((3 * i + j + 1) as u64)));
    let secret = Secret { index: 0, blinding: &t, blinds: &blinds };
    let mut witness = Witness::new(&forged, bases(), points.split_at(keys), &secret);
    let [b, ip, x, y] = &mut witness.columns;
    b[0] = Fr::zero();
    ip[..=keys].fill(Fr::zero());
    let mut sum = *bases().seed();
    for i in 0..=forged.domain.last_row() {
        (x[i], y[i]) = (sum.x, sum.y);
        if i < points.len() && b[i].is_one() {
            sum = (sum + points[i]).into_affine();
        }
    }
    witness.result = (sum - bases().seed()).into_affine();
    let nobody: Point = (*bases().blinding() * t).into_affine();
    assert_eq!(witness.result, nobody);
    let column = |rows: &Zeroizing<Vec<Fr>>| {
        commit(&forged.powers, &forged.coset.coefficients(rows).values()).into_affine()
    };
    let proof = prover.finish(&witness, witness.columns.each_ref().map(column), &Honest);

    let verifier = Verifier::new(ring.params(), honest.key(), &ring.commitment());
    assert_eq!(verifier.verify(&nobody, &proof), Err(FORGED));
    let mut batch = Batch::new(honest.key());
    batch.push(&verifier, &nobody, &proof).unwrap();
    assert_eq!(batch.verify(), Err(Rejected::Items(vec![0])));
    // With the value that the domain's selector has, the commitment does not open to it.
    let mut other = proof.clone();
    let mut transcript = verifier.prelude.clone();
    transcript.columns(&nobody, &other.columns);
    let zeta = transcript.quotient(&other.quotient);
    other.values[2] = honest.coset.s.evaluate(zeta);
    assert_eq!(verifier.verify(&nobody, &other), Err(Invalid("an opening is false")));
    // Nor does that proof, whose selector a batch compares first, let the forged one behind it pass.
    let mut batch = Batch::new(honest.key());
    [&other, &proof].iter().for_each(|proof| batch.push(&verifier, &nobody, proof).unwrap());
    assert_eq!(batch.verify(), Err(Rejected::Items(vec![0, 1])));
}

/// A verifier that takes the commitment for one of another domain: of other rows, or for scalars of another length.
#[test]
fn a_commitment_of_another_domain_is_refused() {
    let scene = Scene::new(setup(), &members(3), 1);
    let refused = |domain: Domain| {
        let params = Params { domain, ..scene.ring.params().clone() };
        let verifier = Verifier::new(&params, scene.setup.key(), &scene.ring.commitment());
        let mut batch = Batch::new(scene.setup.key());
        batch.push(&verifier, &scene.result, &scene.proof).unwrap();
        assert_eq!(batch.verify(), Err(Rejected::Items(vec![0])));
        verifier.verify(&scene.result, &scene.proof)
    };
    assert_eq!(refused(Domain::new(1024).unwrap()), Err(Invalid("an opening is false")));
    // One slot more: nothing but the selector tells.
    assert_eq!(refused(Domain::on::<Jubjub>(512).unwrap()), Err(FORGED));
}
