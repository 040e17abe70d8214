//! Air-FRI: the published forgeries, malicious provers, and what is particular to chains over binary fields.

mod adversaries;
mod bad_input;
mod levels;
mod published;
mod splitting_modulus;

use super::*;
use crate::claims::Claims;
use crate::fields::tested::{self, with_tested_binary_fields};
use crate::file::SchemeId;
use crate::matrix::ProverStorage;
use crate::matrix::battery::elements;
use field::{ExtensionOf, Field, FoldFibres, FoldableCode, Gf128, Gf192, Tower64, Tower128};
use iop::hash::Hash;
use iop::poly::TensorForm;
use iop::security::{Policy, Regime};

const ANY: Policy = Policy::at_least(0);
const JOHNSON: Regime = Regime::Johnson { multiplicity: 8 };

/// A small chain; its queries are too few for real security.
fn small(fields: Fields, hidden_openings: u32, regime: Regime) -> Params {
    Params {
        fields,
        hash: Hash::Sha3_384,
        regime,
        entries: Entries::Extension,
        log_size: 8,
        polynomials: 1,
        max_forms: 8,
        hidden_openings,
        log_parts: 0,
        level: RoundParams { log_columns: 0, log_inv_rate: 2, queries: 9, grinding: 4, fold_grinding: 2 },
        inner: Inner::Chain(vec![2, 1, 3]),
    }
}

fn point<E: Field>(variables: usize) -> Vec<E> {
    elements(variables, 77)
}

/// The entries of all polynomials, by their coordinates.
fn entries<B: Field>(params: &Params) -> Vec<B> {
    elements((params.polynomials as usize * params.entry_columns()) << params.log_size, 1)
}

/// Commits to pseudo-random entries and opens the given forms.
fn opened<B: FoldFibres, E: ExtensionOf<B>>(
    scheme: &Scheme<B, E>,
    forms: Vec<TensorForm<E>>,
) -> (Commitment<E>, Claims<E>, Vec<u8>) {
    let params = scheme.params();
    let all: Vec<B> = entries(params);
    let polynomials: Vec<&[B]> = all.chunks(params.entry_columns() << params.log_size).collect();
    let mut prover = Prover::new(scheme);
    let mut witness = prover.commit_batch(&polynomials);
    let (claims, proof) = prover.open(&mut witness, forms, b"label");
    (witness.commitment().clone(), claims, proof)
}

fn roundtrip<B: FoldFibres, E: ExtensionOf<B>>(params: Params) {
    let variables = params.log_size as usize;
    let scheme = Scheme::<B, E>::new(params.clone(), &ANY).unwrap();
    let mut forms = vec![TensorForm::point(&point(variables))];
    if params.hidden_openings == 0 {
        let z = point::<E>(1)[0];
        forms.extend([evaluation(z, variables), TensorForm::powers(z, variables)]);
        forms.extend([TensorForm::index(77 % (1 << variables), variables), TensorForm::sum(variables)]);
    }
    let (commitment, claims, proof) = opened(&scheme, forms.clone());
    assert_eq!(scheme.verify(&commitment, &claims, &proof), Ok(()), "{params:?}");
    assert_eq!(commitment.root.len(), params.hash.bytes());
    assert_eq!(scheme.read_commitment(&commitment.to_bytes()).unwrap(), commitment);
    let all: Vec<B> = entries(&params);
    let mut values = vec![E::ZERO; all.len() / params.entry_columns()];
    if params.entries == Entries::Extension {
        E::unflatten(&all, &mut values);
    } else {
        values = E::lift_slice(&all);
    }
    for (form, claimed) in forms.iter().zip(&claims.values) {
        let polynomials = values.chunks(1 << variables);
        assert!(polynomials.zip(claimed).all(|(p, value)| form.apply(p) == *value), "values of the form");
    }
}

#[test]
fn every_field_pair_opens_elements_and_their_coordinates() {
    for fields in tested::BINARY {
        with_tested_binary_fields!(fields, B, E => {
            for entries in [Entries::Extension, Entries::Whole] {
                let level = RoundParams { log_columns: 2, ..small(fields, 0, JOHNSON).level };
                let of = |hidden, regime| Params { entries, level, ..small(fields, hidden, regime) };
                roundtrip::<B, E>(of(0, Regime::UniqueDecoding));
                // Parts that hold all rows of a fibre.
                roundtrip::<B, E>(Params { log_parts: 2, ..of(0, JOHNSON) });
                roundtrip::<B, E>(Params { log_parts: 1, ..of(1, Regime::UniqueDecoding) });
            }
        });
    }
}

#[test]
fn every_hash_and_chain_opens() {
    for hash in Hash::ALL {
        roundtrip::<Tower64, Gf192>(Params { hash, ..small(Fields::Gf192, 0, JOHNSON) });
    }
    for steps in [&[8][..], &[0], &[0, 6], &[4, 4], &[3, 3], &[1; 8], &[2, 2], &[0, 8]] {
        if steps[0] > 4 {
            continue;
        }
        for polynomials in [1, 3] {
            let inner = Inner::Chain(steps.to_vec());
            let base = small(Fields::Gf128, 0, JOHNSON);
            roundtrip::<Tower128, Gf128>(Params { inner, polynomials, ..base });
        }
    }
}

/// Positions beyond 2^16 have longer twiddles.
#[test]
fn long_codes_open() {
    let base = small(Fields::Gf192, 0, Regime::UniqueDecoding);
    let level = RoundParams { log_inv_rate: 5, ..base.level };
    roundtrip::<Tower64, Gf192>(Params { log_size: 12, level, inner: Inner::Chain(vec![4, 4, 3]), ..base });
}

/// A prover that keeps no block, of the matrix or of a word, writes the same bytes as one that keeps all of them.
#[test]
fn blocks_that_are_made_again_do_not_show() {
    let base = small(Fields::Gf192, 0, JOHNSON);
    let level = RoundParams { log_inv_rate: 5, ..base.level };
    for (entries, steps) in
        [(Entries::Extension, vec![1; 8]), (Entries::Extension, vec![4, 4]), (Entries::Whole, vec![0, 2, 3])]
    {
        let inner = Inner::Chain(steps);
        let scheme =
            Scheme::<Tower64, Gf192>::new(Params { entries, level, inner, ..base.clone() }, &ANY).unwrap();
        assert!(scheme.layout.keeps_no_block(), "nine queries, and 32 blocks");
        let mut keeping = scheme.clone();
        keeping.layout.kept = ProverStorage::Both;
        let [lean, whole] =
            [&scheme, &keeping].map(|scheme| opened(scheme, vec![TensorForm::point(&point(8))]));
        assert_eq!(scheme.verify(&lean.0, &lean.1, &lean.2), Ok(()));
        assert!(lean == whole, "{:?}", scheme.params());
    }
}

/// The form is the value of the polynomial that the codeword holds: at points of the domain it is the codeword.
#[test]
fn an_evaluation_in_the_domain_is_a_symbol_of_the_codeword() {
    let message: Vec<Gf192> = elements(64, 5);
    for position in [0, 1, 77, 255] {
        let point = Tower64::point(8, position);
        let z = <Gf192 as ExtensionOf<Tower64>>::lift(Tower64::factor(point));
        assert_eq!(evaluation(z, 6).apply(&message), Tower64::evaluate(&message, point));
    }
}

#[test]
fn parameters_have_one_encoding_and_their_own_scheme() {
    for (fields, log_parts) in Fields::BINARY.into_iter().zip([0, 1, 4].into_iter().cycle()) {
        let params = Params { log_parts, ..small(fields, 2, Regime::UniqueDecoding) };
        let bytes = params.encode();
        assert_eq!(params.scheme(), SchemeId::Air);
        assert_eq!(Params::decode(SchemeId::Air, &bytes).as_ref(), Some(&params));
        assert_ne!(Params::decode(SchemeId::Ligerito, &bytes), Some(params));
        (0..bytes.len()).for_each(|n| assert_eq!(Params::decode(SchemeId::Air, &bytes[..n]), None));
        assert_eq!(Params::decode(SchemeId::Air, &[&bytes[..], &[0]].concat()), None);
    }
}

#[test]
fn parameters_out_of_range_are_refused() {
    let refused = |edit: fn(&mut Params), reason: &str| {
        let mut params = small(Fields::Gf192, 0, Regime::UniqueDecoding);
        edit(&mut params);
        let error = Scheme::<Tower64, Gf192>::new(params, &ANY).unwrap_err().to_string();
        assert!(error.contains(reason), "{error} is not about {reason}");
    };
    refused(|p| p.fields = Fields::Gf256, "other fields");
    refused(|p| p.inner = Inner::Chain(vec![5]), "at most four variables");
    refused(|p| p.log_parts = 2, "more parts than there are columns");
    refused(|p| p.inner = Inner::Chain(vec![2, 9]), "at most 8 variables");
    refused(|p| p.inner = Inner::Chain(vec![2, 0]), "bind a variable");
    refused(|p| p.inner = Inner::Chain(vec![4, 4, 1]), "more variables than there are");
    refused(|p| p.inner = Inner::Chain(vec![]), "between 1 and 32 folds");
    refused(|p| p.inner = Inner::TwoChains, "over prime fields only");
    refused(|p| (p.log_size, p.level.log_inv_rate) = (21, 16), "longer than 2^31");
    refused(|p| (p.hidden_openings, p.regime) = (1, JOHNSON), "unique decoding");
    refused(|p| (p.hidden_openings, p.level.queries) = (1, 80), "random rows");
    refused(|p| (p.hidden_openings, p.entries) = (1, Entries::Whole), "192 bits");
    refused(
        |p| (p.hidden_openings, p.entries, p.polynomials, p.hash) = (1, Entries::Whole, 3, Hash::Sha3_512),
        "the hash's level",
    );
    refused(|p| p.regime = Regime::Johnson { multiplicity: 2 }, "multiplicity");
}

#[test]
fn every_flipped_byte_is_rejected() {
    for (regime, hidden, log_parts) in [(JOHNSON, 0, 1), (Regime::UniqueDecoding, 1, 0)] {
        let params = Params { log_parts, ..small(Fields::Gf192, hidden, regime) };
        let scheme = Scheme::<Tower64, Gf192>::new(params, &ANY).unwrap();
        let (commitment, claims, proof) = opened(&scheme, vec![TensorForm::point(&point(8))]);
        for at in 0..proof.len() {
            let mut changed = proof.clone();
            changed[at] ^= 1 << (at % 8);
            assert!(scheme.verify(&commitment, &claims, &changed).is_err(), "byte {at}");
        }
        for at in (0..proof.len()).step_by(97) {
            assert!(scheme.verify(&commitment, &claims, &proof[..at]).is_err(), "first {at} bytes");
        }
        assert!(scheme.verify(&commitment, &claims, &[&proof[..], &[0]].concat()).is_err(), "a byte more");
    }
}
