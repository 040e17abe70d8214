//! One battery for every scheme: what the traits promise, and that nothing else is accepted.

mod messages;

pub(crate) use messages::every_message_counts;

use super::*;
use crate::fields::Fields;
use crate::fields::tested::{self, with_tested_binary_fields, with_tested_fields};
use crate::matrix::InnerKind;
use crate::matrix::battery::{entries, point};
use crate::pip::search::{Profile, SearchTarget, find};
use crate::{air, deepfold, ligerito, pip, virgo};
use field::Field;

const CONTEXT: &[u8] = b"conformance";
const LOG_SIZE: u32 = 8;
const ANY: Policy = Policy::at_least(0);

/// A point, an entry and a sum, as many as one proof holds.
fn forms<E: Field>(summary: &Summary) -> Vec<TensorForm<E>> {
    let all = [
        TensorForm::point(&point(summary.variables)),
        TensorForm::index(5, summary.variables),
        TensorForm::sum(summary.variables),
    ];
    all.into_iter().take(summary.max_forms as usize).collect()
}

fn conforms<S: Prove>(params: S::Params) {
    let scheme = S::new(params.clone(), &ANY).expect("parameters in range");
    let summary = params.summary();
    assert_eq!(
        S::Params::decode(params.scheme(), &params.encode()).as_ref(),
        Some(&params),
        "parameters have one encoding"
    );
    assert_eq!(summary.bytes, [S::Base::BYTES, S::Challenge::BYTES]);
    assert_eq!(summary.fields, [S::Base::NAME, S::Challenge::NAME]);
    let entries = entries::<S::Base>(summary.entry_elements << summary.log_size);
    let forms = forms::<S::Challenge>(&summary);
    let mut prover = scheme.prover();
    let mut witness = prover.commit(entries.clone());
    let commitment = witness.commitment().clone();
    let (claims, proof) = prover.open(&mut witness, forms.clone(), CONTEXT);
    assert_eq!((&claims.forms, &claims.context[..]), (&forms, CONTEXT));
    let mut others = prover.commit(entries.iter().rev().copied().collect());
    let (other_claims, other) = prover.open(&mut others, forms.clone(), CONTEXT);
    let calls = scheme.script(others.commitment(), &other_claims, &other).expect("an honest proof");
    every_message_counts(|proof| scheme.script(&commitment, &claims, proof), &proof, &(other, calls));
    assert!(proof.len() as u64 <= params.size(forms.len()).most(), "no longer than said");

    let bytes = commitment.to_bytes();
    commitments_are_exact(&scheme, &commitment, &bytes);
    what_is_stated_counts(&scheme, (&commitment, &claims), &proof);
    other_commitments_are_refused(&scheme, (&commitment, &claims), &proof);
    what_was_kept_gives_the_same_proof::<S>(&mut prover, entries, (forms, &proof));
    let buffers = |prover: &mut _, witness| Prover::<S>::recycle(prover, witness);
    buffers(&mut prover, witness);
}

/// A commitment has one encoding, of one length.
pub(crate) fn commitments_are_exact<S: MultilinearPcs>(scheme: &S, commitment: &S::Commitment, bytes: &[u8]) {
    assert_eq!(scheme.read_commitment(bytes).as_ref(), Ok(commitment));
    assert!((0..bytes.len()).all(|n| scheme.read_commitment(&bytes[..n]).is_err()), "cut short");
    assert!(scheme.read_commitment(&[bytes, &[0]].concat()).is_err(), "a byte more");
}

/// Another value, form, context or length is refused, and so is a proof with any one of some bytes changed.
pub(crate) fn what_is_stated_counts<S: MultilinearPcs>(
    scheme: &S,
    (commitment, claims): (&S::Commitment, &Claims<S::Value>),
    proof: &[u8],
) {
    let refused =
        |claims: &Claims<_>, proof: &[u8]| MultilinearPcs::verify(scheme, commitment, claims, proof).is_err();
    assert!(!refused(claims, proof), "an honest proof");
    for i in 0..claims.values.len() {
        for p in 0..claims.values[i].len() {
            let mut other = claims.clone();
            other.values[i][p] += S::Value::ONE;
            assert!(refused(&other, proof), "value {i} of polynomial {p}");
        }
        let mut other = claims.clone();
        other.forms[i] = TensorForm::index(9, claims.forms[i].variables());
        assert!(refused(&other, proof), "form {i}");
    }
    assert!(refused(&Claims { context: b"another".to_vec(), ..claims.clone() }, proof));
    assert!(refused(&Claims { forms: Vec::new(), values: Vec::new(), ..claims.clone() }, proof));
    assert!(refused(claims, &[proof, &[0]].concat()), "a byte more");
    let step = proof.len() / 50 + 1;
    for at in (0..proof.len()).step_by(step) {
        assert!(refused(claims, &proof[..at]), "cut at {at}");
        let mut changed = proof.to_vec();
        changed[at] ^= 0x10;
        assert!(refused(claims, &changed), "byte {at}");
    }
}

/// Another root, or value outside of the domain.
fn other_commitments_are_refused<S: Prove>(
    scheme: &S,
    (commitment, claims): (&Commitment<S::Challenge>, &Claims<S::Challenge>),
    proof: &[u8],
) {
    let mut other = commitment.clone();
    other.root[0] ^= 1;
    assert!(scheme.verify(&other, claims, proof).is_err(), "the root");
    if let Some(value) = other.out_of_domain.first_mut() {
        other.root = commitment.root;
        *value += S::Challenge::ONE;
        assert!(scheme.verify(&other, claims, proof).is_err(), "the value outside of the domain");
    }
}

/// Lean witnesses, and those restored from what is kept of them, give the proof that whole ones give.
fn what_was_kept_gives_the_same_proof<S: Prove>(
    prover: &mut impl Prover<S>,
    entries: Vec<S::Base>,
    (forms, proof): (Vec<TensorForm<S::Challenge>>, &[u8]),
) {
    let mut lean = prover.commit_lean(entries.clone());
    assert_eq!(prover.open(&mut lean, forms.clone(), CONTEXT).1, proof);
    assert_eq!(lean.message(), entries);
    assert_eq!(lean.nodes().len(), prover.node_bytes());
    let restored = prover.restore(entries, lean.nodes().to_vec());
    assert_eq!(restored.is_ok(), !lean.nodes().is_empty());
    if let Ok(mut restored) = restored {
        assert_eq!(prover.open(&mut restored, forms, CONTEXT).1, proof);
    }
}

#[test]
fn pip_conforms() {
    for fields in tested::PRIME {
        let wanted = SearchTarget { max_forms: 3, ..SearchTarget::new(fields, LOG_SIZE, 40, Profile::Fast) };
        let params = find(&wanted).unwrap();
        with_tested_fields!(fields, B, E => conforms::<pip::Scheme<B, E>>(params));
    }
}

#[test]
fn deepfold_conforms() {
    for (fields, log_columns) in [(Fields::KoalaBear5, 0), (Fields::Goldilocks2, 2)] {
        let target = deepfold::Target::new(fields, [LOG_SIZE, log_columns, 2], 40.0);
        let params = deepfold::Params::for_target(&target).unwrap();
        with_tested_fields!(fields, B, E => conforms::<deepfold::Scheme<B, E>>(params));
    }
}

#[test]
fn virgo_conforms() {
    for (fields, log_columns) in [(Fields::KoalaBear5, 0), (Fields::Goldilocks2, 2)] {
        let target = virgo::Target::new(fields, [LOG_SIZE, log_columns, 2], 40.0);
        let params = virgo::Params::for_target(&target).unwrap();
        with_tested_fields!(fields, B, E => conforms::<virgo::Scheme<B, E>>(params));
    }
}

#[test]
fn ligerito_conforms() {
    for fields in tested::BINARY {
        for entries in ligerito::Entries::ALL {
            let preset = if fields == ligerito::Fields::Gf128 {
                ligerito::Preset::Fast
            } else {
                ligerito::Preset::Secure128
            };
            let wanted = SearchTarget { entries, ..preset.wanted(fields, LOG_SIZE) };
            let Ok(params) = ligerito::search::find(&wanted) else { continue };
            with_tested_binary_fields!(fields, B, E => conforms::<ligerito::Scheme<B, E>>(params));
        }
    }
}

#[test]
fn air_conforms() {
    for fields in tested::BINARY {
        for entries in ligerito::Entries::ALL {
            let hash = if fields == Fields::Gf128 { Hash::Blake3 } else { Hash::Sha3_512 };
            let wanted =
                SearchTarget { max_forms: 3, ..SearchTarget::new(fields, LOG_SIZE, 40, Profile::Fast) };
            let wanted = SearchTarget { entries, hash, inner: InnerKind::Chain, ..wanted };
            let Ok(params) = air::search::find(&wanted) else { continue };
            with_tested_binary_fields!(fields, B, E => conforms::<air::Scheme<B, E>>(params));
        }
    }
}
