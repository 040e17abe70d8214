//! The compression function on one block, word by word.

use super::{IV, SCHEDULE};

/// The state before the first round of a block of 64 bytes.
pub(super) fn state(value: &[u32; 8], counter: u64, flags: u32) -> [u32; 16] {
    let mut v = [0; 16];
    v[..8].copy_from_slice(value);
    v[8..12].copy_from_slice(&IV[..4]);
    v[12..].copy_from_slice(&[counter as u32, (counter >> 32) as u32, 64, flags]);
    v
}

/// The columns of round number `r`.
pub(super) fn columns(v: &mut [u32; 16], block: &[u32; 16], r: usize) {
    let [s @ .., _, _, _, _, _, _, _, _] = SCHEDULE[r];
    for (i, words) in s.as_chunks::<2>().0.iter().enumerate() {
        quarter(v, [i, 4 + i, 8 + i, 12 + i], words.map(|word| block[word]));
    }
}

/// The diagonals of round number `r`, from the diagonal `first` on.
pub(super) fn diagonals(v: &mut [u32; 16], block: &[u32; 16], r: usize, first: usize) {
    let [_, _, _, _, _, _, _, _, s @ ..] = SCHEDULE[r];
    for (i, words) in s.as_chunks::<2>().0.iter().enumerate().skip(first) {
        let turned = [i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4];
        quarter(v, turned, words.map(|word| block[word]));
    }
}

/// The mixing of four words of state with two of the message.
fn quarter(v: &mut [u32; 16], [a, b, c, d]: [usize; 4], [x, y]: [u32; 2]) {
    for (word, turn_d, turn_b) in [(x, 16, 12), (y, 8, 7)] {
        v[a] = v[a].wrapping_add(v[b]).wrapping_add(word);
        v[d] = (v[d] ^ v[a]).rotate_right(turn_d);
        v[c] = v[c].wrapping_add(v[d]);
        v[b] = (v[b] ^ v[c]).rotate_right(turn_b);
    }
}

/// The value after a block.
#[cfg(test)]
pub(super) fn compress(value: &[u32; 8], block: &[u32; 16], counter: u64, flags: u32) -> [u32; 8] {
    let mut v = state(value, counter, flags);
    for r in 0..SCHEDULE.len() {
        columns(&mut v, block, r);
        diagonals(&mut v, block, r, 0);
    }
    core::array::from_fn(|i| v[i] ^ v[i + 8])
}
