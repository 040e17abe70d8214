//! Tests of the scheme: round trips, liars, tampering, parameters.

mod adversaries;
mod lean;
mod preset;
mod ring_switching;
mod search;
mod size;
mod tampering;

use super::*;
use crate::claims::Claims;
use crate::file::SchemeId;
use crate::matrix::adversary::{self, Deviation};
use crate::matrix::{ProverStorage, Round};
use crate::with_binary_fields;
use field::{ExtensionOf, Field, FoldFibres, Gf128, KoalaBear, KoalaBear5, Tower128};
use iop::hash::Hash;
use iop::poly::TensorForm;
use iop::security::{Policy, Regime};

const ANY: Policy = Policy::at_least(0);
const JOHNSON: Regime = Regime::Johnson { multiplicity: 8 };

/// A small shape with three stages; its queries are too few for real security.
fn small(fields: Fields, hidden_openings: u32, regime: Regime) -> Params {
    let level = RoundParams { log_columns: 2, log_inv_rate: 3, queries: 6, grinding: 0, fold_grinding: 3 };
    Params {
        fields,
        hash: Hash::Blake3,
        regime,
        entries: Entries::Whole,
        log_size: 10,
        polynomials: 1,
        max_forms: 8,
        hidden_openings,
        level: RoundParams { log_columns: 4, log_inv_rate: 2, queries: 12, grinding: 4, fold_grinding: 2 },
        inner: Inner::Recursion(vec![
            level,
            RoundParams { log_inv_rate: 4, queries: 4, grinding: 2, fold_grinding: 0, ..level },
        ]),
    }
}

/// The matrices of the recursion.
fn levels(params: &mut Params) -> &mut Vec<RoundParams> {
    match &mut params.inner {
        Inner::Recursion(levels) => levels,
        other => panic!("{other:?} over binary fields"),
    }
}

/// Elements without structure.
pub(crate) fn elements<F: Field>(n: usize, seed: u64) -> Vec<F> {
    let element = |i: u64| {
        let mut bytes = vec![0; F::UNIFORM_BYTES];
        for (k, b) in (0u64..).zip(bytes.iter_mut()) {
            let mixed = (i * 64 + k + seed * 0x5851_f42d).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            *b = ((mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 56) as u8;
        }
        F::from_uniform(&bytes)
    };
    (0..n as u64).map(element).collect()
}

fn point<E: Field>(variables: usize) -> Vec<E> {
    elements(variables, 77)
}

/// Commits to pseudo-random entries and opens the given forms.
fn opened<B: FoldFibres, E: ExtensionOf<B>>(
    scheme: &Scheme<B, E>,
    forms: Vec<TensorForm<E>>,
) -> (Commitment<E>, Claims<E>, Vec<u8>) {
    let params = scheme.params();
    let n = 1 << params.log_size;
    let all: Vec<B> = elements(n * params.polynomials as usize, 1);
    let polynomials: Vec<&[B]> = all.chunks(n).collect();
    let mut prover = Prover::new(scheme);
    let mut witness = prover.commit_batch(&polynomials);
    let (claims, proof) = prover.open(&mut witness, forms, b"label");
    (witness.commitment().clone(), claims, proof)
}

/// The same by a prover with one deviation.
fn deviating<B: FoldFibres, E: ExtensionOf<B>>(
    deviation: Deviation,
    scheme: &Scheme<B, E>,
    forms: Vec<TensorForm<E>>,
) -> (Commitment<E>, Claims<E>, Vec<u8>) {
    let params = scheme.params();
    let n = 1 << params.log_size;
    let all: Vec<B> = elements(n * params.polynomials as usize, 1);
    adversary::opened(deviation, scheme, &all.chunks(n).collect::<Vec<_>>(), forms)
}

fn roundtrip<B: FoldFibres, E: ExtensionOf<B>>(params: Params) {
    let variables = params.log_size as usize;
    let scheme = Scheme::<B, E>::new(params.clone(), &ANY).unwrap();
    let mut forms = vec![TensorForm::point(&point(variables))];
    if params.hidden_openings == 0 {
        forms.extend([TensorForm::index(77 % (1 << variables), variables), TensorForm::sum(variables)]);
    }
    let (commitment, claims, proof) = opened(&scheme, forms.clone());
    assert_eq!(scheme.verify(&commitment, &claims, &proof), Ok(()), "{params:?}");
    assert_eq!(scheme.read_commitment(&commitment.to_bytes()).unwrap(), commitment);
    let all: Vec<B> = elements(params.polynomials as usize * (1 << variables), 1);
    for (form, values) in forms.iter().zip(&claims.values) {
        for (polynomial, value) in all.chunks(1 << variables).zip(values) {
            let table: Vec<E> = polynomial.iter().map(|&x| E::lift(x)).collect();
            assert_eq!(form.apply(&table), *value, "the value is the form's value on the data");
        }
    }
}

#[test]
fn every_field_pair_opens() {
    for fields in Fields::BINARY {
        with_binary_fields!(fields, B, E => {
            assert_eq!(Fields::of::<B, E>(), Some(fields));
            roundtrip::<B, E>(small(fields, 0, Regime::UniqueDecoding));
            roundtrip::<B, E>(small(fields, 0, JOHNSON));
            roundtrip::<B, E>(small(fields, 1, Regime::UniqueDecoding));
        });
    }
}

#[test]
fn every_hash_opens() {
    for hash in Hash::ALL {
        roundtrip::<Tower128, Gf128>(Params { hash, ..small(Fields::Gf128, 0, JOHNSON) });
    }
}

#[test]
fn many_polynomials_in_one_batch() {
    for polynomials in [1, 2, 3, 5] {
        for hidden_openings in [0, 1] {
            let base = small(Fields::Gf128, hidden_openings, Regime::UniqueDecoding);
            roundtrip::<Tower128, Gf128>(Params { polynomials, ..base });
        }
    }
}

#[test]
fn every_shape_opens() {
    for (log_size, log_columns) in [(0, 0), (1, 0), (1, 1), (3, 2), (8, 8), (9, 0), (12, 1)] {
        let base = small(Fields::Gf128, 0, JOHNSON);
        let level = RoundParams { log_columns, ..base.level };
        roundtrip::<Tower128, Gf128>(Params { log_size, level, inner: Inner::Recursion(vec![]), ..base });
    }
}

/// Positions beyond 2^16 have longer twiddles.
#[test]
fn long_codes_open() {
    let base = small(Fields::Gf128, 0, Regime::UniqueDecoding);
    let level = RoundParams { log_columns: 1, log_inv_rate: 3, ..base.level };
    let deep = RoundParams { log_columns: 6, ..base.levels()[0] };
    roundtrip::<Tower128, Gf128>(Params { log_size: 16, level, inner: Inner::Recursion(vec![deep]), ..base });
}

#[test]
fn parameters_have_one_encoding() {
    for fields in Fields::BINARY {
        let params = small(fields, 2, Regime::UniqueDecoding);
        let bytes = params.encode();
        assert_eq!(Params::decode(SchemeId::Ligerito, &bytes), Some(params));
        (0..bytes.len()).for_each(|n| assert_eq!(Params::decode(SchemeId::Ligerito, &bytes[..n]), None));
        let mut longer = bytes.clone();
        longer.push(0);
        assert_eq!(Params::decode(SchemeId::Ligerito, &longer), None);
    }
}

/// What each limit is there for.
#[test]
fn parameters_out_of_range_are_refused() {
    let base = || small(Fields::Gf128, 0, Regime::UniqueDecoding);
    let refused = |edit: fn(&mut Params), reason: &str| {
        let mut params = base();
        edit(&mut params);
        let error = Scheme::<Tower128, Gf128>::new(params, &ANY).unwrap_err().to_string();
        assert!(error.contains(reason), "{error} is not about {reason}");
    };
    refused(|p| p.fields = Fields::Gf256, "other fields");
    refused(|p| p.log_size = 41, "too large");
    refused(|p| p.polynomials = 0, "number of polynomials");
    refused(|p| p.max_forms = 0, "number of linear forms");
    refused(|p| p.level.queries = 0, "number of queries");
    refused(|p| p.level.log_inv_rate = 0, "rate");
    refused(|p| levels(p)[0].log_columns = 0, "at least one variable");
    refused(|p| levels(p)[1].log_columns = 7, "more variables than there are");
    refused(|p| p.level.log_columns = 11, "more columns than entries");
    refused(|p| (p.log_size, p.level.log_inv_rate) = (21, 16), "longer than 2^31");
    refused(|p| p.log_size = 30, "longer than 2^16");
    refused(|p| (p.hidden_openings, p.regime) = (1, JOHNSON), "unique decoding");
    refused(|p| (p.hidden_openings, p.level.log_columns) = (1, 8), "random rows");
    refused(|p| (p.entries, p.max_forms) = (Entries::Bits, 4096), "ring switching would take");
    refused(|p| (p.log_size, p.level.log_columns) = (40, 32), "more than 2^24 columns");
    refused(|p| p.regime = Regime::Johnson { multiplicity: 2 }, "multiplicity");
    refused(|p| p.level.grinding = 33, "32 bits of grinding");
    refused(|p| levels(p)[0].fold_grinding = 33, "32 bits of grinding");
    refused(|p| p.inner = Inner::Recursion(vec![p.levels()[0]; 17]), "too many levels");
    refused(|p| p.hidden_openings = 17, "too many hidden openings");
    refused(|p| (p.inner, p.max_forms) = (Inner::TwoChains, 1), "over prime fields only");
    refused(|p| (p.hidden_openings, p.level.log_columns) = (1, 0), "192 bits");
    refused(
        |p| (p.log_size, p.max_forms, p.inner) = (20, 4096, Inner::Recursion(vec![])),
        "claims times entries",
    );
    refused(|p| (p.log_size, p.level.log_columns, p.level.queries) = (20, 16, 4096), "the opened rows");
    let of_primes = crate::matrix::Scheme::<crate::matrix::Binary, KoalaBear, KoalaBear5>::new(
        Params { fields: Fields::KoalaBear5, ..base() },
        &ANY,
    );
    assert!(of_primes.unwrap_err().to_string().contains("other fields"), "the steps of the other family");
    let strict = Scheme::<Tower128, Gf128>::new(base(), &Policy::at_least(100));
    assert!(strict.is_err(), "twelve queries prove no hundred bits");
}

/// A prover that keeps all of its codewords writes the same bytes as one that makes them again, whatever is forgotten.
#[test]
fn what_a_prover_forgets_does_not_show() {
    fn proofs<B: FoldFibres, E: ExtensionOf<B>>(params: &Params) {
        let scheme = Scheme::<B, E>::new(params.clone(), &ANY).unwrap();
        let entries: Vec<B> = elements(1 << params.log_size, 1);
        let proof = |kept| {
            let mut other = scheme.clone();
            other.layout.kept = kept;
            let mut prover = Prover::new(&other);
            let mut witness = prover.commit(entries.clone());
            let held = witness.memory();
            let form = TensorForm::point(&point(params.variables()));
            let (claims, proof) = prover.open(&mut witness, vec![form], b"");
            assert_eq!(scheme.verify(witness.commitment(), &claims, &proof), Ok(()));
            (held, proof)
        };
        let both = proof(ProverStorage::Both);
        for less in [proof(ProverStorage::Message), proof(ProverStorage::Codeword)] {
            assert_eq!(both.0 - less.0, size_of_val(&entries[..]), "a block or the message is not kept");
            assert!(both.1 == less.1, "{params:?}");
        }
    }
    for fields in Fields::BINARY {
        let base = small(fields, 0, JOHNSON);
        for log_inv_rate in [1, 2] {
            let level = RoundParams { log_columns: 3, log_inv_rate, ..base.level };
            let params = Params { log_size: 14, level, ..base.clone() };
            assert!(params.layout().stages.iter().take(2).all(Round::opens_few_rows), "rows are made again");
            with_binary_fields!(fields, B, E => proofs::<B, E>(&params));
        }
    }
}
