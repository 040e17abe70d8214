//! The fast paths against the obvious ones, and separation of roles.

use super::*;
use proptest::prelude::*;

const ROLES: [Role; 6] = [Role::Leaf, Role::Node, Role::Transcript, Role::Digest, Role::Squeeze, Role::Grind];

/// Lengths around every block and chunk edge of the hashes (rates of 136, 104 and 72 bytes, of which the role takes one), and trees of 2, 3, 5
/// and 40 chunks.
const LENGTHS: [usize; 40] = [
    0, 1, 6, 7, 8, 9, 20, 63, 64, 65, 70, 71, 72, 96, 102, 103, 104, 127, 128, 134, 135, 136, 137, 142, 143,
    144, 160, 207, 271, 272, 512, 1000, 1023, 1024, 1025, 1088, 2048, 2049, 4096, 40_000,
];

/// The definition of the module table, with the plain interfaces of the libraries.
fn reference(hash: Hash, role: Role, message: &[u8]) -> Vec<u8> {
    use ::sha3::Digest;
    let prefixed = [&[role as u8], message].concat();
    match hash {
        Hash::Blake3 => ::blake3::keyed_hash(blake3::key(role), message).as_bytes().to_vec(),
        Hash::Sha256 => Sha256::digest(prefixed).to_vec(),
        Hash::Keccak256 => Keccak256::digest(prefixed).to_vec(),
        Hash::Sha3_256 => Sha3_256::digest(prefixed).to_vec(),
        Hash::Sha3_384 => Sha3_384::digest(prefixed).to_vec(),
        Hash::Sha3_512 => Sha3_512::digest(prefixed).to_vec(),
    }
}

/// The digests of many messages, end to end.
fn many(hash: Hash, role: Role, messages: &[u8], count: usize) -> Vec<Vec<u8>> {
    let mut out = vec![0; count * hash.bytes()];
    hash.many(role, messages, &mut out);
    out.chunks(hash.bytes()).map(<[u8]>::to_vec).collect()
}

/// The digest of one message.
fn one(hash: Hash, role: Role, parts: &[&[u8]]) -> Vec<u8> {
    let mut out = vec![0; hash.bytes()];
    hash.write(role, parts, &mut out);
    out
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
                for (i, digest) in many(hash, Role::Leaf, &rows, count).into_iter().enumerate() {
                    let row = &rows[i * length..(i + 1) * length];
                    let expected = reference(hash, Role::Leaf, row);
                    assert_eq!(digest, expected, "{hash:?}, {length} bytes, {i} of {count}");
                    assert_eq!(one(hash, Role::Leaf, &[row]), expected, "{hash:?}, {length} bytes alone");
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
            let out = pool.install(|| many(hash, Role::Leaf, &rows, count));
            for (row, digest) in rows.chunks(length).zip(out) {
                assert_eq!(digest, reference(hash, Role::Leaf, row));
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
            assert_eq!(one(hash, role, &[a, &[], b]), expected, "{hash:?} {role:?}");
        }
    }
}

#[test]
fn nodes_are_the_hash_of_both_children() {
    for hash in Hash::ALL {
        let width = hash.bytes();
        let bytes = bytes(2 * width * 37);
        let (mut nodes, mut leaves) = (vec![0; width * 37], vec![0; width * 37]);
        hash.nodes(&bytes, &mut nodes);
        hash.leaves(&bytes, &mut leaves);
        let digests = nodes.chunks(width).zip(leaves.chunks(width));
        for (pair, (node, leaf)) in bytes.chunks(2 * width).zip(digests) {
            assert_eq!(node, reference(hash, Role::Node, pair));
            assert_eq!(leaf, reference(hash, Role::Leaf, pair));
            assert_eq!(*hash.leaf(pair), *leaf);
        }
    }
}

/// Examples of the standard (FIPS 202): the empty message and `abc`; the sponge here puts its role byte in front, so the library is asked.
#[test]
fn the_library_gives_the_digests_of_the_standard() {
    use ::sha3::Digest;
    let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
    let shown = "a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a6\
                 15b2123af1f5f94c11e3e9402c3ac558f500199d95b6d3e301758586281dcd26";
    assert_eq!(hex(&Sha3_512::digest(b"")), shown);
    let shown = "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b2\
                 98d88cea927ac7f539f1edf228376d25";
    assert_eq!(hex(&Sha3_384::digest(b"abc")), shown);
}

#[test]
fn roles_and_hashes_never_agree() {
    for message in [&[][..], &bytes(64), &bytes(2000)] {
        // The first bytes: digests of another width differ without them.
        let heads = |hash| ROLES.map(|role| one(hash, role, &[message])[..32].to_vec());
        let mut seen: Vec<Vec<u8>> = Hash::ALL.into_iter().flat_map(heads).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), Hash::ALL.len() * ROLES.len());
    }
}

#[test]
fn labelled_digests_bind_every_boundary() {
    for hash in Hash::ALL {
        let digest = |label, parts: &[&[u8]]| {
            let mut out = vec![0; hash.bytes()];
            hash.write_labelled(label, parts, &mut out);
            assert_eq!(*hash.digest(label, parts), out[..]);
            out
        };
        let all = [
            digest("ab", &[b"c", b"d"]),
            digest("a", &[b"bc", b"d"]),
            digest("ab", &[b"cd"]),
            digest("ab", &[b"cd", b""]),
            digest("ab", &[b"", b"cd"]),
            digest("ab", &[b"c", b"d", b""]),
            digest("", &[b"ab", b"c", b"d"]),
            digest("ab", &[]),
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
    for hash in Hash::ALL {
        assert!(hash.bytes() <= MAX_BYTES && one(hash, Role::Leaf, &[]).len() == hash.bytes());
    }
}

#[test]
#[should_panic(expected = "as many digests")]
fn leaves_of_another_width_are_refused() {
    Hash::Sha3_384.leaves(&[0; 96], &mut [0; 64]);
}

#[test]
#[should_panic(expected = "as many digests")]
fn nodes_of_another_width_are_refused() {
    Hash::Blake3.nodes(&[0; 96], &mut [0; 48]);
}

#[test]
#[should_panic(expected = "digests of sha3-512 have 64 bytes")]
fn a_digest_of_another_width_is_refused() {
    Hash::Sha3_512.write_labelled("label", &[], &mut [0; 32]);
}

#[test]
#[should_panic(expected = "two children")]
fn a_node_has_two_children() {
    Hash::Blake3.nodes(&[0; 96], &mut [0; 32]);
}

#[test]
#[should_panic(expected = "one length")]
fn a_ragged_batch_is_refused() {
    Hash::Blake3.leaves(&[0; 65], &mut [0; 64]);
}

#[test]
#[should_panic(expected = "without a place")]
fn messages_need_a_place() {
    Hash::Blake3.leaves(&[0; 65], &mut []);
}

#[test]
#[should_panic(expected = "a place as long as a digest")]
fn a_place_shorter_than_a_digest_is_refused() {
    Hash::Sha3_384.leaves(&[], &mut [0; 32]);
}

/// Digests are their bytes, of one of the widths that hashes have.
#[test]
fn digests_have_the_width_of_a_hash() {
    for length in 0..100 {
        let bytes = bytes(length);
        let digest = Digest::from_slice(&bytes);
        assert_eq!(digest.is_some(), Hash::ALL.iter().any(|hash| hash.bytes() == length), "{length} bytes");
        if let Some(digest) = digest {
            assert_eq!((&*digest, digest.as_ref()), (&bytes[..], &bytes[..]));
            assert_eq!(digest.head()[..], bytes[..32]);
            assert_eq!(format!("{digest:?}"), bytes.iter().map(|b| format!("{b:02x}")).collect::<String>());
        }
    }
    // Zeros behind the bytes of a digest are no part of it.
    assert_ne!(Digest::from_slice(&[0; 32]), Digest::from_slice(&[0; 48]));
    assert_eq!(Digest::from_slice(&[7; 32]), Some(Digest::from([7; 32])));
    let ends = [Hash::Blake3, Hash::Sha3_384].map(|hash| hash.leaf(b"row"));
    assert_eq!(concat(&ends), [&*ends[0], &*ends[1]].concat());
}

#[test]
fn an_empty_batch_is_fine() {
    for hash in Hash::ALL {
        assert!(many(hash, Role::Leaf, &[], 0).is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_shape_equals_the_plain_hash(length in 0usize..5000, count in 1usize..40, seed: [u8; 32]) {
        let mut rows = vec![0; length * count];
        ::blake3::Hasher::new_keyed(&seed).finalize_xof().fill(&mut rows);
        for hash in Hash::ALL {
            for (i, digest) in many(hash, Role::Leaf, &rows, count).into_iter().enumerate() {
                let row = &rows[i * length..(i + 1) * length];
                prop_assert_eq!(digest, reference(hash, Role::Leaf, row));
            }
        }
    }
}
