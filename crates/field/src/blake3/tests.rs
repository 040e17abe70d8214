//! The lanes against the plain compression, and that against a digest from outside.

use super::*;
use proptest::prelude::*;

fn words<const N: usize>(bytes: &[u8]) -> [u32; N] {
    core::array::from_fn(|i| u32::from_le_bytes(*bytes[4 * i..].first_chunk().expect("four bytes")))
}

/// The value of the chunk in one message, by the plain compression.
fn plain(chunk: &Chunk, message: &[u8]) -> [u8; 32] {
    let mut value = chunk.key;
    for b in 0..chunk.blocks {
        let block = words(&message[chunk.start + BLOCK * b..][..BLOCK]);
        value = portable::compress(&value, &block, chunk.counter, chunk.flags(b));
    }
    let mut bytes = [0; 32];
    bytes.as_chunks_mut::<4>().0.iter_mut().zip(value).for_each(|(b, word)| *b = word.to_le_bytes());
    bytes
}

fn bytes(length: usize, seed: usize) -> Vec<u8> {
    (0..length).map(|i| ((i + seed).wrapping_mul(0x9e37_79b9) >> 11) as u8).collect()
}

/// A machine with AVX-512 takes all groups of sixteen, any other none.
fn taken(count: usize) -> usize {
    #[cfg(target_arch = "x86_64")]
    let lanes = avx512::available();
    #[cfg(not(target_arch = "x86_64"))]
    let lanes = false;
    if lanes { count / 16 * 16 } else { 0 }
}

/// The digest of `0 .. 64` from the test vectors of the reference implementation.
#[test]
fn the_plain_compression_is_the_published_one() {
    let chunk = Chunk { key: IV, length: 64, start: 0, blocks: 1, counter: 0, flags: [0, 1, 2 | 8] };
    let message: [u8; 64] = core::array::from_fn(|i| i as u8);
    let expected = "4eed7141ea4a5cd4b788606bd23f46e212af9cacebacdc7d1f4c6dc7f2511b98";
    let digest: String = plain(&chunk, &message).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(digest, expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn lanes_agree_with_the_plain_compression(
        (blocks, before, behind) in (1usize..=17, 0usize..90, 0usize..90),
        count in 0usize..85,
        (key, counter, flags, seed) in any::<([u32; 8], u64, [u8; 3], u16)>(),
    ) {
        let length = before + BLOCK * blocks + behind;
        let chunk = Chunk { key, length, start: before, blocks, counter, flags };
        let messages = bytes(length * count, seed.into());
        let mut out = vec![[0xee; 32]; count];
        let done = chunk.values(&messages, &mut out);
        prop_assert_eq!(done, taken(count));
        for (i, value) in out.iter().enumerate() {
            let expected = if i < done { plain(&chunk, &messages[i * length..]) } else { [0xee; 32] };
            prop_assert_eq!(*value, expected, "message {} of {}", i, count);
        }
    }

    #[test]
    fn trials_find_the_first_good_nonce(
        (key, state, flags) in any::<([u32; 8], [u32; 8], u8)>(),
        (high, low, count) in (any::<u32>(), 0u32..u32::MAX - 500, 1u64..300),
        (bits, turn) in (0u32..10, prop_oneof![Just(0), 0u32..32]),
    ) {
        let Some(trials) = Trials::new(&key, &state, flags) else { return Ok(()) };
        let start = u64::from(high) << 32 | u64::from(low);
        // Ones where the first bits of the first bytes are, or elsewhere.
        let mask = (!(u32::MAX >> bits).swap_bytes()).rotate_left(turn);
        let first_word = |nonce: u64| {
            let mut block = [0; 16];
            block[..8].copy_from_slice(&state);
            block[8..10].copy_from_slice(&[nonce as u32, (nonce >> 32) as u32]);
            portable::compress(&key, &block, 0, flags.into())[0]
        };
        let expected = (start..start + count).find(|&nonce| first_word(nonce) & mask == 0);
        prop_assert_eq!(trials.first(start, count, mask), expected);
    }
}

#[test]
fn the_last_nonces_below_a_new_upper_half() {
    let Some(trials) = Trials::new(&IV, &IV, 27) else { return };
    assert_eq!(trials.first(u32::MAX.into(), 1, 0), Some(u32::MAX.into()));
    assert_eq!(trials.first(u64::MAX, 1, u32::MAX), None);
    assert_eq!(trials.first(5, 0, 0), None);
}

#[test]
#[should_panic(expected = "one upper half")]
fn nonces_with_two_upper_halves_are_refused() {
    let trials = Trials { state: [0; 8], begun: [0; 16] };
    let _ = trials.first(u32::MAX.into(), 2, 0);
}

#[test]
#[should_panic(expected = "blocks of the message")]
fn a_chunk_beyond_its_message_is_refused() {
    let chunk = Chunk { key: IV, length: 100, start: 37, blocks: 1, counter: 0, flags: [0; 3] };
    chunk.values(&[0; 1600], &mut [[0; 32]; 16]);
}

#[test]
#[should_panic(expected = "as many messages")]
fn messages_that_are_not_there_are_refused() {
    let chunk = Chunk { key: IV, length: 64, start: 0, blocks: 1, counter: 0, flags: [0; 3] };
    chunk.values(&[0; 1023], &mut [[0; 32]; 16]);
}
