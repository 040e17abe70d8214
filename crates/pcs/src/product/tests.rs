//! Inner products: round trips, malicious provers, one for each check of the verifier, and changed proofs.

use super::verifier::{claims, rounds};
use super::*;
use crate::fields::Fields;
use crate::fields::tested::{self, with_tested_fields};
use crate::ligerito::{self, Entries};
use crate::pip::{self, Inner, Params, Prover, RoundParams, Witness};
use crate::scheme::conformance::every_message_counts;
use crate::weighted::{Points, extension};
use field::{ExtensionOf as _, Field, Goldilocks as B, Goldilocks2 as E};
use iop::error::Invalid;
use iop::hash::Hash;
use iop::poly::dot;
use iop::security::{Policy, Regime};
use iop::sumcheck;
use iop::transcript::{Challenger as _, Kind};

const ANY: Policy = Policy::at_least(0);
const JOHNSON: Regime = Regime::Johnson { multiplicity: 8 };
const PRODUCT: Invalid = Invalid("the values at the point do not make the inner product");
/// Rows of the honest statement, of 64 places.
const ROWS: u64 = 50;

/// A small shape of three columns; its queries are too few for real security.
fn small(fields: Fields, log_size: u32, regime: Regime) -> Params {
    let inner = if log_size >= 4 { vec![level(2, 0)] } else { vec![] };
    Params {
        fields,
        hash: Hash::Blake3,
        regime,
        entries: Entries::Whole,
        log_size,
        polynomials: 3,
        max_forms: 12,
        hidden_openings: 0,
        log_parts: 0,
        log_leaf_fibres: 0,
        level: level(log_size / 2, 3),
        inner: Inner::Recursion(inner),
    }
}

fn level(log_columns: u32, grinding: u32) -> RoundParams {
    RoundParams { log_columns, log_inv_rate: 2, queries: 8, grinding, fold_grinding: 1 }
}

/// Columns without structure in the first rows, and zeros.
fn columns<F: Field>(rows: u64, places: usize, seed: u64) -> [Vec<F>; 3] {
    [1, 2, 3].map(|column| {
        let number = |i: u64| F::from_u64((i + 7).wrapping_mul(0x9e37_79b9_7f4a_7c15 ^ (seed + column)) >> 9);
        let mut entries: Vec<F> = (0..rows).map(number).collect();
        entries.resize(places, F::ZERO);
        entries
    })
}

fn slices<F>(columns: &[Vec<F>]) -> Vec<&[F]> {
    columns.iter().map(Vec::as_slice).collect()
}

/// Proves all pairs over any numbers of rows, of a scheme that commits by `commit`.
fn roundtrip<S: Points + crate::scheme::Prove>(
    params: S::Params,
    commit: impl Fn(&S, &[&[S::Base]]) -> S::Witness,
) {
    let scheme = Scheme::<S>::new(params, &ANY).unwrap();
    let places = 1u64 << scheme.facts.variables;
    for rows in [1, 3, places / 2, places - 1, places].into_iter().filter(|rows| (1..=places).contains(rows))
    {
        let columns = columns::<S::Base>(rows, places as usize, 5);
        let mut witness = commit(scheme.inner(), &slices(&columns));
        for pair @ [a, b] in [[0, 1], [2, 0], [1, 1]] {
            let (statement, proof) = open(&scheme, &mut witness, (pair, rows), b"label");
            let commitment = crate::scheme::Witness::commitment(&witness);
            assert_eq!(statement.value, dot(&columns[a as usize], &columns[b as usize]));
            let script = scheme.script(commitment, &statement, &proof).unwrap();
            let sent = |kind| matches!(kind, Kind::Send | Kind::Hint | Kind::Nonce);
            let bytes: usize = script.iter().filter(|c| sent(c.kind)).map(|c| c.length).sum();
            assert_eq!(bytes, proof.len(), "the script accounts for every byte");
            let body = Opening { commitment: commitment.to_bytes(), statement, proof: proof.into() };
            assert_eq!(Opening::decode(&body.encode()).as_ref(), Ok(&body));
            assert!(Opening::<S::Base>::decode(&[&body.encode()[..], &[0]].concat()).is_err());
        }
    }
}

#[test]
fn field_pairs_prove() {
    for fields in tested::PRIME {
        with_tested_fields!(fields, B, E => {
            for regime in [Regime::UniqueDecoding, JOHNSON] {
                let commit = |scheme: &_, columns: &[&[B]]| Prover::<B, E>::new(scheme).commit_batch(columns);
                roundtrip::<pip::Scheme<B, E>>(small(fields, 6, regime), commit);
            }
        });
    }
    // One place, and inner arguments that are chains.
    let commit = |scheme: &_, columns: &[&[B]]| Prover::<B, E>::new(scheme).commit_batch(columns);
    roundtrip::<pip::Scheme<B, E>>(small(Fields::Goldilocks2, 0, Regime::UniqueDecoding), commit);
    let chain = Params { inner: Inner::Chain(vec![1, 1, 1]), ..small(Fields::Goldilocks2, 6, JOHNSON) };
    roundtrip::<pip::Scheme<B, E>>(chain, commit);
}

type Product = Scheme<pip::Scheme<B, E>>;

fn scheme() -> Product {
    Scheme::new(small(Fields::Goldilocks2, 6, JOHNSON), &ANY).unwrap()
}

fn committed(scheme: &Product, columns: &[Vec<B>]) -> Witness<B, E> {
    Prover::new(scheme.inner()).commit_batch(&slices(columns))
}

/// A prover that is honest but for what is changed here, and consistent with its own transcripts.
struct Deviations {
    /// What is stated.
    statement: fn(&mut Statement<B>),
    /// The columns that the sumcheck is run with.
    summed: [usize; 2],
    /// Added to the values at the point; `None`: the second factor that makes the product.
    values: Option<[E; 3]>,
    /// Added to the first coordinates that the opening is at: of the values, and of the padding.
    points: [E; 2],
    /// Rows by which the padding's blocks are made.
    rows: Option<u64>,
    /// Done to the opening's context.
    context: fn(&mut Vec<u8>),
}

impl Default for Deviations {
    fn default() -> Self {
        let (values, points) = (Some([E::ZERO; 3]), [E::ZERO; 2]);
        Self { statement: |_| {}, summed: [0, 1], values, points, rows: None, context: |_| {} }
    }
}

/// The verifier's answer to a prover with columns of so many rows, who states [`ROWS`] of the first two.
fn verdict(rows: u64, deviations: &Deviations) -> Result<(), Invalid> {
    let scheme = scheme();
    let columns = columns::<B>(rows, 64, 5);
    let mut witness = committed(&scheme, &columns);
    let value = dot(&columns[0], &columns[1]);
    let mut statement = Statement { columns: [0, 1], rows: ROWS, value, context: b"label".to_vec() };
    (deviations.statement)(&mut statement);
    let hash = scheme.facts.hash;
    let bound = statement.digest(hash, &witness.commitment().to_bytes());
    let mut tape = scheme.bind(&bound).prover();
    let [f, g] = deviations.summed.map(|column| &columns[column]);
    let (mut point, left, _) =
        sumcheck::prove_base(&mut tape, rounds(&scheme.facts), f, g, E::lift(statement.value));
    let mut values: Vec<E> = columns.iter().map(|column| extension(column, &point)).collect();
    match deviations.values {
        Some(off) => values.iter_mut().zip(off).for_each(|(value, off)| *value += off),
        None => values[1] = left * values[0].inverse().unwrap(),
    }
    tape.send("values at the point", &values);
    let mut padding: Vec<E> = tape.challenges("padding", 6);
    let mut proof = tape.finish();
    let mut context = statement.inner_context(hash, &bound, &proof);
    (deviations.context)(&mut context);
    point[0] += deviations.points[0];
    padding[0] += deviations.points[1];
    let claims = claims((&point, values), (deviations.rows.unwrap_or(statement.rows), &padding), context);
    proof.extend(Prover::new(scheme.inner()).open(&mut witness, claims.forms, &claims.context).1);
    scheme.verify(witness.commitment(), &statement, &proof)
}

#[test]
fn an_honest_prover() {
    assert_eq!(verdict(ROWS, &Deviations::default()), Ok(()));
    let scheme = scheme();
    let columns = columns::<B>(ROWS, 64, 5);
    let mut witness = committed(&scheme, &columns);
    let (statement, proof) = open(&scheme, &mut witness, ([0, 1], ROWS), b"label");
    assert_eq!(scheme.verify(witness.commitment(), &statement, &proof), Ok(()));
}

#[test]
fn malicious_prover_deviates_in_the_product() {
    let statement = |statement: &mut Statement<B>| statement.value += B::ONE;
    assert_eq!(verdict(ROWS, &Deviations { statement, ..Deviations::default() }), Err(PRODUCT));
    // The values that make up for it are not the columns'.
    let refused = verdict(ROWS, &Deviations { statement, values: None, ..Deviations::default() });
    assert!(refused.is_err() && refused != Err(PRODUCT), "{refused:?}");
}

#[test]
fn malicious_prover_deviates_in_the_values_at_the_point() {
    for column in 0..3 {
        let mut values = [E::ZERO; 3];
        values[column] = E::ONE;
        let refused = verdict(ROWS, &Deviations { values: Some(values), ..Deviations::default() });
        // A third column is none of the product's, and its value is proven too.
        assert!(refused.is_err() && (refused == Err(PRODUCT)) == (column < 2), "{column}: {refused:?}");
    }
}

#[test]
fn malicious_prover_deviates_in_the_columns() {
    for summed in [[0, 2], [2, 1], [0, 0], [1, 1]] {
        assert_eq!(
            verdict(ROWS, &Deviations { summed, ..Deviations::default() }),
            Err(PRODUCT),
            "{summed:?}"
        );
    }
    let swapped = |statement: &mut Statement<B>| statement.columns = [1, 0];
    assert_eq!(verdict(ROWS, &Deviations { statement: swapped, ..Deviations::default() }), Ok(()));
    for statement in [
        (|statement| statement.columns = [0, 3]) as fn(&mut Statement<B>),
        |statement| statement.columns = [3, 1],
        |statement| statement.columns = [u32::MAX, 1],
    ] {
        let refused = verdict(ROWS, &Deviations { statement, ..Deviations::default() });
        assert_eq!(refused, Err(Invalid("an inner product of a column that there is not")));
    }
}

/// Places behind the rows are not summed: a column with more is refused, whichever it is.
#[test]
fn malicious_prover_deviates_in_the_padding() {
    for rows in [ROWS + 1, 64] {
        let refused = verdict(rows, &Deviations::default());
        assert!(refused.is_err() && refused != Err(PRODUCT), "{rows}: {refused:?}");
        // Blocks that its own padding satisfies are not those of the statement.
        let refused = verdict(rows, &Deviations { rows: Some(rows), ..Deviations::default() });
        assert!(refused.is_err() && refused != Err(PRODUCT), "{rows}: {refused:?}");
        let statement: fn(&mut Statement<B>) =
            if rows == 64 { |statement| statement.rows = 64 } else { |statement| statement.rows = ROWS + 1 };
        assert_eq!(verdict(rows, &Deviations { statement, ..Deviations::default() }), Ok(()));
    }
    // One entry in each block, in each column, the third too.
    let scheme = scheme();
    for (column, place) in (0..3).flat_map(|column| [50, 51, 52, 55, 56, 63].map(|place| (column, place))) {
        let mut columns = columns::<B>(ROWS, 64, 5);
        columns[column][place] = B::ONE;
        let mut witness = committed(&scheme, &columns);
        let (statement, proof) = open(&scheme, &mut witness, ([0, 1], ROWS), b"label");
        assert!(scheme.verify(witness.commitment(), &statement, &proof).is_err(), "{column} {place}");
    }
    for rows in [0, 65, u64::MAX] {
        let columns = columns::<B>(ROWS, 64, 5);
        let mut witness = committed(&scheme, &columns);
        let (statement, proof) = open(&scheme, &mut witness, ([0, 1], ROWS), b"label");
        let refused = scheme.verify(witness.commitment(), &Statement { rows, ..statement }, &proof);
        assert_eq!(refused, Err(Invalid("an inner product of no rows, or of more than there are places")));
    }
}

/// Each place behind the rows is of one form, by its bits within the block, and none before is of any.
#[test]
fn blocks_are_of_the_padding() {
    let z: Vec<E> = (0..5u64).map(|i| E::from_u64(i + 3).pow(9)).collect();
    for (rows, count) in (0..=5).flat_map(|count| (1..=1u64 << count).map(move |rows| (rows, count))) {
        let forms = claims((&z[..count], vec![]), (rows, &z[..count]), vec![]).forms;
        let mut covered = 0;
        for place in 0..1u64 << count {
            let unit: Vec<E> =
                (0..1u64 << count).map(|i| if i == place { E::ONE } else { E::ZERO }).collect();
            let values = forms[1..].iter().map(|form| form.apply(&unit)).filter(|value| *value != E::ZERO);
            let values: Vec<E> = values.collect();
            assert_eq!(values.len(), usize::from(place >= rows), "{place} of {rows}");
            covered += values.len() as u64;
        }
        assert_eq!((covered, forms.len() <= count + 1), ((1 << count) - rows, true), "{rows}");
    }
}

#[test]
fn malicious_prover_deviates_in_the_opening() {
    for points in [[E::ONE, E::ZERO], [E::ZERO, E::ONE]] {
        let refused = verdict(ROWS, &Deviations { points, ..Deviations::default() });
        // Zeros at another point are zeros, under another transcript.
        assert!(refused.is_err() && refused != Err(PRODUCT), "{points:?}: {refused:?}");
    }
    for context in [(|bytes| bytes.clear()) as fn(&mut Vec<u8>), |bytes| bytes[0] ^= 1, |bytes| bytes.push(0)]
    {
        let refused = verdict(ROWS, &Deviations { context, ..Deviations::default() });
        assert!(refused.is_err() && refused != Err(PRODUCT), "{refused:?}");
    }
}

#[test]
fn every_flipped_byte_truncation_and_extension() {
    let scheme = scheme();
    let columns = columns::<B>(ROWS, 64, 5);
    let mut witness = committed(&scheme, &columns);
    let (statement, proof) = open(&scheme, &mut witness, ([0, 1], ROWS), b"label");
    let commitment = witness.commitment().clone();
    let rejected = |proof: &[u8]| scheme.verify(&commitment, &statement, proof).is_err();
    for at in 0..proof.len() {
        let mut changed = proof.clone();
        changed[at] ^= 1 << (at % 8);
        assert!(rejected(&changed) && rejected(&proof[..at]), "byte {at}");
    }
    for extra in [1, 7, 32, 4096] {
        let mut longer = proof.clone();
        longer.resize(proof.len() + extra, 0);
        assert!(rejected(&longer), "{extra} further bytes");
    }
    let other = committed(&scheme, &self::columns::<B>(ROWS, 64, 6));
    for (commitment, statement) in [
        (other.commitment(), statement.clone()),
        (&commitment, Statement { columns: [1, 0], ..statement.clone() }),
        (&commitment, Statement { rows: ROWS + 1, ..statement.clone() }),
        (&commitment, Statement { value: statement.value + B::ONE, ..statement.clone() }),
        (&commitment, Statement { context: b"labels".to_vec(), ..statement.clone() }),
    ] {
        assert!(scheme.verify(commitment, &statement, &proof).is_err(), "{statement:?}");
    }
    assert!(!rejected(&proof));
}

#[test]
fn every_message() {
    let scheme = scheme();
    let honest = |seed| {
        let mut witness = committed(&scheme, &columns::<B>(ROWS, 64, seed));
        let (statement, proof) = open(&scheme, &mut witness, ([0, 1], ROWS), b"label");
        (witness.commitment().clone(), statement, proof)
    };
    let (commitment, statement, proof) = honest(5);
    let (of_other, stated, other) = honest(6);
    let calls = scheme.script(&of_other, &stated, &other).unwrap();
    every_message_counts(|proof| scheme.script(&commitment, &statement, proof), &proof, &(other, calls));
}

/// The sumcheck of one proof and the opening of another do not go together, even about one commitment.
#[test]
fn two_proofs_do_not_mix() {
    let scheme = scheme();
    let mut witness = committed(&scheme, &columns::<B>(ROWS, 64, 5));
    let (first, proof) = open(&scheme, &mut witness, ([0, 1], ROWS), b"label");
    let (second, other) = open(&scheme, &mut witness, ([1, 0], ROWS), b"label");
    assert_eq!(first.value, second.value);
    let length = (6 * 2 + 3) * E::BYTES;
    for (statement, messages, opening) in [(&first, &proof, &other), (&second, &other, &proof)] {
        let mixed = [&messages[..length], &opening[length..]].concat();
        assert!(scheme.verify(witness.commitment(), statement, &mixed).is_err());
        assert_eq!(scheme.verify(witness.commitment(), statement, messages), Ok(()));
    }
    // An opening behind an inner product is none in the application's name.
    let context = first.inner_context(Hash::Blake3, &[7; 32].into(), b"");
    assert!(u64::from_le_bytes(context[..8].try_into().unwrap()) > 1 << 40);
}

#[test]
fn parameters_without_room_are_refused() {
    let refused = |params: Params, policy: &Policy| {
        Product::new(params, policy).map(drop).map_err(|e| e.to_string()).unwrap_err()
    };
    let params = small(Fields::Goldilocks2, 6, Regime::UniqueDecoding);
    let hiding = Params { hidden_openings: 1, log_size: 8, level: level(3, 2), ..params.clone() };
    assert!(refused(hiding, &ANY).contains("would reveal a hiding commitment"));
    let forms = Params { max_forms: 6, ..params.clone() };
    assert!(refused(forms.clone(), &ANY).contains("a form for each index bit, and one more"));
    assert!(Product::new(Params { max_forms: 7, ..forms }, &ANY).is_ok());
    // Seven forms of each column, with their values.
    let columns = |polynomials| Params { polynomials, ..params.clone() };
    assert!(Product::new(columns(MAX_VALUES as u32 / 7), &ANY).is_ok());
    assert!(refused(columns(MAX_VALUES as u32 / 7 + 1), &ANY).contains("fewer columns"));
    let binary = Params { polynomials: 1, ..small(Fields::Gf192, 6, JOHNSON) };
    let binary = Scheme::<ligerito::Scheme<field::Tower64, field::Gf192>>::new(binary, &ANY);
    assert!(binary.map(drop).is_err_and(|e| e.to_string().contains("over a prime field")));
    // The field leaves 64 bits to rounds of degree 2.
    let level =
        RoundParams { log_columns: 3, log_inv_rate: 2, queries: 4096, grinding: 32, fold_grinding: 32 };
    let narrow = Params { fields: Fields::Goldilocks1, level, inner: Inner::Recursion(vec![]), ..params };
    let plain = pip::Scheme::<B, B>::new(narrow.clone(), &ANY).unwrap().report().proven_bits();
    let scheme = Scheme::<pip::Scheme<B, B>>::new(narrow.clone(), &ANY).unwrap();
    let bits = scheme.report().proven_bits();
    assert!(bits < plain, "{bits} of {plain}");
    let terms: Vec<(&str, f64)> =
        scheme.report().terms.iter().rev().take(2).map(|term| (term.label.as_str(), term.bits)).collect();
    let term = |degree: f64| B::bits() - degree.log2();
    assert_eq!(terms.iter().map(|term| term.0).collect::<Vec<_>>(), ["product padding", "product sumcheck"]);
    assert!((terms[0].1 - term(6.0)).abs() < 1e-6 && (terms[1].1 - term(12.0)).abs() < 1e-6, "{terms:?}");
}

/// Parameters that the search finds keep room for inner products.
#[test]
fn found_parameters_have_room() {
    use crate::pip::search::{Profile, SearchTarget, find};
    for (polynomials, log_size, bits) in [(1, 12, 100), (2, 12, 100), (8, 20, 100)] {
        let target = SearchTarget::new(Fields::Goldilocks2, log_size, bits, Profile::Fast);
        let params = find(&SearchTarget { polynomials, max_forms: 64, ..target }).unwrap();
        let scheme = Product::new(params, &Policy::at_least(bits)).unwrap();
        let (plain, report) = (scheme.inner().report(), scheme.report());
        assert!(plain.proven_bits() - report.proven_bits() < 0.01);
    }
}
