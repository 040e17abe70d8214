//! The tree against its definition, and openings with one thing wrong.

mod reference;
mod widths;

use super::*;
use crate::error::Invalid;
use crate::hash::concat;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Siblings by position, and nothing else: the node of height `h` and index `i`, by recursion.
fn node(hash: Hash, leaves: &[Digest], height: usize, index: usize) -> Digest {
    if height == 0 {
        return leaves[index];
    }
    let children = [0, 1].map(|side| node(hash, leaves, height - 1, 2 * index + side));
    let mut out = vec![0; hash.bytes()];
    hash.nodes(&concat(&children), &mut out);
    Digest::from_slice(&out).expect("one digest")
}

/// The opening by its definition: every sibling of a known node that is not known, layer by layer.
fn naive_open(hash: Hash, leaves: &[Digest], log_cap: usize, positions: &[usize]) -> Vec<Digest> {
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

/// Digests that stand end to end.
fn digests(hash: Hash, bytes: &[u8]) -> Vec<Digest> {
    assert_eq!(bytes.len() % hash.bytes(), 0, "whole digests");
    bytes.chunks(hash.bytes()).map(|digest| Digest::from_slice(digest).expect("one digest")).collect()
}

fn leaves(hash: Hash, n: usize, row: usize) -> Vec<Digest> {
    let rows: Vec<u8> = (0..n * row).map(|i| (i * 31 + i / 251) as u8).collect();
    let mut out = vec![0; n * hash.bytes()];
    hash.leaves(&rows, &mut out);
    digests(hash, &out)
}

/// An honest opening: what the verifier is given.
#[derive(Clone)]
struct Opening {
    hash: Hash,
    height: usize,
    cap: Vec<Digest>,
    positions: Vec<usize>,
    leaves: Vec<Digest>,
    siblings: Vec<Digest>,
}

impl Opening {
    fn new(hash: Hash, height: usize, log_cap: usize, positions: &[usize]) -> Self {
        let all = leaves(hash, 1 << height, 24);
        let tree = MerkleTree::new(hash, concat(&all));
        Self {
            hash,
            height,
            cap: digests(hash, tree.cap(log_cap)),
            positions: positions.to_vec(),
            leaves: positions.iter().map(|&p| all[p]).collect(),
            siblings: digests(hash, &tree.open(log_cap, positions)),
        }
    }

    fn verify(&self) -> Result<(), Invalid> {
        let [cap, leaves, siblings] = [&self.cap, &self.leaves, &self.siblings].map(|d| concat(d));
        verify_opening(self.hash, self.height, &cap, &self.positions, &leaves, &siblings)
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
    for hash in Hash::ALL {
        for row in [1, 63, 64, 65, 128, 1000, 1024, 1025, 4096, 40_000] {
            let leaves = leaves(hash, 32, row);
            let tree = MerkleTree::new(hash, concat(&leaves));
            assert_eq!(tree.log_leaves(), 5);
            assert_eq!(tree.root(), node(hash, &leaves, 5, 0), "{hash:?} {row}");
            for log_cap in 0..=5 {
                let cap: Vec<Digest> =
                    (0..1 << log_cap).map(|i| node(hash, &leaves, 5 - log_cap, i)).collect();
                assert_eq!(tree.cap(log_cap), concat(&cap));
            }
        }
    }
}

#[test]
fn a_tree_above_the_parallel_size_equals_its_definition() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
    let leaves = leaves(Hash::Blake3, 1 << 14, 8);
    let tree = pool.expect("a pool").install(|| MerkleTree::new(Hash::Blake3, concat(&leaves)));
    assert_eq!(tree.root(), node(Hash::Blake3, &leaves, 14, 0));
}

#[test]
fn a_tree_of_one_leaf_is_its_leaf() {
    for hash in Hash::ALL {
        let leaf = concat(&leaves(hash, 1, 8));
        let tree = MerkleTree::new(hash, leaf.clone());
        assert_eq!(*tree.root(), leaf[..]);
        assert!(tree.open(0, &[0]).is_empty());
        assert_eq!(verify_opening(hash, 0, &leaf, &[0], &leaf, &[]), Ok(()));
    }
}

#[test]
fn every_subset_of_a_small_tree_opens() {
    for hash in [Hash::Blake3, Hash::Sha3_384, Hash::Sha3_512] {
        let all = leaves(hash, 8, 24);
        assert_ne!(leaves(hash, 8, 5), all);
        for subset in 0u32..256 {
            let positions: Vec<usize> = (0..8).filter(|i| subset >> i & 1 == 1).collect();
            for log_cap in 0..=3 {
                let opening = Opening::new(hash, 3, log_cap, &positions);
                assert_eq!(opening.verify(), Ok(()));
                let length = opening_len(3, log_cap, &positions);
                assert_eq!(length, opening.siblings.len());
                assert_eq!(opening.siblings, naive_open(hash, &all, log_cap, &positions));
            }
        }
    }
}

#[test]
fn one_wrong_thing_is_rejected() {
    for (hash, log_cap) in Hash::ALL.into_iter().flat_map(|hash| [0, 1, 3].map(|log_cap| (hash, log_cap))) {
        let o = Opening::new(hash, 6, log_cap, &[3, 4, 5, 17, 40, 62, 63]);
        assert_eq!(o.verify(), Ok(()));
        for i in 0..o.siblings.len() {
            assert!(o.with(|o| o.siblings[i][i % hash.bytes()] ^= 1).is_err());
            assert!(o.with(|o| _ = o.siblings.remove(i)).is_err());
            assert!(o.with(|o| o.siblings.insert(i, o.siblings[i])).is_err());
            assert!(o.with(|o| o.siblings.truncate(i)).is_err());
            for j in 0..i {
                assert!(o.with(|o| o.siblings.swap(i, j)).is_err());
            }
        }
        for i in 0..o.leaves.len() {
            assert!(o.with(|o| o.leaves[i][hash.bytes() - 1 - i] ^= 128).is_err());
            assert!(o.with(|o| _ = o.leaves.remove(i)).is_err());
            assert!(o.with(|o| _ = o.positions.remove(i)).is_err());
            assert!(o.with(|o| o.positions[i] ^= 8).is_err());
            assert!(o.with(|o| o.leaves.push(o.leaves[i])).is_err());
            for j in 0..i {
                assert!(o.with(|o| o.leaves.swap(i, j)).is_err());
                assert!(o.with(|o| o.positions.swap(i, j)).is_err());
                // The same opening listed in another order.
                let swap_both = |o: &mut Opening| {
                    o.positions.swap(i, j);
                    o.leaves.swap(i, j);
                };
                assert!(o.with(swap_both).is_err());
            }
            let twice = |o: &mut Opening| {
                o.positions.insert(i, o.positions[i]);
                o.leaves.insert(i, o.leaves[i]);
            };
            assert!(o.with(twice).is_err());
        }
        assert!(o.with(|o| o.siblings.push(Digest::zeros(hash.bytes()))).is_err());
    }
}

#[test]
fn a_wrong_commitment_is_rejected() {
    for hash in Hash::ALL {
        let o = Opening::new(hash, 6, 2, &[1, 20, 21, 63]);
        let flipped = |node: usize| o.with(|o| o.cap[node][0] ^= 1);
        assert!(flipped(0).is_err() && flipped(1).is_err() && flipped(3).is_err());
        // No opened path ends in node 2.
        assert!(flipped(2).is_ok());
        assert!(o.with(|o| _ = o.cap.pop()).is_err());
        assert!(o.with(|o| o.cap.truncate(2)).is_err());
        assert!(o.with(|o| o.cap.clear()).is_err());
        assert!(o.with(|o| o.cap.extend_from_within(..)).is_err());
        assert!(o.with(|o| o.cap.swap(0, 1)).is_err());
        for height in [0, 5, 7, 64, usize::MAX] {
            assert!(o.with(|o| o.height = height).is_err());
        }
        assert!(o.with(|o| o.positions[3] = 64).is_err());
        assert!(o.with(|o| o.positions[3] = usize::MAX).is_err());
    }
}

#[test]
fn a_node_is_no_leaf_and_a_leaf_no_node() {
    for hash in Hash::ALL {
        let all = leaves(hash, 8, 24);
        let tree = MerkleTree::new(hash, concat(&all));
        let root = tree.root();
        // The pair of leaves 2 and 3, taken as one row of a tree with half the leaves.
        let fake = hash.leaf(&concat(&all[2..4]));
        let node = &tree.cap(2)[hash.bytes()..2 * hash.bytes()];
        assert_ne!(&*fake, node);
        let path = tree.open(0, &[2, 3]);
        assert!(verify_opening(hash, 2, &root, &[1], &fake, &path).is_err());
        // The same path with the true node is a path of that lower tree: only the height, which comes from
        // the parameters, tells them apart.
        assert!(verify_opening(hash, 2, &root, &[1], node, &path).is_ok());
        assert!(verify_opening(hash, 3, &root, &[1], node, &path).is_err());
    }
}

#[test]
#[should_panic(expected = "positions of leaves")]
fn opening_beyond_the_tree_is_refused() {
    let tree = MerkleTree::new(Hash::Blake3, vec![0; 4 * 32]);
    // Both children of node 2 of a layer with two nodes, so that no layer is read out of bounds.
    drop(tree.open(1, &[4, 5]));
}

#[test]
#[should_panic(expected = "strictly increasing")]
fn opening_twice_is_refused() {
    let tree = MerkleTree::new(Hash::Blake3, vec![0; 4 * 32]);
    drop(tree.open(0, &[1, 1]));
}

#[test]
#[should_panic(expected = "power of two")]
fn three_leaves_are_refused() {
    drop(MerkleTree::new(Hash::Blake3, vec![0; 3 * 32]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn openings_verify_and_have_the_predicted_length(
        height in 0usize..9,
        cap in 0usize..9,
        picks in proptest::collection::vec(0usize..256, 0..40),
        which in 0..Hash::ALL.len(),
    ) {
        let log_cap = cap.min(height);
        let positions: BTreeSet<usize> = picks.iter().map(|p| p % (1 << height)).collect();
        let positions: Vec<usize> = positions.into_iter().collect();
        let opening = Opening::new(Hash::ALL[which], height, log_cap, &positions);
        prop_assert_eq!(opening.verify(), Ok(()));
        prop_assert_eq!(opening.siblings.len(), opening_len(height, log_cap, &positions));
    }

    #[test]
    fn any_input_returns(
        height in any::<usize>(),
        which in 0..Hash::ALL.len(),
        // Whole digests, which get beyond the counts, and any bytes.
        counts in any::<[u8; 3]>(),
        ends in any::<[u8; 3]>(),
        positions in proptest::collection::vec(any::<usize>(), 0..5),
        seed in any::<u8>(),
    ) {
        let hash = Hash::ALL[which];
        let bytes = |i: usize, end: usize| vec![seed ^ i as u8; usize::from(counts[i] % 5) * hash.bytes() + end];
        let mut low: Vec<usize> = positions.iter().map(|position| position % 8).collect();
        low.sort_unstable();
        for (height, positions) in [(height, &positions), (height % 8, &positions), (height % 8, &low)] {
            for ends in [[0; 3], ends.map(usize::from)] {
                let [cap, leaves, siblings] = [0, 1, 2].map(|i| bytes(i, ends[i]));
                let result = verify_opening(hash, height, &cap, positions, &leaves, &siblings);
                prop_assert!(result.is_err() || positions.is_empty());
            }
        }
    }
}

/// Each shape that is refused is refused for what it is, before any hash is compared.
#[test]
fn refusals_name_their_reason() {
    let leaves: Vec<Digest> = (0..8u8).map(|i| [i; 32].into()).collect();
    let tree = MerkleTree::new(Hash::Blake3, concat(&leaves));
    let verdict = |cap: &[Digest], positions: &[usize], opened: &[Digest]| {
        let siblings = tree.open(0, &[2]);
        verify_opening(Hash::Blake3, 3, &concat(cap), positions, &concat(opened), &siblings).unwrap_err()
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
    // One sibling is needed less for leaves 2 and 3, and two more for 2 and 5.
    let [few, many] = ["few", "many"].map(|word| format!("Merkle opening has too {word} siblings"));
    assert_eq!(verdict(&root, &[2, 5], &[leaves[2], leaves[5]]).0, few);
    assert_eq!(verdict(&root, &[2, 3], &leaves[2..4]).0, many);
}

/// Whatever is forgotten, root and openings are those of the whole tree.
#[test]
fn a_pruned_tree_opens_like_the_whole() {
    for (hash, log_leaves) in [Hash::Blake3, Hash::Sha3_384, Hash::Sha3_512]
        .into_iter()
        .flat_map(|hash| (0..8).map(move |n| (hash, n)))
    {
        let (count, width) = (1usize << log_leaves, hash.bytes());
        let leaves = concat(&leaves(hash, count, 64));
        let whole = MerkleTree::new(hash, leaves.clone());
        for height in 0..=log_leaves.min(4) {
            let nodes = PrunedTree::nodes(hash, height, leaves.clone());
            assert_eq!(nodes, whole.cap(log_leaves - height));
            let pruned = PrunedTree::new(hash, height, nodes.clone());
            assert_eq!((pruned.root(), pruned.height()), (whole.root(), height));
            assert_eq!(
                (pruned.lowest(), pruned.memory()),
                (&nodes[..], ((2 * width) << log_leaves) >> height)
            );
            let below =
                |node: usize| leaves[(node << height) * width..((node + 1) << height) * width].to_vec();
            for step in 1..=count {
                let positions: Vec<usize> = (0..count).step_by(step).collect();
                assert_eq!(
                    pruned.open(&positions, below),
                    whole.open(0, &positions),
                    "{hash:?} {height} {positions:?}"
                );
            }
            assert!(pruned.open(&[], below).is_empty());
        }
    }
}
