//! One battery of tests for every preset of the protocol over a matrix: round trips, malicious provers, tampering, witnesses without a
//! codeword. A preset adds tests of what it alone has: chains, packed entries, its parameters.

mod adversaries;
mod batches;
mod joint;
mod lean;
mod shapes;
mod tampering;

pub(crate) use adversaries::{CLAIMS, ROWS, TREE, WEAK, lazy};
pub(crate) use batches::check_of_rows;

use super::adversary::{self, Deviation};
use super::{Commitment, Inner, Params, Prover, RoundParams, Scheme, Steps};
use crate::claims::Claims;
use crate::fields::Fields;
use crate::ring_switching::Entries;
use crate::scheme::conformance::every_message_counts;
use field::{ExtensionOf, Field, FoldFibres, Gf128, Goldilocks, Goldilocks2, Tower128};
use iop::error::Invalid;
use iop::hash::Hash;
use iop::poly::TensorForm;
use iop::security::{Policy, Regime};
use iop::transcript::{Call, Kind};

pub(crate) const ANY: Policy = Policy::at_least(0);
pub(crate) const JOHNSON: Regime = Regime::Johnson { multiplicity: 8 };

/// A preset, with the fields that its battery is about.
pub(crate) trait Preset {
    type Family: Steps<Self::Base, Self::Challenge>;
    type Base: FoldFibres;
    type Challenge: ExtensionOf<Self::Base>;
    const FIELDS: Fields;
    /// Inner arguments beside the recursion, for 64 rows.
    fn chains() -> Vec<Inner>;
}

/// PIP_FRI.
struct Pip;

impl Preset for Pip {
    type Family = super::Prime;
    type Base = Goldilocks;
    type Challenge = Goldilocks2;
    const FIELDS: Fields = Fields::Goldilocks2;

    fn chains() -> Vec<Inner> {
        vec![Inner::Chain(vec![1, 2, 1, 1]), Inner::Chain(vec![0])]
    }
}

/// Ligerito.
struct Ligerito;

impl Preset for Ligerito {
    type Family = super::Binary;
    type Base = Tower128;
    type Challenge = Gf128;
    const FIELDS: Fields = Fields::Gf128;

    fn chains() -> Vec<Inner> {
        Vec::new()
    }
}

type SchemeOf<P> = Scheme<<P as Preset>::Family, <P as Preset>::Base, <P as Preset>::Challenge>;
type CommitmentOf<P> = Commitment<<P as Preset>::Challenge>;
type ClaimsOf<P> = Claims<<P as Preset>::Challenge>;

/// Runs every test of the list for every preset.
macro_rules! battery {
    ($($module:ident: [$($test:ident),* $(,)?]),* $(,)?) => {
        battery!(@preset pip, Pip, [$($($module $test)*)*]);
        battery!(@preset ligerito, Ligerito, [$($($module $test)*)*]);
    };
    (@preset $name:ident, $preset:ident, [$($module:ident $test:ident)*]) => {
        mod $name {
            $(#[test]
            fn $test() {
                super::$module::$test::<super::$preset>();
            })*
        }
    };
}

battery!(
    shapes: [every_hash_opens, many_polynomials_in_one_batch, every_shape_opens],
    lean: [witnesses_open_without_a_codeword, parts_of_no_witness_are_refused],
    adversaries: [
        malicious_prover_deviates_in_the_value,
        malicious_prover_deviates_in_a_partial_evaluation,
        malicious_prover_deviates_in_the_value_of_a_hiding_opening,
        malicious_prover_deviates_in_the_masked_value,
        malicious_prover_who_hides_garbage_behind_the_mask,
        malicious_prover_deviates_in_the_tail_and_meets_the_claims_of_opened_rows,
        malicious_prover_deviates_in_the_tail_and_meets_the_opened_rows,
        malicious_prover_deviates_in_the_mask,
        malicious_prover_who_recurses_into_another_message_than_the_committed_one,
        malicious_prover_deviates_in_a_root,
        malicious_prover_deviates_in_an_out_of_domain_value,
        malicious_prover_deviates_in_the_final_message,
        malicious_prover_deviates_in_the_out_of_domain_value_of_the_commitment,
        malicious_prover_who_commits_to_garbage_that_cancels,
        malicious_prover_who_opens_one_form_to_two_values,
        malicious_prover_who_did_not_grind_before_the_queries,
        malicious_prover_who_did_not_grind_before_a_fold,
        malicious_prover_who_did_not_grind_before_a_hiding_fold,
    ],
    batches: [
        malicious_prover_deviates_in_one_value_of_many,
        malicious_prover_opens_rows_of_another_matrix,
        malicious_prover_whose_errors_cancel,
        malicious_prover_whose_garbage_cancels,
        malicious_prover_who_hides_garbage_of_many_behind_the_mask,
        two_forms_of_a_hiding_commitment_are_refused,
        claims_are_batched_by_consecutive_powers,
    ],
    joint: [
        several_commitments_open_together,
        malicious_prover_deviates_in_one_value_of_one_commitment,
        malicious_prover_whose_errors_cancel_across_commitments,
        malicious_prover_deviates_in_the_sample_of_one_commitment,
        malicious_prover_whose_garbage_cancels_across_commitments,
        malicious_prover_opens_rows_of_another_commitment,
        every_flipped_byte_of_a_joint_proof_is_rejected,
        every_message_of_a_joint_proof_counts,
        another_joint_statement_is_rejected,
        commitments_of_a_joint_proof_have_their_places,
        every_commitment_adds_its_sample_to_the_errors,
        parameters_that_several_commitments_cannot_have_are_refused,
    ],
    tampering: [
        every_flipped_byte_is_rejected,
        every_truncation_and_extension_is_rejected,
        a_proof_shorter_than_its_rows_is_refused_at_once,
        a_changed_row_of_any_level_is_rejected,
        a_shifted_round_polynomial_is_rejected,
        every_message_of_every_inner_argument_counts,
        another_statement_is_rejected,
        claims_of_the_wrong_shape_are_rejected,
        a_proof_under_other_parameters_is_rejected,
        parts_have_their_places,
        malformed_commitments_are_rejected,
    ],
);

/// A small shape with three stages; its queries are too few for real security.
pub(crate) fn small(fields: Fields, hidden_openings: u32, regime: Regime) -> Params {
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
        log_parts: 0,
        log_leaf_fibres: 0,
        level: RoundParams { log_columns: 4, log_inv_rate: 2, queries: 12, grinding: 4, fold_grinding: 2 },
        inner: Inner::Recursion(vec![
            level,
            RoundParams { log_inv_rate: 4, queries: 4, grinding: 2, fold_grinding: 0, ..level },
        ]),
    }
}

/// The matrices of the recursion.
pub(crate) fn levels(params: &mut Params) -> &mut Vec<RoundParams> {
    match &mut params.inner {
        Inner::Recursion(levels) => levels,
        other => panic!("{other:?} is no recursion"),
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

/// The data that proofs are about.
pub(crate) fn entries<B: Field>(n: usize) -> Vec<B> {
    elements(n, 1)
}

pub(crate) fn point<E: Field>(variables: usize) -> Vec<E> {
    elements(variables, 77)
}

/// Commits to pseudo-random entries and opens the given forms.
pub(crate) fn opened<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    scheme: &Scheme<F, B, E>,
    forms: Vec<TensorForm<E>>,
) -> (Commitment<E>, Claims<E>, Vec<u8>) {
    opened_of(scheme, forms, 1)
}

/// [`opened`] of the entries with this seed.
pub(crate) fn opened_of<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    scheme: &Scheme<F, B, E>,
    forms: Vec<TensorForm<E>>,
    seed: u64,
) -> (Commitment<E>, Claims<E>, Vec<u8>) {
    let params = scheme.params();
    let n = 1 << params.log_size;
    let all: Vec<B> = elements(n * params.polynomials as usize, seed);
    let polynomials: Vec<&[B]> = all.chunks(n).collect();
    let mut prover = Prover::new(scheme);
    let mut witness = prover.commit_batch(&polynomials);
    let (claims, proof) = prover.open(&mut witness, forms, b"label");
    (witness.commitment().clone(), claims, proof)
}

/// The same by a prover with one deviation.
pub(crate) fn deviating<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    deviation: Deviation,
    scheme: &Scheme<F, B, E>,
    forms: Vec<TensorForm<E>>,
) -> (Commitment<E>, Claims<E>, Vec<u8>) {
    let params = scheme.params();
    let n = 1 << params.log_size;
    let all: Vec<B> = entries(n * params.polynomials as usize);
    adversary::opened(deviation, scheme, &all.chunks(n).collect::<Vec<_>>(), forms)
}

/// Opens a point, an entry and the sum, and compares the values with the forms' on the data.
pub(crate) fn roundtrip<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(params: Params) {
    let variables = params.log_size as usize;
    let scheme = Scheme::<F, B, E>::new(params.clone(), &ANY).unwrap();
    let mut forms = vec![TensorForm::point(&point(variables))];
    if params.hidden_openings == 0 {
        forms.extend([TensorForm::index(77 % (1 << variables), variables), TensorForm::sum(variables)]);
    }
    let (commitment, claims, proof) = opened(&scheme, forms.clone());
    assert_eq!(scheme.verify(&commitment, &claims, &proof), Ok(()), "{params:?}");
    assert_eq!(scheme.read_commitment(&commitment.to_bytes()).unwrap(), commitment);
    let all: Vec<B> = entries(params.polynomials as usize * (1 << variables));
    for (form, values) in forms.iter().zip(&claims.values) {
        for (polynomial, value) in all.chunks(1 << variables).zip(values) {
            let table: Vec<E> = polynomial.iter().map(|&x| E::lift(x)).collect();
            assert_eq!(form.apply(&table), *value, "the value is the form's value on the data");
        }
    }
}

/// Every message of a proof about a point replaced. (notes: transcript-absorb)
pub(crate) fn messages_count<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(params: &Params) {
    let scheme = Scheme::<F, B, E>::new(params.clone(), &ANY).unwrap();
    let forms = || vec![TensorForm::point(&point(params.variables()))];
    let (commitment, claims, other) = opened_of(&scheme, forms(), 2);
    let calls = scheme.script(&commitment, &claims, &other).unwrap();
    let (commitment, claims, proof) = opened(&scheme, forms());
    every_message_counts(|proof| scheme.script(&commitment, &claims, proof), &proof, &(other, calls));
}

/// The calls of a proof's transcript that wrote bytes, with where they start.
pub(crate) fn parts(script: Vec<Call>) -> Vec<(Call, usize)> {
    let mut at = 0;
    let written = script.into_iter().filter(|c| matches!(c.kind, Kind::Send | Kind::Hint | Kind::Nonce));
    let placed = written.map(|call| {
        at += call.length;
        (call, at - call.length)
    });
    placed.collect()
}

/// Lengths of so many proofs of some forms, each with positions of its own, against the prediction.
pub(crate) fn check_lengths<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    params: &Params,
    (forms, proofs): (usize, usize),
    hundredths: f64,
) {
    let scheme = Scheme::<F, B, E>::new(params.clone(), &ANY).unwrap();
    let n = 1 << params.log_size;
    let all: Vec<B> = entries(n * params.polynomials as usize);
    let polynomials: Vec<&[B]> = all.chunks(n).collect();
    let mut prover = Prover::new(&scheme);
    let mut witness = prover.commit_batch(&polynomials);
    let mut script = |i: usize| {
        let forms = vec![TensorForm::point(&point(params.variables())); forms];
        let (claims, proof) = prover.open(&mut witness, forms, &i.to_le_bytes());
        scheme.script(witness.commitment(), &claims, &proof).unwrap()
    };
    let scripts: Vec<_> = (0..proofs).map(&mut script).collect();
    params.size(forms).check(&scripts, hundredths);
}

pub(crate) use lean::opens_alike;
