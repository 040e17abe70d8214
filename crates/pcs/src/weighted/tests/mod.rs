//! Tests of weighted sums: round trips on both schemes, and a battery of malicious provers and tampering for each.

mod adversaries;
mod security;
mod tampering;

use super::verifier::extension;
use super::*;
use crate::fields::Fields;
use crate::fields::tested::{self, with_tested_binary_fields, with_tested_fields};
use crate::ligerito::{self, Entries};
use crate::matrix::{self, Steps};
use crate::pip::{self, Inner, Params, RoundParams, Witness};
use crate::scheme::conformance::every_message_counts;
use field::{ExtensionOf, Field, FoldFibres, Gf128, Gf192, Goldilocks as B, Goldilocks2 as E};
use field::{Tower64, Tower128};
use iop::hash::Hash;
use iop::poly::{TensorForm, dot};
use iop::security::{Policy, Regime};
use iop::transcript::Kind;

const ANY: Policy = Policy::at_least(0);
const JOHNSON: Regime = Regime::Johnson { multiplicity: 8 };

type Pip<B, E> = Scheme<pip::Scheme<B, E>>;

/// A small shape; its queries are too few for real security.
fn small(fields: Fields, log_size: u32, regime: Regime) -> Params {
    let inner = if log_size >= 4 { vec![level(2, 0)] } else { vec![] };
    Params {
        fields,
        hash: Hash::Blake3,
        regime,
        entries: Entries::Whole,
        log_size,
        polynomials: 1,
        max_forms: 1,
        hidden_openings: 0,
        log_parts: 0,
        log_leaf_fibres: 0,
        level: level(log_size / 2, 3),
        inner: Inner::Recursion(inner),
    }
}

/// The same over bytes or words, for so many variables of an entry.
fn binary(fields: Fields, entries: Entries, variables: u32) -> Params {
    let packed = entries.log_bits().map_or(0, |bits| 3 + fields.base_bytes().trailing_zeros() - bits);
    let log_size = variables.checked_sub(packed).expect("as many variables as are packed");
    Params { entries, ..small(fields, log_size, JOHNSON) }
}

fn level(log_columns: u32, grinding: u32) -> RoundParams {
    RoundParams { log_columns, log_inv_rate: 2, queries: 8, grinding, fold_grinding: 1 }
}

/// Elements without structure.
fn numbers<F: Field>(n: usize, seed: u64) -> Vec<F> {
    let number = |i: u64| {
        let bytes = Hash::Blake3.digest("numbers", &[&seed.to_le_bytes(), &i.to_le_bytes()]);
        let bytes: Vec<u8> = bytes.iter().copied().cycle().take(F::UNIFORM_BYTES).collect();
        F::from_uniform(&bytes)
    };
    (0..n as u64).map(number).collect()
}

/// A scheme that can be committed with.
trait Case: Open {
    /// A commitment to elements without structure.
    fn committed(&self, seed: u64) -> Witness<Self::Base, Self::Challenge>;
    /// A commitment to these polynomials, end to end; none where several entries are one element.
    fn commit(&self, entries: Vec<Self::Base>) -> Option<Witness<Self::Base, Self::Challenge>>;
}

impl<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>> Case for matrix::Scheme<F, B, E> {
    fn committed(&self, seed: u64) -> Witness<B, E> {
        let Params { log_size, polynomials, .. } = *self.params();
        self.commit(numbers((polynomials as usize) << log_size, seed)).expect("as many elements")
    }

    fn commit(&self, entries: Vec<B>) -> Option<Witness<B, E>> {
        let Params { log_size, polynomials, .. } = *self.params();
        let columns: Vec<&[B]> = entries.chunks_exact(1 << log_size).collect();
        (columns.len() == polynomials as usize).then(|| match columns[..] {
            [column] => matrix::Prover::new(self).commit(column.to_vec()),
            _ => matrix::Prover::new(self).commit_batch(&columns),
        })
    }
}

fn roundtrip<S: Case>(params: S::Params, rows: usize) {
    let scheme = Scheme::<S>::new(params, &ANY).unwrap();
    let (hash, mut witness) = (scheme.facts().hash, scheme.inner().committed(5));
    let (claim, proof) = Prover::new(&scheme).open(&mut witness, numbers(rows, 9), b"label");
    assert_eq!(scheme.verify(witness.commitment(), &claim, &proof), Ok(()), "{rows} rows");
    let all = scheme.inner().entries(&witness);
    let columns: Vec<_> = all.chunks_exact(1 << scheme.facts().variables).collect();
    assert_eq!((columns.len(), claim.values.len()), (scheme.facts().polynomials, scheme.facts().polynomials));
    for (column, value) in columns.iter().zip(&claim.values) {
        assert_eq!(*value, dot(&claim.weights, &column[..rows]), "the sum over the rows");
    }
    let script = scheme.script(witness.commitment(), &claim.statement(hash), &proof).unwrap();
    let sent = |kind| matches!(kind, Kind::Send | Kind::Hint | Kind::Nonce);
    let bytes: usize = script.iter().filter(|c| sent(c.kind)).map(|c| c.length).sum();
    assert_eq!(bytes, proof.len(), "the script accounts for every byte");
}

#[test]
fn field_pairs_prove() {
    for fields in tested::PRIME {
        with_tested_fields!(fields, B, E => {
            roundtrip::<pip::Scheme<B, E>>(small(fields, 7, Regime::UniqueDecoding), 100);
            roundtrip::<pip::Scheme<B, E>>(small(fields, 7, JOHNSON), 128);
        });
    }
}

#[test]
fn several_columns_prove() {
    for polynomials in [2, 3, 9] {
        for fields in tested::PRIME {
            with_tested_fields!(fields, B, E => {
                let params = Params { polynomials, ..small(fields, 7, JOHNSON) };
                roundtrip::<pip::Scheme<B, E>>(params, 100);
            });
        }
        let whole = Params { polynomials, ..binary(Fields::Gf192, Entries::Whole, 6) };
        roundtrip::<ligerito::Scheme<Tower64, Gf192>>(whole, 50);
    }
    for rows in [0, 1, 2] {
        for log_size in [0, 1] {
            let params = Params { polynomials: 2, ..small(Fields::Goldilocks2, log_size, JOHNSON) };
            roundtrip::<pip::Scheme<B, E>>(params, rows.min(1 << log_size));
        }
    }
}

#[test]
fn every_kind_of_binary_entries_proves() {
    for fields in tested::BINARY {
        for entries in Entries::ALL {
            let params = binary(fields, entries, 9);
            if entries != Entries::Whole && params.log_packed() == 0 {
                continue;
            }
            with_tested_binary_fields!(fields, B, E => {
                let unique = Params { regime: Regime::UniqueDecoding, ..params.clone() };
                roundtrip::<ligerito::Scheme<B, E>>(unique, 300);
                roundtrip::<ligerito::Scheme<B, E>>(params, 512);
            });
        }
    }
}

#[test]
fn every_number_of_rows_proves() {
    for log_size in [0, 1, 3, 5] {
        for rows in 0..=1 << log_size {
            roundtrip::<pip::Scheme<B, E>>(small(Fields::Goldilocks2, log_size, JOHNSON), rows);
            let whole = binary(Fields::Gf192, Entries::Whole, log_size);
            roundtrip::<ligerito::Scheme<Tower64, Gf192>>(whole, rows);
        }
    }
    for rows in 0..=16 {
        let bytes = binary(Fields::Gf128, Entries::Bytes, 4);
        roundtrip::<ligerito::Scheme<Tower128, Gf128>>(bytes, rows);
    }
}

#[test]
fn every_hash_proves() {
    for hash in Hash::ALL {
        roundtrip::<pip::Scheme<B, E>>(Params { hash, ..small(Fields::Goldilocks2, 6, JOHNSON) }, 50);
    }
}

#[test]
fn every_inner_argument_proves() {
    for (inner, regime) in [
        (Inner::Recursion(vec![]), JOHNSON),
        (Inner::Chain(vec![1, 1, 1]), JOHNSON),
        (Inner::Chain(vec![0]), Regime::UniqueDecoding),
        (Inner::TwoChains, Regime::UniqueDecoding),
    ] {
        roundtrip::<pip::Scheme<B, E>>(Params { inner, ..small(Fields::Goldilocks2, 6, regime) }, 50);
    }
}

/// The verifier's two small tables against the sum over all places, the padding included.
#[test]
fn the_weights_extension_is_that_of_the_padded_table() {
    fn check<B: Field, E: ExtensionOf<B>>() {
        for variables in 0..=7 {
            let r: Vec<E> = numbers(variables, 29);
            for rows in 0..=1 << variables {
                let weights: Vec<B> = numbers(rows, 4);
                let table: Vec<E> = weights.iter().map(|&w| E::lift(w)).collect();
                let expected = TensorForm::point(&r).apply(&table);
                assert_eq!(extension(&weights, &r), expected, "{rows} of 2^{variables}");
            }
        }
    }
    check::<B, E>();
    check::<Tower64, Gf192>();
    check::<Tower128, Gf128>();
}

/// The battery: a scheme with 64 entries, and one whose challenges are as many as its entries, for malicious provers who turn a
/// challenge into a weight or a sum.
macro_rules! laws {
    ($name:ident, $scheme:expr, $narrow:expr) => {
        mod $name {
            use super::*;
            use crate::weighted::tests::{adversaries, tampering};
            laws!(test $scheme => adversaries: an_honest_prover, malicious_prover_deviates_in_the_weighted_sum,
                malicious_prover_deviates_in_the_sum_and_the_value_at_the_point, malicious_prover_deviates_in_the_value_at_the_point,
                malicious_prover_deviates_in_the_value_at_a_point_without_weight, malicious_prover_who_sums_with_other_weights,
                malicious_prover_who_weighs_the_padding, malicious_prover_who_has_more_weights_than_entries,
                malicious_prover_who_opens_another_point, malicious_prover_who_opens_in_another_context,
                malicious_prover_who_states_sums_of_other_columns, malicious_prover_deviates_in_several_sums,
                malicious_prover_deviates_in_several_values_at_the_point);
            laws!(test $narrow => adversaries: malicious_prover_who_chooses_the_sum_last, malicious_prover_who_chooses_the_weights_last,
                malicious_prover_who_commits_last, malicious_prover_who_chooses_the_sums_behind_the_factors);
            laws!(test $scheme => tampering: every_flipped_byte_truncation_and_extension, every_message,
                another_statement, two_proofs_do_not_mix);
        }
    };
    (test $scheme:expr => $module:ident: $($law:ident),*) => {
        $(
            #[test]
            fn $law() {
                $module::$law(&$scheme);
            }
        )*
    };
}

fn scheme<S: Points>(params: S::Params) -> Scheme<S> {
    Scheme::new(params, &ANY).unwrap()
}

laws!(
    over_pip,
    scheme::<pip::Scheme<B, E>>(small(Fields::Goldilocks2, 6, JOHNSON)),
    scheme::<pip::Scheme<B, B>>(small(Fields::Goldilocks1, 6, JOHNSON))
);
laws!(
    over_ligerito,
    scheme::<ligerito::Scheme<Tower64, Gf192>>(binary(Fields::Gf192, Entries::Whole, 6)),
    scheme::<ligerito::Scheme<Tower128, Gf128>>(binary(Fields::Gf128, Entries::Whole, 6))
);
laws!(
    over_packed_bytes,
    scheme::<ligerito::Scheme<Tower64, Gf192>>(binary(Fields::Gf192, Entries::Bytes, 6)),
    scheme::<ligerito::Scheme<Tower128, Gf128>>(binary(Fields::Gf128, Entries::Bytes, 6))
);
laws!(
    over_columns,
    scheme::<pip::Scheme<B, E>>(Params { polynomials: 3, ..small(Fields::Goldilocks2, 6, JOHNSON) }),
    scheme::<pip::Scheme<B, B>>(Params { polynomials: 3, ..small(Fields::Goldilocks1, 6, JOHNSON) })
);
