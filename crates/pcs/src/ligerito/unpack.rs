//! Packed entries one by one: what a weighted sum counts.

use super::ring::Entries;
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
    let element = |low: &[u8]| B::from_bytes(low).expect("any bytes are an element of a tower");
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
