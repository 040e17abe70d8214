//! Witness files.

use core::sync::atomic::{AtomicUsize, Ordering};
use field::parallel;
use iop::security::Policy;
use pcs::fields::Fields;
use pcs::{ligerito, pip};
use tenfold::AnyScheme;
use tenfold::any::{AnyProver, AnyWitness, Mode};
use tenfold::file::WitnessFile;

const HEAD: usize = WitnessFile::HEAD;
const DIGEST: usize = 32;
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
fn written(prover: &mut AnyProver<'_>, mode: Mode) -> (AnyWitness, Vec<u8>) {
    let entries = match prover.integers(&mut (3..4000)) {
        Ok(entries) => entries,
        Err(_) => prover.bytes(&mut &[7; 9000][..]).unwrap().unwrap(),
    };
    let witness = prover.commit_as(entries, mode);
    let bytes = WitnessFile::new(prover.kept(&witness).unwrap()).into_bytes(OF);
    (witness, bytes)
}

/// The commitment of the witness that is read from these bytes, whose length is known or not.
fn read_from(prover: &AnyProver<'_>, bytes: &[u8], known: bool) -> Result<Vec<u8>, String> {
    let read = WitnessFile::read(bytes, known.then_some(bytes.len() as u64), OF, prover);
    read.map(|witness| witness.commitment().to_vec()).map_err(|e| e.to_string())
}

fn is_exact(scheme: &AnyScheme) {
    let mut prover = scheme.prover();
    let (witness, bytes) = written(&mut prover, Mode::Lean);
    assert_eq!(bytes.len(), HEAD + prover.kept_bytes().unwrap() + DIGEST);
    assert_eq!(WitnessFile::commitment(&bytes), Some(blake3::hash(OF).as_bytes()));
    assert!((0..HEAD).all(|n| WitnessFile::commitment(&bytes[..n]).is_none()));
    for known in [true, false] {
        is_read_exactly(&prover, (&witness, &bytes), known);
    }
}

fn is_read_exactly(prover: &AnyProver<'_>, (witness, bytes): (&AnyWitness, &[u8]), known: bool) {
    let read_from = |bytes: &[u8]| read_from(prover, bytes, known);
    assert_eq!(read_from(bytes), Ok(witness.commitment().to_vec()));
    for cut in [0, 3, 5, HEAD - 1, HEAD, HEAD + 9, bytes.len() - DIGEST, bytes.len() - 1] {
        assert!(read_from(&bytes[..cut]).is_err(), "{cut}");
    }
    assert!(read_from(&[bytes, &[0]].concat()).unwrap_err().contains("bytes after its end"));
    let step = bytes.len() / 60;
    for at in (0..HEAD).chain((HEAD..bytes.len()).step_by(step)).chain([bytes.len() - 40, bytes.len() - 1]) {
        let mut changed = bytes.to_vec();
        changed[at] ^= 1;
        assert!(read_from(&changed).is_err(), "{at}");
    }
}

#[test]
fn the_encoding_is_exact() {
    schemes().iter().for_each(is_exact);
}

/// What [`tenfold::commit`] returns is kept as a lean witness is.
#[test]
fn a_witness_with_its_codeword_is_kept_too() {
    for scheme in schemes() {
        let mut prover = scheme.prover();
        assert!(written(&mut prover, Mode::Whole).1 == written(&mut prover, Mode::Lean).1, "{scheme:?}");
    }
}

/// With a checksum that fits.
#[test]
fn an_entry_has_one_encoding() {
    let [scheme, _] = schemes();
    let mut prover = scheme.prover();
    let (_, bytes) = written(&mut prover, Mode::Lean);
    let mut content = bytes[..bytes.len() - DIGEST].to_vec();
    content[HEAD..HEAD + 8].copy_from_slice(&u64::MAX.to_le_bytes());
    let refused = read_from(&prover, &sealed(content), true).unwrap_err();
    assert!(refused.contains("no element of the field"), "{refused}");
}

/// Calls from many threads at once, from those of a pool and from within a loop of one, make what one alone makes.
#[test]
fn commitments_and_openings_at_once_are_those_of_one() {
    for scheme in schemes() {
        let made = || {
            let mut prover = scheme.prover();
            let (mut witness, file) = written(&mut prover, Mode::Whole);
            let point = vec![3; scheme.summary().variables];
            let opened = prover.open(&mut witness, &[scheme.point(&point)], b"context").unwrap();
            (witness.commitment().to_vec(), file, opened.file.encode())
        };
        let alone = made();
        assert!(!alone.2.is_empty());
        std::thread::scope(|scope| {
            let calls: Vec<_> = (0..12).map(|_| scope.spawn(made)).collect();
            assert!(calls.into_iter().all(|call| call.join().unwrap() == alone));
        });
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert!(pool.install(made) == alone, "{threads} threads");
            let within = AtomicUsize::new(0);
            pool.install(|| {
                parallel::tasks(4, &|_| _ = within.fetch_add((made() == alone).into(), Ordering::Relaxed))
            });
            assert_eq!(within.into_inner(), 4, "{threads} threads");
        }
    }
}
