//! Tests of the scheme.

mod adversaries;
mod reference;

use super::*;
use crate::fields::Fields;
use field::{ExtensionOf, Field, Goldilocks, Goldilocks2, KoalaBear, KoalaBear5, TwoAdic};
use iop::hash::Hash;
use iop::poly::TensorForm;
use iop::security::{Policy, Regime};
use iop::transcript::Challenger;
use proptest::prelude::*;
use reference::Deviation;

const ANY: Policy = Policy::at_least(0);
const JOHNSON: Regime = Regime::Johnson { multiplicity: 8 };

/// Small parameters in unique decoding: 2^7 entries in 2^2 fragments.
fn small(fields: Fields) -> Params {
    Params {
        fields,
        hash: Hash::Blake3,
        regime: Regime::UniqueDecoding,
        log_size: 7,
        log_columns: 2,
        log_inv_rate: 2,
        queries: 9,
        grinding: 3,
        log_final: 0,
        own: DeepFold { max_forms: 3, deep: false },
    }
}

/// The paper's setting: one word, the Johnson regime, points outside of the domain.
fn unshredded(fields: Fields) -> Params {
    let own = DeepFold { max_forms: 3, deep: true };
    Params { regime: JOHNSON, log_columns: 0, own, ..small(fields) }
}

fn scheme<B: TwoAdic, E: ExtensionOf<B>>(params: Params) -> Scheme<B, E> {
    Scheme::new(params, &ANY).unwrap()
}

fn entries<B: Field>(n: usize) -> Vec<B> {
    (0..n as u64).map(|i| B::from_u64(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20)).collect()
}

fn point<E: Field>(variables: usize, seed: u64) -> TensorForm<E> {
    let z: Vec<E> = (0..variables as u64).map(|i| E::from_u64(seed * 1000 + 17 * i + 3)).collect();
    TensorForm::point(&z)
}

/// Opens with the prover and with the reference, which must agree, and verifies.
fn round_trip<B: TwoAdic, E: ExtensionOf<B>>(params: Params, forms: Vec<TensorForm<E>>) {
    let scheme = scheme::<B, E>(params.clone());
    let data: Vec<B> = entries(1 << params.log_size);
    let mut prover = Prover::new(&scheme);
    let witness = prover.commit(data.clone());
    let (claims, proof) = prover.open(&witness, forms.clone(), b"context");
    assert_eq!(claims.values, prover.evaluate(&witness, &forms));
    scheme.verify(witness.commitment(), &claims, &proof).unwrap();
    let (commitment, plain_claims, plain_proof) = reference::run(&scheme, &data, forms, Deviation::None);
    assert_eq!((witness.commitment(), &claims), (&commitment, &plain_claims), "{params:?}");
    assert!(proof == plain_proof, "the prover departs from the reference: {params:?}");
    assert_eq!(scheme.read_commitment(&commitment.to_bytes()), Ok(commitment));
    // A second commitment reuses the first one's memory.
    prover.recycle(witness);
    let again = prover.commit(data);
    let (claims, proof) = prover.open(&again, claims.forms, b"context");
    scheme.verify(again.commitment(), &claims, &proof).unwrap();
}

fn several_forms<E: Field>(n: usize) -> Vec<TensorForm<E>> {
    // An index and the sum have factors (1, 0), (0, 1), (1, 1); the last has factors that add up to zero.
    let odd = (0..n).map(|v| if v % 2 == 0 { [E::ONE, -E::ONE] } else { [E::from_u64(5), E::ONE] });
    vec![TensorForm::index(77, n), point(n, 1), TensorForm::new(odd.collect())]
}

#[test]
fn every_field_and_regime() {
    fn all<B: TwoAdic, E: ExtensionOf<B>>(fields: Fields) {
        for params in [small(fields), unshredded(fields), Params { regime: JOHNSON, ..small(fields) }] {
            round_trip::<B, E>(params, several_forms(7));
        }
    }
    // The other pairs are in the tests of the facade, which has them compiled.
    all::<KoalaBear, KoalaBear5>(Fields::KoalaBear5);
    all::<Goldilocks, Goldilocks2>(Fields::Goldilocks2);
}

#[test]
fn forms_of_every_kind() {
    let n = 7;
    let zero = TensorForm::new(vec![[Goldilocks2::ZERO; 2]; n]);
    let forms = [TensorForm::sum(n), TensorForm::powers(Goldilocks2::from_u64(9), n), zero];
    for form in forms.into_iter().chain(several_forms(n)) {
        round_trip::<Goldilocks, Goldilocks2>(small(Fields::Goldilocks2), vec![form.clone()]);
        round_trip::<Goldilocks, Goldilocks2>(unshredded(Fields::Goldilocks2), vec![form]);
    }
}

/// Large enough that the parallel paths split their work.
#[test]
fn larger_sizes_verify() {
    for log_columns in [0, 3] {
        let params = Params { log_size: 15, log_columns, ..unshredded(Fields::Goldilocks2) };
        let scheme = scheme::<Goldilocks, Goldilocks2>(params);
        let mut prover = Prover::new(&scheme);
        let witness = prover.commit(entries(1 << 15));
        assert!(witness.memory() > (8 << 15) * 5);
        let (claims, proof) = prover.open(&witness, several_forms(15), b"");
        scheme.verify(witness.commitment(), &claims, &proof).unwrap();
    }
}

fn shapes() -> impl Strategy<Value = Params> {
    let sizes = (1u32..8, 0u32..4, 1u32..4, 0u32..3);
    (sizes, any::<bool>(), any::<bool>(), 1u32..12, 0u32..4, prop::sample::select(Hash::ALL.to_vec()))
        .prop_map(
            |((log_rows, log_columns, log_inv_rate, log_final), johnson, deep, queries, grinding, hash)| {
                Params {
                    hash,
                    regime: if johnson { JOHNSON } else { Regime::UniqueDecoding },
                    log_size: log_rows + log_columns,
                    log_columns,
                    log_inv_rate,
                    queries,
                    grinding,
                    log_final: log_final.min(log_rows - 1),
                    own: DeepFold { max_forms: 3, deep },
                    ..small(Fields::KoalaBear5)
                }
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn every_shape(params in shapes(), seed in any::<u32>()) {
        let form = point(params.log_size as usize, seed.into());
        round_trip::<KoalaBear, KoalaBear5>(params, vec![form]);
    }

    #[test]
    fn params_have_one_encoding(params in shapes(), cut in 0usize..31) {
        let bytes = params.encode();
        prop_assert_eq!(Params::decode(&bytes), Some(params));
        prop_assert_eq!(Params::decode(&bytes[..cut.min(bytes.len() - 1)]), None);
        prop_assert_eq!(Params::decode(&[bytes.as_slice(), &[0]].concat()), None);
    }

    #[test]
    fn fuzz_decode_and_verify(params in prop::collection::vec(any::<u8>(), 31), proof in prop::collection::vec(any::<u8>(), 0..3000)) {
        if let Some(params) = Params::decode(&params) {
            let _ = params.validate(&ANY);
        }
        let scheme = scheme::<KoalaBear, KoalaBear5>(small(Fields::KoalaBear5));
        let (commitment, claims, _) = honest();
        prop_assert!(scheme.verify(&commitment, &claims, &proof).is_err());
    }
}

/// A way to change parameters or a statement.
type Change<'a, T> = &'a dyn Fn(&mut T);
type Statement = crate::Claims<KoalaBear5>;
type Opening = (Commitment<KoalaBear5>, Statement, Vec<u8>);

fn honest() -> Opening {
    let scheme = scheme::<KoalaBear, KoalaBear5>(small(Fields::KoalaBear5));
    reference::run(&scheme, &entries(128), vec![point(7, 1)], Deviation::None)
}

#[test]
fn every_flipped_byte_is_rejected() {
    for params in [small(Fields::KoalaBear5), unshredded(Fields::KoalaBear5)] {
        let scheme = scheme::<KoalaBear, KoalaBear5>(params);
        let (commitment, claims, proof) =
            reference::run(&scheme, &entries(128), several_forms(7), Deviation::None);
        scheme.verify(&commitment, &claims, &proof).unwrap();
        for at in 0..proof.len() {
            let mut flipped = proof.clone();
            flipped[at] ^= 1 << (at % 8);
            assert!(scheme.verify(&commitment, &claims, &flipped).is_err(), "byte {at}");
        }
    }
}

#[test]
fn other_lengths_are_rejected() {
    let scheme = scheme::<KoalaBear, KoalaBear5>(small(Fields::KoalaBear5));
    let (commitment, claims, proof) = honest();
    for length in 0..proof.len() {
        assert!(scheme.verify(&commitment, &claims, &proof[..length]).is_err(), "length {length}");
    }
    let longer = [proof.as_slice(), &[0]].concat();
    assert_eq!(scheme.verify(&commitment, &claims, &longer).unwrap_err().0, "proof is too long");
}

#[test]
fn other_statements_are_rejected() {
    for params in [small(Fields::KoalaBear5), unshredded(Fields::KoalaBear5)] {
        let scheme = scheme::<KoalaBear, KoalaBear5>(params.clone());
        let (commitment, claims, proof) =
            reference::run(&scheme, &entries(128), vec![point(7, 1)], Deviation::None);
        let rejects =
            |c: &Commitment<_>, claims: &crate::Claims<_>| scheme.verify(c, claims, &proof).is_err();
        assert!(!rejects(&commitment, &claims));
        let mut other = entries(128);
        other[5] += KoalaBear::ONE;
        assert!(rejects(&reference::commit(&scheme, &other, Deviation::None).0, &claims));
        let changed = |change: Change<Statement>| {
            let mut claims = claims.clone();
            change(&mut claims);
            rejects(&commitment, &claims)
        };
        assert!(changed(&|c| c.values[0][0] += KoalaBear5::ONE));
        assert!(changed(&|c| c.forms[0] = point(7, 2)));
        assert!(changed(&|c| c.context.push(0)));
        // The same proof under other parameters.
        let other = Params { queries: params.queries + 1, ..params };
        assert!(self::scheme::<KoalaBear, KoalaBear5>(other).verify(&commitment, &claims, &proof).is_err());
    }
}

/// Parameters, commitment, forms, values and context each change what is drawn first.
#[test]
fn everything_stated_moves_the_challenges() {
    let (commitment, claims, _) = honest();
    let params = small(Fields::KoalaBear5);
    let draw = |params: &Params, commitment: &Commitment<_>, claims: &crate::Claims<_>| {
        let bound = scheme::<KoalaBear, KoalaBear5>(params.clone()).bind(commitment, claims);
        bound.verifier(&[]).challenge::<KoalaBear5>("first")
    };
    let mut draws = vec![draw(&params, &commitment, &claims)];
    let changes: [Change<Params>; 10] = [
        &|p| p.hash = Hash::Sha256,
        &|p| p.regime = JOHNSON,
        &|p| p.log_size += 1,
        &|p| p.log_columns += 1,
        &|p| p.log_inv_rate += 1,
        &|p| p.queries += 1,
        &|p| p.grinding += 1,
        &|p| p.own.max_forms += 1,
        &|p| p.own.deep = true,
        &|p| p.log_final += 1,
    ];
    for change in changes {
        let mut params = params.clone();
        change(&mut params);
        draws.push(draw(&params, &commitment, &claims));
    }
    let mut other = commitment.clone();
    other.root[31] ^= 1;
    draws.push(draw(&params, &other, &claims));
    let other = Commitment { out_of_domain: vec![KoalaBear5::ONE], ..commitment.clone() };
    draws.push(draw(&params, &other, &claims));
    let changes: [Change<Statement>; 3] =
        [&|c| c.forms[0] = point(7, 2), &|c| c.values[0][0] += KoalaBear5::ONE, &|c| c.context.push(0)];
    for change in changes {
        let mut claims = claims.clone();
        change(&mut claims);
        draws.push(draw(&params, &commitment, &claims));
    }
    for (i, a) in draws.iter().enumerate() {
        assert!(!draws[..i].contains(a), "change {i}");
    }
}

#[test]
fn statements_of_other_shapes_are_rejected() {
    let scheme = scheme::<KoalaBear, KoalaBear5>(small(Fields::KoalaBear5));
    let (commitment, claims, proof) = honest();
    let reason =
        |c: &Commitment<_>, claims: &crate::Claims<_>| scheme.verify(c, claims, &proof).unwrap_err().0;
    let with = |change: Change<Statement>| {
        let mut claims = claims.clone();
        change(&mut claims);
        reason(&commitment, &claims)
    };
    let misfit = "the claims do not fit the parameters";
    assert_eq!(with(&|c| c.forms.clear()), misfit);
    assert_eq!(with(&|c| c.values.clear()), misfit);
    assert_eq!(with(&|c| c.values[0].push(KoalaBear5::ONE)), misfit);
    assert_eq!(with(&|c| c.forms[0] = point(6, 1)), misfit);
    let many = |c: &mut Statement| {
        c.forms = vec![c.forms[0].clone(); 4];
        c.values = vec![c.values[0].clone(); 4];
    };
    assert_eq!(with(&many), "more linear forms than the parameters allow");
    let out_of_domain = vec![KoalaBear5::ONE];
    let other = Commitment { out_of_domain, ..commitment.clone() };
    assert_eq!(reason(&other, &claims), "the commitment does not fit the parameters");
    let bytes = commitment.to_bytes();
    assert!(scheme.read_commitment(&bytes[1..]).is_err());
    assert!(scheme.read_commitment(&[bytes.as_slice(), &[0]].concat()).is_err());
}

#[test]
fn parameters_out_of_range_are_refused() {
    let refuses = |change: Change<Params>| {
        let mut params = small(Fields::KoalaBear5);
        change(&mut params);
        params.validate(&ANY).is_err()
    };
    assert!(!refuses(&|_| ()));
    let changes: [Change<Params>; 13] = [
        &|p| p.fields = Fields::Gf128,
        &|p| p.queries = 0,
        &|p| p.queries = u32::MAX,
        &|p| p.log_inv_rate = 0,
        &|p| p.log_inv_rate = u32::MAX,
        &|p| p.log_size = u32::MAX,
        &|p| p.log_size = 25,
        &|p| p.log_columns = 7,
        &|p| p.log_columns = u32::MAX,
        &|p| p.log_final = 5,
        &|p| p.own.max_forms = 0,
        &|p| p.grinding = 33,
        &|p| p.regime = Regime::Johnson { multiplicity: 2 },
    ];
    for (i, change) in changes.into_iter().enumerate() {
        assert!(refuses(change), "change {i}");
    }
    assert!(Scheme::<Goldilocks, Goldilocks2>::new(small(Fields::KoalaBear5), &ANY).is_err());
}

/// Numbers that are each in range must not together ask a verifier for minutes of work.
#[test]
fn the_work_of_a_verifier_is_bounded() {
    let check = |log_columns, log_final, queries| {
        let (log_size, base) = (20, small(Fields::KoalaBear5));
        let params = Params { log_size, log_columns, log_final, queries, ..base };
        params.validate(&ANY).map(|_| ()).map_err(|e| e.reason().to_owned())
    };
    assert_eq!(check(2, 16, 900), Ok(()));
    assert!(check(2, 16, 1024).unwrap_err().contains("the final message"));
    assert_eq!(check(12, 2, 4096), Ok(()));
    assert!(check(13, 2, 4096).unwrap_err().contains("the opened rows"));
}

/// Queries for a target: enough, none to spare, and refused where the field is too small.
#[test]
fn targets_are_reached_with_the_fewest_queries() {
    let target = |fields, shape, unique, bits| {
        Params::for_target(&Target { unique_decoding: Some(unique), ..Target::new(fields, shape, bits) })
    };
    for shape in [[20, 0, 3], [20, 6, 3], [18, 0, 1]] {
        for (fields, unique, bits) in [
            (Fields::Goldilocks2, true, 100.0),
            (Fields::Goldilocks3, true, 128.0),
            (Fields::Goldilocks3, false, 128.0),
        ] {
            let params = target(fields, shape, unique, bits).unwrap();
            assert!(params.report().proven_bits() >= bits);
            let fewer = Params { queries: params.queries - 1, ..params };
            assert!(fewer.report().proven_bits() < bits);
        }
    }
    assert_eq!(target(Fields::Goldilocks2, [20, 0, 3], true, 100.0).unwrap().queries, 121);
    assert!(target(Fields::Goldilocks1, [20, 0, 3], true, 100.0).is_err());
    assert!(target(Fields::Goldilocks2, [20, 0, 3], false, 100.0).is_err());
    // No more than the level of the hash: a wider one proves what the field does.
    let beyond = Target::new(Fields::Bn254, [12, 0, 3], 129.0);
    assert!(Params::for_target(&beyond).is_err());
    let wide = Params::for_target(&Target { hash: Hash::Sha3_384, ..beyond }).unwrap();
    assert!(wide.report().max_level() == 192 && wide.validate(&Policy::at_least(129)).is_ok());
    // Of both regimes, Johnson needs fewer.
    let either = Params::for_target(&Target::new(Fields::Goldilocks3, [20, 6, 3], 100.0)).unwrap();
    assert!(either.regime != Regime::UniqueDecoding && either.own.deep);
}
