//! Vectors of this project, `vectors/tenfold`: made here, without random rows, and read again as a stranger reads them.
//!
//! `TENFOLD_WRITE_VECTORS=1` writes the files; without it they have to be what is made, byte for byte. (notes: ring-vectors)

mod batches;
mod negative;
mod proofs;
mod updates;

use std::sync::Arc;

use serde_json::{Value, json};

use super::vectors::hex;
use crate::vrf::{Secret, Suite};
use crate::{Domain, Key, Setup, kzg};
use curve::bandersnatch::{self, Point, Projective, encode_fr};
use curve::bls12_381::{self, Fr};
use curve::srs::Srs;
use curve::{AffineRepr, CurveGroup};

/// Reads a file; makes it first if that is asked for, and holds it to what is made.
fn file(name: &str, made: &Value) -> Value {
    let path = format!("{}/vectors/tenfold/{name}", env!("CARGO_MANIFEST_DIR"));
    let made = format!("{made:#}\n");
    if std::env::var_os("TENFOLD_WRITE_VECTORS").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text == made, "{name} is not what is made");
    serde_json::from_str(&text).unwrap()
}

fn text(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn suite(name: &Value) -> &'static Suite {
    let name = name.as_str().unwrap().as_bytes();
    [Suite::v1(), Suite::v2(), Suite::shake128(), Suite::jam()].into_iter().find(|s| s.id() == name).unwrap()
}

fn name(suite: &Suite) -> &'static str {
    suite.name().unwrap().as_str()
}

/// Which setup a vector is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum From {
    /// The one that ships.
    Zcash,
    /// A known secret.
    Tau(u64),
}

impl From {
    fn json(self) -> Value {
        match self {
            Self::Zcash => json!({ "file": "bls12-381-srs-2-11-uncompressed-zcash.bin" }),
            Self::Tau(tau) => json!({ "tau": text(&bls12_381::encode_fr(&Fr::from(tau))) }),
        }
    }

    fn setup(self, rows: usize) -> Arc<Setup> {
        let domain = Domain::new(rows).unwrap();
        match self {
            Self::Zcash if rows == 512 => super::setup(),
            Self::Zcash => Arc::new(Setup::new(Srs::zcash(), domain).unwrap()),
            Self::Tau(tau) => {
                Arc::new(Setup::new(&Srs::insecure_from_tau(tau.into(), domain.powers()), domain).unwrap())
            }
        }
    }
}

/// The setup of a vector, which says `tau` or names the file that ships.
fn setup_of(value: &Value, rows: usize) -> Arc<Setup> {
    if value["file"].is_string() {
        return From::Zcash.setup(rows);
    }
    let tau = bls12_381::decode_fr(&hex(&value["tau"]).try_into().unwrap()).unwrap();
    let domain = Domain::new(rows).unwrap();
    Arc::new(Setup::new(&Srs::insecure_from_tau(tau, domain.powers()), domain).unwrap())
}

/// Its verifier's key.
fn key_of(value: &Value) -> kzg::Key {
    if value["file"].is_string() {
        return kzg::Key::new(Srs::zcash()).unwrap();
    }
    let tau = bls12_381::decode_fr(&hex(&value["tau"]).try_into().unwrap()).unwrap();
    kzg::Key::new(&Srs::insecure_from_tau(tau, 2)).unwrap()
}

/// `first G, (first + 1) G, ...`: members that a vector need not write down.
fn keys(first: u64, count: usize) -> Vec<Key> {
    let g = Point::generator();
    let start = g * bandersnatch::Fr::from(first);
    let all: Vec<Projective> = core::iter::successors(Some(start), |p| Some(*p + g)).take(count).collect();
    Key::all(&Projective::normalize_batch(&all)).unwrap()
}

fn keys_of(value: &Value) -> Vec<Key> {
    keys(value["first"].as_u64().unwrap(), value["count"].as_u64().unwrap() as usize)
}

/// The secret of `k G`.
fn secret(k: u64) -> Secret {
    Secret::decode(&encode_fr(&bandersnatch::Fr::from(k))).unwrap()
}

fn rows(value: &Value) -> usize {
    value["rows"].as_u64().unwrap() as usize
}

/// All files that are here are read by a test.
#[test]
fn no_file_is_forgotten() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/tenfold");
    let mut found: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    found.sort();
    assert_eq!(found, ["batches.json", "negative.json", "proofs.json", "updates.json"]);
    let bytes: u64 = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().metadata().unwrap().len()).sum();
    assert!(bytes < 300_000, "{bytes} bytes");
}
