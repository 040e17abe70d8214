//! Any bytes into the readers of data files: they return, never panic, and stay within their memory.

#[path = "../../tenfold/tests/fuzz/driver.rs"]
mod driver;

use driver::{input, run};
use iop::hash::Hash;
use iop::security::{Policy, Regime};
use pcs::ligerito::{self, RoundParams};
use pcs::pip::Secret;
use rand::RngExt;
use tenfold::AnyScheme;
use tenfold::any::Form;
use tenfold::statement::ColumnContext;
use tenfold::statement::ColumnDescription;
use tenfold::statement::{BytesDescription, Description};
use tenfold::verify;
use tenfold::{AnyParams, Claim, CommitmentFile, Dataset};
use tenfold_cli::args::{Bits, FieldChoice, HashChoice, InnerChoice, SchemeArgs, SchemeChoice};
use tenfold_cli::commands::scheme;
use tenfold_cli::commands::secret::SecretFile;
use tenfold_cli::commands::verify::{describe, describe_with};
use tenfold_cli::data::{Base, Format, Layout, Limits, Options, decimal, read};

const CSV: &[u8] =
    b"price,\"a \"\"quoted\"\" name\",n\r\n1.25,\"x,y\",3\n-7e-2,\"two\nlines\",170141183460469231731687303715884105727\n";
const JSON: &[u8] = b" [1, -2.5, 3e-2, 0.000000000000000001, 1e18, NaN, 12345678901234567890]\n";

fn npy(dtype: &str, rows: usize, width: usize) -> Vec<u8> {
    let header = format!("{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({rows},), }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend((0..rows * width).map(|i| (i * 37) as u8));
    bytes
}

#[test]
fn fuzz_data_readers() {
    let [integers, floats, words] = [("<i8", 8), (">f4", 4), ("|u1", 1)].map(|(d, w)| npy(d, 9, w));
    run("fuzz_data_readers", |rng| {
        let (format, valid): (_, &[&[u8]]) = match rng.random_range(0..5) {
            0 => (Format::Csv, &[CSV]),
            1 => (Format::Json, &[JSON, b"[]", b"[1, 2]"]),
            2 => (Format::Npy, &[&integers, &floats, &words]),
            3 => (Format::JsonLines, &[b"1\n-2.5\n", b"{\"price\": 1}\n{\"x\": [], \"price\": -2}\n"]),
            _ => (Format::Raw, &[CSV]),
        };
        let bytes = input(rng, valid);
        let options = Options {
            column: [None, Some("price".to_owned()), Some("1".to_owned())][rng.random_range(0..3)].clone(),
            scale: rng.random::<bool>().then(|| rng.random_range(0..=18)),
            header: rng.random(),
            raw_width: rng.random_range(1..=15),
            limits: Limits { max_bytes: 8 << 20, bytes_per_row: 320 },
            size: rng.random::<bool>().then_some(bytes.len() as u64),
            ..Options::default()
        };
        let Ok(column) = read(&bytes[..], format, &options) else { return false };
        assert!(!column.values.is_empty() && column.scale <= 18, "{column:?}");
        assert!(column.padded_rows() as u64 * 320 <= 8 << 20, "more rows than the memory limit allows");
        assert_eq!(column.source_digest, *blake3::hash(&bytes).as_bytes(), "a digest of other bytes");
        if column.layout == Layout::Numbers {
            for row in 0..column.rows() {
                let again = decimal::parse(column.text(row).unwrap().as_bytes()).unwrap();
                assert_eq!((Some(again.mantissa), again.scale), (column.values.row(row), column.scale));
            }
        }
        true
    });
}

fn weights() -> Dataset {
    Dataset::Column(read(&b"[1, -0.5, 2]"[..], Format::Json, &Options::default()).unwrap())
}

/// The limits of a verifier that wants so many bits.
fn at_least(bits: u32) -> verify::Limits {
    verify::Limits::new(bits)
}

/// A commitment file, a proof file, the description in both, a secret file, a weighted proof, and a context.
fn own_files() -> [Vec<u8>; 6] {
    let (field, bits) = (FieldChoice::KoalaBear, Some(Bits::B100));
    let (hash, inner) = (HashChoice::Blake3, InnerChoice::default());
    let scheme = Some(SchemeChoice::Pip);
    let theorems = Default::default();
    let args =
        SchemeArgs { scheme, entries: None, field, bits, profile: None, over: None, hash, inner, theorems };
    let column = read(&b"price\n10.5\n-3\n4\n"[..], Format::Csv, &Options::default()).unwrap();
    let params = scheme::params(Base::KoalaBear, scheme::log_size(&column), &args).unwrap();
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
    let context = ColumnContext { column: subject.clone(), weights_scale: Some(1), mean: true };
    let elements = weights.with_weights(|weights| prover.weights(weights)).unwrap();
    let weighted = prover.open_weighted(&mut witness, elements, &context.encode(), &policy).unwrap().encode();
    let commitment = witness.commitment().to_vec();
    let (params, description) = (AnyParams::Matrix(params), Description::Column(subject.clone()));
    let committed = CommitmentFile { params, description, commitment };
    let secret = SecretFile::of(&committed, Secret::from_seed(&[7; 32], 0)).encode(None);
    let committed = committed.to_bytes();
    let context = ColumnContext { column: subject.clone(), weights_scale: None, mean: true }.encode();
    let subject = subject.encode();
    assert!(
        describe(&proof, &Policy::at_least(100)).is_ok() && CommitmentFile::from_bytes(&committed).is_ok()
    );
    assert!(describe_with(&weighted, &at_least(100), Some(&weights)).is_ok());
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
        assert!(describe_with(&bytes, &at_least(0), Some(&weights)).is_err(), "{length} at {at}");
        assert!(
            describe(&bytes, &Policy::at_least(0)).is_err() && CommitmentFile::from_bytes(&bytes).is_err(),
            "{length} at {at}"
        );
        true
    });
}

/// The files of the command itself, commitments and proofs, from a stranger.
#[test]
fn fuzz_own_files() {
    let [committed, proof, subject, secret, weighted, context] = own_files();
    let weights = weights();
    run("fuzz_own_files", |rng| {
        let bytes = input(rng, &[&committed, &proof, &subject, &secret, &weighted, &context]);
        let described = describe(&bytes, &Policy::at_least(0)).is_ok();
        assert!(!described || bytes == proof, "accepted something else");
        let weighed = describe_with(&bytes, &at_least(0), Some(&weights)).is_ok();
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
    assert!(describe(&proof, &Policy::at_least(0)).is_ok() && CommitmentFile::from_bytes(&committed).is_ok());
    [committed, proof, blob.encode()]
}

/// The files about files of bytes, from a stranger.
#[test]
fn fuzz_files_of_bytes() {
    let [committed, proof, described] = files_of_bytes();
    run("fuzz_files_of_bytes", |rng| {
        let bytes = input(rng, &[&committed, &proof, &described]);
        let verdict = describe(&bytes, &Policy::at_least(0)).is_ok();
        assert!(!verdict || bytes == proof, "accepted something else");
        let read = CommitmentFile::from_bytes(&bytes);
        assert!(read.as_ref().map_or(true, |c| c.to_bytes() == bytes), "two encodings of one commitment");
        let blob = BytesDescription::decode(&bytes);
        assert!(blob.as_ref().is_none_or(|b| b.encode() == bytes), "two encodings of one description");
        verdict || read.is_ok() || blob.is_some()
    });
}

/// The files about rings, from a stranger: keys, a ring, its commitment, a signature.
#[test]
fn fuzz_ring_files() {
    use ring_proof::file::{
        Committed, Member, Members, Params, PublicKey, SecretKey, Signed, SuiteId, is_ring,
    };

    let suite = SuiteId::V1;
    let key = SecretKey { suite, secret: ring_proof::vrf::Secret::from_seed(suite.suite(), &[7; 32]) };
    let (secret, public) = (key.encode(), key.public());
    let params = Params { suite, domain: ring_proof::Domain::new(512).unwrap(), setup: [3; 32] };
    let bare = Member { possession: None, ..public.member.clone() };
    let slots = vec![Some(public.member.clone()), None, Some(bare)];
    let members = Members { params, slots, commitment: [5; 144] };
    let (ring, context, message) = ([6; 32], b"context".to_vec(), vec![]);
    let signed = Signed { params, ring, context, message, signature: [9; 784] };
    let files =
        [secret.to_vec(), public.encode(), members.encode(), members.committed().encode(), signed.encode()];
    let valid = files.each_ref().map(|file| &file[..]);
    run("fuzz_ring_files", |rng| {
        let bytes = input(rng, &valid);
        let encodings = [
            SecretKey::decode(&bytes).ok().map(|key| key.encode().to_vec()),
            PublicKey::decode(&bytes).ok().map(|key| key.encode()),
            Members::decode(&bytes).ok().map(|ring| ring.encode()),
            Committed::decode(&bytes).ok().map(|committed| committed.encode()),
            Signed::decode(&bytes).ok().map(|signed| signed.encode()),
        ];
        let read: Vec<_> = encodings.iter().flatten().collect();
        assert!(read.len() < 2 && read.iter().all(|again| **again == bytes), "two readings of one file");
        assert!(read.is_empty() || is_ring(&bytes) || encodings[0].is_some());
        assert!(
            describe(&bytes, &Policy::at_least(0)).is_err() && CommitmentFile::from_bytes(&bytes).is_err(),
            "a file about data"
        );
        !read.is_empty()
    });
}
