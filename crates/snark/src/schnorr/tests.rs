use std::collections::HashSet;

use curve::AdditiveGroup;

use super::*;
use crate::gadgets::boolean::boolean;
use crate::gadgets::points::Point as Cells;
use crate::r1cs::{Builder, LinearCombination};
use crate::testing::{affine, audited, publish, scalars, stopped_by};

const EDGES: [u128; 5] = [0, 1, u128::MAX, 0x5555 << 112 | 0x5555, u128::MAX / 3];

#[test]
fn the_endomorphism_is_a_multiplication() {
    let Endomorphism { beta, zeta } = *endomorphism();
    assert_ne!(beta, Fr::ONE);
    assert_eq!((beta * beta * beta, zeta * zeta + zeta + Scalar::ONE), (Fr::ONE, Scalar::ZERO));
    for scalar in scalars(2).take(3) {
        let point = affine(Point::generator() * scalar);
        assert_eq!(affine(point * zeta), Point::new_unchecked(point.x * beta, point.y));
    }
}

/// What makes all additions safe and challenges different: both parts are positive and have 65 bits, and no two challenges have the same.
#[test]
fn parts_of_challenges_are_short_and_different() {
    let random = scalars(3).map(|scalar| {
        let words = scalar.into_bigint().0;
        u128::from(words[0]) | u128::from(words[1]) << 64
    });
    let mut seen = HashSet::new();
    for challenge in EDGES.into_iter().chain(random.take(200)).chain(2..1000).chain((64..128).map(|i| 1 << i))
    {
        let parts = challenge_parts(challenge);
        assert!(parts.iter().all(|&part| (1..1 << 65).contains(&part)), "{challenge:x}");
        assert!(seen.insert(parts), "{challenge:x}");
    }
}

#[test]
fn multiples_by_challenges() {
    let keys = [
        Scalar::ONE,
        -Scalar::ONE,
        Scalar::from(2u64),
        endomorphism().zeta,
        challenge_scalar(1).inverse().unwrap(),
    ];
    for (challenge, key) in EDGES.into_iter().zip(keys.into_iter().chain(scalars(4))) {
        let key = affine(Point::generator() * key);
        let circuit = |builder: &mut Builder<Fr>| {
            let point = Cells { x: builder.public(|| key.x), y: builder.public(|| key.y) };
            let bits: Vec<_> =
                (0..128).map(|i| boolean(builder, "bit", || challenge >> i & 1 == 1)).collect();
            let product = multiply_by_challenge(builder, &point, &bits);
            publish(builder, &product, &affine(key * challenge_scalar(challenge)));
        };
        assert_eq!(audited(circuit), Ok(128 + 448 + 2), "{challenge:x}");
    }
}

/// A signature with everything that it is about.
#[derive(Clone)]
struct Signed {
    domain: Fr,
    key: Point,
    message: Vec<Fr>,
    signature: (u128, Scalar),
}

impl Signed {
    fn new(words: u64) -> Self {
        let secret = scalars(5).next().unwrap();
        let (domain, key) = (Fr::from(99u64), affine(Point::generator() * secret));
        let message: Vec<Fr> = (0..words).map(|word| Fr::from(word + 11)).collect();
        for nonce in scalars(6) {
            let commitment = affine(Point::generator() * nonce);
            if let Some(c) = challenge(domain, commitment.x, key.x, &message) {
                return Self { domain, key, message, signature: (c, nonce + challenge_scalar(c) * secret) };
            }
        }
        unreachable!("some nonce has a challenge")
    }

    fn circuit(&self) -> impl Fn(&mut Builder<Fr>) {
        |builder: &mut Builder<Fr>| {
            let domain = builder.public(|| self.domain);
            let point = Cells { x: builder.public(|| self.key.x), y: builder.public(|| self.key.y) };
            let message: Vec<LinearCombination<Fr>> =
                self.message.iter().map(|word| builder.public(|| *word)).collect();
            verify_gadget(builder, Key { domain: &domain, point: &point }, &message, || self.signature);
        }
    }
}

#[test]
fn signatures_are_verified_in_the_constraints_that_the_notes_state() {
    let counts = [1, 2, 3].map(|words| audited(Signed::new(words).circuit()));
    assert_eq!(counts, [Ok(1646), Ok(1682), Ok(1706)]);
}

#[test]
fn everything_that_is_signed_is_bound() {
    let signed = Signed::new(1);
    let (c, s) = signed.signature;
    let other = affine(Point::generator() * Scalar::from(7u64));
    let changed = [
        Signed { domain: Fr::from(100u64), ..signed.clone() },
        Signed { key: other, ..signed.clone() },
        Signed { key: -signed.key, ..signed.clone() },
        Signed { message: vec![Fr::from(12u64)], ..signed.clone() },
        Signed { signature: (c ^ 1, s), ..signed.clone() },
        Signed { signature: (c ^ 1 << 127, s), ..signed.clone() },
        Signed { signature: (c, s + Scalar::ONE), ..signed.clone() },
        Signed { signature: (c, -s), ..signed.clone() },
    ];
    for changed in changed {
        assert_eq!(stopped_by(changed.circuit()), "schnorr: challenge");
    }
}

/// With `s = [c] a` both multiples are equal, any slope satisfies the subtraction, and `R.x` could be chosen to fit any challenge.
#[test]
fn a_commitment_to_the_identity_is_stopped_by_the_check_alone() {
    let signed = Signed::new(1);
    let secret = scalars(5).next().unwrap();
    for s in [challenge_scalar(3) * secret, -challenge_scalar(3) * secret] {
        let forged = Signed { signature: (3, s), ..signed.clone() };
        assert_eq!(stopped_by(forged.circuit()), "schnorr: R");
    }
}

/// The circuit takes the bits of the hash as a number below `3 · 2^252`, which the bits of the hash plus the order are not.
#[test]
fn hashes_without_a_challenge_are_refused() {
    let secret = scalars(5).next().unwrap();
    let signed = Signed::new(1);
    let nonce = scalars(7)
        .find(|nonce| {
            challenge(signed.domain, affine(Point::generator() * nonce).x, signed.key.x, &signed.message)
                .is_none()
        })
        .unwrap();
    let hash = hash(signed.domain, &[affine(Point::generator() * nonce).x, signed.key.x, signed.message[0]]);
    let words = hash.into_bigint().0;
    let low = u128::from(words[0]) | u128::from(words[1]) << 64;
    let forged = Signed { signature: (low, nonce + challenge_scalar(low) * secret), ..signed };
    assert_eq!(stopped_by(forged.circuit()), "schnorr: hash in range");
}
