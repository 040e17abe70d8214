//! Witness files, and who is blamed for what.

use super::*;
use iop::security::Policy;
use pcs::fields::Fields;
use pcs::{ligerito, pip};
use tenfold::AnyScheme;

const OF: &[u8] = b"a commitment file";

fn sealed(mut content: Vec<u8>) -> Vec<u8> {
    let digest = blake3::hash(&content);
    content.extend_from_slice(digest.as_bytes());
    content
}

/// Schemes with more entries than are read at a time, over a prime field and a binary one.
fn schemes() -> [AnyScheme; 2] {
    let any = Policy::at_least(0);
    let pip = pip::search::SearchTarget::new(Fields::Goldilocks2, 13, 100, pip::search::Profile::Fast);
    let ligerito = ligerito::Preset::Secure128.wanted(ligerito::Fields::Gf192, 13);
    let pip = AnyScheme::from_matrix(pip::search::find(&pip).unwrap(), &any).unwrap();
    [pip, AnyScheme::from_matrix(ligerito::search::find(&ligerito).unwrap(), &any).unwrap()]
}

/// A witness of some entries, and its file.
fn written(prover: &mut AnyProver<'_>) -> (AnyWitness, Vec<u8>) {
    let entries = match prover.integers(&mut (3..4000)) {
        Ok(entries) => entries,
        Err(_) => prover.bytes(&mut &[7; 9000][..]).unwrap().unwrap(),
    };
    let witness = prover.commit_as(entries, tenfold::any::Mode::Lean);
    let bytes = Body::new(prover.kept(&witness).unwrap()).finish(OF);
    (witness, bytes)
}

/// The commitment of the witness that is read from a file with these bytes.
fn read_from(prover: &AnyProver<'_>, bytes: &[u8]) -> Result<Vec<u8>, String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    let read = read(file.path(), OF, prover);
    read.map(|witness| witness.commitment().to_vec()).map_err(|failure| failure.message)
}

fn is_exact(scheme: &AnyScheme) {
    let mut prover = scheme.prover();
    let (witness, bytes) = written(&mut prover);
    assert_eq!(bytes.len(), HEAD + prover.kept_bytes().unwrap() + DIGEST);
    assert_eq!(read_from(&prover, &bytes), Ok(witness.commitment().to_vec()));
    for cut in [0, 3, 5, HEAD - 1, HEAD, HEAD + 9, bytes.len() - DIGEST, bytes.len() - 1] {
        assert!(read_from(&prover, &bytes[..cut]).is_err(), "{cut}");
    }
    assert!(read_from(&prover, &[&bytes[..], &[0]].concat()).unwrap_err().contains(LONG));
    let step = bytes.len() / 60;
    for at in (0..HEAD).chain((HEAD..bytes.len()).step_by(step)).chain([bytes.len() - 40, bytes.len() - 1]) {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        assert!(read_from(&prover, &changed).is_err(), "{at}");
    }
}

/// A proof that does not hold is its witness's fault; a disk, a limit and an argument are nobody's.
#[test]
fn a_witness_is_blamed_for_what_does_not_hold_alone() {
    let path = Path::new("w");
    for failure in [Failure::io("no memory"), Failure::usage("a name", "another")] {
        assert_eq!(blamed(failure.clone(), Some(path)), failure);
    }
    let invalid = Failure::invalid("it does not hold");
    assert_eq!(blamed(invalid.clone(), Some(path)), another(path));
    assert_eq!(blamed(invalid.clone(), None), invalid);
}

#[test]
fn the_encoding_is_exact() {
    schemes().iter().for_each(is_exact);
}

/// With a checksum that fits.
#[test]
fn an_entry_has_one_encoding() {
    let [scheme, _] = schemes();
    let mut prover = scheme.prover();
    let (_, bytes) = written(&mut prover);
    let mut content = bytes[..bytes.len() - DIGEST].to_vec();
    content[HEAD..HEAD + 8].copy_from_slice(&u64::MAX.to_le_bytes());
    let refused = read_from(&prover, &sealed(content)).unwrap_err();
    assert!(refused.contains("no element of the field"), "{refused}");
}

/// Bytes of a pipe have no length to ask for.
#[cfg(unix)]
#[test]
fn what_has_no_length_is_read_to_its_end() {
    let [scheme, _] = schemes();
    let mut prover = scheme.prover();
    let (_, bytes) = written(&mut prover);
    for (bytes, good) in
        [(bytes.clone(), true), ([&bytes[..], &[0]].concat(), false), (bytes[..60].to_vec(), false)]
    {
        let folder = tempfile::TempDir::new().unwrap();
        let pipe = folder.path().join("pipe");
        if !std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
            return;
        }
        let write = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::write(pipe, bytes)
        });
        assert_eq!(read(&pipe, OF, &prover).is_ok(), good);
        let _ = write.join().unwrap();
    }
}
