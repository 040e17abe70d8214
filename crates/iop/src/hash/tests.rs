//! The fast paths against the obvious ones, and separation of roles.

use super::*;
use proptest::prelude::*;

const ROLES: [Role; 6] = [Role::Leaf, Role::Node, Role::Transcript, Role::Digest, Role::Squeeze, Role::Grind];

/// Lengths around every block and chunk edge of the four hashes, and trees of 2, 3, 5 and 40 chunks.
const LENGTHS: [usize; 27] = [
    0, 1, 20, 63, 64, 65, 127, 128, 134, 135, 136, 137, 160, 271, 272, 512, 1000, 1023, 1024, 1025, 1088,
    2048, 2049, 3000, 4096, 5000, 40_000,
];

/// The definition of the module table, with the plain interfaces of the libraries.
fn reference(hash: Hash, role: Role, message: &[u8]) -> Digest {
    let prefixed = [&[role as u8], message].concat();
    match hash {
        Hash::Blake3 => *::blake3::keyed_hash(blake3::key(role), message).as_bytes(),
        Hash::Sha256 => <::sha2::Sha256 as ::sha2::Digest>::digest(prefixed).into(),
        Hash::Keccak256 => <::sha3::Keccak256 as ::sha3::Digest>::digest(prefixed).into(),
        Hash::Sha3_256 => <::sha3::Sha3_256 as ::sha3::Digest>::digest(prefixed).into(),
    }
}

fn bytes(n: usize) -> Vec<u8> {
    (0..n as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect()
}

#[test]
fn batches_equal_the_plain_hash() {
    for hash in Hash::ALL {
        for length in LENGTHS {
            // Below, at and above the widths of all vectors.
            for count in [1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 50] {
                let rows = bytes(length * count);
                let mut out = vec![Digest::default(); count];
                hash.leaves(&rows, &mut out);
                for (i, digest) in out.iter().enumerate() {
                    let row = &rows[i * length..(i + 1) * length];
                    let expected = reference(hash, Role::Leaf, row);
                    assert_eq!(*digest, expected, "{hash:?}, {length} bytes, {i} of {count}");
                    assert_eq!(hash.leaf(row), expected, "{hash:?}, {length} bytes alone");
                }
            }
        }
    }
}

#[test]
fn big_batches_equal_the_plain_hash_on_many_threads() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
    let pool = pool.expect("a pool");
    for hash in Hash::ALL {
        for length in [20, 64, 1000, 9000] {
            let count = 3 * TASK_BYTES / length + 5;
            let rows = bytes(length * count);
            let mut out = vec![Digest::default(); count];
            pool.install(|| hash.leaves(&rows, &mut out));
            for (row, digest) in rows.chunks(length).zip(&out) {
                assert_eq!(*digest, reference(hash, Role::Leaf, row));
            }
        }
    }
}

#[test]
fn parts_equal_their_concatenation() {
    let message = bytes(3000);
    for hash in Hash::ALL {
        for role in ROLES {
            let (a, b) = message.split_at(777);
            let expected = reference(hash, role, &message);
            assert_eq!(hash.one(role, &[a, &[], b]), expected, "{hash:?} {role:?}");
        }
    }
}

#[test]
fn nodes_are_the_hash_of_both_children() {
    for hash in Hash::ALL {
        let bytes = bytes(64 * 37);
        let mut out = vec![Digest::default(); 37];
        hash.nodes(bytes.as_chunks().0, &mut out);
        for (pair, digest) in bytes.chunks(64).zip(&out) {
            assert_eq!(*digest, reference(hash, Role::Node, pair));
        }
    }
}

#[test]
fn roles_and_hashes_never_agree() {
    for message in [&[][..], &bytes(64), &bytes(2000)] {
        let mut seen: Vec<Digest> =
            Hash::ALL.iter().flat_map(|h| ROLES.map(|role| h.one(role, &[message]))).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), Hash::ALL.len() * ROLES.len());
    }
}

#[test]
fn labelled_digests_bind_every_boundary() {
    for hash in Hash::ALL {
        let all = [
            hash.digest("ab", &[b"c", b"d"]),
            hash.digest("a", &[b"bc", b"d"]),
            hash.digest("ab", &[b"cd"]),
            hash.digest("ab", &[b"cd", b""]),
            hash.digest("ab", &[b"", b"cd"]),
            hash.digest("ab", &[b"c", b"d", b""]),
            hash.digest("", &[b"ab", b"c", b"d"]),
            hash.digest("ab", &[]),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|b| a != b), "{hash:?}, case {i}");
        }
    }
}

#[test]
fn names_and_numbers_are_one_to_one() {
    for hash in Hash::ALL {
        assert_eq!(Hash::from_id(hash.id()), Some(hash));
        assert_eq!(Hash::from_name(hash.name()), Some(hash));
    }
    assert_eq!(Hash::from_id(0), None);
    assert_eq!(Hash::from_name("md5"), None);
    let known = (0..=255).filter_map(Hash::from_id).count();
    assert_eq!(known, Hash::ALL.len());
}

#[test]
#[should_panic(expected = "one length")]
fn a_ragged_batch_is_refused() {
    Hash::Blake3.leaves(&[0; 65], &mut [Digest::default(); 2]);
}

#[test]
#[should_panic(expected = "without a place")]
fn messages_need_a_place() {
    Hash::Blake3.leaves(&[0; 65], &mut []);
}

#[test]
fn an_empty_batch_is_fine() {
    for hash in Hash::ALL {
        hash.leaves(&[], &mut []);
        hash.nodes(&[], &mut []);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_shape_equals_the_plain_hash(length in 0usize..5000, count in 1usize..40, seed: [u8; 32]) {
        let mut rows = vec![0; length * count];
        ::blake3::Hasher::new_keyed(&seed).finalize_xof().fill(&mut rows);
        let mut out = vec![Digest::default(); count];
        for hash in Hash::ALL {
            hash.leaves(&rows, &mut out);
            for (i, digest) in out.iter().enumerate() {
                let row = &rows[i * length..(i + 1) * length];
                prop_assert_eq!(*digest, reference(hash, Role::Leaf, row));
            }
        }
    }
}
