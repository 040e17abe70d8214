//! Tests of weighted sums: round trips, liars, tampering, security.

use super::verifier::extension;
use super::*;
use crate::fields::Fields;
use crate::pip::search::{Profile, Wanted, find};
use crate::pip::{self, Commitment, Inner, Level, Params, Witness};
use crate::with_fields;
use field::{ExtensionOf, Field, Goldilocks as B, Goldilocks2 as E, TwoAdic};
use iop::error::Invalid;
use iop::hash::Hash;
use iop::poly::{Tensor, dot};
use iop::security::{Policy, Regime};
use iop::sumcheck;
use iop::transcript::Kind;

const ANY: Policy = Policy { min_bits: 0 };
const JOHNSON: Regime = Regime::Johnson { multiplicity: 8 };
const PRODUCT: Invalid = Invalid("the value at the point does not make the weighted sum");

/// A small shape; its queries are too few for real security.
fn small(fields: Fields, log_size: u32, regime: Regime) -> Params {
    let level = |log_columns, grinding| Level {
        log_columns,
        log_inv_rate: 2,
        queries: 8,
        grinding,
        fold_grinding: 1,
    };
    let inner = if log_size >= 4 { vec![level(2, 0)] } else { vec![] };
    Params {
        fields,
        hash: Hash::Blake3,
        regime,
        log_size,
        polynomials: 1,
        max_forms: 1,
        hidden_openings: 0,
        level: level(log_size / 2, 3),
        inner: Inner::Recursion(inner),
    }
}

/// Numbers of both signs.
fn numbers<F: Field>(n: usize, seed: u64) -> Vec<F> {
    let number = |i: u64| F::from_u64((i + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40);
    (0..n as u64).map(|i| if i % 3 == 1 { -number(i) } else { number(i) }).collect()
}

fn committed<B: TwoAdic, E: ExtensionOf<B>>(scheme: &Scheme<B, E>, seed: u64) -> Witness<B, E> {
    pip::Prover::new(scheme.pip()).commit(numbers(1 << scheme.params().log_size, seed))
}

fn roundtrip<B: TwoAdic, E: ExtensionOf<B>>(params: Params, rows: usize) {
    let scheme = Scheme::<B, E>::new(params, &ANY).unwrap();
    let mut witness = committed(&scheme, 5);
    let (claim, proof) = Prover::new(&scheme).open(&mut witness, numbers(rows, 9), b"label");
    assert_eq!(scheme.verify(witness.commitment(), &claim, &proof), Ok(()), "{rows} rows");
    let all: Vec<B> = numbers(1 << scheme.params().log_size, 5);
    assert_eq!(claim.value, dot(&claim.weights, &all), "the sum over the rows");
    let statement = claim.statement(scheme.params().hash);
    let script = scheme.script(witness.commitment(), &statement, &proof).unwrap();
    let sent = |kind| matches!(kind, Kind::Send | Kind::Hint | Kind::Nonce);
    let bytes: usize = script.iter().filter(|c| sent(c.kind)).map(|c| c.length).sum();
    assert_eq!(bytes, proof.len(), "the script accounts for every byte");
}

#[test]
fn every_field_pair_proves() {
    for fields in Fields::ALL {
        with_fields!(fields, B, E => {
            roundtrip::<B, E>(small(fields, 7, Regime::UniqueDecoding), 100);
            roundtrip::<B, E>(small(fields, 7, JOHNSON), 128);
        });
    }
}

#[test]
fn every_number_of_rows_proves() {
    for log_size in [0, 1, 3, 5] {
        for rows in 0..=1 << log_size {
            roundtrip::<B, E>(small(Fields::Goldilocks2, log_size, JOHNSON), rows);
        }
    }
}

#[test]
fn every_hash_proves() {
    for hash in Hash::ALL {
        roundtrip::<B, E>(Params { hash, ..small(Fields::Goldilocks2, 6, JOHNSON) }, 50);
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
        roundtrip::<B, E>(Params { inner, ..small(Fields::Goldilocks2, 6, regime) }, 50);
    }
}

/// The verifier's two small tables against the sum over all places, the padding included.
#[test]
fn the_weights_extension_is_that_of_the_padded_table() {
    for variables in 0..=7 {
        let r: Vec<E> = (0..variables as u64).map(|v| E::from_u64(v + 3).pow(29)).collect();
        for rows in 0..=1 << variables {
            let weights: Vec<B> = numbers(rows, 4);
            let table: Vec<E> = weights.iter().map(|&w| E::lift(w)).collect();
            assert_eq!(extension(&weights, &r), Tensor::point(&r).apply(&table), "{rows} of 2^{variables}");
        }
    }
}

/// Default parameters: the term is there, its loss is small, and the room for it was kept.
#[test]
fn found_parameters_have_room() {
    for (fields, bits) in [(Fields::KoalaBear5, 128), (Fields::KoalaBear4, 100), (Fields::Goldilocks2, 100)] {
        for (log_size, profile) in
            [(1, Profile::Fast), (12, Profile::Fast), (12, Profile::Small), (24, Profile::Fast)]
        {
            let params = find(&Wanted::new(fields, log_size, bits, profile)).unwrap();
            let policy = Policy { min_bits: bits };
            let (plain, report) = (params.report(), report(&params));
            let term = report.terms.last().unwrap();
            assert_eq!((term.label.as_str(), term.grinding), ("weighted sumcheck", 0));
            // The list bound, two roots a round, over the challenge field.
            let first = params.level.log_inv_rate;
            let list = match params.regime {
                Regime::UniqueDecoding => 1.0,
                Regime::Johnson { multiplicity } => f64::from(multiplicity << first) / 2.0,
            };
            let error = list * f64::from(2 * log_size) / fields.bits().exp2();
            assert!((term.bits + error.log2()).abs() < 1e-6, "{} is not {}", term.bits, -error.log2());
            assert!(plain.proven_bits() - report.proven_bits() < 0.01, "{fields:?} 2^{log_size}");
            policy.check(&report).unwrap();
            assert!(has_room(&params, &policy));
        }
    }
}

#[test]
fn parameters_without_room_are_refused() {
    // Sixty-four bits leave a sumcheck of 20 rounds at most 58.7, whatever the queries are worth.
    let level = Level { log_columns: 4, log_inv_rate: 2, queries: 4096, grinding: 32, fold_grinding: 32 };
    let mut params = small(Fields::Goldilocks1, 4, Regime::UniqueDecoding);
    (params.level, params.inner) = (level, Inner::Recursion(vec![]));
    let plain = params.report().proven_bits();
    let policy = Policy { min_bits: plain as u32 };
    assert!(params.validate(&policy).is_ok() && policy.check(&report(&params)).is_err());
    let refused = Scheme::<B, B>::new(params.clone(), &policy).unwrap_err().0;
    assert!(
        refused.starts_with("no room for a weighted sum") && refused.contains("weighted sumcheck"),
        "{refused}"
    );
    assert!(!has_room(&params, &policy));
    let hiding = Params { hidden_openings: 1, ..small(Fields::Goldilocks2, 7, Regime::UniqueDecoding) };
    let hiding = Params { level: Level { log_columns: 3, ..hiding.level }, ..hiding };
    assert!(hiding.validate(&ANY).is_ok());
    let refused = Scheme::<B, E>::new(hiding, &ANY).unwrap_err().0;
    assert!(refused.contains("hiding"), "{refused}");
    let two = Params { polynomials: 2, ..small(Fields::Goldilocks2, 7, JOHNSON) };
    assert!(Scheme::<B, E>::new(two, &ANY).unwrap_err().0.contains("one polynomial"));
}

/// A prover that is honest but for what is changed here, and consistent with its own transcript.
struct Told<'a> {
    /// The weights that the sumcheck is run with.
    weights: &'a [B],
    /// Added to the value at the point; `None`: the value that makes the sum.
    value: Option<E>,
    /// Added to the first coordinate that the opening is at.
    point: E,
    /// Done to the opening's context.
    context: fn(&mut Vec<u8>),
}

impl<'a> Told<'a> {
    fn truth(weights: &'a [B]) -> Self {
        Self { weights, value: Some(E::ZERO), point: E::ZERO, context: |_| {} }
    }
}

/// The proof that this prover gives for a claim.
fn prove(scheme: &Scheme<B, E>, witness: &mut Witness<B, E>, claim: &Claim<B>, told: &Told) -> Vec<u8> {
    let hash = scheme.params().hash;
    let statement = claim.statement(hash);
    let bound = statement.digest(hash, &witness.commitment().to_bytes());
    let mut tape = scheme.bind(&bound).prover();
    let mut padded = told.weights.to_vec();
    padded.resize(witness.entries().len(), B::ZERO);
    let rounds = super::security::rounds(scheme.params());
    let (mut r, left, f) =
        sumcheck::prove_base(&mut tape, rounds, witness.entries(), &padded, E::lift(claim.value));
    let value = match told.value {
        Some(off) => f[0] + off,
        None => left * extension(&claim.weights, &r).inverse().unwrap(),
    };
    tape.send("value at the point", &[value]);
    let mut proof = tape.finish();
    let mut inner = statement.inner_context(hash, &bound, &proof);
    (told.context)(&mut inner);
    r[0] += told.point;
    proof.extend(pip::Prover::new(scheme.pip()).open(witness, vec![Tensor::point(&r)], &inner).1);
    proof
}

/// What the verifier says to a claim that is off by `off`, proved as told.
fn verdict(off: u64, told: impl FnOnce(&mut Told)) -> Result<(), Invalid> {
    let scheme = Scheme::<B, E>::new(small(Fields::Goldilocks2, 6, JOHNSON), &ANY).unwrap();
    let mut witness = committed(&scheme, 5);
    let weights: Vec<B> = numbers(50, 9);
    let value = dot(&weights, witness.entries()) + B::from_u64(off);
    let claim = Claim { weights: weights.clone(), value, context: b"label".to_vec() };
    let mut story = Told::truth(&weights);
    told(&mut story);
    let proof = prove(&scheme, &mut witness, &claim, &story);
    scheme.verify(witness.commitment(), &claim, &proof)
}

#[test]
fn this_prover_tells_the_truth_when_told_to() {
    assert_eq!(verdict(0, |_| {}), Ok(()));
    let scheme = Scheme::<B, E>::new(small(Fields::Goldilocks2, 6, JOHNSON), &ANY).unwrap();
    let mut witness = committed(&scheme, 5);
    let (claim, proof) = Prover::new(&scheme).open(&mut witness, numbers(50, 9), b"label");
    assert_eq!(prove(&scheme, &mut witness, &claim, &Told::truth(&claim.weights)), proof);
}

#[test]
fn liar_about_the_weighted_sum() {
    assert_eq!(verdict(1, |_| {}), Err(PRODUCT));
}

/// The value at the point that makes up for a false sum is not the column's.
#[test]
fn liar_about_the_weighted_sum_and_the_value_at_the_point() {
    let verdict = verdict(1, |told| told.value = None);
    assert!(verdict.is_err() && verdict != Err(PRODUCT), "{verdict:?}");
}

#[test]
fn liar_about_the_value_at_the_point() {
    assert_eq!(verdict(0, |told| told.value = Some(E::ONE)), Err(PRODUCT));
}

/// Where the weights' factor is zero the product says nothing about the value, and the opening does.
#[test]
fn liar_about_the_value_at_a_point_without_weight() {
    let scheme = Scheme::<B, E>::new(small(Fields::Goldilocks2, 6, JOHNSON), &ANY).unwrap();
    let mut witness = committed(&scheme, 5);
    let none = vec![B::ZERO; 50];
    let claim = Claim { weights: none.clone(), value: B::ZERO, context: vec![] };
    let mut verdict = |claim: &Claim<B>, off| {
        let told = Told { value: Some(off), ..Told::truth(&none) };
        let proof = prove(&scheme, &mut witness, claim, &told);
        scheme.verify(witness.commitment(), claim, &proof)
    };
    assert_eq!(verdict(&claim, E::ZERO), Ok(()));
    let said = verdict(&claim, E::ONE);
    assert!(said.is_err() && said != Err(PRODUCT), "{said:?}");
    assert_eq!(verdict(&Claim { value: B::ONE, ..claim }, E::ZERO), Err(PRODUCT), "nothing weighted is zero");
}

/// The rounds are those of other weights, with the sum that these have.
#[test]
fn liar_who_sums_with_other_weights() {
    let scheme = Scheme::<B, E>::new(small(Fields::Goldilocks2, 6, JOHNSON), &ANY).unwrap();
    let mut witness = committed(&scheme, 5);
    let (said, used): (Vec<B>, Vec<B>) = (numbers(50, 9), numbers(50, 10));
    let claim = Claim { value: dot(&used, witness.entries()), weights: said, context: vec![] };
    let proof = prove(&scheme, &mut witness, &claim, &Told::truth(&used));
    assert_eq!(scheme.verify(witness.commitment(), &claim, &proof), Err(PRODUCT));
    assert_eq!(verdict(0, |told| told.weights = &[B::ONE; 50]), Err(PRODUCT));
}

/// Padding has no weight, so weight given to it is found out.
#[test]
fn liar_who_weighs_the_padding() {
    let longer: Vec<B> = numbers(64, 9);
    assert_eq!(verdict(0, |told| told.weights = &longer.leak()[..51]), Err(PRODUCT));
}

/// A weight behind the last entry has nothing to weigh; the sum of the others must not be sold as the sum of all.
#[test]
fn liar_who_has_more_weights_than_entries() {
    let scheme = Scheme::<B, E>::new(small(Fields::Goldilocks2, 6, JOHNSON), &ANY).unwrap();
    let mut witness = committed(&scheme, 5);
    for more in [1, 2, 64] {
        let weights: Vec<B> = numbers(64 + more, 9);
        let value = dot(&weights[..64], witness.entries());
        let claim = Claim { weights: weights.clone(), value, context: vec![] };
        let proof = prove(&scheme, &mut witness, &claim, &Told::truth(&weights[..64]));
        let verdict = scheme.verify(witness.commitment(), &claim, &proof);
        assert_eq!(verdict, Err(Invalid("more weights than entries")), "{more} more");
    }
}

/// What the verifier says to a prover who runs the sumcheck with `used` for the weights it states, and only then, knowing
/// the point and what is left, decides what to state: `late` turns the claim of the run into the one that is verified.
/// Data and challenges live in one field, so that any number is a weight or a sum.
fn late(used: &[B], late: impl FnOnce(Claim<B>, &[B], &[B], B) -> Claim<B>) -> Result<(), Invalid> {
    let scheme = Scheme::<B, B>::new(small(Fields::Goldilocks1, 6, JOHNSON), &ANY).unwrap();
    let mut witness = committed(&scheme, 5);
    let weights: Vec<B> = numbers(64, 9);
    let value = dot(&weights, witness.entries());
    let claim = Claim { weights, value, context: b"label".to_vec() };
    let commitment = witness.commitment().clone();
    let bound = |claim: &Claim<B>| claim.statement(Hash::Blake3).digest(Hash::Blake3, &commitment.to_bytes());
    let mut tape = scheme.bind(&bound(&claim)).prover();
    let rounds = super::security::rounds(scheme.params());
    let (r, left, f) = sumcheck::prove_base(&mut tape, rounds, witness.entries(), used, claim.value);
    tape.send("value at the point", &f);
    let mut proof = tape.finish();
    let claim = late(claim, &r, &f, left);
    let inner = claim.statement(Hash::Blake3).inner_context(Hash::Blake3, &bound(&claim), &proof);
    proof.extend(pip::Prover::new(scheme.pip()).open(&mut witness, vec![Tensor::point(&r)], &inner).1);
    scheme.verify(&commitment, &claim, &proof)
}

#[test]
fn liar_who_chooses_the_sum_last() {
    assert_eq!(late(&numbers(64, 9), |claim, _, _, _| claim), Ok(()), "nothing is chosen");
    let other: Vec<B> = numbers(64, 10);
    let verdict = late(&other, |claim, r, f, left| {
        // What is left depends on the claimed sum by the product of the challenges.
        let slope = r.iter().fold(B::ONE, |product, &r| product * r);
        let missing = f[0] * extension(&claim.weights, r) - left;
        Claim { value: claim.value + missing * slope.inverse().unwrap(), ..claim }
    });
    assert_eq!(verdict, Err(PRODUCT));
}

#[test]
fn liar_who_chooses_the_weights_last() {
    let verdict = late(&numbers(64, 9), |mut claim, r, _, _| {
        // Two weights move against each other, so that the extension at the point stays as it is.
        let at_point = Tensor::point(r).expand();
        claim.weights[3] += at_point[7];
        claim.weights[7] -= at_point[3];
        claim
    });
    assert_eq!(verdict, Err(PRODUCT));
}

#[test]
fn liar_who_opens_another_point() {
    assert!(verdict(0, |told| told.point = E::ONE).is_err());
}

#[test]
fn liar_who_opens_in_another_context() {
    assert!(verdict(0, |told| told.context = |c| c.push(0)).is_err());
    assert!(verdict(0, |told| told.context = |c| *c = b"label".to_vec()).is_err());
    assert!(verdict(0, |told| told.context = |c| *c.last_mut().unwrap() ^= 1).is_err());
}

type Honest = (Scheme<B, E>, Commitment<E>, Claim<B>, Vec<u8>);

fn honest(weights: Vec<B>, context: &[u8]) -> Honest {
    let scheme = Scheme::<B, E>::new(small(Fields::Goldilocks2, 6, JOHNSON), &ANY).unwrap();
    let mut witness = committed(&scheme, 5);
    let (claim, proof) = Prover::new(&scheme).open(&mut witness, weights, context);
    (scheme, witness.commitment().clone(), claim, proof)
}

#[test]
fn every_flipped_byte_truncation_and_extension_is_rejected() {
    let (scheme, commitment, claim, proof) = honest(numbers(50, 9), b"label");
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

#[test]
fn another_statement_is_rejected() {
    let (scheme, commitment, claim, proof) = honest(numbers(50, 9), b"label");
    let rejects = |commitment: &Commitment<E>, claim: &Claim<B>| {
        assert!(scheme.verify(commitment, claim, &proof).is_err());
    };
    for row in 0..50 {
        let mut other = claim.clone();
        other.weights[row] += B::ONE;
        rejects(&commitment, &other);
    }
    let weights = |edit: fn(&mut Vec<B>)| {
        let mut other = claim.clone();
        edit(&mut other.weights);
        rejects(&commitment, &other);
    };
    weights(|w| w.push(B::ZERO));
    weights(|w| w.truncate(49));
    weights(|w| w.swap(0, 1));
    weights(|w| w.resize(65, B::ZERO));
    weights(Vec::clear);
    rejects(&commitment, &Claim { value: claim.value + B::ONE, ..claim.clone() });
    rejects(&commitment, &Claim { context: b"labels".to_vec(), ..claim.clone() });
    rejects(&Commitment { root: [7; 32], ..commitment.clone() }, &claim);
    let mut other = commitment.clone();
    other.out_of_domain[0] += E::ONE;
    rejects(&other, &claim);
    rejects(&Commitment { out_of_domain: vec![], ..commitment.clone() }, &claim);
    let edits: [fn(&mut Params); 3] =
        [|p| p.hash = Hash::Sha256, |p| p.max_forms += 1, |p| p.level.queries -= 1];
    for edit in edits {
        let mut params = scheme.params().clone();
        edit(&mut params);
        let other = Scheme::<B, E>::new(params, &ANY).unwrap();
        assert!(other.verify(&commitment, &claim, &proof).is_err());
    }
}

/// The sumcheck of one proof and the opening of another do not go together, even about one commitment, one sum and one
/// context; and an opening behind a weighted sum is no opening in the application's name.
#[test]
fn two_proofs_do_not_mix() {
    let (scheme, commitment, first, proof) = honest(numbers(50, 9), b"label");
    let length = 6 * 2 * E::BYTES + E::BYTES;
    let mut twisted = first.weights.clone();
    twisted.push(B::ZERO);
    let (_, _, second, other) = honest(twisted, b"label");
    assert_eq!((first.value, &first.context), (second.value, &second.context));
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

#[test]
fn bodies_have_one_encoding() {
    let (scheme, commitment, claim, proof) = honest(numbers(50, 9), b"label");
    let statement = claim.statement(scheme.params().hash);
    let body = Opening { commitment: commitment.to_bytes(), statement, proof };
    let bytes = body.encode();
    assert_eq!(Opening::<B>::decode(&bytes), Ok(body.clone()));
    (0..bytes.len()).for_each(|n| assert!(Opening::<B>::decode(&bytes[..n]).is_err()));
    assert!(Opening::<B>::decode(&[&bytes[..], &[0]].concat()).is_err());
    let value = 8 + body.commitment.len() + 32;
    let mut aliased = bytes.clone();
    aliased[value..value + 8].fill(0xff);
    assert!(Opening::<B>::decode(&aliased).is_err(), "2^64 - 1 is not a canonical element");
    for at in [0, value + 8, value + 8 + 8 + 5] {
        let mut long = bytes.clone();
        long[at..at + 8].copy_from_slice(&(1u64 << 60).to_le_bytes());
        assert!(Opening::<B>::decode(&long).is_err(), "a length at {at}");
    }
}
