//! Proofs and statements that were changed on the way. Each takes a scheme with 64 entries.

use super::*;
use crate::pip::Commitment;

struct Honest<S: Points> {
    commitment: Commitment<S::Challenge>,
    claim: Claim<S::Base>,
    proof: Vec<u8>,
}

fn honest<S: Case>(scheme: &Scheme<S>, weights: Vec<S::Base>) -> Honest<S> {
    let mut witness = scheme.inner().committed(5);
    let (claim, proof) = Prover::new(scheme).open(&mut witness, weights, b"label");
    Honest { commitment: witness.commitment().clone(), claim, proof }
}

pub(super) fn every_flipped_byte_truncation_and_extension<S: Case>(scheme: &Scheme<S>) {
    let Honest { commitment, claim, proof } = honest(scheme, numbers(50, 9));
    let rejected = |proof: &[u8]| scheme.verify(&commitment, &claim, proof).is_err();
    for at in 0..proof.len() {
        let mut changed = proof.clone();
        changed[at] ^= 1 << (at % 8);
        assert!(rejected(&changed), "byte {at}");
        assert!(rejected(&proof[..at]), "first {at} bytes");
    }
    for extra in [1, 7, 32, 4096] {
        let mut longer = proof.clone();
        longer.resize(proof.len() + extra, 0);
        assert!(rejected(&longer), "{extra} further bytes");
    }
    assert!(!rejected(&proof));
}

pub(super) fn every_message<S: Case>(scheme: &Scheme<S>) {
    let calls = |Honest { commitment, claim, .. }: &Honest<S>, proof: &[u8]| {
        scheme.script(commitment, &claim.statement(scheme.facts().hash), proof)
    };
    let [own, other] = [9, 8].map(|seed| honest(scheme, numbers(50, seed)));
    let of_other = calls(&other, &other.proof).unwrap();
    // The script leaves out the weights, which the verifier has.
    let script = |proof: &[u8]| {
        let script = calls(&own, proof)?;
        scheme.verify(&own.commitment, &own.claim, proof).map(|()| script)
    };
    every_message_counts(script, &own.proof, &(other.proof.clone(), of_other));
}

pub(super) fn another_statement<S: Case>(scheme: &Scheme<S>) {
    let Honest { commitment, claim, proof } = honest(scheme, numbers(50, 9));
    let rejects = |commitment: &Commitment<S::Challenge>, claim: &Claim<S::Base>| {
        assert!(scheme.verify(commitment, claim, &proof).is_err());
    };
    for row in 0..50 {
        let mut other = claim.clone();
        other.weights[row] += S::Base::ONE;
        rejects(&commitment, &other);
    }
    let weights = |edit: fn(&mut Vec<S::Base>)| {
        let mut other = claim.clone();
        edit(&mut other.weights);
        rejects(&commitment, &other);
    };
    weights(|w| w.push(S::Base::ZERO));
    weights(|w| w.truncate(49));
    weights(|w| w.swap(0, 1));
    weights(|w| w.resize(65, S::Base::ZERO));
    weights(Vec::clear);
    for place in 0..claim.values.len() {
        let mut other = claim.clone();
        other.values[place] += S::Base::ONE;
        rejects(&commitment, &other);
    }
    rejects(&commitment, &Claim { context: b"labels".to_vec(), ..claim.clone() });
    rejects(&Commitment { root: [7; 32].into(), ..commitment.clone() }, &claim);
    let mut other = commitment.clone();
    other.out_of_domain[0] += S::Challenge::ONE;
    rejects(&other, &claim);
    rejects(&Commitment { out_of_domain: vec![], ..commitment.clone() }, &claim);
}

/// The sumcheck of one proof and the opening of another do not go together, even about one commitment, one sum and one
/// context; and an opening behind a weighted sum is no opening in the application's name.
pub(super) fn two_proofs_do_not_mix<S: Case>(scheme: &Scheme<S>) {
    let Honest { commitment, claim: first, proof } = honest(scheme, numbers(50, 9));
    let length = 6 * 2 * S::Challenge::BYTES + S::Challenge::BYTES;
    let mut twisted = first.weights.clone();
    twisted.push(S::Base::ZERO);
    let Honest { claim: second, proof: other, .. } = honest(scheme, twisted);
    assert_eq!((&first.values, &first.context), (&second.values, &second.context));
    for (claim, messages, opening) in [(&first, &proof, &other), (&second, &other, &proof)] {
        let mixed = [&messages[..length], &opening[length..]].concat();
        assert!(scheme.verify(&commitment, claim, &mixed).is_err());
        assert_eq!(scheme.verify(&commitment, claim, messages), Ok(()));
    }
    let statement = first.statement(Hash::Blake3);
    let bound = statement.digest(Hash::Blake3, &commitment.to_bytes());
    let inner = statement.inner_context(Hash::Blake3, &bound, &proof[..length]);
    assert!(inner.starts_with(b"tenfold weighted inner opening v1") && inner.len() == 33 + 8 + 5 + 32);
    assert!(u64::from_le_bytes(*inner.first_chunk().unwrap()) > 1 << 60, "no length that a file could have");
}

/// A proof under some parameters, held against others.
fn rejects_other_parameters<S: Case>(params: S::Params, edits: &[fn(&mut S::Params)])
where
    S::Params: Clone,
{
    let scheme = scheme::<S>(params.clone());
    let Honest { commitment, claim, proof } = honest(&scheme, numbers(50, 9));
    for edit in edits {
        let mut other = params.clone();
        edit(&mut other);
        assert!(super::scheme::<S>(other).verify(&commitment, &claim, &proof).is_err());
    }
}

#[test]
fn other_parameters() {
    rejects_other_parameters::<pip::Scheme<B, E>>(
        small(Fields::Goldilocks2, 6, JOHNSON),
        &[|p| p.hash = Hash::Sha256, |p| p.max_forms += 1, |p| p.level.queries -= 1],
    );
    rejects_other_parameters::<ligerito::Scheme<Tower64, Gf192>>(
        binary(Fields::Gf192, Entries::Bits, 6 + 3),
        &[
            |p| p.hash = Hash::Sha256,
            |p| p.max_forms += 1,
            |p| p.level.queries -= 1,
            |p| (p.entries, p.level.queries) = (Entries::Bytes, 8),
        ],
    );
}

#[test]
fn bodies_have_one_encoding() {
    for polynomials in [1, 3] {
        let params = Params { polynomials, ..small(Fields::Goldilocks2, 6, JOHNSON) };
        let scheme = scheme::<pip::Scheme<B, E>>(params);
        let Honest { commitment, claim, proof } = honest(&scheme, numbers(50, 9));
        let statement = claim.statement(scheme.params().hash);
        let body = Opening { commitment: commitment.to_bytes(), statement, proof: proof.into() };
        let (bytes, polynomials) = (body.encode(), polynomials as usize);
        let decode = |bytes: &[u8], count| {
            Opening::<B>::decode((scheme.params().hash, count), bytes).map(|body| body.encode())
        };
        assert_eq!(decode(&bytes, polynomials), Ok(bytes.clone()));
        (0..bytes.len()).for_each(|n| assert!(decode(&bytes[..n], polynomials).is_err()));
        assert!(decode(&[&bytes[..], &[0]].concat(), polynomials).is_err());
        for count in [0, polynomials + 1, usize::MAX / 8, usize::MAX] {
            assert!(decode(&bytes, count).is_err(), "{count} polynomials");
        }
        let value = 8 + body.commitment.len() + 32;
        for place in 0..polynomials {
            let mut aliased = bytes.clone();
            aliased[value + 8 * place..][..8].fill(0xff);
            assert!(decode(&aliased, polynomials).is_err(), "2^64 - 1 is not a canonical element");
        }
        let context = value + 8 * polynomials;
        for at in [0, context, context + 8 + 5] {
            let mut long = bytes.clone();
            long[at..at + 8].copy_from_slice(&(1u64 << 60).to_le_bytes());
            assert!(decode(&long, polynomials).is_err(), "a length at {at}");
        }
    }
}
