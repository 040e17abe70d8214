//! Digests of another width than the hash's, and digests that are cut short.

use super::*;

/// Digests of another width are refused by their counts, before anything is hashed.
#[test]
fn another_width_is_refused() {
    let (cap, count) = ("Merkle cap has a wrong size", "Merkle opening has a wrong number of leaves");
    for (of, read, reason) in [
        (Hash::Blake3, Hash::Sha3_384, cap),
        (Hash::Blake3, Hash::Sha3_512, cap),
        (Hash::Sha3_384, Hash::Sha3_256, cap),
        (Hash::Sha3_384, Hash::Sha3_512, cap),
        (Hash::Sha3_512, Hash::Sha3_384, cap),
        // A root of 64 bytes is a cap of two digests of 32.
        (Hash::Sha3_512, Hash::Sha3_256, count),
    ] {
        let opening = Opening::new(of, 3, 0, &[2, 5]);
        assert_eq!(opening.verify(), Ok(()));
        assert_eq!(opening.with(|o| o.hash = read), Err(Invalid(reason)), "{of:?} read as {read:?}");
    }
    assert_eq!(verify_opening(Hash::Sha3_512, 0, &[7; 32], &[0], &[7; 32], &[]), Err(Invalid(cap)));
}

/// Cap, leaves and siblings are whole digests, and every byte too few or too many is noticed.
#[test]
fn bytes_beside_whole_digests_are_refused() {
    for hash in Hash::ALL {
        let width = hash.bytes();
        let opening = Opening::new(hash, 4, 1, &[2, 5, 11]);
        let whole = [&opening.cap, &opening.leaves, &opening.siblings].map(|d| concat(d));
        let verdict = |[cap, leaves, siblings]: &[Vec<u8>; 3]| {
            verify_opening(hash, 4, cap, &opening.positions, leaves, siblings)
        };
        assert_eq!(verdict(&whole), Ok(()));
        let reasons = [
            ["Merkle cap has a wrong size"; 2],
            ["Merkle opening has a wrong number of leaves"; 2],
            ["Merkle opening has a sibling that is cut short", "Merkle opening has too many siblings"],
        ];
        for (part, [short, long]) in reasons.into_iter().enumerate() {
            for bytes in 1..width {
                let mut changed = whole.clone();
                changed[part].truncate(whole[part].len() - bytes);
                assert_eq!(verdict(&changed), Err(Invalid(short)), "{hash:?}, {bytes} bytes less");
                let mut changed = whole.clone();
                changed[part].resize(whole[part].len() + bytes, 0);
                assert_eq!(verdict(&changed), Err(Invalid(long)), "{hash:?}, {bytes} bytes more");
            }
        }
        // Fewer siblings still, cut anywhere.
        for length in 0..whole[2].len() {
            let mut changed = whole.clone();
            changed[2].truncate(length);
            assert!(verdict(&changed).is_err(), "{hash:?}, siblings of {length} bytes");
        }
    }
}

#[test]
#[should_panic(expected = "power of two of leaves")]
fn a_tree_of_another_width_is_refused() {
    drop(MerkleTree::new(Hash::Sha3_384, vec![0; 32]));
}

#[test]
#[should_panic(expected = "power of two of leaves")]
fn a_tree_of_bytes_beside_whole_digests_is_refused() {
    drop(MerkleTree::new(Hash::Sha3_384, vec![0; 48 + 32]));
}
