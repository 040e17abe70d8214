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

#[test]
#[should_panic(expected = "as many states as lanes")]
fn more_states_than_lanes_are_refused() {
    permute(&mut [[0; LANES]; 25], LANES + 1);
}
