//! Secret files, and the identity of the file that they were written as.

use pcs::pip::Secret;
use tenfold::file::{SecretError, SecretFile, Stamp};

/// Bytes of a file of version 1, which has no stamp.
const LENGTH_1: usize = 110;

const STAMP: Stamp = Stamp { device: 7, inode: 1 << 40, born: Some(5) };

fn file() -> SecretFile {
    SecretFile { commitment: [3; 32], openings: 2, secret: Secret::from_seed(&[9; 32], 1), stamp: None }
}

/// With a checksum that fits, so that only the content can be at fault.
fn sealed(mut content: Vec<u8>) -> Vec<u8> {
    let digest = blake3::hash(&content);
    content.extend_from_slice(digest.as_bytes());
    content
}

/// As the release before wrote it.
fn version_1() -> Vec<u8> {
    let now = file().encode(None);
    sealed([&b"TNFS\x01\0"[..], &now[6..LENGTH_1 - 32]].concat())
}

fn is_exact(bytes: &[u8]) {
    let read = SecretFile::decode(bytes).unwrap();
    assert_eq!((read.commitment, read.openings), ([3; 32], 2));
    assert_eq!((read.secret.seed(), read.secret.used()), (&[9; 32], 1));
    assert!((0..bytes.len()).all(|n| SecretFile::decode(&bytes[..n]).is_err()));
    assert!(SecretFile::decode(&[bytes, &[0]].concat()).is_err());
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut flipped = bytes.to_vec();
            flipped[at] ^= 1 << bit;
            assert!(SecretFile::decode(&flipped).is_err(), "bit {bit} of byte {at}");
        }
    }
}

#[test]
fn the_encoding_is_exact() {
    for stamp in [None, Some(STAMP), Some(Stamp { born: None, ..STAMP })] {
        let bytes = file().encode(stamp);
        assert_eq!(bytes.len(), SecretFile::LENGTH);
        is_exact(&bytes);
        assert_eq!(SecretFile::decode(&bytes).unwrap().stamp, stamp);
    }
}

#[test]
fn files_of_version_1_are_read_and_have_no_stamp() {
    let bytes = version_1();
    assert_eq!(bytes.len(), LENGTH_1);
    is_exact(&bytes);
    assert_eq!(SecretFile::decode(&bytes).unwrap().stamp, None);
}

/// One encoding for one stamp: what is not known is zero.
#[test]
fn other_encodings_of_a_stamp_are_refused() {
    let whole = file().encode(Some(STAMP));
    for known in [0, 1, 3, 255] {
        let mut content = whole[..SecretFile::LENGTH - 32].to_vec();
        content[LENGTH_1 - 32] = known;
        let refused = SecretFile::decode(&sealed(content)).unwrap_err();
        assert_eq!(refused, SecretError::Damaged("its stamp is none"), "{known}");
    }
}

#[test]
fn more_openings_than_there_are_is_no_count() {
    let over = SecretFile { secret: Secret::from_seed(&[9; 32], 3), ..file() };
    let refused = SecretFile::decode(&over.encode(None)).unwrap_err();
    assert_eq!(refused, SecretError::Damaged("more openings are used than there are"));
    let all = SecretFile { secret: Secret::from_seed(&[9; 32], 2), ..file() };
    assert!(SecretFile::decode(&all.encode(None)).is_ok());
}

#[test]
fn the_seed_is_not_printed() {
    let text = format!("{:?}", file());
    assert!(!text.contains("9, 9"), "{text}");
}

#[test]
fn an_inode_that_is_given_again_is_another_file() {
    let stamp = |device, inode, born| Stamp { device, inode, born };
    let written = stamp(1, 7, Some(100));
    assert!(written.is(&written));
    assert!(!written.is(&stamp(1, 7, Some(101))), "the inode again, for a later file");
    assert!(!written.is(&stamp(1, 8, Some(100))));
    assert!(written.is(&stamp(2, 7, Some(100))), "the file system has another number after a new start");
    for [then, now] in [[None, None], [Some(100), None], [None, Some(100)]] {
        assert!(stamp(1, 7, then).is(&stamp(1, 7, now)));
        assert!(!stamp(1, 7, then).is(&stamp(2, 7, now)) && !stamp(1, 7, then).is(&stamp(1, 8, now)));
    }
}
