//! The corpus of ring signatures with the verdict that every front end has on them (`vectors/ring-verdicts`): valid, changed, malformed, and of
//! other rings, suites, setups and files.
//!
//! Signatures are made with random bytes, so that what is stored is where the changes begin; `TENFOLD_WRITE_VERDICTS=1` signs and writes anew.
#![cfg(feature = "prover")]

use pcs::file::{File, Kind, SchemeId};
use ring_proof::Setup;
use ring_proof::file::{
    Committed, FileError, Membership, Params, Powers, RingVerifier, SecretKey, Signed, Signer, SuiteId,
    ZCASH_SHA256, zcash_key,
};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A signature file with the ring's commitment that it is judged by.
struct Case {
    name: &'static str,
    signature: Vec<u8>,
    ring: Vec<u8>,
    verdict: &'static str,
}

/// The signatures that hold: suite, first seed of the three members, context and message.
const SIGNED: [(&str, SuiteId, u8, [&str; 2]); 5] = [
    ("a vote", SuiteId::V1, 1, ["vote 7", "yes"]),
    ("no message", SuiteId::V1, 1, ["vote 7", ""]),
    ("another ring's", SuiteId::V1, 4, ["vote 7", "yes"]),
    ("points in Weierstrass form", SuiteId::BandersnatchSw, 1, ["vote 7", "yes"]),
    ("keys on Jubjub", SuiteId::Jubjub, 1, ["vote 7", "yes"]),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/ring-verdicts")
}

fn is_written() -> bool {
    std::env::var_os("TENFOLD_WRITE_VERDICTS").is_some()
}

fn secret(suite: SuiteId, seed: u8) -> SecretKey {
    SecretKey::from_seed(suite, &[seed; 32])
}

fn ring(suite: SuiteId, first: u8) -> Membership {
    let powers = Powers::zcash();
    let domain = suite.domain(512).expect("a domain");
    let setup = Arc::new(Setup::new(&powers.srs, domain).expect("enough powers"));
    let mut ring = Membership::empty(Params { suite, domain, setup: powers.sha256 }, setup);
    let members =
        [first, first + 1, first + 2].map(|seed| secret(suite, seed).public().expect("a key").member);
    ring.add(&members).expect("three keys");
    ring
}

/// The stored signatures by members of the stored rings, or new ones by the second member of each.
fn valid() -> Vec<Case> {
    let case =
        |(at, (name, suite, first, [context, message])): (usize, (&'static str, SuiteId, u8, [&str; 2]))| {
            let ring = ring(suite, first);
            let signature = if is_written() {
                let signer = Signer::new(&ring).expect("a signer");
                let key = secret(suite, first + 1);
                signer.sign(&key, context.as_bytes(), message.as_bytes()).expect("a member").encode()
            } else {
                std::fs::read(folder().join(format!("{at:02}.signature"))).expect("a stored signature")
            };
            Case { name, signature, ring: ring.committed().encode(), verdict: "valid" }
        };
    SIGNED.into_iter().enumerate().map(case).collect()
}

/// Changes of a part of the signature, whose header fits.
fn changed(vote: &Case) -> Vec<Case> {
    type Edit = fn(&mut Signed);
    let edits: [(&str, Edit); 9] = [
        ("another point as the tag", |s| s.signature.copy_within(32..64, 0)),
        ("another blinded key", |s| s.signature.copy_within(64..96, 32)),
        ("another response", |s| s.signature[128] ^= 1),
        ("another value of the ring proof", |s| s.signature[192 + 192] ^= 1),
        ("no point in the ring proof", |s| s.signature[192..240].fill(0xff)),
        ("no point as the tag", |s| s.signature[..32].fill(0xff)),
        ("another context", |s| s.context = b"vote 8".to_vec()),
        ("another message", |s| s.message = b"no".to_vec()),
        ("the digest of another ring", |s| s.ring[0] ^= 1),
    ];
    let case = |(name, edit): (&'static str, Edit)| {
        let mut signed = Signed::decode(&vote.signature).expect("a signature");
        edit(&mut signed);
        Case { name, signature: signed.encode(), ring: vote.ring.clone(), verdict: "invalid" }
    };
    edits.into_iter().map(case).collect()
}

/// Changes of the container around the signature.
fn malformed(vote: &Case) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |name, signature: Vec<u8>, verdict| {
        cases.push(Case { name, signature, ring: vote.ring.clone(), verdict });
    };
    let bytes = |edit: fn(&mut Vec<u8>)| {
        let mut bytes = vote.signature.clone();
        edit(&mut bytes);
        bytes
    };
    let file = || File::decode(&vote.signature).expect("a file");
    add("no bytes", Vec::new(), "malformed");
    add("another magic", bytes(|b| b[0] ^= 1), "malformed");
    add("another version", bytes(|b| b[4] = 9), "malformed");
    add("an unknown kind", bytes(|b| b[6] = 99), "malformed");
    add("an unknown scheme", bytes(|b| b[7] = 99), "malformed");
    add("cut short", bytes(|b| b.truncate(b.len() - 1)), "malformed");
    add("a byte more", bytes(|b| b.push(0)), "malformed");
    add("a commitment", vote.ring.clone(), "malformed");
    add("a list of members", File { kind: Kind::Members, ..file() }.encode(), "malformed");
    add("a proof of another scheme", File { scheme: SchemeId::Pip, ..file() }.encode(), "malformed");
    let params = |edit: fn(&mut Vec<u8>)| {
        let mut file = file();
        edit(&mut file.params);
        file.encode()
    };
    add("an unknown suite", params(|p| p[0] = 99), "malformed");
    add("rows that no domain has", params(|p| p[1] = 63), "malformed");
    add("parameters with a byte more", params(|p| p.push(0)), "malformed");
    add("another digest of the parameters", File { params_digest: [1; 32], ..file() }.encode(), "invalid");
    add("another digest of the statement", File { statement: [1; 32], ..file() }.encode(), "invalid");
    let body = |edit: fn(&mut Vec<u8>)| {
        let mut body = file().body.to_vec();
        edit(&mut body);
        File { body: body.into(), ..file() }.encode()
    };
    add("a content with a byte more", body(|b| b.push(0)), "malformed");
    add("a context beyond the content", body(|b| b[32] = 255), "malformed");
    cases
}

/// A signature that holds, by another ring's commitment, or by what is none.
fn foreign(valid: &[Case]) -> Vec<Case> {
    let [vote, _, other, weierstrass, jubjub] = valid else { unreachable!("five signatures") };
    let committed = || Committed::decode(&vote.ring).expect("a commitment");
    let mut cases = Vec::new();
    let mut add = |name, ring: Vec<u8>, verdict| {
        cases.push(Case { name, signature: vote.signature.clone(), ring, verdict });
    };
    add("for a ring of others", other.ring.clone(), "invalid");
    add("for a ring in Weierstrass form", weierstrass.ring.clone(), "invalid");
    add("for a ring on Jubjub", jubjub.ring.clone(), "invalid");
    add(
        "for the ring with a slot less",
        Committed { slots: 2, members: 2, ..committed() }.encode(),
        "invalid",
    );
    let mut setup = committed();
    setup.params.setup[0] ^= 1;
    add("for a ring over another setup", setup.encode(), "not accepted");
    let mut points = committed();
    points.commitment[..48].fill(0xff);
    add("for a commitment that is no points", points.encode(), "malformed");
    add("for more members than slots", Committed { members: 4, ..committed() }.encode(), "malformed");
    add("for a signature", vote.signature.clone(), "malformed");
    add("for no commitment", Vec::new(), "malformed");
    add("for a commitment cut short", vote.ring[..vote.ring.len() - 1].to_vec(), "malformed");
    let data = std::fs::read(folder().join("../verdicts/00.commitment")).expect("the corpus of proofs");
    add("for a commitment to data", data, "malformed");
    let mut digest = File::decode(&vote.ring).expect("a file");
    digest.statement = [1; 32];
    add("for a commitment with another digest", digest.encode(), "invalid");
    cases
}

fn corpus() -> Vec<Case> {
    let valid = valid();
    let [changed, malformed, foreign] = [changed(&valid[0]), malformed(&valid[0]), foreign(&valid)];
    [valid, changed, malformed, foreign].into_iter().flatten().collect()
}

/// The files of the corpus and their index.
fn files(corpus: &[Case]) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut index = String::from("[\n");
    for (at, case) in corpus.iter().enumerate() {
        let [signature, ring] = ["signature", "ring"].map(|end| format!("{at:02}.{end}"));
        let end = if at + 1 == corpus.len() { "" } else { "," };
        let Case { name, verdict, .. } = case;
        writeln!(
            index,
            "  {{ \"name\": \"{name}\", \"proof\": \"{signature}\", \"commitment\": \"{ring}\", \"min_bits\": 0, \"verdict\": \"{verdict}\" }}{end}"
        )
        .expect("a text");
        files.extend([(signature, case.signature.clone()), (ring, case.ring.clone())]);
    }
    index.push_str("]\n");
    files.push(("verdicts.json".into(), index.into_bytes()));
    files
}

/// The library's verdict on a signature for the ring of a commitment.
fn verdict(case: &Case) -> &'static str {
    let refused = |error| if matches!(error, FileError::Digest(_)) { "invalid" } else { "malformed" };
    let judge = || {
        let signed = Signed::decode(&case.signature).map_err(refused)?;
        let committed = Committed::decode(&case.ring).map_err(refused)?;
        if committed.params.setup != ZCASH_SHA256 {
            return Err("not accepted");
        }
        let ring = RingVerifier::new(committed, &zcash_key()).map_err(refused)?;
        signed.verify(&ring).map(|_| "valid").map_err(|_| "invalid")
    };
    judge().unwrap_or_else(|refused| refused)
}

/// The corpus is what is made of the stored signatures, and the library has its verdicts.
#[test]
fn the_corpus_is_what_is_stored_and_the_library_has_its_verdicts() {
    let corpus = corpus();
    assert!(corpus.len() > 40);
    for case in &corpus {
        assert_eq!(verdict(case), case.verdict, "{}", case.name);
    }
    let files = files(&corpus);
    if is_written() {
        std::fs::create_dir_all(folder()).expect("a folder");
        files.iter().for_each(|(name, bytes)| std::fs::write(folder().join(name), bytes).expect("written"));
    }
    for (name, bytes) in &files {
        assert!(std::fs::read(folder().join(name)).is_ok_and(|stored| stored == *bytes), "{name}");
    }
    assert_eq!(std::fs::read_dir(folder()).expect("a folder").count(), files.len(), "no file beside them");
}
