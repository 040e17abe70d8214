use sha3::{Digest, Keccak256, Sha3_256};

use super::*;

/// Messages of one block through the permutation, in every tier and every number of lanes, against the library's hash.
#[test]
fn every_tier_and_lane_agrees_with_the_hash_of_the_library() {
    const RATE: usize = 136;
    let message = |lane: usize| -> Vec<u8> { (0..19 * lane).map(|i| (i * 31 + lane) as u8).collect() };
    for tier in Tier::available() {
        for (suffix, used) in [(1, 1), (6, 1), (1, 3), (6, 4), (1, 5), (6, 7), (1, 8), (6, 8)] {
            let mut states = [[0; LANES]; 25];
            for lane in 0..used {
                let mut block = message(lane);
                block.push(suffix);
                block.resize(RATE, 0);
                block[RATE - 1] |= 0x80;
                for (row, bytes) in states.iter_mut().zip(block.as_chunks::<8>().0) {
                    row[lane] = u64::from_le_bytes(*bytes);
                }
            }
            permute_with(tier, &mut states, used);
            for lane in 0..used {
                let digest: Vec<u8> = states[..4].iter().flat_map(|row| row[lane].to_le_bytes()).collect();
                let expected = match suffix {
                    1 => Keccak256::digest(message(lane)).to_vec(),
                    _ => Sha3_256::digest(message(lane)).to_vec(),
                };
                assert_eq!(digest, expected, "{tier:?}, lane {lane} of {used}");
            }
        }
    }
}

/// Rows from any on, words beyond those of a vector, and states that are not zero.
#[test]
fn every_tier_absorbs_the_same_words() {
    for tier in Tier::available() {
        for (row, words) in [(0, 0), (0, 1), (1, 7), (3, 8), (1, 9), (0, 16), (1, 16), (0, 25), (24, 1)] {
            let bytes: Vec<u8> = (0..LANES * 8 * words).map(|i| (i * 167 + i / 251) as u8).collect();
            let message = |lane: usize| &bytes[lane * 8 * words..][..8 * words];
            let mut states: States = core::array::from_fn(|i| [i as u64 * 0x0101_0101; LANES]);
            let mut expected = states;
            for (lane, i) in (0..LANES).flat_map(|lane| (0..words).map(move |i| (lane, i))) {
                let word = message(lane)[8 * i..][..8].try_into().expect("eight bytes");
                expected[row + i][lane] ^= u64::from_le_bytes(word);
            }
            absorb_with(tier, &mut states, row, core::array::from_fn(message));
            assert_eq!(states, expected, "{tier:?}, {words} words from row {row}");
        }
    }
}

/// A byte before messages of whole words, of no word and of as many as a state has rows for.
#[test]
fn every_tier_absorbs_the_same_words_behind_a_byte() {
    for (tier, words) in Tier::available().flat_map(|tier| [0, 1, 7, 8, 12, 24].map(|w| (tier, w))) {
        let bytes: Vec<u8> = (0..LANES * 8 * words).map(|i| (i * 167 + i / 251) as u8).collect();
        let message = |lane: usize| &bytes[lane * 8 * words..][..8 * words];
        let mut states: States = core::array::from_fn(|i| [i as u64 * 0x0101_0101; LANES]);
        let mut expected = states;
        for lane in 0..LANES {
            let input: Vec<u8> = [&[0x5a], message(lane), &[0; 7]].concat();
            for (row, word) in expected.iter_mut().zip(input.as_chunks::<8>().0) {
                row[lane] ^= u64::from_le_bytes(*word);
            }
        }
        absorb_behind_with(tier, &mut states, 0x5a, core::array::from_fn(message));
        assert_eq!(states, expected, "{tier:?}, {words} words");
    }
}

#[test]
#[should_panic(expected = "equally many whole words")]
fn words_of_a_part_are_refused() {
    absorb(&mut [[0; LANES]; 25], 0, [&[1; 9]; LANES]);
}

#[test]
#[should_panic(expected = "as many states as lanes")]
fn more_states_than_lanes_are_refused() {
    permute(&mut [[0; LANES]; 25], LANES + 1);
}
