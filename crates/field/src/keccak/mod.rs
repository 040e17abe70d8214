//! Keccak-f\[1600\] (FIPS 202, section 3) on up to eight states at once, a state in each lane of vectors. (notes: merkle-lanes)
//!
//! The permutation is written once, over a `Word`; each instruction set is one file with one vector type. The hash function of one message is a
//! library's.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod rounds;
#[cfg(test)]
mod tests;

use crate::cpu::Tier;

/// States in one call.
pub const LANES: usize = 8;

/// The states of up to [`LANES`] sponges: word `x + 5 y` of all of them, one after another.
pub type States = [[u64; LANES]; 25];

/// Permutes the states in the first `used` lanes; what the others hold afterwards is not specified.
///
/// Cost: with AVX-512 that of one state for all, with AVX2 for each four, else for each.
///
/// # Panics
/// If `used` is more than [`LANES`].
pub fn permute(states: &mut States, used: usize) {
    permute_with(Tier::best(), states, used);
}

/// Adds words to rows of the states from `row` on: a word of a lane is eight bytes of its message, little-endian.
///
/// # Panics
/// If the messages are not equally many whole words, or there are not as many rows.
pub fn absorb(states: &mut States, row: usize, messages: [&[u8]; LANES]) {
    absorb_with(Tier::best(), states, row, messages);
}

/// Adds a byte and a message behind it to the first rows of each state: as many as the message has words, and the lowest byte of the next.
///
/// # Panics
/// As [`absorb`].
pub fn absorb_behind(states: &mut States, byte: u8, messages: [&[u8]; LANES]) {
    absorb_behind_with(Tier::best(), states, byte, messages);
}

/// [`absorb_behind`] with the instructions of a tier.
///
/// # Panics
/// As there, and if the tier is not in use.
fn absorb_behind_with(tier: Tier, states: &mut States, byte: u8, messages: [&[u8]; LANES]) {
    assert!(crate::cpu::has(tier.needs()), "instructions that are not in use");
    let bytes = messages[0].len();
    assert!(bytes.is_multiple_of(8) && messages.iter().all(|m| m.len() == bytes), "equally many whole words");
    let rows = &mut states[..=bytes / 8];
    #[cfg(target_arch = "x86_64")]
    if tier == Tier::Avx512 {
        let words = rows.len() - 1;
        // SAFETY: the tier is in use; the slice above has a row for each word of a message, and one more.
        return unsafe { avx512::absorb_behind(states, byte, messages.map(<[u8]>::as_ptr), words) };
    }
    for (lane, message) in messages.iter().enumerate() {
        let (mut rows, mut before) = (rows.iter_mut(), u64::from(byte));
        for (word, row) in message.as_chunks::<8>().0.iter().zip(&mut rows) {
            let word = u64::from_le_bytes(*word);
            row[lane] ^= word << 8 | before;
            before = word >> 56;
        }
        rows.for_each(|row| row[lane] ^= before);
    }
}

/// [`absorb`] with the instructions of a tier.
///
/// # Panics
/// As there, and if the tier is not in use.
fn absorb_with(tier: Tier, states: &mut States, row: usize, messages: [&[u8]; LANES]) {
    assert!(crate::cpu::has(tier.needs()), "instructions that are not in use");
    let bytes = messages[0].len();
    assert!(bytes.is_multiple_of(8) && messages.iter().all(|m| m.len() == bytes), "equally many whole words");
    let rows = &mut states[row..row + bytes / 8];
    #[cfg(target_arch = "x86_64")]
    if tier == Tier::Avx512 {
        let rows = rows.len();
        // SAFETY: the tier is in use; the slice above has a row for each word of a message.
        return unsafe { avx512::absorb(states, row, messages.map(<[u8]>::as_ptr), rows) };
    }
    for (lane, message) in messages.iter().enumerate() {
        for (row, word) in rows.iter_mut().zip(message.as_chunks::<8>().0) {
            row[lane] ^= u64::from_le_bytes(*word);
        }
    }
}

/// [`permute`] with the instructions of a tier.
///
/// # Panics
/// If the tier is not in use.
fn permute_with(tier: Tier, states: &mut States, used: usize) {
    assert!(used <= LANES, "as many states as lanes");
    assert!(crate::cpu::has(tier.needs()), "instructions that are not in use");
    let words = states.as_flattened_mut().as_mut_ptr();
    // SAFETY: the tier is in use; the lanes from `first` on, as many as the word has, are within the `LANES` of each of the 25 rows.
    unsafe {
        match tier {
            #[cfg(target_arch = "x86_64")]
            Tier::Avx512 => avx512::permute(words),
            #[cfg(target_arch = "x86_64")]
            Tier::Avx2 => (0..used).step_by(4).for_each(|first| avx2::permute(words.add(first))),
            _ => (0..used).for_each(|first| rounds::permute::<u64>(words.add(first))),
        }
    }
}
