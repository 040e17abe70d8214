//! The verifier against its definition, and the length of openings against theirs.

use super::*;

/// One hash of each width.
const WIDTHS: [Hash; 3] = [Hash::Blake3, Hash::Sha3_384, Hash::Sha3_512];

/// The siblings' places by their definition, in the order of an opening.
fn naive_places(layers: usize, positions: &[usize]) -> Vec<(usize, usize)> {
    let known = |h: usize| positions.iter().map(|p| p >> h).collect::<BTreeSet<usize>>();
    let beside = |h: usize| known(h).into_iter().map(|i| i ^ 1).filter(move |i| !known(h).contains(i));
    (0..layers).flat_map(|h| beside(h).map(move |i| (h, i))).collect()
}

/// Nodes from the cap downwards: a sibling that was given, a leaf, or the hash of two nodes below.
struct Given<'a> {
    hash: Hash,
    siblings: Vec<((usize, usize), &'a [u8])>,
    leaves: Vec<(usize, &'a [u8])>,
}

impl Given<'_> {
    fn node(&self, height: usize, index: usize) -> Vec<u8> {
        if let Some((_, digest)) = self.siblings.iter().find(|(place, _)| *place == (height, index)) {
            return digest.to_vec();
        }
        if height == 0 {
            return self.leaves.iter().find(|(position, _)| *position == index).expect("a leaf").1.to_vec();
        }
        let children = [0, 1].map(|side| self.node(height - 1, 2 * index + side)).concat();
        let mut out = vec![0; self.hash.bytes()];
        self.hash.nodes(&children, &mut out);
        out
    }
}

/// The verdict by the definition.
fn accepts(
    hash: Hash,
    height: usize,
    cap: &[u8],
    (positions, leaves, siblings): (&[usize], &[u8], &[u8]),
) -> bool {
    let width = hash.bytes();
    let whole = [cap, leaves, siblings].iter().all(|bytes| bytes.len() % width == 0);
    let log_cap = (0..=height).find(|log_cap| cap.len() == width << log_cap);
    let (true, Some(log_cap)) = (whole, log_cap) else { return false };
    let places = naive_places(height - log_cap, positions);
    let ordered = positions.windows(2).all(|pair| pair[0] < pair[1]);
    let inside = positions.iter().all(|&position| position < 1 << height);
    let counts = leaves.len() == positions.len() * width && siblings.len() == places.len() * width;
    if !(ordered && inside && counts) {
        return false;
    }
    let given = Given {
        hash,
        siblings: places.into_iter().zip(siblings.chunks(width)).collect(),
        leaves: positions.iter().copied().zip(leaves.chunks(width)).collect(),
    };
    let layers = height - log_cap;
    positions.iter().all(|position| {
        let top = position >> layers;
        given.node(layers, top) == cap[top * width..][..width]
    })
}

/// The length by its definition, layer by layer.
fn naive_len(log_leaves: usize, log_cap: usize, positions: &[usize]) -> usize {
    let mut known: BTreeSet<usize> = positions.iter().copied().collect();
    (log_cap..log_leaves).fold(0, |siblings, _| {
        let parents: BTreeSet<usize> = known.iter().map(|position| position / 2).collect();
        let missing = 2 * parents.len() - known.len();
        known = parents;
        siblings + missing
    })
}

#[test]
fn lengths_of_all_openings_of_small_trees() {
    for height in 0..=4 {
        for subset in 0u32..1 << (1 << height) {
            let positions: Vec<usize> = (0..1 << height).filter(|i| subset >> i & 1 == 1).collect();
            for log_cap in 0..=height + 1 {
                let expected = naive_len(height, log_cap, &positions);
                assert_eq!(
                    opening_len(height, log_cap, &positions),
                    expected,
                    "{height} {log_cap} {positions:?}"
                );
            }
        }
    }
}

#[test]
fn lengths_for_any_numbers_return() {
    let last = usize::MAX;
    assert_eq!(opening_len(last, last, &[0, last]), 0);
    assert_eq!(opening_len(0, last, &[0, last]), 0);
    assert_eq!(opening_len(last, 0, &[]), 0);
    assert_eq!(opening_len(last - 1, 0, &[7]), last - 1);
    for positions in [&[7][..], &[0, last], &[last, 0, last], &[5, 5, 5], &[0, 1, 2, 3]] {
        assert!(opening_len(last, 0, positions) >= last - positions.len());
    }
}

/// Every bit of leaves, siblings and cap counts, but those of cap nodes above no opened leaf.
#[test]
fn every_bit_of_a_small_opening_counts() {
    for hash in WIDTHS {
        let width = hash.bytes();
        for (subset, log_cap) in (1u32..16).flat_map(|subset| (0..=2).map(move |log_cap| (subset, log_cap))) {
            let positions: Vec<usize> = (0..4).filter(|i| subset >> i & 1 == 1).collect();
            let o = Opening::new(hash, 2, log_cap, &positions);
            let mut parts = [&o.cap, &o.leaves, &o.siblings].map(|d| concat(d));
            let bits = parts.each_ref().map(|bytes| 8 * bytes.len());
            for (part, bit) in (0..3).flat_map(|part| (0..bits[part]).map(move |bit| (part, bit))) {
                parts[part][bit / 8] ^= 1 << (bit % 8);
                let [cap, leaves, siblings] = &parts;
                let verdict = verify_opening(hash, 2, cap, &positions, leaves, siblings);
                let top = bit / 8 / width;
                let used = part > 0 || positions.iter().any(|position| position >> (2 - log_cap) == top);
                assert_eq!(
                    verdict.is_err(),
                    used,
                    "{hash:?} {positions:?} {log_cap}: bit {bit} of part {part}"
                );
                parts[part][bit / 8] ^= 1 << (bit % 8);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn lengths_of_openings_of_large_trees(
        (log_leaves, log_cap, mask) in (0..usize::BITS as usize, 0usize..70, any::<usize>()),
        picks in proptest::collection::vec(any::<usize>(), 0..40),
    ) {
        // Few bits differ, so that neighbours meet everywhere.
        for mask in [usize::MAX, mask, mask & mask.rotate_left(7), 31] {
            let inside = |pick: &usize| (pick & mask) & ((1 << log_leaves) - 1);
            let positions: BTreeSet<usize> = picks.iter().map(inside).collect();
            let positions: Vec<usize> = positions.into_iter().collect();
            prop_assert_eq!(
                opening_len(log_leaves, log_cap, &positions),
                naive_len(log_leaves, log_cap, &positions)
            );
        }
    }

    /// Honest openings, and such with some digests or positions changed, by verifier and definition.
    #[test]
    fn verdicts_are_those_of_the_definition(
        (which, height, cap) in (0..3usize, 0usize..7, 0usize..7),
        picks in proptest::collection::vec(any::<usize>(), 0..12),
        changes in proptest::collection::vec((0..9, any::<usize>(), any::<usize>()), 0..3),
    ) {
        let (hash, log_cap) = (WIDTHS[which], cap.min(height));
        let positions: BTreeSet<usize> = picks.iter().map(|pick| pick % (1 << height)).collect();
        let positions: Vec<usize> = positions.into_iter().collect();
        let mut o = Opening::new(hash, height, log_cap, &positions);
        let mut cut = 0;
        for (change, a, b) in changes {
            let (siblings, count) = (o.siblings.len(), o.positions.len());
            match change {
                0 if siblings > 0 => o.siblings[a % siblings][b % hash.bytes()] ^= 1 << (b % 8),
                1 if siblings > 0 => _ = o.siblings.remove(a % siblings),
                2 if siblings > 0 => o.siblings.swap(a % siblings, b % siblings),
                3 => o.siblings.insert(a % (siblings + 1), Digest::zeros(hash.bytes())),
                4 if count > 0 => o.positions[a % count] ^= 1 << (b % 8),
                5 if count > 0 => o.leaves.swap(a % count, b % count),
                6 if count > 0 => {
                    o.positions.remove(a % count);
                    o.leaves.remove(a % count);
                }
                7 => o.height = (o.height + 1) % 8,
                _ => cut = a % (hash.bytes() + 1),
            }
        }
        let [cap, leaves, mut siblings] = [&o.cap, &o.leaves, &o.siblings].map(|d| concat(d));
        siblings.truncate(siblings.len().saturating_sub(cut));
        let verdict = verify_opening(hash, o.height, &cap, &o.positions, &leaves, &siblings);
        prop_assert_eq!(verdict.is_ok(), accepts(hash, o.height, &cap, (&o.positions, &leaves, &siblings)));
    }
}
