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
        log_leaf_fibres: 0,
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

/// Leaves of up to sixteen positions, and of fewer where a word is short: none has a leaf across blocks.
#[test]
fn leaves_of_several_fibres_open() {
    for (steps, most) in [(&[1; 8][..], 3), (&[1; 5], 3), (&[0, 2, 1, 1], 2), (&[3, 2, 3], 1), (&[2, 1], 2)] {
        for (log_leaf_fibres, polynomials) in (1..=most).flat_map(|log| [(log, 1), (log, 3)]) {
            let base =
                small(Fields::Gf192, 0, if polynomials == 1 { JOHNSON } else { Regime::UniqueDecoding });
            let params = Params { inner: Inner::Chain(steps.to_vec()), log_leaf_fibres, polynomials, ..base };
            assert!(params.outline().iter().any(|line| line.contains("fibres that fold")));
            let scheme = Scheme::<Tower64, Gf192>::new(params.clone(), &ANY).unwrap();
            let chain = params.chain(&scheme.layout.first).unwrap();
            assert_eq!(chain.log_leaf(0), scheme.layout.first.shape.log_fibre);
            for word in 0..chain.folds() {
                let block = chain.word(word).log_rows();
                let expected = (chain.step(word) + log_leaf_fibres as usize).min(block);
                assert_eq!(chain.log_leaf(word), expected, "word {word} of {steps:?}");
            }
            roundtrip::<Tower64, Gf192>(params);
        }
    }
    for entries in [Entries::Whole, Entries::Extension] {
        for hash in Hash::ALL {
            let base = small(Fields::Gf128, 0, JOHNSON);
            let inner = Inner::Chain(vec![1, 2, 1, 1]);
            let level = RoundParams { log_columns: 1, ..base.level };
            roundtrip::<Tower128, Gf128>(Params { hash, entries, inner, level, log_leaf_fibres: 2, ..base });
        }
    }
}

/// What is opened is another tree: a proof is of one grouping of fibres, and of no other.
#[test]
fn proofs_are_of_one_number_of_fibres() {
    let of = |log_leaf_fibres| {
        let inner = Inner::Chain(vec![1, 2, 1]);
        let params = Params { log_leaf_fibres, inner, ..small(Fields::Gf192, 0, Regime::UniqueDecoding) };
        let scheme = Scheme::<Tower64, Gf192>::new(params, &ANY).unwrap();
        let opened = opened(&scheme, vec![TensorForm::point(&point(8))]);
        (scheme, opened)
    };
    let cases = [of(0), of(1), of(2)];
    for (i, (scheme, (commitment, claims, proof))) in cases.iter().enumerate() {
        assert_eq!(scheme.verify(commitment, claims, proof), Ok(()));
        let bits = |scheme: &Scheme<Tower64, Gf192>| scheme.params().report().proven_bits();
        assert_eq!(bits(scheme), bits(&cases[0].0));
        for (other, (root, ..)) in
            cases.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, case)| (&case.0, &case.1))
        {
            assert_ne!(root.root, commitment.root);
            assert!(other.verify(commitment, claims, proof).is_err());
            assert!(other.verify(root, claims, proof).is_err());
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
    for (entries, steps, log_leaf_fibres) in [
        (Entries::Extension, vec![1; 8], 0),
        (Entries::Extension, vec![1; 8], 1),
        (Entries::Extension, vec![1, 1, 1, 1], 3),
        (Entries::Extension, vec![4, 4], 0),
        (Entries::Whole, vec![0, 2, 3], 0),
        (Entries::Whole, vec![0, 2, 1], 2),
        // Leaves of more rows than a tree of recomputed ones has.
        (Entries::Extension, vec![2, 6], 0),
        (Entries::Whole, vec![0, 8], 0),
    ] {
        let inner = Inner::Chain(steps);
        let params = Params { entries, level, inner, log_leaf_fibres, ..base.clone() };
        let scheme = Scheme::<Tower64, Gf192>::new(params, &ANY).unwrap();
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

/// Leaves of one fibre have the encoding that they had before there were others, and no second one.
#[test]
fn fibres_of_a_leaf_have_one_encoding() {
    for fields in Fields::BINARY {
        let without = small(fields, 0, Regime::UniqueDecoding);
        let bytes = without.encode();
        assert_eq!(bytes[0], fields.id());
        let with = |log: u8| [&[fields.id() | 0x40, log][..], &bytes[1..]].concat();
        for log in [1, 2, 3, 4, 255] {
            let params = Params { log_leaf_fibres: u32::from(log), ..without.clone() };
            assert_eq!(params.encode(), with(log));
            assert_eq!(Params::decode(SchemeId::Air, &with(log)).as_ref(), Some(&params));
            assert_ne!(params.digest(), without.digest());
        }
        assert_eq!(Params::decode(SchemeId::Air, &with(0)), None);
        let both = Params { log_parts: 2, log_leaf_fibres: 1, ..without.clone() };
        assert_eq!(both.encode()[..3], [fields.id() | 0xc0, 2, 1]);
        assert_eq!(Params::decode(SchemeId::Air, &both.encode()), Some(both));
        for log_leaf_fibres in [256, 257, u32::MAX] {
            let params = Params { log_leaf_fibres, ..without.clone() };
            assert!(params.validate(&ANY).is_err());
            assert_eq!(params.encode(), with(255));
        }
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
    // However few rows there are: what hides counts the rows of an opened leaf.
    refused(
        |p| (p.log_size, p.hidden_openings, p.inner) = (4, 1, Inner::Chain(vec![5])),
        "at most four variables",
    );
    refused(
        |p| (p.log_size, p.hidden_openings, p.inner) = (4, 1, Inner::Chain(vec![63])),
        "at most four variables",
    );
    refused(
        |p| (p.log_size, p.hidden_openings, p.inner) = (1, 9, Inner::Chain(vec![u32::MAX])),
        "at most four variables",
    );
    refused(|p| p.log_parts = 2, "more parts than there are columns");
    refused(|p| p.inner = Inner::Chain(vec![2, 9]), "at most 8 variables");
    refused(|p| p.inner = Inner::Chain(vec![2, 0]), "bind a variable");
    refused(|p| p.inner = Inner::Chain(vec![4, 4, 1]), "more variables than there are");
    refused(|p| p.inner = Inner::Chain(vec![]), "between 1 and 32 folds");
    refused(|p| p.log_leaf_fibres = 2, "at most sixteen positions");
    refused(|p| p.log_leaf_fibres = u32::MAX, "at most sixteen positions");
    refused(|p| (p.log_leaf_fibres, p.hidden_openings) = (1, 1), "do not hide");
    refused(|p| (p.log_leaf_fibres, p.log_parts) = (1, 1), "have no parts");
    refused(|p| (p.log_leaf_fibres, p.inner) = (1, Inner::Recursion(vec![])), "those of a chain");
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
    let (unique, steps) = (Regime::UniqueDecoding, [2, 1, 3]);
    for (regime, hidden, log_parts, log_leaf_fibres, steps) in [
        (JOHNSON, 0, 1, 0, &steps[..]),
        (unique, 1, 0, 0, &steps),
        // The fibres beside those that are asked for, too.
        (unique, 0, 0, 1, &steps),
        (JOHNSON, 0, 0, 2, &[0, 1, 1, 2]),
    ] {
        let inner = Inner::Chain(steps.to_vec());
        let params = Params { log_parts, log_leaf_fibres, inner, ..small(Fields::Gf192, hidden, regime) };
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

/// Entries of the challenge field in leaves of several fibres, of commitments with other numbers of columns.
#[test]
fn several_commitments_open_together() {
    let base = small(Fields::Gf192, 0, JOHNSON);
    for (log_leaf_fibres, log_columns) in [(0, 0), (1, 2), (2, 1)] {
        let level = RoundParams { log_columns, ..base.level };
        let inner = Inner::Chain(vec![2, 1, 2]);
        let params = Params { polynomials: 4, log_leaf_fibres, level, inner, ..base.clone() };
        let joint = crate::air::JointScheme::<Tower64, Gf192>::new(params, &[3, 1], &ANY).unwrap();
        let data: Vec<Tower64> = elements(4 * (3 << 8), 5);
        let polynomials: Vec<&[Tower64]> = data.chunks(3 << 8).collect();
        let first = Prover::new(joint.part(0)).commit_batch(&polynomials[..3]);
        let second = Prover::new(joint.part(1)).commit_batch(&polynomials[3..]);
        let forms = vec![vec![TensorForm::point(&point(8))], vec![TensorForm::index(77, 8)]];
        let (claims, proof) = joint.open(&[&first, &second], forms, b"label");
        let statements = [(first.commitment(), &claims[0]), (second.commitment(), &claims[1])];
        assert_eq!(joint.verify(&statements, &proof), Ok(()));
        assert!(proof.len() as u64 <= joint.size().most());
        let mut entry = [Gf192::ZERO];
        <Gf192 as ExtensionOf<Tower64>>::unflatten(&polynomials[3][3 * 77..3 * 78], &mut entry);
        assert_eq!(claims[1].values, [entry.to_vec()]);
        for at in (0..proof.len()).step_by(61) {
            let mut changed = proof.clone();
            changed[at] ^= 4;
            assert!(joint.verify(&statements, &changed).is_err(), "byte {at}");
        }
    }
}
