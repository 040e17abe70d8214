//! The longest file of a header: no honest file is longer, none that is gets read, and no parameters make the computation fail.
#![expect(clippy::as_conversions, reason = "small numbers of tests")]

use iop::security::Policy;
use pcs::file::{FileError, Header, Kind, SchemeId};
use pcs::{deepfold, ligerito, pip};
use tenfold::longest::{MAX_CONTEXT, check_length, longest};
use tenfold::verify::Refused;

const ANY: Policy = Policy::at_least(0);
use field::{Bn254, ExtensionOf, Field, FoldFibres};
use field::{Gf128, Gf320, Goldilocks, Goldilocks2, Tower64, Tower128};
use iop::hash::{Digest, Hash};
use iop::poly::TensorForm;
use iop::security::Regime;
use pcs::claims::Claims;
use pcs::codec::Writer;
use pcs::fields::Fields;
use pcs::file::{File, Opening};
use pcs::pip::{Inner, RoundParams};
use pcs::{product, weighted};
use tenfold::statement::ColumnDescription;

type G = Goldilocks;
type E = Goldilocks2;

const JOHNSON: Regime = Regime::Johnson { multiplicity: 8 };

/// A description of as many numbers.
fn described(log_size: u32) -> Vec<u8> {
    let rows = 1 << log_size;
    ColumnDescription { name: "context".into(), rows, scale: 0, bytes: None, source: [0; 32] }.encode()
}

fn level(log_columns: u32, queries: u32, fold_grinding: u32) -> RoundParams {
    RoundParams { log_columns, log_inv_rate: 2, queries, grinding: 1, fold_grinding }
}

pub fn of_pip(regime: Regime, inner: Inner) -> pip::Params {
    pip::Params {
        fields: Fields::Goldilocks2,
        hash: Hash::Blake3,
        regime,
        entries: ligerito::Entries::Whole,
        log_size: 8,
        polynomials: 1,
        max_forms: 1,
        hidden_openings: 0,
        log_parts: 0,
        log_leaf_fibres: 0,
        level: level(3, 6, 1),
        inner,
    }
}

fn of_ligerito(regime: Regime, entries: ligerito::Entries) -> ligerito::Params {
    ligerito::Params {
        fields: ligerito::Fields::Gf128,
        hash: Hash::Blake3,
        regime,
        entries,
        log_size: 8,
        polynomials: 1,
        max_forms: 3,
        hidden_openings: 0,
        log_parts: 0,
        log_leaf_fibres: 0,
        level: level(3, 6, 0),
        inner: Inner::Recursion(vec![level(2, 5, 1)]),
    }
}

/// Of Air-FRI: a chain, with leaves of four rows and digests of 64 bytes.
fn of_air(regime: Regime, entries: ligerito::Entries) -> ligerito::Params {
    ligerito::Params {
        fields: ligerito::Fields::Gf320,
        hash: Hash::Sha3_512,
        level: level(0, 6, 1),
        inner: Inner::Chain(vec![2, 3, 1]),
        ..of_ligerito(regime, entries)
    }
}

/// The same with two fibres in a leaf.
fn of_wide_leaves(regime: Regime) -> ligerito::Params {
    ligerito::Params { log_leaf_fibres: 1, ..of_air(regime, ligerito::Entries::Extension) }
}

fn of_deepfold(regime: Regime) -> deepfold::Params {
    deepfold::Params {
        fields: Fields::Goldilocks2,
        hash: Hash::Blake3,
        regime,
        log_size: 7,
        log_columns: 2,
        log_inv_rate: 2,
        queries: 5,
        grinding: 1,
        log_final: 1,
        own: deepfold::DeepFold { max_forms: 3, deep: regime != Regime::UniqueDecoding },
    }
}

fn entries<B: Field>(log_size: u32) -> Vec<B> {
    (0..1u64 << log_size).map(|i| B::from_u64(i * i + 3)).collect()
}

/// Forms of each kind; those whose factors add up to zero have the longest proofs of DeepFold.
fn forms<C: Field>(count: u32, variables: usize) -> Vec<TensorForm<C>> {
    let zero = TensorForm::new(vec![[C::ONE, -C::ONE]; variables]);
    let all = [zero, TensorForm::index(7, variables), TensorForm::sum(variables)];
    all.into_iter().cycle().take(count as usize).collect()
}

struct Made {
    kind: Kind,
    scheme: SchemeId,
    params: Vec<u8>,
    digest: Digest,
    hash: Hash,
}

impl Made {
    fn opening<C: Field>(self, commitment: Vec<u8>, claims: Claims<C>, proof: Vec<u8>) -> Vec<u8> {
        let statement = claims.digest(self.hash, &commitment);
        self.file(statement, Opening { commitment, claims, proof: proof.into() }.encode())
    }

    fn file(self, statement: Digest, body: Vec<u8>) -> Vec<u8> {
        let Self { kind, scheme, params, digest, .. } = self;
        File {
            kind,
            scheme,
            params,
            params_digest: digest.head(),
            statement: statement.head(),
            body: body.into(),
        }
        .encode()
    }
}

pub fn pip_file(params: pip::Params) -> Vec<u8> {
    let scheme = pip::Scheme::<G, E>::new(params.clone(), &ANY).unwrap();
    let mut prover = pip::Prover::new(&scheme);
    let all: Vec<Vec<G>> = (0..params.polynomials).map(|_| entries(params.log_size)).collect();
    let all: Vec<&[G]> = all.iter().map(Vec::as_slice).collect();
    let mut witness = prover.commit_batch(&all);
    let count = if params.hidden_openings > 0 { 1 } else { params.max_forms };
    let (claims, proof) =
        prover.open(&mut witness, forms(count, params.variables()), &described(params.log_size));
    let (kind, scheme) = (Kind::Opening, SchemeId::Pip);
    let made = Made { kind, scheme, params: params.encode(), digest: params.digest(), hash: params.hash };
    made.opening(witness.commitment().to_bytes(), claims, proof)
}

fn binary_file<B: FoldFibres, C: ExtensionOf<B>>(params: ligerito::Params) -> Vec<u8> {
    let scheme = ligerito::Scheme::<B, C>::new(params.clone(), &ANY).unwrap();
    let mut prover = ligerito::Prover::new(&scheme);
    let columns = if params.entries == ligerito::Entries::Extension { C::DEGREE } else { 1 };
    let mut witness = prover.commit((0..columns).flat_map(|_| entries(params.log_size)).collect());
    let (claims, proof) =
        prover.open(&mut witness, forms(params.max_forms, params.variables()), &described(params.log_size));
    let (kind, scheme) = (Kind::Opening, params.scheme());
    let made = Made { kind, scheme, params: params.encode(), digest: params.digest(), hash: params.hash };
    made.opening(witness.commitment().to_bytes(), claims, proof)
}

fn deepfold_file(params: deepfold::Params) -> Vec<u8> {
    let scheme = deepfold::Scheme::<G, E>::new(params.clone(), &ANY).unwrap();
    let mut prover = deepfold::Prover::new(&scheme);
    let witness = prover.commit(entries(params.log_size));
    let (claims, proof) =
        prover.open(&witness, forms(params.own.max_forms, params.variables()), &described(params.log_size));
    let (kind, scheme) = (Kind::Opening, SchemeId::DeepFold);
    let made = Made { kind, scheme, params: params.encode(), digest: params.digest(), hash: params.hash };
    made.opening(witness.commitment().to_bytes(), claims, proof)
}

fn weighted_file(params: pip::Params) -> Vec<u8> {
    let scheme = weighted::Scheme::<pip::Scheme<G, E>>::new(params.clone(), &ANY).unwrap();
    let mut prover = pip::Prover::new(scheme.inner());
    let mut witness = prover.commit(entries(params.log_size));
    let weights = entries(params.log_size);
    let (claim, proof) =
        weighted::Prover::new(&scheme).open(&mut witness, weights, &described(params.log_size));
    let (commitment, statement) = (witness.commitment().to_bytes(), claim.statement(params.hash));
    let (kind, scheme) = (Kind::Weighted, SchemeId::Pip);
    let made = Made { kind, scheme, params: params.encode(), digest: params.digest(), hash: params.hash };
    let digest = statement.digest(params.hash, &commitment);
    made.file(digest, weighted::Opening { commitment, statement, proof: proof.into() }.encode())
}

fn product_file(params: pip::Params) -> Vec<u8> {
    let scheme = product::Scheme::<pip::Scheme<G, E>>::new(params.clone(), &ANY).unwrap();
    let columns = vec![entries(params.log_size); params.polynomials as usize];
    let slices: Vec<&[G]> = columns.iter().map(Vec::as_slice).collect();
    let mut witness = pip::Prover::new(scheme.inner()).commit_batch(&slices);
    let (last, rows) = (params.polynomials - 1, 1 << params.log_size);
    let (statement, proof) =
        product::open(&scheme, &mut witness, ([0, last], rows), &described(params.log_size));
    let commitment = witness.commitment().to_bytes();
    let (kind, scheme) = (Kind::Product, SchemeId::Pip);
    let made = Made { kind, scheme, params: params.encode(), digest: params.digest(), hash: params.hash };
    let digest = statement.digest(params.hash, &commitment);
    made.file(digest, product::Opening { commitment, statement, proof: proof.into() }.encode())
}

fn recursion() -> Inner {
    Inner::Recursion(vec![level(2, 5, 1)])
}

/// Proofs of every scheme, kind and inner argument. What stays below the limit is the context that is not there, and the rows and
/// paths that equal positions share.
#[test]
fn no_honest_file_is_longer_and_longer_ones_are_refused() {
    let unique = Regime::UniqueDecoding;
    let files = [
        pip_file(pip::Params { polynomials: 3, max_forms: 4, ..of_pip(JOHNSON, recursion()) }),
        pip_file(pip::Params { max_forms: 4, hidden_openings: 2, ..of_pip(unique, recursion()) }),
        pip_file(pip::Params { max_forms: 2, ..of_pip(JOHNSON, Inner::Chain(vec![2, 2])) }),
        pip_file(of_pip(unique, Inner::TwoChains)),
        binary_file::<Tower128, Gf128>(of_ligerito(JOHNSON, ligerito::Entries::Whole)),
        binary_file::<Tower128, Gf128>(of_ligerito(unique, ligerito::Entries::Bytes)),
        binary_file::<Tower64, Gf320>(of_air(JOHNSON, ligerito::Entries::Extension)),
        binary_file::<Tower64, Gf320>(of_air(unique, ligerito::Entries::Bytes)),
        binary_file::<Tower64, Gf320>(of_wide_leaves(JOHNSON)),
        deepfold_file(of_deepfold(JOHNSON)),
        deepfold_file(of_deepfold(unique)),
        weighted_file(of_pip(JOHNSON, recursion())),
        product_file(pip::Params { polynomials: 3, max_forms: 9, ..of_pip(JOHNSON, recursion()) }),
        product_file(pip::Params { max_forms: 9, ..of_pip(unique, Inner::Chain(vec![2, 2])) }),
    ];
    for (i, bytes) in files.into_iter().enumerate() {
        let header = Header::decode(&bytes[..bytes.len().min(Header::MOST as usize)]).unwrap();
        assert_eq!(header.length(), bytes.len() as u64, "file {i}");
        assert_eq!(check_length(&header), Ok(()), "file {i}");
        // No more is left than the context and what opened rows can share.
        let longest = longest(&header).unwrap();
        assert!(longest < header.length() + MAX_CONTEXT + (16 << 10), "file {i}: {longest}");
        let of = |body| Header { body, ..header.clone() };
        assert_eq!(check_length(&of(longest - header.before_body())), Ok(()), "file {i}");
        for body in [longest - header.before_body() + 1, longest, 1 << 62, u64::MAX] {
            assert_eq!(check_length(&of(body)), Err(FileError::Long.into()), "file {i}: {body}");
        }
        // Kinds that are not of these schemes have no length.
        for kind in [Kind::Members, Kind::Key] {
            let other = Header { kind, ..header.clone() };
            assert_eq!(check_length(&other), Err(FileError::Unknown("kind").into()));
        }
    }
}

#[test]
fn parameters_that_are_none_have_no_length() {
    let header = |params: Vec<u8>| {
        let bytes = File {
            kind: Kind::Opening,
            scheme: SchemeId::Pip,
            params,
            params_digest: [0; 32],
            statement: [0; 32],
            body: Vec::new().into(),
        };
        Header::decode(&bytes.encode())
    };
    let good = of_pip(JOHNSON, recursion()).encode();
    assert!(longest(&header(good.clone()).unwrap()).is_ok());
    let malformed = FileError::Malformed("parameters");
    for bytes in [Vec::new(), good[1..].to_vec(), [&good[..], &[0]].concat(), vec![0; 1024]] {
        assert_eq!(longest(&header(bytes).unwrap()), Err(malformed.into()));
    }
    // More bytes than any parameters have are no header.
    assert_eq!(header(vec![0; 1025]), Err(malformed));
    let regime = Regime::Johnson { multiplicity: 2 };
    assert!(matches!(
        longest(&header(of_pip(regime, recursion()).encode()).unwrap()),
        Err(Refused::Params(_))
    ));
}

/// Numbers at, above and far above the limits in every place of the parameters: an answer each time, and no number that wrapped.
#[test]
fn the_largest_parameters_have_a_length_or_none() {
    let values =
        [0, 1, 2, 3, 5, 8, 12, 16, 24, 26, 31, 32, 40, 256, 4096, 1 << 16, 1 << 24, 1 << 31, u32::MAX];
    let (mut state, mut answers) = (1u64, [0; 2]);
    let mut pick = |n: usize| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 33) as usize % n
    };
    let good: [(SchemeId, Vec<u8>, usize); 7] = [
        (SchemeId::Pip, of_pip(JOHNSON, recursion()).encode(), 2),
        (SchemeId::Pip, of_pip(JOHNSON, Inner::Chain(vec![2, 2])).encode(), 2),
        (SchemeId::Pip, of_pip(Regime::UniqueDecoding, Inner::TwoChains).encode(), 2),
        (SchemeId::Ligerito, of_ligerito(JOHNSON, ligerito::Entries::Bytes).encode(), 3),
        (SchemeId::DeepFold, of_deepfold(JOHNSON).encode(), 3),
        (SchemeId::Air, of_air(JOHNSON, ligerito::Entries::Extension).encode(), 3),
        (SchemeId::Air, of_wide_leaves(JOHNSON).encode(), 4),
    ];
    for _ in 0..1500 {
        let (scheme, mut params, start) = good[pick(good.len())].clone();
        for _ in 0..=pick(3) {
            // The numbers before the inner argument stand at every fourth byte.
            let at = start + 4 * pick(10.min((params.len() - start) / 4));
            let mut w = Writer::new();
            w.u32(values[pick(values.len())]);
            params[at..at + 4].copy_from_slice(&w.finish());
        }
        for kind in [Kind::Commitment, Kind::Opening, Kind::Weighted, Kind::Product] {
            let (params_digest, statement, params) = ([0; 32], [0; 32], params.clone());
            let header = Header { kind, scheme, params, params_digest, statement, body: u64::MAX };
            match longest(&header) {
                // 2^26 opened elements of 32 bytes, as many claims as there may be, and paths.
                Ok(longest) => assert!((MAX_CONTEXT..1 << 36).contains(&longest), "{header:?}: {longest}"),
                Err(refused) => assert!(matches!(refused, Refused::Params(_)), "{header:?}: {refused}"),
            }
            answers[usize::from(longest(&header).is_ok())] += 1;
        }
    }
    assert!(answers.iter().all(|&n| n > 100), "{answers:?}");
    // The most forms of the most polynomials.
    let largest = pip::Params {
        fields: Fields::Bn254,
        polynomials: 1 << 16,
        max_forms: 1 << 12,
        log_size: 20,
        level: level(0, 1, 0),
        inner: Inner::Recursion(vec![level(16, 1, 0)]),
        ..of_pip(JOHNSON, recursion())
    };
    let params = largest.encode();
    let (params_digest, statement) = ([0; 32], [0; 32]);
    let (kind, scheme) = (Kind::Opening, SchemeId::Pip);
    let header = Header { kind, scheme, params, params_digest, statement, body: 0 };
    let claims = (1u64 << 12) * (40 + (1 << 16)) * Bn254::BYTES as u64;
    assert!((claims..claims + (1 << 25)).contains(&longest(&header).unwrap()));
}
