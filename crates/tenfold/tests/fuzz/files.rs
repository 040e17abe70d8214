//! Any bytes as the files of the library: one encoding of each, and nothing accepted but what was proved.

use crate::driver::{input, run};
use iop::hash::Hash;
use iop::security::{Policy, Regime};
use pcs::file::{File, SchemeId};
use pcs::ligerito::{self, RoundParams};
use pcs::pip::Secret;
use rand::RngExt;
use tenfold::any::Form;
use tenfold::dataset::Base;
use tenfold::file::{CommitmentError, SecretFile};
use tenfold::search::{self, Options};
use tenfold::statement::{BytesDescription, ColumnContext, ColumnDescription, Description, Sums};
use tenfold::{AnyParams, AnyScheme, Claim, CommitmentFile, Dataset, Error, Verdict};

fn weights() -> Dataset {
    Dataset::from_decimals(["1", "-0.5", "2"]).unwrap()
}

/// The verdict of a verifier that wants so many bits.
fn verdict(bytes: &[u8], bits: u32, weights: Option<&Dataset>) -> Result<Verdict, Error> {
    let policy = tenfold::Policy::at_least(bits).self_contained();
    tenfold::verify(bytes, &weights.map_or(policy, |weights| policy.weights(weights)))
}

/// A commitment file, a proof file, the description in both, a secret file, a weighted proof, and a context.
fn own_files() -> [Vec<u8>; 6] {
    let Ok(Dataset::Column(column)) = Dataset::from_decimals(["10.5", "-3", "4"]) else { unreachable!() };
    let options = Options::proven_bits(100).field(Base::KoalaBear);
    let params = search::column_params(Base::KoalaBear, search::log_size(&column), &options).unwrap();
    let subject = column.describe();
    let weights = weights();
    let policy = Policy::at_least(100);
    let scheme = AnyScheme::from_matrix(params.clone(), &policy).unwrap();
    let mut prover = scheme.prover();
    let entries = prover.integers(&mut column.values.iter()).unwrap();
    let mut witness = prover.commit(entries);
    let claims = [Claim::Row(1), Claim::Sum, Claim::Point(vec![5, 6])];
    let forms = tenfold::prove::forms(&claims, subject.rows, &scheme).unwrap();
    let proof = prover.open(&mut witness, &forms, &subject.encode()).unwrap().file.encode();
    let context = ColumnContext { column: subject.clone(), weights_scale: Some(1), sums: Sums::of(true) };
    let elements = weights.with_weights(|weights| prover.weights(weights)).unwrap();
    let weighted = prover.open_weighted(&mut witness, elements, &context.encode(), &policy).unwrap().encode();
    let commitment = witness.commitment().to_vec();
    let (params, description) = (AnyParams::Matrix(params), Description::Column(subject.clone()));
    let committed = CommitmentFile { params, description, commitment };
    let secret = SecretFile::of(&committed, Secret::from_seed(&[7; 32], 0)).encode(None);
    let committed = committed.to_bytes();
    let context =
        ColumnContext { column: subject.clone(), weights_scale: None, sums: Sums::of(true) }.encode();
    let subject = subject.encode();
    assert!(verdict(&proof, 100, None).is_ok() && CommitmentFile::from_bytes(&committed).is_ok());
    assert!(verdict(&weighted, 100, Some(&weights)).is_ok());
    [committed, proof, subject, secret.to_vec(), weighted, context]
}

/// A length is believed only as far as there are bytes: whatever place of a file says 2^60 and more, no memory is taken.
#[test]
fn fuzz_lengths_beyond_the_file() {
    let [committed, proof, _, _, weighted, _] = own_files();
    let weights = weights();
    run("fuzz_lengths_beyond_the_file", |rng| {
        let mut bytes = [&committed, &proof, &weighted][rng.random_range(0..3)].clone();
        // All lengths stand in front; behind them are rows and paths.
        let at = rng.random_range(0..(bytes.len() - 8).min(2000));
        let length = [1 << 60, u64::MAX, 1 << 31, u64::from(u32::MAX) << 32][rng.random_range(0..4)];
        bytes[at..at + 8].copy_from_slice(&length.to_le_bytes());
        assert!(verdict(&bytes, 0, Some(&weights)).is_err(), "{length} at {at}");
        assert!(
            verdict(&bytes, 0, None).is_err() && CommitmentFile::from_bytes(&bytes).is_err(),
            "{length} at {at}"
        );
        true
    });
}

/// A header that names rings is of no file about data, whatever follows.
#[test]
fn files_about_rings_are_not_about_data() {
    let [committed, proof, _, _, weighted, _] = own_files();
    for mut bytes in [committed, proof, weighted] {
        bytes[7] = SchemeId::Ring as u8;
        assert_eq!(File::decode(&bytes).map(|file| file.scheme), Ok(SchemeId::Ring));
        assert!(verdict(&bytes, 0, None).is_err() && verdict(&bytes, 0, Some(&weights())).is_err());
        assert_eq!(CommitmentFile::from_bytes(&bytes), Err(CommitmentError::Ring));
    }
}

/// Commitments, proofs and secrets, from a stranger.
#[test]
fn fuzz_own_files() {
    let [committed, proof, subject, secret, weighted, context] = own_files();
    let weights = weights();
    run("fuzz_own_files", |rng| {
        let bytes = input(rng, &[&committed, &proof, &subject, &secret, &weighted, &context]);
        let described = verdict(&bytes, 0, None).is_ok();
        assert!(!described || bytes == proof, "accepted something else");
        let weighed = verdict(&bytes, 0, Some(&weights)).is_ok();
        assert!(!weighed || bytes == weighted, "accepted something else");
        let read = CommitmentFile::from_bytes(&bytes);
        assert!(read.as_ref().map_or(true, |c| c.to_bytes() == bytes), "two encodings of one commitment");
        let subject = ColumnDescription::decode(&bytes);
        assert!(subject.as_ref().is_none_or(|s| s.encode() == bytes), "two encodings of one subject");
        let secret = SecretFile::decode(&bytes);
        assert!(secret.as_ref().map_or(true, |s| *s.encode(s.stamp) == bytes), "two encodings of one secret");
        let contexts = [false, true].map(|weighted| ColumnContext::decode(&bytes, weighted));
        let once = contexts.iter().flatten().all(|c| c.encode() == bytes);
        assert!(once && contexts.iter().flatten().count() < 2, "two encodings of one context");
        described || weighed || read.is_ok() || subject.is_some() || secret.is_ok()
    });
}

/// A commitment file, a proof file and the description of a file of bytes.
fn files_of_bytes() -> [Vec<u8>; 3] {
    let data = *b"any bytes at all";
    let level = RoundParams { log_columns: 0, log_inv_rate: 1, queries: 2, grinding: 0, fold_grinding: 0 };
    let params = ligerito::Params {
        fields: ligerito::Fields::Gf128,
        hash: Hash::Blake3,
        regime: Regime::UniqueDecoding,
        entries: ligerito::Entries::Bytes,
        log_size: 1,
        polynomials: 1,
        max_forms: 2,
        hidden_openings: 0,
        log_parts: 0,
        log_leaf_fibres: 0,
        level,
        inner: ligerito::Inner::Recursion(vec![]),
    };
    let blob = BytesDescription { name: "x".into(), length: 17, source: [5; 32] };
    let scheme = AnyScheme::from_matrix(params.clone(), &Policy::at_least(0)).unwrap();
    let mut prover = scheme.prover();
    let entries = prover.bytes(&mut &[data, data].concat()[..]).unwrap().unwrap();
    let mut witness = prover.commit(entries);
    let forms = [Form::Entry(3), scheme.point(&[2; 5])];
    let proof = prover.open(&mut witness, &forms, &blob.encode()).unwrap().file.encode();
    let commitment = witness.commitment().to_vec();
    let (params, description) = (AnyParams::Matrix(params), Description::Bytes(blob.clone()));
    let committed = CommitmentFile { params, description, commitment }.to_bytes();
    assert!(verdict(&proof, 0, None).is_ok() && CommitmentFile::from_bytes(&committed).is_ok());
    [committed, proof, blob.encode()]
}

/// The files about files of bytes, from a stranger.
#[test]
fn fuzz_files_of_bytes() {
    let [committed, proof, described] = files_of_bytes();
    run("fuzz_files_of_bytes", |rng| {
        let bytes = input(rng, &[&committed, &proof, &described]);
        let valid = verdict(&bytes, 0, None).is_ok();
        assert!(!valid || bytes == proof, "accepted something else");
        let read = CommitmentFile::from_bytes(&bytes);
        assert!(read.as_ref().map_or(true, |c| c.to_bytes() == bytes), "two encodings of one commitment");
        let blob = BytesDescription::decode(&bytes);
        assert!(blob.as_ref().is_none_or(|b| b.encode() == bytes), "two encodings of one description");
        valid || read.is_ok() || blob.is_some()
    });
}
