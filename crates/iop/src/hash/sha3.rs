//! Many messages through Keccak-256 and SHA3: one sponge of three rates, two paddings.
//!
//! ```text
//!  input    role | m0 .. m6   m7 .. m14   ...   rest | suffix   0 ..   0x80        words of 8 bytes
//!  word        0                1                  tail                last of the block
//! ```
//! A message takes one 64-bit lane of the vectors. Its words are read where they stand, one byte off those of the message.

use super::{Hash, Role};
use field::keccak::{LANES, States, permute};

/// The digests of messages of `length > 0` bytes each, end to end, by a sponge that absorbs `RATE` words at once: as many sponges side by
/// side as there are lanes.
pub(super) fn batch<const RATE: usize>(
    hash: Hash,
    role: Role,
    (messages, length): (&[u8], usize),
    out: &mut [u8],
) {
    let groups = messages.chunks(length.saturating_mul(LANES)).zip(out.chunks_mut(LANES * hash.bytes()));
    for (group, out) in groups {
        if length < 8 || group.len() == length {
            let places = out.chunks_exact_mut(hash.bytes());
            group.chunks_exact(length).zip(places).for_each(|(m, out)| hash.write(role, &[m], out));
        } else {
            lanes::<RATE>(hash, role, (group, length), out);
        }
    }
}

/// One message of at least 8 bytes in each lane.
fn lanes<const RATE: usize>(hash: Hash, role: Role, (group, length): (&[u8], usize), out: &mut [u8]) {
    let mut states = [[0; LANES]; 25];
    let suffix = if hash == Hash::Keccak256 { 0x01 } else { 0x06 };
    let used = group.len() / length;
    for block in 0..=(1 + length) / (8 * RATE) {
        for (lane, message) in group.chunks_exact(length).enumerate() {
            absorb::<RATE>(&mut states, lane, Input { role, message, suffix }, block);
        }
        permute(&mut states, used);
    }
    for (lane, digest) in out.chunks_exact_mut(hash.bytes()).enumerate() {
        for (bytes, word) in digest.as_chunks_mut::<8>().0.iter_mut().zip(&states) {
            *bytes = word[lane].to_le_bytes();
        }
    }
}

/// What a sponge absorbs, without its padding.
#[derive(Clone, Copy)]
struct Input<'a> {
    role: Role,
    /// At least 8 bytes.
    message: &'a [u8],
    suffix: u64,
}

/// Adds a block of the padded input to the state in a lane.
#[inline]
fn absorb<const RATE: usize>(states: &mut States, lane: usize, input: Input<'_>, block: usize) {
    let Input { role, message, suffix } = input;
    let [first, last] = [message.first_chunk(), message.last_chunk()].map(|b| b.copied().unwrap_or_default());
    let (words, rest) = message.get(7..).unwrap_or_default().as_chunks::<8>();
    let (start, end) = (block * RATE, (block + 1) * RATE);
    if block == 0 {
        states[0][lane] ^= u64::from_le_bytes(first) << 8 | role as u64;
    }
    // Word i of the input is word i - 1 behind the first seven bytes.
    let from = start.max(1);
    let words_here = &words[from - 1..words.len().min(end - 1)];
    for (state, word) in states[from - start..RATE].iter_mut().zip(words_here) {
        state[lane] ^= u64::from_le_bytes(*word);
    }
    if words.len() + 1 < end {
        let bits = 8 * rest.len() as u32;
        let tail = u64::from_le_bytes(last).checked_shr(64 - bits).unwrap_or(0);
        states[words.len() + 1 - start][lane] ^= tail | suffix << bits;
        states[RATE - 1][lane] ^= 1 << 63;
    }
}
