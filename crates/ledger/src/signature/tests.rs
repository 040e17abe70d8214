mod vectors;

use super::*;
use crate::machine::Domain;
use curve::grumpkin::{Projective, encode_fr};
use curve::{One, PrimeField, Zero};

const CHAIN: Domain = Domain([7; 31]);

fn message(x: u64) -> Message {
    Message([Fq::from(x), Fq::from(x + 1), Fq::from(0)])
}

fn secret(x: u8) -> Secret {
    Secret::from_seed(&[x; 32])
}

/// The definition, in arkworks' arithmetic.
fn holds(key: &PublicKey, message: &Message, signature: &Signature) -> bool {
    let c = challenge_scalar(signature.challenge);
    let nonce =
        Projective::from(Point::generator()) * signature.response - Projective::from(*key.point()) * c;
    let nonce = nonce.into_affine();
    let inputs = [&[nonce.x, key.x()], message.words()].concat();
    let words = snark::poseidon::hash(CHAIN.element(), &inputs).into_bigint().0;
    let low = u128::from(words[1]) << 64 | u128::from(words[0]);
    !nonce.is_zero() && words[3] >> 60 < 3 && signature.challenge == low
}

#[test]
fn signatures_hold_and_are_those_of_the_definition() {
    for i in 0..4 {
        let (key, m) = (secret(i), message(u64::from(i)));
        let signature = key.sign_with(&CHAIN, &m, &[i; 32]);
        assert!(holds(&key.public(), &m, &signature));
        key.public().verify(&CHAIN, &m, &signature).unwrap();
        assert_eq!(signature, key.sign_with(&CHAIN, &m, &[i; 32]), "the nonce is a function of its inputs");
        assert_eq!(Signature::from_bytes(&signature.to_bytes()), Ok(signature));
        let other = key.sign(&CHAIN, &m);
        assert_ne!(other, signature, "random bytes go in");
        key.public().verify(&CHAIN, &m, &other).unwrap();
    }
}

#[test]
fn the_nonce_depends_on_chain_message_and_secret() {
    let nonce_point = |secret: &Secret, domain: &Domain, m: &Message| {
        let s = secret.sign_with(domain, m, &[0; 32]);
        let c = challenge_scalar(s.challenge);
        (Projective::from(Point::generator()) * s.response - Projective::from(*secret.public().point()) * c)
            .into_affine()
    };
    let points = [
        nonce_point(&secret(1), &CHAIN, &message(1)),
        nonce_point(&secret(2), &CHAIN, &message(1)),
        nonce_point(&secret(1), &Domain([8; 31]), &message(1)),
        nonce_point(&secret(1), &CHAIN, &message(2)),
        nonce_point(&secret(1), &CHAIN, &Message([Fq::from(1), Fq::from(2), Fq::from(1)])),
    ];
    for (i, p) in points.iter().enumerate() {
        assert!(points[..i].iter().all(|q| q.x != p.x), "nonce {i} is used twice");
    }
}

#[test]
fn every_flipped_bit_is_refused() {
    let (key, m) = (secret(1), message(5));
    let bytes = key.sign_with(&CHAIN, &m, &[0; 32]).to_bytes();
    assert_eq!(bytes.len(), 48);
    for bit in 0..8 * bytes.len() {
        let mut bad = bytes.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        if let Ok(signature) = Signature::from_bytes(&bad) {
            assert!(key.public().verify(&CHAIN, &m, &signature).is_err(), "bit {bit}");
        }
    }
    for other in [message(6), Message([m.0[0], m.0[1], Fq::one()]), Message([m.0[0], Fq::zero(), m.0[2]])] {
        let signature = Signature::from_bytes(&bytes).unwrap();
        assert!(key.public().verify(&CHAIN, &other, &signature).is_err(), "another message");
    }
    let signature = Signature::from_bytes(&bytes).unwrap();
    assert!(key.public().verify(&Domain([8; 31]), &m, &signature).is_err(), "another chain");
    assert!(secret(2).public().verify(&CHAIN, &m, &signature).is_err(), "another key");
}

/// A response has one encoding: the one below the order.
#[test]
fn a_response_that_is_not_below_the_order_is_refused() {
    let signature = secret(1).sign_with(&CHAIN, &message(1), &[0; 32]);
    let order = Fr::MODULUS.0;
    let add = |words: [u64; 4]| {
        let (mut sum, mut carry) = ([0; 4], false);
        for i in 0..4 {
            let (x, first) = words[i].overflowing_add(order[i]);
            let (x, second) = x.overflowing_add(u64::from(carry));
            (sum[i], carry) = (x, first | second);
        }
        assert!(!carry);
        sum.map(u64::to_le_bytes).concat()
    };
    for response in [signature.response.into_bigint().0, [0; 4]] {
        let mut bytes = signature.challenge.to_le_bytes().to_vec();
        bytes.extend(add(response));
        assert!(Signature::from_bytes(&bytes).is_err());
    }
    let bytes = signature.to_bytes();
    assert!(Signature::from_bytes(&bytes[..47]).is_err());
    assert!(Signature::from_bytes(&[&bytes[..], &[0]].concat()).is_err());
}

#[test]
fn values_at_the_ends_are_refused() {
    let (key, m) = (secret(1), message(1));
    let signature = key.sign_with(&CHAIN, &m, &[0; 32]);
    let bad = |challenge, response| {
        let result = key.public().verify(&CHAIN, &m, &Signature { challenge, response });
        assert!(result.is_err(), "{challenge} {response}");
    };
    bad(signature.challenge, Fr::zero());
    bad(0, signature.response);
    bad(u128::MAX, signature.response);
    bad(signature.challenge, -signature.response);
    // The identity as nonce, whose first coordinate arkworks says is 0.
    bad(0, Fr::zero());
    let c = challenge(&CHAIN, &Fq::zero(), &key.public().x(), &m).unwrap_or(9);
    for response in [challenge_scalar(c) * scalar(&key), -challenge_scalar(c) * scalar(&key), Fr::zero()] {
        assert_eq!(
            key.public().verify(&CHAIN, &m, &Signature { challenge: c, response }),
            Err(Invalid("the nonce of the signature is the identity, or the response is degenerate"))
        );
    }
}

fn scalar(secret: &Secret) -> Fr {
    grumpkin::decode_fr(&secret.encode()).unwrap()
}

/// `R.x` is that of `R` and `-R`: whoever has the secret turns `(c, s)` into `(c, 2 c a - s)`. The nonce of the account, not the signature, keeps a
/// transaction from coming twice.
#[test]
fn the_owner_alone_makes_a_second_signature_with_the_same_challenge() {
    let (key, m) = (secret(1), message(1));
    let signature = key.sign_with(&CHAIN, &m, &[0; 32]);
    let c = challenge_scalar(signature.challenge);
    let twin = Signature { response: c * scalar(&key) + c * scalar(&key) - signature.response, ..signature };
    key.public().verify(&CHAIN, &m, &twin).unwrap();
    for guess in
        [-signature.response, signature.response + c, c - signature.response, c + c - signature.response]
    {
        let bad = Signature { response: guess, ..signature };
        assert!(key.public().verify(&CHAIN, &m, &bad).is_err(), "without the secret");
    }
}

#[test]
fn keys_are_points_of_the_curve_with_an_even_y() {
    assert!(PublicKey::from_point(Point::zero()).is_err());
    let p = *secret(1).public().point();
    assert!(PublicKey::from_point(Point::new_unchecked(p.x, p.y + Fq::one())).is_err());
    assert!(PublicKey::from_bytes(&[0; 64]).is_err());
    assert_eq!(PublicKey::from_point(p).map(|key| *key.point()), Ok(p));
    assert!(PublicKey::from_point(-p).is_err(), "its x has a key already");
    let key = secret(1).public();
    let negative = [grumpkin::encode_fq(&p.x), grumpkin::encode_fq(&-p.y)].concat();
    assert!(PublicKey::from_bytes(&negative).is_err());
    assert_eq!(PublicKey::from_bytes(&key.to_bytes()), Ok(key));
    for bit in 0..512 {
        let mut bytes = key.to_bytes();
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(PublicKey::from_bytes(&bytes).is_err(), "bit {bit}");
    }
}

#[test]
fn secrets_are_from_1_to_the_order() {
    assert!(Secret::decode(&[0; 32]).is_err());
    let mut order = encode_fr(&-Fr::one());
    // 1 and -1: one of the two has a key.
    let ends = [Fr::one(), -Fr::one()].map(|scalar| Secret::decode(&encode_fr(&scalar)));
    let ([Ok(largest), Err(_)] | [Err(_), Ok(largest)]) = ends else { panic!("both or none: {ends:?}") };
    assert_eq!(largest.public().point().x, Point::generator().x);
    order[0] += 1;
    assert!(Secret::decode(&order).is_err(), "the order itself");
    assert_eq!(format!("{largest:?}").matches("scalar").count(), 0, "secrets are not printed");
}

#[test]
fn key_files_are_read_exactly() {
    let key = secret(3);
    let bytes = encode_key(&key);
    assert_eq!(decode_key(&bytes).unwrap(), key);
    for bit in 0..8 * bytes.len() {
        let mut bad = bytes.to_vec();
        bad[bit / 8] ^= 1 << (bit % 8);
        assert!(decode_key(&bad).is_err(), "bit {bit}");
    }
    assert_eq!(decode_key(&bytes[..70]), Err(KeyFileError::Length));
    assert_eq!(decode_key(&[&bytes[..], &[0]].concat()), Err(KeyFileError::Length));
    assert_eq!(decode_key(b"TNF"), Err(KeyFileError::Magic));
}
