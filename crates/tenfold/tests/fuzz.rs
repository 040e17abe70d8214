//! Any bytes into any parser or verifier: it returns, never panics, stays within its memory, reads one encoding only,
//! and accepts nothing but what was proved.

#[path = "fuzz/binary.rs"]
mod binary;
#[path = "fuzz/driver.rs"]
mod driver;
#[path = "fuzz/files.rs"]
mod files;
#[path = "fuzz/tables.rs"]
mod tables;
#[path = "fuzz/weighing.rs"]
mod weighing;

use driver::{input, mutated, run};
use field::{ExtensionOf, Field, Goldilocks, Goldilocks2, KoalaBear, KoalaBear5, TwoAdic};
use iop::hash::Hash;
use iop::poly::TensorForm;
use iop::security::{Policy, Regime};
use pcs::fields::Fields;
use pcs::file::{File, Kind, Opening, SchemeId};
use pcs::pip::{Commitment, Inner, RoundParams};
use pcs::{Claims, deepfold, pip, weighted, with_fields};
use rand::RngExt;

const ANY: Policy = Policy::at_least(0);
const JOHNSON: Regime = Regime::Johnson { multiplicity: 8 };

/// A small shape with three stages; its queries are too few for real security.
fn pip_params(fields: Fields, hidden_openings: u32, regime: Regime) -> pip::Params {
    let level = |log_columns, log_inv_rate, queries, grinding| RoundParams {
        log_columns,
        log_inv_rate,
        queries,
        grinding,
        fold_grinding: 1,
    };
    pip::Params {
        fields,
        hash: Hash::Blake3,
        regime,
        entries: pcs::ligerito::Entries::Whole,
        log_size: 8,
        polynomials: 1,
        max_forms: 4,
        hidden_openings,
        // Hiding ones have random columns too.
        log_parts: 2 + hidden_openings,
        log_leaf_fibres: 0,
        level: level(4, 2, 6, 4),
        inner: Inner::Recursion(vec![level(1, 3, 4, 0), level(1, 4, 3, 2)]),
    }
}

fn deepfold_params(fields: Fields, regime: Regime) -> deepfold::Params {
    deepfold::Params {
        fields,
        hash: Hash::Blake3,
        regime,
        log_size: 7,
        log_columns: 2,
        log_inv_rate: 2,
        queries: 5,
        grinding: 3,
        log_final: 1,
        own: deepfold::DeepFold { max_forms: 3, deep: regime != Regime::UniqueDecoding },
    }
}

/// What every scheme proves and these tests tamper with.
struct Proved<E> {
    params: Vec<u8>,
    commitment: Commitment<E>,
    claims: Claims<E>,
    proof: Vec<u8>,
}

impl<E: Field> Proved<E> {
    fn file(&self, scheme: SchemeId, digests: [[u8; 32]; 2]) -> File<'static> {
        let [params_digest, statement] = digests;
        let (commitment, claims, proof) =
            (self.commitment.to_bytes(), self.claims.clone(), self.proof.clone());
        let body = Opening { commitment, claims, proof: proof.into() }.encode();
        File {
            kind: Kind::Opening,
            scheme,
            params: self.params.clone(),
            params_digest,
            statement,
            body: body.into(),
        }
    }
}

fn entries<B: Field>(n: usize) -> Vec<B> {
    (0..n as u64).map(|i| B::from_u64(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20)).collect()
}

fn forms<E: Field>(variables: u32, count: usize) -> Vec<TensorForm<E>> {
    let z: Vec<E> = (0..u64::from(variables)).map(|v| E::from_u64(v * v + 3).pow(17)).collect();
    let n = variables as usize;
    [TensorForm::point(&z), TensorForm::index(77, n), TensorForm::sum(n)].into_iter().take(count).collect()
}

fn pip_proved<B: TwoAdic, E: ExtensionOf<B>>(params: pip::Params) -> (pip::Scheme<B, E>, Proved<E>) {
    let encoded = params.encode();
    let count = if params.hidden_openings == 0 { 3 } else { 1 };
    let scheme = pip::Scheme::<B, E>::new(params, &ANY).unwrap();
    let mut prover = pip::Prover::new(&scheme);
    let mut witness = prover.commit(entries(1 << scheme.params().log_size));
    let (claims, proof) = prover.open(&mut witness, forms(scheme.params().log_size, count), b"label");
    let commitment = witness.commitment().clone();
    scheme.verify(&commitment, &claims, &proof).unwrap();
    (scheme, Proved { params: encoded, commitment, claims, proof })
}

fn deepfold_proved<B: TwoAdic, E: ExtensionOf<B>>(
    params: deepfold::Params,
) -> (deepfold::Scheme<B, E>, Proved<E>) {
    let encoded = params.encode();
    let scheme = deepfold::Scheme::<B, E>::new(params, &ANY).unwrap();
    let mut prover = deepfold::Prover::new(&scheme);
    let witness = prover.commit(entries(1 << scheme.params().log_size));
    let (claims, proof) = prover.open(&witness, forms(scheme.params().log_size, 3), b"label");
    let commitment = witness.commitment().clone();
    scheme.verify(&commitment, &claims, &proof).unwrap();
    (scheme, Proved { params: encoded, commitment, claims, proof })
}

#[test]
fn fuzz_files() {
    let (scheme, proved) = pip_proved::<Goldilocks, Goldilocks2>(pip_params(Fields::Goldilocks2, 0, JOHNSON));
    let valid = proved.file(SchemeId::Pip, [scheme.params().digest().head(), [7; 32]]).encode();
    run("fuzz_files", |rng| {
        let bytes = input(rng, &[&valid]);
        let Ok(file) = File::decode(&bytes) else { return false };
        assert!(file.encode() == bytes, "two encodings of one file");
        true
    });
}

#[test]
fn fuzz_openings_and_claims() {
    fn both<E: Field>(bytes: &[u8]) -> bool {
        let opening = Opening::<E>::decode(bytes);
        let claims = Claims::<E>::decode(bytes);
        assert!(opening.as_ref().is_ok_and(|x| x.encode() == bytes) || opening.is_err());
        assert!(claims.as_ref().is_ok_and(|x| x.encode() == bytes) || claims.is_err());
        opening.is_ok() || claims.is_ok()
    }
    let (_, proved) = pip_proved::<Goldilocks, Goldilocks2>(pip_params(Fields::Goldilocks2, 0, JOHNSON));
    let Proved { commitment, claims, proof, .. } = proved;
    let claim_bytes = claims.encode();
    let opening = Opening { commitment: commitment.to_bytes(), claims, proof: proof.into() }.encode();
    run("fuzz_openings_and_claims", |rng| {
        let bytes = input(rng, &[&opening, &claim_bytes]);
        let fields = Fields::PRIME[rng.random_range(0..Fields::PRIME.len())];
        let other = with_fields!(fields, B, E => { let _ = B::ZERO; both::<E>(&bytes) });
        other | both::<Goldilocks2>(&bytes)
    });
}

#[test]
fn fuzz_params() {
    let pip =
        [pip_params(Fields::Goldilocks2, 0, JOHNSON), pip_params(Fields::Bn254, 2, Regime::UniqueDecoding)]
            .map(|p| p.encode());
    let deepfold = [Regime::UniqueDecoding, JOHNSON].map(|r| deepfold_params(Fields::KoalaBear5, r).encode());
    run("fuzz_params", |rng| {
        let bytes = input(rng, &[&pip[0], &pip[1], &deepfold[0], &deepfold[1]]);
        let mut valid = false;
        if let Some(params) = pip::Params::decode(SchemeId::Pip, &bytes) {
            assert!(params.encode() == bytes, "two encodings of one parameter set");
            if let Ok(report) = params.validate(&ANY) {
                valid |= report.proven_bits().is_finite();
                assert!(!report.proven_bits().is_nan(), "{params:?}");
            }
        }
        if let Some(params) = deepfold::Params::decode(&bytes) {
            assert!(params.encode() == bytes, "two encodings of one parameter set");
            if let Ok(report) = params.validate(&ANY) {
                valid |= report.proven_bits().is_finite();
                assert!(!report.proven_bits().is_nan(), "{params:?}");
            }
        }
        valid
    });
}

/// Every part of a statement and its proof, changed one at a time, into the verifier of fixed parameters.
macro_rules! fuzz_statement {
    ($test:expr, $E:ty, $proved:expr) => {{
        let (scheme, proved) = $proved;
        let commitment_bytes = proved.commitment.to_bytes();
        let claim_bytes = proved.claims.encode();
        run($test, |rng| {
            let (mut commitment, mut claims, mut proof) =
                (proved.commitment.clone(), proved.claims.clone(), proved.proof.clone());
            match rng.random_range(0..8) {
                0 => match scheme.read_commitment(&input(rng, &[&commitment_bytes])) {
                    Ok(read) => commitment = read,
                    Err(_) => return false,
                },
                1 => match Claims::<$E>::decode(&mutated(rng, &[&claim_bytes])) {
                    Ok(read) => claims = read,
                    Err(_) => return false,
                },
                _ => proof = input(rng, &[&proved.proof]),
            }
            let same = (&commitment, &claims, &proof) == (&proved.commitment, &proved.claims, &proved.proof);
            assert!(scheme.verify(&commitment, &claims, &proof).is_ok() == same, "accepted something else");
            true
        });
    }};
}

#[test]
fn fuzz_pip_verify() {
    let params = pip_params(Fields::Goldilocks2, 0, JOHNSON);
    fuzz_statement!("fuzz_pip_verify", Goldilocks2, pip_proved::<Goldilocks, Goldilocks2>(params));
}

#[test]
fn fuzz_pip_verify_hiding() {
    let params = pip_params(Fields::KoalaBear5, 1, Regime::UniqueDecoding);
    fuzz_statement!("fuzz_pip_verify_hiding", KoalaBear5, pip_proved::<KoalaBear, KoalaBear5>(params));
}

#[test]
fn fuzz_deepfold_verify() {
    let params = deepfold_params(Fields::Goldilocks2, JOHNSON);
    fuzz_statement!("fuzz_deepfold_verify", Goldilocks2, deepfold_proved::<Goldilocks, Goldilocks2>(params));
}

/// What a stranger's file makes a verifier do when its parameters are taken as they come: the digests of the header
/// are recomputed, so that a change of the parameters reaches the scheme.
fn verify_file(file: &File) -> Option<bool> {
    fn run<B: TwoAdic, E: ExtensionOf<B>>(file: &File) -> Option<bool> {
        if file.kind == Kind::Weighted {
            let params =
                pip::Params::decode(SchemeId::Pip, &file.params).filter(|_| file.scheme == SchemeId::Pip)?;
            return weighing::verify::<pip::Scheme<B, E>>(params, &file.body, entries(200));
        }
        let body = Opening::<E>::decode(&file.body).ok()?;
        let verdict = match file.scheme {
            SchemeId::Pip => {
                let scheme =
                    pip::Scheme::<B, E>::new(pip::Params::decode(SchemeId::Pip, &file.params)?, &ANY).ok()?;
                scheme.verify(&scheme.read_commitment(&body.commitment).ok()?, &body.claims, &body.proof)
            }
            SchemeId::DeepFold => {
                let params = deepfold::Params::decode(&file.params)?;
                let scheme = deepfold::Scheme::<B, E>::new(params, &ANY).ok()?;
                scheme.verify(&scheme.read_commitment(&body.commitment).ok()?, &body.claims, &body.proof)
            }
            SchemeId::Ligerito | SchemeId::Air | SchemeId::Ring | SchemeId::Virgo => return None,
        };
        Some(verdict.is_ok())
    }
    let fields = match file.scheme {
        SchemeId::Pip => pip::Params::decode(SchemeId::Pip, &file.params)?.fields,
        SchemeId::DeepFold => deepfold::Params::decode(&file.params)?.fields,
        SchemeId::Ligerito | SchemeId::Air => return binary::verify_file(file),
        SchemeId::Ring | SchemeId::Virgo => return None,
    };
    with_fields!(fields, B, E => run::<B, E>(file))
}

/// Files that hold, with faults in their parameters or bodies.
fn into_the_verifier(name: &str, files: &[File]) {
    assert!(files.iter().all(|file| verify_file(file) == Some(true)));
    run(name, |rng| {
        let original = &files[rng.random_range(0..files.len())];
        let mut file = original.clone();
        if rng.random() {
            file.params = mutated(rng, &[&original.params]);
        }
        if rng.random() {
            file.body = mutated(rng, &[&original.body]).into();
        }
        let verdict = verify_file(&file);
        assert!(verdict != Some(true) || file == *original, "accepted something else");
        verdict.is_some()
    });
}

#[test]
fn fuzz_files_into_the_verifier() {
    let digests = [[0; 32]; 2];
    let (_, first) = pip_proved::<Goldilocks, Goldilocks2>(pip_params(Fields::Goldilocks2, 0, JOHNSON));
    let hiding = pip_params(Fields::KoalaBear5, 1, Regime::UniqueDecoding);
    let (_, second) = pip_proved::<KoalaBear, KoalaBear5>(hiding);
    let (_, third) =
        deepfold_proved::<Goldilocks, Goldilocks2>(deepfold_params(Fields::Goldilocks2, JOHNSON));
    let weighted = weighing::over_pip();
    let params = weighted.scheme.params().encode();
    let files = [
        weighing::file(SchemeId::Pip, params, weighted.body.encode()),
        first.file(SchemeId::Pip, digests),
        second.file(SchemeId::Pip, digests),
        third.file(SchemeId::DeepFold, digests),
    ];
    into_the_verifier("fuzz_files_into_the_verifier", &files);
}

/// Parameters of every size that validates, with claims that fit and a proof that does not: nothing is allocated on their word.
#[test]
fn fuzz_announced_sizes() {
    fn case<B: TwoAdic, E: ExtensionOf<B>>(
        scheme: SchemeId,
        params: Vec<u8>,
        log_size: u32,
        proof: Vec<u8>,
    ) -> bool {
        let forms = forms::<E>(log_size, 1);
        let claims = Claims { values: vec![vec![E::ONE]; forms.len()], forms, context: vec![] };
        let commitment = vec![7; 32 + E::BYTES * usize::from(log_size.is_multiple_of(2))];
        let [params_digest, statement] = [[0; 32]; 2];
        let of_weights = weighted::Statement {
            weights: [7; 32].into(),
            values: vec![B::ONE],
            context: claims.context.clone(),
        };
        let (same, copy) = (commitment.clone(), proof.clone());
        let weighed =
            weighted::Opening { commitment: same, statement: of_weights, proof: copy.into() }.encode().into();
        let body = Opening { commitment, claims, proof: proof.into() }.encode().into();
        let file = File { kind: Kind::Opening, scheme, params, params_digest, statement, body };
        let weighed = File { kind: Kind::Weighted, body: weighed, ..file.clone() };
        let weighed = scheme == SchemeId::Pip && verify_file(&weighed).is_some();
        verify_file(&file).is_some() | weighed
    }
    run("fuzz_announced_sizes", |rng| {
        let fields = Fields::PRIME[rng.random_range(0..Fields::PRIME.len())];
        let log_size: u32 = rng.random_range(1..=40);
        // The parity decides about the out-of-domain value in the commitment.
        let regime = if log_size.is_multiple_of(2) { JOHNSON } else { Regime::UniqueDecoding };
        let proof = input(rng, &[&[0; 4096]]);
        let log_columns = rng.random_range(0..=log_size);
        let (scheme, params) = if rng.random() {
            let mut params = pip_params(fields, 0, regime);
            params.log_size = log_size;
            params.level.log_columns = log_columns;
            params.inner = match rng.random_range(0..3) {
                0 => Inner::TwoChains,
                1 => Inner::Chain((0..rng.random_range(1..6)).map(|_| rng.random_range(0..=8)).collect()),
                _ => {
                    let mut level =
                        || pip::RoundParams { log_columns: rng.random_range(1..=24), ..params.level };
                    Inner::Recursion((0..2).map(|_| level()).collect())
                }
            };
            (SchemeId::Pip, params.encode())
        } else {
            let params = deepfold_params(fields, regime);
            (SchemeId::DeepFold, deepfold::Params { log_size, log_columns, ..params }.encode())
        };
        with_fields!(fields, B, E => case::<B, E>(scheme, params, log_size, proof))
    });
}
