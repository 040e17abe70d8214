//! Packed entries one by one: what a weighted sum counts.

use super::ring::Entries;
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
                low[..entry.len()].copy_from_slice(entry);
                unpacked.push(element(&low));
            }
            continue;
        }
        for (byte, at) in bytes.iter().flat_map(|byte| (0..8).step_by(bits).map(move |at| (byte, at))) {
            low[0] = byte >> at & ((1 << bits) - 1);
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
    let mut unpacked = unpack(&packed, entries);
    let bits = entries.log_bits().map_or(8 * B::BYTES, |log_bits| 1 << log_bits);
    unpacked.truncate((8 * bytes.len()).div_ceil(bits));
    unpacked
}
