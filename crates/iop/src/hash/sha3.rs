//! Many messages through Keccak-256 and SHA3: one sponge of three rates, two paddings.
//!
//! ```text
//!  input    role | m0 .. m6   m7 .. m14   ...   rest | suffix   0 ..   0x80        words of 8 bytes
//!  word        0                1                  tail                last of the block
//! ```
//! A message takes one 64-bit lane of the vectors. Its words are read where they stand, one byte off those of the message.

use super::{Hash, Role};
use field::keccak::{LANES, States, absorb, absorb_behind, permute};

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
    // A lane without a message of its own repeats the first.
    let messages =
        core::array::from_fn(|lane| &group[if lane < used { lane * length } else { 0 }..][..length]);
    if length.is_multiple_of(8) && length < 8 * RATE {
        absorb_behind(&mut states, role as u8, messages);
        states[length / 8].iter_mut().for_each(|state| *state ^= suffix << 8);
        states[RATE - 1].iter_mut().for_each(|state| *state ^= 1 << 63);
        permute(&mut states, used);
    } else {
        for block in 0..=(1 + length) / (8 * RATE) {
            absorb_block::<RATE>(&mut states, Input { role, messages, suffix }, block);
            permute(&mut states, used);
        }
    }
    for (lane, digest) in out.chunks_exact_mut(hash.bytes()).enumerate() {
        for (bytes, word) in digest.as_chunks_mut::<8>().0.iter_mut().zip(&states) {
            *bytes = word[lane].to_le_bytes();
        }
    }
}

/// The sponges' input, without its padding.
#[derive(Clone, Copy)]
struct Input<'a> {
    role: Role,
    /// Equally long, at least 8 bytes.
    messages: [&'a [u8]; LANES],
    suffix: u64,
}

/// Adds a block of the padded inputs to the states.
#[inline]
fn absorb_block<const RATE: usize>(states: &mut States, input: Input<'_>, block: usize) {
    let Input { role, messages, suffix } = input;
    let length = messages[0].len();
    // Word i > 0 of the input is word i - 1 behind the first seven bytes.
    let (count, rest) = (1 + (length - 7) / 8, (length - 7) % 8);
    let (start, end) = (block * RATE, (block + 1) * RATE);
    if block == 0 {
        let first = messages.map(|m| m.first_chunk().copied().map_or(0, u64::from_le_bytes));
        states[0] = first.map(|word| word << 8 | role as u64);
    }
    let (from, to) = (start.max(1), count.min(end));
    if from < to {
        absorb(states, from - start, messages.map(|m| &m[8 * from - 1..8 * to - 1]));
    }
    if count < end {
        let bits = 8 * rest as u32;
        let last = messages.map(|m| m.last_chunk().copied().map_or(0, u64::from_le_bytes));
        let tail = last.map(|word| word.checked_shr(64 - bits).unwrap_or(0) | suffix << bits);
        states[count - start].iter_mut().zip(tail).for_each(|(state, tail)| *state ^= tail);
        states[RATE - 1].iter_mut().for_each(|state| *state ^= 1 << 63);
    }
}
