//! The tree against its definition, and openings with one thing wrong.

use super::*;
use crate::error::Invalid;
use crate::hash::tests::each_hash;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Siblings by position, and nothing else: the node of height `h` and index `i`, by recursion.
fn node<const N: usize>(hash: Hash, leaves: &[Digest<N>], height: usize, index: usize) -> Digest<N> {
    if height == 0 {
        return leaves[index];
    }
    let children = [0, 1].map(|side| node(hash, leaves, height - 1, 2 * index + side));
    let mut out = [[0; N]];
    hash.nodes(&children, &mut out);
    out[0]
}

/// The opening by its definition: every sibling of a known node that is not known, layer by layer.
fn naive_open<const N: usize>(
    hash: Hash,
    leaves: &[Digest<N>],
    log_cap: usize,
    positions: &[usize],
) -> Vec<Digest<N>> {
    let height = leaves.len().ilog2() as usize;
    let mut siblings = Vec::new();
    for h in 0..height - log_cap {
        let known: BTreeSet<usize> = positions.iter().map(|p| p >> h).collect();
        for i in known.iter().map(|i| i ^ 1).filter(|i| !known.contains(i)) {
            siblings.push(node(hash, leaves, h, i));
        }
    }
    siblings
}

fn leaves<const N: usize>(hash: Hash, n: usize, row: usize) -> Vec<Digest<N>> {
    let rows: Vec<u8> = (0..n * row).map(|i| (i * 31 + i / 251) as u8).collect();
    let mut out = vec![[0; N]; n];
    hash.leaves(&rows, &mut out);
    out
}

/// An honest opening: what the verifier is given.
#[derive(Clone)]
struct Opening<const N: usize = 32> {
    hash: Hash,
    height: usize,
    cap: Vec<Digest<N>>,
    positions: Vec<usize>,
    leaves: Vec<Digest<N>>,
    siblings: Vec<Digest<N>>,
}

impl<const N: usize> Opening<N> {
    fn new(hash: Hash, height: usize, log_cap: usize, positions: &[usize]) -> Self {
        let all: Vec<Digest<N>> = leaves(hash, 1 << height, 24);
        let tree = MerkleTree::new(hash, all.clone());
        Self {
            hash,
            height,
            cap: tree.cap(log_cap).to_vec(),
            positions: positions.to_vec(),
            leaves: positions.iter().map(|&p| all[p]).collect(),
            siblings: tree.open(log_cap, positions),
        }
    }

    fn verify(&self) -> Result<(), Invalid> {
        let (positions, leaves) = (&self.positions, &self.leaves);
        verify_opening(self.hash, self.height, &self.cap, positions, leaves, &self.siblings)
    }

    /// The verdict after a change.
    fn with(&self, change: impl FnOnce(&mut Self)) -> Result<(), Invalid> {
        let mut changed = self.clone();
        change(&mut changed);
        changed.verify()
    }
}

#[test]
fn trees_equal_their_definition() {
    fn case<const N: usize>(hash: Hash) {
        for row in [1, 63, 64, 65, 128, 1000, 1024, 1025, 4096, 40_000] {
            let leaves = leaves::<N>(hash, 32, row);
            let tree = MerkleTree::new(hash, leaves.clone());
            assert_eq!(tree.log_leaves(), 5);
            assert_eq!(tree.root(), node(hash, &leaves, 5, 0), "{hash:?} {row}");
            for log_cap in 0..=5 {
                let cap: Vec<Digest<N>> =
                    (0..1 << log_cap).map(|i| node(hash, &leaves, 5 - log_cap, i)).collect();
                assert_eq!(tree.cap(log_cap), cap);
            }
        }
    }
    each_hash!(case);
}

#[test]
fn a_tree_above_the_parallel_size_equals_its_definition() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
    let leaves: Vec<Digest> = leaves(Hash::Blake3, 1 << 14, 8);
    let tree = pool.expect("a pool").install(|| MerkleTree::new(Hash::Blake3, leaves.clone()));
    assert_eq!(tree.root(), node(Hash::Blake3, &leaves, 14, 0));
}

#[test]
fn a_tree_of_one_leaf_is_its_leaf() {
    let leaves: Vec<Digest> = leaves(Hash::Sha256, 1, 8);
    let tree = MerkleTree::new(Hash::Sha256, leaves.clone());
    assert_eq!(tree.root(), leaves[0]);
    assert!(tree.open(0, &[0]).is_empty());
    assert_eq!(verify_opening(Hash::Sha256, 0, &leaves, &[0], &leaves, &[]), Ok(()));
}

#[test]
fn every_subset_of_a_small_tree_opens() {
    let hash = Hash::Blake3;
    let all: Vec<Digest> = leaves(hash, 8, 5);
    for subset in 0u32..256 {
        let positions: Vec<usize> = (0..8).filter(|i| subset >> i & 1 == 1).collect();
        for log_cap in 0..=3 {
            let opening = Opening::<32>::new(hash, 3, log_cap, &positions);
            assert_eq!(opening.verify(), Ok(()));
            let length = opening_len(3, log_cap, &positions);
            assert_eq!(length, opening.siblings.len());
            let all = leaves_24(hash);
            assert_eq!(opening.siblings, naive_open(hash, &all, log_cap, &positions));
        }
    }
    assert_ne!(all, leaves_24(hash));
}

fn leaves_24(hash: Hash) -> Vec<Digest> {
    leaves(hash, 8, 24)
}

#[test]
fn one_wrong_thing_is_rejected() {
    fn case<const N: usize>(hash: Hash) {
        for log_cap in [0, 1, 3] {
            let o = Opening::<N>::new(hash, 6, log_cap, &[3, 4, 5, 17, 40, 62, 63]);
            assert_eq!(o.verify(), Ok(()));
            for i in 0..o.siblings.len() {
                assert!(o.with(|o| o.siblings[i][i % N] ^= 1).is_err());
                assert!(o.with(|o| _ = o.siblings.remove(i)).is_err());
                assert!(o.with(|o| o.siblings.insert(i, o.siblings[i])).is_err());
                assert!(o.with(|o| o.siblings.truncate(i)).is_err());
                for j in 0..i {
                    assert!(o.with(|o| o.siblings.swap(i, j)).is_err());
                }
            }
            for i in 0..o.leaves.len() {
                assert!(o.with(|o| o.leaves[i][N - 1 - i] ^= 128).is_err());
                assert!(o.with(|o| _ = o.leaves.remove(i)).is_err());
                assert!(o.with(|o| _ = o.positions.remove(i)).is_err());
                assert!(o.with(|o| o.positions[i] ^= 8).is_err());
                assert!(o.with(|o| o.leaves.push(o.leaves[i])).is_err());
                for j in 0..i {
                    assert!(o.with(|o| o.leaves.swap(i, j)).is_err());
                    assert!(o.with(|o| o.positions.swap(i, j)).is_err());
                    // The same opening listed in another order.
                    let swap_both = |o: &mut Opening<N>| {
                        o.positions.swap(i, j);
                        o.leaves.swap(i, j);
                    };
                    assert!(o.with(swap_both).is_err());
                }
                let twice = |o: &mut Opening<N>| {
                    o.positions.insert(i, o.positions[i]);
                    o.leaves.insert(i, o.leaves[i]);
                };
                assert!(o.with(twice).is_err());
            }
            assert!(o.with(|o| o.siblings.push([0; N])).is_err());
        }
    }
    each_hash!(case);
}

#[test]
fn a_wrong_commitment_is_rejected() {
    fn case<const N: usize>(hash: Hash) {
        let o = Opening::<N>::new(hash, 6, 2, &[1, 20, 21, 63]);
        assert!(o.with(|o| o.cap[0][0] ^= 1).is_err());
        assert!(o.with(|o| o.cap[1][0] ^= 1).is_err());
        assert!(o.with(|o| o.cap[3][0] ^= 1).is_err());
        // No opened path ends in node 2.
        assert!(o.with(|o| o.cap[2][0] ^= 1).is_ok());
        assert!(o.with(|o| _ = o.cap.pop()).is_err());
        assert!(o.with(|o| o.cap.truncate(2)).is_err());
        assert!(o.with(|o| o.cap.clear()).is_err());
        assert!(o.with(|o| o.cap.extend_from_within(..)).is_err());
        assert!(o.with(|o| o.cap.swap(0, 1)).is_err());
        assert!(o.with(|o| o.height = 5).is_err());
        assert!(o.with(|o| o.height = 7).is_err());
        assert!(o.with(|o| o.height = 64).is_err());
        assert!(o.with(|o| o.height = usize::MAX).is_err());
        assert!(o.with(|o| o.height = 0).is_err());
        assert!(o.with(|o| o.positions[3] = 64).is_err());
        assert!(o.with(|o| o.positions[3] = usize::MAX).is_err());
    }
    each_hash!(case);
}

#[test]
fn a_node_is_no_leaf_and_a_leaf_no_node() {
    fn case<const N: usize>(hash: Hash) {
        let all = leaves::<N>(hash, 8, 24);
        let tree = MerkleTree::new(hash, all.clone());
        // The pair of leaves 2 and 3, taken as one row of 64 bytes of a tree with half the leaves.
        let fake = hash.leaf(all[2..4].as_flattened());
        assert_ne!(fake, tree.cap(2)[1]);
        let path = tree.open(0, &[2, 3]);
        assert!(verify_opening(hash, 2, tree.cap(0), &[1], &[fake], &path).is_err());
        // The same path with the true node is a path of that lower tree: only the height, which comes from
        // the parameters, tells them apart.
        assert!(verify_opening(hash, 2, tree.cap(0), &[1], &[tree.cap(2)[1]], &path).is_ok());
        assert!(verify_opening(hash, 3, tree.cap(0), &[1], &[tree.cap(2)[1]], &path).is_err());
    }
    each_hash!(case);
}

#[test]
#[should_panic(expected = "positions of leaves")]
fn opening_beyond_the_tree_is_refused() {
    let tree = MerkleTree::new(Hash::Blake3, vec![[0; 32]; 4]);
    // Both children of node 2 of a layer with two nodes, so that no layer is read out of bounds.
    drop(tree.open(1, &[4, 5]));
}

#[test]
#[should_panic(expected = "strictly increasing")]
fn opening_twice_is_refused() {
    let tree = MerkleTree::new(Hash::Blake3, vec![[0; 32]; 4]);
    drop(tree.open(0, &[1, 1]));
}

#[test]
#[should_panic(expected = "power of two")]
fn three_leaves_are_refused() {
    drop(MerkleTree::new(Hash::Blake3, vec![[0; 32]; 3]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn openings_verify_and_have_the_predicted_length(
        height in 0usize..9,
        cap in 0usize..9,
        picks in proptest::collection::vec(0usize..256, 0..40),
        which in 0usize..4,
    ) {
        let log_cap = cap.min(height);
        let positions: BTreeSet<usize> = picks.iter().map(|p| p % (1 << height)).collect();
        let positions: Vec<usize> = positions.into_iter().collect();
        let opening = Opening::<32>::new(Hash::ALL[which], height, log_cap, &positions);
        prop_assert_eq!(opening.verify(), Ok(()));
        prop_assert_eq!(opening.siblings.len(), opening_len(height, log_cap, &positions));
    }

    #[test]
    fn any_input_returns(
        height in any::<usize>(),
        cap in proptest::collection::vec(any::<[u8; 32]>(), 0..5),
        positions in proptest::collection::vec(any::<usize>(), 0..5),
        leaves in proptest::collection::vec(any::<[u8; 32]>(), 0..5),
        siblings in proptest::collection::vec(any::<[u8; 32]>(), 0..5),
    ) {
        for height in [height, height % 8] {
            let result = verify_opening(Hash::Blake3, height, &cap, &positions, &leaves, &siblings);
            prop_assert!(result.is_err() || positions.is_empty());
        }
    }
}

/// Digests of another width than the hash's are refused, whatever they are, and before anything is hashed.
#[test]
fn another_width_is_refused() {
    let wrong = Err(Invalid("digests of another width than the hash's"));
    let opening = Opening::<32>::new(Hash::Blake3, 3, 0, &[2, 5]);
    for hash in [Hash::Sha3_384, Hash::Sha3_512] {
        assert_eq!(opening.with(|o| o.hash = hash), wrong);
    }
    let opening = Opening::<48>::new(Hash::Sha3_384, 3, 0, &[2, 5]);
    for hash in [Hash::Sha3_256, Hash::Sha3_512] {
        assert_eq!(opening.with(|o| o.hash = hash), wrong);
    }
    assert_eq!(verify_opening(Hash::Sha3_512, 0, &[[7; 32]], &[0], &[[7; 32]], &[]), wrong);
}

#[test]
#[should_panic(expected = "digests of sha3-384 have 48 bytes")]
fn a_tree_of_another_width_is_refused() {
    drop(MerkleTree::new(Hash::Sha3_384, vec![[0; 32]]));
}

/// Each shape that is refused is refused for what it is, before any hash is compared.
#[test]
fn refusals_name_their_reason() {
    let leaves: Vec<Digest> = (0..8u8).map(|i| [i; 32]).collect();
    let tree = MerkleTree::new(Hash::Blake3, leaves.clone());
    let verdict = |cap: &[Digest], positions: &[usize], opened: &[Digest]| {
        let siblings = tree.open(0, &[2]);
        verify_opening(Hash::Blake3, 3, cap, positions, opened, &siblings).unwrap_err()
    };
    let root = [tree.root()];
    let cap = Invalid("Merkle cap has a wrong size");
    assert_eq!(verdict(&[tree.root(); 3], &[2], &leaves[2..3]), cap);
    assert_eq!(verdict(&[tree.root(); 16], &[2], &leaves[2..3]), cap);
    assert_eq!(verdict(&[], &[2], &leaves[2..3]), cap);
    let order = Invalid("Merkle positions are out of order or range");
    assert_eq!(verdict(&root, &[2, 2], &[leaves[2], leaves[2]]), order);
    assert_eq!(verdict(&root, &[3, 2], &[leaves[3], leaves[2]]), order);
    assert_eq!(verdict(&root, &[8], &leaves[2..3]), order);
    let count = Invalid("Merkle opening has a wrong number of leaves");
    assert_eq!(verdict(&root, &[2], &[]), count);
}

/// Whatever is forgotten, root and openings are those of the whole tree.
#[test]
fn a_pruned_tree_opens_like_the_whole() {
    for log_leaves in 0..8 {
        let leaves: Vec<Digest> = leaves(Hash::Blake3, 1 << log_leaves, 64);
        let whole = MerkleTree::new(Hash::Blake3, leaves.clone());
        for height in 0..=log_leaves.min(4) {
            let nodes = PrunedTree::nodes(Hash::Blake3, height, leaves.clone());
            assert_eq!(nodes.len(), 1 << (log_leaves - height));
            let pruned = PrunedTree::new(Hash::Blake3, height, nodes);
            assert_eq!((pruned.root(), pruned.height()), (whole.root(), height));
            assert_eq!(pruned.memory(), (64 << log_leaves) >> height);
            let below = |node: usize| leaves[node << height..(node + 1) << height].to_vec();
            for step in 1..=leaves.len() {
                let positions: Vec<usize> = (0..leaves.len()).step_by(step).collect();
                assert_eq!(
                    pruned.open(&positions, below),
                    whole.open(0, &positions),
                    "{height} {positions:?}"
                );
            }
            assert!(pruned.open(&[], below).is_empty());
        }
    }
}
