//! Weighted sums on both schemes: mutated claims and files.

use super::binary::{element, small as binary_params};
use super::{ANY, JOHNSON, entries, input, pip_params, run};
use field::{Field, Goldilocks, Goldilocks2, Tower128};
use pcs::file::{File, Kind, SchemeId};
use pcs::ligerito::{self, Entries};
use pcs::weighted::{Claim, Open, Opening, Points, Prover, Scheme, Statement, digest};
use pcs::{fields::Fields, pip};
use rand::RngExt;

/// A claim of 200 weights, and the body of its file.
pub struct Proved<S: Points> {
    pub scheme: Scheme<S>,
    claim: Claim<S::Base>,
    pub body: Opening<'static, S::Base>,
}

/// A claim on 256 entries over PIP_FRI.
pub fn over_pip() -> Proved<pip::Scheme<Goldilocks, Goldilocks2>> {
    let scheme = Scheme::new(pip_params(Fields::Goldilocks2, 0, JOHNSON), &ANY).unwrap();
    let witness = pip::Prover::new(scheme.inner()).commit(entries(256));
    proved(scheme, witness, entries(200))
}

/// A claim on 256 entries over Ligerito, or 4096 that are packed.
pub fn over_ligerito(packed: Entries) -> Proved<ligerito::Scheme<Tower128, field::Gf128>> {
    let params = binary_params(ligerito::Fields::Gf128, packed, 0, JOHNSON);
    let scheme = Scheme::<ligerito::Scheme<Tower128, field::Gf128>>::new(params, &ANY).unwrap();
    let witness = ligerito::Prover::new(scheme.inner()).commit((0..256).map(element).collect());
    proved(scheme, witness, (0..200).map(element).collect())
}

fn proved<S: Open>(
    scheme: Scheme<S>,
    mut witness: pip::Witness<S::Base, S::Challenge>,
    weights: Vec<S::Base>,
) -> Proved<S> {
    let (claim, proof) = Prover::new(&scheme).open(&mut witness, weights, b"label");
    let hash = scheme.inner().facts().hash;
    let (commitment, statement) = (witness.commitment().to_bytes(), claim.statement(hash));
    Proved { scheme, claim, body: Opening { commitment, statement, proof: proof.into() } }
}

/// The file around a body, without digests.
pub fn file(scheme: SchemeId, params: Vec<u8>, body: Vec<u8>) -> File<'static> {
    let [params_digest, statement] = [[0; 32]; 2];
    File { kind: Kind::Weighted, scheme, params, params_digest, statement, body: body.into() }
}

/// What a stranger's parameters and body make a verifier with these weights do.
pub fn verify<S: Points>(params: S::Params, body: &[u8], weights: Vec<S::Base>) -> Option<bool> {
    let scheme = Scheme::<S>::new(params, &ANY).ok()?;
    let body = read_body::<S>(&scheme, body)?;
    let commitment = scheme.inner().read_commitment(&body.commitment).ok()?;
    let Statement { weights: named, values, context } = body.statement;
    let claim = Claim { weights, values, context };
    let same = claim.statement(scheme.inner().facts().hash).weights == named;
    Some(same & scheme.verify(&commitment, &claim, &body.proof).is_ok())
}

/// The body of a file about the polynomials of a scheme.
fn read_body<'a, S: Points>(scheme: &Scheme<S>, bytes: &'a [u8]) -> Option<Opening<'a, S::Base>> {
    let facts = scheme.inner().facts();
    Opening::decode((facts.hash, facts.polynomials), bytes).ok()
}

/// Weights, values, context, commitment and proof of a weighted sum, changed one at a time, and its file's body.
fn fuzz<S: Points>(name: &str, proved: Proved<S>) {
    let Proved { scheme, claim: honest, body } = proved;
    let hash = scheme.inner().facts().hash;
    let (body, proved, original) = (body.encode(), body.proof.into_owned(), body.commitment);
    let original = scheme.inner().read_commitment(&original).unwrap();
    scheme.verify(&original, &honest, &proved).unwrap();
    run(name, |rng| {
        let (mut claim, mut commitment) = (honest.clone(), original.clone());
        let mut proof = proved.clone();
        match rng.random_range(0..8) {
            0 | 1 => {
                let bytes = input(rng, &[&body]);
                let Some(read) = read_body(&scheme, &bytes) else { return false };
                assert!(read.encode() == bytes, "two encodings of one weighted sum");
                let Ok(of_body) = scheme.inner().read_commitment(&read.commitment) else { return false };
                (commitment, proof) = (of_body, read.proof.into_owned());
                let Statement { weights, values, context } = read.statement;
                // Weights that the digest does not name are not tried.
                if weights != digest(hash, &claim.weights) {
                    return false;
                }
                claim = Claim { values, context, ..claim };
            }
            2 => {
                let at = rng.random_range(0..claim.weights.len());
                let mut bytes = vec![0; S::Base::UNIFORM_BYTES];
                rng.fill(&mut bytes[..]);
                claim.weights[at] = S::Base::from_uniform(&bytes);
            }
            3 => claim.weights.resize(rng.random_range(0..=5000), S::Base::ZERO),
            _ => proof = input(rng, &[&proved]),
        }
        let script = scheme.script(&commitment, &claim.statement(hash), &proof).is_ok();
        let same = commitment == original && claim == honest && proof == proved;
        let verdict = scheme.verify(&commitment, &claim, &proof).is_ok();
        assert!(verdict == same && (script || !verdict), "accepted something else");
        true
    });
}

#[test]
fn fuzz_weighted_verify() {
    fuzz("fuzz_weighted_verify", over_pip());
}

#[test]
fn fuzz_weighted_verify_over_ligerito() {
    fuzz("fuzz_weighted_verify_over_ligerito", over_ligerito(Entries::Whole));
}

#[test]
fn fuzz_weighted_verify_over_packed_bytes() {
    fuzz("fuzz_weighted_verify_over_packed_bytes", over_ligerito(Entries::Bytes));
}
