//! Ligerito and Air-FRI: mutated files, and parameters that announce much.

use super::{ANY, JOHNSON, input, into_the_verifier, run, weighing};
use field::{ExtensionOf, Field, FoldFibres};
use iop::hash::Hash;
use iop::poly::TensorForm;
use iop::security::Regime;
use pcs::file::{File, Kind, Opening, SchemeId};
use pcs::ligerito::{Entries, Fields, Inner, Params, Prover, RoundParams, Scheme};
use pcs::{Claims, weighted, with_binary_fields};
use rand::RngExt;

/// What a stranger's file makes a verifier do when its parameters are taken as they come.
pub fn verify_file(file: &File) -> Option<bool> {
    fn verify<B: FoldFibres, E: ExtensionOf<B>>(file: &File, params: Params) -> Option<bool> {
        let scheme = Scheme::<B, E>::new(params, &ANY).ok()?;
        let body = Opening::<E>::decode(&file.body).ok()?;
        let commitment = scheme.read_commitment(&body.commitment).ok()?;
        Some(scheme.verify(&commitment, &body.claims, &body.proof).is_ok())
    }
    let params = Params::decode(file.scheme, &file.params)?;
    assert!(params.encode() == file.params, "two encodings of one parameter set");
    with_binary_fields!(params.fields, B, E => match file.kind {
        Kind::Commitment | Kind::Members | Kind::Key | Kind::Product => None,
        Kind::Opening => verify::<B, E>(file, params),
        Kind::Weighted => {
            weighing::verify::<Scheme<B, E>>(params, &file.body, (0..200).map(element).collect())
        }
    })
}

/// A small shape with three stages; its queries are too few for real security.
pub fn small(fields: Fields, entries: Entries, hidden_openings: u32, regime: Regime) -> Params {
    let level = RoundParams { log_columns: 1, log_inv_rate: 3, queries: 4, grinding: 2, fold_grinding: 1 };
    Params {
        fields,
        hash: Hash::Blake3,
        regime,
        entries,
        log_size: 8,
        polynomials: 1,
        max_forms: 4,
        hidden_openings,
        // Hiding ones have random columns too.
        log_parts: 2 + hidden_openings,
        log_leaf_fibres: 0,
        level: RoundParams { log_columns: 4, log_inv_rate: 2, queries: 6, ..level },
        inner: Inner::Recursion(vec![level, RoundParams { log_inv_rate: 4, queries: 3, ..level }]),
    }
}

/// Elements without structure.
pub fn element<B: Field>(i: u64) -> B {
    let bytes = Hash::Blake3.digest("element", &[&i.to_le_bytes()]);
    B::from_bytes(&bytes[..B::BYTES]).unwrap()
}

fn proved<B: FoldFibres, E: ExtensionOf<B>>(params: Params) -> File<'static> {
    let scheme = Scheme::<B, E>::new(params, &ANY).unwrap();
    let (params, n) = (scheme.params(), scheme.params().variables());
    let mut prover = Prover::new(&scheme);
    let entries = (params.entry_columns() as u64) << params.log_size;
    let mut witness = prover.commit((0..entries).map(element).collect());
    let (claims, proof) = prover.open(&mut witness, vec![TensorForm::index(77, n)], b"label");
    let commitment = witness.commitment().to_bytes();
    let [params_digest, statement] = [[0; 32]; 2];
    let body = Opening { commitment, claims, proof: proof.into() }.encode();
    File {
        kind: Kind::Opening,
        scheme: params.scheme(),
        params: params.encode(),
        params_digest,
        statement,
        body: body.into(),
    }
}

#[test]
fn fuzz_ligerito_files_into_the_verifier() {
    let cases = [
        small(Fields::Gf128, Entries::Whole, 0, JOHNSON),
        small(Fields::Gf128, Entries::Bits, 0, Regime::UniqueDecoding),
        small(Fields::Gf192, Entries::Bytes, 0, JOHNSON),
        small(Fields::Gf256, Entries::Whole, 1, Regime::UniqueDecoding),
    ];
    let chain = |params: Params| Params { inner: Inner::Chain(vec![1, 2]), hash: Hash::Sha3_384, ..params };
    let wide_leaves = |params: Params| Params { log_parts: 0, log_leaf_fibres: 2, ..params };
    let chains = [
        chain(small(Fields::Gf320, Entries::Extension, 0, JOHNSON)),
        chain(small(Fields::Gf192, Entries::Bytes, 0, Regime::UniqueDecoding)),
        wide_leaves(chain(small(Fields::Gf256, Entries::Extension, 0, JOHNSON))),
    ];
    let files = [&cases[..], &chains[..]].concat().into_iter();
    let files: Vec<File> =
        files.map(|params| with_binary_fields!(params.fields, B, E => proved::<B, E>(params))).collect();
    let weighted = [Entries::Whole, Entries::Bytes].map(|entries| {
        let proved = weighing::over_ligerito(entries);
        weighing::file(SchemeId::Ligerito, proved.scheme.params().encode(), proved.body.encode())
    });
    let files = [&files[..], &weighted].concat();
    into_the_verifier("fuzz_ligerito_files_into_the_verifier", &files);
}

/// Parameters of every size that validates, up to 2^40 entries, with a claim that fits them and a proof that does not.
#[test]
fn fuzz_announced_sizes_of_ligerito() {
    fn case<B: FoldFibres, E: ExtensionOf<B>>(params: Params, proof: Vec<u8>) -> bool {
        let n = params.variables();
        let claims =
            Claims { forms: vec![TensorForm::<E>::index(3, n)], values: vec![vec![E::ONE]], context: vec![] };
        let outside = usize::from(params.regime != Regime::UniqueDecoding);
        let commitment = vec![7; params.hash.bytes() + E::BYTES * outside];
        let [params_digest, statement] = [[0; 32]; 2];
        let weights = params.hash.digest("weights", &[]);
        let of_weights = weighted::Statement { weights, values: vec![B::ONE], context: vec![] };
        let (same, copy) = (commitment.clone(), proof.clone());
        let weighed =
            weighted::Opening { commitment: same, statement: of_weights, proof: copy.into() }.encode();
        let weighed = weighing::file(params.scheme(), params.encode(), weighed);
        assert_ne!(verify_file(&weighed), Some(true), "accepted noise");
        let body = Opening { commitment, claims, proof: proof.into() }.encode().into();
        let (kind, scheme) = (Kind::Opening, params.scheme());
        let file = File { kind, scheme, params: params.encode(), params_digest, statement, body };
        assert_ne!(verify_file(&file), Some(true), "accepted noise");
        verify_file(&file).is_some() | verify_file(&weighed).is_some()
    }
    run("fuzz_announced_sizes_of_ligerito", |rng| {
        let fields = Fields::BINARY[rng.random_range(0..Fields::BINARY.len())];
        let entries = Entries::ALL[rng.random_range(0..Entries::ALL.len())];
        let log_size: u32 = rng.random_range(1..=40);
        let regime = if rng.random() { JOHNSON } else { Regime::UniqueDecoding };
        let mut params = small(fields, entries, 0, regime);
        params.hash = [Hash::Blake3, Hash::Sha3_384, Hash::Sha3_512][rng.random_range(0..3)];
        params.log_size = log_size;
        params.level.log_columns = rng.random_range(0..=log_size);
        let level = params.level;
        let levels = (0..rng.random_range(0..4)).map(|_| RoundParams {
            log_columns: rng.random_range(1..=16),
            log_inv_rate: rng.random_range(1..=16),
            ..level
        });
        params.inner = Inner::Recursion(levels.collect());
        if rng.random() {
            params.inner =
                Inner::Chain((0..rng.random_range(1..6)).map(|_| rng.random_range(0..=8)).collect());
            params.log_leaf_fibres = rng.random_range(0..=4);
            if params.log_leaf_fibres > 0 {
                params.log_parts = 0;
            }
        }
        let proof = input(rng, &[&[0; 4096]]);
        with_binary_fields!(fields, B, E => case::<B, E>(params, proof))
    });
}
