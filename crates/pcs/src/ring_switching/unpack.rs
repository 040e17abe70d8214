//! Packed entries one by one: what a weighted sum counts.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::Entries;
use alloc::vec::Vec;
use field::Field;
use iop::poly::to_bytes;

/// Entries of the alphabet that are taken apart at once.
const CHUNK: usize = 1 << 9;

/// The entries that are packed in elements of the alphabet, in order: each as the element with its bits lowest and zeros
/// above. Whole entries are given back as they are. So packed weights are unpacked too.
///
/// Cost: an element for each entry.
pub fn unpack<B: Field>(packed: &[B], entries: Entries) -> Vec<B> {
    let Some(log_bits) = entries.log_bits() else { return packed.to_vec() };
    let bits = 1usize << log_bits;
    let mut unpacked = Vec::with_capacity((8 * B::BYTES / bits) * packed.len());
    let mut low = vec![0; B::BYTES];
    // Any bytes are an element of a tower.
    let element = |low: &[u8]| B::from_bytes(low).unwrap_or(B::ZERO);
    for packed in packed.chunks(CHUNK) {
        let bytes = to_bytes(packed);
        if bits >= 8 {
            for entry in bytes.chunks_exact(bits / 8) {
                low.iter_mut().zip(entry).for_each(|(to, &byte)| *to = byte);
                unpacked.push(element(&low));
            }
            continue;
        }
        for (byte, at) in bytes.iter().flat_map(|byte| (0..8).step_by(bits).map(move |at| (byte, at))) {
            low.iter_mut().take(1).for_each(|to| *to = byte >> at & ((1 << bits) - 1));
            unpacked.push(element(&low));
        }
    }
    unpacked
}

/// The entries that the bytes of a file are, the last one filled up with zeros: weights for the entries of a file as long.
///
/// Cost: an element for each entry.
pub fn unpack_bytes<B: Field>(bytes: &[u8], entries: Entries) -> Vec<B> {
    let chunks = bytes.chunks_exact(B::BYTES);
    let mut last = vec![0; B::BYTES];
    last.iter_mut().zip(chunks.remainder()).for_each(|(to, &byte)| *to = byte);
    let rest = (!chunks.remainder().is_empty()).then_some(last.as_slice());
    let packed: Vec<B> = chunks.chain(rest).map(|c| B::from_bytes(c).unwrap_or(B::ZERO)).collect();
    let mut entries_of = unpack(&packed, entries);
    entries_of.truncate(unpacked::<B>(bytes.len(), entries));
    entries_of
}

/// The number of entries in a file of `bytes` bytes, of each of which [`unpack_bytes`] makes an element.
pub fn unpacked<B: Field>(bytes: usize, entries: Entries) -> usize {
    count(bytes, entries.log_bits().map_or(8 * B::BYTES, |log_bits| 1 << log_bits))
}

/// The entries of so many bits that so many bytes hold, the last one filled up. No number of bits is computed: on machines
/// of 32 bits that of 2^29 bytes would be 0, and all weights would be dropped.
fn count(bytes: usize, bits: usize) -> usize {
    if bits < 8 { bytes.saturating_mul(8 / bits) } else { bytes.div_ceil(bits / 8) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use field::{Tower64, Tower128};

    #[test]
    fn counts_of_entries_do_not_wrap_around() {
        for (bits, expected) in
            [(1, usize::MAX), (8, usize::MAX), (32, usize::MAX / 4 + 1), (128, usize::MAX / 16 + 1)]
        {
            assert_eq!(count(usize::MAX, bits), expected, "{bits} bits");
        }
        assert_eq!([0, 1, 5].map(|bytes| count(bytes, 1)), [0, 8, 40]);
        assert_eq!([0, 1, 4, 5].map(|bytes| count(bytes, 32)), [0, 1, 1, 2]);
    }

    /// Bytes of every length against entries that are picked bit by bit.
    #[test]
    fn entries_of_bytes_are_their_bits() {
        fn check<B: Field>() {
            for entries in Entries::ALL {
                let bits = entries.log_bits().map_or(8 * B::BYTES, |log_bits| 1 << log_bits);
                for length in 0..40u8 {
                    let bytes: Vec<u8> = (0..length).map(|i| i.wrapping_mul(83) ^ 0xa5).collect();
                    let bit = |at: usize| bytes.get(at / 8).map_or(0, |byte| byte >> (at % 8) & 1);
                    let entry = |i: usize| {
                        let mut element = vec![0u8; B::BYTES];
                        (0..bits).for_each(|b| element[b / 8] |= bit(i * bits + b) << (b % 8));
                        B::from_bytes(&element).expect("any bytes are an element")
                    };
                    let expected: Vec<B> = (0..(8 * bytes.len()).div_ceil(bits)).map(entry).collect();
                    assert_eq!(unpack_bytes::<B>(&bytes, entries), expected, "{length} bytes, {entries:?}");
                }
            }
        }
        check::<Tower64>();
        check::<Tower128>();
    }
}
